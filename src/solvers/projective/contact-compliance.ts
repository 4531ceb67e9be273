/**
 * How far a contact moves when another is pushed, with the solver's constant matrix: with the bones where they are, by
 * W = wᵀ A_ff⁻¹ w, and with the bones, by q. For a vertex of flesh that is a column of A_ff⁻¹, one third of a triangular
 * solve (three columns per solve).
 *
 *     u = A_ff⁻¹ w_f        W_ij = w_iᵀ u_j        q = w_b − A_bf u
 *
 * Columns, and W between all of them, are kept as long as there is room: a contact that stays or comes back costs nothing.
 */
import type { Model } from '../../body/model.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { ConstantMatrix } from './constant-matrix.js';
import type { FleshRows } from './flesh-rows.js';

/** Columns of the compliance for the vertices of one body's surface. */
export class ContactCompliance {
  /** W between the vertices that have a slot, rows of `stride` numbers [m/N]. */
  readonly #matrix: Float32Array;
  readonly #stride: number;
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
  /** Numbers per row of `q`: four per bone. */
  readonly #width: number;
  readonly #pending = new Int32Array(3);
  #pendingCount = 0;
  #round = 0;
  /** Factorisation the columns belong to. */
  #version = -1;

  /** `surface`: vertices that can touch; `capacity`: most vertices at once. */
  constructor(model: Model, rows: FleshRows, solve: SolvePlan, surface: Int32Array, capacity: number) {
    const bones = model.bones.count * 4;
    this.#model = model;
    this.#rows = rows;
    this.#solve = solve;
    this.#stride = capacity;
    this.#matrix = new Float32Array(capacity * capacity);
    this.#surfaceCount = surface.length;
    this.#surfaceOfVertex = new Int32Array(model.vertexCount).fill(-1);
    surface.forEach((vertex, i) => {
      this.#surfaceOfVertex[vertex] = i;
    });
    this.#slotOfVertex = new Int32Array(model.vertexCount).fill(-1);
    this.#vertexOfSlot = new Int32Array(capacity).fill(-1);
    this.#used = new Int32Array(capacity);
    this.#columns = new Float32Array(capacity * surface.length);
    this.#q = new Float64Array(capacity * bones);
    this.#width = bones;
  }

  /** Takes up a new factorisation: nothing that is known holds any more. */
  useMatrix({ version }: ConstantMatrix): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#slotOfVertex.fill(-1);
    this.#vertexOfSlot.fill(-1);
  }

  /** Makes W for the vertices that have a weight. Uses the solver's right-hand side, which is left empty. */
  prepare(vertices: Int32Array, weights: Float64Array, count: number): void {
    this.#round++;
    for (let c = 0; c < count; c++) {
      const slot = this.#slotOfVertex[vertices[c]];
      if (slot >= 0) this.#used[slot] = this.#round;
    }
    for (let c = 0; c < count; c++) if (weights[c] !== 0) this.#want(vertices[c]);
    this.#solvePending();
  }

  /** How far one prepared vertex moves when another is pushed [m/N]. */
  between(one: number, other: number): number {
    return this.#matrix[this.#slotOfVertex[one] * this.#stride + this.#slotOfVertex[other]];
  }

  /** q of a prepared vertex: how it moves with row `i` (four per bone) of the bones' transforms. */
  withBone(vertex: number, i: number): number {
    return this.#q[this.#slotOfVertex[vertex] * this.#width + i];
  }

  /** Row and column of W for a slot that has just been filled. */
  #relate(slot: number): void {
    for (let other = 0; other < this.#stride; other++) {
      const vertex = this.#vertexOfSlot[other];
      if (vertex < 0) continue;
      const w = this.#columns[slot * this.#surfaceCount + this.#surfaceOfVertex[vertex]];
      this.#matrix[slot * this.#stride + other] = w;
      this.#matrix[other * this.#stride + slot] = w;
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
    const width = this.#width;
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
    for (let lane = 0; lane < this.#pendingCount; lane++) this.#addToBones(this.#pending[lane], lane, y);
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

  /** q += −A_bf u: what the forward sweep leaves in the bones' rows. */
  #addToBones(slot: number, lane: number, y: Float32Array): void {
    const first = this.#rows.fleshCount * 4;
    for (let i = 0; i < this.#width; i++) this.#q[slot * this.#width + i] += y[first + i * 4 + lane];
  }
}
