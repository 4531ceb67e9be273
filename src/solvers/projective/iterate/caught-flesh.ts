/**
 * Flesh that is caught inside out: tets turned over that hardly move, with their neighbours, in pieces that hang together. Looked for by mending.ts
 * as steps begin.
 */
import type { Model } from '../../../body/model.js';
import { determinantMat3 } from '../../../math/mat3.js';
import type { Layout } from '../layout.js';
import type { ProjectiveState } from '../projective-state.js';

/** Steps from one look at the flesh to the next. */
const STEPS_BETWEEN = 30;
/** Tets that change slower than this are caught, not on their way through: edges' change per second, in their own lengths [1/s]. */
const STILL = 1;
/** Rings of neighbours that count with tets that are inside out. */
const RINGS = 2;

/** Finds such flesh in one model. */
export class CaughtFlesh {
  /** Piece of each tet, -1 outside of all. */
  readonly pieceOf: Int32Array;
  pieces = 0;
  readonly #model: Model;
  readonly #layout: Layout;
  /** Deformable tets at each vertex: where each vertex's list starts, and the lists. */
  readonly #start: Int32Array;
  readonly #tetsAt: Int32Array;
  /** Tets in pieces, piece by piece. */
  readonly #tets: Int32Array;
  #count = 0;
  /** One more than the ring each vertex is in, 0 outside. */
  readonly #rings: Uint8Array;
  readonly #edges = new Float64Array(9);

  constructor(model: Model, layout: Layout) {
    this.#model = model;
    this.#layout = layout;
    this.#start = new Int32Array(model.vertexCount + 1);
    for (const tet of layout.tets) for (let k = 0; k < 4; k++) this.#start[model.tets[tet * 4 + k] + 1]++;
    for (let v = 0; v < model.vertexCount; v++) this.#start[v + 1] += this.#start[v];
    const next = this.#start.slice();
    this.#tetsAt = new Int32Array(layout.tets.length * 4);
    for (const tet of layout.tets) for (let k = 0; k < 4; k++) this.#tetsAt[next[model.tets[tet * 4 + k]]++] = tet;
    this.pieceOf = new Int32Array(model.tetCount).fill(-1);
    this.#tets = new Int32Array(layout.tets.length);
    this.#rings = new Uint8Array(model.vertexCount);
  }

  /** Looks, every so many steps and in those that are taken from rest because nothing else helped; false where there is none, or nobody looked. */
  find(state: ProjectiveState): boolean {
    const isStilled = state.clock[1] === 0 && state.clock[0] > 0;
    if (state.clock[0] % STEPS_BETWEEN !== 0 && !isStilled) return false;
    this.#rings.fill(0);
    let found = false;
    for (let n = 0; n < this.#layout.tets.length; n++) {
      const tet = this.#layout.tets[n];
      if (!this.#isCaught(state, tet)) continue;
      found = true;
      for (let k = 0; k < 4; k++) this.#rings[this.#model.tets[tet * 4 + k]] = 1;
    }
    if (!found) return false;
    for (let ring = 1; ring <= RINGS; ring++) this.#growRing(ring);
    this.#cutPieces();
    return true;
  }

  /** The tets found. */
  get tets(): Int32Array {
    return this.#tets.subarray(0, this.#count);
  }

  #isCaught({ positions, velocities }: ProjectiveState, tet: number): boolean {
    const { tets } = this.#model;
    const edges = this.#edges;
    const o = tets[tet * 4] * 3;
    for (let c = 0; c < 9; c++) {
      const k = c % 3;
      edges[c] = positions[tets[tet * 4 + (c - k) / 3 + 1] * 3 + k] - positions[o + k];
    }
    if (!(determinantMat3(edges, 0) < 0)) return false;
    let length = 0;
    let speed = 0;
    for (let c = 0; c < 9; c++) {
      const k = c % 3;
      const way = velocities[tets[tet * 4 + (c - k) / 3 + 1] * 3 + k] - velocities[o + k];
      length += edges[c] * edges[c];
      speed += way * way;
    }
    return speed < STILL * STILL * length;
  }

  /** Marks the vertices of all tets that touch a vertex marked by an earlier ring. */
  #growRing(ring: number): void {
    const rings = this.#rings;
    const { tets } = this.#model;
    for (let v = 0; v < rings.length; v++) {
      if (rings[v] !== ring) continue;
      for (let n = this.#start[v]; n < this.#start[v + 1]; n++) {
        for (let k = 0; k < 4; k++) {
          const w = tets[this.#tetsAt[n] * 4 + k];
          if (rings[w] === 0) rings[w] = ring + 1;
        }
      }
    }
  }

  /** Sorts the tets all of whose corners are marked into pieces that hang together. */
  #cutPieces(): void {
    const { tets } = this.#model;
    const pieceOf = this.pieceOf.fill(-1);
    this.#count = 0;
    this.pieces = 0;
    for (let n = 0; n < this.#layout.tets.length; n++) {
      const seed = this.#layout.tets[n];
      if (pieceOf[seed] >= 0 || !this.#isInside(seed)) continue;
      let next = this.#count;
      pieceOf[seed] = this.pieces;
      this.#tets[this.#count++] = seed;
      while (next < this.#count) {
        const tet = this.#tets[next++];
        for (let k = 0; k < 4; k++) {
          const v = tets[tet * 4 + k];
          for (let i = this.#start[v]; i < this.#start[v + 1]; i++) {
            const other = this.#tetsAt[i];
            if (pieceOf[other] >= 0 || !this.#isInside(other)) continue;
            pieceOf[other] = this.pieces;
            this.#tets[this.#count++] = other;
          }
        }
      }
      this.pieces++;
    }
  }

  #isInside(tet: number): boolean {
    const { tets } = this.#model;
    for (let k = 0; k < 4; k++) if (this.#rings[tets[tet * 4 + k]] === 0) return false;
    return true;
  }
}
