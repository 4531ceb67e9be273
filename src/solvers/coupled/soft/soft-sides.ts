/**
 * Where soft bodies are touched. A side is a point of up to three vertices of one body, with weights. Touched vertices are slots: a push
 * moves the slots of its body alone, through the rows of the inverse table, and one product at the end of a track moves the rest.
 */
import type { SoftBodies } from './soft-bodies.js';

/** Vertices per side. */
export const CORNERS = 3;
/** Numbers of all tables of slots together: 32 MB. */
export const MAX_SLOT_TABLE = 4 << 20;

/** Sides of all soft bodies, made anew for each list of contacts. */
export class SoftSides {
  readonly bodies: SoftBodies;
  readonly capacity: number;
  /** Number of sides, as an array of one: it is state too. */
  readonly counts = new Int32Array(1);
  readonly body: Int32Array;
  /** Slots (numbered within the body) and weights of each side's corners. */
  readonly slot: Int32Array;
  readonly weight: Float64Array;
  /** How a side answers a push on itself [1/kg]. */
  readonly own: Float64Array;
  /** Slots of each body; vertex of each slot, from the body's first vertex on; slot of each vertex, -1 without. */
  readonly slotCount: Int32Array;
  readonly slotVertex: Int32Array;
  readonly #slotOf: Int32Array;
  /** The rows and columns of each body's inverse table that belong to its slots, side by side; where there is no room for them, -1. */
  readonly #slotTable: Float64Array;
  /** 1 for bodies whose rows and columns have been copied in the track at hand. */
  readonly #isGathered: Uint8Array;
  readonly tableStart: Int32Array;
  /** Velocity [m/s] and impulse [N s] of each slot, 3 per vertex of the world, at the body's first vertex plus slot. */
  readonly velocity: Float64Array;
  readonly impulse: Float64Array;

  constructor(bodies: SoftBodies, capacity: number) {
    this.bodies = bodies;
    this.capacity = capacity;
    this.body = new Int32Array(capacity);
    this.slot = new Int32Array(capacity * CORNERS);
    this.weight = new Float64Array(capacity * CORNERS);
    this.own = new Float64Array(capacity);
    this.slotCount = new Int32Array(bodies.count);
    this.slotVertex = new Int32Array(bodies.vertexCount);
    this.#slotOf = new Int32Array(bodies.vertexCount).fill(-1);
    this.velocity = new Float64Array(bodies.vertexCount * 3);
    this.impulse = new Float64Array(bodies.vertexCount * 3);
    const all = bodies.models.reduce((sum, { size }) => sum + size * size, 0);
    this.#slotTable = new Float64Array(Math.min(all, MAX_SLOT_TABLE));
    this.tableStart = new Int32Array(bodies.count);
    this.#isGathered = new Uint8Array(bodies.count);
  }

  get count(): number {
    return this.counts[0];
  }

  /** Everything that the next step reads, for snapshots. */
  get arrays(): readonly (Float64Array | Int32Array)[] {
    return [this.counts, ...this.listed, this.slotCount, this.slotVertex, this.#slotOf];
  }

  /** Of these, what has numbers for every side. */
  get listed(): readonly (Float64Array | Int32Array)[] {
    return [this.body, this.slot, this.weight];
  }

  clear(): void {
    const { firstVertex } = this.bodies;
    for (let s = 0; s < this.bodies.count; s++) {
      for (let j = 0; j < this.slotCount[s]; j++)
        this.#slotOf[firstVertex[s] + this.slotVertex[firstVertex[s] + j]] = -1;
      this.slotCount[s] = 0;
    }
    this.counts[0] = 0;
  }

  /** A side at vertices of body s (its own numbering); -1 where there is no room. */
  add(s: number, v0: number, v1: number, v2: number, w0: number, w1: number, w2: number): number {
    if (this.count === this.capacity) return -1;
    const side = this.counts[0]++;
    const o = side * CORNERS;
    this.body[side] = s;
    this.slot[o] = this.#slotFor(s, v0);
    this.slot[o + 1] = w1 === 0 ? this.slot[o] : this.#slotFor(s, v1);
    this.slot[o + 2] = w2 === 0 ? this.slot[o] : this.#slotFor(s, v2);
    this.weight[o] = w0;
    this.weight[o + 1] = w1;
    this.weight[o + 2] = w2;
    return side;
  }

  #slotFor(s: number, vertex: number): number {
    const first = this.bodies.firstVertex[s];
    const known = this.#slotOf[first + vertex];
    if (known >= 0) return known;
    const slot = this.slotCount[s]++;
    this.#slotOf[first + vertex] = slot;
    this.slotVertex[first + slot] = vertex;
    return slot;
  }

  /** Readies the sides for a track: slots take the velocities of their vertices, no impulses yet. */
  begin(velocities: Float64Array): void {
    const { firstVertex } = this.bodies;
    for (let s = 0; s < this.bodies.count; s++) {
      const first = firstVertex[s];
      if (this.bodies.asleep[s] === 1) {
        this.velocity.fill(0, first * 3, (first + this.slotCount[s]) * 3);
        continue;
      }
      for (let j = 0; j < this.slotCount[s]; j++) {
        const at = (first + j) * 3;
        const from = (first + this.slotVertex[first + j]) * 3;
        for (let k = 0; k < 3; k++) {
          this.velocity[at + k] = velocities[from + k];
          this.impulse[at + k] = 0;
        }
      }
    }
    this.placeTables();
    for (let side = 0; side < this.count; side++) {
      this.own[side] = this.bodies.asleep[this.body[side]] === 1 ? 0 : this.#mutual(side, side);
    }
  }

  /** Finds places for what the slots of each body have of its table. */
  placeTables(): void {
    let at = 0;
    this.#isGathered.fill(0);
    for (let s = 0; s < this.bodies.count; s++) {
      if (this.bodies.asleep[s] === 1) continue;
      const n = this.slotCount[s];
      const fits = at + n * n <= this.#slotTable.length;
      this.tableStart[s] = fits ? at : -1;
      if (fits) at += n * n;
    }
  }

  /** Copies that of body s, so that a push walks along it. */
  #gatherTable(s: number): void {
    const { table, size } = this.bodies.tableOf(s);
    const first = this.bodies.firstVertex[s];
    const n = this.slotCount[s];
    const out = this.#slotTable;
    let at = this.tableStart[s];
    this.#isGathered[s] = 1;
    for (let i = 0; i < n; i++) {
      const row = this.slotVertex[first + i] * size;
      for (let j = 0; j < n; j++) out[at++] = table[row + this.slotVertex[first + j]];
    }
  }

  /** How side i moves when side j of the same body is pushed [1/kg]. */
  #mutual(i: number, j: number): number {
    const s = this.body[i];
    const { table, size } = this.bodies.tableOf(s);
    const first = this.bodies.firstVertex[s];
    let sum = 0;
    for (let a = i * CORNERS; a < i * CORNERS + CORNERS; a++) {
      if (this.weight[a] === 0) continue;
      const row = this.slotVertex[first + this.slot[a]] * size;
      for (let b = j * CORNERS; b < j * CORNERS + CORNERS; b++) {
        sum += this.weight[a] * this.weight[b] * table[row + this.slotVertex[first + this.slot[b]]];
      }
    }
    return sum;
  }

  addOwnBlock(side: number, w: Float64Array): void {
    for (let k = 0; k < 9; k += 4) w[k] += this.own[side];
  }

  /** What two sides of the same body take from each other's opening. */
  addMutualBlock(i: number, j: number, w: Float64Array): void {
    const c = 2 * this.#mutual(i, j);
    for (let k = 0; k < 9; k += 4) w[k] -= c;
  }

  /** out = velocity of a side [m/s], where slots have these velocities. */
  velocityOf(side: number, velocity: Float64Array, out: Float64Array): void {
    const first = this.bodies.firstVertex[this.body[side]];
    const o = side * CORNERS;
    const { weight, slot } = this;
    const a = (first + slot[o]) * 3;
    const b = (first + slot[o + 1]) * 3;
    const c = (first + slot[o + 2]) * 3;
    for (let k = 0; k < 3; k++) {
      out[k] = weight[o] * velocity[a + k] + weight[o + 1] * velocity[b + k] + weight[o + 2] * velocity[c + k];
    }
  }

  /** out = where a side is [m]. */
  placeOf(side: number, out: Float64Array): void {
    const first = this.bodies.firstVertex[this.body[side]];
    const o = side * CORNERS;
    out.fill(0, 0, 3);
    for (let a = o; a < o + CORNERS; a++) {
      const at = (first + this.slotVertex[first + this.slot[a]]) * 3;
      for (let k = 0; k < 3; k++) out[k] += this.weight[a] * this.bodies.x[at + k];
    }
  }

  /** An impulse sign·p at a side: all slots of its body answer. */
  push(side: number, p: Float64Array, sign: number): void {
    const s = this.body[side];
    const o = side * CORNERS;
    this.addImpulse(side, p, sign, this.impulse);
    for (let a = 0; a < CORNERS; a++) {
      const w = sign * this.weight[o + a];
      if (w !== 0) this.#answer(s, this.slot[o + a], w * p[0], w * p[1], w * p[2], this.velocity);
    }
  }

  /** impulses += sign·p at a side, by its slots. */
  addImpulse(side: number, p: Float64Array, sign: number, impulses: Float64Array): void {
    const first = this.bodies.firstVertex[this.body[side]];
    const o = side * CORNERS;
    for (let a = 0; a < CORNERS; a++) {
      const w = sign * this.weight[o + a];
      const at = (first + this.slot[o + a]) * 3;
      impulses[at] += w * p[0];
      impulses[at + 1] += w * p[1];
      impulses[at + 2] += w * p[2];
    }
  }

  /** velocities = how all slots of body s answer these impulses on them. */
  answerAll(s: number, impulses: Float64Array, velocities: Float64Array): void {
    const first = this.bodies.firstVertex[s];
    velocities.fill(0, first * 3, (first + this.slotCount[s]) * 3);
    for (let slot = 0; slot < this.slotCount[s]; slot++) {
      const at = (first + slot) * 3;
      const p0 = impulses[at];
      const p1 = impulses[at + 1];
      const p2 = impulses[at + 2];
      if (p0 !== 0 || p1 !== 0 || p2 !== 0) this.#answer(s, slot, p0, p1, p2, velocities);
    }
  }

  /** velocities += how the slots of body s answer an impulse on one of them. */
  #answer(s: number, slot: number, p0: number, p1: number, p2: number, velocities: Float64Array): void {
    const n = this.slotCount[s];
    const first = this.bodies.firstVertex[s];
    const start = this.tableStart[s];
    if (start < 0) {
      this.#answerByTable(s, slot, p0, p1, p2, velocities);
      return;
    }
    if (this.#isGathered[s] === 0) this.#gatherTable(s);
    const table = this.#slotTable;
    const row = start + slot * n;
    let to = first * 3;
    for (let j = row; j < row + n; j++, to += 3) {
      const c = table[j];
      velocities[to] += c * p0;
      velocities[to + 1] += c * p1;
      velocities[to + 2] += c * p2;
    }
  }

  /** The same from the whole table, where the slots have none of their own. */
  #answerByTable(s: number, slot: number, p0: number, p1: number, p2: number, velocities: Float64Array): void {
    const { table, size } = this.bodies.tableOf(s);
    const first = this.bodies.firstVertex[s];
    const row = this.slotVertex[first + slot] * size;
    for (let j = first; j < first + this.slotCount[s]; j++) {
      const c = table[row + this.slotVertex[j]];
      velocities[j * 3] += c * p0;
      velocities[j * 3 + 1] += c * p1;
      velocities[j * 3 + 2] += c * p2;
    }
  }

  /** Moves all vertices of all bodies as the impulses on their slots want. */
  finish(velocities: Float64Array): void {
    const { firstVertex } = this.bodies;
    for (let s = 0; s < this.bodies.count; s++) {
      if (this.bodies.asleep[s] === 1) continue;
      const { table, size } = this.bodies.tableOf(s);
      const first = firstVertex[s];
      for (let j = 0; j < this.slotCount[s]; j++) {
        const at = (first + j) * 3;
        const p0 = this.impulse[at];
        const p1 = this.impulse[at + 1];
        const p2 = this.impulse[at + 2];
        if (p0 === 0 && p1 === 0 && p2 === 0) continue;
        const row = this.slotVertex[first + j] * size;
        for (let v = 0; v < size; v++) {
          const c = table[row + v];
          const to = (first + v) * 3;
          velocities[to] += c * p0;
          velocities[to + 1] += c * p1;
          velocities[to + 2] += c * p2;
        }
      }
    }
  }
}
