/** Motors of joints while a world runs, and what limits and motors did in the last step. */
import type { JointMotorDef } from '../body/body-def.js';
import { JOINT_TYPES } from '../body/joints/joint-table.js';
import { clearMotor, MOTOR_STRIDE, writeMotor } from '../body/joints/motor-state.js';
import { requireGiven, TendonError } from '../errors.js';
import type { ProjectiveState } from '../solvers/projective/projective-state.js';
import type { WorldBody } from './world.js';

/** What acts in a joint beside the forces that hold it together [N m], on its second bone, in the world's frame. */
export interface JointTorque {
  /** Of the limits that are reached. */
  readonly limit: Float64Array;
  /** Of the motor. */
  readonly motor: Float64Array;
}

/**
 * Changes the motor of a joint from the next step on; what is not given stays as it was. Motors are part of the state: snapshots keep them. A
 * joint of three or more bones has a motor in each of its pairs, all alike.
 *
 *     setJointMotor(body, 'elbow', { target: 1.2, stiffness: 40, damping: 4, maxTorque: 60 });
 */
export function setJointMotor(body: WorldBody, jointName: string, motor: JointMotorDef): void {
  const { joints } = body.model;
  const { motors } = motorState(body);
  const place = `bodies/${body.name}/joints/${jointName}/motor`;
  requireGiven(motor, place);
  for (const pair of pairsOf(body, jointName)) {
    const type = JOINT_TYPES[joints.types[pair]];
    writeMotor(motors, pair * MOTOR_STRIDE, motor, type, joints.frame, pair * 9, place);
  }
}

/** Takes the motor of a joint away. */
export function clearJointMotor(body: WorldBody, jointName: string): void {
  const { motors } = motorState(body);
  for (const pair of pairsOf(body, jointName)) clearMotor(motors, pair * MOTOR_STRIDE);
}

/** Torques of limits and motor of a joint in the last step, summed over its pairs. The first bone feels the opposite. */
export function readJointTorque(body: WorldBody, jointName: string): JointTorque {
  const { jointTorques } = motorState(body);
  const [limit, motor] = [new Float64Array(3), new Float64Array(3)];
  for (const pair of pairsOf(body, jointName)) {
    for (let k = 0; k < 3; k++) {
      limit[k] += jointTorques[pair * 6 + k];
      motor[k] += jointTorques[pair * 6 + 3 + k];
    }
  }
  return { limit, motor };
}

/** Pairs of bones of the joint of that name. */
export function pairsOf(body: WorldBody, jointName: string): readonly number[] {
  const { joints } = body.model;
  const joint = joints.names.indexOf(jointName);
  if (joint < 0) {
    const known = joints.names.join(', ') || 'none';
    throw new TendonError('E_UNKNOWN', `bodies/${body.name}/joints`, jointName, `the body's joints are: ${known}`);
  }
  return Array.from(joints.ofPair.keys()).filter((pair) => joints.ofPair[pair] === joint);
}

/** The state of a body whose solver has motors. */
export function motorState(body: WorldBody): ProjectiveState {
  const state = body.state as Partial<ProjectiveState>;
  if (!state.motors) {
    throw new TendonError(
      'E_UNKNOWN',
      `bodies/${body.name}`,
      'motors',
      "this world's solver has no motors: use 'projective', 'layered' or 'coupled'",
    );
  }
  return state as ProjectiveState;
}
