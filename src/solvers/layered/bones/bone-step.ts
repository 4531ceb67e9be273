/**
 * The free step of a character's bones: fronts from the pose, momenta from velocities, gravity and drives, velocities from the
 * fronts. First stage of the layered step.
 *
 *     (M + h (k_d + h k_p) P) v' = M v + h F + h (−k_p e + k_d ω_target),   joints closed        [Galoppo2007 §4.2, App. B]
 *
 * e is twice the vector part of the quaternion from the target pose of a joint to its present one, P acts on the turning of a
 * bone against its parent. Symmetric and positive definite, where the paper's App. B is neither; all forces of joints are internal,
 * so momentum is kept.
 */
import { addRigidPacked6, PACKED6 } from '../../../linalg/packed6.js';
import { turnRate } from '../../../math/rotation.js';
import { KINEMATIC, type LayerBody } from '../layer-body.js';
import type { LayeredOptions } from '../options.js';
import { driveJoints, driveRoots, pullGrips, pushNodes } from './bone-drives.js';

/** Mass with which kinematic bones that are no roots are held, in masses of the whole body. */
const HELD_MASS = 1e6;

/** Fills the fronts of a character; factored and solved they give its free velocities. */
export function fillFronts(body: LayerBody, gravity: ArrayLike<number>, h: number, options: LayeredOptions): void {
  const { fronts, model } = body;
  const { count, parents } = model.bones;
  fronts.inertia.fill(0);
  for (let bone = 0; bone < count; bone++) {
    turnInertia(body, bone, body.state.poses.rotations);
    placeReference(body, bone);
    fillFront(body, bone, gravity, h);
    fronts.held[bone] = parents[bone] < 0 && body.state.drive[bone] === KINEMATIC ? 1 : 0;
  }
  driveJoints(body, h, options);
  driveRoots(body, gravity, h, options);
  for (let bone = 0; bone < count; bone++) {
    if (body.state.drive[bone] === KINEMATIC && fronts.held[bone] === 0) holdBone(body, bone, h);
  }
  pullGrips(body, h, options);
  pushNodes(body, h);
}

/** World inertia R I Rᵀ of a bone that is turned by its rotation in `r`. */
export function turnInertia({ inertia, model }: LayerBody, bone: number, r: Float64Array): void {
  const rest = model.bones.inertia;
  const o = 9 * bone;
  for (let i = 0; i < 3; i++) {
    const a = r[o + 3 * i];
    const b = r[o + 3 * i + 1];
    const c = r[o + 3 * i + 2];
    // row i of R I
    const x = a * rest[o] + b * rest[o + 3] + c * rest[o + 6];
    const y = a * rest[o + 1] + b * rest[o + 4] + c * rest[o + 7];
    const z = a * rest[o + 2] + b * rest[o + 5] + c * rest[o + 8];
    for (let j = 0; j <= i; j++) {
      const value = x * r[o + 3 * j] + y * r[o + 3 * j + 1] + z * r[o + 3 * j + 2];
      inertia[o + 3 * i + j] = value;
      inertia[o + 3 * j + i] = value;
    }
  }
}

/** The joint to the parent in the world, and the axes it turns about. */
function placeReference({ state, fronts, model }: LayerBody, bone: number): void {
  const { rotations: r, translations } = state.poses;
  const { places, centre, parents, axisCount, axes } = model.bones;
  const x = places[3 * bone] - centre[3 * bone];
  const y = places[3 * bone + 1] - centre[3 * bone + 1];
  const z = places[3 * bone + 2] - centre[3 * bone + 2];
  for (let k = 0; k < 3; k++) {
    const row = 9 * bone + 3 * k;
    fronts.reference[3 * bone + k] = translations[3 * bone + k] + r[row] * x + r[row + 1] * y + r[row + 2] * z;
  }
  const turnings = axisCount[bone];
  if (turnings === 3 || turnings === 0) return;
  for (let j = 0; j < turnings; j++) {
    // the first axis is fixed in the parent, the second in the bone
    const carrier = j === 0 ? parents[bone] : bone;
    const a = 6 * bone + 3 * j;
    for (let k = 0; k < 3; k++) {
      const row = 9 * carrier + 3 * k;
      fronts.axes[9 * bone + 3 * j + k] = r[row] * axes[a] + r[row + 1] * axes[a + 1] + r[row + 2] * axes[a + 2];
    }
  }
}

/** Inertia and momentum of a bone about its reference point, gravity included. */
function fillFront(
  { state, fronts, model, inertia }: LayerBody,
  bone: number,
  gravity: ArrayLike<number>,
  h: number,
): void {
  const { spins, velocities, poses } = state;
  const { reference, momentum } = fronts;
  const mass = model.bones.mass[bone];
  const c = 3 * bone;
  const rx = poses.translations[c] - reference[c];
  const ry = poses.translations[c + 1] - reference[c + 1];
  const rz = poses.translations[c + 2] - reference[c + 2];
  addRigidPacked6(fronts.inertia, PACKED6 * bone, mass, rx, ry, rz, inertia, 9 * bone);
  const px = mass * (velocities[c] + h * gravity[0]);
  const py = mass * (velocities[c + 1] + h * gravity[1]);
  const pz = mass * (velocities[c + 2] + h * gravity[2]);
  const wx = spins[c];
  const wy = spins[c + 1];
  const wz = spins[c + 2];
  const i = 9 * bone;
  const b = 6 * bone;
  momentum[b] = inertia[i] * wx + inertia[i + 1] * wy + inertia[i + 2] * wz + ry * pz - rz * py;
  momentum[b + 1] = inertia[i + 3] * wx + inertia[i + 4] * wy + inertia[i + 5] * wz + rz * px - rx * pz;
  momentum[b + 2] = inertia[i + 6] * wx + inertia[i + 7] * wy + inertia[i + 8] * wz + rx * py - ry * px;
  momentum[b + 3] = px;
  momentum[b + 4] = py;
  momentum[b + 5] = pz;
}

const TURNING = new Float64Array(9);
const SPIN = new Float64Array(3);

/** A kinematic bone below the root: as heavy as a mountain that moves where the bone is sent. */
function holdBone(body: LayerBody, bone: number, h: number): void {
  const { fronts, model, state } = body;
  const c = 3 * bone;
  const mass = HELD_MASS * model.totalMass;
  const turning = mass * model.size * model.size;
  const rx = state.poses.translations[c] - fronts.reference[c];
  const ry = state.poses.translations[c + 1] - fronts.reference[c + 1];
  const rz = state.poses.translations[c + 2] - fronts.reference[c + 2];
  for (let k = 0; k < 3; k++) TURNING[4 * k] = turning;
  addRigidPacked6(fronts.inertia, PACKED6 * bone, mass, rx, ry, rz, TURNING, 0);
  turnRate(state.poses.quats, 4 * bone, state.targets, 7 * bone, h, SPIN);
  const px = (mass * (state.targets[7 * bone + 4] - state.poses.translations[c])) / h;
  const py = (mass * (state.targets[7 * bone + 5] - state.poses.translations[c + 1])) / h;
  const pz = (mass * (state.targets[7 * bone + 6] - state.poses.translations[c + 2])) / h;
  const b = 6 * bone;
  fronts.momentum[b] += turning * SPIN[0] + ry * pz - rz * py;
  fronts.momentum[b + 1] += turning * SPIN[1] + rz * px - rx * pz;
  fronts.momentum[b + 2] += turning * SPIN[2] + rx * py - ry * px;
  fronts.momentum[b + 3] += px;
  fronts.momentum[b + 4] += py;
  fronts.momentum[b + 5] += pz;
}
