/** What the adjoint needs to know of a step that was taken: where it began and ended, and under what motors, muscles and limits. */
import { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import type { BoneMotion, InertiaWeights } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { ProjectiveState } from '../projective-state.js';
import type { TapedContacts } from './taped-contacts.js';

/** The end of one step, and what led there. */
export class TapedStep {
  readonly positions: Float64Array;
  readonly poses: BonePoses;
  readonly motors: Float64Array;
  readonly jointTorques: Float64Array;
  /** Activations as they are once the step is over. */
  readonly activations: Float64Array;
  readonly fixed: Uint8Array;
  /** Where inertia led flesh (rows of 4) and bones (12 each). */
  readonly target: Float64Array;
  readonly boneTarget: Float64Array;
  /** Where inertia alone led bones, without gravity and outside forces (12 each). */
  readonly inertial: Float64Array;
  readonly weights: InertiaWeights;
  /** Contacts that pushed. */
  readonly contacts: TapedContacts;
  /** Length of the step [s]. */
  readonly h: number;

  constructor(
    { bones }: Model,
    state: ProjectiveState,
    rows: FleshRows,
    motion: BoneMotion,
    weights: InertiaWeights,
    h: number,
    contacts: TapedContacts,
  ) {
    this.positions = state.positions.slice();
    this.poses = new BonePoses(bones.count + 1);
    this.poses.copy(state.poses);
    this.motors = state.motors.slice();
    this.jointTorques = state.jointTorques.slice();
    this.activations = state.activations.slice();
    this.fixed = Uint8Array.from(state.kinematic);
    this.target = rows.target.view.slice();
    this.boneTarget = motion.target.slice();
    this.inertial = motion.target.map((x, i) => x - motion.push[i]);
    this.contacts = contacts;
    this.weights = { ...weights };
    this.h = h;
  }

  /** One over the time by which positions become velocities [1/s]: backward Euler's or BDF2's. */
  get rate(): number {
    return (this.weights.position === 1 ? 1 : 1.5) / this.h;
  }
}
