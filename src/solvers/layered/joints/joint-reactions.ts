/**
 * What joints carry: the impulse that goes from a parent to its bone through their joint, f = A X V_p − b with the inertia A and the momentum b
 * that the fronts are left with once the free turnings are eliminated. Last stage of the layered step; nothing is solved again.
 */
import { JOINT_TABLE, JOINT_TYPES, POINT_ROWS } from '../../../body/joints/joint-table.js';
import { multiplyRowsPacked6, PACKED6 } from '../../../linalg/packed6.js';
import type { LayerBody } from '../layer-body.js';

const MOVED = new Float64Array(6);
const IMPULSE = new Float64Array(6);
const FIRST = new Float64Array(3);
const SECOND = new Float64Array(3);

/** Fills the multipliers of all joint rows of a body [N]: forces on the second bone, and turning ones by the size of the body. */
export function readReactions(body: LayerBody, h: number, out: Float64Array): void {
  const { model, fronts, mobility } = body;
  const { parents, count } = model.bones;
  const { joints, size } = model;
  const { velocity, momentum } = fronts;
  const touched = body.needed[0] === 1;
  for (let bone = 1; bone < count; bone++) {
    const b = 6 * bone;
    for (let k = 0; k < 3; k++) {
      // what moves with the parent has its spin, and the joint's own velocity
      MOVED[k] = velocity[6 * parents[bone] + k];
      MOVED[3 + k] = velocity[b + 3 + k];
    }
    const directions = JOINT_TABLE[JOINT_TYPES[joints.types[bone - 1]]].equal;
    // what turns is asked for only where the joint holds a direction
    const from = directions.length > 0 ? 0 : POINT_ROWS;
    multiplyRowsPacked6(fronts.inertia, PACKED6 * bone, MOVED, 0, IMPULSE, 0, from);
    for (let k = from; k < 6; k++) IMPULSE[k] -= momentum[b + k] + (touched ? mobility.handed[b + k] : 0);
    const row = joints.rowStart[bone - 1];
    for (let k = 0; k < POINT_ROWS; k++) out[row + k] = IMPULSE[3 + k] / h;
    for (let n = 0; n < directions.length; n++) {
      turnFrame(body, parents[bone], 9 * (bone - 1) + 3 * directions[n][0], FIRST);
      turnFrame(body, bone, 9 * (bone - 1) + 3 * directions[n][1], SECOND);
      out[row + POINT_ROWS + n] = triple(IMPULSE, FIRST, SECOND) / (h * size);
    }
  }
}

/** out = a direction of the joints' frames, as a bone carries it. */
function turnFrame({ model, state }: LayerBody, bone: number, f: number, out: Float64Array): void {
  const { frame } = model.joints;
  const { rotations: r } = state.poses;
  for (let k = 0; k < 3; k++) {
    const row = 9 * bone + 3 * k;
    out[k] = r[row] * frame[f] + r[row + 1] * frame[f + 1] + r[row + 2] * frame[f + 2];
  }
}

/** a·(b × c) */
function triple(a: Float64Array, b: Float64Array, c: Float64Array): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}
