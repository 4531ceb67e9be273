/**
 * The bones' side of the acceleration. A bone's pose counts by six numbers: the Cayley vector of its turn since the step began, and its
 * place; in them moves can be added. Products are those of the transforms (four rows of three per bone) with the force A δ that moved
 * them, what joints and contacts do included. Called by acceleration.ts.
 */
import { conjugateQuat, multiplyQuat, normaliseQuat } from '../../../math/quat.js';
import type { BoneMotion } from './bone-motion.js';

/** Scalar part of a turn's quaternion below which its Cayley vector is too long to mix: about 150 degrees within one step. */
const WIDEST_TURN = 0.25;

/** Vectors of one body's bones, `memory` of each kind. */
export class BoneHistory {
  /** False when a bone has turned too far in this step for its turns to be added. */
  canMix = true;
  readonly #motion: BoneMotion;
  readonly #first: Float64Array;
  readonly #before: Float64Array;
  readonly #now: Float64Array;
  readonly #mixed: Float64Array;
  readonly #ends: Float64Array;
  readonly #transforms: Float64Array;
  readonly #moves: Float64Array;
  readonly #force: Float64Array;
  readonly #turn = new Float64Array(4);
  readonly #affine = new Float64Array(12);

  constructor(motion: BoneMotion, memory: number) {
    const { count } = motion;
    this.#motion = motion;
    this.#first = new Float64Array(count * 4);
    this.#before = new Float64Array(count * 6);
    this.#now = new Float64Array(count * 6);
    this.#mixed = new Float64Array(count * 6);
    this.#ends = new Float64Array(count * 6 * memory);
    this.#transforms = new Float64Array(count * 12);
    this.#moves = new Float64Array(count * 12 * memory);
    this.#force = new Float64Array(count * 12);
  }

  /** A new step: turns count from here. */
  begin(): void {
    const { quats } = this.#motion.poses;
    for (let bone = 0; bone < this.#motion.count; bone++) conjugateQuat(this.#first, bone * 4, quats, bone * 4);
    this.canMix = true;
  }

  /** Forgets what was mixed in. */
  restart(): void {
    this.#mixed.fill(0);
  }

  /** An iteration begins. */
  beginIteration(): void {
    this.#read(this.#before);
    for (let bone = 0; bone < this.#motion.count; bone++) {
      this.#motion.poses.writeAffine(bone, this.#transforms, bone * 12);
    }
    this.#force.fill(0);
  }

  /**
   * Adds the force on the bones behind `change` to that of the iteration, and its products with the first `count` moves to `dots`. `y`
   * holds, from row `from` on, what the forward sweep left for the bones; `metric` is their Schur complement S:
   * (A δ)_b = S δ_b − y_b, joints and contacts balanced; `held`: what held points pull with through the flesh, which counts where they are.
   */
  addForces(
    dots: Float64Array,
    count: number,
    y: Float32Array,
    from: number,
    metric: Float64Array,
    change: Float64Array,
    held: Float64Array | undefined,
  ): void {
    const rows = this.#motion.count * 4;
    const total = this.#force;
    const moves = this.#moves;
    for (let i = 0; i < rows; i++) {
      const o = i * 3;
      const left = (from + i) * 4;
      let x = -y[left] - (held?.[o] ?? 0);
      let middle = -y[left + 1] - (held?.[o + 1] ?? 0);
      let z = -y[left + 2] - (held?.[o + 2] ?? 0);
      for (let j = 0; j < rows; j++) {
        const s = metric[i * rows + j];
        x += s * change[j * 3];
        middle += s * change[j * 3 + 1];
        z += s * change[j * 3 + 2];
      }
      total[o] += x;
      total[o + 1] += middle;
      total[o + 2] += z;
      for (let n = 0; n < count; n++) {
        const move = n * rows * 3 + o;
        dots[n] = dots[n] + x * moves[move] + middle * moves[move + 1] + z * moves[move + 2];
      }
    }
  }

  /** The bones' part of a mix, see FleshHistory.mix; poses are moved by what is mixed in. Returns the work of the forces [J]. */
  mix(newest: number, count: number, shares: Float64Array, next: number): number {
    const now = this.#now;
    const length = now.length;
    this.#read(now);
    for (let i = 0; i < length; i++) {
      if (newest >= 0) this.#ends[newest * length + i] = this.#mixed[i] + now[i] - this.#before[i];
      let mix = 0;
      for (let n = 0; n < count; n++) mix -= shares[n] * this.#ends[n * length + i];
      this.#mixed[i] = mix;
      now[i] += mix;
    }
    if (count > 0) this.#write(now);
    return this.#keepMove(next);
  }

  /** Keeps how the transforms have moved since the iteration began. */
  #keepMove(next: number): number {
    const { poses, count } = this.#motion;
    let work = 0;
    for (let bone = 0; bone < count; bone++) {
      poses.writeAffine(bone, this.#affine, 0);
      for (let k = 0; k < 12; k++) {
        const at = bone * 12 + k;
        const move = this.#affine[k] - this.#transforms[at];
        this.#moves[next * count * 12 + at] = move;
        work += move * this.#force[at];
      }
    }
    return work;
  }

  /** Turn since the step began and place of each bone; also says whether turns can still be mixed. */
  #read(out: Float64Array): void {
    const { quats, translations } = this.#motion.poses;
    const turn = this.#turn;
    for (let bone = 0; bone < this.#motion.count; bone++) {
      multiplyQuat(turn, 0, quats, bone * 4, this.#first, bone * 4);
      if (!(Math.abs(turn[3]) > WIDEST_TURN)) this.canMix = false;
      for (let k = 0; k < 3; k++) {
        out[bone * 6 + k] = turn[k] / turn[3];
        out[bone * 6 + 3 + k] = translations[bone * 3 + k];
      }
    }
  }

  #write(from: Float64Array): void {
    const { poses, count } = this.#motion;
    const turn = this.#turn;
    for (let bone = 0; bone < count; bone++) {
      for (let k = 0; k < 3; k++) {
        turn[k] = from[bone * 6 + k];
        poses.translations[bone * 3 + k] = from[bone * 6 + 3 + k];
      }
      turn[3] = 1;
      normaliseQuat(turn, 0, turn, 0);
      // #first holds conjugates: q = turn · first
      conjugateQuat(this.#first, bone * 4, this.#first, bone * 4);
      multiplyQuat(poses.quats, bone * 4, turn, 0, this.#first, bone * 4);
      conjugateQuat(this.#first, bone * 4, this.#first, bone * 4);
      poses.updateRotation(bone);
    }
  }
}
