/** The arrays of a state in one list, and a copy of them to go back to. */
import type { BodyState } from './state.js';

/** The arrays of a state in a fixed order: what a snapshot stores and a hash covers. */
export function stateArrays(state: BodyState): readonly (Float64Array | Float32Array | Int32Array)[] {
  return [
    state.positions,
    state.velocities,
    state.earlierPositions,
    state.earlierVelocities,
    state.poses.quats,
    state.poses.rotations,
    state.poses.translations,
    state.boneRates,
    state.earlierBones,
    state.boneTargets,
    state.kinematic,
    state.forces,
    state.quats,
    state.clock,
    state.stride,
  ];
}

/** A copy of a state, made once and refilled without allocating. */
export class StateBackup {
  readonly #arrays: readonly (Float64Array | Float32Array | Int32Array)[];
  readonly #copies: (Float64Array | Float32Array | Int32Array)[];

  constructor(state: BodyState) {
    this.#arrays = stateArrays(state);
    this.#copies = this.#arrays.map((array) => array.slice());
  }

  /** Remembers the state as it is now. */
  save(): void {
    for (let i = 0; i < this.#arrays.length; i++) this.#copies[i].set(this.#arrays[i]);
  }

  /** Puts the state back to what was remembered. */
  restore(): void {
    for (let i = 0; i < this.#arrays.length; i++) this.#arrays[i].set(this.#copies[i]);
  }
}
