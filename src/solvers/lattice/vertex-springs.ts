/**
 * Springs on carried vertices as part of a lattice's energy: grips that pull a point somewhere, and contacts that push it out of
 * something, one-sided, and hold it across by friction. A spring acts on a weighted mean of vertices; each vertex follows eight nodes.
 * The first matrix of the descent does not know them: it learns what they do.
 */
import type { HexEmbedding } from '../../mesh/hexes/hex-embedding.js';
import type { EnergyTerm } from './descent-terms.js';
import type { Reals, Vector } from './numbers/arithmetic.js';
import { floatOfPlace, type QuadLayout } from './numbers/quad-layout.js';
import { addRub } from './rub.js';

/** Most springs of one body. */
export const MAX_SPRINGS = 4096;
/** Vertices of one spring, at most. */
const SPAN = 64;

/** Springs of one body, listed anew before each step. */
export class VertexSprings implements EnergyTerm {
  count = 0;
  /** Stiffness [N/m]; direction, zero for a spring that pulls to a point; and where to: a point, or n·x in its first number [m]. */
  readonly stiffness = new Float64Array(MAX_SPRINGS);
  readonly normals = new Float64Array(3 * MAX_SPRINGS);
  readonly targets = new Float64Array(3 * MAX_SPRINGS);
  /** Contacts only: most that friction can hold [N], and where it pulls to, across the normal [m]. */
  readonly hold = new Float64Array(MAX_SPRINGS);
  readonly anchors = new Float64Array(3 * MAX_SPRINGS);
  readonly #start = new Int32Array(MAX_SPRINGS + 1);
  readonly #vertices = new Int32Array(4 * MAX_SPRINGS + SPAN);
  readonly #weights = new Float64Array(4 * MAX_SPRINGS + SPAN);
  readonly #embedding: HexEmbedding;
  readonly #deaf: Uint8Array;
  readonly #sources: Int32Array;
  readonly #point = new Float64Array(3);
  readonly #pull = new Float64Array(3);

  /** `deaf`: 1 for nodes that feel nothing. */
  constructor(embedding: HexEmbedding, layout: QuadLayout, deaf: Uint8Array) {
    this.#embedding = embedding;
    this.#deaf = deaf;
    this.#sources = embedding.nodes.map((node) => floatOfPlace(layout.placeOfNode[node], 0));
  }

  clear(): void {
    this.count = 0;
  }

  /** One more spring over these vertices; its number, or -1 where there is no room. */
  list(vertices: ArrayLike<number>, weights: ArrayLike<number>, first: number, count: number): number {
    const from = this.#start[this.count];
    if (this.count === MAX_SPRINGS || from + count > this.#vertices.length) return -1;
    let used = from;
    for (let n = first; n < first + count; n++) {
      if (weights[n] === 0) continue;
      this.#vertices[used] = vertices[n];
      this.#weights[used++] = weights[n];
    }
    this.#start[this.count + 1] = used;
    return this.count++;
  }

  /** Where a spring's mean of vertices is. */
  place(spring: number, x: Reals, out: Float64Array): void {
    out.fill(0);
    const { weights } = this.#embedding;
    for (let n = this.#start[spring]; n < this.#start[spring + 1]; n++) {
      for (let m = 8 * this.#vertices[n]; m < 8 * this.#vertices[n] + 8; m++) {
        const weight = this.#weights[n] * weights[m];
        const at = this.#sources[m];
        out[0] += weight * x[at];
        out[1] += weight * x[at + 4];
        out[2] += weight * x[at + 8];
      }
    }
  }

  add(x: Vector, gradient: Vector): number {
    let energy = 0;
    for (let spring = 0; spring < this.count; spring++) {
      this.place(spring, x.view, this.#point);
      energy += this.pull(spring, this.#point, this.#pull);
      this.#push(spring, this.#pull, gradient.view);
    }
    return energy;
  }

  /** Energy of a spring whose vertices are at p [J], and its gradient there [N]. */
  pull(spring: number, p: Float64Array, gradient: Float64Array): number {
    const n = 3 * spring;
    const k = this.stiffness[spring];
    const [nx, ny, nz] = [this.normals[n], this.normals[n + 1], this.normals[n + 2]];
    if (nx === 0 && ny === 0 && nz === 0) {
      for (let i = 0; i < 3; i++) gradient[i] = k * (p[i] - this.targets[n + i]);
      return (gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]) / (2 * k);
    }
    const push = k * Math.max(0, this.targets[n] - (nx * p[0] + ny * p[1] + nz * p[2]));
    gradient[0] = -push * nx;
    gradient[1] = -push * ny;
    gradient[2] = -push * nz;
    const rub = addRub(p, 0, this.anchors, n, this.normals, n, k, this.hold[spring], gradient);
    return (push * push) / (2 * k) + rub;
  }

  /** Adds p to the nodes of a spring; those of given bones feel nothing. */
  #push(spring: number, p: Float64Array, gradient: Reals): void {
    if (p[0] === 0 && p[1] === 0 && p[2] === 0) return;
    const { weights, nodes } = this.#embedding;
    for (let n = this.#start[spring]; n < this.#start[spring + 1]; n++) {
      for (let m = 8 * this.#vertices[n]; m < 8 * this.#vertices[n] + 8; m++) {
        if (this.#deaf[nodes[m]]) continue;
        const weight = this.#weights[n] * weights[m];
        const at = this.#sources[m];
        gradient[at] += weight * p[0];
        gradient[at + 4] += weight * p[1];
        gradient[at + 8] += weight * p[2];
      }
    }
  }
}
