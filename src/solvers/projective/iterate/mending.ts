/**
 * Flesh that is caught inside out comes loose. Corotated and neo-Hookean tets have false rests: a few of them turned over, held so by their neighbours,
 * for ever. Where a step begins with such flesh (caught-flesh.ts) it starts elsewhere: for some iterations each piece of it wants its rest shape under a
 * single rotation, E = Σ μ V |F − R|² with the R nearest to all its F, which has no false rest and takes bones in it along. From there the
 * step goes on as always, with its own objective; what it finds is lower or the same. Called by the projective solver.
 */
import type { Model } from '../../../body/model.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { GlobalStep } from '../global-step.js';
import type { Layout } from '../layout.js';
import type { ProjectiveState } from '../projective-state.js';
import { CaughtFlesh } from './caught-flesh.js';

/** Iterations in which the flesh is one piece. */
const ITERATIONS = 20;

/** Mends the flesh of one body. */
export class Mending {
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #motion: BoneMotion;
  readonly #caught: CaughtFlesh;
  /** Rotation of each piece; as many as there have ever been at a time. */
  #rotations = new Float64Array(9);
  readonly #f = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

  constructor(model: Model, layout: Layout, rows: FleshRows, solve: SolvePlan, motion: BoneMotion) {
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.#motion = motion;
    this.#caught = new CaughtFlesh(model, layout);
  }

  /**
   * Moves what is caught, in the step in progress, to where the step's own iterations are to start; `inertia`: one over a time squared [1/s²]. Not for
   * bodies that are held: hands may hold flesh wherever they want it.
   */
  run(global: GlobalStep, state: ProjectiveState, inertia: number): void {
    if (!this.#caught.find(state)) return;
    const { pieces } = this.#caught;
    if (this.#rotations.length < pieces * 9) this.#rotations = new Float64Array(pieces * 18);
    global.shorten(1);
    global.stayPlain();
    global.acceleration?.restart();
    // flesh elsewhere is corotated meanwhile, and tets keep to themselves: whole moves, which nobody watches here, would lead neo-Hookean flesh astray
    this.#rows.setCorotated(true);
    this.#rows.tets.setSlack(this.#caught.tets, true);
    for (let n = 0; n < ITERATIONS; n++) {
      // the iterations of the step itself come after these
      global.acceleration?.beginIteration(false, ITERATIONS);
      this.#rows.localStep(state);
      this.#rows.collectResidual();
      this.#addForces();
      this.#motion.gatherPull(this.#rows, inertia);
      global.run(state, false);
    }
    this.#rows.setCorotated(false);
    this.#rows.tets.setSlack(this.#caught.tets, false);
  }

  /** Rotations of the pieces at the rows' positions. */
  #turnPieces(): Float64Array {
    const { tets, pieceOf, pieces } = this.#caught;
    const sums = this.#rotations.fill(0, 0, pieces * 9);
    for (const tet of tets) {
      this.#gradient(tet);
      for (let k = 0; k < 9; k++) sums[pieceOf[tet] * 9 + k] += this.#model.volumes[tet] * this.#f[k];
    }
    for (let p = 0; p < pieces; p++) polarRotation(sums, p * 9, sums, p * 9, this.#scratch, 0);
    return sums;
  }

  /** Adds the pieces' forces to the right-hand side and to those on carried vertices. */
  #addForces(): void {
    const { volumes, mu } = this.#model;
    const { tets, pieceOf } = this.#caught;
    const rotations = this.#turnPieces();
    const stress = this.#f;
    for (const tet of tets) {
      this.#gradient(tet);
      const stiffness = 2 * mu[tet] * volumes[tet];
      for (let k = 0; k < 9; k++) stress[k] = stiffness * (stress[k] - rotations[pieceOf[tet] * 9 + k]);
      this.#pull(tet, stress);
    }
  }

  /** What a stress [J] does to the corners of a tet. */
  #pull(tet: number, stress: Float64Array): void {
    const { inverseRest, tets } = this.#model;
    const rows = this.#rows;
    for (let c = 0; c < 4; c++) {
      const row = rows.rowOfVertex[tets[tet * 4 + c]];
      const isFlesh = row < rows.fleshCount;
      const out = isFlesh ? this.#solve.y.view : rows.carriedForce.view;
      const at = (isFlesh ? row : row - rows.carriedRow) * 4;
      for (let j = 0; j < 3; j++) {
        const b = tet * 9 + j;
        const slope = c > 0 ? inverseRest[b + (c - 1) * 3] : -inverseRest[b] - inverseRest[b + 3] - inverseRest[b + 6];
        for (let i = 0; i < 3; i++) out[at + i] -= stress[i * 3 + j] * slope;
      }
    }
  }

  /** F of a tet at the rows' positions. */
  #gradient(tet: number): void {
    const { inverseRest, tets } = this.#model;
    const { rowOfVertex } = this.#rows;
    const x = this.#rows.x32.view;
    const f = this.#f.fill(0);
    const o = rowOfVertex[tets[tet * 4]] * 4;
    for (let c = 1; c < 4; c++) {
      const v = rowOfVertex[tets[tet * 4 + c]] * 4;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) f[i * 3 + j] += (x[v + i] - x[o + i]) * inverseRest[tet * 9 + (c - 1) * 3 + j];
      }
    }
  }
}
