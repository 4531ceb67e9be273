/**
 * Supernodes: runs of columns of the Cholesky factor that share their structure and are stored as one dense panel.
 * First the fundamental ones, then children are merged into parents where a few stored zeros cost less than the
 * bookkeeping of a panel of its own. Called by supernodes.ts.
 *
 * J. Liu, E. Ng, B. Peyton, On finding supernodes for sparse matrix computations, SIAM J. Matrix Anal. Appl. 14 (1993);
 * C. Ashcraft, R. Grimes, The influence of relaxed supernode partitions on the multifrontal method, ACM TOMS 15 (1989).
 */

/** What a panel costs in a solve, in units of one stored entry. */
export interface PanelCost {
  /** For each panel: loop set-up, and the latency of the triangular block. */
  readonly perPanel: number;
  /** For each row below the diagonal block: one gather and one scatter. */
  readonly perRow: number;
}

/**
 * Fitted to the f32 kernel with 3 right-hand sides on a body of 12.5k vertices: 0.52 ms, against 0.56 ms without merging
 * and 0.56 ms with {32, 4}. Flat around the optimum: perPanel 4 .. 16 with perRow 0.5 .. 2 are within 3 %.
 */
export const PANEL_COST_DEFAULTS: PanelCost = { perPanel: 12, perRow: 1 };

/** Supernodes over postordered columns. A supernode is named by the place of its topmost fundamental supernode. */
export interface SupernodeForest {
  /** Number of supernodes. */
  readonly count: number;
  /** Supernode of every column; a supernode's columns need not be adjacent. */
  readonly ofColumn: Int32Array;
  /** Number of columns of every supernode. */
  readonly width: Int32Array;
  /** Number of rows below the diagonal block. */
  readonly below: Int32Array;
  /** Parent supernode, -1 where the parent lies outside the given columns or does not exist. Parents come later. */
  readonly parent: Int32Array;
}

/**
 * Fundamental supernodes of the first `columnCount` postordered columns: column j+1 joins j when it is j's parent, has
 * no other child and loses exactly one entry.
 */
export function fundamentalSupernodes(parent: Int32Array, counts: Int32Array, columnCount: number): SupernodeForest {
  const children = new Int32Array(columnCount);
  for (let j = 0; j < columnCount; j++) {
    if (parent[j] !== -1 && parent[j] < columnCount) children[parent[j]]++;
  }
  const ofColumn = new Int32Array(columnCount);
  const width = new Int32Array(columnCount);
  const below = new Int32Array(columnCount);
  const treeParent = new Int32Array(columnCount).fill(-1);
  let count = 0;
  for (let j = 0; j < columnCount; j++) {
    const joins = j > 0 && parent[j - 1] === j && children[j] === 1 && counts[j - 1] === counts[j] + 1;
    if (!joins) count++;
    ofColumn[j] = count - 1;
    width[count - 1]++;
    below[count - 1] = counts[j] - 1;
  }
  for (let j = 0; j < columnCount; j++) {
    const isTop = j + 1 === columnCount || ofColumn[j + 1] !== ofColumn[j];
    if (isTop && parent[j] !== -1 && parent[j] < columnCount) treeParent[ofColumn[j]] = ofColumn[parent[j]];
  }
  return { count, ofColumn, width, below, parent: treeParent };
}

/**
 * Merges children into parents while that makes a solve cheaper. Merging child c into p keeps p's rows and gives each
 * column of c the whole structure of p: width(c) * (width(p) + below(p) - below(c)) zeros more, one panel and below(c)
 * gathered rows less.
 */
export function amalgamate(forest: SupernodeForest, cost: PanelCost = PANEL_COST_DEFAULTS): SupernodeForest {
  const { count } = forest;
  const width = forest.width.slice(0, count);
  const below = forest.below.slice(0, count);
  const parent = forest.parent.slice(0, count);
  const mergedInto = new Int32Array(count).fill(-1);
  const firstChild = new Int32Array(count).fill(-1);
  const sibling = new Int32Array(count).fill(-1);
  for (let s = 0; s < count; s++) {
    // All children of s precede it and are final: each is offered to s once, the latest first.
    let kept = -1;
    let child = firstChild[s];
    while (child !== -1) {
      const following = sibling[child];
      const zeros = width[child] * (width[s] + below[s] - below[child]);
      if (zeros <= cost.perPanel + cost.perRow * below[child]) {
        mergedInto[child] = s;
        width[s] += width[child];
      } else {
        sibling[child] = kept;
        kept = child;
      }
      child = following;
    }
    firstChild[s] = kept;
    if (parent[s] !== -1) {
      sibling[s] = firstChild[parent[s]];
      firstChild[parent[s]] = s;
    }
  }
  return renumber(forest, mergedInto, width, below, parent);
}

/** Drops the merged supernodes; the order of the others is kept, so parents still come later. */
function renumber(
  forest: SupernodeForest,
  mergedInto: Int32Array,
  width: Int32Array,
  below: Int32Array,
  parent: Int32Array,
): SupernodeForest {
  const { count } = forest;
  const target = new Int32Array(count);
  let kept = 0;
  for (let s = 0; s < count; s++) {
    if (mergedInto[s] !== -1) continue;
    target[s] = kept;
    width[kept] = width[s];
    below[kept] = below[s];
    parent[kept] = parent[s];
    kept++;
  }
  // Descending: what a supernode was merged into is known before the supernode.
  for (let s = count - 1; s >= 0; s--) if (mergedInto[s] !== -1) target[s] = target[mergedInto[s]];
  for (let k = 0; k < kept; k++) if (parent[k] !== -1) parent[k] = target[parent[k]];
  const ofColumn = forest.ofColumn.map((s) => target[s]);
  return {
    count: kept,
    ofColumn,
    width: width.slice(0, kept),
    below: below.slice(0, kept),
    parent: parent.slice(0, kept),
  };
}
