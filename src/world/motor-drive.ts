/** Drives of joint motors: where a joint is led, how fast, or how hard it is pushed, as signals of time. Made with the drives of a scene. */
import { JOINT_TYPES } from '../body/joints/joint-table.js';
import { MOTOR, MOTOR_STRIDE } from '../body/joints/motor-state.js';
import { TendonError } from '../errors.js';
import type { MotorDrive, SignalDef } from '../scene/drive-def.js';
import type { Drive } from './drives.js';
import { motorState, pairsOf, setJointMotor } from './joint-control.js';
import { makeSignal, type Signal, writeTurn } from './signals.js';
import type { WorldBody } from './world.js';

/** Makes the drive of a motor, or throws a TendonError that names what is wrong. */
export function makeMotorDrive(body: WorldBody, def: MotorDrive, path: string): Drive {
  // flesh whose solver knows no joints has lost them; a rigid body never had any
  if (body.model.joints.count === 0 && body.model.kind !== 'rigid') return () => {};
  const { joints } = body.model;
  const pairs = pairsOf(body, def.joint);
  const { stiffness, damping, maxTorque } = def;
  const gains = {
    ...(stiffness !== undefined && { stiffness }),
    ...(damping !== undefined && { damping }),
    ...(maxTorque !== undefined && { maxTorque }),
  };
  // checks the gains, and that the joint turns at all, where the scene is built
  setJointMotor(body, def.joint, gains);
  const isHinge = JOINT_TYPES[joints.types[pairs[0]]] === 'hinge';
  for (const key of ['angle', 'speed', 'torque'] as const) {
    if (def[key] === undefined || isHinge) continue;
    throw new TendonError('E_JOINT', `${path}/${key}`, def.joint, 'only a hinge has one axis: use turn');
  }
  const angle = signalOf(def.angle, `${path}/angle`);
  const speed = signalOf(def.speed, `${path}/speed`);
  const torque = signalOf(def.torque, `${path}/torque`);
  const turn = def.turn?.map((one, k) => makeSignal(one, `${path}/turn/${k}`));
  const way = new Float64Array(3);
  return (_, time) => {
    const { motors } = motorState(body);
    for (let n = 0; n < pairs.length; n++) {
      const pair = pairs[n];
      const o = pair * MOTOR_STRIDE;
      // again in every step, whatever was set in between; they were checked when the scene was built
      if (stiffness !== undefined) motors[o + MOTOR.stiffness] = stiffness;
      if (damping !== undefined) motors[o + MOTOR.damping] = damping;
      if (maxTorque !== undefined) motors.fill(maxTorque, o + MOTOR.cap, o + MOTOR_STRIDE);
      for (let k = 0; k < 3; k++) {
        const axis = joints.frame[pair * 9 + k];
        way[k] = turn ? turn[k](time) : (angle?.(time) ?? 0) * axis;
        if (speed) motors[o + MOTOR.rate + k] = speed(time) * axis;
        if (torque) motors[o + MOTOR.feed + k] = torque(time) * axis;
      }
      if (turn || angle) writeTurn(motors, o + MOTOR.target, way);
    }
  };
}

function signalOf(def: SignalDef | undefined, path: string): Signal | undefined {
  return def === undefined ? undefined : makeSignal(def, path);
}
