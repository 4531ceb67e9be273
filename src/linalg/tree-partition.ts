/**
 * Splits the supernodal tree for threads: disjoint subtrees are dealt to a fixed number of parts, so that parts can be
 * solved side by side; the supernodes above them, the top, are solved by one thread. Called by supernodes.ts.
 *
 * The number of parts belongs to the data, not to the machine: the same parts give the same bits on any thread count.
 */

import { TendonError } from '../errors.js';

/** More candidate subtrees than this per part cannot improve the balance noticeably. */
const SUBTREES_PER_PART = 32;

/** Which part every supernode belongs to; `partCount` for the top. */
export interface TreePartition {
  /** Part of every supernode, 0 .. partCount, where partCount means the top. */
  readonly part: Int32Array;
  /** Work of every part and, last, of the top. */
  readonly work: Float64Array;
}

/**
 * Splits a forest (parents come later, -1 at roots) into `partCount` parts. Starting from the roots, the heaviest
 * subtree is replaced by its children again and again; of all stages the one is kept whose heaviest part plus top is
 * the least, which is the time of a solve with one thread per part.
 */
export function partitionTree(parent: Int32Array, work: Float64Array, partCount: number): TreePartition {
  if (!Number.isInteger(partCount) || partCount < 1 || partCount > 1024) {
    throw new TendonError(
      'E_RANGE',
      'partCount',
      partCount,
      'the number of parts must be a whole number from 1 to 1024',
    );
  }
  const count = parent.length;
  const total = work.slice();
  const children: number[][] = [];
  for (let s = 0; s < count; s++) children.push([]);
  const subtrees: number[] = [];
  for (let s = 0; s < count; s++) {
    if (parent[s] === -1) {
      subtrees.push(s);
    } else {
      total[parent[s]] += total[s];
      children[parent[s]].push(s);
    }
  }
  const best = chooseSplit(subtrees, children, total, work, partCount);
  return spread(best, parent, work, total, partCount);
}

/** The set of subtree roots with the least predicted time. */
function chooseSplit(
  subtrees: number[],
  children: number[][],
  total: Float64Array,
  work: Float64Array,
  partCount: number,
): number[] {
  const heavierFirst = (a: number, b: number): number => total[b] - total[a] || a - b;
  subtrees.sort(heavierFirst);
  let best = subtrees.slice();
  let top = 0;
  let bestTime = heaviestPart(subtrees, total, partCount);
  while (subtrees.length > 0 && subtrees.length < SUBTREES_PER_PART * partCount && partCount > 1) {
    const heaviest = subtrees.shift() as number;
    top += work[heaviest];
    for (const child of children[heaviest]) subtrees.push(child);
    subtrees.sort(heavierFirst);
    const time = top + heaviestPart(subtrees, total, partCount);
    if (time < bestTime) {
      bestTime = time;
      best = subtrees.slice();
    }
    // Splitting only moves work to the top: once the top alone costs more, nothing better follows.
    if (top >= bestTime) break;
  }
  return best;
}

function heaviestPart(subtrees: number[], total: Float64Array, partCount: number): number {
  return deal(subtrees, total, partCount).load.reduce((a, b) => Math.max(a, b), 0);
}

/** Largest first, each to the part with the least load (the first of equals). */
function deal(subtrees: number[], total: Float64Array, partCount: number): { load: Float64Array; owner: number[] } {
  const load = new Float64Array(partCount);
  const owner: number[] = [];
  for (const root of subtrees) {
    let lightest = 0;
    for (let p = 1; p < partCount; p++) if (load[p] < load[lightest]) lightest = p;
    load[lightest] += total[root];
    owner.push(lightest);
  }
  return { load, owner };
}

/** Gives every supernode below a chosen root that root's part and everything else the top. */
function spread(
  roots: number[],
  parent: Int32Array,
  work: Float64Array,
  total: Float64Array,
  partCount: number,
): TreePartition {
  const { owner } = deal(roots, total, partCount);
  const part = new Int32Array(parent.length).fill(-1);
  roots.forEach((root, k) => {
    part[root] = owner[k];
  });
  const sums = new Float64Array(partCount + 1);
  for (let s = parent.length - 1; s >= 0; s--) {
    if (part[s] === -1) {
      const above = parent[s];
      part[s] = above === -1 ? partCount : part[above];
    }
    sums[part[s]] += work[s];
  }
  return { part, work: sums };
}
