/**
 * The bone projection as published [Li2019 Alg. 1]: solve for affine transforms as if they were free, let the flesh follow
 * those, then move the bones alone onto rigid, jointed poses in the metric of their mass. Kept for comparison: it is not
 * a minimiser of the paper's own Eq. 13 and stalls at a shape that depends on the time step.
 */
import type { Model } from '../../../body/model.js';
import { SkylineLdlt } from '../../../linalg/skyline-ldlt.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import { BoneStep } from '../bones/bone-step.js';
import { boneMass } from '../system.js';

/** Owns the factored Schur complement and the mass metric. */
export class PublishedBones {
  /** Largest joint gap after the last projection [m]. */
  gap = 0;
  readonly #schur: SkylineLdlt;
  readonly #mass: Float64Array;
  readonly #bones: BoneStep;
  readonly #change: Float64Array;
  readonly #affine: Float64Array;
  readonly #column: Float64Array;
  readonly #pull: Float64Array;
  readonly #now = new Float64Array(12);

  /** `metric`: the Schur complement; `inertia`: one over a time squared [1/s²]. */
  constructor(model: Model, metric: Float64Array, fixed: Uint8Array, inertia: number) {
    const rows = model.bones.count * 4;
    this.#schur = new SkylineLdlt(new Int32Array(rows));
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j <= i; j++) this.#schur.values[this.#schur.origin[i] + j] = metric[i * rows + j];
    }
    this.#schur.factor();
    this.#mass = new Float64Array(rows * rows);
    for (let i = 0; i < rows; i++) {
      for (let j = i & ~3; j < (i & ~3) + 4; j++) {
        this.#mass[i * rows + j] = inertia * boneMass(model, i >> 2, i & 3, j & 3);
      }
    }
    this.#bones = new BoneStep(model.bones.count, model.joints, this.#mass, fixed, model.size);
    this.#change = new Float64Array(rows * 3);
    this.#affine = new Float64Array(rows * 3);
    this.#pull = new Float64Array(rows * 3);
    this.#column = new Float64Array(rows);
  }

  /** Moves the poses; returns the change of the affine transforms, which is what the flesh follows here. */
  project(motion: BoneMotion, pull: Float64Array): Float64Array {
    const rows = motion.count * 4;
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < rows; i++) this.#column[i] = pull[i * 3 + k];
      this.#schur.solve(this.#column);
      for (let i = 0; i < rows; i++) this.#change[i * 3 + k] = this.#column[i];
    }
    for (let bone = 0; bone < motion.count; bone++) motion.poses.writeAffine(bone, this.#affine, bone * 12);
    for (let i = 0; i < rows * 3; i++) this.#affine[i] += this.#change[i];
    motion.nearestRigid(this.#affine);
    // motors are not part of the published method
    this.#bones.restart(motion.poses, undefined, 1);
    this.#bones.begin(motion.poses);
    this.#pullToAffine(motion);
    this.gap = this.#bones.stepUntilClosed(motion.poses, this.#pull, 0);
    return this.#change;
  }

  /** Mass times (affine − rigid): what draws each bone towards its affine transform. */
  #pullToAffine(motion: BoneMotion): void {
    const rows = motion.count * 4;
    const now = this.#now;
    this.#pull.fill(0);
    for (let bone = 0; bone < motion.count; bone++) {
      motion.poses.writeAffine(bone, now, 0);
      for (let p = 0; p < 4; p++) {
        for (let q = 0; q < 4; q++) {
          const mass = this.#mass[(bone * 4 + p) * rows + bone * 4 + q];
          for (let k = 0; k < 3; k++) {
            this.#pull[bone * 12 + p * 3 + k] += mass * (this.#affine[bone * 12 + q * 3 + k] - now[q * 3 + k]);
          }
        }
      }
    }
  }
}
