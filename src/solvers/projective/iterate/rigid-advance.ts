/**
 * Where a body would be at the end of a step if it moved on as one piece: its shape of before, turned and shifted as its velocities say. The start of steps
 * that must not gain energy (energy-check.ts).
 */
import type { Model } from '../../../body/model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import { mat3ToQuat, multiplyQuat } from '../../../math/quat.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Layout } from '../layout.js';
import type { ProjectiveState } from '../projective-state.js';

/** Moves one body on. */
export class RigidAdvance {
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  /** Middle and mean velocity of the body, and its turn within the step. */
  readonly #middle = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #moment = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #quat = new Float64Array(4);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  readonly #arm = new Float64Array(3);

  constructor(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion) {
    this.#model = model;
    this.#layout = layout;
    this.#rows = rows;
    this.#motion = motion;
  }

  /** Puts flesh and bones of the step in progress there; `h`: its length [s]. */
  go(state: ProjectiveState, h: number): void {
    const x = this.#rows.x.view;
    const { poses } = this.#motion;
    const { fleshVertices } = this.#layout;
    this.#fit(state, h);
    for (let i = 0; i < fleshVertices.length; i++) {
      const v = fleshVertices[i];
      this.#place(state.positions, v * 3, h, x, this.#rows.rowOfVertex[v] * 4);
    }
    for (let bone = 0; bone < this.#motion.count; bone++) {
      this.#place(state.poses.translations, bone * 3, h, poses.translations, bone * 3);
      multiplyQuat(poses.quats, bone * 4, this.#quat, 0, state.poses.quats, bone * 4);
      poses.updateRotation(bone);
    }
  }

  /** The turn nearest to where all vertices go by themselves, about their middle. */
  #fit({ positions, velocities }: ProjectiveState, h: number): void {
    const { masses, totalMass, vertexCount } = this.#model;
    const [middle, velocity, moment] = [this.#middle.fill(0), this.#velocity.fill(0), this.#moment.fill(0)];
    for (let i = 0; i < vertexCount * 3; i++) {
      const share = masses[(i - (i % 3)) / 3] / totalMass;
      middle[i % 3] += share * positions[i];
      velocity[i % 3] += share * velocities[i];
    }
    for (let v = 0; v < vertexCount; v++) {
      for (let k = 0; k < 3; k++) {
        const at = v * 3 + k;
        const to = positions[at] - middle[k] + h * (velocities[at] - velocity[k]);
        for (let j = 0; j < 3; j++) moment[k * 3 + j] += masses[v] * to * (positions[v * 3 + j] - middle[j]);
      }
    }
    polarRotation(this.#rotation, 0, moment, 0, this.#scratch, 0);
    mat3ToQuat(this.#quat, 0, this.#rotation, 0);
  }

  #place(from: Float64Array, at: number, h: number, to: Float64Array, out: number): void {
    const [middle, rotation, arm] = [this.#middle, this.#rotation, this.#arm];
    for (let k = 0; k < 3; k++) arm[k] = from[at + k] - middle[k];
    for (let k = 0; k < 3; k++) {
      const turned = rotation[k * 3] * arm[0] + rotation[k * 3 + 1] * arm[1] + rotation[k * 3 + 2] * arm[2];
      to[out + k] = middle[k] + h * this.#velocity[k] + turned;
    }
  }
}
