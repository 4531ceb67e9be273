/**
 * Outside forces on the vertices of a rigid body: hundreds of thousands in a pile, and nearly always nothing. While nobody has asked for the array nobody can have written to it, and a step
 * does not look; from then on it looks for one that is not nothing, by a kernel, and goes back to nothing without having made a copy of it.
 */
import type { StateKeeper } from '../../body/state-backup.js';
import type { KernelTable } from '../../kernels/kernel-table.js';

/** Remembers forces, of which most are nothing. */
export class ForceKeeper implements StateKeeper {
  readonly arrays: readonly Float64Array[];
  readonly #forces: Float64Array;
  readonly #copy: Float64Array;
  readonly #kernels: KernelTable;
  /** Whether anybody may have written to the array. */
  #isAsked = false;
  #wasNothing = false;

  constructor(forces: Float64Array, kernels: KernelTable) {
    this.arrays = [forces];
    this.#forces = forces;
    this.#copy = new Float64Array(forces.length);
    this.#kernels = kernels;
  }

  /** The array, for somebody who may keep it and write to it at any time. */
  get forces(): Float64Array {
    this.#isAsked = true;
    return this.#forces;
  }

  /** The array was written to as a whole, as part of a snapshot. */
  written(): void {
    this.#isAsked ||= this.#find() * 3 < this.#forces.length;
  }

  clear(): void {
    this.#forces.fill(0);
  }

  /** First vertex that a force may act on; as many as there are where none does. */
  findFirst(): number {
    return this.#isAsked ? this.#find() : this.#forces.length / 3;
  }

  #find(): number {
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
