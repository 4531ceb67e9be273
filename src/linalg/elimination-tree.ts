/**
 * The elimination tree of a permuted symmetric matrix, a postorder of it, and how many entries each column of the
 * Cholesky factor has. Called once per system, between the ordering and the supernodes.
 *
 * J. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11 (1990). The parent of a
 * column is the row of its first entry below the diagonal in the factor; row i of the factor is the part of the tree
 * that is reached by climbing from the entries of row i of the matrix towards i (the row subtree).
 */

import type { SparsePattern } from './sparse.js';

/** The strictly lower triangle of P A Pᵀ by rows; columns inside a row are in no particular order. */
export interface LowerPattern {
  /** Number of rows. */
  readonly size: number;
  /** size+1 offsets into `columns`. */
  readonly rowStart: Int32Array;
  /** Columns, all smaller than their row. */
  readonly columns: Int32Array;
}

/** The strictly lower triangle of the matrix whose unknown `permutation[i]` is number i. */
export function permuteLower(pattern: SparsePattern, permutation: Int32Array, inverse: Int32Array): LowerPattern {
  const { size } = pattern;
  const rowStart = new Int32Array(size + 1);
  const columns = new Int32Array(pattern.rowStart[size]);
  let filled = 0;
  for (let i = 0; i < size; i++) {
    const old = permutation[i];
    for (let k = pattern.rowStart[old]; k < pattern.rowStart[old + 1]; k++) {
      const column = inverse[pattern.columns[k]];
      if (column < i) columns[filled++] = column;
    }
    rowStart[i + 1] = filled;
  }
  return { size, rowStart, columns };
}

/** Parent of every column, -1 at roots. */
export function eliminationTree(lower: LowerPattern): Int32Array {
  const { size, rowStart, columns } = lower;
  const parent = new Int32Array(size).fill(-1);
  // Shortcut towards the root of the tree built so far; without it long paths would be climbed again and again.
  const ancestor = new Int32Array(size).fill(-1);
  for (let i = 0; i < size; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      let column = columns[k];
      while (column !== -1 && column !== i) {
        const above = ancestor[column];
        ancestor[column] = i;
        if (above === -1) parent[column] = i;
        column = above;
      }
    }
  }
  return parent;
}

/** Entries of every column of the factor with its diagonal, by climbing each row subtree: one step per entry. */
export function columnCounts(lower: LowerPattern, parent: Int32Array): Int32Array {
  const { size, rowStart, columns } = lower;
  const counts = new Int32Array(size).fill(1);
  const seen = new Int32Array(size).fill(-1);
  for (let i = 0; i < size; i++) {
    seen[i] = i;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      for (let column = columns[k]; seen[column] !== i; column = parent[column]) {
        counts[column]++;
        seen[column] = i;
      }
    }
  }
  return counts;
}

/**
 * order[new] = old for a postorder of the first `count` nodes: children before parents and every subtree contiguous.
 * Nodes whose parent is `count` or more are roots; children and roots keep their relative order.
 */
export function postorder(parent: Int32Array, count: number): Int32Array {
  const firstChild = new Int32Array(count).fill(-1);
  const sibling = new Int32Array(count).fill(-1);
  let firstRoot = -1;
  for (let i = count - 1; i >= 0; i--) {
    const above = parent[i];
    if (above === -1 || above >= count) {
      sibling[i] = firstRoot;
      firstRoot = i;
    } else {
      sibling[i] = firstChild[above];
      firstChild[above] = i;
    }
  }
  const order = new Int32Array(count);
  let filled = 0;
  for (let root = firstRoot; root !== -1; root = sibling[root]) {
    let node = root;
    for (;;) {
      while (firstChild[node] !== -1) node = firstChild[node];
      order[filled++] = node;
      while (node !== root && sibling[node] === -1) {
        node = parent[node];
        order[filled++] = node;
      }
      if (node === root) break;
      node = sibling[node];
    }
  }
  return order;
}
