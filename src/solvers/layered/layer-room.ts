/** Where the numbers of a character are that kernels work on: in the world's memory, or in one of its own where there are no kernels. */

import type { MemoryPlan } from '../../kernels/memory.js';
import { BONE_NUMBERS, BoneRoom, boneWholeNumbers } from '../../linalg/bone-room.js';
import type { LayerModel } from './layer-model.js';

/** Numbers per row of a joint. */
const ROW_NUMBERS = 8;

/** Room of one character. */
export interface LayerRoom {
  readonly bones: BoneRoom;
  /** Numbers of joint rows, array after array of `mostRows`: directions (3 each), values, yields, slowings, bounds, impulses; and their kinds. */
  readonly rows: Float64Array;
  readonly kinds: Int32Array;
  /** Matrices of bones at the start of the step and without contact; quaternions, rotations and places of the latter; longest dent of each. */
  readonly moves: Float64Array;
  /** 1 for nodes with a dent. */
  readonly isDented: Int32Array;
}

/** Numbers per bone in `moves`. */
const MOVE_NUMBERS = 41;

/** Most rows that the joints of a character can have: all limits, and motors about three directions. */
export function mostRows({ joints, bones }: LayerModel): number {
  return joints.limits.count + 3 * bones.count;
}

/** Room outside of any world. */
export function makeLayerRoom(model: LayerModel): LayerRoom {
  const rows = mostRows(model);
  return {
    bones: new BoneRoom(model.bones.count),
    rows: new Float64Array(ROW_NUMBERS * rows),
    kinds: new Int32Array(rows),
    moves: new Float64Array(MOVE_NUMBERS * model.bones.count),
    isDented: new Int32Array(model.nodeCount),
  };
}

/** Plans room in a world's memory; call the result once it exists. */
export function planLayerRoom(plan: MemoryPlan, model: LayerModel): () => LayerRoom {
  const { count } = model.bones;
  const numbers = plan.f64(BONE_NUMBERS * count);
  const whole = plan.i32(boneWholeNumbers(count));
  const rows = plan.f64(ROW_NUMBERS * mostRows(model));
  const kinds = plan.i32(mostRows(model));
  const moves = plan.f64(MOVE_NUMBERS * count);
  const isDented = plan.i32(model.nodeCount);
  return () => ({
    bones: new BoneRoom(count, numbers.view, whole.view),
    rows: rows.view,
    kinds: kinds.view,
    moves: moves.view,
    isDented: isDented.view,
  });
}
