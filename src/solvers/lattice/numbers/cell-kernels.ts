/**
 * Cells in quads and the vectors over their nodes by compiled kernels, on any number of threads with the same bits: what a body
 * (kernel-arithmetic.ts) and a part of one (patch-kernels.ts) have in common. Vectors in f32, sums in f64.
 */
import { LATTICE_OWN_BYTES } from '../../../kernels/kernel-table.js';
import type { Slot } from '../../../kernels/memory.js';
import type { Cut, RangeRunner } from '../../../kernels/range-runner.js';
import type { DescentArithmetic, Vector } from './arithmetic.js';

/** Where cells and nodes are. */
export interface CellMemory {
  readonly runner: RangeRunner;
  readonly rows: Slot<Int32Array>;
  readonly loose: Slot<Int32Array>;
  readonly moduli: Slot<Float32Array>;
  readonly rotations: Slot<Float32Array>;
  /** Inverse of the Laplacian's diagonal, zero at held nodes. */
  readonly inverse: Slot<Float32Array>;
  /** What the Laplacian has beside its cells; undefined for nothing. */
  readonly shift: Slot<Float32Array> | undefined;
  /** Law of the cells, then two numbers of the operation at hand. */
  readonly numbers: Slot<Float32Array>;
  /** Memory of each part of a job, and a sum of each chunk. */
  readonly own: Slot<Float64Array>;
  readonly sums: Slot<Float64Array>;
}

/** How jobs are cut: cells by slabs, even ones, odd ones, and what lies loose, each free of conflicts within itself. */
export interface CellCuts {
  readonly slabs: readonly Cut[];
  readonly quads: Cut;
  readonly flat: Cut;
  readonly chunks: Cut;
}

/** What is shorter is not worth telling other threads of: quads and rows of four of a vector, and chunks of rows. */
export const LEAST_QUADS = 1024;
export const LEAST_ROWS = 4096;
export const LEAST_CHUNKS = 4;

/** A kernel over cells that adds to a vector. */
type CellKernel = 'latticeElastic' | 'latticeLaplacian' | 'latticeStiffness';

/** Operations on cells. */
export abstract class CellKernels implements DescentArithmetic {
  readonly rounding = 1e-7;
  protected readonly memory: CellMemory;
  protected readonly cuts: CellCuts;
  /** Groups of cells in quads; the loose ones come after them. */
  protected quadGroups = 0;
  /** Rows of four numbers of a vector. */
  protected rowCount = 0;

  constructor(memory: CellMemory, cuts: CellCuts) {
    this.memory = memory;
    this.cuts = cuts;
  }

  abstract vector(): Vector;

  elastic(x: Vector, gradient: Vector, withHeld = false): number {
    const { moduli, rotations, numbers } = this.memory;
    gradient.view.fill(0, 0, 4 * this.rowCount);
    let energy = 0;
    for (const cut of this.cuts.slabs) {
      this.#runCells('latticeElastic', cut, x, gradient, moduli.address, rotations.address, numbers.address);
      energy = this.#sumOwn(cut, energy);
    }
    if (!withHeld) this.hold(gradient);
    return energy;
  }

  hold(gradient: Vector): void {
    const { runner, inverse } = this.memory;
    runner.run('latticeHold', this.cuts.quads, 0, 0, gradient.address, inverse.address);
  }

  /** out = b - A x, A the Laplacian. */
  residual(b: Vector, x: Vector, out: Vector): void {
    const { moduli, numbers } = this.memory;
    this.copy(out, b);
    for (const cut of this.cuts.slabs) {
      this.#runCells('latticeLaplacian', cut, x, out, moduli.address, numbers.address);
    }
    this.#subtractShift(x, out);
  }

  #subtractShift(x: Vector, out: Vector): void {
    const { runner, shift } = this.memory;
    if (!shift) return;
    const minus = this.setNumbers(-1, 0);
    runner.run('latticeWeigh', this.cuts.quads, 0, 0, out.address, shift.address, x.address, minus);
  }

  /** out = b - K x, K the warped stiffness at the rotations as they are. */
  stiffnessResidual(b: Vector, x: Vector, out: Vector): void {
    const { moduli, rotations, numbers } = this.memory;
    this.copy(out, b);
    for (const cut of this.cuts.slabs) {
      this.#runCells('latticeStiffness', cut, x, out, moduli.address, rotations.address, numbers.address);
    }
    this.#subtractShift(x, out);
  }

  /** z = keep z + factor D⁻¹ r. */
  relax(z: Vector, r: Vector, factor: number, keep: number): void {
    const { runner, inverse } = this.memory;
    const numbers = this.setNumbers(factor, keep);
    runner.run('latticeRelax', this.cuts.quads, 0, 0, z.address, r.address, inverse.address, numbers);
  }

  /** gradient += w (x - target), w being `scale` times the weight of a node; returns half the sum of w |x - target|². */
  addSprings(x: Vector, target: Vector, gradient: Vector, weights: Slot<Float32Array>, scale: number): number {
    const { runner, own } = this.memory;
    const cut = this.cuts.quads;
    const numbers = this.setNumbers(scale, 0);
    const [from, to, out] = [x.address, target.address, gradient.address];
    runner.run('latticeInertia', cut, own.address, LATTICE_OWN_BYTES, from, to, out, weights.address, numbers);
    return this.#sumOwn(cut, 0);
  }

  dot(a: Vector, b: Vector): number {
    const { runner, sums } = this.memory;
    runner.run('dotRows', this.cuts.chunks, this.rowCount, 0, a.address, b.address, sums.address);
    return this.#sumChunks();
  }

  addScaled(y: Vector, scale: number, x: Vector): void {
    this.move(y, y, scale, x);
  }

  copy(out: Vector, a: Vector): void {
    this.memory.runner.run('latticeCopy', this.cuts.flat, 0, 0, out.address, a.address);
  }

  move(out: Vector, x: Vector, scale: number, d: Vector): void {
    const numbers = this.setNumbers(scale, 0);
    this.memory.runner.run('latticeMove', this.cuts.flat, 0, 0, out.address, x.address, d.address, numbers);
  }

  moveAndDot(out: Vector, x: Vector, scale: number, d: Vector, other: Vector): number {
    const { runner, sums } = this.memory;
    const numbers = this.setNumbers(scale, 0);
    const [to, from, by] = [out.address, x.address, d.address];
    const { chunks } = this.cuts;
    runner.run('latticeMoveDot', chunks, this.rowCount, 0, to, from, by, other.address, sums.address, numbers);
    return this.#sumChunks();
  }

  keepStep(step: Vector, change: Vector, trial: Vector, x: Vector, after: Vector, before: Vector): number {
    const { runner, sums } = this.memory;
    runner.run(
      'latticeKeep',
      this.cuts.chunks,
      this.rowCount,
      0,
      step.address,
      change.address,
      trial.address,
      x.address,
      after.address,
      before.address,
      sums.address,
    );
    return this.#sumChunks();
  }

  tryStep(out: Vector, x: Vector, scale: number, d: Vector): number {
    const { runner, own } = this.memory;
    const cut = this.cuts.quads;
    const numbers = this.setNumbers(scale, 0);
    const [to, from, by] = [out.address, x.address, d.address];
    runner.run('latticeTry', cut, own.address, LATTICE_OWN_BYTES, to, from, by, numbers);
    return this.#longestOwn(cut);
  }

  largest(d: Vector): number {
    const { runner, own } = this.memory;
    runner.run('latticeLargest', this.cuts.quads, own.address, LATTICE_OWN_BYTES, d.address);
    return this.#longestOwn(this.cuts.quads);
  }

  /** Runs a kernel over cells; `a`, `b`, `c`: what it reads beside corners. */
  #runCells(kernel: CellKernel, cut: Cut, x: Vector, out: Vector, a: number, b: number, c = 0): void {
    const { runner, own, rows, loose } = this.memory;
    const stride = LATTICE_OWN_BYTES;
    const corners = loose.address;
    runner.run(
      kernel,
      cut,
      own.address,
      stride,
      x.address,
      out.address,
      this.quadGroups,
      rows.address,
      corners,
      a,
      b,
      c,
    );
  }

  /** `sum` and the first numbers that the parts of a job have left, in their order. */
  #sumOwn(cut: Cut, sum: number): number {
    const { view } = this.memory.own;
    let total = sum;
    for (let part = 0; part < cut.parts; part++) total += view[(part * LATTICE_OWN_BYTES) / 8];
    return total;
  }

  #longestOwn(cut: Cut): number {
    const { view } = this.memory.own;
    let most = 0;
    for (let part = 0; part < cut.parts; part++) most = Math.max(most, view[(part * LATTICE_OWN_BYTES) / 8]);
    return Math.sqrt(most);
  }

  /** Sum of the sums of chunks, in their order. */
  #sumChunks(): number {
    const { view } = this.memory.sums;
    const { bounds, parts } = this.cuts.chunks;
    const chunks = bounds.view[2 * parts - 1];
    let sum = 0;
    for (let chunk = 0; chunk < chunks; chunk++) sum += view[chunk];
    return sum;
  }

  /** Puts scalars where kernels read them; behind the law of the cells. */
  protected setNumbers(first: number, second: number): number {
    const { numbers } = this.memory;
    numbers.view[4] = first;
    numbers.view[5] = second;
    return numbers.address + 16;
  }
}
