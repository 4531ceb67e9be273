/**
 * The elimination of amd.ts, stage by stage [Amestoy1996, algorithm 1], on the arrays of quotient-graph.ts.
 */

import { insert, type QuotientGraph, remove, reserve } from './quotient-graph.js';

/** Stamps restart before they could overflow 31 bits. */
const STAMP_LIMIT = 0x3fffffff;

/**
 * What happens to each pivot, in this order. Called through a table on purpose: direct calls are copied into their caller
 * by the compiler, which then spends 20 ms more on compiling in the background, twice what ordering 12k unknowns takes.
 */
const STAGES: readonly ((graph: QuotientGraph) => void)[] = [
  takePivot,
  formElement,
  measureElements,
  updateVariables,
  mergeTwins,
  finishElement,
];

/** Runs the elimination to its end. */
export function eliminateAll(graph: QuotientGraph): void {
  while (graph.eliminated < graph.total) {
    for (let k = 0; k < STAGES.length; k++) STAGES[k](graph);
  }
}

/** Writes the unknowns in elimination order and returns how many there are. */
export function writeOrder(graph: QuotientGraph, permutation: Int32Array): number {
  let filled = 0;
  for (let k = 0; k < graph.pivotCount; k++) {
    for (let i = graph.pivots[k]; i !== -1; i = graph.member[i]) permutation[filled++] = i;
  }
  return filled;
}

/** Takes a variable of least degree out of the graph. */
function takePivot(graph: QuotientGraph): void {
  const head = graph.head;
  let degree = graph.lowestDegree;
  while (head[degree] === -1) degree++;
  graph.lowestDegree = degree;
  const pivot = head[degree];
  remove(graph, pivot);
  graph.pivot = pivot;
  graph.pivotWeight = graph.weight[pivot];
  graph.eliminated += graph.pivotWeight;
  graph.pivots[graph.pivotCount++] = pivot;
  // Negative like the members of Lp, so that the pivot is not taken for one of its own neighbours.
  graph.weight[pivot] = -graph.pivotWeight;
}

/** Lp = Ap united with all Le of Ep; those elements are absorbed. */
function formElement(graph: QuotientGraph): void {
  const { pivot, start, length, elementCount, mark } = graph;
  const elements = elementCount[pivot];
  graph.pivotDegree = 0;
  let from: number;
  if (elements === 0) {
    // The list can only shrink: it is rewritten in place.
    from = start[pivot];
    length[pivot] = gather(graph, from, from, from + length[pivot]) - from;
  } else {
    reserve(graph, pivot);
    const list = graph.list;
    const own = start[pivot];
    from = graph.free;
    let to = from;
    for (let k = own; k < own + elements; k++) {
      const e = list[k];
      to = gather(graph, to, start[e], start[e] + length[e]);
      mark[e] = 0;
    }
    to = gather(graph, to, own + elements, own + length[pivot]);
    graph.free = to;
    length[pivot] = to - from;
  }
  start[pivot] = from;
  elementCount[pivot] = -1;
}

/** Appends the living variables of list[from..end) that are not yet in Lp at `to`; returns the new end of Lp. */
function gather(graph: QuotientGraph, to: number, from: number, end: number): number {
  const { list, weight, next, previous, head, degree } = graph;
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
  graph.pivotDegree += gathered;
  return to;
}

/** Leaves mark[e] = |Le \ Lp| + stamp for every element next to Lp [Amestoy1996, algorithm 2]. */
function measureElements(graph: QuotientGraph): void {
  const { list, start, length, elementCount, weight, degree, mark, pivot, stamp } = graph;
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
function updateVariables(graph: QuotientGraph): void {
  const { list, start, length, elementCount, weight, degree, mark, pivot, stamp, next, previous, bucket } = graph;
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
      eliminateWithPivot(graph, i);
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

/** Variable i has no neighbour outside Lp: it is eliminated together with the pivot, without more fill. */
function eliminateWithPivot(graph: QuotientGraph, i: number): void {
  const unknowns = 0 - graph.weight[i];
  graph.pivotWeight += unknowns;
  graph.pivotDegree -= unknowns;
  graph.eliminated += unknowns;
  absorbVariable(graph, graph.pivot, i);
}

/** `other` stops existing; its unknowns follow those of `kept`. */
function absorbVariable(graph: QuotientGraph, kept: number, other: number): void {
  graph.weight[other] = 0;
  graph.elementCount[other] = 0;
  graph.member[graph.lastMember[kept]] = other;
  graph.lastMember[kept] = graph.lastMember[other];
}

/** Merges variables of Lp with the same Ei and Ai; only those with the same hash are compared. */
function mergeTwins(graph: QuotientGraph): void {
  const { list, start, length, weight, mark, pivot, next, previous, bucket } = graph;
  advanceStamp(graph);
  const end = start[pivot] + length[pivot];
  for (let k = start[pivot]; k < end; k++) {
    if (weight[list[k]] === 0) continue;
    const key = previous[list[k]];
    let i = bucket[key];
    bucket[key] = -1;
    while (i !== -1 && next[i] !== -1) {
      const stamp = graph.stamp;
      const listEnd = start[i] + length[i];
      for (let q = start[i] + 1; q < listEnd; q++) mark[list[q]] = stamp;
      let before = i;
      for (let j = next[i]; j !== -1; j = next[j]) {
        if (isTwin(graph, i, j)) {
          weight[i] += weight[j];
          absorbVariable(graph, i, j);
          next[before] = next[j];
        } else {
          before = j;
        }
      }
      graph.stamp++;
      i = next[i];
    }
  }
}

/** Whether i, whose list is marked, and j have the same Ei and Ai. */
function isTwin(graph: QuotientGraph, i: number, j: number): boolean {
  const { list, start, length, elementCount, mark, stamp } = graph;
  if (length[i] !== length[j] || elementCount[i] !== elementCount[j]) return false;
  const end = start[j] + length[j];
  // The first entry is the pivot for both.
  for (let q = start[j] + 1; q < end; q++) if (mark[list[q]] !== stamp) return false;
  return true;
}

/** No mark may reach the new stamp: marks of this pivot are at most stamp + unknowns left. */
function advanceStamp(graph: QuotientGraph): void {
  graph.stamp += graph.total + 1;
  if (graph.stamp < STAMP_LIMIT - 2 * graph.total) return;
  const mark = graph.mark;
  for (let i = 0; i < graph.size; i++) if (mark[i] !== 0) mark[i] = 1;
  graph.stamp = 2;
}

/** Puts the members of Lp back into the degree lists and keeps the living ones as the element's list. */
function finishElement(graph: QuotientGraph): void {
  const { list, start, length, weight, degree, mark, pivot } = graph;
  const from = start[pivot];
  const end = from + length[pivot];
  const left = graph.total - graph.eliminated;
  let to = from;
  for (let k = from; k < end; k++) {
    const i = list[k];
    const unknowns = 0 - weight[i];
    if (unknowns === 0) continue;
    weight[i] = unknowns;
    list[to++] = i;
    const bound = Math.min(degree[i] + graph.pivotDegree - unknowns, left - unknowns);
    degree[i] = bound;
    insert(graph, i, bound);
  }
  if (end === graph.free) graph.free = to;
  length[pivot] = to - from;
  weight[pivot] = 0;
  degree[pivot] = graph.pivotDegree;
  mark[pivot] = to === from ? 0 : 1;
}
