/**
 * The state of a body: everything that moves, and nothing else. Snapshots, hashes and workers copy these arrays and know
 * the body completely. All lie in the world's memory.
 */
import type { MemoryPlan, Slot } from '../kernels/memory.js';
import { copyQuat, multiplyQuat, rotateVec3 } from '../math/quat.js';
import { crossVec3 } from '../math/vec3.js';
import { BonePoses } from './bone-poses.js';
import type { Model } from './model.js';
import { fitStartPose } from './start-pose.js';
import type { StateKeeper } from './state-backup.js';

/** One of the arrays that hold what moves. */
export type StateArray = Float64Array | Float32Array | Int32Array;

/** Arrays of a body that change from step to step: what bodies of all kinds have. Solvers add their own. */
export interface BodyState {
  /** Position of each vertex, 3 per vertex [m]. */
  readonly positions: Float64Array;
  /** Velocity of each vertex, 3 per vertex [m/s]. */
  readonly velocities: Float64Array;
  /** What `positions` follow from where they are worked out when they are asked for; not there where they are kept. */
  readonly sources?: readonly Float64Array[];
  /** Pose of each bone; the last one is the frame of the world's joints. */
  readonly poses: BonePoses;
  /** Rate of the transform of each bone: four rows of three [1/s, m/s]. */
  readonly boneRates: Float64Array;
  /** Where kinematic bones are to go next: quaternion and place of the centre of mass, 7 per bone. */
  readonly boneTargets: Float64Array;
  /** 1 for bones whose pose is set by the user. */
  readonly kinematic: Int32Array;
  /** Outside force on each vertex, 3 per vertex [N]; stays until it is changed. */
  readonly forces: Float64Array;
  /** Steps taken, and the length of the last one [count, s]; negative where an integrator that looks back was held in it. */
  readonly clock: Float64Array;
  /** Everything that moves, in a fixed order, what the solver adds included: what snapshots, hashes and backups walk. */
  readonly arrays: readonly StateArray[];
  /** Looks after those of the arrays that are mostly zero, where a solver has such ones. */
  readonly keeper?: StateKeeper;
}

/** The arrays of a state, planned but not yet there. */
export type PlannedState = () => BodyState;

/** Arrays of a body that have numbers for each vertex, planned: positions, velocities, forces. */
export interface PlannedVertices {
  readonly positions: Slot<Float64Array>;
  readonly velocities: Slot<Float64Array>;
  readonly forces: Slot<Float64Array>;
}

/** Plans the arrays of the vertices of a body apart from all else: what is left of many bodies then lies side by side, and is copied as one. */
export function planVertices(plan: MemoryPlan, { vertexCount }: Model): PlannedVertices {
  const n = vertexCount * 3;
  return { positions: plan.f64(n), velocities: plan.f64(n), forces: plan.f64(n) };
}

/** Plans the state of one body; call the result once the memory exists. `vertices`: where their arrays are planned already. */
export function planState(plan: MemoryPlan, model: Model, vertices?: PlannedVertices): PlannedState {
  const n = model.vertexCount * 3;
  const m = model.bones.count;
  const positions = vertices?.positions ?? plan.f64(n);
  const velocities = vertices?.velocities ?? plan.f64(n);
  const poseQuats = plan.f64((m + 1) * 4);
  const rotations = plan.f64((m + 1) * 9);
  const translations = plan.f64((m + 1) * 3);
  const boneRates = plan.f64(m * 12);
  const boneTargets = plan.f64(m * 7);
  const kinematic = plan.i32(m);
  const forces = vertices?.forces ?? plan.f64(n);
  const clock = plan.f64(2);
  return () => {
    const poses = new BonePoses(m + 1, poseQuats.view, rotations.view, translations.view);
    const [at, speed, rates] = [positions.view, velocities.view, boneRates.view];
    const [targets, driven, push, time] = [boneTargets.view, kinematic.view, forces.view, clock.view];
    const { quats, rotations: turns, translations: places } = poses;
    return {
      positions: at,
      velocities: speed,
      poses,
      boneRates: rates,
      boneTargets: targets,
      kinematic: driven,
      forces: push,
      clock: time,
      arrays: [at, speed, quats, turns, places, rates, targets, driven, push, time],
    };
  };
}

/** Where a body starts. */
export interface Placement {
  /** Quaternion x, y, z, w and offset that take the rest shape to the world. */
  readonly rotation: ArrayLike<number>;
  readonly position: ArrayLike<number>;
  /** Velocity [m/s] and angular velocity about the centre of mass [rad/s]. */
  readonly velocity: ArrayLike<number>;
  readonly angularVelocity: ArrayLike<number>;
  /** Start positions of the vertices before they are placed, 3 per vertex of the model; the rest shape by default. */
  readonly startPositions?: Float64Array;
}

/** Puts what all bodies have at the start. Bones start rigid, as near to `startPositions` as that allows: only flesh can start deformed. */
export function resetState(model: Model, state: BodyState, placement: Placement): void {
  const { bones } = model;
  const start = placement.startPositions ?? model.positions;
  const { quats, translations } = state.poses;
  for (let k = 0; k < 4; k++) quats[bones.count * 4 + k] = placement.rotation[k];
  for (let k = 0; k < 3; k++) translations[bones.count * 3 + k] = placement.position[k];
  state.poses.updateRotation(bones.count);
  // taken once here and below: bodies of rigid parts look at their bones each time somebody asks
  const { positions } = state;
  for (let v = 0; v < model.vertexCount; v++) place(positions, v * 3, start, v * 3, placement);
  for (let bone = 0; bone < bones.count; bone++) startBone(model, state, placement, start, bone);
  setVelocities(model, state, placement);
  for (let bone = 0; bone < bones.count; bone++) {
    state.kinematic[bone] = bones.kinematic[bone];
    state.boneTargets.set(state.poses.quats.subarray(bone * 4, bone * 4 + 4), bone * 7);
    state.boneTargets.set(state.poses.translations.subarray(bone * 3, bone * 3 + 3), bone * 7 + 4);
  }
  // by its keeper: that is nobody who asked for forces
  if (state.keeper?.clear) state.keeper.clear();
  else state.forces.fill(0);
  state.clock.fill(0);
}

/** Pose of a bone at the start; where it is not the rest pose its vertices, which start out anywhere, are taken along. */
function startBone(model: Model, state: BodyState, placement: Placement, start: Float64Array, bone: number): void {
  const { bones, positions } = model;
  const { quats, translations } = state.poses;
  const turn = new Float64Array(4);
  const centre = new Float64Array(3);
  const moved = fitStartPose(model, start, bone, turn, centre);
  if (moved) multiplyQuat(quats, bone * 4, placement.rotation, 0, turn, 0);
  else copyQuat(quats, bone * 4, placement.rotation, 0);
  state.poses.updateRotation(bone);
  place(translations, bone * 3, moved ? centre : bones.centre, moved ? 0 : bone * 3, placement);
  const arm = new Float64Array(3);
  for (let n = bones.vertexStart[bone]; moved && n < bones.vertexStart[bone + 1]; n++) {
    const v = bones.vertices[n];
    for (let k = 0; k < 3; k++) arm[k] = positions[v * 3 + k] - bones.centre[bone * 3 + k];
    rotateVec3(state.positions, v * 3, quats, bone * 4, arm, 0);
    for (let k = 0; k < 3; k++) state.positions[v * 3 + k] += translations[bone * 3 + k];
  }
}

/** v + ω × (x − centre of mass) for every vertex and every bone. */
function setVelocities(model: Model, state: BodyState, placement: Placement): void {
  const { positions, velocities } = state;
  const centre = centreOfMass(model, positions);
  const arm = new Float64Array(3);
  const spin = Float64Array.from(placement.angularVelocity);
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) arm[k] = positions[v * 3 + k] - centre[k];
    crossVec3(velocities, v * 3, spin, 0, arm, 0);
    for (let k = 0; k < 3; k++)
      velocities[v * 3 + k] = model.pinned[v] ? 0 : velocities[v * 3 + k] + placement.velocity[k];
  }
  const column = new Float64Array(3);
  const { rotations, translations } = state.poses;
  for (let bone = 0; bone < model.bones.count; bone++) {
    for (let p = 0; p < 3; p++) {
      for (let i = 0; i < 3; i++) column[i] = rotations[bone * 9 + i * 3 + p];
      crossVec3(state.boneRates, bone * 12 + p * 3, spin, 0, column, 0);
    }
    for (let k = 0; k < 3; k++) arm[k] = translations[bone * 3 + k] - centre[k];
    crossVec3(state.boneRates, bone * 12 + 9, spin, 0, arm, 0);
    for (let k = 0; k < 3; k++) state.boneRates[bone * 12 + 9 + k] += placement.velocity[k];
  }
}

/** Centre of mass of a body at these positions [m]. */
export function centreOfMass(model: Model, positions: Float64Array): Float64Array {
  const centre = new Float64Array(3);
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) centre[k] += model.masses[v] * positions[v * 3 + k];
  }
  for (let k = 0; k < 3; k++) centre[k] /= model.totalMass;
  return centre;
}

function place(out: Float64Array, o: number, from: ArrayLike<number>, i: number, placement: Placement): void {
  rotateVec3(out, o, placement.rotation, 0, from, i);
  for (let k = 0; k < 3; k++) out[o + k] += placement.position[k];
}
