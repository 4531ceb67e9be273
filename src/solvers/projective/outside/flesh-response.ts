/**
 * How contact sides of one body move each other through the flesh, the bones held where they are, the same in all three
 * directions: whole regions of the surface that move alike, and a sparse matrix between sides for what differs from that. Made anew for
 * the sides of every step. Lies in the world's memory, where the kernel `solveContacts` pushes sides.
 */
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';

/** Vertices per side. */
const SHARES = 4;
/** Most entries of one row, and the room there is for it: entries may be added to a row later. */
const ROW_ENTRIES = 256;

/** W of one body in one step, row by row. */
export class FleshResponse {
  /** Entries in all. */
  entryCount = 0;
  #starts!: Int32Array;
  #ends!: Int32Array;
  #sides!: Int32Array;
  #values!: Float32Array;
  /** The row being made, one number per side, and which of them are not zero. */
  readonly #row: Float64Array;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  /** Regions of each side's vertices and their weights, 4 per side. */
  #regionOf!: Int32Array;
  #shares!: Float64Array;
  /** How far each region moves when a side is pushed, one row per side; and how far each has moved [m]. */
  #regionRows!: Float32Array;
  /** The regions of each row that are not zero. */
  #regionLists!: Int32Array;
  #regionListed!: Int32Array;
  #moved!: Float64Array;
  readonly #regionCount: number;
  readonly #planned: {
    readonly starts: Slot<Int32Array>;
    readonly ends: Slot<Int32Array>;
    readonly sides: Slot<Int32Array>;
    readonly values: Slot<Float32Array>;
    readonly regionOf: Slot<Int32Array>;
    readonly shares: Slot<Float64Array>;
    readonly regionRows: Slot<Float32Array>;
    readonly regionLists: Slot<Int32Array>;
    readonly regionListed: Slot<Int32Array>;
    readonly moved: Slot<Float64Array>;
  };

  constructor(plan: MemoryPlan, sideCapacity: number, regionCount: number) {
    this.#regionCount = regionCount;
    this.#planned = {
      starts: plan.i32(sideCapacity),
      ends: plan.i32(sideCapacity),
      sides: plan.i32(sideCapacity * ROW_ENTRIES),
      values: plan.f32(sideCapacity * ROW_ENTRIES),
      regionOf: plan.i32(sideCapacity * SHARES),
      shares: plan.f64(sideCapacity * SHARES),
      regionRows: plan.f32(sideCapacity * regionCount),
      regionLists: plan.i32(sideCapacity * regionCount),
      regionListed: plan.i32(sideCapacity),
      moved: plan.f64(regionCount * 3),
    };
    this.#row = new Float64Array(sideCapacity);
    this.#touched = new Int32Array(sideCapacity);
  }

  /** Takes up the memory once it exists. */
  start(): void {
    const { starts, ends, sides, values, regionOf, shares, regionRows, regionLists, regionListed, moved } =
      this.#planned;
    this.#starts = starts.view;
    this.#ends = ends.view;
    this.#sides = sides.view;
    this.#values = values.view;
    this.#regionOf = regionOf.view;
    this.#shares = shares.view;
    this.#regionRows = regionRows.view;
    this.#regionLists = regionLists.view;
    this.#regionListed = regionListed.view;
    this.#moved = moved.view;
  }

  /** Where all of it is, for assembly/contact-sides.ts. */
  get words(): number[] {
    const { starts, ends, sides, values, regionOf, shares, regionRows, regionLists, regionListed, moved } =
      this.#planned;
    const slots = [starts, ends, sides, values, regionOf, shares, regionRows, regionLists, regionListed, moved];
    return [...slots.map(({ address }) => address), this.#regionCount];
  }

  /** Starts over with empty rows for this many sides. */
  clear(sides: number): void {
    this.entryCount = 0;
    this.#starts.fill(0, 0, sides);
    this.#ends.fill(0, 0, sides);
    this.#regionListed.fill(0, 0, sides);
  }

  /** Vertex k (0..3) of side i lies in this region and has this weight. */
  setRegion(i: number, k: number, region: number, weight: number): void {
    this.#regionOf[i * SHARES + k] = region;
    this.#shares[i * SHARES + k] = weight;
  }

  /** Begins the row of side i. */
  beginRow(i: number): void {
    this.#starts[i] = this.#ends[i] = i * ROW_ENTRIES;
    this.#regionRows.fill(0, i * this.#regionCount, (i + 1) * this.#regionCount);
  }

  /** Adds to how far a region moves when side i is pushed. */
  addRegion(i: number, region: number, value: number): void {
    this.#regionRows[i * this.#regionCount + region] += value;
  }

  /** The sides' positions have been read anew: regions have not moved since. */
  settle(): void {
    this.#moved.fill(0);
  }

  /** out += how far the regions of side i have moved it. */
  addPosition(i: number, out: Float64Array): void {
    for (let s = i * SHARES; s < (i + 1) * SHARES; s++) {
      const share = this.#shares[s];
      if (share === 0) continue;
      const o = this.#regionOf[s] * 3;
      for (let k = 0; k < 3; k++) out[k] += share * this.#moved[o + k];
    }
  }

  /** Adds to entry `side` of the row being made. */
  add(side: number, value: number): void {
    if (this.#row[side] === 0) this.#touched[this.#touchedCount++] = side;
    this.#row[side] += value;
  }

  /** Ends row `i`; what does not fit is left out, all but its own entry. */
  endRow(i: number): void {
    const own = this.#row[i];
    if (own !== 0) this.append(i, i, own);
    for (let n = 0; n < this.#touchedCount; n++) {
      const side = this.#touched[n];
      const value = this.#row[side];
      this.#row[side] = 0;
      if (side !== i && value !== 0) this.append(i, side, value);
    }
    this.#touchedCount = 0;
    this.#regionListed[i] = 0;
    for (let region = 0; region < this.#regionCount; region++) {
      const row = i * this.#regionCount;
      if (this.#regionRows[row + region] !== 0) this.#regionLists[row + this.#regionListed[i]++] = region;
    }
  }

  /** Whether side i has a row. */
  hasRow(i: number): boolean {
    return this.#ends[i] > this.#starts[i];
  }

  /** Adds an entry to row i, on top of what the row has for that side already; where there is no room it is left out. */
  append(i: number, side: number, value: number): void {
    const at = this.#ends[i];
    if (at - this.#starts[i] === ROW_ENTRIES) return;
    this.#sides[at] = side;
    this.#values[at] = value;
    this.#ends[i] = at + 1;
    this.entryCount++;
  }

  /** positions (3 per side) += W times a force on side i; `sign`: 1, or -1 for its reaction. What the kernel does, as its specification. */
  push(i: number, force: Float64Array, sign: number, positions: Float64Array): void {
    const x = sign * force[0];
    const y = sign * force[1];
    const z = sign * force[2];
    const sides = this.#sides;
    const values = this.#values;
    const end = this.#ends[i];
    for (let e = this.#starts[i]; e < end; e++) {
      const o = sides[e] * 3;
      const w = values[e];
      positions[o] += w * x;
      positions[o + 1] += w * y;
      positions[o + 2] += w * z;
    }
    const row = i * this.#regionCount;
    const lists = this.#regionLists;
    const rows = this.#regionRows;
    const moved = this.#moved;
    const last = row + this.#regionListed[i];
    for (let n = row; n < last; n++) {
      const region = lists[n];
      const w = rows[row + region];
      moved[region * 3] += w * x;
      moved[region * 3 + 1] += w * y;
      moved[region * 3 + 2] += w * z;
    }
  }

  /** How far side j moves when side i is pushed [m/N]. */
  between(i: number, j: number): number {
    let sum = 0;
    for (let s = j * SHARES; s < (j + 1) * SHARES; s++) {
      if (this.#shares[s] !== 0) sum += this.#shares[s] * this.#regionRows[i * this.#regionCount + this.#regionOf[s]];
    }
    for (let e = this.#starts[i]; e < this.#ends[i]; e++) if (this.#sides[e] === j) sum += this.#values[e];
    return sum;
  }
}
