/**
 * Steps of one body of the projective solver, remembered so that slopes can go back over them: the adjoint of the step. With x⁺ the end of a step, y
 * where inertia led, H the linearised step (step-system.ts) and λ the slopes by x⁺ and by its velocity a (x⁺ − …),
 *
 *     Hᵀ μ = λ          slopes by y: M/h² μ          slopes by torques and forces: μ
 *
 * and y is the integrator's combination of what came before [Li2019 eq. 2, BDF2]. The end is taken to be converged: what few iterations leave is
 * left out. Contacts with obstacles are held as they were found. Called by optimiseControls and goalSlopes.
 */

import { pullOnBone } from '../../../body/joints/bone-metric.js';
import type { Model } from '../../../body/model.js';
import { MetricGmres } from '../../../linalg/metric-gmres.js';
import type { ContactsOfStep, ControlSlopes, StateSlopes, StepTape } from '../../step-slopes.js';
import type { InertiaWeights } from '../bones/bone-motion.js';
import type { ProjectiveSolver } from '../projective-solver.js';
import type { ProjectiveState } from '../projective-state.js';
import { addInertia } from './bone-lift.js';
import { pullContactsBack } from './contact-slopes.js';
import { StepSystem } from './step-system.js';
import { TapedContacts, whyNotContacts } from './taped-contacts.js';
import { TapedStep } from './taped-step.js';

/** Iterations of a solve, at most; without flesh there is nothing to save. */
const ITERATIONS = 24;
const RIGID_TOLERANCE = 1e-10;

/** The tape of one body. */
export class ProjectiveTape implements StepTape {
  /** Iterations of all solves since `start`, and the largest residual that was left. */
  iterations = 0;
  residual = 0;
  readonly #model: Model;
  readonly #solver: ProjectiveSolver;
  readonly #state: ProjectiveState;
  readonly #touching: ContactsOfStep;
  readonly #system: StepSystem;
  readonly #gmres: MetricGmres;
  readonly #right: Float64Array;
  readonly #twelve: Float64Array;
  readonly #moment = new Float64Array(3);
  /** The state at the start, then the ends of the steps. */
  #steps: TapedStep[] = [];
  /** Solutions of the step after, one per number, and those of the steps after it, the next one first: where they lead is where a solve starts. */
  #solutions: Float64Array[] = [];
  #past: Float64Array[][] = [];

  constructor(model: Model, solver: ProjectiveSolver, state: ProjectiveState, touching: ContactsOfStep) {
    this.#model = model;
    this.#solver = solver;
    this.#state = state;
    this.#touching = touching;
    this.#system = new StepSystem(model, solver.layout, solver.rows, solver.matrix);
    this.#gmres = new MetricGmres(this.#system.size, ITERATIONS);
    this.#right = new Float64Array(this.#system.size);
    this.#twelve = new Float64Array(model.bones.count * 12);
  }

  start(): void {
    this.#steps = [];
    this.#solutions = [];
    this.iterations = 0;
    this.residual = 0;
    this.#take();
  }

  record(): string | undefined {
    const sides = this.#solver.contacts?.sides;
    const reason = whyNot(this.#model, this.#solver) ?? whyNotContacts(sides, this.#touching);
    if (!reason) this.#take();
    return reason;
  }

  #take(): void {
    const { rows, motion, h } = this.#solver;
    // before the first step there are neither weights nor a target that anybody would ask for
    const weights = this.#steps.length > 0 ? this.#solver.inertiaWeights : NO_WEIGHTS;
    const sides = this.#steps.length > 0 ? this.#solver.contacts?.sides : undefined;
    const contacts = new TapedContacts(this.#state.positions, sides, this.#touching);
    this.#steps.push(new TapedStep(this.#model, this.#state, rows, motion, weights, h, contacts));
  }

  back(step: number, slopes: readonly StateSlopes[], controls: readonly ControlSlopes[], tolerance: number): void {
    const [start, end] = [this.#steps[step], this.#steps[step + 1]];
    if (step === this.#steps.length - 2) {
      this.#system.elastic.restart();
      this.#solutions = slopes.map(() => new Float64Array(this.#system.size));
      this.#past = slopes.map(() => []);
    }
    this.#system.prepare(start, end);
    const left = this.#solver.isRigid ? RIGID_TOLERANCE : tolerance;
    for (let i = 0; i < slopes.length; i++) {
      const solution = this.#solutions[i];
      this.#fillRight(end, slopes[i]);
      if (step < this.#steps.length - 2) extrapolate(solution, this.#past[i]);
      this.#system.close(solution);
      this.#gmres.solve(this.#system, this.#right, solution, left);
      this.iterations += this.#gmres.iterations;
      this.residual = Math.max(this.residual, this.#gmres.residual);
      if (this.#system.contacts.subspace) this.#system.leave(solution, this.#right);
      const mu = this.#system.lean(solution);
      this.#system.lift(mu);
      this.#fleshBefore(end, slopes[i]);
      this.#bonesBefore(end, slopes[i]);
      this.#controlsOf(start, end, slopes[i], controls[i]);
      const { subspace, ground } = this.#system.contacts;
      if (subspace) pullContactsBack(subspace, ground, end, mu, slopes[i]);
    }
  }

  /** Slopes by the end of the step alone: its positions, and velocities, which are a times them. */
  #fillRight(end: TapedStep, slopes: StateSlopes): void {
    const { layout, rows } = this.#solver;
    const { rate } = end;
    const right = this.#right.fill(0);
    for (const v of layout.fleshVertices) {
      const row = rows.rowOfVertex[v] * 4;
      for (let k = 0; k < 3; k++) right[row + k] = slopes.positions[v * 3 + k] + rate * slopes.velocities[v * 3 + k];
    }
    const first = rows.fleshCount * 4;
    for (let bone = 0; bone < this.#model.bones.count; bone++) {
      const o = bone * 12;
      for (let k = o; k < o + 12; k++) this.#twelve[k] = slopes.bones[k] + rate * slopes.boneRates[k];
      pullOnBone(right, first + bone * 6, this.#twelve, o, end.poses.rotations, bone);
      for (let k = 0; k < 3; k++) right[first + bone * 6 + k] += slopes.turns[bone * 3 + k];
      if (end.fixed[bone]) right.fill(0, first + bone * 6, first + bone * 6 + 6);
    }
  }

  #fleshBefore({ weights, rate }: TapedStep, slopes: StateSlopes): void {
    const { layout } = this.#solver;
    const { positions, velocities, earlierPositions, earlierVelocities } = slopes;
    for (const v of layout.fleshVertices) {
      const mass = this.#model.masses[v] / weights.acceleration;
      for (let i = v * 3; i < v * 3 + 3; i++) {
        const target = mass * this.#system.moves[i];
        const speed = rate * velocities[i];
        positions[i] = weights.position * (target - speed) + earlierPositions[i];
        velocities[i] = weights.velocity * target + earlierVelocities[i];
        earlierPositions[i] = weights.earlierPosition * (target - speed);
        earlierVelocities[i] = weights.earlierVelocity * target;
      }
    }
  }

  #bonesBefore({ weights, rate, fixed }: TapedStep, slopes: StateSlopes): void {
    const { bones, boneRates, earlierBones, earlierRates } = slopes;
    const target = this.#twelve.fill(0);
    slopes.turns.fill(0);
    for (let bone = 0; bone < fixed.length; bone++) {
      const o = bone * 12;
      // where driven bones are was given, not found
      const counts = fixed[bone] ? 0 : 1;
      if (counts) addInertia(this.#model, bone, 1 / weights.acceleration, this.#system.change, target, o);
      for (let i = o; i < o + 12; i++) {
        const speed = rate * boneRates[i];
        bones[i] = counts * (weights.position * (target[i] - speed) + earlierBones[i]);
        boneRates[i] = counts * (weights.velocity * target[i] + earlierRates[i]);
        earlierBones[i] = counts * weights.earlierPosition * (target[i] - speed);
        earlierRates[i] = counts * weights.earlierVelocity * target[i];
      }
    }
  }

  /** What acted in the step: μ is what forces are worth, and the difference of two bones' turns what the torque between them is. */
  #controlsOf(start: TapedStep, end: TapedStep, slopes: StateSlopes, controls: ControlSlopes): void {
    const { fibres, moves, bones } = this.#system;
    const { motors } = bones;
    controls.targets.fill(0);
    controls.activations.fill(0);
    fibres?.addActivations(moves, controls.activations);
    for (let pair = 0; pair < motors.on.length; pair++) {
      if (!motors.on[pair]) continue;
      this.#turnBetween(end, pair);
      motors.pullBack(pair, this.#moment, start.poses, end.poses, controls.targets, pair * 3, slopes.turns);
    }
  }

  /** Turn of the second bone of a pair against the first in the solution, world axes. */
  #turnBetween({ poses, fixed }: TapedStep, pair: number): void {
    const { change, bones } = this.#system;
    const { motors } = bones;
    this.#moment.fill(0);
    for (const [bone, sign] of [
      [motors.parent(pair), -1],
      [motors.child(pair), 1],
    ]) {
      if (bone === fixed.length || fixed[bone]) continue;
      // R [ω]: half the sum of the columns of R crossed with how they change
      for (let p = 0; p < 3; p++) {
        for (let k = 0; k < 3; k++) {
          const [k1, k2] = [(k + 1) % 3, (k + 2) % 3];
          const r = bone * 9 + p;
          const c = bone * 12 + p * 3;
          const turn = poses.rotations[r + k1 * 3] * change[c + k2] - poses.rotations[r + k2 * 3] * change[c + k1];
          this.#moment[k] += 0.5 * sign * turn;
        }
      }
    }
  }
}

/** Why the step just taken cannot be traced, where it cannot. */
function whyNot({ muscles }: Model, { options, problems }: ProjectiveSolver): string | undefined {
  if (options.bones !== 'exact' || options.iterations === 0) return 'only steps with exact bones are traced';
  if (problems.isHeld) return 'held points and led bones are not traced';
  if (muscles?.lines.length) return 'muscles that are lines are not traced';
  if (muscles?.followedPair.some((pair) => pair >= 0)) return 'muscles that follow motors are not traced';
  return undefined;
}

/** Puts the solution first among those of the past, and where the polynomial through them leads in its place. */
function extrapolate(now: Float64Array, past: Float64Array[]): void {
  const oldest = past.length === WAYS.length ? past.pop() : undefined;
  const kept = oldest ?? new Float64Array(now.length);
  kept.set(now);
  past.unshift(kept);
  const way = WAYS[past.length - 1];
  for (let i = 0; i < now.length; i++) {
    let value = 0;
    for (let n = 0; n < way.length; n++) value += way[n] * past[n][i];
    now[i] = value;
  }
}

/**
 * Where the polynomial through 1, 2, 3 or 4 values leads. Real-time human, 60 steps, iterations of a solve held by its torso and free: 12.0 and 10.2 with
 * two values, 10.2 and 8.7 with three, 9.8 and 8.8 with four, whose error is a tenth; five are worse.
 */
const WAYS = [[1], [2, -1], [3, -3, 1], [4, -6, 4, -1]] as const;

const NO_WEIGHTS: InertiaWeights = {
  position: 1,
  velocity: 0,
  earlierPosition: 0,
  earlierVelocity: 0,
  acceleration: 1,
};
