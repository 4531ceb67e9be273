/**
 * Helper joints for soft surfaces: pieces of a surface that move nearly rigidly, and how they moved. A surface is cut at the
 * piece that is worst described by one rigid motion, and pieces trade vertices with each other, until there are enough of
 * them (the joints of [Le2012], found by clustering). Used by exporters, so that what was soft plays in any program.
 */

import { errorOf, sampleStates } from './fit-weights.js';
import { type Frame, motionsOf, rigidPoses } from './formats/bone-frames.js';

/** Rounds of trading vertices after each doubling of the pieces. */
const ROUNDS = 2;
/** Fewest vertices of a piece: fewer do not say how it is turned. */
const FEWEST = 12;

/** Poses of each helper joint, 7 per state; `groups`: a first guess of what moves together, one number per vertex. */
export function fitHelpers(states: readonly Float32Array[], groups: Int32Array, count: number): Float32Array[] {
  const chosen = sampleStates(states);
  const few = chosen.map((state) => states[state]);
  const group = renumber(groups);
  let pieces = fitPieces(few, group);
  while (pieces.length < count) {
    const before = pieces.length;
    splitWorst(few, group, pieces, Math.min(count - pieces.length, Math.max(1, pieces.length >> 1)));
    for (let round = 0; round < ROUNDS; round++) {
      pieces = fitPieces(few, group);
      trade(few, group, pieces);
    }
    pieces = fitPieces(few, group);
    if (pieces.length <= before) break;
  }
  return membersOf(group).map((members) => rigidPoses(states.map((state) => gather(state, members))));
}

/** How every piece moved. */
function fitPieces(states: readonly Float32Array[], group: Int32Array): Frame[][] {
  group.set(renumber(group));
  return membersOf(group).map((members) => motionsOf(rigidPoses(states.map((state) => gather(state, members)))));
}

/** Cuts the worst pieces in two, each between its two vertices that are off in the most different ways. */
function splitWorst(
  states: readonly Float32Array[],
  group: Int32Array,
  pieces: readonly Frame[][],
  many: number,
): void {
  const members = membersOf(group);
  const errors = members.map((own, piece) =>
    own.reduce((sum, v) => sum + errorOf(states, pieces[piece], states[0], v), 0),
  );
  const order = errors.map((_, piece) => piece).filter((piece) => members[piece].length >= 2 * FEWEST);
  order.sort((a, b) => errors[b] - errors[a] || a - b);
  let next = members.length;
  for (const piece of order.slice(0, many)) {
    const worst = members[piece].reduce((best, v) =>
      errorOf(states, pieces[piece], states[0], v) > errorOf(states, pieces[piece], states[0], best) ? v : best,
    );
    // the half that is nearer to the worst vertex, in the first state
    const away = members[piece].map((v): [number, number] => [v, distanceSq(states[0], v, worst)]);
    away.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    for (const [v] of away.slice(0, Math.max(FEWEST, away.length >> 1))) group[v] = next;
    next++;
  }
}

/** Every vertex goes to the piece that describes it best. */
function trade(states: readonly Float32Array[], group: Int32Array, pieces: readonly Frame[][]): void {
  for (let v = 0; v < group.length; v++) {
    let best = group[v];
    let least = errorOf(states, pieces[best], states[0], v);
    for (let piece = 0; piece < pieces.length; piece++) {
      if (piece === group[v]) continue;
      const error = errorOf(states, pieces[piece], states[0], v, least);
      if (error < least) [least, best] = [error, piece];
    }
    group[v] = best;
  }
}

/** Numbers from 0 on without gaps; pieces of too few vertices join the first piece. */
function renumber(group: Int32Array): Int32Array {
  const sizes = new Map<number, number>();
  for (const piece of group) sizes.set(piece, (sizes.get(piece) ?? 0) + 1);
  const largest = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  const numbers = new Map<number, number>();
  for (const [piece, size] of [...sizes].sort((a, b) => a[0] - b[0])) {
    if (size >= FEWEST || piece === largest) numbers.set(piece, numbers.size);
  }
  return group.map((piece) => numbers.get(piece) ?? numbers.get(largest)!);
}

function membersOf(group: Int32Array): number[][] {
  const members: number[][] = [];
  group.forEach((piece, v) => {
    members[piece] ??= [];
    members[piece].push(v);
  });
  return members;
}

function gather(state: Float32Array, members: readonly number[]): Float32Array {
  const out = new Float32Array(3 * members.length);
  for (let i = 0; i < members.length; i++) {
    const v = members[i];
    out[3 * i] = state[3 * v];
    out[3 * i + 1] = state[3 * v + 1];
    out[3 * i + 2] = state[3 * v + 2];
  }
  return out;
}

function distanceSq(p: Float32Array, a: number, b: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (p[3 * a + k] - p[3 * b + k]) * (p[3 * a + k] - p[3 * b + k]);
  return sum;
}
