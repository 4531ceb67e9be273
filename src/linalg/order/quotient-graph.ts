/**
 * The quotient graph of minimum degree elimination [Amestoy1996, algorithm 1]: fill is never stored; an eliminated
 * unknown becomes an *element* that stands for the clique of its neighbours. Used by amd.ts only.
 *
 * Letters of the paper: p pivot, i a variable next to it, e an element, Lp the variables of the pivot's element,
 * Ei the elements next to variable i, Ai the variables next to i that no element covers.
 *
 * One number names an unknown first as a variable and, once eliminated, as an element. A variable may stand for
 * several indistinguishable unknowns (a supervariable); `weight` counts them. Everything is flat Int32Arrays and small
 * functions: this runs once per system, so most of its time is spent before the compiler has optimised it.
 */

import type { SparsePattern } from '../sparse.js';

/** The arrays of one elimination. Single use. */
export class QuotientGraph {
  readonly size: number;
  /** Number of unknowns in the graph. */
  total = 0;
  /** Number of unknowns eliminated so far. */
  eliminated = 0;
  /** Lists of all variables (Ei first, then Ai) and elements (Le), each contiguous. */
  list: Int32Array;
  spare: Int32Array;
  free = 0;
  readonly start: Int32Array;
  readonly length: Int32Array;
  /** For a variable |Ei|, for an element -1. */
  readonly elementCount: Int32Array;
  /** Unknowns in a living variable, negated while it is in Lp; 0 when merged, eliminated or left out. */
  readonly weight: Int32Array;
  /** For a variable the bound on its external degree, for an element |Le| in unknowns. */
  readonly degree: Int32Array;
  /** Per object: 0 = absorbed element; >= stamp = |Le \ Lp| + stamp, or "marked" when comparing variables. */
  readonly mark: Int32Array;
  stamp = 2;
  /** Doubly linked lists of the variables of each degree; also the hash buckets while Lp is processed. */
  readonly head: Int32Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
  readonly bucket: Int32Array;
  lowestDegree = 0;
  /** Unknowns that a variable stands for, as a chain from the variable itself. */
  readonly member: Int32Array;
  readonly lastMember: Int32Array;
  readonly pivots: Int32Array;
  pivotCount = 0;
  /** The pivot, its weight and |Lp| in unknowns. */
  pivot = 0;
  pivotWeight = 0;
  pivotDegree = 0;

  /**
   * Copies the pattern; the unknowns marked in `left` take no part. The lists never need more room than they start with
   * plus one Lp; `spareRoom`, a share of the pattern, saves compactions.
   */
  constructor(pattern: SparsePattern, left: Uint8Array, spareRoom = 0.5) {
    const size = pattern.size;
    const entries = pattern.rowStart[size];
    const capacity = Math.ceil(entries * (1 + spareRoom)) + size;
    let bucketCount = 1;
    while (bucketCount < size) bucketCount *= 2;
    const workspace = new Int32Array(2 * capacity + 12 * size + bucketCount);
    let taken = 0;
    const take = (count: number): Int32Array => {
      taken += count;
      return workspace.subarray(taken - count, taken);
    };
    this.size = size;
    this.list = take(capacity);
    this.spare = take(capacity);
    this.start = take(size);
    this.length = take(size);
    this.elementCount = take(size);
    this.weight = take(size);
    this.degree = take(size);
    this.mark = take(size).fill(1);
    this.head = take(size).fill(-1);
    this.next = take(size);
    this.previous = take(size);
    this.bucket = take(bucketCount).fill(-1);
    this.member = take(size).fill(-1);
    this.lastMember = take(size);
    this.pivots = take(size);
    copyPattern(this, pattern, left);
  }
}

/**
 * Copies the lists as they are, in one go. Diagonal entries and unknowns in `left` may stay in them: a list is pruned
 * of everything that is not a living variable outside Lp before it is used. Only the degrees must not count them.
 */
function copyPattern(graph: QuotientGraph, pattern: SparsePattern, left: Uint8Array): void {
  const { rowStart, columns, size } = pattern;
  const { list, start, length, weight, degree, lastMember } = graph;
  list.set(columns.subarray(0, rowStart[size]));
  graph.free = rowStart[size];
  let total = 0;
  for (let i = 0; i < size; i++) {
    const from = rowStart[i];
    const end = rowStart[i + 1];
    let outside = 0;
    for (let k = from; k < end; k++) outside += columns[k] === i ? 1 : left[columns[k]];
    lastMember[i] = i;
    start[i] = from;
    length[i] = end - from;
    weight[i] = 1 - left[i];
    total += 1 - left[i];
    degree[i] = end - from - outside;
  }
  graph.total = total;
  // Descending, so that equal degrees start in ascending order.
  for (let i = size - 1; i >= 0; i--) if (weight[i] === 1) insert(graph, i, degree[i]);
}

/** Links a variable into the list of its degree. */
export function insert(graph: QuotientGraph, i: number, degree: number): void {
  const after = graph.head[degree];
  graph.next[i] = after;
  graph.previous[i] = -1;
  if (after !== -1) graph.previous[after] = i;
  graph.head[degree] = i;
  if (degree < graph.lowestDegree) graph.lowestDegree = degree;
}

/** Unlinks a variable from the list of its degree. */
export function remove(graph: QuotientGraph, i: number): void {
  const before = graph.previous[i];
  const after = graph.next[i];
  if (after !== -1) graph.previous[after] = before;
  if (before !== -1) graph.next[before] = after;
  else graph.head[graph.degree[i]] = after;
}

/** Makes room for Lp behind `free`, moving all living lists to the front of the other buffer when there is none. */
export function reserve(graph: QuotientGraph, pivot: number): void {
  const { start, length, elementCount, weight, mark, list } = graph;
  let need = length[pivot] - elementCount[pivot];
  for (let k = start[pivot]; k < start[pivot] + elementCount[pivot]; k++) need += length[list[k]];
  need = Math.min(need, graph.total - graph.eliminated);
  if (graph.free + need <= list.length) return;
  const other = graph.spare;
  let free = 0;
  for (let i = 0; i < graph.size; i++) {
    const living = elementCount[i] === -1 ? mark[i] !== 0 : weight[i] !== 0;
    if (!living) continue;
    const from = start[i];
    start[i] = free;
    for (let k = from; k < from + length[i]; k++) other[free++] = list[k];
  }
  graph.spare = list;
  graph.list = other;
  graph.free = free;
}
