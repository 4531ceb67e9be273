/**
 * The small dense matrices of regions that turn, in the world's memory, where kernels multiply them. With H how regions resist turning and C how
 * their turns push the bones' rows (turning-regions.ts), here are H⁻¹, C, Cᵀ and, in the six unknowns of each bone, B = CᵀJ, H⁻¹B and BᵀH⁻¹B.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { SkylineLdlt, SkylineRoom } from '../../../linalg/skyline-ldlt.js';

/** Columns of the inverse that are solved for at a time. */
const AT_ONCE = 6;

/** Matrices of one body. */
export class RegionMatrices {
  /** Three numbers per region, six per bone, twelve per bone. */
  readonly length: number;
  readonly unknowns: number;
  readonly #rows: number;
  /** H⁻¹, and rows of (H⁻¹B)ᵀ and of Bᵀ, one per unknown of the bones. */
  readonly inverse: Slot<Float64Array>;
  readonly answers: Slot<Float64Array>;
  readonly columns: Slot<Float64Array>;
  /** BᵀH⁻¹B. */
  readonly eased: Slot<Float64Array>;
  /** What turns regions, how they turn, how bones' rows change, and what pushes them. */
  readonly moments: Slot<Float64Array>;
  readonly turns: Slot<Float64Array>;
  readonly change: Slot<Float64Array>;
  readonly push: Slot<Float64Array>;
  readonly #c: Slot<Float64Array>;
  readonly #cTransposed: Slot<Float64Array>;
  readonly #room: SkylineRoom;
  #ldlt!: SkylineLdlt;
  kernels!: KernelTable;

  constructor(plan: MemoryPlan, regionCount: number, boneCount: number) {
    this.length = regionCount * 3;
    this.unknowns = boneCount * 6;
    this.#rows = boneCount * 12;
    this.inverse = plan.f64(this.length * this.length);
    this.answers = plan.f64(this.unknowns * this.length);
    this.columns = plan.f64(this.unknowns * this.length);
    this.eased = plan.f64(this.unknowns * this.unknowns);
    this.moments = plan.f64(this.length);
    this.turns = plan.f64(this.length);
    this.change = plan.f64(this.#rows);
    this.push = plan.f64(this.#rows);
    this.#c = plan.f64(this.#rows * this.length);
    this.#cTransposed = plan.f64(this.#rows * this.length);
    this.#room = new SkylineRoom(plan, this.length);
  }

  /** Takes up the memory once it exists. */
  start(kernels: KernelTable): void {
    this.kernels = kernels;
    this.#room.kernels = kernels;
    this.#ldlt = new SkylineLdlt(new Int32Array(this.length), this.#room);
  }

  /** H before `invert`: entry (row, column) of the lower half is at origin[row] + column. */
  get resisting(): SkylineLdlt {
    return this.#ldlt;
  }

  /** Makes H⁻¹. */
  invert(): void {
    const ldlt = this.#ldlt;
    const { length } = this;
    const { six } = ldlt;
    const inverse = this.inverse.view;
    ldlt.factor();
    ldlt.keep();
    for (let first = 0; first < length; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, length - first);
      six.fill(0);
      for (let k = 0; k < count; k++) six[(first + k) * AT_ONCE + k] = 1;
      ldlt.solveSixKept(first);
      for (let i = 0; i < length; i++) {
        for (let k = 0; k < count; k++) inverse[i * length + first + k] = six[i * AT_ONCE + k];
      }
    }
  }

  /** How the turn of a region pushes a row of the bones: turn × (x, y, z). */
  setArm(row: number, region: number, x: number, y: number, z: number): void {
    this.#setPair(row * 3, region * 3 + 1, z);
    this.#setPair(row * 3, region * 3 + 2, -y);
    this.#setPair(row * 3 + 1, region * 3 + 2, x);
    this.#setPair(row * 3 + 1, region * 3, -z);
    this.#setPair(row * 3 + 2, region * 3, y);
    this.#setPair(row * 3 + 2, region * 3 + 1, -x);
  }

  #setPair(row: number, turn: number, value: number): void {
    this.#c.view[row * this.length + turn] = value;
    this.#cTransposed.view[turn * this.#rows + row] = value;
  }

  /** H⁻¹B and BᵀH⁻¹B, once `columns` are filled. */
  ease(): void {
    const { length, unknowns, inverse, columns, answers, eased } = this;
    const kernels = this.kernels;
    kernels.denseProduct(length, unknowns, length, inverse.address, columns.address, answers.address);
    kernels.denseProduct(unknowns, unknowns, length, columns.address, answers.address, eased.address);
  }

  /** turns = H⁻¹ moments. */
  turn(): void {
    const { length, inverse, moments, turns } = this;
    this.kernels.denseProduct(length, 1, length, inverse.address, moments.address, turns.address);
  }

  /** push = C turns. */
  pushBones(): void {
    const { length, turns, push } = this;
    this.kernels.denseProduct(this.#rows, 1, length, this.#c.address, turns.address, push.address);
  }

  /** turns = Cᵀ change. */
  feelBones(): void {
    const { length, turns, change } = this;
    this.kernels.denseProduct(length, 1, this.#rows, this.#cTransposed.address, change.address, turns.address);
  }
}
