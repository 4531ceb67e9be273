/** The state of a body in a projective world: what all bodies have, and what this solver carries from step to step. */
import type { Model } from '../../body/model.js';
import { type BodyState, planState } from '../../body/state.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import { resetQuaternions } from '../../kernels/tet-groups.js';

/** What the projective solver adds to a state. */
export interface ProjectiveState extends BodyState {
  /** Positions and velocities one step earlier, for BDF2. */
  readonly earlierPositions: Float64Array;
  readonly earlierVelocities: Float64Array;
  /** The transform of each bone and its rate one step earlier, 24 per bone, for BDF2. */
  readonly earlierBones: Float64Array;
  /** Rotation of each tet, where the local step starts from next time. */
  readonly quats: Float32Array;
  /** Motors of the joints, MOTOR_STRIDE numbers per pair (motor-state.ts). */
  readonly motors: Float64Array;
  /** Torque of the limits and of the motor on the second bone of each pair in the last step, 3 each per pair, world axes [N m]. */
  readonly jointTorques: Float64Array;
  /** Activation of each muscle, 0 to 1. */
  readonly activations: Float64Array;
  /** Tension of each muscle that is a line in the last step [N]. */
  readonly tensions: Float64Array;
}

/** Plans the state of one body. `quatCount`: f32 numbers of tet rotations. */
export function planProjectiveState(plan: MemoryPlan, model: Model, quatCount: number): () => ProjectiveState {
  const n = model.vertexCount * 3;
  const makeCommon = planState(plan, model);
  const earlierPositions = plan.f64(n);
  const earlierVelocities = plan.f64(n);
  const earlierBones = plan.f64(model.bones.count * 24);
  const quats = plan.f32(quatCount);
  const motors = plan.f64(model.joints.motors.length);
  const jointTorques = plan.f64(model.joints.count * 6);
  const activations = plan.f64(model.muscles?.count ?? 0);
  const tensions = plan.f64(model.muscles?.count ?? 0);
  return () => {
    const common = makeCommon();
    const own = {
      earlierPositions: earlierPositions.view,
      earlierVelocities: earlierVelocities.view,
      earlierBones: earlierBones.view,
      quats: quats.view,
      motors: motors.view,
      jointTorques: jointTorques.view,
      activations: activations.view,
      tensions: tensions.view,
    };
    const { positions, velocities, poses, boneRates, boneTargets, kinematic, forces, clock } = common;
    const state: ProjectiveState = {
      ...common,
      ...own,
      arrays: [
        positions,
        velocities,
        own.earlierPositions,
        own.earlierVelocities,
        poses.quats,
        poses.rotations,
        poses.translations,
        boneRates,
        own.earlierBones,
        boneTargets,
        kinematic,
        forces,
        own.quats,
        clock,
        own.motors,
        own.jointTorques,
        own.activations,
        own.tensions,
      ],
    };
    return state;
  };
}

/** Puts what this solver adds to its start. */
export function resetProjectiveState(model: Model, state: BodyState): void {
  const own = state as ProjectiveState;
  resetQuaternions(own.quats);
  own.motors.set(model.joints.motors);
  own.jointTorques.fill(0);
  if (model.muscles) own.activations.set(model.muscles.activations);
  own.tensions.fill(0);
  // never read before a step has filled them, but part of every hash
  own.earlierPositions.fill(0);
  own.earlierVelocities.fill(0);
  own.earlierBones.fill(0);
}
