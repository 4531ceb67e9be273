/**
 * Which features of one body are far enough from each other at rest to touch. What is near along the surface or through the flesh is always near, and
 * no contact: 2.5 edges, twice the thickness of a sheet, or three times as deep as contacts are looked for, whichever is more.
 */
import type { SoftModel } from '../soft/soft-model.js';

const EDGES = 2.5;
const THICKNESSES = 2;
const DEPTHS = 3;
/** How deep a body is looked for in itself, as a share of half its longest side; a sheet has no depth. */
const DEEPEST = 0.06;

/** Distances at rest of one model. */
export class RestApart {
  /** How deep in itself the body is still found [m]. */
  readonly deepest: number;
  readonly #square: number;
  readonly #rest: Float64Array;

  constructor({ elements, triangles, radius, reach, isSheet }: SoftModel) {
    this.#rest = elements.positions;
    this.deepest = isSheet ? 0 : DEEPEST * reach;
    let longest = 0;
    for (let i = 0; i < triangles.length; i++) {
      const next = triangles[i % 3 === 2 ? i - 2 : i + 1];
      longest = Math.max(longest, this.#squareBetween(triangles[i], next));
    }
    const apart = Math.max(EDGES * Math.sqrt(longest), 2 * THICKNESSES * radius, DEPTHS * this.deepest);
    this.#square = apart * apart;
  }

  /** Whether vertices u and v may belong to features that touch. */
  isApart(u: number, v: number): boolean {
    return this.#squareBetween(u, v) > this.#square;
  }

  #squareBetween(u: number, v: number): number {
    const rest = this.#rest;
    const x = rest[u * 3] - rest[v * 3];
    const y = rest[u * 3 + 1] - rest[v * 3 + 1];
    const z = rest[u * 3 + 2] - rest[v * 3 + 2];
    return x * x + y * y + z * z;
  }
}
