/**
 * Acceleration of the iterations of a step: the last few moves and what they changed about the next ones tell where the iterations lead,
 * and each one jumps there. Called by the projective solver in every iteration but the last, which is plain and closes the joints.
 *
 * An iteration takes positions and poses x to x + f(x), A f being the force that is out of balance. With moves Δx_i between iterates and
 * Δf_i the change of f over them,
 *
 *     N γ = −d,   N_ij = −⟨Δx_i, Δf_j⟩,  d_i = ⟨Δx_i, f⟩        x ← x + f − Σ γ_i (Δx_i + Δf_i)
 *
 * with the inner product of the constant matrix, ⟨a, b⟩ = aᵀA b: f is then made to do no work along any of the moves, as in conjugate
 * gradients [Fang2009, type I]. ⟨Δx_i, f⟩ = Δx_i · (A f) is a product with the right-hand side before it is solved, so no product
 * with A is needed; N is symmetric where the energy is, and its columns are differences of d between iterations.
 */
import type { Model } from '../../../body/model.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import { BoneHistory } from '../bones/bone-history.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Attachments } from '../outside/attachments.js';
import { Convergence, REMEMBERED } from './convergence.js';
import { FleshHistory } from './flesh-history.js';
import { HeldHistory } from './held-history.js';

/** Moves that are remembered. */
const MEMORY = 5;
/**
 * A move whose stiffness beyond that of newer ones is less than this share of its own says nothing new. With 1e-6 a hanging bar trembled
 * by 5e-6 of its size, with 1e-2 by 2e-7; the steps are equally good with both. With 1e-2 single steps whose regions turn were led astray: slopes of an arm's rollout, by differences of ten
 * iterations, were 3 degrees off those of converged steps, with 0.1 they are 0.1.
 */
const NOTHING_NEW = 0.1;

/**
 * Once a move is shorter than this, relative to the body's size, the rest of the step is plain: a body at rest, or a step that has
 * converged, has nothing to gain. Mixing rounding made boxes creep on the floor by 15 mm in a minute, and with 60 iterations turned
 * 5 % of a fish's tets over. With five times as much, a human that swings stayed 0.3 % from its converged step after ten iterations, for 0.12.
 */
const QUIET = 2e-6;

/** Iterations of a step that are mixed, at most: by then it has converged, or mixing does not help. */
const MOST_MIXED = 40;

/**
 * How many times what the last move gained a mix may promise where something touches the body. Contact forces change from one iteration to the next by
 * more than positions say, and what they change looks like flesh without stiffness: a ragdoll on the ground mixed a move by shares of 3, -15 and -3, which
 * took its error from 6 to 31 %, and a bar at rest on 245 contacts was thrown up again and again.
 */
const PLAUSIBLE = 1;

/** How much more than the first move of a step a later plain one may have to do. */
const RISEN = 4;

/** Accelerates the steps of one body. */
export class Acceleration {
  /** How far the step has come. */
  readonly convergence = new Convergence();
  /** Whether moves are mixed at all; if not they are only measured. */
  mixes = true;
  /** Whether a mix that promises too much is cut back. */
  isWary = false;
  /**
   * Whether a mix has led away from the end of the step: its last move went farther up than the one before went down, or a plain move found more to do than the
   * first one had. Tets that are being turned over bend the wrong way, and a mix of moves through them may be anything: a hand one of whose
   * bones was sent away had edges drawn to 15 times their length, and it stayed 7 % out of shape.
   */
  hasOvershot = false;
  /** How far the last move that was measured went down, and what the first move of the step had to do [J]; whether the newest one is a mix. */
  #fall = 0;
  #firstWork = 0;
  #isMix = false;
  #hasMixed = false;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #motion: BoneMotion;
  readonly #flesh: FleshHistory;
  readonly #bones: BoneHistory;
  readonly #held: HeldHistory;
  /** Slots in use, the slot of the newest move (-1: none), and whether its change of f is not known yet. */
  #count = 0;
  #newest = -1;
  /** Solves of the iteration so far. */
  #solves = 0;
  #isOn = false;
  /** Work of a move that is too short to learn from [J]. */
  #quietWork = 0;
  #isLast = false;
  /** Nothing was mixed any more when enough iterations were left to judge the step by. */
  #isPlainToTheEnd = false;
  /** Iterations of the step so far. */
  #mixed = 0;
  readonly #size: number;
  readonly #dots = new Float64Array(MEMORY);
  readonly #earlier = new Float64Array(MEMORY);
  readonly #stiffness = new Float64Array(MEMORY * MEMORY);
  readonly #factor = new Float64Array(MEMORY * MEMORY);
  readonly #shares = new Float64Array(MEMORY);
  readonly #order = new Int32Array(MEMORY);

  constructor(plan: MemoryPlan, rows: FleshRows, solve: SolvePlan, motion: BoneMotion, model: Model) {
    this.#size = model.size;
    this.#rows = rows;
    this.#solve = solve;
    this.#motion = motion;
    this.#flesh = new FleshHistory(plan, rows, solve, MEMORY);
    this.#bones = new BoneHistory(motion, MEMORY);
    this.#held = new HeldHistory(model, rows, motion, MEMORY);
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#flesh.start(kernels, threads);
  }

  /** A new step; `inertia`: mass of the body over the square of the time step [kg/s²]; `mixes` as above; `held`: where it is held. */
  begin(inertia: number, mixes: boolean, held: Attachments | undefined): void {
    this.mixes = mixes;
    this.isWary = false;
    this.hasOvershot = this.#isMix = this.#hasMixed = false;
    this.#fall = 0;
    this.#isOn = false;
    this.#isLast = false;
    this.#isPlainToTheEnd = false;
    this.#mixed = 0;
    this.convergence.begin();
    this.#quietWork = inertia * (QUIET * this.#size) * (QUIET * this.#size);
    this.#bones.begin();
    this.#held.begin(held);
    this.restart();
  }

  /** Forgets everything: the next iteration is plain. */
  restart(): void {
    this.#count = 0;
    this.#newest = -1;
    this.#flesh.restart();
    this.#bones.restart();
  }

  /**
   * An iteration begins, after which `left` others come for certain; `last`: its move will not be mixed, only measured. Of a plain step not even that
   * where nothing depends on it: it takes 4 % to 7 % of an iteration.
   */
  beginIteration(last: boolean, left: number): void {
    this.#isOn = this.mixes || this.#held.isActive || this.#isJudgedBy(left);
    if (!this.#isOn) {
      this.restart();
      return;
    }
    this.#isLast = last;
    this.#solves = 0;
    this.#dots.fill(0);
    this.#bones.beginIteration();
    this.#countHeld();
  }

  /** A plain step is judged by the first and the last of the falls that are remembered, each measured from the move before it on. */
  #isJudgedBy(left: number): boolean {
    if (left >= REMEMBERED) this.#isPlainToTheEnd = true;
    if (!this.#isPlainToTheEnd || left <= 1) return true;
    if (left === REMEMBERED - 2) this.convergence.skip(REMEMBERED - 2);
    return left === REMEMBERED || left === REMEMBERED - 1;
  }

  /** What held points did over the newest move counts once it is complete: only then is it known whether it was a short one. */
  #countHeld(): void {
    if (!this.#held.isActive) return;
    const newest = this.#newest;
    const work = this.#held.beginIteration(newest);
    if (newest < 0) return;
    this.#earlier[newest] += work;
    if (this.#earlier[newest] < this.#quietWork) this.mixes = false;
    if (this.#held.hasYielded) this.restart();
  }

  /** Call once per iteration, when it is known to what share of itself the move is cut. */
  addPulls(scale: number): void {
    if (!this.#isOn || !this.#held.isActive) return;
    this.#held.settle(scale);
    this.#held.addForces(this.#dots, this.#count);
  }

  /** Call before the forward sweep, with the right-hand side of the flesh. */
  addForces(): void {
    if (this.#isOn) this.#flesh.addForces(this.#dots, this.#count, this.#solves > 0);
  }

  /** Call between the sweeps, with the bones' metric and change, and what held points pull with. */
  addBoneForces(metric: Float64Array, change: Float64Array, held: Float64Array | undefined): void {
    if (!this.#isOn || this.#motion.count === 0) return;
    const { y } = this.#solve;
    this.#bones.addForces(this.#dots, this.#count, y.view, this.#rows.fleshCount, metric, change, held);
  }

  /** Call after the backward sweep where more solves of the same iteration may follow. */
  addMove(): void {
    if (this.#isOn) this.#flesh.addMove(this.#solves > 0);
    this.#solves++;
  }

  /**
   * Mixes. With the increments of the iteration's only solve in hand they become those of the mixed move; `apart`: they were made already,
   * and the increments become what comes on top. Poses move. False where nothing was mixed in.
   */
  mix(apart: boolean): boolean {
    if (!this.#isOn) return false;
    this.#isOn = false;
    const learned = this.#learn();
    // where others follow after all they are plain: mixes had promised too much
    if (this.#isLast) this.mixes = false;
    if (this.#isLast) return false;
    if (!this.mixes || !this.#bones.canMix || !learned) this.restart();
    const mixed = this.#newest >= 0 ? this.#count : 0;
    const next = (this.#newest + 1) % MEMORY;
    const newest = this.#newest;
    this.#isMix = mixed > 0;
    this.#hasMixed ||= this.#isMix;
    let work = this.#flesh.mix(newest, mixed, this.#shares, next, apart);
    work += this.#bones.mix(newest, mixed, this.#shares, next);
    if (this.#mixed === 0) this.#firstWork = Math.max(this.#quietWork, work);
    else if (this.#hasMixed && mixed === 0) this.hasOvershot = work > RISEN * this.#firstWork;
    const isQuiet = !this.#held.isActive && work < this.#quietWork;
    if (isQuiet || ++this.#mixed >= MOST_MIXED) this.mixes = false;
    for (let i = 0; i < this.#count; i++) this.#earlier[i] = this.#dots[i];
    this.#earlier[next] = work;
    this.#newest = next;
    this.#count = Math.max(this.#count, next + 1);
    return mixed > 0;
  }

  /** Takes up what the last move changed, and finds the shares. False where it went uphill, or bends the wrong way. */
  #learn(): boolean {
    const newest = this.#newest;
    if (newest < 0) return true;
    // forces at the two ends of the move say whether it went downhill, see descent.ts
    const fall = 0.5 * (this.#earlier[newest] + this.#dots[newest]);
    this.convergence.add(fall);
    if (this.#isMix) this.hasOvershot = -fall > this.#fall && -fall > this.#quietWork;
    this.#fall = Math.max(0, fall);
    if (!(fall >= 0)) return false;
    if (!this.mixes) return true;
    for (let i = 0; i < this.#count; i++) {
      const value = this.#earlier[i] - this.#dots[i];
      this.#stiffness[i * MEMORY + newest] = value;
      this.#stiffness[newest * MEMORY + i] = value;
    }
    return this.#findShares();
  }

  /** N γ = −d by Cholesky, newest moves first; those that say nothing new are left out. False where the newest is not stiff. */
  #findShares(): boolean {
    const [factor, shares, order] = [this.#factor, this.#shares, this.#order];
    shares.fill(0);
    const most = this.isWary ? 2 * PLAUSIBLE * this.#fall : Number.POSITIVE_INFINITY;
    let gain = 0;
    let used = 0;
    for (let n = 0; n < this.#count; n++) {
      const slot = (this.#newest + this.#count - n) % this.#count;
      const own = this.#stiffness[slot * MEMORY + slot];
      let pivot = own;
      let right = -this.#dots[slot];
      for (let j = 0; j < used; j++) {
        let value = this.#stiffness[slot * MEMORY + order[j]];
        for (let k = 0; k < j; k++) value -= factor[used * MEMORY + k] * factor[j * MEMORY + k];
        value /= factor[j * MEMORY + j];
        factor[used * MEMORY + j] = value;
        pivot -= value * value;
        right -= value * shares[order[j]];
      }
      if (!(pivot > NOTHING_NEW * own)) {
        if (n === 0) return false;
        continue;
      }
      const more = (right * right) / pivot;
      if (gain + more > most) continue;
      gain += more;
      factor[used * MEMORY + used] = Math.sqrt(pivot);
      shares[slot] = right / factor[used * MEMORY + used];
      order[used++] = slot;
    }
    for (let j = used - 1; j >= 0; j--) {
      for (let k = j + 1; k < used; k++) shares[order[j]] -= factor[k * MEMORY + j] * shares[order[k]];
      shares[order[j]] /= factor[j * MEMORY + j];
    }
    return true;
  }
}
