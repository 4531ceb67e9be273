/**
 * How slots answer pushes on each other: the rows and columns of each body's inverse table that belong to its slots, side by side, so that a push walks along them. Of a body that is solved with its bones
 * the slots that those carry do not answer, and the rest does as if they were held.
 */
import type { SoftSides } from './soft-sides.js';

/** Numbers of all tables together: 32 MB. */
export const MAX_SLOT_TABLE = 4 << 20;

/** Tables of slots. */
export class SlotTables {
  readonly #sides: SoftSides;
  readonly #numbers: Float64Array;
  /** 1 for bodies whose rows and columns have been copied in the track at hand. */
  readonly #isGathered: Uint8Array;
  /** Where the table of each body begins; where there is no room for it, -1. */
  readonly start: Int32Array;
  /** How many slots of each body, the first ones, are carried by bones, and the whole table of how the rest answers. */
  readonly carried: Int32Array;
  readonly #held: (Float64Array | undefined)[];
  /** Slots that are pushed. */
  readonly #pushed: Int32Array;

  constructor(sides: SoftSides) {
    const { count, models } = sides.bodies;
    const all = models.reduce((sum, { size }) => sum + size * size, 0);
    this.#sides = sides;
    this.#numbers = new Float64Array(Math.min(all, MAX_SLOT_TABLE));
    this.#isGathered = new Uint8Array(count);
    this.start = new Int32Array(count);
    this.carried = new Int32Array(count);
    this.#held = new Array(count).fill(undefined);
    this.#pushed = new Int32Array(models.reduce((most, { size }) => Math.max(most, size), 0));
  }

  /** From now on the first `count` slots of body s do not answer pushes, and the others do by `table`. */
  hold(s: number, count: number, table: Float64Array): void {
    this.carried[s] = count;
    this.#held[s] = table;
    this.#isGathered[s] = 0;
  }

  /** All slots of body s answer pushes again. */
  release(s: number): void {
    this.carried[s] = 0;
    this.#held[s] = undefined;
    this.#isGathered[s] = 0;
  }

  /** The whole table by which slots of body s answer now. */
  tableOf(s: number): Float64Array {
    return this.#held[s] ?? this.#sides.bodies.tableOf(s).table;
  }

  /** Finds places for the tables of a track. */
  place(): void {
    const { bodies, slotCount } = this.#sides;
    let at = 0;
    this.#isGathered.fill(0);
    for (let s = 0; s < bodies.count; s++) {
      if (bodies.asleep[s] === 1) continue;
      const n = slotCount[s];
      const fits = at + n * n <= this.#numbers.length;
      this.start[s] = fits ? at : -1;
      if (fits) at += n * n;
    }
  }

  #gather(s: number): void {
    const { bodies, slotCount, slotVertex } = this.#sides;
    const { size } = bodies.models[s];
    const table = this.tableOf(s);
    const first = bodies.firstVertex[s];
    const n = slotCount[s];
    const out = this.#numbers;
    let at = this.start[s];
    this.#isGathered[s] = 1;
    for (let i = this.carried[s]; i < n; i++) {
      const row = slotVertex[first + i] * size;
      for (let j = this.carried[s]; j < n; j++) out[at++] = table[row + slotVertex[first + j]];
    }
  }

  /** velocities = how all slots of body s answer these impulses on them. */
  answerAll(s: number, impulses: Float64Array, velocities: Float64Array): void {
    const { bodies, slotCount } = this.#sides;
    const first = bodies.firstVertex[s];
    velocities.fill(0, first * 3, (first + slotCount[s]) * 3);
    let count = 0;
    for (let slot = this.carried[s]; slot < slotCount[s]; slot++) {
      const at = (first + slot) * 3;
      if (impulses[at] !== 0 || impulses[at + 1] !== 0 || impulses[at + 2] !== 0) this.#pushed[count++] = slot;
    }
    let n = 0;
    if (this.start[s] >= 0) for (; n + 3 < count; n += 4) this.#answerFour(s, n, impulses, velocities);
    for (; n < count; n++) {
      const slot = this.#pushed[n];
      const at = (first + slot) * 3;
      this.answer(s, slot, impulses[at], impulses[at + 1], impulses[at + 2], velocities);
    }
  }

  /** velocities += how the slots of body s answer the impulses on four of those pushed: one after the other, but read and written once. */
  #answerFour(s: number, n: number, impulses: Float64Array, velocities: Float64Array): void {
    if (this.#isGathered[s] === 0) this.#gather(s);
    const { bodies, slotCount } = this.#sides;
    const carried = this.carried[s];
    const count = slotCount[s] - carried;
    const first = bodies.firstVertex[s];
    const table = this.#numbers;
    const p = this.#pushed[n];
    const q = this.#pushed[n + 1];
    const r = this.#pushed[n + 2];
    const t = this.#pushed[n + 3];
    const a = (first + p) * 3;
    const b = (first + q) * 3;
    const c = (first + r) * 3;
    const d = (first + t) * 3;
    const a0 = impulses[a];
    const a1 = impulses[a + 1];
    const a2 = impulses[a + 2];
    const b0 = impulses[b];
    const b1 = impulses[b + 1];
    const b2 = impulses[b + 2];
    const c0 = impulses[c];
    const c1 = impulses[c + 1];
    const c2 = impulses[c + 2];
    const d0 = impulses[d];
    const d1 = impulses[d + 1];
    const d2 = impulses[d + 2];
    const start = this.start[s];
    let i = start + (p - carried) * count;
    const next = (q - p) * count;
    const third = (r - p) * count;
    const last = (t - p) * count;
    const end = i + count;
    for (let to = (first + carried) * 3; i < end; i++, to += 3) {
      const e = table[i];
      const f = table[i + next];
      const g = table[i + third];
      const h = table[i + last];
      velocities[to] = velocities[to] + e * a0 + f * b0 + g * c0 + h * d0;
      velocities[to + 1] = velocities[to + 1] + e * a1 + f * b1 + g * c1 + h * d1;
      velocities[to + 2] = velocities[to + 2] + e * a2 + f * b2 + g * c2 + h * d2;
    }
  }

  /** velocities += how the slots of body s answer an impulse on one of them. */
  answer(s: number, slot: number, p0: number, p1: number, p2: number, velocities: Float64Array): void {
    const { bodies, slotCount } = this.#sides;
    const carried = this.carried[s];
    if (slot < carried) return;
    if (this.start[s] < 0) {
      this.#answerByTable(s, slot, p0, p1, p2, velocities);
      return;
    }
    if (this.#isGathered[s] === 0) this.#gather(s);
    const n = slotCount[s] - carried;
    const table = this.#numbers;
    const row = this.start[s] + (slot - carried) * n;
    let to = (bodies.firstVertex[s] + carried) * 3;
    for (let j = row; j < row + n; j++, to += 3) {
      const c = table[j];
      velocities[to] += c * p0;
      velocities[to + 1] += c * p1;
      velocities[to + 2] += c * p2;
    }
  }

  /** The same from the whole table, where the slots have none of their own. */
  #answerByTable(s: number, slot: number, p0: number, p1: number, p2: number, velocities: Float64Array): void {
    const { bodies, slotCount, slotVertex } = this.#sides;
    const { size } = bodies.models[s];
    const table = this.tableOf(s);
    const first = bodies.firstVertex[s];
    const row = slotVertex[first + slot] * size;
    for (let j = first + this.carried[s]; j < first + slotCount[s]; j++) {
      const c = table[row + slotVertex[j]];
      velocities[j * 3] += c * p0;
      velocities[j * 3 + 1] += c * p1;
      velocities[j * 3 + 2] += c * p2;
    }
  }
}
