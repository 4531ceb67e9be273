/**
 * Keeps steps going downhill for energies that are not of the projective form (stable neo-Hookean): the constant matrix is
 * then only a guess of their stiffness, and a full move can overshoot. Called by every iteration of the projective solver.
 *
 * Whether a move δ went downhill is read off the forces e at its two ends, e₀·δ + e₁·δ ≥ 0: twice what the objective fell by, by
 * the trapezoid rule. Comparing objectives instead fails where it matters most: energies summed from f32 cannot tell the
 * last digits of a body that comes to rest, and while joints are still open the objective is lower than it can ever be with joints
 * closed. Here the joints' forces count like any others.
 */
import { BonePoses } from '../../../body/bone-poses.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import { normaliseQuat } from '../../../math/quat.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { BoneStep } from '../bones/bone-step.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Attachments } from '../outside/attachments.js';

/** Longest and shortest cut of a move that went uphill; between them it is cut to the lowest point of a parabola. */
const CUT = 0.5;
const MOST_CUT = 0.125;
/** What a share that was cut grows by with every move that goes downhill. */
const GROW = 1.4;
const SHORTEST = 1 / 256;
/** Moves shorter than this, relative to the body's size, are rounding: positions are f32 there. */
const ROUNDING = 1e-6;

/** Watches the iterations of one step. */
export class Descent {
  /** Share of the full move that is taken. */
  scale = 1;
  /** Whether any move of the step had to be cut. */
  wasCut = false;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #motion: BoneMotion;
  readonly #shortest: number;
  readonly #x: Float64Array;
  readonly #residual: Float32Array;
  readonly #poses: BonePoses;
  readonly #pull: Float64Array;
  readonly #gaps: Float64Array;
  readonly #now = new Float64Array(12);
  readonly #then = new Float64Array(12);
  #known = false;
  /** Work of flesh and bones over the move, with the forces at its start and at its end [J]. */
  #before = 0;
  #after = 0;
  #farthest = 0;
  #cut = 1;

  /** `jointRows`: how many rows the joints have; `size`: length of the body [m]. */
  constructor(rows: FleshRows, solve: SolvePlan, motion: BoneMotion, jointRows: number, size: number) {
    this.#rows = rows;
    this.#solve = solve;
    this.#motion = motion;
    this.#shortest = ROUNDING * size;
    this.#x = new Float64Array(rows.fleshCount * 4);
    this.#residual = new Float32Array(rows.fleshCount * 4);
    this.#poses = new BonePoses(motion.count + 1);
    this.#pull = new Float64Array(motion.count * 12);
    this.#gaps = new Float64Array(jointRows);
  }

  /** A new step: nothing to compare with yet. */
  begin(): void {
    this.scale = 1;
    this.wasCut = false;
    this.#known = false;
  }

  /**
   * Whether the last move went downhill. Call when right-hand side and pull hold the residuals of flesh and bones; `contacts`: what
   * the contact forces as they stand have done over the move [J]. False: `goBack`, then `restoreResiduals`.
   */
  accept(joints: BoneStep, springs: Attachments | undefined, contacts: number): boolean {
    if (!this.#known) return true;
    this.#measure();
    const constant = contacts + this.#jointWork(joints);
    const motors = joints.turnWork.sinceKept(this.#motion.poses);
    const before = this.#before + constant + motors.before + (springs?.workBefore(this.#motion) ?? 0);
    const after = this.#after + constant + motors.after + (springs?.workAfter(this.#motion) ?? 0);
    if (before + after >= 0 || this.#farthest < this.#shortest) {
      this.scale = Math.min(1, this.scale * GROW);
      return true;
    }
    this.wasCut = true;
    const lowest = before > 0 ? before / (before - after) : 0;
    // what is not finite counts as uphill, and as far too long
    this.#cut = lowest > MOST_CUT ? Math.min(CUT, lowest) : MOST_CUT;
    this.scale = Math.max(SHORTEST, this.scale * this.#cut);
    return false;
  }

  /** Remembers positions, poses and residuals as they are: the next move starts here. */
  keep(joints: BoneStep, springs: Attachments | undefined): void {
    this.#known = true;
    joints.measureGap(this.#motion.poses);
    this.#gaps.set(joints.gaps);
    joints.turnWork.keep(this.#motion.poses);
    springs?.keepPlaces(this.#motion);
    this.#x.set(this.#rows.x.view);
    this.#poses.copy(this.#motion.poses);
    this.#pull.set(this.#motion.pull);
    const y = this.#solve.y.view;
    for (let i = 0; i < this.#residual.length; i++) this.#residual[i] = y[i];
  }

  /** Goes back along the move, as far as the last `accept` said it was too long: for a last move that nothing follows. */
  shorten(): void {
    const x = this.#rows.x.view;
    const { poses, count } = this.#motion;
    for (let i = 0; i < x.length; i++) x[i] = this.#x[i] + this.#cut * (x[i] - this.#x[i]);
    for (let i = 0; i < count * 3; i++) {
      poses.translations[i] =
        this.#poses.translations[i] + this.#cut * (poses.translations[i] - this.#poses.translations[i]);
    }
    for (let bone = 0; bone < count; bone++) {
      const q = bone * 4;
      for (let k = q; k < q + 4; k++)
        poses.quats[k] = this.#poses.quats[k] + this.#cut * (poses.quats[k] - this.#poses.quats[k]);
      normaliseQuat(poses.quats, q, poses.quats, q);
      poses.updateRotation(bone);
    }
  }

  /** Positions and poses back to what was kept; `restoreResiduals` has to follow once the rows have taken them up. */
  goBack(): void {
    this.#rows.x.view.set(this.#x);
    this.#motion.poses.copy(this.#poses);
  }

  /** Right-hand side and pull back to what was kept. */
  restoreResiduals(): void {
    this.#solve.y.view.set(this.#residual);
    this.#motion.pull.set(this.#pull);
  }

  /** What the joints have done over the move: only where it opened or closed them. Multipliers are those of a move of this share. */
  #jointWork(joints: BoneStep): number {
    joints.measureGap(this.#motion.poses);
    let work = 0;
    for (let i = 0; i < this.#gaps.length; i++) work -= joints.multipliers[i] * (joints.gaps[i] - this.#gaps[i]);
    return work / this.scale;
  }

  /** What flesh and the bones' pull do over the move, with the forces at its start and at its end. */
  #measure(): void {
    const x = this.#rows.x.view;
    const y = this.#solve.y.view;
    const { pull, poses, count } = this.#motion;
    let before = 0;
    let after = 0;
    let farthest = 0;
    for (let i = 0; i < this.#x.length; i++) {
      // the fourth number of a row is not used
      if ((i & 3) === 3) continue;
      const move = x[i] - this.#x[i];
      before += this.#residual[i] * move;
      after += y[i] * move;
      farthest = Math.max(farthest, Math.abs(move));
    }
    for (let bone = 0; bone < count; bone++) {
      poses.writeAffine(bone, this.#now, 0);
      this.#poses.writeAffine(bone, this.#then, 0);
      for (let k = 0; k < 12; k++) {
        const move = this.#now[k] - this.#then[k];
        before += this.#pull[bone * 12 + k] * move;
        after += pull[bone * 12 + k] * move;
        if (k >= 9) farthest = Math.max(farthest, Math.abs(move));
      }
    }
    this.#before = before;
    this.#after = after;
    this.#farthest = farthest;
  }
}
