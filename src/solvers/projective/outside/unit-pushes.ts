/**
 * How the flesh moves when single vertices are pushed, with the bones held where they are: columns of A_ff⁻¹, up to three by one solve,
 * because each takes one of the three coordinates. With them comes q, how a pushed vertex moves with the bones.
 */
import type { Model } from '../../../body/model.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import type { FleshRows } from '../flesh-rows.js';

/** Columns of one solve. */
export const LANES = 3;

/** Solves for columns; uses the solver's right-hand side. */
export class UnitPushes {
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  /** Numbers of q per vertex: four per bone, then three per region of flesh that can turn. */
  readonly width: number;
  /** q of the vertices last pushed, one after the other. */
  readonly q: Float32Array;

  constructor(model: Model, rows: FleshRows, solve: SolvePlan) {
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.width = rows.carriedRow - rows.fleshCount;
    this.q = new Float32Array(LANES * this.width);
  }

  /** Pushes the first `count` of these vertices; the columns are then in `valueAt`, until `clear`. */
  push(vertices: Int32Array, count: number): void {
    const { fleshCount } = this.#rows;
    const { width, q } = this;
    const y = this.#solve.y.view;
    y.fill(0);
    q.fill(0);
    for (let lane = 0; lane < count; lane++) this.#pushOne(vertices[lane], lane, y);
    this.#solve.forward();
    const first = fleshCount * 4;
    for (let lane = 0; lane < count; lane++) {
      // the forward sweep leaves −A_bf u in the rows of bones and regions
      for (let i = 0; i < width; i++) q[lane * width + i] += y[first + i * 4 + lane];
    }
    this.#rows.clearLast();
    this.#solve.backward();
  }

  /** How far a vertex moves when that of a lane is pushed [m/N]; nothing but flesh does. */
  valueAt(vertex: number, lane: number): number {
    const row = this.#rows.rowOfVertex[vertex];
    return row < 0 || row >= this.#rows.fleshCount ? 0 : this.#solve.y.view[row * 4 + lane];
  }

  /** Leaves the right-hand side empty. */
  clear(): void {
    this.#solve.y.view.fill(0);
  }

  /** Whether a vertex is flesh that can move: one on a bone, or pinned, pushes none. */
  isFlesh(vertex: number): boolean {
    const row = this.#rows.rowOfVertex[vertex];
    return this.#model.bones.ofVertex[vertex] < 0 && row >= 0 && row < this.#rows.fleshCount;
  }

  /** A unit push on a vertex, as right-hand side of one lane or as q. */
  #pushOne(vertex: number, lane: number, y: Float32Array): void {
    const { bones, positions } = this.#model;
    const bone = bones.ofVertex[vertex];
    if (this.isFlesh(vertex)) y[this.#rows.rowOfVertex[vertex] * 4 + lane] = 1;
    const q = lane * this.width;
    for (let p = 0; bone >= 0 && p < 4; p++) {
      this.q[q + bone * 4 + p] = p < 3 ? positions[vertex * 3 + p] - bones.centre[bone * 3 + p] : 1;
    }
  }
}
