/**
 * Where soft bodies are touched. A side is a point of up to three vertices of one body, with weights. Touched vertices are slots: a push
 * moves the slots of its body alone, through the rows of the inverse table, and one product at the end of a track moves the rest.
 */
import { SlotTables } from './slot-tables.js';
import type { SoftBodies } from './soft-bodies.js';

export { MAX_SLOT_TABLE } from './slot-tables.js';

/** Vertices per side. */
export const CORNERS = 3;
/** Sides of all soft bodies, made anew for each list of contacts. */
export class SoftSides {
  readonly bodies: SoftBodies;
  readonly capacity: number;
  /** Number of sides, as an array of one: it is state too; and the most there have been since they were last saved. */
  readonly counts = new Int32Array(1);
  most: number;
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
  /** How slots answer pushes. */
  readonly tables: SlotTables;
  readonly #mutual = new Float64Array(1);
  /** Velocity [m/s] and impulse [N s] of each slot, 3 per vertex of the world, at the body's first vertex plus slot. */
  readonly velocity: Float64Array;
  readonly impulse: Float64Array;

  constructor(bodies: SoftBodies, capacity: number) {
    this.bodies = bodies;
    this.capacity = capacity;
    this.most = capacity;
    this.body = new Int32Array(capacity);
    this.slot = new Int32Array(capacity * CORNERS);
    this.weight = new Float64Array(capacity * CORNERS);
    this.own = new Float64Array(capacity);
    this.slotCount = new Int32Array(bodies.count);
    this.slotVertex = new Int32Array(bodies.vertexCount);
    this.#slotOf = new Int32Array(bodies.vertexCount).fill(-1);
    this.velocity = new Float64Array(bodies.vertexCount * 3);
    this.impulse = new Float64Array(bodies.vertexCount * 3);
    this.tables = new SlotTables(this);
  }

  /** Where the table of each body's slots begins; where there is no room for it, -1. */
  get tableStart(): Int32Array {
    return this.tables.start;
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
    if (side >= this.most) this.most = side + 1;
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
    this.tables.place();
    for (let side = 0; side < this.count; side++) {
      if (this.bodies.asleep[this.body[side]] === 1) this.own[side] = 0;
      else this.measureOwn(side);
    }
  }

  /** How a side answers a push on itself now. */
  measureOwn(side: number): void {
    this.#measureMutual(side, side);
    this.own[side] = this.#mutual[0];
  }

  /** mutual = how side i moves when side j of the same body is pushed [1/kg]. Returned, it would be boxed. */
  #measureMutual(i: number, j: number): void {
    const s = this.body[i];
    const { size } = this.bodies.models[s];
    const table = this.tables.tableOf(s);
    const first = this.bodies.firstVertex[s];
    let sum = 0;
    for (let a = i * CORNERS; a < i * CORNERS + CORNERS; a++) {
      if (this.weight[a] === 0) continue;
      const row = this.slotVertex[first + this.slot[a]] * size;
      for (let b = j * CORNERS; b < j * CORNERS + CORNERS; b++) {
        sum += this.weight[a] * this.weight[b] * table[row + this.slotVertex[first + this.slot[b]]];
      }
    }
    this.#mutual[0] = sum;
  }

  addOwnBlock(side: number, w: Float64Array): void {
    for (let k = 0; k < 9; k += 4) w[k] += this.own[side];
  }

  /** What two sides of the same body take from each other's opening. */
  addMutualBlock(i: number, j: number, w: Float64Array): void {
    this.#measureMutual(i, j);
    const c = 2 * this.#mutual[0];
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
    out.fill(0, 0, 3);
    for (let a = side * CORNERS; a < side * CORNERS + CORNERS; a++) {
      const at = (first + this.slotVertex[first + this.slot[a]]) * 3;
      for (let k = 0; k < 3; k++) out[k] += this.weight[a] * this.bodies.x[at + k];
    }
  }

  /** An impulse sign·p at a side: all slots of its body answer. */
  push(side: number, p: Float64Array, sign: number): void {
    const s = this.body[side];
    this.addImpulse(side, p, sign, this.impulse);
    for (let a = side * CORNERS; a < side * CORNERS + CORNERS; a++) {
      const w = sign * this.weight[a];
      if (w !== 0) this.tables.answer(s, this.slot[a], w * p[0], w * p[1], w * p[2], this.velocity);
    }
  }

  /** impulses += sign·p at a side, by its slots. */
  addImpulse(side: number, p: Float64Array, sign: number, impulses: Float64Array): void {
    const first = this.bodies.firstVertex[this.body[side]];
    for (let a = side * CORNERS; a < side * CORNERS + CORNERS; a++) {
      const w = sign * this.weight[a];
      const at = (first + this.slot[a]) * 3;
      impulses[at] += w * p[0];
      impulses[at + 1] += w * p[1];
      impulses[at + 2] += w * p[2];
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
