/**
 * How deep a body is in itself where its flesh is turned inside out: a vertex that has gone through the tets it is a corner of is inside the next ones. Contacts
 * know nothing of those, because nothing came from outside. Measured after a step, for the certificate.
 */
import { PointGrid } from '../surface/point-grid.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { readFace, sixVolumes } from '../surface/tet-faces.js';
import { tetWeights } from '../surface/tet-weights.js';
import { wayOut } from './way-out.js';

/** Measures bodies of one surface. */
export class OwnDepth {
  readonly #weights = new Float64Array(4);
  readonly #face = new Float64Array(5);
  /** Surface vertices of tets that are inside out, the first `#count`, where they are, and how far each is from being right side out again [m]; 0 for surface vertices not listed. */
  readonly #turned: Int32Array;
  #count = 0;
  readonly #points: Float64Array;
  readonly #back: Float64Array;
  /** Whether each of those listed is in a tet it is no corner of. */
  readonly #isInside: Uint8Array;
  readonly #grid: PointGrid;
  /** Around all that are listed, and around one tet. */
  readonly #bounds = new Float64Array(6);
  readonly #box = new Float64Array(6);

  constructor({ surface: { vertices } }: SurfaceMotion) {
    this.#turned = new Int32Array(vertices.length);
    this.#points = new Float64Array(vertices.length * 3);
    this.#back = new Float64Array(vertices.length);
    this.#isInside = new Uint8Array(vertices.length);
    this.#grid = new PointGrid(vertices.length);
  }

  /** Deepest that a vertex of flesh that is inside out is in its own body [m]: its way back, or out through another triangle if that is shorter. */
  measure(body: SurfaceMotion): number {
    this.#list(body);
    if (this.#count === 0) return 0;
    this.#findInside(body);
    const { triangles, vertices } = body.surface;
    const longest = body.findLongestEdge();
    let deepest = 0;
    for (let n = 0; n < this.#count; n++) {
      const i = this.#turned[n];
      if (this.#isInside[n] === 0 || this.#back[i] <= deepest) continue;
      deepest = Math.max(deepest, wayOut(triangles, body.positions, vertices[i], this.#back[i], longest));
    }
    return deepest;
  }

  /** Lists the vertices of tets that are inside out; the way back of each is the longest that one of them asks for. */
  #list({ model: { tets }, surface: { outerTets, surfaceOf, vertices }, positions: x }: SurfaceMotion): void {
    for (let n = 0; n < this.#count; n++) this.#back[this.#turned[n]] = 0;
    this.#count = 0;
    for (let n = 0; n < outerTets.length; n++) {
      const tet = outerTets[n];
      if (!(sixVolumes(x, tets, tet) < 0)) continue;
      for (let corner = tet * 4; corner < tet * 4 + 4; corner++) {
        const i = surfaceOf[tets[corner]];
        if (i < 0) continue;
        if (this.#back[i] === 0) this.#turned[this.#count++] = i;
        readFace(x, tets, corner, this.#face);
        // never 0, which says that it is not listed
        this.#back[i] = Math.max(this.#back[i], Math.abs(this.#face[4]), Number.MIN_VALUE);
      }
    }
    this.#isInside.fill(0, 0, this.#count);
    this.#bounds.fill(Number.POSITIVE_INFINITY, 0, 3);
    this.#bounds.fill(Number.NEGATIVE_INFINITY, 3, 6);
    for (let n = 0; n < this.#count; n++) {
      for (let k = 0; k < 3; k++) {
        const at = x[vertices[this.#turned[n]] * 3 + k];
        this.#points[n * 3 + k] = at;
        this.#bounds[k] = Math.min(this.#bounds[k], at);
        this.#bounds[3 + k] = Math.max(this.#bounds[3 + k], at);
      }
    }
  }

  /** Asks every tet of the body which of the points listed it holds: a walk from tet to tet would end where others are inside out as well. */
  #findInside({ model: { tets }, surface: { vertices }, positions: x, cell }: SurfaceMotion): void {
    const grid = this.#grid;
    grid.fill(this.#points, this.#count, cell, this.#bounds);
    for (let o = 0; o < tets.length; o += 4) {
      if (!this.#boxOf(tets, o, x)) continue;
      grid.query(this.#box);
      for (let m = 0; m < grid.found; m++) {
        const n = grid.answer[m];
        if (this.#isInside[n] === 1 || hasCorner(tets, o, vertices[this.#turned[n]])) continue;
        if (tetWeights(x, tets, o, this.#points, n * 3, this.#weights) < 0) this.#isInside[n] = 1;
      }
    }
  }

  /** Box of a tet; false where none of the points listed can be in it. */
  #boxOf(tets: Int32Array, o: number, x: Float64Array): boolean {
    const box = this.#box;
    const bounds = this.#bounds;
    for (let k = 0; k < 3; k++) {
      const a = x[tets[o] * 3 + k];
      const b = x[tets[o + 1] * 3 + k];
      const c = x[tets[o + 2] * 3 + k];
      const d = x[tets[o + 3] * 3 + k];
      box[k] = Math.min(a, b, c, d);
      box[3 + k] = Math.max(a, b, c, d);
      if (box[k] > bounds[3 + k] || box[3 + k] < bounds[k]) return false;
    }
    return true;
  }
}

/** Whether a vertex is a corner of the tet listed from `o` on: in that it always is. */
function hasCorner(tets: Int32Array, o: number, v: number): boolean {
  return tets[o] === v || tets[o + 1] === v || tets[o + 2] === v || tets[o + 3] === v;
}
