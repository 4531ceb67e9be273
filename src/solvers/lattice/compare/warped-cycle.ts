/**
 * One V(2,2) cycle of warped stiffness as the first matrix of a descent: Galerkin products on every level, two sweeps of Chebyshev's fourth
 * kind [Lottes2022] before and after each, the last level factored. The alternative to the Laplacian's cycle, for flesh that hardly changes its
 * volume, few bones and large stretch, exact and filled anew for every shape; what steps fall back to is numbers/stiffness-cycle.ts. Plain f64; see docs/decisions/0023-fallbacks-of-the-lattice.md.
 */
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { multiplySparse, type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import { coarsenLattice } from '../../../mesh/hexes/coarsen-lattice.js';
import type { LatticeBody } from '../lattice-body.js';
import type { FirstMatrix, Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { forEachWeight } from './paper-cycle.js';
import { assembleStiffness } from './stiffness.js';

/** Unknowns at which a level is factored. */
const FACTORED = 600;
const POWER_ITERATIONS = 60;
const POWER_MARGIN = 1.05;

/** Rows of prolongation: the coarse unknowns of each fine one, and their weights. */
interface Transfer {
  readonly start: Int32Array;
  readonly rows: Int32Array;
  readonly weights: Float64Array;
  readonly coarse: number;
}

interface Level {
  readonly matrix: SparseMatrix;
  readonly inverse: Float64Array;
  /** Largest eigenvalue of D⁻¹K, a little above what power iterations found. */
  readonly reach: number;
  readonly b: Float64Array;
  readonly x: Float64Array;
  readonly r: Float64Array;
  readonly p: Float64Array;
}

/** Cycles on the stiffness at the last `refresh`. */
export class WarpedCycle implements FirstMatrix {
  readonly #body: LatticeBody;
  readonly #transfers: readonly Transfer[];
  readonly #place: Float64Array;
  #levels: Level[] = [];
  #last!: CholeskyFactor;

  constructor(body: LatticeBody) {
    this.#body = body;
    this.#transfers = transfersOf(body);
    this.#place = new Float64Array(body.lattice.nodes.length);
  }

  /** Takes the rotations of the cells at x. */
  refresh(x: Vector): void {
    this.#body.layout.placeOfNode.forEach((at, node) => {
      for (let k = 0; k < 3; k++) this.#place[3 * node + k] = x.view[floatOfPlace(at, k)];
    });
    let matrix = assembleStiffness(this.#body, this.#place, 'warped');
    this.#levels = [levelOf(matrix)];
    for (const transfer of this.#transfers) {
      matrix = galerkin(matrix, transfer);
      this.#levels.push(levelOf(matrix));
    }
    this.#last = factor(analyse(matrix), matrix);
  }

  run(b: Vector, z: Vector): void {
    const { layout, filling } = this.#body;
    const finest = this.#levels[0];
    layout.placeOfNode.forEach((at, node) => {
      for (let k = 0; k < 3; k++) finest.b[3 * node + k] = filling.held[node] ? 0 : b.view[floatOfPlace(at, k)];
    });
    finest.x.fill(0);
    this.#cycle(0);
    layout.placeOfNode.forEach((at, node) => {
      for (let k = 0; k < 3; k++) z.view[floatOfPlace(at, k)] = filling.held[node] ? 0 : finest.x[3 * node + k];
    });
  }

  #cycle(index: number): void {
    const level = this.#levels[index];
    if (index === this.#transfers.length) {
      solveOriginal(this.#last, level.b, level.x, level.r);
      return;
    }
    smooth(level);
    residual(level);
    const below = this.#levels[index + 1];
    const { start, rows, weights } = this.#transfers[index];
    below.b.fill(0);
    below.x.fill(0);
    for (let i = 0; i < level.r.length; i++) {
      for (let n = start[i]; n < start[i + 1]; n++) below.b[rows[n]] += weights[n] * level.r[i];
    }
    this.#cycle(index + 1);
    for (let i = 0; i < level.x.length; i++) {
      for (let n = start[i]; n < start[i + 1]; n++) level.x[i] += weights[n] * below.x[rows[n]];
    }
    smooth(level);
  }
}

function residual({ matrix, b, x, r }: Level): void {
  multiplySparse(matrix, x, r);
  for (let i = 0; i < r.length; i++) r[i] = b[i] - r[i];
}

/** Two sweeps: p = (2i-1)/(2i+3) p + (8i+4)/((2i+3) reach) D⁻¹ r. */
function smooth(level: Level): void {
  const { x, r, p, inverse, reach } = level;
  for (let sweep = 0; sweep < 2; sweep++) {
    residual(level);
    const keep = sweep === 0 ? 0 : (2 * sweep - 1) / (2 * sweep + 3);
    const share = (8 * sweep + 4) / ((2 * sweep + 3) * reach);
    for (let i = 0; i < x.length; i++) {
      p[i] = keep * p[i] + share * inverse[i] * r[i];
      x[i] += p[i];
    }
  }
}

function levelOf(matrix: SparseMatrix): Level {
  const inverse = new Float64Array(matrix.size);
  for (let row = 0; row < matrix.size; row++) {
    for (let n = matrix.rowStart[row]; n < matrix.rowStart[row + 1]; n++) {
      if (matrix.columns[n] === row) inverse[row] = 1 / matrix.values[n];
    }
  }
  const [b, x, r, p] = [0, 1, 2, 3].map(() => new Float64Array(matrix.size));
  return { matrix, inverse, reach: reachOf(matrix, inverse), b, x, r, p };
}

function reachOf(matrix: SparseMatrix, inverse: Float64Array): number {
  let x = Float64Array.from({ length: matrix.size }, (_, i) => ((i * 7919) % 101) / 50 - 1);
  const y = new Float64Array(matrix.size);
  let reach = 1;
  for (let pass = 0; pass < POWER_ITERATIONS; pass++) {
    multiplySparse(matrix, x, y);
    for (let i = 0; i < y.length; i++) y[i] *= inverse[i];
    reach = Math.sqrt(lengthOf(y) / lengthOf(x));
    const scale = 1 / Math.sqrt(lengthOf(y));
    x = y.map((value) => scale * value);
  }
  return POWER_MARGIN * reach;
}

function lengthOf(x: Float64Array): number {
  let sum = 0;
  for (const value of x) sum += value * value;
  return sum;
}

/** Ways down until a level is small enough; held nodes of the finest go nowhere. */
function transfersOf({ lattice, filling }: LatticeBody): Transfer[] {
  const transfers: Transfer[] = [];
  let above = lattice;
  while (above.nodes.length > FACTORED) {
    const step = coarsenLattice(above);
    if (step.lattice.nodes.length >= above.nodes.length) break;
    const start = new Int32Array(above.nodes.length + 1);
    const [rows, weights]: number[][] = [[], []];
    const isFirst = transfers.length === 0;
    const byNode: [number, number][][] = Array.from({ length: above.nodes.length / 3 }, () => []);
    forEachWeight(step.parentStart, step.parents, (node, parent, weight) => {
      if (!(isFirst && filling.held[node])) byNode[node].push([parent, weight]);
    });
    for (let i = 0; i < above.nodes.length; i++) {
      for (const [parent, weight] of byNode[Math.floor(i / 3)]) {
        rows.push(3 * parent + (i % 3));
        weights.push(weight);
      }
      start[i + 1] = rows.length;
    }
    const coarse = step.lattice.nodes.length;
    transfers.push({ start, rows: Int32Array.from(rows), weights: Float64Array.from(weights), coarse });
    above = step.lattice;
  }
  return transfers;
}

/** Pᵀ K P; unknowns that nothing reaches get a one. */
function galerkin(matrix: SparseMatrix, { start, rows, weights, coarse }: Transfer): SparseMatrix {
  const [i, j, v]: number[][] = [[], [], []];
  for (let row = 0; row < matrix.size; row++) {
    for (let n = matrix.rowStart[row]; n < matrix.rowStart[row + 1]; n++) {
      const column = matrix.columns[n];
      for (let a = start[row]; a < start[row + 1]; a++) {
        for (let b = start[column]; b < start[column + 1]; b++) {
          i.push(rows[a]);
          j.push(rows[b]);
          v.push(weights[a] * matrix.values[n] * weights[b]);
        }
      }
    }
  }
  const reached = new Uint8Array(coarse);
  for (const row of i) reached[row] = 1;
  for (let row = 0; row < coarse; row++) {
    if (reached[row]) continue;
    i.push(row);
    j.push(row);
    v.push(1);
  }
  return sparseFromTriplets(coarse, i, j, v);
}
