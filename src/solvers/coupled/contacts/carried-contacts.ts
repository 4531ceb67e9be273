/**
 * Contacts that are carried along: in a heap most pairs of bodies hardly move against each other within a step, and what was found at its
 * start is still true of its later substeps but for the gaps, which change by what the points move along the normals. Pairs that move more
 * than they were looked ahead for, and those of small islands, which are solved closely, are looked at anew.
 *
 * Everything is counted from the full search at the end of the step before, so nothing of this is state.
 */

import type { SampledShape } from '../../../collision/rigid/sampled-shape.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import type { Islands } from '../rows/islands.js';
import type { RowSystem } from '../rows/row-system.js';

/** How far two bodies of a heap may move against each other, as a share of their sizes: contacts are looked for as far ahead. */
export const CARRY = 0.02;

/** Which pairs may keep their contacts. */
export class CarriedContacts {
  readonly #rows: RowSystem;
  readonly #shapes: readonly SampledShape[];
  readonly #islands: Islands;
  /** Islands of more rows are heaps. */
  readonly #rowsOfHeap: number;
  /** How far each body went as a whole since the full search, 3 each, and its points beside that [m]. */
  readonly #way: Float64Array;
  readonly #beside: Float64Array;
  /** Size of each body [m]. */
  readonly #size: Float64Array;
  readonly #u = new Float64Array(3);

  constructor(rows: RowSystem, shapes: readonly SampledShape[], islands: Islands, rowsOfHeap: number) {
    this.#rows = rows;
    this.#shapes = shapes;
    this.#islands = islands;
    this.#rowsOfHeap = rowsOfHeap;
    const count = rows.rigid.count + rows.soft.bodies.count;
    this.#way = new Float64Array(count * 3);
    this.#beside = new Float64Array(count);
    this.#size = new Float64Array(count);
  }

  /** All contacts are of now. */
  begin(): void {
    this.#way.fill(0);
    this.#beside.fill(0);
  }

  /** The bodies have moved for h [s] by the velocities of the position track: gaps and arms follow. */
  advance(h: number): void {
    const { contacts, rigid, soft } = this.#rows;
    for (let b = 0; b < rigid.count; b++) this.#followRigid(b, h);
    for (let s = 0; s < soft.bodies.count; s++) this.#followSoft(s, h);
    const u = this.#u;
    for (let c = 0; c < contacts.count; c++) {
      const o = c * 3;
      this.#rows.contactVelocity(c, u);
      const { normal } = contacts;
      contacts.gap[c] += h * (normal[o] * u[0] + normal[o + 1] * u[1] + normal[o + 2] * u[2]);
      if (contacts.sideA[c] < 0 && contacts.sideB[c] < 0) this.#moveArms(c);
      else if (contacts.sideA[c] < 0) this.#reachSide(contacts.sideB[c], contacts.a[c], contacts.armA, o);
      else if (contacts.sideB[c] < 0) this.#reachSide(contacts.sideA[c], contacts.b[c], contacts.armB, o);
    }
  }

  /** Whether the contacts of two bodies are still good. */
  isGood(a: number, b: number): boolean {
    if (!this.isOfHeap(a) && !this.isOfHeap(b)) return false;
    const w = this.#way;
    const x = w[a * 3] - w[b * 3];
    const y = w[a * 3 + 1] - w[b * 3 + 1];
    const z = w[a * 3 + 2] - w[b * 3 + 2];
    const moved = Math.sqrt(x * x + y * y + z * z) + this.#beside[a] + this.#beside[b];
    return moved < CARRY * (this.#size[a] + this.#size[b]);
  }

  /** Whether body b is of a heap, or cannot move, and has gone no farther than its share: of two such bodies contacts are good. */
  isStill(b: number): boolean {
    if (!this.isOfHeap(b) && this.#size[b] > 0) return false;
    const w = this.#way;
    const way = Math.sqrt(w[b * 3] * w[b * 3] + w[b * 3 + 1] * w[b * 3 + 1] + w[b * 3 + 2] * w[b * 3 + 2]);
    return way + this.#beside[b] <= CARRY * this.#size[b];
  }

  /** Whether body b belongs to a heap. */
  isOfHeap(b: number): boolean {
    const island = this.#islands.ofBody[b];
    return island >= 0 && this.#islands.rowsOf(island) > this.#rowsOfHeap;
  }

  #followRigid(b: number, h: number): void {
    const { velocity, inverseMass } = this.#rows.rigid;
    const { reach, box } = this.#shapes[b];
    const o = b * TWIST;
    for (let k = 0; k < 3; k++) this.#way[b * 3 + k] += h * velocity[o + k];
    // what nothing moves asks for no margin of its own
    this.#size[b] = box && inverseMass[b] > 0 ? reach : 0;
    const spin =
      velocity[o + 3] * velocity[o + 3] + velocity[o + 4] * velocity[o + 4] + velocity[o + 5] * velocity[o + 5];
    if (spin > 0) this.#beside[b] += h * Math.sqrt(spin) * reach;
  }

  #followSoft(s: number, h: number): void {
    const { half, firstVertex } = this.#rows.soft.bodies;
    const b = this.#rows.rigid.count + s;
    const mean = this.#u;
    const from = firstVertex[s] * 3;
    const to = firstVertex[s + 1] * 3;
    mean.fill(0);
    for (let i = from; i < to; i += 3) for (let k = 0; k < 3; k++) mean[k] += half[i + k];
    for (let k = 0; k < 3; k++) {
      mean[k] /= (to - from) / 3;
      this.#way[b * 3 + k] += h * mean[k];
    }
    let most = 0;
    for (let i = from; i < to; i += 3) {
      const x = half[i] - mean[0];
      const y = half[i + 1] - mean[1];
      const z = half[i + 2] - mean[2];
      most = Math.max(most, x * x + y * y + z * z);
    }
    this.#beside[b] += h * Math.sqrt(most);
    this.#size[b] = this.#rows.soft.bodies.models[s].reach;
  }

  /** The arm of a rigid body to the side of a soft one. */
  #reachSide(side: number, body: number, arm: Float64Array, o: number): void {
    this.#rows.soft.placeOf(side, this.#u);
    for (let k = 0; k < 3; k++) arm[o + k] = this.#u[k] - this.#rows.rigid.x[body * 3 + k];
  }

  /** The point that both are pushed at goes along with them, as a mean of the two: a ball that rolls takes its point with it. */
  #moveArms(c: number): void {
    const { contacts, rigid } = this.#rows;
    const { armA, armB } = contacts;
    const a = contacts.a[c] * 3;
    const b = contacts.b[c] * 3;
    const share = rigid.inverseMass[contacts.a[c]] === 0 ? 1 : rigid.inverseMass[contacts.b[c]] === 0 ? 0 : 0.5;
    for (let k = 0; k < 3; k++) {
      const o = c * 3 + k;
      const apart = rigid.x[a + k] + armA[o] - rigid.x[b + k] - armB[o];
      armA[o] -= share * apart;
      armB[o] += (1 - share) * apart;
    }
  }
}
