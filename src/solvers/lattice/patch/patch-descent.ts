/**
 * Nonlinear elimination: the part of a lattice that is farthest from rest goes downhill by itself, everything around it held, before the
 * whole body goes on [Cai2002]. Where a crease buckles, a thousand cells need fifty iterations and the rest of the body needs none of them.
 * The energy is that of the body, so the body never ends higher. Called by the descent every third iteration while much still moves.
 */
import { Descent } from '../descent.js';
import type { EnergyTerm, PartSolver } from '../descent-terms.js';
import type { LatticeBody } from '../lattice-body.js';
import type { FirstMatrix, Vector } from '../numbers/arithmetic.js';
import { finestReach } from '../numbers/levels.js';
import type { PatchKernels } from './patch-kernels.js';

/** Most iterations on one part, and steps that are remembered. */
const ITERATIONS = 60;
const PAIRS = 3;
/** The move that ends it, in that which ends a frame: the first steps of a descent are short. */
const TOLERANCE = 0.5;

/** Goes downhill on parts of one body. */
export class PatchDescent implements PartSolver {
  readonly #patch: PatchKernels;
  readonly #descent: Descent;
  readonly #outside: Outside;
  readonly #x: Vector;

  constructor(patch: PatchKernels, body: LatticeBody) {
    this.#patch = patch;
    this.#descent = new Descent(patch, body, new TwoSweeps(patch, finestReach(body.law.kappa)), PAIRS);
    this.#outside = new Outside(patch);
    this.#descent.terms.push(this.#outside);
    this.#x = patch.vector();
  }

  run(
    x: Vector,
    gradient: Vector,
    terms: readonly EnergyTerm[],
    trial: Vector,
    push: Vector,
    tolerance: number,
  ): boolean {
    const patch = this.#patch;
    if (!patch.choose(gradient)) return false;
    patch.gather(x, this.#x);
    this.#outside.begin(this.#x, x, terms, trial, push);
    const { finite } = this.#descent.run(this.#x, { maxIterations: ITERATIONS, tolerance: TOLERANCE * tolerance });
    if (!finite) return false;
    patch.scatter(this.#x, x);
    patch.keepRotations();
    return true;
  }

  undo(x: Vector): void {
    this.#patch.scatter(this.#outside.start, x);
  }
}

/** First matrix of a part: two sweeps of Chebyshev's fourth kind over the Laplacian [Lottes2022]; parts are too small for levels. */
class TwoSweeps implements FirstMatrix {
  readonly #patch: PatchKernels;
  readonly #reach: number;
  readonly #residual: Vector;

  constructor(patch: PatchKernels, reach: number) {
    this.#patch = patch;
    this.#reach = reach;
    this.#residual = patch.vector();
  }

  run(b: Vector, z: Vector): void {
    const patch = this.#patch;
    patch.relax(z, b, 4 / (3 * this.#reach), 0);
    patch.residual(b, z, this.#residual);
    // a fifth of the first sweep once more, and the second
    patch.relax(z, this.#residual, 12 / (5 * this.#reach), 6 / 5);
  }
}

/**
 * What acts on a part beside its cells. Terms that know few nodes are asked each time, in vectors of the body; the others (weight, inertia,
 * ties) by their gradient at the start and what they add to the diagonal, which is all there is to them, sliding ties excepted.
 */
class Outside implements EnergyTerm {
  readonly start: Vector;
  readonly #patch: PatchKernels;
  readonly #pull: Vector;
  readonly #moved: Vector;
  #few: EnergyTerm[] = [];
  #many: EnergyTerm[] = [];
  #trial!: Vector;
  #push!: Vector;

  constructor(patch: PatchKernels) {
    this.#patch = patch;
    this.start = patch.vector();
    this.#pull = patch.vector();
    this.#moved = patch.vector();
  }

  begin(local: Vector, x: Vector, terms: readonly EnergyTerm[], trial: Vector, push: Vector): void {
    const patch = this.#patch;
    this.#trial = trial;
    this.#push = push;
    this.#few.length = 0;
    this.#many.length = 0;
    for (const term of terms) {
      if (term.count === undefined) this.#many.push(term);
      else if (term.count > 0) this.#few.push(term);
    }
    patch.copy(this.start, local);
    if (this.#many.length > 0) {
      push.view.fill(0);
      for (const term of this.#many) term.add(x, push);
      patch.gather(push, this.#pull);
    }
    if (this.#few.length > 0) trial.view.set(x.view);
  }

  add(x: Vector, gradient: Vector): number {
    let energy = 0;
    if (this.#many.length > 0) energy += this.#addMany(x, gradient);
    if (this.#few.length > 0) energy += this.#addFew(x, gradient);
    this.#patch.hold(gradient);
    return energy;
  }

  #addMany(x: Vector, gradient: Vector): number {
    const patch = this.#patch;
    patch.addScaled(gradient, 1, this.#pull);
    patch.move(this.#moved, x, -1, this.start);
    return patch.dot(this.#pull, this.#moved) + patch.addShift(x, this.start, gradient);
  }

  #addFew(x: Vector, gradient: Vector): number {
    const { quads, quadCount } = this.#patch;
    const [trial, push] = [this.#trial, this.#push];
    this.#patch.scatter(x, trial);
    const [own, whole] = [gradient.view, push.view];
    for (let n = 0; n < quadCount; n++) for (let i = 12 * quads[n]; i < 12 * quads[n] + 12; i++) whole[i] = 0;
    let energy = 0;
    for (const term of this.#few) energy += term.add(trial, push);
    for (let n = 0; n < quadCount; n++) for (let i = 0; i < 12; i++) own[12 * n + i] += whole[12 * quads[n] + i];
    return energy;
  }
}
