/**
 * One V(2,2) cycle of warped stiffness: the first matrix of the descent where the Laplacian's leads no further, or where it is asked for. It knows what
 * the Laplacian does not: that flesh resists a change of volume, and that long flesh bends more easily than it shears. The finest level is that of the arithmetic, turned
 * with its cells at any time; the coarse levels are in f64 and turn when they are refreshed. Two sweeps of Chebyshev's fourth kind [Lottes2022] are two of
 * Jacobi's, with the inverses of the polynomial's roots as weights. Symmetric. Built at the first refresh, from then on nothing is allocated.
 */
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { quatToMat3 } from '../../../math/quat.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Arithmetic, FirstMatrix, Vector } from './arithmetic.js';
import { findResidual, type StiffnessLevel, smooth } from './stiffness-level.js';
import {
  buildStiffnessLevels,
  LastStiffness,
  type StiffnessStep,
  sumRotations,
  turnLevel,
} from './stiffness-levels.js';

/** Weights of the two sweeps times the largest eigenvalue: 2 / (1 − cos 72°) and 2 / (1 − cos 144°). */
const SWEEPS = [2 / (1 - (Math.sqrt(5) - 1) / 4), 2 / (1 + (Math.sqrt(5) + 1) / 4)];
/** What cells at a surface, or turned against each other, reach beyond plane waves; with 1.05 a cube of ratio 0.48 stretched to 2.4 takes 105 iterations for 32. */
const SURFACE_MARGIN = 1.15;

/** Cycles of one body. */
export class StiffnessCycle implements FirstMatrix {
  readonly #arithmetic: Arithmetic;
  readonly #body: LatticeBody;
  readonly #residual: Vector;
  readonly #reach: number;
  #steps: StiffnessStep[] = [];
  #last: LastStiffness | undefined;
  readonly #quat = new Float64Array(4);
  readonly #rotation = new Float64Array(9);

  /** `room`: a vector over the lattice that the cycle may overwrite. */
  constructor(arithmetic: Arithmetic, body: LatticeBody, room: Vector) {
    this.#arithmetic = arithmetic;
    this.#body = body;
    this.#residual = room;
    this.#reach = SURFACE_MARGIN * finestReach(body);
  }

  /** Turns the coarse levels as the cells are turned now. */
  refresh(): void {
    if (this.#steps.length === 0) this.#steps = buildStiffnessLevels(this.#body);
    let above: StiffnessLevel | undefined;
    for (const step of this.#steps) {
      if (above) sumRotations(above, step.parentOfCell, step.level.rotations);
      else this.#sumFinest(step);
      turnLevel(step.level);
      above = step.level;
    }
    if (this.#last) this.#last.refresh();
    else if (above) this.#last = new LastStiffness(above);
  }

  /** Sums the rotations of the cells for the first coarse level; kernels have the axes of a cell in the order of its runs. */
  #sumFinest({ level, parentOfCell }: StiffnessStep): void {
    const { layout, filling } = this.#body;
    const { cellOfLane, runAxis } = layout;
    const quats = this.#arithmetic.rotations.view;
    const q = this.#quat;
    const r = this.#rotation;
    const into = level.rotations;
    into.fill(0);
    for (let lane = 0; lane < cellOfLane.length; lane++) {
      const cell = cellOfLane[lane];
      if (cell < 0) continue;
      const at = 16 * (lane >> 2) + (lane & 3);
      q[3] = quats[at];
      for (let n = 0; n < 3; n++) q[n] = quats[at + 4 * n + 4];
      quatToMat3(r, 0, q, 0);
      const o = 9 * parentOfCell[cell];
      for (let j = 0; j < 3; j++) {
        const axis = (runAxis + j) % 3;
        for (let i = 0; i < 9; i += 3) into[o + i + axis] += filling.mu[cell] * r[i + j];
      }
    }
  }

  /** z = about K⁻¹ b. */
  run(b: Vector, z: Vector): void {
    const a = this.#arithmetic;
    const r = this.#residual;
    const { level } = this.#steps[0];
    const rows = a.coarse[0];
    a.relax(z, b, SWEEPS[0] / this.#reach, 0);
    a.stiffnessResidual(b, z, r);
    a.relax(z, r, SWEEPS[1] / this.#reach, 1);
    a.stiffnessResidual(b, z, r);
    a.restrict(1, r, rows.b);
    for (let i = 0; i < level.b.length; i++) level.b[i] = rows.b.view[i + Math.floor(i / 3)];
    this.#runCoarse(0);
    for (let i = 0; i < level.x.length; i++) rows.x.view[i + Math.floor(i / 3)] = level.x[i];
    a.prolong(1, rows.x, z);
    a.stiffnessResidual(b, z, r);
    a.relax(z, r, SWEEPS[1] / this.#reach, 1);
    a.stiffnessResidual(b, z, r);
    a.relax(z, r, SWEEPS[0] / this.#reach, 1);
  }

  #runCoarse(index: number): void {
    const { level, reach } = this.#steps[index];
    if (index === this.#steps.length - 1) {
      if (this.#last) solveOriginal(this.#last.factor, level.b, level.x, level.r);
      return;
    }
    const below = this.#steps[index + 1];
    level.r.set(level.b);
    smooth(level, SWEEPS[0] / reach, 0);
    this.#sweep(level, SWEEPS[1] / reach);
    findResidual(level);
    restrict(below, level.r);
    this.#runCoarse(index + 1);
    prolong(below, level.x);
    this.#sweep(level, SWEEPS[1] / reach);
    this.#sweep(level, SWEEPS[0] / reach);
  }

  #sweep(level: StiffnessLevel, share: number): void {
    findResidual(level);
    smooth(level, share, 1);
  }
}

/** b of a coarse level = Pᵀ fine. */
function restrict({ level, parentStart, parents }: StiffnessStep, fine: Float64Array): void {
  level.b.fill(0);
  for (let node = 0; node + 1 < parentStart.length; node++) {
    const weight = 1 / (parentStart[node + 1] - parentStart[node]);
    for (let n = parentStart[node]; n < parentStart[node + 1]; n++) {
      for (let k = 0; k < 3; k++) level.b[3 * parents[n] + k] += weight * fine[3 * node + k];
    }
  }
}

/** fine += P x of a coarse level. */
function prolong({ level, parentStart, parents }: StiffnessStep, fine: Float64Array): void {
  for (let node = 0; node + 1 < parentStart.length; node++) {
    const weight = 1 / (parentStart[node + 1] - parentStart[node]);
    for (let n = parentStart[node]; n < parentStart[node + 1]; n++) {
      for (let k = 0; k < 3; k++) fine[3 * node + k] += weight * level.x[3 * parents[n] + k];
    }
  }
}

/**
 * Largest eigenvalue of D⁻¹K for plane waves, D the Laplacian's diagonal. The stiffness of a wave is linear in the squared sines of its half angles
 * along each axis by itself, so that it is largest where each is 0 or 1: along one axis, or along all three.
 */
export function finestReach({ filling: { mu, lambda }, law: { kappa } }: Pick<LatticeBody, 'filling' | 'law'>): number {
  let most = 0;
  for (let cell = 0; cell < mu.length; cell++) {
    const stiffest = Math.max(8 * (mu[cell] + lambda[cell] / 2), 24 * kappa * mu[cell]);
    most = Math.max(most, stiffest / ((3 + 9 * kappa) * (mu[cell] + lambda[cell] / 4)));
  }
  return most;
}
