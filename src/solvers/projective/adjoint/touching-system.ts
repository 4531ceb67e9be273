/**
 * The linearised steps of bodies that are in touch, as one system: each body's own equations side by side, held together and to obstacles by the rows of their contacts.
 * One body alone is the usual case. Solved by iterations in the metric of the bodies' constant matrices (metric-gmres.ts, contact-subspace.ts).
 */
import type { PreconditionedSystem } from '../../../linalg/metric-gmres.js';
import { type ContactRow, contactRows } from './contact-rows.js';
import { ContactSubspace } from './contact-subspace.js';
import { isOnFace } from './face-slopes.js';
import type { StepSystem } from './step-system.js';
import type { TapedStep } from './taped-step.js';

/** Bodies that are solved for together. */
export class TouchingSystem implements PreconditionedSystem {
  readonly size: number;
  /** First unknown of each body. */
  readonly first: readonly number[];
  /** Rows of the step prepared last; undefined where nothing pushed. */
  subspace: ContactSubspace | undefined;
  /** Contacts of vertices of one body with faces of another. */
  faces: readonly ContactRow[] = [];
  readonly #systems: readonly StepSystem[];
  readonly #isRigid: boolean;
  readonly #mu: Float64Array;
  readonly #left: Float64Array;

  /** `isRigid`: whether all is solved in f64. */
  constructor(systems: readonly StepSystem[], isRigid: boolean) {
    this.#systems = systems;
    this.#isRigid = isRigid;
    let size = 0;
    this.first = systems.map((system) => {
      size += system.size;
      return size - system.size;
    });
    this.size = size;
    this.#mu = new Float64Array(size);
    this.#left = new Float64Array(size);
  }

  /** Linearises at the ends of the bodies' steps; `starts` are the ones before them. */
  prepare(starts: readonly TapedStep[], ends: readonly TapedStep[]): void {
    const touched = this.#systems.flatMap((system, i) => {
      system.prepare(starts[i], ends[i]);
      const { ground } = system.contacts;
      if (!ground) return [];
      ground.first = this.first[i];
      return [{ ground, taped: ends[i].contacts }];
    });
    this.subspace = undefined;
    this.faces = [];
    if (touched.length === 0) return;
    const rows = contactRows(touched);
    this.faces = rows.filter(isOnFace);
    const solve = (z: Float64Array, out: Float64Array) => this.#solveFree(z, out);
    this.subspace = new ContactSubspace(rows, this.size, this.#isRigid, solve);
  }

  /** The numbers of body i in an array of all. */
  part(i: number, of: Float64Array): Float64Array {
    return of.subarray(this.first[i], this.first[i] + this.#systems[i].size);
  }

  multiply(w: Float64Array, out: Float64Array): void {
    const v = this.lean(w);
    this.#systems.forEach((system, i) => {
      system.multiply(this.part(i, v), this.part(i, out));
    });
    this.subspace?.addSprings(v, out);
  }

  precondition(z: Float64Array, out: Float64Array): void {
    this.#solveFree(z, out);
    this.subspace?.project(z, out);
  }

  #solveFree(z: Float64Array, out: Float64Array): void {
    this.#systems.forEach((system, i) => {
      system.solve(this.part(i, z), this.part(i, out));
    });
  }

  /** What unknowns of the iteration stand for: the same, unless contacts slide or push bones; valid until the next call. */
  lean(w: Float64Array): Float64Array {
    if (!this.subspace) return w;
    this.subspace.lean(w, this.#mu);
    return this.#mu;
  }

  /** Changes a vector as little as it takes to keep joints closed and contacts where they are: solutions of another step are a start only then. */
  close(v: Float64Array): void {
    this.#systems.forEach((system, i) => {
      system.close(this.part(i, v));
    });
    this.subspace?.close(v);
  }

  /** Once a solution is found: finds the slopes by what contacts keep from what it leaves of the right-hand side, which is spent. */
  leave(w: Float64Array, right: Float64Array): void {
    if (!this.subspace) return;
    this.multiply(w, this.#left);
    for (let i = 0; i < this.size; i++) right[i] -= this.#left[i];
    this.subspace.finish(right);
  }

  /** Slope by what a row keeps, once `leave` has been called; none where other rows make it up. */
  keptBy(row: ContactRow): number {
    const at = this.subspace?.rows.indexOf(row) ?? -1;
    return at < 0 || !this.subspace ? 0 : this.subspace.kept[at];
  }
}
