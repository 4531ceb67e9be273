/**
 * The motion of a soft body in the words of glTF: joints that move rigidly, weights that bind the surface to them, and morph
 * targets for what that leaves. Used by the writers of `.glb` files.
 */

import { type FittedWeights, fitWeights } from './fit-weights.js';
import { leavesMore, leftOver, motionsOf, rigidPoses } from './formats/bone-frames.js';
import { fitHelpers, ROUGH } from './helper-joints.js';
import { fitShapes } from './shapes.js';
import type { TakeBody, TakeBone } from './take.js';
import { type MorphTargets, shiftWeights } from './unit-weights.js';

/** How exact a recording is to be. */
export interface FitOptions {
  /** Where no vertex is farther off than this part of its body's size no more is added to the file; default 5e-4. */
  readonly tolerance?: number;
  /** Part of the bytes of one full morph target per state that a body may take, whatever the tolerance; default 1/12. */
  readonly share?: number;
  /** Flesh as this many helper joints, and no morph targets at all. */
  readonly helpers?: number;
}

const DEFAULT_TOLERANCE = 5e-4;
const DEFAULT_SHARE = 1 / 12;
/** Helper joints of a soft body, and the fewest vertices there are for each. */
const MOST_HELPERS = 48;
const VERTICES_PER_HELPER = 30;
/** Morph targets that are always affordable, and those that no file has more of. */
const FREE_SHAPES = 8;
const MOST_SHAPES = 160;
/** Bytes per vertex of a morph target, of one with all its digits, and of the mesh itself. */
const TARGET_BYTES = 12;
const FULL_BYTES = 24;
const BASE_BYTES = 56;
/** A body as joints, weights and targets. */
export interface FittedBody {
  /** The body's own bones first, then helper joints. */
  readonly bones: readonly TakeBone[];
  readonly weights: FittedWeights;
  readonly morph: MorphTargets;
  /** The tolerance [m]. */
  readonly allowed: number;
  /** How far vertices are off all the same [m]. */
  readonly error: { readonly max: number; readonly rms: number };
}

/** The motion of a body as bones, helper joints where these leave too much, and shapes for the rest. */
export function fitBody(
  body: TakeBody,
  { tolerance = DEFAULT_TOLERANCE, share = DEFAULT_SHARE, helpers: wanted }: FitOptions,
): FittedBody {
  const { positions, normals, name } = body;
  const [rest] = positions;
  const allowed = tolerance * sizeOf(rest);
  const vertexCount = rest.length / 3;
  const given = body.bones.length > 0 ? body.bones : [{ name: `${name} motion`, poses: rigidPoses(positions) }];
  let bones: readonly TakeBone[] = given;
  let motions = bones.map(({ poses }) => motionsOf(poses));
  let weights = fitWeights(rest, positions, motions);
  if (positions.length > FREE_SHAPES && leavesMore(positions, weights, motions, allowed)) {
    const count = Math.min(wanted ?? MOST_HELPERS, Math.floor(vertexCount / VERTICES_PER_HELPER));
    const helpers = fitHelpers(positions, motions, count, wanted === undefined ? ROUGH : undefined);
    bones = [...given, ...helpers.map((poses, i) => ({ name: `${name} helper ${i + 1}`, poses }))];
    motions = bones.map(({ poses }) => motionsOf(poses));
    weights = fitWeights(rest, positions, motions);
  }
  const left = leftOver(positions, normals, weights, motions);
  const budget =
    share * FULL_BYTES * positions.length - BASE_BYTES - (28 * positions.length * bones.length) / vertexCount;
  const affordable = Math.min(MOST_SHAPES, Math.max(FREE_SHAPES, Math.floor(budget / TARGET_BYTES)));
  const most = wanted === undefined ? affordable : 0;
  const shapes = fitShapes(left.offsets, left.normalOffsets, 0.8 * allowed, most);
  return { bones, weights, morph: shiftWeights(shapes, positions.length), allowed, error: shapes.error };
}

function sizeOf(positions: Float32Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
