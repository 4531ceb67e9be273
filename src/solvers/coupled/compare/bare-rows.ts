/**
 * Contacts between bodies with the masses they have, as published [Shinar2008 §4, §5]: a particle of flesh is pushed as if the rest of the body were not there, and elasticity hears of it in the next solve.
 * Velocities are handed over, so that directions of conjugate gradients are treated as velocities are.
 */
import { addPointBlock } from '../rigid/joint-algebra.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { settleMeasure } from '../rows/row-measure.js';
import { pointVelocity, pushPoint, type RowSystem } from '../rows/row-system.js';
import { CORNERS } from '../soft/soft-sides.js';

/** Velocities of everything: twists of rigid bodies, 6 each, and of vertices, 3 each. */
export interface Velocities {
  twist: Float64Array;
  vertex: Float64Array;
}

/** Contacts and what they push, by masses alone. */
export class BareRows {
  readonly system: RowSystem;
  /** One over the mass of each vertex, 0 for what is held [1/kg]. */
  readonly lightness: Float64Array;
  readonly #of = new Float64Array(3);
  readonly #block = new Float64Array(9);

  constructor(system: RowSystem) {
    const { bodies } = system.soft;
    this.system = system;
    this.lightness = Float64Array.from({ length: bodies.vertexCount }, (_, i) =>
      bodies.pinned[i] === 1 ? 0 : 1 / bodies.mass[i],
    );
  }

  /** out = velocity of A relative to B at contact c. */
  velocityOf(c: number, { twist, vertex }: Velocities, out: Float64Array): void {
    const { contacts } = this.system;
    this.#sideVelocity(contacts.sideA[c], contacts.a[c], contacts.armA, c, twist, vertex, this.#of);
    this.#sideVelocity(contacts.sideB[c], contacts.b[c], contacts.armB, c, twist, vertex, out);
    for (let k = 0; k < 3; k++) out[k] = this.#of[k] - out[k];
  }

  #sideVelocity(
    side: number,
    body: number,
    arm: Float64Array,
    c: number,
    twist: Float64Array,
    vertex: Float64Array,
    out: Float64Array,
  ): void {
    if (side < 0) {
      pointVelocity(twist, body * TWIST, arm, c * 3, out);
      return;
    }
    const { slot, slotVertex, weight, bodies } = this.system.soft;
    const first = bodies.firstVertex[this.system.soft.body[side]];
    out.fill(0);
    for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
      const at = (first + slotVertex[first + slot[m]]) * 3;
      for (let k = 0; k < 3; k++) out[k] += weight[m] * vertex[at + k];
    }
  }

  /** An impulse on A at contact c, and its opposite on B. */
  push(c: number, p: Float64Array, velocities: Velocities): void {
    this.pushSide(c, true, p, velocities);
    this.pushSide(c, false, p, velocities);
  }

  /** Its one half: on A, or the opposite on B. */
  pushSide(c: number, ofA: boolean, p: Float64Array, { twist, vertex }: Velocities): void {
    const { contacts, rigid, soft } = this.system;
    const side = ofA ? contacts.sideA[c] : contacts.sideB[c];
    const sign = ofA ? 1 : -1;
    if (side < 0) {
      const body = ofA ? contacts.a[c] : contacts.b[c];
      pushPoint(rigid, twist, body, ofA ? contacts.armA : contacts.armB, c * 3, p, sign);
      return;
    }
    const { slot, slotVertex, weight, bodies } = soft;
    const first = bodies.firstVertex[soft.body[side]];
    for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
      const v = first + slotVertex[first + slot[m]];
      const share = sign * weight[m] * this.lightness[v];
      for (let k = 0; k < 3; k++) vertex[v * 3 + k] += share * p[k];
    }
  }

  /** w += how one side of contact c answers an impulse. */
  addAnswer(c: number, ofA: boolean, w: Float64Array): void {
    const { contacts, rigid, soft } = this.system;
    const side = ofA ? contacts.sideA[c] : contacts.sideB[c];
    if (side < 0) {
      addPointBlock(rigid, ofA ? contacts.a[c] : contacts.b[c], ofA ? contacts.armA : contacts.armB, c * 3, w);
      return;
    }
    const { slot, slotVertex, weight, bodies } = soft;
    const first = bodies.firstVertex[soft.body[side]];
    for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
      const share = weight[m] * weight[m] * this.lightness[first + slotVertex[first + slot[m]]];
      for (let k = 0; k < 9; k += 4) w[k] += share;
    }
  }

  /** How contact c opens and slides when pushed, both its sides or one: measures of the row system. */
  measure(c: number, withA = true, withB = true): void {
    const w = this.#block.fill(0);
    if (withA) this.addAnswer(c, true, w);
    if (withB) this.addAnswer(c, false, w);
    settleMeasure(this.system, c, w);
  }

  /** Slots take the velocities of their vertices. */
  fillSlots(): void {
    const { bodies, slotCount, slotVertex, velocity } = this.system.soft;
    for (let s = 0; s < bodies.count; s++) {
      const first = bodies.firstVertex[s];
      for (let slot = first; slot < first + slotCount[s]; slot++) {
        const at = (first + slotVertex[slot]) * 3;
        for (let k = 0; k < 3; k++) velocity[slot * 3 + k] = bodies.velocity[at + k];
      }
    }
  }
}
