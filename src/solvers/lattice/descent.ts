/**
 * The way down: L-BFGS over the Laplacian cycle [Liu2017, with multigrid], steps halved until the energy falls enough
 * (Armijo). No Newton matrix, no definiteness fix, no singular values unless a cell is flat or inside out. The energy may
 * have further terms (springs, contacts, inertia); the first matrix does not know them. Called once per step.
 */

import type { FreeBones } from './bones/free-bones.js';
import type { SolveRoom } from './bones/harmonic-weights.js';
import type { DescentOptions, DescentResult, EnergyTerm, PartSolver } from './descent-terms.js';
import type { LatticeBody } from './lattice-body.js';
import { findNewtonDirection } from './newton-direction.js';
import type { Arithmetic, DescentArithmetic, FirstMatrix, Vector } from './numbers/arithmetic.js';
import { LaplacianCycle } from './numbers/cycle.js';
import { StiffnessCycle } from './numbers/stiffness-cycle.js';

/** Pairs of steps and changes of the gradient that are remembered; five and eight take as many iterations. */
const PAIRS = 3;
/** The same for flesh that hardly changes its volume, which the Laplacian knows little of: a beam of 0.499 is far from rest with three. */
const PAIRS_FOR_VOLUME = 8;
/** First Lamé constant over shear modulus from which flesh is such: a Poisson ratio of 0.476. */
const VOLUME_RATIO = 20;
/** Share of the promised decrease that a step must bring. */
const ARMIJO = 1e-4;
const MAX_HALVINGS = 12;
/** Iterations after which the part that is farthest from rest is looked at by itself, while the body moves by so many tolerances. */
const LOOK = 3;
const MUCH = 2;
/** Iterations after which the Laplacian counts as too poor a guide; and after which the coarse levels of warped stiffness are turned again. */
const PATIENCE = 24;

/** Minimises the energy of one body. All memory is planned when it is built. */
export class Descent {
  readonly result: DescentResult = { iterations: 0, stalls: 0, energy: 0, lastMove: 0, residual: 0, finite: true };
  /** Terms added to the elastic energy. */
  readonly terms: EnergyTerm[] = [];
  /** The first matrix of every run, as long as it leads down. */
  readonly cycle: FirstMatrix;
  /** The one after it; parts of a body have none. */
  readonly fallback: StiffnessCycle | undefined;
  #first: FirstMatrix;
  /** Looks at parts of the body by themselves, in the room of `lent`. */
  parts: PartSolver | undefined;
  /** Bones that move along; none where all are given. */
  bones: FreeBones | undefined;
  readonly #a: DescentArithmetic;
  readonly #steps: Vector[] = [];
  readonly #changes: Vector[] = [];
  readonly #pairs: number;
  readonly #cellSize: number;
  readonly #evaluate = (x: Vector, gradient: Vector): number => this.evaluate(x, gradient);
  readonly #inverse: Float64Array;
  readonly #alpha: Float64Array;
  #held = 0;
  #next = 0;
  /** Largest length of a node's part of the direction. */
  #longest = 0;
  #gradient: Vector;
  #trialGradient: Vector;
  readonly #trial: Vector;
  readonly #direction: Vector;

  constructor(arithmetic: Arithmetic, body: LatticeBody);
  constructor(arithmetic: DescentArithmetic, body: LatticeBody, first: FirstMatrix, pairs: number);
  constructor(arithmetic: DescentArithmetic, body: LatticeBody, first?: FirstMatrix, pairs = pairsOf(body)) {
    this.#a = arithmetic;
    this.#pairs = pairs;
    this.#cellSize = body.lattice.cellSize;
    this.#inverse = new Float64Array(this.#pairs);
    this.#alpha = new Float64Array(this.#pairs);
    for (let n = 0; n < this.#pairs; n++) {
      this.#steps.push(arithmetic.vector());
      this.#changes.push(arithmetic.vector());
    }
    this.#gradient = arithmetic.vector();
    this.#trialGradient = arithmetic.vector();
    this.#trial = arithmetic.vector();
    this.#direction = arithmetic.vector();
    // while a direction is looked for nothing is tried
    this.cycle = first ?? new LaplacianCycle(arithmetic as Arithmetic, body, this.#trial);
    this.fallback = first ? undefined : new StiffnessCycle(arithmetic as Arithmetic, body, this.#trial);
    this.#first = this.cycle;
  }

  /** Vectors that parts of the body may be worked on in: what is remembered of steps is forgotten then. */
  get lent(): readonly Vector[] {
    return [...this.#steps, ...this.#changes];
  }

  /** The gradient at the end of the last run, zero at held nodes [N]. */
  get gradient(): Vector {
    return this.#gradient;
  }

  /** Lends its vectors to whoever solves something else before the first run. */
  borrow<Result>(use: (room: SolveRoom) => Result): Result {
    const [x, q, zero] = this.#steps;
    zero.view.fill(0);
    return use({ x, r: this.#gradient, z: this.#direction, p: this.#trialGradient, q, zero });
  }

  /** One cycle on the last gradient, for benchmarks; what the last run left to read is not touched. */
  runCycle(): void {
    this.cycle.run(this.#gradient, this.#direction);
  }

  /** Energy at x; its gradient goes to `gradient`. */
  evaluate(x: Vector, gradient: Vector): number {
    const { bones } = this;
    let energy = this.#a.elastic(x, gradient, bones !== undefined);
    for (const term of this.terms) energy += term.add(x, gradient);
    if (bones === undefined) return energy;
    energy += bones.evaluate(gradient);
    this.#a.hold(gradient);
    return energy;
  }

  /** Moves the free nodes of x downhill until nothing moves any more. */
  run(x: Vector, options: DescentOptions): DescentResult {
    const [a, result] = [this.#a, this.result];
    this.#held = 0;
    result.iterations = 0;
    result.stalls = 0;
    result.lastMove = 0;
    options.refresh?.(0, x);
    this.#evaluateHere(x);
    this.#first = this.cycle;
    for (let iteration = 0; iteration < options.maxIterations; iteration++) {
      if (iteration > 0 && options.refresh?.(iteration, x)) {
        this.#held = 0;
        this.#evaluateHere(x);
      }
      if (iteration > 0 && iteration % LOOK === 0 && result.lastMove > MUCH * options.tolerance) {
        this.#settleParts(x, options.tolerance);
      }
      if (iteration % PATIENCE === 0 && (iteration > 0 || options.preconditioner === 'warped')) this.#fallBack();
      const slope = this.#findDirection();
      const taken = this.#search(x, slope) || this.#recover(x, options.tolerance);
      result.iterations = iteration + 1;
      result.lastMove = taken * this.#longest;
      if (taken === 0 || !(result.lastMove > options.tolerance)) break;
    }
    result.residual = Math.sqrt(a.dot(this.#gradient, this.#gradient));
    result.finite = Number.isFinite(result.energy) && Number.isFinite(result.residual);
    if (!result.finite) this.#forget();
    return result;
  }

  /** Empties all it works in: cycles begin with zero times what was there, which what is no number survives. */
  #forget(): void {
    const all = [this.#gradient, this.#trialGradient, this.#trial, this.#direction, ...this.lent];
    for (const { b, x, r } of (this.#a as Partial<Arithmetic>).coarse ?? []) all.push(b, x, r);
    for (const { view } of all) view.fill(0);
  }

  /** Lets the part that is farthest from rest go downhill by itself; the steps of the body are forgotten, because their room is lent to it. */
  #settleParts(x: Vector, tolerance: number): void {
    const { result } = this;
    if (this.parts === undefined || this.bones !== undefined) return;
    const before = result.energy;
    this.#held = 0;
    if (!this.parts.run(x, this.#gradient, this.terms, this.#trial, this.#trialGradient, tolerance)) return;
    this.#evaluateHere(x);
    if (result.energy <= before + this.#a.rounding * Math.abs(before)) return;
    this.parts.undo(x);
    this.#evaluateHere(x);
  }

  #evaluateHere(x: Vector): void {
    this.bones?.settle();
    this.result.energy = this.evaluate(x, this.#gradient);
    this.bones?.accept();
  }

  /** direction = -H gradient by the two loops; returns the slope along it, negative. Each sum is taken in the pass that finishes its vector. */
  #findDirection(): number {
    const a = this.#a;
    const d = this.#direction;
    const g = this.#gradient;
    const held = this.#held;
    const own = this.bones?.vectors;
    let q = g;
    own?.begin();
    let product = held > 0 ? a.dot(this.#steps[this.#pair(0)], g) : 0;
    for (let n = 0; n < held; n++) {
      const pair = this.#pair(n);
      const alpha = this.#inverse[pair] * (product + (own?.stepDotQ(pair) ?? 0));
      const change = this.#changes[pair];
      this.#alpha[pair] = alpha;
      if (n + 1 === held) a.move(this.#trialGradient, q, -alpha, change);
      else product = a.moveAndDot(this.#trialGradient, q, -alpha, change, this.#steps[this.#pair(n + 1)]);
      q = this.#trialGradient;
      own?.addChangeToQ(pair, -alpha);
    }
    this.#first.run(q, d);
    this.bones?.direct(q, d);
    product = a.dot(held > 0 ? this.#changes[this.#pair(held - 1)] : g, d);
    for (let n = held - 1; n >= 0; n--) {
      const pair = this.#pair(n);
      const share = this.#alpha[pair] - this.#inverse[pair] * (product + (own?.changeDotD(pair) ?? 0));
      product = a.moveAndDot(d, d, share, this.#steps[pair], n > 0 ? this.#changes[this.#pair(n - 1)] : g);
      own?.addStepToD(pair, share);
    }
    return -product - (own?.pullDotD() ?? 0);
  }

  /** Where the n-th newest pair is. */
  #pair(n: number): number {
    return (this.#next - 1 - n + 2 * this.#pairs) % this.#pairs;
  }

  /** Goes along -direction as far as the energy allows; returns the share of it that was taken, 0 for none. */
  #search(x: Vector, slope: number): number {
    const [a, result] = [this.#a, this.result];
    // rounding alone is left where the direction does not lead downhill
    if (!(slope < 0)) return 0;
    let share = 1;
    for (let halving = 0; halving <= MAX_HALVINGS; halving++, share /= 2) {
      this.#longest = a.tryStep(this.#trial, x, -share, this.#direction);
      this.bones?.move(share, this.#trial);
      const energy = this.evaluate(this.#trial, this.#trialGradient);
      const allowed = result.energy + ARMIJO * share * slope + a.rounding * Math.abs(result.energy);
      if (!(energy <= allowed)) continue;
      this.#take(x);
      this.bones?.accept();
      result.energy = energy;
      [this.#gradient, this.#trialGradient] = [this.#trialGradient, this.#gradient];
      return share;
    }
    return 0;
  }

  /** Directions start from warped stiffness as it is here, to the end of the run; false where they did already, or cannot. */
  #fallBack(): boolean {
    const { fallback } = this;
    if (fallback === undefined) return false;
    fallback.refresh();
    if (this.#first === fallback) return false;
    this.#first = fallback;
    this.#held = 0;
    return true;
  }

  /** A step over warped stiffness or else in Newton's direction, where L-BFGS found none and much was still to come; 0 where there is none either. */
  #recover(x: Vector, tolerance: number): number {
    const [a, d] = [this.#a, this.#direction];
    this.#held = 0;
    this.#first.run(this.#gradient, d);
    if (!(a.largest(d) > tolerance)) return 0;
    this.result.stalls++;
    const taken = this.#fallBack() ? this.#search(x, this.#findDirection()) : 0;
    return taken > 0 || this.bones !== undefined ? taken : this.#goByNewton(x);
  }

  #goByNewton(x: Vector): number {
    const [a, d, cell] = [this.#a, this.#direction, this.#cellSize];
    const [p, q, moved] = this.#steps;
    const [r, z] = this.#changes;
    const room = { r, z, p, q, moved };
    const found = findNewtonDirection(a, this.#first, cell, this.#evaluate, x, this.#gradient, d, room);
    return found ? this.#search(x, -a.dot(this.#gradient, d)) : 0;
  }

  /** Takes the trial step; it and what it changed are kept, unless curvature along it is not positive. */
  #take(x: Vector): void {
    const [step, change] = [this.#steps[this.#next], this.#changes[this.#next]];
    const product = this.#a.keepStep(step, change, this.#trial, x, this.#trialGradient, this.#gradient);
    const curvature = product + (this.bones?.remember(this.#next) ?? 0);
    if (!(curvature > 0)) return;
    this.#inverse[this.#next] = 1 / curvature;
    this.#next = (this.#next + 1) % this.#pairs;
    this.#held = Math.min(this.#held + 1, this.#pairs);
  }
}

/** Pairs that the descent of a body remembers. */
export function pairsOf({ filling: { mu, lambda } }: LatticeBody): number {
  for (let cell = 0; cell < mu.length; cell++) if (lambda[cell] > VOLUME_RATIO * mu[cell]) return PAIRS_FOR_VOLUME;
  return PAIRS;
}
