/**
 * How much of each bone's motion a node starts a frame with: harmonic weights, one on the bone's own nodes, zero on all other
 * bones, and smooth in between. A frame that starts where they lead needs a third of the iterations of one that starts where
 * the last one ended. Solved for by conjugate gradients over the Laplacian cycle, three bones at a time; once per body.
 */

import type { LatticeBody } from '../lattice-body.js';
import type { Arithmetic, FirstMatrix, Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';

/** Bones that a node follows at most. */
export const BONES_PER_NODE = 4;
/** Residual, relative to the first, at which weights are good enough to start from. */
const TOLERANCE = 1e-3;
const MAX_ITERATIONS = 60;
/** Share of the strongest bone's weight below which a bone is left out. */
const NEGLIGIBLE = 1e-3;

/** The strongest bones of each node, in falling order, and their weights, adding up to 1 (or all 0 where no bone reaches). */
export interface BoneWeights {
  readonly bones: Int32Array;
  readonly weights: Float32Array;
}

/** Vectors to work with. */
export interface SolveRoom {
  readonly x: Vector;
  readonly r: Vector;
  readonly z: Vector;
  readonly p: Vector;
  readonly q: Vector;
  /** Zero, but for what ties pull with at the start of a solve. */
  readonly zero: Vector;
}

/** Finds the weights. `boneOfNode`: -1 for free nodes. */
export function findBoneWeights(
  arithmetic: Arithmetic,
  cycle: FirstMatrix,
  body: LatticeBody,
  boneOfNode: Int32Array,
  boneCount: number,
  room: SolveRoom,
): BoneWeights {
  const { placeOfNode } = body.layout;
  const bones = new Int32Array(BONES_PER_NODE * boneOfNode.length);
  const weights = new Float32Array(BONES_PER_NODE * boneOfNode.length);
  const { ties } = body.filling;
  for (let first = 0; first < boneCount; first += 3) {
    room.x.view.fill(0);
    placeOfNode.forEach((place, node) => {
      const k = boneOfNode[node] - first;
      if (k < 0 || k >= 3) return;
      room.x.view[floatOfPlace(place, k)] = 1;
      // a soft bone pulls its nodes to one by their ties
      if (ties) room.zero.view[floatOfPlace(place, k)] = ties[node];
    });
    solveLaplace(arithmetic, cycle, body, room);
    placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3 && first + k < boneCount; k++) {
        keepStrongest(bones, weights, node, first + k, room.x.view[floatOfPlace(place, k)]);
      }
    });
  }
  normalise(weights);
  return { bones, weights };
}

/** x at free nodes so that A x is `zero` there (what ties pull with, cleared on the way), from the values at held nodes. */
function solveLaplace(a: Arithmetic, cycle: FirstMatrix, { layout, filling }: LatticeBody, room: SolveRoom): void {
  const { x, r, z, p, q, zero } = room;
  const holdRows = (vector: Vector): void =>
    layout.placeOfNode.forEach((place, node) => {
      if (filling.held[node]) for (let k = 0; k < 3; k++) vector.view[floatOfPlace(place, k)] = 0;
    });
  a.residual(zero, x, r);
  zero.view.fill(0);
  holdRows(r);
  cycle.run(r, z);
  a.copy(p, z);
  let rz = a.dot(r, z);
  const enough = TOLERANCE * TOLERANCE * rz;
  for (let n = 0; n < MAX_ITERATIONS && rz > enough; n++) {
    a.residual(zero, p, q);
    holdRows(q);
    const alpha = -rz / a.dot(p, q);
    a.addScaled(x, alpha, p);
    a.addScaled(r, alpha, q);
    cycle.run(r, z);
    const next = a.dot(r, z);
    // p = z + beta p
    a.move(p, z, next / rz, p);
    rz = next;
  }
}

/** Puts a bone among the strongest of a node, in falling order. */
function keepStrongest(bones: Int32Array, weights: Float32Array, node: number, bone: number, value: number): void {
  const o = BONES_PER_NODE * node;
  let n = o + BONES_PER_NODE - 1;
  if (!(value > weights[n])) return;
  for (; n > o && value > weights[n - 1]; n--) {
    bones[n] = bones[n - 1];
    weights[n] = weights[n - 1];
  }
  bones[n] = bone;
  weights[n] = value;
}

function normalise(weights: Float32Array): void {
  for (let o = 0; o < weights.length; o += BONES_PER_NODE) {
    let sum = 0;
    for (let n = o; n < o + BONES_PER_NODE; n++) {
      if (weights[n] < NEGLIGIBLE * weights[o]) weights[n] = 0;
      sum += weights[n];
    }
    if (!(sum > 1e-6)) continue;
    for (let n = o; n < o + BONES_PER_NODE; n++) weights[n] /= sum;
  }
}
