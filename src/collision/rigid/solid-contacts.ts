/**
 * Contacts between rigid bodies of one part, found from their shapes: points of each in the signed distance of the other, a handful per pair, instead of every vertex and triangle.
 * What comes fast is looked at where it is about to touch, not where the step begins: the walls that face each other then are the ones that will meet.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { CANDIDATE } from './manifold.js';
import { RigidPairs } from './rigid-pairs.js';
import { UNTOUCHED } from './sampled-shape.js';
import { SolidBody } from './solid-body.js';
import { SolidShape } from './solid-shape.js';

/** Times a pair is moved towards where it touches, at most. */
const MOST_ADVANCES = 6;
/** Gap, in sizes of the smaller body, below which walls that face each other are known well enough. */
const NEAR = 0.05;
/** Trace of the rotation between two poses, 1 + 2 cos, below which a body has turned far: by 0.2 rad. */
const FAR_TRACE = 2.96;
/** Half thicknesses of the thinner of two bodies by which they may move against each other and not be looked at again. */
const SHIFTED = 0.25;
/** Share of its depth by which a body is led out of another in a step, and the speed that is done with at most: in sizes of the smaller one per second, and as a share of the speed at which they move against each other. Slower than that, a plate that is struck at its rim, and turns by a third of a radian in a 32nd of a step, goes in deeper in each. */
const RECOVERY = 0.5;
const APART = 2;
const FAST = 0.1;
/** Share of the speed of two bodies that counts as approach whichever way they face. */
const GLANCING = 0.1;

/** Finds contacts of pairs; owns its scratch. */
export class SolidContacts {
  readonly #motions: readonly SurfaceMotion[];
  readonly #bodies: readonly (SolidBody | undefined)[];
  readonly #pairs: RigidPairs;
  readonly #frames: { readonly x: Float64Array; readonly rotation: Float64Array };
  /** Rotations and translations when the step began. */
  readonly #rotations: Float64Array;
  readonly #translations: Float64Array;
  /** Places of the two sides, and the normal from the second to the first. */
  readonly #sides = [new Float64Array(3), new Float64Array(3)];
  readonly #normal = new Float64Array(3);
  readonly #weights = new Float64Array(4);
  /** The step at hand [s]. */
  #h = 0;

  constructor(motions: readonly SurfaceMotion[]) {
    const shapes = new Map<SurfaceMotion['model'], SolidShape>();
    this.#motions = motions;
    this.#bodies = motions.map((motion) => {
      if (!motion.isSolid) return undefined;
      const shape = shapes.get(motion.model) ?? new SolidShape(motion.model, motion.surface);
      shapes.set(motion.model, shape);
      return new SolidBody(motion, shape);
    });
    this.#frames = { x: new Float64Array(motions.length * 3), rotation: new Float64Array(motions.length * 9) };
    this.#rotations = new Float64Array(motions.length * 9);
    this.#translations = new Float64Array(motions.length * 3);
    const sampled = this.#bodies.map((body) => body?.shape.sampled ?? UNTOUCHED);
    this.#pairs = new RigidPairs(this.#frames, sampled);
  }

  /** Whether two bodies, or a body and itself, are looked at here. */
  knows(a: number, b: number): boolean {
    return this.#bodies[a] !== undefined && this.#bodies[b] !== undefined;
  }

  /** A new step begins. */
  begin(): void {
    const bodies = this.#bodies;
    for (let i = 0; i < bodies.length; i++) {
      bodies[i]?.update();
      bodies[i]?.place(0, this.#frames, i);
      const { rotations } = this.#motions[i].poses;
      for (let k = 0; bodies[i] && k < 9; k++) this.#rotations[i * 9 + k] = rotations[k];
      for (let k = 0; bodies[i] && k < 3; k++) this.#translations[i * 3 + k] = this.#motions[i].poses.translations[k];
    }
  }

  /**
   * How deep two bodies are in each other where they are by now [m]. What turns within a step leaves the planes that its contacts were found with, and what comes fast can be beside
   * them; where neither is so that is nothing, and they are not looked at.
   */
  deepest(a: number, b: number): number {
    if (!this.#haveShifted(a, b) && !this.#hasTurned(a) && !this.#hasTurned(b)) return 0;
    this.#place(a, b, 0);
    return this.#pairs.deepest(a, b);
  }

  /** Whether two bodies have moved against each other, or were about to, by a good part of what the thinner one measures. */
  #haveShifted(a: number, b: number): boolean {
    const thickness = Math.min(this.#bodies[a]!.shape.halfThickness, this.#bodies[b]!.shape.halfThickness);
    const { translations: p } = this.#motions[a].poses;
    const { translations: q } = this.#motions[b].poses;
    const before = this.#translations;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const shift = p[k] - q[k] - before[a * 3 + k] + before[b * 3 + k];
      square += shift * shift;
    }
    const far = SHIFTED * thickness;
    return square > far * far || this.#h * this.#mostSpeed(a, b) > 2 * thickness;
  }

  /** Whether a body has turned far since the step began. */
  #hasTurned(body: number): boolean {
    const { rotations } = this.#motions[body].poses;
    const before = this.#rotations;
    let trace = 0;
    for (let k = 0; k < 9; k++) trace += rotations[k] * before[body * 9 + k];
    return trace < FAR_TRACE;
  }

  /** Adds the contacts of bodies a and b. `h`: step [s]; `pull`: acceleration that one of the two may be held against [m/s²]. */
  find(a: number, b: number, h: number, pull: number, out: ContactBuffer): void {
    const first = this.#bodies[a];
    const second = this.#bodies[b];
    if (!first || !second) return;
    const speed = this.#mostSpeed(a, b);
    this.#h = h;
    const margin = Math.max(this.#motions[a].margin, this.#motions[b].margin);
    // what others do to the two may come at any time of the step
    const pushed = margin + h * (Math.max(this.#motions[a].pushSpeed, this.#motions[b].pushSpeed) + h * pull);
    const near = Math.max(margin, NEAR * Math.min(this.#motions[a].model.size, this.#motions[b].model.size));
    if (this.#areApart(a, b, pushed + h * speed)) return;
    let time = 0;
    for (let n = 0; ; n++) {
      this.#pairs.find(a, b, pushed + (h - time) * speed);
      const gap = this.#nearest();
      if (gap === Number.POSITIVE_INFINITY || gap <= near || n === MOST_ADVANCES || time === h) break;
      time = Math.min(h, time + (gap - 0.5 * near) / speed);
      this.#place(a, b, time);
    }
    this.#addAll(a, b, h, time, pull, out);
    if (time > 0) this.#place(a, b, 0);
  }

  /** How fast any two places of the bodies come towards each other at most, as they move now [m/s]. */
  #mostSpeed(a: number, b: number): number {
    const first = this.#bodies[a]!;
    const second = this.#bodies[b]!;
    const turning = first.spinSpeed * first.shape.reach + second.spinSpeed * second.shape.reach;
    return this.#speedBetween(a, b) + turning;
  }

  #speedBetween(a: number, b: number): number {
    const { velocity: v } = this.#bodies[a]!;
    const { velocity: w } = this.#bodies[b]!;
    const x = v[0] - w[0];
    const y = v[1] - w[1];
    const z = v[2] - w[2];
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Whether the balls around two bodies are farther apart than `reach` [m]. */
  #areApart(a: number, b: number, reach: number): boolean {
    const { translations: p } = this.#motions[a].poses;
    const { translations: q } = this.#motions[b].poses;
    const most = reach + this.#bodies[a]!.shape.reach + this.#bodies[b]!.shape.reach;
    const x = p[0] - q[0];
    const y = p[1] - q[1];
    const z = p[2] - q[2];
    return x * x + y * y + z * z > most * most;
  }

  #place(a: number, b: number, time: number): void {
    this.#bodies[a]!.place(time, this.#frames, a);
    this.#bodies[b]!.place(time, this.#frames, b);
  }

  /** Least gap of what was found, infinite where nothing was [m]. */
  #nearest(): number {
    const { values, count } = this.#pairs.manifold;
    let gap = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) gap = Math.min(gap, values[i * CANDIDATE + 7]);
    return gap;
  }

  /** Adds those of the points found, with the bodies where they are after `time`, that can meet within the step. */
  #addAll(a: number, b: number, h: number, time: number, pull: number, out: ContactBuffer): void {
    const { values, kept, count } = this.#pairs.manifold;
    const margin = Math.max(this.#motions[a].margin, this.#motions[b].margin);
    const glancing = GLANCING * this.#speedBetween(a, b);
    const normal = this.#normal;
    const on = this.#sides[0];
    const against = this.#sides[1];
    for (let i = 0; i < count; i++) {
      if (kept[i] === 0) continue;
      const o = i * CANDIDATE;
      const gap = values[o + 7];
      for (let k = 0; k < 3; k++) {
        normal[k] = values[o + 4 + k];
        on[k] = values[o + 1 + k] + 0.5 * gap * normal[k];
        against[k] = values[o + 1 + k] - 0.5 * gap * normal[k];
      }
      const closing = (h - time) * (this.#closing(a, b) + glancing) + h * (this.#pushed(a, b) + h * pull);
      if (gap < margin + closing) this.#add(a, b, values[o], gap, h, out);
    }
  }

  /** How fast the two sides at hand come together, 0 where they part [m/s]. */
  #closing(a: number, b: number): number {
    const normal = this.#normal;
    const own = this.#bodies[a]!.speedAlong(normal, this.#sides[0]);
    const other = this.#bodies[b]!.speedAlong(normal, this.#sides[1]);
    return Math.max(0, other - own);
  }

  /** How much faster other bodies may make that within the step [m/s]. */
  #pushed(a: number, b: number): number {
    const { push } = this.#motions[a];
    const { push: pushBack } = this.#motions[b];
    let pushed = 0;
    let pushedBack = 0;
    for (let k = 0; k < 3; k++) {
      pushed -= this.#normal[k] * push[k];
      pushedBack += this.#normal[k] * pushBack[k];
    }
    return Math.max(0, pushed, pushedBack);
  }

  #add(a: number, b: number, key: number, gap: number, h: number, out: ContactBuffer): void {
    const c = out.add(a, key, b, -1);
    if (c < 0) return;
    const { stuck } = out;
    for (let k = 0; k < 3; k++) {
      out.normal[c * 3 + k] = this.#normal[k];
      stuck[c * 3 + k] = 0;
    }
    this.#addSide(a, c, 0, 1, out);
    this.#addSide(b, c, 1, -1, out);
    out.friction[c] = Math.sqrt(this.#motions[a].friction * this.#motions[b].friction);
    // the gap as it is when the step begins
    out.gap[c] =
      this.#normal[0] * stuck[c * 3] + this.#normal[1] * stuck[c * 3 + 1] + this.#normal[2] * stuck[c * 3 + 2];
    out.offset[c] = this.#ledOut(a, b, gap, h);
  }

  /** What a contact must have as its gap at the end of the step [m]. */
  #ledOut(a: number, b: number, gap: number, h: number): number {
    if (gap >= 0) return 0;
    const apart = APART * Math.min(this.#motions[a].model.size, this.#motions[b].model.size);
    const most = h * Math.max(apart, FAST * this.#mostSpeed(a, b));
    return Math.min(0, gap + Math.min(-RECOVERY * gap, most));
  }

  /** Tells where a side is by the vertices that carry its body's mass, and adds where they are to what the contact sticks to. */
  #addSide(body: number, c: number, side: number, sign: number, out: ContactBuffer): void {
    const solid = this.#bodies[body]!;
    const { positions } = this.#motions[body];
    const { carriers } = solid.shape;
    const weights = this.#weights;
    solid.weigh(this.#sides[side], weights);
    for (let n = 0; n < carriers.length; n++) {
      out.setVertex(c, side, n, carriers[n], weights[n]);
      for (let k = 0; k < 3; k++) out.stuck[c * 3 + k] += sign * weights[n] * positions[carriers[n] * 3 + k];
    }
  }
}
