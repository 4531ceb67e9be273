/**
 * Outside forces on the vertices of a rigid body: hundreds of thousands in a pile, and nearly always nothing. A step looks for one that is not, by a kernel, and
 * goes back to nothing without having made a copy of it.
 */
import type { StateKeeper } from '../../body/state-backup.js';
import type { KernelTable } from '../../kernels/kernel-table.js';

/** Remembers forces, of which most are nothing. */
export class ForceKeeper implements StateKeeper {
  readonly arrays: readonly Float64Array[];
  readonly #forces: Float64Array;
  readonly #copy: Float64Array;
  readonly #kernels: KernelTable;
  #wasNothing = false;

  constructor(forces: Float64Array, kernels: KernelTable) {
    this.arrays = [forces];
    this.#forces = forces;
    this.#copy = new Float64Array(forces.length);
    this.#kernels = kernels;
  }

  /** First vertex that a force may act on; as many as there are where none does. */
  findFirst(): number {
    const { length, byteOffset } = this.#forces;
    return Math.floor(this.#kernels.firstNonzero(length, byteOffset) / 3);
  }

  save(): void {
    this.#wasNothing = this.findFirst() * 3 === this.#forces.length;
    if (!this.#wasNothing) this.#copy.set(this.#forces);
  }

  restore(): void {
    if (this.#wasNothing) this.#forces.fill(0);
    else this.#forces.set(this.#copy);
  }
}
