/**
 * Steps of one body of the projective solver, remembered so that slopes can go back over them: the adjoint of the step. With x⁺ the end of a step, y
 * where inertia led, H the linearised step (step-system.ts) and λ the slopes by x⁺ and by its velocity a (x⁺ − …),
 *
 *     Hᵀ μ = λ          slopes by y: M/h² μ          slopes by torques and forces: μ
 *
 * and y is the integrator's combination of what came before [Li2019 eq. 2, BDF2]. The end is taken to be converged: what few iterations leave is
 * left out. Contacts are held as they were found, and bodies that are in touch are solved for together (touching-tapes.ts). Called by optimiseControls and goalSlopes.
 */

import { pullOnBone } from '../../../body/joints/bone-metric.js';
import type { Model } from '../../../body/model.js';
import type { BodySlopes, ContactsOfStep, ControlSlopes, StateSlopes, StepTape } from '../../step-slopes.js';
import type { InertiaWeights } from '../bones/bone-motion.js';
import type { ProjectiveSolver } from '../projective-solver.js';
import type { ProjectiveState } from '../projective-state.js';
import { addInertia } from './bone-lift.js';
import { pullContactsBack } from './contact-slopes.js';
import type { ContactSubspace } from './contact-subspace.js';
import { StepSystem } from './step-system.js';
import { TapedContacts, whyNotContacts } from './taped-contacts.js';
import { TapedStep } from './taped-step.js';
import { TouchingTapes } from './touching-tapes.js';

/** The tape of one body. */
export class ProjectiveTape implements StepTape {
  readonly system: StepSystem;
  /** Solutions of the step after, one per number, and those of the steps after it, the next one first: where they lead is where a solve starts. */
  solutions: Float64Array[] = [];
  past: Float64Array[][] = [];
  /** Number of the body in its world. */
  readonly body: number;
  readonly #model: Model;
  readonly #solver: ProjectiveSolver;
  readonly #state: ProjectiveState;
  readonly #touching: ContactsOfStep;
  /** Sets of bodies that were in touch, by their numbers. */
  readonly #sets = new Map<string, TouchingTapes>();
  readonly #twelve: Float64Array;
  readonly #moment = new Float64Array(3);
  /** The state at the start, then the ends of the steps. */
  #steps: TapedStep[] = [];

  constructor(model: Model, solver: ProjectiveSolver, state: ProjectiveState, touching: ContactsOfStep, body: number) {
    this.body = body;
    this.#model = model;
    this.#solver = solver;
    this.#state = state;
    this.#touching = touching;
    this.system = new StepSystem(model, solver.layout, solver.rows, solver.matrix, body);
    this.#twelve = new Float64Array(model.bones.count * 12);
  }

  start(): void {
    this.#steps = [];
    this.solutions = [];
    this.#take();
  }

  get isRigid(): boolean {
    return this.#solver.isRigid;
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
    const contacts = new TapedContacts(sides, this.#touching);
    this.#steps.push(new TapedStep(this.#model, this.#state, rows, motion, weights, h, contacts));
  }

  touched(step: number): readonly number[] {
    return [...this.#steps[step + 1].contacts.other].filter((body) => body >= 0);
  }

  back(step: number, own: BodySlopes, others: readonly (readonly [StepTape, BodySlopes])[], tolerance: number): void {
    const tapes = [this, ...others.map(([tape]) => tape as ProjectiveTape)];
    const key = tapes.map(({ body }) => body).join();
    const set = this.#sets.get(key) ?? new TouchingTapes(tapes);
    this.#sets.set(key, set);
    set.back(step, [own, ...others.map(([, slopes]) => slopes)], tolerance);
  }

  /** The start and the end of a step. */
  step(step: number): readonly [TapedStep, TapedStep] {
    return [this.#steps[step], this.#steps[step + 1]];
  }

  /** Gets ready for a step; before the last one there are no solutions to go on from: false. */
  ready(step: number, count: number): boolean {
    if (step < this.#steps.length - 2) return true;
    this.system.elastic.restart();
    this.solutions = Array.from({ length: count }, () => new Float64Array(this.system.size));
    this.past = this.solutions.map(() => []);
    return false;
  }

  /** From the solution of a step, the body's own part of it, to slopes by the state before it and by what acted in it. `subspace`, `all`: contacts, and the slopes by forces of all bodies. */
  finish(
    step: number,
    mu: Float64Array,
    slopes: StateSlopes,
    controls: ControlSlopes,
    subspace: ContactSubspace | undefined,
    all: Float64Array,
  ): void {
    const [start, end] = this.step(step);
    const { ground } = this.system.contacts;
    this.system.lift(mu);
    this.#fleshBefore(end, slopes);
    this.#bonesBefore(end, slopes);
    this.#controlsOf(start, end, slopes, controls);
    if (subspace && ground) pullContactsBack(subspace, ground, end, all, slopes);
  }

  /** Slopes by the end of the step alone, to `right`: its positions, and velocities, which are a times them. */
  fillRight(step: number, slopes: StateSlopes, right: Float64Array): void {
    const [, end] = this.step(step);
    const { layout, rows } = this.#solver;
    const { rate } = end;
    right.fill(0);
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
        const target = mass * this.system.moves[i];
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
      if (counts) addInertia(this.#model, bone, 1 / weights.acceleration, this.system.change, target, o);
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
    const { fibres, moves, bones } = this.system;
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
    const { change, bones } = this.system;
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

const NO_WEIGHTS: InertiaWeights = {
  position: 1,
  velocity: 0,
  earlierPosition: 0,
  earlierVelocity: 0,
  acceleration: 1,
};
