/** How obstacles move: sent somewhere by the user, how fast a place on them is, and what they sweep in a step. */
import { TendonError } from '../../errors.js';
import { normaliseQuat } from '../../math/quat.js';
import { shapeBox } from '../shapes/shape-box.js';
import { type ObstacleSet, POSE } from './obstacle.js';
import { requireQuat, requireVector } from './obstacle-def.js';

/**
 * Obstacle i is to be there at the end of the next step, and to stay until it is sent elsewhere or the world is reset; its own
 * velocity or path no longer counts. What it meets on the way is pushed with the speed this takes.
 */
export function setObstaclePose(
  set: ObstacleSet,
  i: number,
  position: ArrayLike<number>,
  rotation: ArrayLike<number>,
): void {
  if (!set.has(i)) throw new TendonError('E_INDEX', 'obstacle/index', i, `the numbers go up to ${set.count - 1}`);
  requireVector(position, 'obstacle/position');
  requireQuat(rotation, 'obstacle/rotation');
  normaliseQuat(set.targets, i * POSE, rotation, 0);
  for (let k = 0; k < 3; k++) set.targets[i * POSE + 4 + k] = position[k];
  set.held[i] = 1;
}

/**
 * out[0..3) = mean velocity [m/s], over the step that was predicted, of what is at the world point p[at..at+3) at its start and
 * moves with obstacle i.
 */
export function obstacleVelocity(set: ObstacleSet, i: number, p: Float64Array, at: number, out: Float64Array): void {
  const { poses, next, rotations, nextRotations } = set;
  const h = set.step[0];
  const r = i * 9;
  const t = i * POSE + 4;
  const x = p[at] - poses[t];
  const y = p[at + 1] - poses[t + 1];
  const z = p[at + 2] - poses[t + 2];
  const localX = rotations[r] * x + rotations[r + 3] * y + rotations[r + 6] * z;
  const localY = rotations[r + 1] * x + rotations[r + 4] * y + rotations[r + 7] * z;
  const localZ = rotations[r + 2] * x + rotations[r + 5] * y + rotations[r + 8] * z;
  for (let k = 0; k < 3; k++) {
    const row = r + k * 3;
    const arm = k === 0 ? x : k === 1 ? y : z;
    // the change of the arm and that of the origin apart, so that an obstacle far away loses no digits
    const turned = nextRotations[row] * localX + nextRotations[row + 1] * localY + nextRotations[row + 2] * localZ;
    out[k] = (turned - arm + (next[t + k] - poses[t + k])) / h;
  }
}

const box = new Float64Array(6);

/**
 * out[0..6) = lowest, then highest corner of a world box that holds the solid of obstacle i during the whole step [m]; without
 * end for planes and containers, which are solid far away; a box that nothing overlaps where it was removed.
 */
export function obstacleBounds(set: ObstacleSet, i: number, out: Float64Array): void {
  if (!set.has(i)) {
    out.fill(Number.POSITIVE_INFINITY, 0, 3);
    out.fill(Number.NEGATIVE_INFINITY, 3, 6);
    return;
  }
  if (!shapeBox(set.defs[i].shape, box)) {
    out.fill(Number.NEGATIVE_INFINITY, 0, 3);
    out.fill(Number.POSITIVE_INFINITY, 3, 6);
    return;
  }
  out.fill(Number.POSITIVE_INFINITY, 0, 3);
  out.fill(Number.NEGATIVE_INFINITY, 3, 6);
  addPlaced(set.rotations, set.poses, i, out);
  addPlaced(set.nextRotations, set.next, i, out);
  const bulge = turnBulge(set, i);
  for (let k = 0; k < 3; k++) {
    out[k] -= bulge;
    out[3 + k] += bulge;
  }
}

/** Grows `out` to hold the shape's box at one of the two poses. */
function addPlaced(rotations: Float64Array, poses: Float64Array, i: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    let low = poses[i * POSE + 4 + k];
    let high = low;
    for (let c = 0; c < 3; c++) {
      const axis = rotations[i * 9 + 3 * k + c];
      low += axis * (axis > 0 ? box[c] : box[3 + c]);
      high += axis * (axis > 0 ? box[3 + c] : box[c]);
    }
    out[k] = Math.min(out[k], low);
    out[3 + k] = Math.max(out[3 + k], high);
  }
}

/**
 * Most that a point of the shape leaves the straight line between its two places: a turn by the angle a bends its way by
 * r a²/8 at most, which is less than 2 r (1 - cos(a/2)) up to half a turn.
 */
function turnBulge({ poses, next }: ObstacleSet, i: number): number {
  let cosine = 0;
  for (let k = 0; k < 4; k++) cosine += poses[i * POSE + k] * next[i * POSE + k];
  const bend = 2 * Math.max(0, 1 - Math.abs(cosine));
  let reachSq = 0;
  for (let k = 0; k < 3; k++) {
    const reach = Math.max(-box[k], box[3 + k]);
    reachSq += reach * reach;
  }
  return bend * Math.sqrt(reachSq);
}
