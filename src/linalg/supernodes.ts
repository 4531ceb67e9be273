/**
 * The supernodal structure of a Cholesky factor: final numbering of the unknowns, panels, their rows, the tree and its
 * parts. Computed once per system from the ordering; the factorisation and all solves follow it.
 */

import { TendonError } from '../errors.js';
import {
  amalgamate,
  fundamentalSupernodes,
  PANEL_COST_DEFAULTS,
  type PanelCost,
  type SupernodeForest,
} from './amalgamation.js';
import { columnCounts, eliminationTree, permuteLower, postorder } from './elimination-tree.js';
import { invertPermutation, type SparsePattern } from './sparse.js';
import { partitionTree } from './tree-partition.js';

/** Everything about a factor but its values. Supernodes and columns are in elimination order ("new" numbers). */
export interface SupernodalStructure {
  /** Number of unknowns. */
  readonly size: number;
  /** [new] = old. */
  readonly permutation: Int32Array;
  /** [old] = new. */
  readonly inverse: Int32Array;
  /** Number of supernodes. */
  readonly count: number;
  /** count+1: first column of each supernode. */
  readonly columnStart: Int32Array;
  /** count+1 offsets into `rows`. */
  readonly rowStart: Int32Array;
  /** Rows below the diagonal block of each supernode, ascending. */
  readonly rows: Int32Array;
  /** count+1 offsets into the values: a column-major panel of (width + rows) x width numbers per supernode. */
  readonly valueStart: Int32Array;
  /** Supernode that holds the first row below, -1 at roots. */
  readonly parent: Int32Array;
  /** partCount+1: part p owns supernodes partStart[p] .. partStart[p+1]-1; the top follows, up to lastStart. */
  readonly partStart: Int32Array;
  /** First supernode of the forced-last block; `count` when there is none. */
  readonly lastStart: number;
  /** First column of the forced-last block; `size` when there is none. */
  readonly lastColumn: number;
  /** Entries of the factor with the diagonal, without the zeros that relaxed supernodes and the last block store. */
  readonly entries: number;
  /** Numbers stored, the unused upper triangles of the diagonal blocks included. */
  readonly storedEntries: number;
}

/**
 * Structure of the factor of a symmetric pattern ordered by `order` (order[new] = old). The last `lastCount` unknowns
 * form one dense supernode of their own, in the given order; the other unknowns are renumbered so that each part is
 * contiguous, which changes nothing about the fill.
 */
export function buildSupernodes(
  pattern: SparsePattern,
  order: Int32Array,
  lastCount: number,
  partCount: number,
  cost: PanelCost = PANEL_COST_DEFAULTS,
): SupernodalStructure {
  const { size } = pattern;
  if (!Number.isInteger(lastCount) || lastCount < 0 || lastCount > size) {
    throw new TendonError('E_RANGE', 'lastCount', lastCount, `the number of last unknowns must lie in 0 .. ${size}`);
  }
  const lastColumn = size - lastCount;
  const lower = permuteLower(pattern, order, invertPermutation(order, size));
  const tree = eliminationTree(lower);
  const counts = columnCounts(lower, tree);
  let entries = 0;
  for (let j = 0; j < size; j++) entries += counts[j];
  const post = postorder(tree, lastColumn);
  const forest = amalgamate(
    fundamentalSupernodes(
      relabel(tree, post, lastColumn),
      post.map((j) => counts[j]),
      lastColumn,
    ),
    cost,
  );
  const partition = partitionTree(forest.parent, solveWork(forest, cost), partCount);
  const layout = arrange(forest, partition.part, partCount, lastCount);
  const permutation = new Int32Array(size);
  for (let j = 0; j < lastColumn; j++) permutation[layout.place[j]] = order[post[j]];
  for (let j = lastColumn; j < size; j++) permutation[j] = order[j];
  const inverse = invertPermutation(permutation, size);
  const panels = layPanels(pattern, permutation, inverse, layout);
  const { count, columnStart, parent, partStart, lastStart } = layout;
  const storedEntries = panels.valueStart[count];
  return {
    size,
    permutation,
    inverse,
    count,
    columnStart,
    ...panels,
    parent,
    partStart,
    lastStart,
    lastColumn,
    entries,
    storedEntries,
  };
}

/** The tree in postorder numbers; parents outside the first `count` columns stay what they are. */
function relabel(tree: Int32Array, post: Int32Array, count: number): Int32Array {
  const place = new Int32Array(count);
  for (let j = 0; j < count; j++) place[post[j]] = j;
  const parent = new Int32Array(count);
  for (let j = 0; j < count; j++) {
    const above = tree[post[j]];
    parent[j] = above === -1 || above >= count ? above : place[above];
  }
  return parent;
}

/** Cost of one solve with each supernode, in stored entries. */
function solveWork(forest: SupernodeForest, cost: PanelCost): Float64Array {
  const work = new Float64Array(forest.count);
  for (let s = 0; s < forest.count; s++) {
    const width = forest.width[s];
    work[s] = (width * (width + 1)) / 2 + forest.below[s] * (width + cost.perRow) + cost.perPanel;
  }
  return work;
}

interface Layout {
  count: number;
  columnStart: Int32Array;
  rowStart: Int32Array;
  parent: Int32Array;
  partStart: Int32Array;
  lastStart: number;
  /** Final number of every postordered column. */
  place: Int32Array;
}

/** Numbers supernodes part by part, then the top, then the last block; inside each the postorder is kept. */
function arrange(forest: SupernodeForest, part: Int32Array, partCount: number, lastCount: number): Layout {
  const before = forest.count;
  const count = before + (lastCount > 0 ? 1 : 0);
  const partStart = new Int32Array(partCount + 2);
  for (let s = 0; s < before; s++) partStart[part[s] + 1]++;
  for (let p = 0; p <= partCount; p++) partStart[p + 1] += partStart[p];
  const cursor = partStart.slice();
  const number = new Int32Array(before);
  const columnStart = new Int32Array(count + 1);
  const rowStart = new Int32Array(count + 1);
  for (let s = 0; s < before; s++) {
    number[s] = cursor[part[s]]++;
    columnStart[number[s] + 1] = forest.width[s];
    rowStart[number[s] + 1] = forest.below[s];
  }
  if (lastCount > 0) columnStart[count] = lastCount;
  for (let k = 0; k < count; k++) {
    columnStart[k + 1] += columnStart[k];
    rowStart[k + 1] += rowStart[k];
  }
  const parent = new Int32Array(count).fill(-1);
  for (let s = 0; s < before; s++) {
    // A supernode with rows but no parent among the forest's has them all in the last block.
    if (forest.parent[s] !== -1) parent[number[s]] = number[forest.parent[s]];
    else if (forest.below[s] > 0) parent[number[s]] = before;
  }
  const nextColumn = columnStart.slice();
  const place = forest.ofColumn.map((s) => nextColumn[number[s]]++);
  return {
    count,
    columnStart,
    rowStart,
    parent,
    partStart: partStart.slice(0, partCount + 1),
    lastStart: before,
    place,
  };
}

/**
 * Rows and offsets of all panels. Row i belongs to every supernode on the way from the supernodes of its entries up to
 * its own; climbing row by row leaves each supernode's rows ascending without sorting.
 */
function layPanels(
  pattern: SparsePattern,
  permutation: Int32Array,
  inverse: Int32Array,
  layout: Layout,
): { rowStart: Int32Array; rows: Int32Array; valueStart: Int32Array } {
  const { count, columnStart, rowStart, parent } = layout;
  const valueStart = new Int32Array(count + 1);
  for (let s = 0; s < count; s++) {
    const width = columnStart[s + 1] - columnStart[s];
    const end = valueStart[s] + width * (width + rowStart[s + 1] - rowStart[s]);
    if (end > 0x7fffffff) throw new TendonError('E_MEM_LIMIT', 'factor', end, 'the factor has too many entries');
    valueStart[s + 1] = end;
  }
  const ofColumn = supernodeOfColumns(columnStart);
  const rows = new Int32Array(rowStart[count]);
  const cursor = rowStart.slice();
  const seen = new Int32Array(count).fill(-1);
  for (let i = 0; i < pattern.size; i++) {
    const old = permutation[i];
    seen[ofColumn[i]] = i;
    for (let k = pattern.rowStart[old]; k < pattern.rowStart[old + 1]; k++) {
      const column = inverse[pattern.columns[k]];
      if (column > i) continue;
      for (let s = ofColumn[column]; seen[s] !== i; s = parent[s]) {
        seen[s] = i;
        rows[cursor[s]++] = i;
      }
    }
  }
  return { rowStart, rows, valueStart };
}

/** Supernode of every column. */
export function supernodeOfColumns(columnStart: Int32Array): Int32Array {
  const count = columnStart.length - 1;
  const ofColumn = new Int32Array(columnStart[count]);
  for (let s = 0; s < count; s++) ofColumn.fill(s, columnStart[s], columnStart[s + 1]);
  return ofColumn;
}
