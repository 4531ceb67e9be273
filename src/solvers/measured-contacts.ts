/** What contacts came to in a step, measured when it is over: how many, how deep, and whether bodies were driven into each other. */
import type { ContactBuffer } from '../collision/contact-buffer.js';
import { halfThickness } from '../collision/rigid/solid-shape.js';
import { type ContactDetection, type ContactScene, CREASED } from '../collision/search/contact-finder.js';
import type { SurfaceMotion } from '../collision/surface/surface-motion.js';
import type { StepReport } from './step-report.js';

/**
 * Depth, in margins, by which one step may drive bodies into each other. A bullet of 80 m/s that pulls a plate
 * along for 5 cm in one step leaves the plate behind; in 8 steps it does not.
 */
const DRIVEN_IN = 5;
/** The same for two rigid bodies that know each other's shape: the way out is known however deep they are, and a heap that lands is not taken again for it. */
const SOLID_DRIVEN_IN = 20;
/** And in half thicknesses of the thinner one, the lesser counts; and how deep it is when on its way through, and goes on. */
const THIN_DRIVEN_IN = 0.3;
const PASSING = 0.5;
const GOING_ON = 0.1;
/** The same for what flesh flung into an obstacle, or into itself, where no contact was, and how much deeper than what was known that must be. */
const FLUNG_IN = 4;
const DEEPER = 0.5;
/** Share of a body's tets that are inside out from which it is crushed, and shorter steps do not help it: of 8 random worlds two gained half their energy in parts. */
const MOST_INVERTED = 1 / 64;

/** Measures the contacts of a scene after each step. */
export class MeasuredContacts {
  readonly #scene: ContactScene & { readonly contacts: ContactBuffer };
  readonly #finder: ContactDetection;
  readonly #surfaces: readonly SurfaceMotion[];
  readonly #reports: readonly StepReport[];
  /** Penalty forces let bodies in, in shorter steps as well. */
  readonly #isPenalty: boolean;
  /** How deep each body is, and was in obstacles and in itself when the step began [m]. */
  readonly #depths: Float64Array;
  readonly #before: Float64Array;
  readonly #ownBefore: Float64Array;
  /** How deep each body is in itself, by its contacts [m]. */
  readonly #own: Float64Array;
  /** Bodies of bones alone that hang on the world by a joint: forces that the joint answers can throw them through an obstacle. */
  readonly #isPinned: readonly boolean[];
  /** Half of what each body measures where it is thinnest, where its shape is known [m]. */
  readonly #thickness: Float64Array;
  /** Whether the last step drove a rigid body into another so far that it is passing through, or flung flesh into itself. */
  isPassing = false;

  constructor(
    scene: ContactScene & { readonly contacts: ContactBuffer },
    finder: ContactDetection,
    surfaces: readonly SurfaceMotion[],
    reports: readonly StepReport[],
    isPenalty: boolean,
  ) {
    this.#scene = scene;
    this.#finder = finder;
    this.#surfaces = surfaces;
    this.#reports = reports;
    this.#isPenalty = isPenalty;
    this.#depths = new Float64Array(reports.length);
    this.#before = new Float64Array(reports.length);
    this.#ownBefore = new Float64Array(reports.length);
    this.#own = new Float64Array(reports.length);
    this.#thickness = Float64Array.from(surfaces, ({ model }) => halfThickness(model));
    this.#isPinned = surfaces.map(
      ({ model: { bones, joints, tetCount } }) => tetCount === 0 && joints.boneB.includes(bones.count),
    );
  }

  /** After a step of h [s]: says how many contacts there were and how deep anything is now; returns how many contacts drove in. */
  measure(certificate: StepReport, h: number, isLastTry: boolean): number {
    const { contacts } = this.#scene;
    const reports = this.#reports;
    let drivenIn = 0;
    let kept = 0;
    this.isPassing = false;
    this.#readBefore();
    for (let i = 0; i < reports.length; i++) reports[i].contacts = reports[i].penetration = this.#own[i] = 0;
    drivenIn += this.#measureTurned();
    for (let c = 0; c < contacts.count; c++) {
      const gap = this.#finder.measure(this.#scene, contacts, c);
      if (this.#isDrivenIn(c, gap) || (isLastTry && this.#cameFromAfar(c))) drivenIn++;
      contacts.gap[c] = gap;
      // nothing touches anything there; how deep flesh is that is inside out is `turnedDepth`
      kept += contacts.isKept[c];
      if (contacts.isKept[c] === 1) continue;
      const own = contacts.body[c * 2];
      if (contacts.body[c * 2 + 1] === own) this.#own[own] = Math.max(this.#own[own], -gap);
      for (let side = 0; side < 2; side++) {
        const body = contacts.body[c * 2 + side];
        if (body < 0) continue;
        const report = reports[body];
        report.contacts++;
        report.penetration = Math.max(report.penetration, -gap);
      }
    }
    drivenIn += this.#measureWatched(certificate, h);
    certificate.contacts = contacts.count - kept;
    certificate.droppedContacts = contacts.dropped;
    certificate.unswept = contacts.unswept;
    return drivenIn;
  }

  /** Looks at pairs of bodies that have turned or came fast; returns how many of them drove in. Contacts of a pair of solids follow each other. */
  #measureTurned(): number {
    const { contacts } = this.#scene;
    const reports = this.#reports;
    let drivenIn = 0;
    let known = 0;
    for (let c = 0; c < contacts.count; c++) {
      const a = contacts.body[c * 2];
      const b = contacts.body[c * 2 + 1];
      if (b < 0 || a === b) continue;
      known = Math.max(known, -contacts.gap[c]);
      const isLast = c + 1 === contacts.count || contacts.body[c * 2 + 2] !== a || contacts.body[c * 2 + 3] !== b;
      if (!isLast) continue;
      const depth = this.#finder.turnedIn(a, b);
      reports[a].penetration = Math.max(reports[a].penetration, depth);
      reports[b].penetration = Math.max(reports[b].penetration, depth);
      if (this.#isSolidIn(a, b, known, depth)) drivenIn++;
      known = 0;
    }
    return this.#isPenalty ? 0 : drivenIn;
  }

  /** Adds what is deep in obstacles or creases where no contact is, and says how deep all of it is; returns how many bodies were flung in. */
  #measureWatched(certificate: StepReport, h: number): number {
    const reports = this.#reports;
    let flungIn = 0;
    for (let i = 0; i < reports.length; i++) this.#depths[i] = reports[i].penetration;
    this.#finder.measureWatched(this.#scene, this.#depths);
    for (let i = 0; i < reports.length; i++) {
      const known = Math.max(reports[i].penetration, this.#before[i]);
      const { margin } = this.#surfaces[i];
      if (this.#depths[i] > Math.max(known + DEEPER * margin, FLUNG_IN * margin)) flungIn++;
      reports[i].penetration = this.#depths[i];
      if (this.#isFlungIntoItself(i, h)) flungIn++;
      reports[i].turnedDepth = reports[i].inverted > 0 ? this.#finder.turnedDepth(i) : 0;
      certificate.penetration = Math.max(certificate.penetration, reports[i].penetration);
      certificate.turnedDepth = Math.max(certificate.turnedDepth, reports[i].turnedDepth);
    }
    return this.#isPenalty ? 0 : flungIn;
  }

  /**
   * Looks at all of a body's surface where its contacts with itself are deep, or some of it is inside out: more may be in it than they know of. Whether the step threw it in: a paw that is
   * struck by the floor turns over its hinge into the leg above.
   */
  #isFlungIntoItself(i: number, h: number): boolean {
    const { margin } = this.#surfaces[i];
    if (!(this.#own[i] > CREASED * margin) && this.#reports[i].inverted === 0) return false;
    const depth = this.#finder.creaseDepth(i, Number.POSITIVE_INFINITY);
    this.#reports[i].penetration = Math.max(this.#reports[i].penetration, depth);
    if (this.#reports[i].inverted > MOST_INVERTED * this.#surfaces[i].model.tetCount) return false;
    const least = Math.max(this.#ownBefore[i] + DEEPER * margin, FLUNG_IN * margin);
    // what was in it before, and no contact knew of, is not thrown
    const isFlung = depth > least && this.#finder.creaseDepth(i, h) > least;
    this.isPassing ||= isFlung && !this.#isPenalty;
    return isFlung;
  }

  /** How deep each body was in obstacles and in itself when the step began. */
  #readBefore(): void {
    const { contacts } = this.#scene;
    this.#before.fill(0);
    this.#ownBefore.fill(0);
    for (let c = 0; c < contacts.count; c++) {
      const body = contacts.body[c * 2];
      if (contacts.obstacle[c] >= 0) this.#before[body] = Math.max(this.#before[body], -contacts.gap[c]);
      const isOwn = contacts.body[c * 2 + 1] === body && contacts.isKept[c] === 0;
      if (isOwn) this.#ownBefore[body] = Math.max(this.#ownBefore[body], -contacts.gap[c]);
    }
  }

  /** Whether the step drove two bodies far into each other, or a pinned one into an obstacle: by how much more than before, at contact c. */
  #isDrivenIn(c: number, gap: number): boolean {
    const { contacts } = this.#scene;
    if (this.#isPenalty) return false;
    const a = contacts.body[c * 2];
    const b = contacts.body[c * 2 + 1];
    if (b < 0 ? !this.#isPinned[a] : a === b) return false;
    const deeper = Math.min(0, contacts.gap[c]) - gap;
    const first = this.#surfaces[a];
    if (b < 0) return deeper > DRIVEN_IN * first.margin;
    const second = this.#surfaces[b];
    if (first.isSolid && second.isSolid) return this.#isSolidIn(a, b, -Math.min(0, contacts.gap[c]), -gap);
    return deeper > DRIVEN_IN * Math.max(first.margin, second.margin);
  }

  /** Whether two bodies that know each other's shape were driven in, by how deep they were and are [m]; and whether they pass. */
  #isSolidIn(a: number, b: number, before: number, depth: number): boolean {
    const thickness = Math.min(this.#thickness[a], this.#thickness[b]);
    const margin = Math.max(this.#surfaces[a].margin, this.#surfaces[b].margin);
    const deeper = depth - before;
    this.isPassing ||= !this.#isPenalty && depth > PASSING * thickness && deeper > GOING_ON * thickness;
    return deeper > Math.min(SOLID_DRIVEN_IN * margin, THIN_DRIVEN_IN * thickness);
  }

  /** Whether a body hit another from farther than its own size: part of it may have passed unseen. */
  #cameFromAfar(c: number): boolean {
    const { contacts } = this.#scene;
    const b = contacts.body[c * 2 + 1];
    const pushes = contacts.force[c * 3] !== 0 || contacts.force[c * 3 + 1] !== 0 || contacts.force[c * 3 + 2] !== 0;
    if (b < 0 || !pushes) return false;
    const surfaces = this.#surfaces;
    return contacts.gap[c] > Math.min(surfaces[contacts.body[c * 2]].model.size, surfaces[b].model.size);
  }
}
