/**
 * The quotient graph of minimum degree elimination [Amestoy1996, algorithm 1]: fill is never stored; an eliminated
 * unknown becomes an *element* that stands for the clique of its neighbours. Used by amd.ts only.
 *
 * Letters of the paper: p pivot, i a variable next to it, e an element, Lp the variables of the pivot's element,
 * Ei the elements next to variable i, Ai the variables next to i that no element covers.
 *
 * One number names an unknown first as a variable and, once eliminated, as an element. A variable may stand for
 * several indistinguishable unknowns (a supervariable); `weight` counts them. Everything is flat Int32Arrays and small
 * methods: this runs once per system, so most of its time is spent before the compiler has optimised it.
 */

import type { SparsePattern } from './sparse.js';

/** Stamps restart before they could overflow 31 bits. */
const STAMP_LIMIT = 0x3fffffff;

/** Eliminates a symmetric pattern in approximate minimum degree order. Single use. */
export class QuotientGraph {
  private readonly size: number;
  /** Number of unknowns in the graph. */
  private total = 0;
  /** Number of unknowns eliminated so far. */
  private eliminated = 0;
  /** Lists of all variables (Ei first, then Ai) and elements (Le), each contiguous. */
  private list: Int32Array;
  private spare: Int32Array;
  private free = 0;
  private readonly start: Int32Array;
  private readonly length: Int32Array;
  /** For a variable |Ei|, for an element -1. */
  private readonly elementCount: Int32Array;
  /** Unknowns in a living variable, negated while it is in Lp; 0 when merged, eliminated or left out. */
  private readonly weight: Int32Array;
  /** For a variable the bound on its external degree, for an element |Le| in unknowns. */
  private readonly degree: Int32Array;
  /** Per object: 0 = absorbed element; >= stamp = |Le \ Lp| + stamp, or "marked" when comparing variables. */
  private readonly mark: Int32Array;
  private stamp = 2;
  /** Doubly linked lists of the variables of each degree; also the hash buckets while Lp is processed. */
  private readonly head: Int32Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  private readonly bucket: Int32Array;
  private lowestDegree = 0;
  /** Unknowns that a variable stands for, as a chain from the variable itself. */
  private readonly member: Int32Array;
  private readonly lastMember: Int32Array;
  private readonly pivots: Int32Array;
  private pivotCount = 0;
  /** The pivot, its weight and |Lp| in unknowns. */
  private pivot = 0;
  private pivotWeight = 0;
  private pivotDegree = 0;

  /** Copies the pattern without its diagonal and without the unknowns marked in `left`. */
  constructor(pattern: SparsePattern, left: Uint8Array) {
    const size = pattern.size;
    const entries = pattern.rowStart[size];
    // The lists never need more than they start with plus one Lp; the rest saves compactions.
    const capacity = Math.ceil(entries * 1.5) + size;
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
    this.copyPattern(pattern, left);
  }

  /** Runs the elimination to its end. */
  eliminateAll(): void {
    while (this.eliminated < this.total) {
      this.takePivot();
      this.formElement();
      this.measureElements();
      this.updateVariables();
      this.mergeTwins();
      this.finishElement();
    }
  }

  /** Writes the unknowns in elimination order and returns how many there are. */
  writeOrder(permutation: Int32Array): number {
    let filled = 0;
    for (let k = 0; k < this.pivotCount; k++) {
      for (let i = this.pivots[k]; i !== -1; i = this.member[i]) permutation[filled++] = i;
    }
    return filled;
  }

  private copyPattern(pattern: SparsePattern, left: Uint8Array): void {
    const { rowStart, columns, size } = pattern;
    const { list, start, length, weight, degree, lastMember } = this;
    let free = 0;
    for (let i = 0; i < size; i++) {
      lastMember[i] = i;
      if (left[i] === 1) continue;
      start[i] = free;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const j = columns[k];
        if (j !== i && left[j] === 0) list[free++] = j;
      }
      length[i] = free - start[i];
      degree[i] = length[i];
      weight[i] = 1;
      this.total++;
    }
    this.free = free;
    // Descending, so that equal degrees start in ascending order.
    for (let i = size - 1; i >= 0; i--) if (left[i] === 0) this.insert(i, degree[i]);
  }

  private insert(i: number, degree: number): void {
    const after = this.head[degree];
    this.next[i] = after;
    this.previous[i] = -1;
    if (after !== -1) this.previous[after] = i;
    this.head[degree] = i;
    if (degree < this.lowestDegree) this.lowestDegree = degree;
  }

  private remove(i: number): void {
    const before = this.previous[i];
    const after = this.next[i];
    if (after !== -1) this.previous[after] = before;
    if (before !== -1) this.next[before] = after;
    else this.head[this.degree[i]] = after;
  }

  private takePivot(): void {
    const head = this.head;
    let degree = this.lowestDegree;
    while (head[degree] === -1) degree++;
    this.lowestDegree = degree;
    const pivot = head[degree];
    this.remove(pivot);
    this.pivot = pivot;
    this.pivotWeight = this.weight[pivot];
    this.eliminated += this.pivotWeight;
    this.pivots[this.pivotCount++] = pivot;
    // Negative like the members of Lp, so that the pivot is not taken for one of its own neighbours.
    this.weight[pivot] = -this.pivotWeight;
  }

  /** Lp = Ap united with all Le of Ep; those elements are absorbed. */
  private formElement(): void {
    const { pivot, start, length, elementCount, mark } = this;
    const elements = elementCount[pivot];
    this.pivotDegree = 0;
    let from: number;
    if (elements === 0) {
      // The list can only shrink: it is rewritten in place.
      from = start[pivot];
      length[pivot] = this.gather(from, from, from + length[pivot]) - from;
    } else {
      this.reserve(pivot);
      const list = this.list;
      const own = start[pivot];
      from = this.free;
      let to = from;
      for (let k = own; k < own + elements; k++) {
        const e = list[k];
        to = this.gather(to, start[e], start[e] + length[e]);
        mark[e] = 0;
      }
      to = this.gather(to, own + elements, own + length[pivot]);
      this.free = to;
      length[pivot] = to - from;
    }
    start[pivot] = from;
    elementCount[pivot] = -1;
  }

  /** Appends the living variables of list[from..end) that are not yet in Lp at `to`; returns the new end of Lp. */
  private gather(to: number, from: number, end: number): number {
    const { list, weight, next, previous, head, degree } = this;
    let gathered = 0;
    for (let k = from; k < end; k++) {
      const i = list[k];
      const unknowns = weight[i];
      if (unknowns <= 0) continue;
      gathered += unknowns;
      weight[i] = -unknowns;
      list[to++] = i;
      const before = previous[i];
      const after = next[i];
      if (after !== -1) previous[after] = before;
      if (before !== -1) next[before] = after;
      else head[degree[i]] = after;
    }
    this.pivotDegree += gathered;
    return to;
  }

  /** Makes room for Lp behind `free`, moving all living lists to the front of the other buffer when there is none. */
  private reserve(pivot: number): void {
    const { start, length, elementCount, weight, mark, list } = this;
    let need = length[pivot] - elementCount[pivot];
    for (let k = start[pivot]; k < start[pivot] + elementCount[pivot]; k++) need += length[list[k]];
    need = Math.min(need, this.total - this.eliminated);
    if (this.free + need <= list.length) return;
    const other = this.spare;
    let free = 0;
    for (let i = 0; i < this.size; i++) {
      const living = elementCount[i] === -1 ? mark[i] !== 0 : weight[i] !== 0;
      if (!living) continue;
      const from = start[i];
      start[i] = free;
      for (let k = from; k < from + length[i]; k++) other[free++] = list[k];
    }
    this.spare = list;
    this.list = other;
    this.free = free;
  }

  /** Leaves mark[e] = |Le \ Lp| + stamp for every element next to Lp [Amestoy1996, algorithm 2]. */
  private measureElements(): void {
    const { list, start, length, elementCount, weight, degree, mark, pivot, stamp } = this;
    const end = start[pivot] + length[pivot];
    for (let k = start[pivot]; k < end; k++) {
      const i = list[k];
      const unknowns = 0 - weight[i];
      const elementEnd = start[i] + elementCount[i];
      for (let q = start[i]; q < elementEnd; q++) {
        const e = list[q];
        const seen = mark[e];
        if (seen >= stamp) mark[e] = seen - unknowns;
        else if (seen !== 0) mark[e] = degree[e] + stamp - unknowns;
      }
    }
  }

  /** Prunes Ei and Ai of every i in Lp, bounds its degree, eliminates it with the pivot if nothing else is left. */
  private updateVariables(): void {
    const { list, start, length, elementCount, weight, degree, mark, pivot, stamp, next, previous, bucket } = this;
    const mask = bucket.length - 1;
    const end = start[pivot] + length[pivot];
    for (let k = start[pivot]; k < end; k++) {
      const i = list[k];
      const from = start[i];
      const elementEnd = from + elementCount[i];
      const listEnd = from + length[i];
      let to = from;
      let outside = 0;
      let hash = 0;
      for (let q = from; q < elementEnd; q++) {
        const e = list[q];
        const seen = mark[e];
        if (seen === 0) continue;
        if (seen > stamp) {
          outside += seen - stamp;
          hash += e;
          list[to++] = e;
        } else {
          // Le lies inside Lp: the pivot's element covers it (aggressive absorption).
          mark[e] = 0;
        }
      }
      const variables = to;
      for (let q = elementEnd; q < listEnd; q++) {
        const j = list[q];
        const unknowns = weight[j];
        if (unknowns <= 0) continue;
        outside += unknowns;
        hash += j;
        list[to++] = j;
      }
      if (outside === 0) {
        this.eliminateWithPivot(i);
        continue;
      }
      if (outside < degree[i]) degree[i] = outside;
      // The pivot becomes the first element. There is room: it or an element it absorbed was in this list.
      list[to] = list[variables];
      list[variables] = list[from];
      list[from] = pivot;
      elementCount[i] = variables - from + 1;
      length[i] = to - from + 1;
      const key = hash & mask;
      previous[i] = key;
      next[i] = bucket[key];
      bucket[key] = i;
    }
  }

  private eliminateWithPivot(i: number): void {
    const unknowns = 0 - this.weight[i];
    this.pivotWeight += unknowns;
    this.pivotDegree -= unknowns;
    this.eliminated += unknowns;
    this.absorbVariable(this.pivot, i);
  }

  /** `other` stops existing; its unknowns follow those of `kept`. */
  private absorbVariable(kept: number, other: number): void {
    this.weight[other] = 0;
    this.elementCount[other] = 0;
    this.member[this.lastMember[kept]] = other;
    this.lastMember[kept] = this.lastMember[other];
  }

  /** Merges variables of Lp with the same Ei and Ai; only those with the same hash are compared. */
  private mergeTwins(): void {
    const { list, start, length, weight, mark, pivot, next, previous, bucket } = this;
    this.advanceStamp();
    const end = start[pivot] + length[pivot];
    for (let k = start[pivot]; k < end; k++) {
      if (weight[list[k]] === 0) continue;
      const key = previous[list[k]];
      let i = bucket[key];
      bucket[key] = -1;
      while (i !== -1 && next[i] !== -1) {
        const stamp = this.stamp;
        const listEnd = start[i] + length[i];
        for (let q = start[i] + 1; q < listEnd; q++) mark[list[q]] = stamp;
        let before = i;
        for (let j = next[i]; j !== -1; j = next[j]) {
          if (this.isTwin(i, j)) {
            weight[i] += weight[j];
            this.absorbVariable(i, j);
            next[before] = next[j];
          } else {
            before = j;
          }
        }
        this.stamp++;
        i = next[i];
      }
    }
  }

  private isTwin(i: number, j: number): boolean {
    const { list, start, length, elementCount, mark, stamp } = this;
    if (length[i] !== length[j] || elementCount[i] !== elementCount[j]) return false;
    const end = start[j] + length[j];
    // The first entry is the pivot for both.
    for (let q = start[j] + 1; q < end; q++) if (mark[list[q]] !== stamp) return false;
    return true;
  }

  /** No mark may reach the new stamp: marks of this pivot are at most stamp + unknowns left. */
  private advanceStamp(): void {
    this.stamp += this.total + 1;
    if (this.stamp < STAMP_LIMIT - 2 * this.total) return;
    const mark = this.mark;
    for (let i = 0; i < this.size; i++) if (mark[i] !== 0) mark[i] = 1;
    this.stamp = 2;
  }

  /** Puts the members of Lp back into the degree lists and keeps the living ones as the element's list. */
  private finishElement(): void {
    const { list, start, length, weight, degree, mark, pivot } = this;
    const from = start[pivot];
    const end = from + length[pivot];
    const left = this.total - this.eliminated;
    let to = from;
    for (let k = from; k < end; k++) {
      const i = list[k];
      const unknowns = 0 - weight[i];
      if (unknowns === 0) continue;
      weight[i] = unknowns;
      list[to++] = i;
      const bound = Math.min(degree[i] + this.pivotDegree - unknowns, left - unknowns);
      degree[i] = bound;
      this.insert(i, bound);
    }
    if (end === this.free) this.free = to;
    length[pivot] = to - from;
    weight[pivot] = 0;
    degree[pivot] = this.pivotDegree;
    mark[pivot] = to === from ? 0 : 1;
  }
}
