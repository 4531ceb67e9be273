/**
 * Asks whether a small ball is near a face of a soft body that can push it. Flesh has one outside, and no face pushes what it has in its back.
 * A sheet has two: a thing stays on the side it was first seen on, by the normal of the contact of the same key, so that what has
 * been pressed through by a little is pushed back and not on.
 */
import type { ContactList } from '../contacts/contact-list.js';
import type { SoftBodies } from './soft-bodies.js';
import { SoftSurface } from './soft-surface.js';

/** How deep inside a soft body things are still found, as a share of its size; a sheet has no inside, and its own share. */
const DEEPEST = 0.2;
const DEEPEST_SHEET = 0.05;
/** Share of a ball's radius from which on its middle is well away from a sheet. */
const WELL_AWAY = 0.5;
/** Cosine above which a face and what comes at it look the same way. */
const BACK = 0.2;
/** How far beside a face things may be that lie on its rim, as a share of the body's size. */
const RIM = 0.005;

/** A surface with the question at hand; the answer is in `surface`. */
export class FacedSurface {
  readonly surface: SoftSurface;
  /** The middle of the ball [m], and which way is out of what it belongs to (0, 0, 0: all ways). */
  readonly at = new Float64Array(3);
  readonly facing = new Float64Array(3);
  /** Radius of the ball, how near it must be to count [m], and the key of the contact that would be: by reference, because numbers handed over one by one are boxed. */
  readonly radius = new Float64Array(1);
  readonly margin = new Float64Array(1);
  readonly key = new Float64Array(1);
  /** Distance between the surfaces [m]. */
  readonly gap = new Float64Array(1);
  /** Longest side of the box around each soft body [m]. */
  readonly size: Float64Array;
  readonly #soft: SoftBodies;
  readonly #firstSoft: number;
  /** How far off the surface is looked for, anywhere and outside [m]. */
  readonly #reach = new Float64Array(2);

  constructor(soft: SoftBodies, firstSoft: number) {
    this.#soft = soft;
    this.#firstSoft = firstSoft;
    this.surface = new SoftSurface(soft);
    this.size = new Float64Array(soft.count);
  }

  /** Whether the ball is nearer than `margin` to a face of body s. */
  isNear(s: number, contacts: ContactList, boxes: Float64Array): boolean {
    const { at, surface } = this;
    const margin = this.margin[0];
    const radius = this.radius[0];
    const { isSheet, radius: half } = this.#soft.models[s];
    const o = (this.#firstSoft + s) * 6;
    const near = margin + radius;
    for (let k = 0; k < 3; k++) if (at[k] < boxes[o + k] - near || at[k] > boxes[o + 3 + k] + near) return false;
    const deepest = (isSheet ? DEEPEST_SHEET : DEEPEST) * this.size[s];
    this.#reach[0] = Math.max(near + half, deepest);
    // a sheet has no inside that the front of a triangle could tell of
    this.#reach[1] = isSheet ? this.#reach[0] : near + half;
    if (!surface.ask(s, at, this.#reach)) return false;
    if (isSheet) this.#chooseSide(contacts);
    this.gap[0] = surface.distance[0] - radius - half;
    if (this.gap[0] >= margin) return false;
    if (isSheet || this.#looksAway()) return true;
    // on a rim the nearest face may look the same way, and the one next to it is met: boxes exactly on each other have all their corners there
    this.#reach.fill(Math.max(near, deepest));
    if (!surface.askFacing(s, at, this.#reach, this.facing, BACK, RIM * this.size[s])) return false;
    this.gap[0] = surface.distance[0] - radius;
    return this.gap[0] < margin;
  }

  /**
   * Turns the answer to the side that the contact of before was on, or to the side of the ball. A ball whose middle is well away from
   * the sheet is on its own side, whatever was before: a cloth that lies around it is now nearest here, now there.
   */
  #chooseSide(contacts: ContactList): void {
    const { normal, distance } = this.surface;
    const { oldNormal } = contacts;
    const radius = this.radius[0];
    const before = contacts.indexOfOld(this.key[0]);
    const o = before * 3;
    const kept =
      before < 0 || (radius > 0 && Math.abs(distance[0]) > WELL_AWAY * radius)
        ? distance[0]
        : normal[0] * oldNormal[o] + normal[1] * oldNormal[o + 1] + normal[2] * oldNormal[o + 2];
    if (kept >= 0) return;
    distance[0] = -distance[0];
    for (let k = 0; k < 3; k++) normal[k] = -normal[k];
  }

  #looksAway(): boolean {
    const { normal } = this.surface;
    const { facing } = this;
    return normal[0] * facing[0] + normal[1] * facing[1] + normal[2] * facing[2] < BACK;
  }
}
