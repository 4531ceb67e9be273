/**
 * The bones' side of a step: where inertia would take them, how they carry the vertices on them, and the pull of flesh
 * and inertia on their transforms (four rows of three numbers per bone, [Li2019 eq. 8, 11]).
 */
import { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import { MAX_KINEMATIC_MOVE, MAX_KINEMATIC_TURN_SQ } from '../../../constants.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import { mat3ToQuat, normaliseQuat } from '../../../math/quat.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Layout } from '../layout.js';
import type { ProjectiveState } from '../projective-state.js';
import { boneMass } from '../system.js';

/** How positions, velocities and their earlier values combine into the inertial target of an integrator. */
export interface InertiaWeights {
  readonly position: number;
  readonly velocity: number;
  readonly earlierPosition: number;
  readonly earlierVelocity: number;
  /** Acceleration times this is added [s²]; one over it is the inertia factor of the matrix. */
  readonly acceleration: number;
}

/** Poses in the making during a step, and what pulls on them. */
export class BoneMotion {
  readonly count: number;
  /** Kinematic bones whose move was cut short in the last predict. */
  clamped = 0;
  readonly poses: BonePoses;
  /** Transforms inertia would lead to; not rigid. */
  readonly target: Float64Array;
  /** The part of the target that gravity and outside forces add. */
  readonly push: Float64Array;
  /** Pull on the transforms, the right-hand side of the bones. */
  readonly pull: Float64Array;
  readonly #model: Model;
  /** Carried vertices: bone (or -1), offset from its centre of mass at rest. */
  readonly #carriedBone: Int32Array;
  readonly #carriedOffset: Float64Array;
  readonly #carriedVertices: Int32Array;
  readonly #affine = new Float64Array(12);
  readonly #matrix = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

  constructor(model: Model, layout: Layout) {
    const { bones } = model;
    this.#model = model;
    this.count = bones.count;
    this.poses = new BonePoses(bones.count + 1);
    this.target = new Float64Array(bones.count * 12);
    this.push = new Float64Array(bones.count * 12);
    this.pull = new Float64Array(bones.count * 12);
    this.#carriedVertices = layout.carriedVertices;
    this.#carriedBone = Int32Array.from(layout.carriedVertices, (v) => bones.ofVertex[v]);
    this.#carriedOffset = new Float64Array(layout.carriedVertices.length * 3);
    layout.carriedVertices.forEach((v, i) => {
      const bone = bones.ofVertex[v];
      for (let k = 0; bone >= 0 && k < 3; k++) {
        this.#carriedOffset[i * 3 + k] = model.positions[v * 3 + k] - bones.centre[bone * 3 + k];
      }
    });
  }

  /**
   * Targets from the state. Poses start at the rigid ones nearest to where inertia alone leads (nearest to the targets if
   * `pushed`, see predictFlesh), kinematic ones where they were sent.
   */
  predict(state: ProjectiveState, weights: InertiaWeights, gravity: ArrayLike<number>, pushed: boolean): void {
    this.clamped = 0;
    this.poses.copy(state.poses);
    this.#addForces(state, weights.acceleration);
    for (let bone = 0; bone < this.count; bone++) {
      const o = bone * 12;
      state.poses.writeAffine(bone, this.#affine, 0);
      for (let k = 0; k < 3; k++) this.push[o + 9 + k] += weights.acceleration * gravity[k];
      for (let k = 0; k < 12; k++) {
        this.#affine[k] =
          weights.position * this.#affine[k] +
          weights.velocity * state.boneRates[o + k] +
          weights.earlierPosition * state.earlierBones[bone * 24 + k] +
          weights.earlierVelocity * state.earlierBones[bone * 24 + 12 + k];
        this.target[o + k] = this.#affine[k] + this.push[o + k];
      }
      if (state.kinematic[bone]) this.#sendTo(bone, state.boneTargets, bone * 7);
      else if (pushed) this.#nearestRigid(bone, this.target, o);
      else this.#nearestRigid(bone, this.#affine, 0);
    }
  }

  /** The rigid pose nearest to a transform in the bone's mass [Li2019 §3.2]: R = polar(A C), t as it is. */
  nearestRigid(affine: Float64Array): void {
    for (let bone = 0; bone < this.count; bone++) this.#nearestRigid(bone, affine, bone * 12);
  }

  /** Component k of row p of a bone's transform, minus that of its target. */
  wayToTarget(bone: number, p: number, k: number): number {
    const { rotations, translations } = this.poses;
    const value = p < 3 ? rotations[bone * 9 + k * 3 + p] : translations[bone * 3 + k];
    return value - this.target[bone * 12 + p * 3 + k];
  }

  /** Writes the carried vertices' positions to the rows the kernels read. */
  carryVertices(rows: FleshRows, state: ProjectiveState): void {
    const out = rows.x32.view;
    const origin = rows.origin.view;
    const { rotations, translations } = this.poses;
    const [bones, offset] = [this.#carriedBone, this.#carriedOffset];
    const [ox, oy, oz] = [origin[0], origin[1], origin[2]];
    let to = rows.carriedRow * 4;
    for (let i = 0; i < bones.length; i++, to += 4) {
      const bone = bones[i];
      if (bone < 0) {
        this.#placePinned(i, out, to, origin, state);
        continue;
      }
      // one by one: arrays made for taking apart again are garbage
      const x = offset[i * 3];
      const y = offset[i * 3 + 1];
      const z = offset[i * 3 + 2];
      const r = bone * 9;
      const t = bone * 3;
      out[to] = rotations[r] * x + rotations[r + 1] * y + rotations[r + 2] * z + translations[t] - ox;
      out[to + 1] = rotations[r + 3] * x + rotations[r + 4] * y + rotations[r + 5] * z + translations[t + 1] - oy;
      out[to + 2] = rotations[r + 6] * x + rotations[r + 7] * y + rotations[r + 8] * z + translations[t + 2] - oz;
    }
  }

  /** The same for a vertex that is carried by no bone. */
  #placePinned(i: number, out: Float32Array, to: number, origin: Float64Array, { positions }: ProjectiveState): void {
    for (let k = 0; k < 3; k++) out[to + k] = positions[this.#carriedVertices[i] * 3 + k] - origin[k];
  }

  /** Pull of the flesh on the carried vertices plus that of inertia, `factor` being one over a time squared [1/s²]. */
  gatherPull(rows: FleshRows, factor: number): void {
    const pull = this.pull;
    const force = rows.carriedForce.view;
    const [bones, offset] = [this.#carriedBone, this.#carriedOffset];
    pull.fill(0);
    for (let i = 0; i < bones.length; i++) {
      const bone = bones[i];
      if (bone < 0) continue;
      const x = offset[i * 3];
      const y = offset[i * 3 + 1];
      const z = offset[i * 3 + 2];
      for (let k = 0; k < 3; k++) {
        const f = force[i * 4 + k];
        const at = bone * 12 + k;
        pull[at] += x * f;
        pull[at + 3] += y * f;
        pull[at + 6] += z * f;
        pull[at + 9] += f;
      }
    }
    for (let bone = 0; bone < this.count; bone++) {
      this.poses.writeAffine(bone, this.#affine, 0);
      for (let p = 0; p < 4; p++) {
        for (let q = 0; q < 4; q++) {
          const mass = factor * boneMass(this.#model, bone, p, q);
          for (let k = 0; k < 3; k++) {
            pull[bone * 12 + p * 3 + k] += mass * (this.target[bone * 12 + q * 3 + k] - this.#affine[q * 3 + k]);
          }
        }
      }
    }
  }

  /** Outside forces on the bones' vertices, as acceleration of the transforms. Starts `push` over. */
  #addForces(state: ProjectiveState, acceleration: number): void {
    const { bones, positions } = this.#model;
    this.push.fill(0);
    for (let bone = 0; bone < this.count; bone++) {
      const moment = this.#matrix;
      let pushed = false;
      moment.fill(0);
      for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
        const v = bones.vertices[n];
        for (let k = 0; k < 3; k++) {
          const f = state.forces[v * 3 + k];
          if (f === 0) continue;
          pushed = true;
          this.push[bone * 12 + 9 + k] += (acceleration * f) / bones.mass[bone];
          for (let p = 0; p < 3; p++) moment[p * 3 + k] += f * (positions[v * 3 + p] - bones.centre[bone * 3 + p]);
        }
      }
      if (pushed) this.#addMoment(bone, moment, acceleration);
    }
  }

  /** push rows += acceleration C⁻¹ moment, by Cramer's rule on the symmetric second moment C. */
  #addMoment(bone: number, moment: Float64Array, acceleration: number): void {
    const c = this.#model.bones.secondMoment;
    const o = bone * 9;
    const c00 = c[o + 4] * c[o + 8] - c[o + 5] * c[o + 5];
    const c01 = c[o + 2] * c[o + 5] - c[o + 1] * c[o + 8];
    const c02 = c[o + 1] * c[o + 5] - c[o + 2] * c[o + 4];
    const c11 = c[o] * c[o + 8] - c[o + 2] * c[o + 2];
    const c12 = c[o + 1] * c[o + 2] - c[o] * c[o + 5];
    const c22 = c[o] * c[o + 4] - c[o + 1] * c[o + 1];
    const scale = acceleration / (c[o] * c00 + c[o + 1] * c01 + c[o + 2] * c02);
    for (let k = 0; k < 3; k++) {
      const a = moment[k];
      const b = moment[3 + k];
      const d = moment[6 + k];
      this.push[bone * 12 + k] += scale * (c00 * a + c01 * b + c02 * d);
      this.push[bone * 12 + 3 + k] += scale * (c01 * a + c11 * b + c12 * d);
      this.push[bone * 12 + 6 + k] += scale * (c02 * a + c12 * b + c22 * d);
    }
  }

  /** Sends a kinematic bone to its target, or as far as a step may move it. */
  #sendTo(bone: number, targets: Float64Array, o: number): void {
    const { quats, translations } = this.poses;
    const q = bone * 4;
    const t = bone * 3;
    let distanceSq = 0;
    for (let k = 0; k < 3; k++) {
      const d = targets[o + 4 + k] - translations[t + k];
      distanceSq += d * d;
    }
    let cosine = 0;
    for (let k = 0; k < 4; k++) cosine += targets[o + k] * quats[q + k];
    const limit = MAX_KINEMATIC_MOVE * this.#model.size;
    const sineSq = Math.max(0, 1 - cosine * cosine);
    const far = distanceSq > limit * limit;
    const wide = sineSq > MAX_KINEMATIC_TURN_SQ;
    if (far || wide) this.clamped++;
    const share = far ? limit / Math.sqrt(distanceSq) : 1;
    for (let k = 0; k < 3; k++) translations[t + k] += share * (targets[o + 4 + k] - translations[t + k]);
    // of two quaternions of the same rotation the nearer one; a normalised blend turns by about its share of the angle
    const sign = cosine < 0 ? -1 : 1;
    const blend = wide ? Math.sqrt(MAX_KINEMATIC_TURN_SQ / sineSq) * 0.5 : 1;
    for (let k = 0; k < 4; k++) quats[q + k] += blend * (sign * targets[o + k] - quats[q + k]);
    normaliseQuat(quats, q, quats, q);
    this.poses.updateRotation(bone);
  }

  #nearestRigid(bone: number, affine: Float64Array, o: number): void {
    const { secondMoment } = this.#model.bones;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let p = 0; p < 3; p++) sum += affine[o + p * 3 + i] * secondMoment[bone * 9 + p * 3 + j];
        this.#matrix[i * 3 + j] = sum;
      }
    }
    polarRotation(this.#rotation, 0, this.#matrix, 0, this.#scratch, 0);
    mat3ToQuat(this.poses.quats, bone * 4, this.#rotation, 0);
    this.poses.updateRotation(bone);
    for (let k = 0; k < 3; k++) this.poses.translations[bone * 3 + k] = affine[o + 9 + k];
  }
}
