/**
 * Sides of flesh that follow bones: how a side follows each bone (4 numbers, see `FollowModel`, turned into the world) and what a push on it makes of the bones (6 × 3 numbers each), joints held.
 */
import { TWIST } from '../rigid/rigid-bodies.js';
import type { RowSystem } from '../rows/row-system.js';
import { CORNERS } from '../soft/soft-sides.js';
import type { Creature } from './creature.js';
import { SHARE } from './follow-model.js';
import { rotate } from './skeleton-matrix.js';

/** Numbers per side and bone: what it follows, and what it makes of the bone. */
const NUMBERS = SHARE + 3 * TWIST;

const R = new Float64Array(3);
const ARM = new Float64Array(3);

/** Sides that follow. */
export class Followers {
  /** Where the numbers of each side begin, -1 for sides that follow nobody, and whom they follow. */
  readonly #start: Int32Array;
  readonly #leader: (Creature | undefined)[];
  readonly #numbers: Float64Array;
  #used = 0;
  /** Sides on the list. */
  readonly #side: Int32Array;
  #count = 0;

  constructor(sides: number, room: number) {
    this.#start = new Int32Array(sides).fill(-1);
    this.#leader = new Array(sides).fill(undefined);
    this.#side = new Int32Array(sides);
    this.#numbers = new Float64Array(room * NUMBERS);
  }

  /** Whether `count` sides and bones more find room. */
  hasRoomFor(count: number): boolean {
    return count * NUMBERS <= this.#numbers.length;
  }

  clear(): void {
    for (let n = 0; n < this.#count; n++) this.#start[this.#side[n]] = -1;
    this.#count = 0;
    this.#used = 0;
  }

  has(side: number): boolean {
    return this.#start[side] >= 0;
  }

  /** From now on a side follows the bones of a creature. */
  add(side: number, creature: Creature, { soft, rigid }: RowSystem): void {
    const out = this.#numbers;
    const start = this.#used;
    const m = creature.bones.length;
    const first = soft.bodies.firstVertex[creature.soft];
    const { share } = creature.tables;
    this.#start[side] = start;
    this.#leader[side] = creature;
    this.#side[this.#count++] = side;
    this.#used += m * NUMBERS;
    for (let p = 0; p < m; p++) {
      let part = 0;
      ARM.fill(0);
      for (let a = side * CORNERS; a < (side + 1) * CORNERS; a++) {
        const w = soft.weight[a];
        const o = (soft.slotVertex[first + soft.slot[a]] * m + p) * SHARE;
        part += w * share[o];
        for (let k = 0; k < 3; k++) ARM[k] += w * share[o + 1 + k];
      }
      rotate(rigid.rotation, creature.bones[p] * 9, ARM, 0, R);
      const o = start + p * SHARE;
      out[o] = part;
      for (let k = 0; k < 3; k++) out[o + 1 + k] = R[k];
    }
    this.#fillAnswer(creature, start);
  }

  /** How bones answer a push along each axis. */
  #fillAnswer({ answer, size, bones }: Creature, start: number): void {
    const all = this.#numbers;
    const m = bones.length;
    const to = start + m * SHARE;
    for (let i = 0; i < size; i++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let p = 0, o = start, a = i * size; p < m; p++, o += SHARE, a += TWIST) {
        const part = all[o];
        const r0 = all[o + 1];
        const r1 = all[o + 2];
        const r2 = all[o + 3];
        const t0 = answer[a + 3];
        const t1 = answer[a + 4];
        const t2 = answer[a + 5];
        x += part * answer[a] + t1 * r2 - t2 * r1;
        y += part * answer[a + 1] + t2 * r0 - t0 * r2;
        z += part * answer[a + 2] + t0 * r1 - t1 * r0;
      }
      all[to + i * 3] = x;
      all[to + i * 3 + 1] = y;
      all[to + i * 3 + 2] = z;
    }
  }

  /** out += what bones of these velocities make of a side. */
  addVelocity(side: number, velocity: Float64Array, out: Float64Array): void {
    const { bones } = this.#leader[side] as Creature;
    const all = this.#numbers;
    let x = out[0];
    let y = out[1];
    let z = out[2];
    for (let p = 0, o = this.#start[side]; p < bones.length; p++, o += SHARE) {
      const v = bones[p] * TWIST;
      const part = all[o];
      const r0 = all[o + 1];
      const r1 = all[o + 2];
      const r2 = all[o + 3];
      const w0 = velocity[v + 3];
      const w1 = velocity[v + 4];
      const w2 = velocity[v + 5];
      x += part * velocity[v] + w1 * r2 - w2 * r1;
      y += part * velocity[v + 1] + w2 * r0 - w0 * r2;
      z += part * velocity[v + 2] + w0 * r1 - w1 * r0;
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
  }

  /** A push sign·p on a side moves the bones. */
  push(side: number, p: Float64Array, sign: number, velocity: Float64Array): void {
    const { bones } = this.#leader[side] as Creature;
    const all = this.#numbers;
    let o = this.#start[side] + bones.length * SHARE;
    const x = sign * p[0];
    const y = sign * p[1];
    const z = sign * p[2];
    for (let n = 0; n < bones.length; n++) {
      const v = bones[n] * TWIST;
      for (let k = v; k < v + TWIST; k++, o += 3) velocity[k] += all[o] * x + all[o + 1] * y + all[o + 2] * z;
    }
  }

  /** The push is noted with the pushes on the bones, which do not move yet. */
  note(side: number, p: Float64Array, sign: number): void {
    const { bones, wrench } = this.#leader[side] as Creature;
    const all = this.#numbers;
    const p0 = sign * p[0];
    const p1 = sign * p[1];
    const p2 = sign * p[2];
    const end = bones.length * TWIST;
    for (let i = 0, o = this.#start[side]; i < end; i += TWIST, o += SHARE) {
      const part = all[o];
      const r0 = all[o + 1];
      const r1 = all[o + 2];
      const r2 = all[o + 3];
      wrench[i] += part * p0;
      wrench[i + 1] += part * p1;
      wrench[i + 2] += part * p2;
      wrench[i + 3] += r1 * p2 - r2 * p1;
      wrench[i + 4] += r2 * p0 - r0 * p2;
      wrench[i + 5] += r0 * p1 - r1 * p0;
    }
  }

  /** w += sign · how one side moves by the bones when another of the same creature is pushed, 9 numbers. */
  addAnswer(side: number, pushed: number, sign: number, w: Float64Array): void {
    const { bones } = this.#leader[side] as Creature;
    const all = this.#numbers;
    let a = this.#start[pushed] + bones.length * SHARE;
    for (let n = 0, o = this.#start[side]; n < bones.length; n++, o += SHARE, a += 3 * TWIST) {
      for (let c = 0; c < 3; c++) {
        const w0 = all[a + 9 + c];
        const w1 = all[a + 12 + c];
        const w2 = all[a + 15 + c];
        w[c] += sign * (all[o] * all[a + c] + w1 * all[o + 3] - w2 * all[o + 2]);
        w[3 + c] += sign * (all[o] * all[a + 3 + c] + w2 * all[o + 1] - w0 * all[o + 3]);
        w[6 + c] += sign * (all[o] * all[a + 6 + c] + w0 * all[o + 2] - w1 * all[o + 1]);
      }
    }
  }
}
