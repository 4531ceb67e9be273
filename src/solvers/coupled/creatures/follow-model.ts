/**
 * How flesh follows its bones. The vertices that bones carry go where those go, and the rest gives way: with A the constant matrix of a track, B the vertices carried and F those that are free,
 *
 *     v_F = W v_B + D p        W = −A_FF⁻¹ A_FB        D = A_FF⁻¹        λ = K v_B − Wᵀ p        K = A_BB + A_BF W
 *
 * p: pushes on the flesh, λ: what it takes to carry the vertices of B. A vertex carried by a bone of velocity v, spin ω has v + ω × R a, with its place a in the bone, so sums of W and of K over the
 * vertices of each bone, weighted with 1, a and a aᵀ, are all there is to know: made once for all bodies of a model, and turned with the bones.
 */
import type { SoftModel } from '../soft/soft-model.js';
import { assemble, fillInverse } from '../soft/soft-table.js';

/** Numbers per vertex and bone: a share of its velocity, and of its spin a place [m]. */
export const SHARE = 4;
/** Numbers per two bones: sums of K, of K a for the first and for the second one, of K a aᵀ. */
export const PAIR = 16;

/** Vertices of a body that bones carry: numbers of vertex and bone, and the place in the bone, 3 each [m]. */
export interface Carried {
  readonly vertex: Int32Array;
  readonly bone: Int32Array;
  readonly place: Float64Array;
  readonly boneCount: number;
}

/** What a track needs to know. */
export interface FollowTables {
  /** D, by rows, nothing for what is carried [1/kg]. */
  readonly held: Float64Array;
  /** W, by rows: a vertex that is carried follows itself. */
  readonly follow: Float64Array;
  /** SHARE numbers per vertex and bone: sums of W. */
  readonly share: Float64Array;
  /** K, by rows [kg]. */
  readonly stiffness: Float64Array;
  /** SHARE numbers per carried vertex and bone: sums of the rows of K. */
  readonly pull: Float64Array;
  /** PAIR numbers per two bones. */
  readonly pair: Float64Array;
}

/** A model whose vertices are carried so. */
export class FollowModel {
  readonly model: SoftModel;
  readonly carried: Carried;
  readonly tracks: readonly [FollowTables, FollowTables];
  /** Step the tables are made for [s]. */
  #h = 0;

  constructor(model: SoftModel, carried: Carried) {
    this.model = model;
    this.carried = carried;
    const { size } = model;
    const [n, m] = [carried.vertex.length, carried.boneCount];
    const empty = (): FollowTables => ({
      held: new Float64Array(size * size),
      follow: new Float64Array(size * n),
      share: new Float64Array(size * m * SHARE),
      stiffness: new Float64Array(n * n),
      pull: new Float64Array(n * m * SHARE),
      pair: new Float64Array(m * m * PAIR),
    });
    this.tracks = [empty(), empty()];
  }

  /** Makes the tables for steps of h [s], if they are not. */
  prepare(h: number): void {
    if (h === this.#h) return;
    this.#h = h;
    this.#fill(this.tracks[0], 0.5 * h * h);
    this.#fill(this.tracks[1], h * h);
  }

  #fill(tables: FollowTables, scale: number): void {
    const { elements } = this.model;
    const isHeld = elements.pinned.slice();
    for (const v of this.carried.vertex) isHeld[v] = 1;
    fillInverse(elements, isHeld, scale, tables.held);
    this.#fillStiffness(tables, scale);
    const { bone, place, boneCount, vertex } = this.carried;
    sumByBone(tables.follow, bone, place, boneCount, tables.share);
    sumByBone(tables.stiffness, bone, place, boneCount, tables.pull);
    tables.pair.fill(0);
    for (let k = 0; k < vertex.length; k++) {
      for (let q = 0; q < boneCount; q++) addPair(tables, k, bone[k], q, boneCount, place);
    }
  }

  /** W and K. */
  #fillStiffness({ held, follow, stiffness }: FollowTables, scale: number): void {
    const { elements, size } = this.model;
    const { vertex } = this.carried;
    const n = vertex.length;
    const unknown = new Int32Array(size).fill(-1);
    const free: number[] = [];
    for (let v = 0; v < size; v++) if (elements.pinned[v] === 0) unknown[v] = free.push(v) - 1;
    const matrix = assemble(elements, unknown, free.length, scale);
    const number = new Int32Array(size).fill(-1);
    for (let k = 0; k < n; k++) number[vertex[k]] = k;
    follow.fill(0);
    stiffness.fill(0);
    for (let k = 0; k < n; k++) {
      const row = unknown[vertex[k]];
      follow[vertex[k] * n + k] = 1;
      for (let e = matrix.rowStart[row]; e < matrix.rowStart[row + 1]; e++) {
        const u = free[matrix.columns[e]];
        const a = matrix.values[e];
        if (number[u] >= 0) stiffness[k * n + number[u]] += a;
        else for (let v = 0; v < size; v++) if (number[v] < 0) follow[v * n + k] -= held[u * size + v] * a;
      }
    }
    for (let k = 0; k < n; k++) {
      const row = unknown[vertex[k]];
      for (let e = matrix.rowStart[row]; e < matrix.rowStart[row + 1]; e++) {
        const u = free[matrix.columns[e]];
        if (number[u] >= 0) continue;
        for (let l = 0; l < n; l++) stiffness[k * n + l] += matrix.values[e] * follow[u * n + l];
      }
    }
    for (let k = 0; k < n; k++) {
      for (let l = 0; l < k; l++) {
        const mean = 0.5 * (stiffness[k * n + l] + stiffness[l * n + k]);
        stiffness[k * n + l] = mean;
        stiffness[l * n + k] = mean;
      }
    }
  }
}

/** out = the sums over the vertices of each bone of the numbers of each row of `rows`, and of those times places. */
function sumByBone(
  rows: Float64Array,
  bone: Int32Array,
  place: Float64Array,
  boneCount: number,
  out: Float64Array,
): void {
  const n = bone.length;
  out.fill(0);
  for (let row = 0; row * n < rows.length; row++) {
    for (let k = 0; k < n; k++) {
      const value = rows[row * n + k];
      const o = (row * boneCount + bone[k]) * SHARE;
      out[o] += value;
      for (let c = 0; c < 3; c++) out[o + 1 + c] += value * place[k * 3 + c];
    }
  }
}

/** What carried vertex k adds to the sums of bone p with bone q. */
function addPair(
  { pull, pair }: FollowTables,
  k: number,
  p: number,
  q: number,
  boneCount: number,
  place: Float64Array,
): void {
  const from = (k * boneCount + q) * SHARE;
  const to = (p * boneCount + q) * PAIR;
  pair[to] += pull[from];
  for (let i = 0; i < 3; i++) {
    const a = place[k * 3 + i];
    pair[to + 1 + i] += a * pull[from];
    pair[to + 4 + i] += pull[from + 1 + i];
    for (let j = 0; j < 3; j++) pair[to + 7 + i * 3 + j] += a * pull[from + 1 + j];
  }
}
