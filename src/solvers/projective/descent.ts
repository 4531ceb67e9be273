/**
 * Keeps steps going downhill for energies that are not of the projective form (stable neo-Hookean): the constant matrix is
 * then only a guess of their stiffness, and a full step can overshoot. When the objective has risen, the iteration goes
 * back to where it was and takes shorter steps; when it falls, steps grow again. Same cost per iteration, no inner loop.
 */
import { BonePoses } from '../../body/bone-poses.js';
import type { Model } from '../../body/model.js';
import type { BoneMotion } from './bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import { boneMass } from './system.js';

/** Rise of the objective, relative to its size, that is rounding and not a rise: energies are summed from f32. */
const NOISE = 1e-6;
/** Steps are cut by this when the objective rises, and grow by its square root when it falls. */
const CUT = 0.5;
const GROW = 1.4;
const SHORTEST = 1 / 256;

/** Watches the iterations of one step. */
export class Descent {
  /** Share of the full step that is taken; goes on from step to step, and is therefore part of the body's state. */
  scale = 1;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #motion: BoneMotion;
  readonly #x: Float64Array;
  readonly #poses: BonePoses;
  readonly #affine = new Float64Array(12);
  #best = Number.POSITIVE_INFINITY;

  constructor(model: Model, rows: FleshRows, motion: BoneMotion) {
    this.#model = model;
    this.#rows = rows;
    this.#motion = motion;
    this.#x = new Float64Array(rows.fleshCount * 4);
    this.#poses = new BonePoses(model.bones.count + 1);
  }

  /** A new step, with the share that the body's last one ended with: nothing to compare with yet. */
  begin(scale: number): void {
    this.scale = scale;
    this.#best = Number.POSITIVE_INFINITY;
  }

  /**
   * Compares the objective after a local step with the best so far. True: it fell, these positions are kept. False: the
   * positions are back at the best ones, and the local step has to be taken again. `springs`: energy of held points [J];
   * `work`: what contact forces as they stand have done since the best positions [J].
   */
  accept(inertia: number, springs: number, work: number): boolean {
    const objective = this.#rows.elasticEnergy() + this.#inertialEnergy(inertia) + springs;
    if (objective - work <= this.#best + NOISE * Math.abs(this.#best)) {
      if (this.#best < Number.POSITIVE_INFINITY) this.scale = Math.min(1, this.scale * GROW);
      this.#best = objective;
      this.#x.set(this.#rows.x.view);
      this.#poses.copy(this.#motion.poses);
      return true;
    }
    this.scale = Math.max(SHORTEST, this.scale * CUT);
    this.#rows.x.view.set(this.#x);
    this.#motion.poses.copy(this.#poses);
    return false;
  }

  /** ½ a |x − y|² in the masses of flesh and bones, a being one over a time squared [J]. */
  #inertialEnergy(inertia: number): number {
    const x = this.#rows.x.view;
    const y = this.#rows.target.view;
    const weights = this.#rows.weights.view;
    let sum = 0;
    for (let row = 0; row < weights.length; row++) {
      for (let k = row * 4; k < row * 4 + 3; k++) sum += weights[row] * (x[k] - y[k]) * (x[k] - y[k]);
    }
    const affine = this.#affine;
    for (let bone = 0; bone < this.#motion.count; bone++) {
      this.#motion.poses.writeAffine(bone, affine, 0);
      for (let k = 0; k < 12; k++) affine[k] -= this.#motion.target[bone * 12 + k];
      for (let p = 0; p < 4; p++) {
        for (let q = 0; q < 4; q++) {
          const mass = inertia * boneMass(this.#model, bone, p, q);
          for (let k = 0; k < 3; k++) sum += mass * affine[p * 3 + k] * affine[q * 3 + k];
        }
      }
    }
    return sum / 2;
  }
}
