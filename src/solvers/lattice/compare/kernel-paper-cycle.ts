/**
 * The paper's linear multigrid by the kernels, to be timed: V-cycles on warped stiffness with damped Jacobi and re-discretised coarse levels, the last one
 * factored [McAdams2011 §8]. Does what paper-cycle.ts does in f64. Materials must be the same everywhere: then the diagonal of a node is a
 * constant share of the Laplacian's.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { nodePositions } from '../../../mesh/hexes/hex-lattice.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Vector } from '../numbers/arithmetic.js';
import { KernelArithmetic } from '../numbers/kernel-arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { type CoarseShare, coarserBody } from './paper-cycle.js';
import { assembleStiffness } from './stiffness.js';

interface Level {
  readonly body: LatticeBody;
  readonly arithmetic: KernelArithmetic;
  readonly b: Vector;
  readonly x: Vector;
  readonly r: Vector;
  /** Of a sweep. */
  readonly weight: number;
}

/** Cycles on one body at rest. */
export class KernelPaperCycle {
  readonly #levels: Level[] = [];
  readonly #last: CholeskyFactor;
  readonly #dense: readonly [Float64Array, Float64Array, Float64Array];

  /** `levelCount`: with the finest. */
  constructor(plan: MemoryPlan, body: LatticeBody, levelCount: number, damping = 0.5, coarse: CoarseShare = 'printed') {
    let own = body;
    for (let level = 0; level < levelCount; level++) {
      if (level > 0) own = coarserBody(own, coarse).body;
      const arithmetic = new KernelArithmetic(plan, own);
      const [b, x, r] = [arithmetic.vector(), arithmetic.vector(), arithmetic.vector()];
      this.#levels.push({ body: own, arithmetic, b, x, r, weight: damping * jacobiWeight(own) });
    }
    const matrix = assembleStiffness(own, nodePositions(own.lattice), 'warped');
    this.#last = factor(analyse(matrix), matrix);
    this.#dense = [new Float64Array(matrix.size), new Float64Array(matrix.size), new Float64Array(matrix.size)];
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    for (const { arithmetic } of this.#levels) arithmetic.start(kernels, threads);
  }

  /** Right-hand side and solution of the finest level. */
  get finest(): { readonly b: Vector; readonly x: Vector } {
    return this.#levels[0];
  }

  /** Improves x for K x = b on the finest level by one cycle with so many sweeps down and as many up; returns the largest residual before it. */
  run(sweeps: number): number {
    const { arithmetic, b, x, r } = this.#levels[0];
    arithmetic.stiffnessResidual(b, x, r);
    arithmetic.hold(r);
    const before = arithmetic.largest(r);
    this.#cycle(0, sweeps);
    return before;
  }

  #cycle(index: number, sweeps: number): void {
    const { arithmetic, b, x, r } = this.#levels[index];
    if (index === this.#levels.length - 1) {
      this.#solveLast();
      return;
    }
    for (let n = 0; n < sweeps; n++) this.#sweep(index);
    arithmetic.stiffnessResidual(b, x, r);
    const below = this.#levels[index + 1];
    const rows = arithmetic.coarse[0].b;
    arithmetic.restrict(1, r, rows);
    const { placeOfNode } = below.body.layout;
    const { held } = below.body.filling;
    for (let node = 0; node < placeOfNode.length; node++) {
      const at = floatOfPlace(placeOfNode[node], 0);
      for (let k = 0; k < 3; k++) below.b.view[at + 4 * k] = held[node] ? 0 : rows.view[4 * node + k];
    }
    below.x.view.fill(0);
    this.#cycle(index + 1, sweeps);
    for (let node = 0; node < placeOfNode.length; node++) {
      const at = floatOfPlace(placeOfNode[node], 0);
      for (let k = 0; k < 3; k++) rows.view[4 * node + k] = below.x.view[at + 4 * k];
    }
    arithmetic.prolong(1, rows, x);
    for (let n = 0; n < sweeps; n++) this.#sweep(index);
  }

  #sweep(index: number): void {
    const { arithmetic, b, x, r, weight } = this.#levels[index];
    arithmetic.stiffnessResidual(b, x, r);
    arithmetic.relax(x, r, weight, 1);
  }

  #solveLast(): void {
    const { b, x, body } = this.#levels[this.#levels.length - 1];
    const [right, left, scratch] = this.#dense;
    const { placeOfNode } = body.layout;
    placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) right[3 * node + k] = b.view[floatOfPlace(place, k)];
    });
    solveOriginal(this.#last, right, left, scratch);
    placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) x.view[floatOfPlace(place, k)] = left[3 * node + k];
    });
  }
}

/** Diagonal of the Laplacian over that of the stiffness, mu (3 + 9 kappa)/8 + (lambda - 2 mu)/16 per cell and side of it, where that has mu + lambda/4 for mu and nothing else. */
function jacobiWeight({ filling, law: { kappa } }: LatticeBody): number {
  const [mu, lambda] = [filling.mu[0], filling.lambda[0]];
  const share = (3 + 9 * kappa) / 8;
  return (share * (mu + lambda / 4)) / (share * mu + (lambda - 2 * mu) / 16);
}
