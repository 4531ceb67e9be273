/** What turns joints by itself: the slack of a limp joint, the pull towards a pose that is to be followed, and hands. Part of the free step. */
import { addRigidPacked6, PACKED6 } from '../../../linalg/packed6.js';
import { conjugateQuat, multiplyQuat } from '../../../math/quat.js';
import { turnRate } from '../../../math/rotation.js';
import { type LayerBody, LIMP, TRACKED } from '../layer-body.js';
import type { LayeredOptions } from '../options.js';
import { nodeRotation, skinNode } from '../skin/skinning.js';

const TWO_PI = 6.283185307179586;

const RELATIVE = new Float64Array(4);
const WANTED = new Float64Array(4);
const EARLIER = new Float64Array(4);
const ERROR = new Float64Array(4);
const TURN = new Float64Array(3);
const RATE = new Float64Array(3);
const PULL = new Float64Array(3);
const INERTIA = new Float64Array(9);

/** Spring and damper of every joint, and its motor: κ = h (k_d + h k_p) and push = h (−k_p e + k_d ω_target), about the joint's axes. */
export function driveJoints(body: LayerBody, h: number, options: LayeredOptions): void {
  const { fronts, model, state, motors } = body;
  const { count, parents, axisCount, hanging } = model.bones;
  motors.begin(body, h);
  for (let bone = 0; bone < count; bone++) {
    if (parents[bone] < 0) continue;
    const limp = state.drive[bone] === LIMP;
    // a motor that leads a limp joint takes the place of its slack
    const own = limp && motors.leads(bone) ? 0 : hanging[bone];
    const frequency = TWO_PI * (limp ? options.limpFrequency : options.driveFrequency);
    const stiffness = frequency * frequency * own;
    const damping = 2 * frequency * (limp ? options.limpDamping : options.driveDamping) * own;
    jointError(body, bone, limp, h);
    for (let j = 0; j < axisCount[bone]; j++) {
      const at = 3 * bone + j;
      const a = 3 * at;
      const { axes } = fronts;
      const error = axes[a] * TURN[0] + axes[a + 1] * TURN[1] + axes[a + 2] * TURN[2];
      const rate = axes[a] * RATE[0] + axes[a + 1] * RATE[1] + axes[a + 2] * RATE[2];
      fronts.damping[at] = h * (damping + h * stiffness);
      fronts.push[at] = h * (damping * rate - stiffness * error);
      motors.addTo(body, bone, j, h);
    }
  }
}

/** TURN = how far a joint is from where it is to be, in the world [rad]; RATE = how fast its target turns [rad/s]. */
function jointError({ state, model }: LayerBody, bone: number, limp: boolean, h: number): void {
  const { quats } = state.poses;
  const parent = model.bones.parents[bone];
  relative(RELATIVE, quats, 4 * parent, quats, 4 * bone);
  if (limp) {
    setVec3(WANTED, 0, 0, 0);
    WANTED[3] = 1;
    setVec3(RATE, 0, 0, 0);
  } else {
    relative(WANTED, state.targets, 7 * parent, state.targets, 7 * bone);
    relative(EARLIER, state.earlierTargets, 7 * parent, state.earlierTargets, 7 * bone);
    turnRate(EARLIER, 0, WANTED, 0, h, RATE);
    rotateBy(RATE, quats, 4 * parent);
  }
  // from the wanted pose to the present one, in the parent's frame
  conjugateQuat(ERROR, 0, WANTED, 0);
  multiplyQuat(ERROR, 0, RELATIVE, 0, ERROR, 0);
  const sign = ERROR[3] < 0 ? -2 : 2;
  for (let k = 0; k < 3; k++) TURN[k] = sign * ERROR[k];
  rotateBy(TURN, quats, 4 * parent);
}

/** out = conj(a) b */
function relative(out: Float64Array, a: Float64Array, i: number, b: Float64Array, j: number): void {
  conjugateQuat(out, 0, a, i);
  multiplyQuat(out, 0, out, 0, b, j);
}

/** v turned by the quaternion q[i..i + 4). */
function rotateBy(v: Float64Array, q: Float64Array, i: number): void {
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  setVec3(v, v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx);
}

/** Faster than `set` and `fill` for so few. */
function setVec3(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/** Roots that are driven: kinematic ones get their velocity, tracked ones a spring to the world. */
export function driveRoots(body: LayerBody, gravity: ArrayLike<number>, h: number, options: LayeredOptions): void {
  const { fronts, model, state } = body;
  const { count, parents } = model.bones;
  for (let bone = 0; bone < count; bone++) {
    if (parents[bone] >= 0 || state.drive[bone] === LIMP) continue;
    if (state.drive[bone] === TRACKED) {
      trackRoot(body, bone, gravity, h, options);
      continue;
    }
    turnRate(state.poses.quats, 4 * bone, state.targets, 7 * bone, h, TURN);
    for (let k = 0; k < 3; k++) {
      fronts.velocity[6 * bone + k] = TURN[k];
      fronts.velocity[6 * bone + 3 + k] =
        (state.targets[7 * bone + 4 + k] - state.poses.translations[3 * bone + k]) / h;
    }
  }
}

/** A spring and a damper from a root to its target in the world; the whole hangs on it without weight. */
function trackRoot(
  body: LayerBody,
  bone: number,
  gravity: ArrayLike<number>,
  h: number,
  { driveFrequency, driveDamping, driveStrength }: LayeredOptions,
): void {
  const { fronts, model, state } = body;
  const { targets, earlierTargets } = state;
  const turning = model.bones.hanging[bone];
  const moving = model.bones.hangingMass[bone];
  const frequency = TWO_PI * driveFrequency;
  const damping = 2 * frequency * driveDamping;
  // e + h v' − h v_target = 0 where it is reached, so both terms push with the velocity that leads there
  const gain = h * (damping + h * frequency * frequency);
  turnRate(state.poses.quats, 4 * bone, targets, 7 * bone, h, TURN);
  turnRate(earlierTargets, 7 * bone, targets, 7 * bone, h, RATE);
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const way = targets[7 * bone + 4 + k] - state.poses.translations[3 * bone + k];
    const speed = (targets[7 * bone + 4 + k] - earlierTargets[7 * bone + 4 + k]) / h;
    PULL[k] = frequency * frequency * way + damping * speed;
    const wanted = PULL[k] - damping * state.velocities[3 * bone + k];
    square += wanted * wanted;
  }
  // as strong as it may be: softer as a whole, so that it stays a spring
  const wanted = Math.sqrt(square);
  const share = wanted > driveStrength ? driveStrength / wanted : 1;
  for (let k = 0; k < 3; k++) INERTIA[4 * k] = gain * turning;
  addRigidPacked6(fronts.inertia, PACKED6 * bone, share * gain * moving, 0, 0, 0, INERTIA, 0);
  for (let k = 0; k < 3; k++) {
    fronts.momentum[6 * bone + k] += h * turning * (frequency * frequency * h * TURN[k] + damping * RATE[k]);
    fronts.momentum[6 * bone + 3 + k] += h * moving * (share * PULL[k] - gravity[k]);
  }
}

/** Outside forces on nodes: each pushes its heaviest bone, and the skin between them. */
export function pushNodes(body: LayerBody, h: number): void {
  const { forces, fronts, model } = body;
  body.isPushed = false;
  if (forces === undefined) return;
  for (let i = 3 * body.firstForce(); i < forces.length; i += 3) {
    if (forces[i] === 0 && forces[i + 1] === 0 && forces[i + 2] === 0) continue;
    body.isPushed = true;
    const node = i / 3;
    const bone = model.owners[4 * node];
    skinNode(model, model.positions, body.startMatrices, node, POINT, 0);
    const rx = POINT[0] - fronts.reference[3 * bone];
    const ry = POINT[1] - fronts.reference[3 * bone + 1];
    const rz = POINT[2] - fronts.reference[3 * bone + 2];
    const px = h * forces[i];
    const py = h * forces[i + 1];
    const pz = h * forces[i + 2];
    const b = 6 * bone;
    fronts.momentum[b] += ry * pz - rz * py;
    fronts.momentum[b + 1] += rz * px - rx * pz;
    fronts.momentum[b + 2] += rx * py - ry * px;
    fronts.momentum[b + 3] += px;
    fronts.momentum[b + 4] += py;
    fronts.momentum[b + 5] += pz;
    nodeRotation(model, body.state.poses.quats, node, TURNED, 0);
    body.listPulled(node);
    for (let k = 0; k < 3; k++) {
      body.pushes[i + k] += TURNED[k] * forces[i] + TURNED[3 + k] * forces[i + 1] + TURNED[6 + k] * forces[i + 2];
    }
  }
}

const TURNED = new Float64Array(9);
const POINT = new Float64Array(3);
const MEAN = new Float64Array(3);
const NO_TURNING = new Float64Array(9);

/** Grips: a damped spring from the mean of the held nodes to its target, which each node passes on to its heaviest bone. */
export function pullGrips(body: LayerBody, h: number, options: LayeredOptions): void {
  const { fronts, model } = body;
  const frequency = TWO_PI * options.gripFrequency;
  const stiffness = frequency * frequency * model.totalMass;
  const gain = h * (2 * frequency * model.totalMass + h * stiffness);
  for (const { vertices: nodes, weights, target } of body.grips) {
    MEAN.fill(0);
    for (let i = 0; i < nodes.length; i++) {
      skinNode(model, model.positions, body.startMatrices, nodes[i], POINT, 0);
      for (let k = 0; k < 3; k++) MEAN[k] += weights[i] * POINT[k];
    }
    for (let i = 0; i < nodes.length; i++) {
      const bone = model.owners[4 * nodes[i]];
      skinNode(model, model.positions, body.startMatrices, nodes[i], POINT, 0);
      const c = 3 * bone;
      const rx = POINT[0] - fronts.reference[c];
      const ry = POINT[1] - fronts.reference[c + 1];
      const rz = POINT[2] - fronts.reference[c + 2];
      const push = h * stiffness * weights[i];
      const px = push * (target[0] - MEAN[0]);
      const py = push * (target[1] - MEAN[1]);
      const pz = push * (target[2] - MEAN[2]);
      addRigidPacked6(fronts.inertia, PACKED6 * bone, gain * weights[i], rx, ry, rz, NO_TURNING, 0);
      const b = 6 * bone;
      fronts.momentum[b] += ry * pz - rz * py;
      fronts.momentum[b + 1] += rz * px - rx * pz;
      fronts.momentum[b + 2] += rx * py - ry * px;
      fronts.momentum[b + 3] += px;
      fronts.momentum[b + 4] += py;
      fronts.momentum[b + 5] += pz;
    }
  }
}
