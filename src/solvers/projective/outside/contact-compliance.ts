/**
 * How far surface vertices move when one of them is pushed, with the solver's constant matrix: with the bones where they are, by
 * W = wᵀ A_ff⁻¹ w, and with the bones, by q. For a vertex of flesh that is a column of A_ff⁻¹, one third of a triangular
 * solve (three columns per solve).
 *
 *     u = A_ff⁻¹ w_f        W_ij = w_iᵀ u_j        q = w_b − A_bf u
 *
 * A push on flesh between bones fades within a few centimetres, and what reaches far goes through the bones, or moves a whole
 * region alike, such as a head without a bone. So of each column the means over regions of the surface are kept, and the entries that
 * differ from them. They are kept for good: every vertex costs a solve once, when it first touches something.
 */
import type { Model } from '../../../body/model.js';
import type { ConstantMatrix } from '../constant-matrix.js';
import { SurfaceRegions } from './surface-regions.js';
import { LANES, type UnitPushes } from './unit-pushes.js';

/**
 * Entries that differ from the mean of their region by less than this share of what the column's own differs by are left out. A
 * share of the whole would leave nothing of a stiff body, which moves nearly alike everywhere and shares a load by the difference.
 */
const NEGLIGIBLE = 0.01;
/** Differences below this share of the column's own are rounding. */
const ROUNDING = 1e-6;
/** Means below this share of the column's own are left out. */
const NEGLIGIBLE_MEAN = 0.002;
/** Most entries kept of a column. */
const MOST_ENTRIES = 256;

/** Columns of the compliance for the vertices of a model's surface; shared by its bodies. */
export class ContactCompliance {
  /** Entries of the column of surface vertex i: `count[i]` from `start(i)` on; -1 for a column not made yet. */
  readonly count: Int32Array;
  readonly #width: number;
  readonly #others: Int32Array;
  readonly #values: Float32Array;
  /** q of each surface vertex: four numbers per bone, three per region that can turn. */
  readonly #q: Float32Array;
  readonly #bones: number;
  readonly #pushes: UnitPushes;
  readonly #vertices: Int32Array;
  readonly regions: SurfaceRegions;
  /** Mean of each region for each column; 0 where it was left out. */
  readonly #means: Float32Array;
  /** Vertices that may be kept of a column, and what their entries are beyond the mean. */
  readonly #listed: Int32Array;
  readonly #rests: Float64Array;
  readonly #pending = new Int32Array(LANES);
  readonly #pushed = new Int32Array(LANES);
  #pendingCount = 0;
  /** Factorisation the columns belong to. */
  #version = -1;

  /** `vertices`: those of the surface. */
  constructor(model: Model, pushes: UnitPushes, vertices: Int32Array) {
    this.#pushes = pushes;
    this.#vertices = vertices;
    this.#bones = model.bones.count * 4;
    this.#width = Math.min(MOST_ENTRIES, vertices.length);
    this.#listed = new Int32Array(vertices.length);
    this.#rests = new Float64Array(vertices.length);
    this.count = new Int32Array(vertices.length).fill(-1);
    this.#others = new Int32Array(vertices.length * this.#width);
    this.#values = new Float32Array(vertices.length * this.#width);
    this.#q = new Float32Array(vertices.length * pushes.width);
    this.regions = new SurfaceRegions(model, vertices);
    this.#means = new Float32Array(vertices.length * this.regions.count);
  }

  /** Takes up a new factorisation: nothing that is known holds any more. */
  useMatrix({ version }: ConstantMatrix): void {
    if (version === this.#version) return;
    this.#version = version;
    this.count.fill(-1);
    this.#pendingCount = 0;
  }

  /** Asks for the column of a surface vertex. Uses the solver's right-hand side, which is left empty. */
  want(surface: number): void {
    if (this.count[surface] >= 0) return;
    // marked at once, so that a vertex is not asked for twice
    this.count[surface] = 0;
    this.#pending[this.#pendingCount++] = surface;
    if (this.#pendingCount === LANES) this.solveWanted();
  }

  /** First entry of the column of a surface vertex. */
  start(surface: number): number {
    return surface * this.#width;
  }

  /** Surface vertex an entry belongs to, and how far that moves when the column's vertex is pushed [m/N]. */
  otherOf(entry: number): number {
    return this.#others[entry];
  }

  valueOf(entry: number): number {
    return this.#values[entry];
  }

  /** Regions the surface is divided into, and the one a surface vertex belongs to. */
  get regionCount(): number {
    return this.regions.count;
  }

  regionOf(surface: number): number {
    return this.regions.of[surface];
  }

  /** How far a region as a whole moves when the column's vertex is pushed; its entries come on top of it [m/N]. */
  meanOf(surface: number, region: number): number {
    return this.#means[surface * this.regions.count + region];
  }

  /** Adds q of a prepared surface vertex: how it moves with the four rows of a bone's transform. */
  addWithBone(surface: number, bone: number, weight: number, out: Float64Array): void {
    const from = surface * this.#pushes.width + bone * 4;
    for (let i = 0; i < 4; i++) out[i] += weight * this.#q[from + i];
  }

  /** The same for the three rows of a region that can turn. */
  addWithRegion(surface: number, region: number, weight: number, out: Float64Array): void {
    const from = surface * this.#pushes.width + this.#bones + region * 3;
    for (let i = 0; i < 3; i++) out[i] += weight * this.#q[from + i];
  }

  /** Makes the columns asked for, up to three by one solve. */
  solveWanted(): void {
    const count = this.#pendingCount;
    if (count === 0) return;
    for (let lane = 0; lane < count; lane++) this.#pushed[lane] = this.#vertices[this.#pending[lane]];
    this.#pushes.push(this.#pushed, count);
    const { width } = this.#pushes;
    for (let lane = 0; lane < count; lane++) {
      const to = this.#pending[lane] * width;
      for (let i = 0; i < width; i++) this.#q[to + i] = this.#pushes.q[lane * width + i];
      this.#keep(this.#pending[lane], lane);
    }
    this.#pushes.clear();
    this.#pendingCount = 0;
  }

  /** Keeps the entries of a solved column that matter; where they are too many, the largest. */
  #keep(surface: number, lane: number): void {
    const means = surface * this.regions.count;
    this.#means.fill(0, means, means + this.regions.count);
    if (!this.#pushes.isFlesh(this.#vertices[surface])) return;
    const own = this.#pushes.valueAt(this.#vertices[surface], lane);
    this.#findMeans(means, own, lane);
    // where there is room for all entries, all are kept
    const aside = this.#width === this.#vertices.length ? 0 : own - this.#means[means + this.regions.of[surface]];
    let least = Math.max(NEGLIGIBLE * Math.abs(aside), ROUNDING * own);
    let count = this.#listAbove(least, means, lane);
    while (count > this.#width) {
      least *= 1.3;
      count = this.#leaveAbove(least, count);
    }
    const first = surface * this.#width;
    for (let n = 0; n < count; n++) {
      this.#others[first + n] = this.#listed[n];
      this.#values[first + n] = this.#rests[n];
    }
    this.count[surface] = count;
  }

  /** Lists the vertices whose entry differs from the mean of its region by more than `least`; returns how many. */
  #listAbove(least: number, means: number, lane: number): number {
    let count = 0;
    for (let other = 0; other < this.#vertices.length; other++) {
      const rest = this.#pushes.valueAt(this.#vertices[other], lane) - this.#means[means + this.regions.of[other]];
      if (!(Math.abs(rest) > least)) continue;
      this.#listed[count] = other;
      this.#rests[count++] = rest;
    }
    return count;
  }

  /** Leaves only those of the first `count` listed that differ by more than `least`; returns how many. */
  #leaveAbove(least: number, count: number): number {
    let left = 0;
    for (let n = 0; n < count; n++) {
      if (!(Math.abs(this.#rests[n]) > least)) continue;
      this.#listed[left] = this.#listed[n];
      this.#rests[left++] = this.#rests[n];
    }
    return left;
  }

  /** Means of a solved column over the regions, to #means[to..). */
  #findMeans(to: number, own: number, lane: number): void {
    const { of, sizes, count, loose } = this.regions;
    for (let other = 0; other < of.length; other++) {
      this.#means[to + of[other]] += this.#pushes.valueAt(this.#vertices[other], lane) / sizes[of[other]];
    }
    for (let region = 0; region < count; region++) {
      if (region === loose || this.#means[to + region] < NEGLIGIBLE_MEAN * own) this.#means[to + region] = 0;
    }
  }
}
