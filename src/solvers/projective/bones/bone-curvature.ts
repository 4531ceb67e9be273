/**
 * What Gauss-Newton leaves out of the bone problem: forces keep their direction while a bone turns, and so resist or help
 * the turn. A force μ (in the bone's frame) at the point q does work μ·(½ ω*ω* q) to second order, which is
 *
 *     ½ ωᵀ H ω,     H = ½ (μ qᵀ + q μᵀ) − (μ·q) 1
 *
 * with μ = Rᵀλ of every joint row at its anchor, and minus the pull on row p of the transform at q = e_p. A joint under
 * tension resists; without H the fold of two bones overshoots where tension · arm exceeds their inertia over h², and the
 * iterations cycle (a hanging chain of ten bones never came to rest at h = 1/30 s). Where H helps the turn it could make
 * the problem indefinite, so only its positive part is kept: steps get shorter, the solution they lead to is the same.
 */
import { JOINT_TABLE, JOINT_TYPES, POINT_ROWS } from '../../../body/joints/joint-table.js';
import type { Joints } from '../../../body/joints/joints.js';
import { eigenSymmetricMat3 } from '../../../math/eigen3.js';

/** Curvature of each bone's turning, 9 numbers per bone; owns the scratch for it. */
export class BoneCurvature {
  readonly values: Float64Array;
  readonly #boneCount: number;
  readonly #joints: Joints;
  readonly #scale: number;
  readonly #force = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #eigenvalues = new Float64Array(3);
  readonly #vectors = new Float64Array(9);

  /** `scale`: the length that makes gaps of angles metres. */
  constructor(boneCount: number, joints: Joints, scale: number) {
    this.#boneCount = boneCount;
    this.#joints = joints;
    this.#scale = scale;
    this.values = new Float64Array(boneCount * 9);
  }

  /** Fills `values` for the given multipliers (one per joint row) and pull (four rows of three per bone); its positive part, or all of it. */
  fill(rotations: Float64Array, multipliers: Float64Array, pull: Float64Array, positive = true): void {
    this.values.fill(0);
    const { count, boneA, boneB, rowStart, anchorA, anchorB } = this.#joints;
    for (let pair = 0; pair < count; pair++) {
      const row = rowStart[pair];
      for (let k = 0; k < 3; k++) this.#force[k] = multipliers[row + k];
      this.#add(boneA[pair], rotations, 1, anchorA, pair * 3);
      this.#add(boneB[pair], rotations, -1, anchorB, pair * 3);
      const first = row + POINT_ROWS;
      for (let n = first; n < rowStart[pair + 1]; n++) this.#addAngle(pair, n - first, rotations, multipliers[n]);
    }
    for (let bone = 0; bone < this.#boneCount; bone++) {
      for (let p = 0; p < 3; p++) {
        for (let k = 0; k < 3; k++) {
          this.#force[k] = pull[bone * 12 + p * 3 + k];
          this.#point[k] = k === p ? 1 : 0;
        }
        this.#add(bone, rotations, -1, this.#point, 0);
      }
      if (positive) this.#keepPositive(bone * 9);
    }
  }

  /** The row scale (R_A a)·(R_B b): to bone A it is a force λ scale R_B b at the point a, and the other way round. */
  #addAngle(pair: number, n: number, rotations: Float64Array, multiplier: number): void {
    const { boneA, boneB, frame, types } = this.#joints;
    const directions = JOINT_TABLE[JOINT_TYPES[types[pair]]].equal[n];
    const a = pair * 9 + directions[0] * 3;
    const b = pair * 9 + directions[1] * 3;
    this.#setForce(rotations, boneB[pair], frame, b, multiplier);
    this.#add(boneA[pair], rotations, 1, frame, a);
    this.#setForce(rotations, boneA[pair], frame, a, multiplier);
    this.#add(boneB[pair], rotations, 1, frame, b);
  }

  #setForce(rotations: Float64Array, bone: number, v: Float64Array, i: number, multiplier: number): void {
    for (let k = 0; k < 3; k++) {
      const r = bone * 9 + k * 3;
      const turned = rotations[r] * v[i] + rotations[r + 1] * v[i + 1] + rotations[r + 2] * v[i + 2];
      this.#force[k] = multiplier * this.#scale * turned;
    }
  }

  /** Adds H for `sign` times the force at the point q of a bone; nothing for the world. */
  #add(bone: number, rotations: Float64Array, sign: number, point: Float64Array, q: number): void {
    if (bone === this.#boneCount) return;
    const f = this.#force;
    const r = bone * 9;
    const x = sign * (rotations[r] * f[0] + rotations[r + 3] * f[1] + rotations[r + 6] * f[2]);
    const y = sign * (rotations[r + 1] * f[0] + rotations[r + 4] * f[1] + rotations[r + 7] * f[2]);
    const z = sign * (rotations[r + 2] * f[0] + rotations[r + 5] * f[1] + rotations[r + 8] * f[2]);
    const a = point[q];
    const b = point[q + 1];
    const c = point[q + 2];
    const h = this.values;
    h[r] -= y * b + z * c;
    h[r + 4] -= x * a + z * c;
    h[r + 8] -= x * a + y * b;
    const xy = 0.5 * (x * b + y * a);
    const xz = 0.5 * (x * c + z * a);
    const yz = 0.5 * (y * c + z * b);
    h[r + 1] += xy;
    h[r + 2] += xz;
    h[r + 5] += yz;
    h[r + 3] += xy;
    h[r + 6] += xz;
    h[r + 7] += yz;
  }

  #keepPositive(o: number): void {
    const h = this.values;
    const values = this.#eigenvalues;
    const vectors = this.#vectors;
    eigenSymmetricMat3(values, 0, vectors, 0, h, o);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let e = 0; e < 3; e++) if (values[e] > 0) sum += values[e] * vectors[i * 3 + e] * vectors[j * 3 + e];
        h[o + i * 3 + j] = sum;
      }
    }
  }
}
