/**
 * Bones moved by their velocities: turned by the Cayley map, joints closed exactly from the root to the leaves, the whole shifted so
 * that the centre of mass is where its velocity puts it. Twice per step: without contact, and at the end.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { conjugateQuat, multiplyQuat, normaliseQuat, rotateVec3 } from '../../../math/quat.js';
import { betweenDirectionsQuat, turnQuat } from '../../../math/rotation.js';
import { KINEMATIC, type LayerBody } from '../layer-body.js';

const TURN = new Float64Array(3);
const RELATIVE = new Float64Array(4);
const FIRST = new Float64Array(3);
const SECOND = new Float64Array(3);
const WANTED = new Float64Array(3);
const SHIFT = new Float64Array(3);

/**
 * Writes where the bones of `body` are after `h` [s] with the velocities V = (ω, v at the reference point), 6 per bone. At the end of a
 * step joints stay within their limits.
 */
export function advanceBones(body: LayerBody, velocity: Float64Array, h: number, out: BonePoses, isEnd: boolean): void {
  const { model, state } = body;
  const { count, parents } = model.bones;
  const { quats, translations } = state.poses;
  for (let bone = 0; bone < count; bone++) {
    for (let k = 0; k < 4; k++) out.quats[4 * bone + k] = quats[4 * bone + k];
    for (let k = 0; k < 3; k++) TURN[k] = h * velocity[6 * bone + k];
    turnQuat(out.quats, 4 * bone, TURN, 0);
    if (parents[bone] < 0) {
      for (let k = 0; k < 3; k++) out.translations[3 * bone + k] = translations[3 * bone + k] + h * velocity[3 + k];
      out.updateRotation(bone);
    } else {
      keepAxes(body, bone, out.quats);
      if (isEnd && state.drive[bone] !== KINEMATIC) body.limits.keep(bone, out);
      out.updateRotation(bone);
      closeJoint(body, bone, out);
    }
  }
  if (body.fronts.held[0] === 0) shiftToCentre(body, velocity, h, out);
}

/** Takes from the turn of a bone against its parent what its joint does not allow; rounding and the second order of the step. */
function keepAxes({ model }: LayerBody, bone: number, quats: Float64Array): void {
  const { axisCount, axes, parents } = model.bones;
  const turnings = axisCount[bone];
  if (turnings === 3) return;
  const parent = 4 * parents[bone];
  const q = 4 * bone;
  const a = 6 * bone;
  if (turnings === 2) {
    // the second axis, fixed in the bone, stays perpendicular to the first, fixed in the parent
    rotateVec3(FIRST, 0, quats, parent, axes, a);
    rotateVec3(SECOND, 0, quats, q, axes, a + 3);
    const along = FIRST[0] * SECOND[0] + FIRST[1] * SECOND[1] + FIRST[2] * SECOND[2];
    for (let k = 0; k < 3; k++) WANTED[k] = SECOND[k] - along * FIRST[k];
    betweenDirectionsQuat(RELATIVE, 0, SECOND, 0, WANTED, 0);
    multiplyQuat(quats, q, RELATIVE, 0, quats, q);
    normaliseQuat(quats, q, quats, q);
    return;
  }
  conjugateQuat(RELATIVE, 0, quats, parent);
  multiplyQuat(RELATIVE, 0, RELATIVE, 0, quats, q);
  if (turnings === 0) RELATIVE.fill(0, 0, 3);
  else {
    const along = RELATIVE[0] * axes[a] + RELATIVE[1] * axes[a + 1] + RELATIVE[2] * axes[a + 2];
    for (let k = 0; k < 3; k++) RELATIVE[k] = along * axes[a + k];
  }
  if (turnings === 0) RELATIVE[3] = 1;
  normaliseQuat(RELATIVE, 0, RELATIVE, 0);
  multiplyQuat(quats, q, quats, parent, RELATIVE, 0);
  normaliseQuat(quats, q, quats, q);
}

/** Puts a bone where its joint meets that of its parent. */
function closeJoint({ model }: LayerBody, bone: number, out: BonePoses): void {
  const { parents, places, centre } = model.bones;
  const { rotations: r, translations } = out;
  const parent = parents[bone];
  const b = 3 * bone;
  const p = 3 * parent;
  const ax = places[b] - centre[p];
  const ay = places[b + 1] - centre[p + 1];
  const az = places[b + 2] - centre[p + 2];
  const bx = places[b] - centre[b];
  const by = places[b + 1] - centre[b + 1];
  const bz = places[b + 2] - centre[b + 2];
  for (let k = 0; k < 3; k++) {
    const i = 9 * parent + 3 * k;
    const j = 9 * bone + 3 * k;
    const joint = translations[p + k] + (r[i] * ax + r[i + 1] * ay + r[i + 2] * az);
    translations[b + k] = joint - (r[j] * bx + r[j + 1] * by + r[j + 2] * bz);
  }
}

/** Moves all bones so that the centre of mass went h times its velocity. */
function shiftToCentre({ model, state, fronts }: LayerBody, velocity: Float64Array, h: number, out: BonePoses): void {
  const { count, mass } = model.bones;
  const { translations } = state.poses;
  const { reference } = fronts;
  SHIFT.fill(0);
  for (let bone = 0; bone < count; bone++) {
    const c = 3 * bone;
    const v = 6 * bone;
    const rx = translations[c] - reference[c];
    const ry = translations[c + 1] - reference[c + 1];
    const rz = translations[c + 2] - reference[c + 2];
    const vx = velocity[v + 3] + velocity[v + 1] * rz - velocity[v + 2] * ry;
    const vy = velocity[v + 4] + velocity[v + 2] * rx - velocity[v] * rz;
    const vz = velocity[v + 5] + velocity[v] * ry - velocity[v + 1] * rx;
    SHIFT[0] += mass[bone] * (translations[c] - out.translations[c] + h * vx);
    SHIFT[1] += mass[bone] * (translations[c + 1] - out.translations[c + 1] + h * vy);
    SHIFT[2] += mass[bone] * (translations[c + 2] - out.translations[c + 2] + h * vz);
  }
  for (let bone = 0; bone < count; bone++) {
    for (let k = 0; k < 3; k++) out.translations[3 * bone + k] += SHIFT[k] / model.totalMass;
  }
}
