/**
 * Approximate minimum degree ordering of a symmetric pattern: which unknown to eliminate when, so that few zeros of the
 * matrix become entries of its Cholesky factor. Called once per system, before the symbolic analysis.
 *
 * [Amestoy1996]: P. Amestoy, T. Davis, I. Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix Anal.
 * Appl. 17 (1996). The elimination itself is in quotient-elimination.ts; here the graph is prepared (numbered along a walk, which breaks
 * ties well, see walk-order.ts) and the result gathered.
 */

import { TendonError } from '../../errors.js';
import { checkSymmetricPattern, type SparsePattern } from '../sparse.js';
import { eliminateAll, writeOrder } from './quotient-elimination.js';
import { QuotientGraph } from './quotient-graph.js';
import { renumber, walkOrder } from './walk-order.js';

/**
 * An unknown with more neighbours than max(DENSE_MINIMUM, DENSE_FACTOR * sqrt(size)) is put behind all others: it ends
 * there anyway, and following its neighbours at every elimination would cost size^2. Factor as in [Amestoy1996 §5].
 */
const DENSE_FACTOR = 10;
const DENSE_MINIMUM = 16;

/**
 * Returns permutation[new] = old. The unknowns in `forcedLast` come last, in the given order; they are left out of the
 * graph, since an unknown that is eliminated after all others causes no fill among them.
 */
export function orderAmd(pattern: SparsePattern, forcedLast: ArrayLike<number> = []): Int32Array {
  checkSymmetricPattern(pattern);
  const { size } = pattern;
  const left = markForced(size, forcedLast);
  const dense = markDense(pattern, left);
  const walked = walkOrder(pattern, left);
  const graph = new QuotientGraph(renumber(pattern, walked), new Uint8Array(walked.length));
  eliminateAll(graph);
  const permutation = new Int32Array(size);
  let filled = writeOrder(graph, permutation);
  for (let k = 0; k < filled; k++) permutation[k] = walked[permutation[k]];
  for (let k = 0; k < dense.length; k++) permutation[filled++] = dense[k];
  for (let k = 0; k < forcedLast.length; k++) permutation[filled++] = forcedLast[k];
  return permutation;
}

/** 1 for every unknown that the graph leaves out. */
function markForced(size: number, forcedLast: ArrayLike<number>): Uint8Array {
  const left = new Uint8Array(size);
  for (let k = 0; k < forcedLast.length; k++) {
    const unknown = forcedLast[k];
    if (!(Number.isInteger(unknown) && unknown >= 0 && unknown < size)) {
      throw new TendonError('E_INDEX', `forcedLast/${k}`, unknown, `the unknown must be one of 0 to ${size - 1}`);
    }
    if (left[unknown] === 1) {
      throw new TendonError('E_RANGE', `forcedLast/${k}`, unknown, 'an unknown can be forced last only once');
    }
    left[unknown] = 1;
  }
  return left;
}

/** Adds the dense unknowns to `left` and returns them by ascending number of neighbours. */
function markDense(pattern: SparsePattern, left: Uint8Array): number[] {
  const { size, rowStart } = pattern;
  const limit = Math.max(DENSE_MINIMUM, DENSE_FACTOR * Math.sqrt(size));
  const dense: number[] = [];
  for (let i = 0; i < size; i++) {
    if (left[i] === 0 && rowStart[i + 1] - rowStart[i] - 1 > limit) dense.push(i);
  }
  for (const i of dense) left[i] = 1;
  return dense.sort((a, b) => rowStart[a + 1] - rowStart[a] - (rowStart[b + 1] - rowStart[b]) || a - b);
}
