/**
 * How far a contact moves when another is pushed: W = wᵀ A⁻¹ w with the solver's constant matrix. For a vertex of flesh that
 * is a column of A_ff⁻¹, one third of a triangular solve (three columns per solve); bones answer through their Schur
 * complement, as if they could deform, which errs on the soft and therefore safe side.
 *
 *     u = A_ff⁻¹ w_f        q = w_b − A_bf u        W_ij = w_iᵀ u_j + q_iᵀ S⁻¹ q_j
 *
 * Columns, and W between all of them, are kept as long as there is room: a contact that stays or comes back costs nothing.
 */
import type { Model } from '../../body/model.js';
import { SkylineLdlt } from '../../linalg/skyline-ldlt.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { FleshRows } from './flesh-rows.js';

/** Columns of the compliance for the vertices of one body's surface. */
export class ContactCompliance {
  /** W between the vertices that have a slot, rows of `stride` numbers [m/N]. */
  readonly matrix: Float64Array;
  readonly stride: number;
  /** Slot of each contact last prepared. */
  readonly slots: Int32Array;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #surfaceOfVertex: Int32Array;
  readonly #surfaceCount: number;
  readonly #slotOfVertex: Int32Array;
  readonly #vertexOfSlot: Int32Array;
  readonly #used: Int32Array;
  /** u at the surface's vertices, one row per slot. */
  readonly #columns: Float32Array;
  readonly #q: Float64Array;
  readonly #answer: Float64Array;
  readonly #schur: SkylineLdlt;
  readonly #right: Float64Array;
  readonly #pending = new Int32Array(3);
  #pendingCount = 0;
  #round = 0;

  /** `surface`: vertices that can touch; `capacity`: most contacts at once. */
  constructor(model: Model, rows: FleshRows, solve: SolvePlan, surface: Int32Array, capacity: number) {
    const bones = model.bones.count * 4;
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.stride = capacity;
    this.matrix = new Float64Array(capacity * capacity);
    this.#surfaceCount = surface.length;
    this.#surfaceOfVertex = new Int32Array(model.vertexCount).fill(-1);
    surface.forEach((vertex, i) => {
      this.#surfaceOfVertex[vertex] = i;
    });
    this.#slotOfVertex = new Int32Array(model.vertexCount).fill(-1);
    this.#vertexOfSlot = new Int32Array(capacity).fill(-1);
    this.#used = new Int32Array(capacity);
    this.slots = new Int32Array(capacity);
    this.#columns = new Float32Array(capacity * surface.length);
    this.#q = new Float64Array(capacity * bones);
    this.#answer = new Float64Array(capacity * bones);
    this.#schur = new SkylineLdlt(new Int32Array(bones));
    this.#right = new Float64Array(bones);
  }

  /** A new factor: nothing that is known holds any more. */
  useMetric(metric: Float64Array): void {
    const rows = this.#right.length;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j <= i; j++) this.#schur.values[this.#schur.origin[i] + j] = metric[i * rows + j];
    }
    this.#schur.factor();
    this.#slotOfVertex.fill(-1);
    this.#vertexOfSlot.fill(-1);
  }

  /** Makes W for these vertices (a vertex may appear more than once). Uses the solver's right-hand side. */
  prepare(vertices: Int32Array, count: number): void {
    this.#round++;
    for (let c = 0; c < count; c++) {
      const slot = this.#slotOfVertex[vertices[c]];
      if (slot >= 0) this.#used[slot] = this.#round;
    }
    for (let c = 0; c < count; c++) this.#want(vertices[c]);
    this.#solvePending();
    for (let c = 0; c < count; c++) this.slots[c] = this.#slotOfVertex[vertices[c]];
  }

  /** Row and column of W for a slot that has just been filled. */
  #relate(slot: number): void {
    const bones = this.#right.length;
    const own = this.#vertexOfSlot[slot];
    for (let other = 0; other < this.stride; other++) {
      const vertex = this.#vertexOfSlot[other];
      if (vertex < 0) continue;
      let w = this.#columns[slot * this.#surfaceCount + this.#surfaceOfVertex[vertex]];
      for (let k = 0; k < bones; k++) w += this.#q[other * bones + k] * this.#answer[slot * bones + k];
      this.matrix[slot * this.stride + other] = w;
      this.matrix[other * this.stride + slot] = w;
    }
    if (!(this.matrix[slot * this.stride + slot] > 0)) {
      // a vertex nothing can move, such as one on a pinned tet's corner: as if it were very stiff
      this.matrix[slot * this.stride + slot] = 1e-12 / this.#model.masses[own];
    }
  }

  #want(vertex: number): void {
    if (this.#slotOfVertex[vertex] >= 0) return;
    let oldest = 0;
    for (let slot = 1; slot < this.#used.length; slot++) if (this.#used[slot] < this.#used[oldest]) oldest = slot;
    if (this.#vertexOfSlot[oldest] >= 0) this.#slotOfVertex[this.#vertexOfSlot[oldest]] = -1;
    this.#vertexOfSlot[oldest] = vertex;
    this.#slotOfVertex[vertex] = oldest;
    this.#used[oldest] = this.#round;
    this.#pending[this.#pendingCount++] = oldest;
    if (this.#pendingCount === 3) this.#solvePending();
  }

  /** Columns of up to three vertices by one solve: each takes one of the three coordinates. */
  #solvePending(): void {
    if (this.#pendingCount === 0) return;
    const { fleshCount, rowOfVertex } = this.#rows;
    const { bones, positions } = this.#model;
    const y = this.#solve.y.view;
    const width = this.#right.length;
    y.fill(0);
    for (let lane = 0; lane < this.#pendingCount; lane++) {
      const slot = this.#pending[lane];
      const vertex = this.#vertexOfSlot[slot];
      const bone = bones.ofVertex[vertex];
      this.#q.fill(0, slot * width, (slot + 1) * width);
      if (bone < 0 && rowOfVertex[vertex] < fleshCount) y[rowOfVertex[vertex] * 4 + lane] = 1;
      for (let p = 0; bone >= 0 && p < 4; p++) {
        const offset = p < 3 ? positions[vertex * 3 + p] - bones.centre[bone * 3 + p] : 1;
        this.#q[slot * width + bone * 4 + p] = offset;
      }
    }
    this.#solve.forward();
    for (let lane = 0; lane < this.#pendingCount; lane++) this.#answerOfBones(this.#pending[lane], lane, y);
    y.fill(0, fleshCount * 4, fleshCount * 4 + width * 4);
    this.#solve.backward();
    for (let lane = 0; lane < this.#pendingCount; lane++) {
      const from = this.#pending[lane] * this.#surfaceCount;
      for (let v = 0; v < this.#surfaceOfVertex.length; v++) {
        const surface = this.#surfaceOfVertex[v];
        if (surface < 0) continue;
        const row = rowOfVertex[v];
        this.#columns[from + surface] = row >= 0 && row < fleshCount ? y[row * 4 + lane] : 0;
      }
    }
    y.fill(0);
    const count = this.#pendingCount;
    this.#pendingCount = 0;
    // in this order: the pair of two new columns is related twice, with the same number up to rounding; the later one stays
    for (let lane = 0; lane < count; lane++) this.#relate(this.#pending[lane]);
  }

  /** q += −A_bf u (what the forward sweep leaves in the bones' rows), and S⁻¹ q. */
  #answerOfBones(slot: number, lane: number, y: Float32Array): void {
    const width = this.#right.length;
    const first = this.#rows.fleshCount * 4;
    for (let i = 0; i < width; i++) {
      this.#q[slot * width + i] += y[first + i * 4 + lane];
      this.#right[i] = this.#q[slot * width + i];
    }
    this.#schur.solve(this.#right);
    this.#answer.set(this.#right, slot * width);
  }
}
