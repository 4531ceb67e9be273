/**
 * Motors of joints between a world and the core: what drives wrote before a step, as gains and wanted orientations of control blocks, and the
 * torques that came of it. Directions are in the axes of the first bone (of the world for a bone that is pinned to it).
 */
import { MOTOR, MOTOR_STRIDE } from '../../body/joints/motor-state.js';
import type { BodyState } from '../../body/state.js';
import { conjugateQuat, multiplyQuat } from '../../math/quat.js';
import type { SolverSite } from '../solver.js';
import type { CoupledCore } from './coupled-core.js';
import type { ForceKeeper } from './force-keeper.js';
import { HOLD, LIMIT } from './rigid/joint-blocks.js';
import { TWIST } from './rigid/rigid-bodies.js';
import type { BodyMap } from './world-bodies.js';

/** What bodies of a coupled world have beside what all have. */
export interface CoupledState extends BodyState {
  /** Motors of the joints, MOTOR_STRIDE numbers per pair (motor-state.ts). */
  readonly motors: Float64Array;
  /** Torque of the limits and of the motor on the second bone of each pair in the last step, 3 each per pair, world axes [N m]. */
  readonly jointTorques: Float64Array;
  /** Looks after the forces on rigid bodies. */
  readonly keeper?: ForceKeeper;
}

/** Copies motors to the core, and torques back. */
export class Motors {
  readonly #site: SolverSite;
  readonly #core: CoupledCore;
  readonly #map: BodyMap;
  readonly #states: readonly CoupledState[];
  readonly #q = new Float64Array(4);
  readonly #torque = new Float64Array(3);

  constructor(site: SolverSite, core: CoupledCore, map: BodyMap, states: readonly CoupledState[]) {
    this.#site = site;
    this.#core = core;
    this.#map = map;
    this.#states = states;
  }

  /** Motors as joints start with them. */
  reset(): void {
    this.#states.forEach(({ motors, jointTorques }, i) => {
      motors.set(this.#site.bodies[i].model.joints.motors);
      jointTorques.fill(0);
    });
  }

  /** Takes over what drives wrote. Outside torques are added to those read before. */
  read(): void {
    for (let i = 0; i < this.#states.length; i++) {
      const { joints } = this.#site.bodies[i].model;
      for (let pair = 0; pair < joints.count; pair++) this.#readPair(i, pair);
    }
  }

  #readPair(i: number, pair: number): void {
    const { motors } = this.#states[i];
    const blocks = this.#core.joints;
    const { rigid } = this.#core;
    const j = this.#map.firstJoint[i] + pair;
    const o = pair * MOTOR_STRIDE;
    if (blocks.joints[j].type === 'fixed') return;
    blocks.stiffness[j] = motors[o + MOTOR.stiffness];
    blocks.damping[j] = motors[o + MOTOR.damping];
    blocks.cap[j] = Math.min(motors[o + MOTOR.cap], motors[o + MOTOR.cap + 1], motors[o + MOTOR.cap + 2]);
    if (isOff(motors, o)) return;
    const { a, b } = blocks.joints[j];
    const isPinned = b >= this.#map.firstAnchor;
    this.#writeWanted(j, a, b, motors, o + MOTOR.target, isPinned);
    const sign = isPinned ? 1 : -1;
    this.#turnOut(isPinned ? b : a, motors, o + MOTOR.rate);
    for (let k = 0; k < 3; k++) blocks.rate[j * 3 + k] = sign * this.#torque[k];
    this.#turnOut(isPinned ? b : a, motors, o + MOTOR.feed);
    for (let k = 0; k < 3; k++) {
      rigid.outside[a * TWIST + 3 + k] += sign * this.#torque[k];
      if (!isPinned) rigid.outside[b * TWIST + 3 + k] -= sign * this.#torque[k];
    }
  }

  /** wanted = B seen from A, in the frames of their shapes, when the second bone is turned by the target against the first. */
  #writeWanted(j: number, a: number, b: number, motors: Float64Array, o: number, isPinned: boolean): void {
    const { wanted } = this.#core.joints;
    const { turns } = this.#map;
    const q = this.#q;
    conjugateQuat(q, 0, turns, a * 4);
    if (isPinned) {
      conjugateQuat(wanted, j * 4, motors, o);
      multiplyQuat(wanted, j * 4, q, 0, wanted, j * 4);
      return;
    }
    multiplyQuat(q, 0, q, 0, motors, o);
    multiplyQuat(wanted, j * 4, q, 0, turns, b * 4);
  }

  /** torque = a vector given in the axes of the bone of part b, in the world. */
  #turnOut(b: number, motors: Float64Array, o: number): void {
    const out = this.#torque;
    const { rotation } = this.#core.rigid;
    const { turnMatrices } = this.#map;
    const t = b * 9;
    const isPart = b < this.#map.firstAnchor;
    // into the frame of the shape, then out into the world
    for (let k = 0; k < 3; k++) {
      out[k] = isPart
        ? turnMatrices[t + k] * motors[o] +
          turnMatrices[t + 3 + k] * motors[o + 1] +
          turnMatrices[t + 6 + k] * motors[o + 2]
        : motors[o + k];
    }
    const x = out[0];
    const y = out[1];
    const z = out[2];
    for (let k = 0; k < 3; k++)
      out[k] = rotation[t + k * 3] * x + rotation[t + k * 3 + 1] * y + rotation[t + k * 3 + 2] * z;
  }

  /** Torques of the last substep, of length h [s]. */
  write(h: number): void {
    const { joints } = this.#core;
    for (let i = 0; i < this.#states.length; i++) this.#states[i].jointTorques.fill(0);
    for (let block = 0; block < joints.count; block++) {
      if (joints.role[block] === HOLD || joints.active[block] === 0) continue;
      const j = joints.joint[block];
      const { a, b } = joints.joints[j];
      const i = this.#map.owner[a];
      const sign = b >= this.#map.firstAnchor ? 1 : -1;
      const o = (j - this.#map.firstJoint[i]) * 6 + (joints.role[block] === LIMIT ? 0 : 3);
      const { jointTorques } = this.#states[i];
      for (let k = 0; k < 3; k++) jointTorques[o + k] += (sign * joints.push[1][block * 3 + k]) / h;
    }
  }
}

/** Whether a motor does nothing: nobody asks where it would go. */
function isOff(motors: Float64Array, o: number): boolean {
  const feed = o + MOTOR.feed;
  const asked = motors[o + MOTOR.stiffness] !== 0 || motors[o + MOTOR.damping] !== 0;
  return !asked && motors[feed] === 0 && motors[feed + 1] === 0 && motors[feed + 2] === 0;
}
