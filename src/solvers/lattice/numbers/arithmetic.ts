/**
 * What the lattice solver computes with. Two rooms do the same sums: the kernels in f32 with f64 reductions
 * (kernel-arithmetic.ts), which steps run on, and plain f64 (double-arithmetic.ts), the specification that tests and
 * comparisons run on.
 */
import type { Slot } from '../../../kernels/memory.js';
import type { PatchKernels } from '../patch/patch-kernels.js';

/** Numbers of either precision. */
export type Reals = Float32Array | Float64Array;
/** An array of the room the arithmetic works in. Over nodes: twelve numbers per quad. Over coarse nodes: rows of four. */
export type Vector = Slot<Reals>;

/** What became of the volume of cells. */
export interface VolumeRatios {
  /** Mean and least of det F. */
  readonly mean: number;
  readonly least: number;
  /** Cells with det F of zero or less. */
  readonly inverted: number;
}

/** About the inverse of a stiffness: what a descent starts its directions from. */
export interface FirstMatrix {
  /** z = about A⁻¹ b; symmetric and positive. */
  run(b: Vector, z: Vector): void;
}

/** What a descent computes with: a body, or a part of one. */
export interface DescentArithmetic {
  /** Energies that differ by less, relatively, are the same to this arithmetic. */
  readonly rounding: number;
  /** A vector over the nodes of the lattice; all are asked for before the first operation. */
  vector(): Vector;
  /** gradient = elastic gradient at x, zero at held nodes unless they are wanted [N]; returns the energy [J]. */
  elastic(x: Vector, gradient: Vector, withHeld?: boolean): number;
  /** Zero at held nodes. */
  hold(gradient: Vector): void;
  /** Scalar product, summed in f64 in a fixed order. */
  dot(a: Vector, b: Vector): number;
  /** y += scale x. */
  addScaled(y: Vector, scale: number, x: Vector): void;
  /** out = a. */
  copy(out: Vector, a: Vector): void;
  /** out = x + scale d. */
  move(out: Vector, x: Vector, scale: number, d: Vector): void;
  /** out = x + scale d; returns the scalar product of out and `other`. */
  moveAndDot(out: Vector, x: Vector, scale: number, d: Vector, other: Vector): number;
  /** out = x + scale d; returns the largest length of a node's part of d. */
  tryStep(out: Vector, x: Vector, scale: number, d: Vector): number;
  /** step = trial - x, change = after - before, x = trial; returns the scalar product of step and change. */
  keepStep(step: Vector, change: Vector, trial: Vector, x: Vector, after: Vector, before: Vector): number;
  /** Largest length of a node's part of d. */
  largest(d: Vector): number;
}

/** The operations of one body. Level 0 is the lattice itself, level n its n-th coarsening. */
export interface Arithmetic extends DescentArithmetic {
  /** A way to look at parts of the body by themselves, which may use these vectors; only where steps run. */
  lookAtParts?(lent: readonly Vector[]): PatchKernels;
  /** Adds the gradient of inertia, half the sum of w |x - target|², w being `scale` times mass over the squared time step; returns it [J]. */
  addInertia(x: Vector, target: Vector, gradient: Vector, scale: number): number;
  /** Volume ratios of all cells at x: sum, least, and how many are inside out. */
  volumes(x: Vector): VolumeRatios;
  /** out = b - A x on the finest level. */
  residual(b: Vector, x: Vector, out: Vector): void;
  /** out = b - K x on the finest level, K the warped stiffness at the rotations as they are, with inertia and ties. */
  stiffnessResidual(b: Vector, x: Vector, out: Vector): void;
  /** z = keep z + factor D⁻¹ r on the finest level, D the Laplacian's diagonal. */
  relax(z: Vector, r: Vector, factor: number, keep: 0 | 1): void;
  /** The same on coarse levels. */
  coarseResidual(level: number, b: Vector, x: Vector, out: Vector): void;
  coarseRelax(level: number, z: Vector, r: Vector, factor: number, keep: 0 | 1): void;
  /** coarse = Pᵀ fine; `level` is the coarse one's. */
  restrict(level: number, fine: Vector, coarse: Vector): void;
  /** fine += P coarse. */
  prolong(level: number, coarse: Vector, fine: Vector): void;
  /** x = A⁻¹ b on the last level. */
  solveLast(b: Vector, x: Vector): void;
  /** Right-hand side, solution and residual of a coarse level. */
  readonly coarse: readonly { readonly b: Vector; readonly x: Vector; readonly r: Vector }[];
  /** Rotations of the cells, part of the state: where the next search starts. */
  readonly rotations: Vector;
}
