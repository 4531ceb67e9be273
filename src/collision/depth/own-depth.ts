/**
 * How deep a body is in itself where its flesh is turned inside out: a vertex that has gone through the tets it is a corner of is inside the next ones. Contacts
 * know nothing of those, because nothing came from outside. Measured after a step, for the certificate.
 */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { TetWalk } from '../surface/tet-walk.js';
import { nearestOnTriangle } from '../surface/triangle-point.js';

/** Measures bodies of one surface. */
export class OwnDepth {
  readonly #walk: TetWalk;
  readonly #weights = new Float64Array(4);
  /** Surface vertices inside their own body, the first `#count`, and how far each vertex is from being right side out again, 0 for those not listed [m]. */
  readonly #inside: Int32Array;
  #count = 0;
  readonly #back: Float64Array;

  constructor({ model, surface }: SurfaceMotion) {
    this.#walk = new TetWalk(model, surface);
    this.#inside = new Int32Array(surface.vertices.length);
    this.#back = new Float64Array(surface.vertices.length);
  }

  /** Deepest that a vertex of flesh that is inside out is in its own body [m]: its way back, or out through another triangle if that is shorter. */
  measure(body: SurfaceMotion): number {
    this.#list(body);
    const longest = this.#count > 0 ? body.findLongestEdge() : 0;
    let deepest = 0;
    for (let n = 0; n < this.#count; n++) {
      const i = this.#inside[n];
      if (this.#back[i] > deepest) deepest = Math.max(deepest, this.#wayOut(body, i, this.#back[i], longest));
    }
    return deepest;
  }

  #list({ model: { tets }, surface: { outerTets, surfaceOf }, positions: x }: SurfaceMotion): void {
    for (let n = 0; n < this.#count; n++) this.#back[this.#inside[n]] = 0;
    this.#count = 0;
    for (let n = 0; n < outerTets.length; n++) {
      const tet = outerTets[n];
      if (!this.#walk.isTurned(tet, x)) continue;
      for (let corner = tet * 4; corner < tet * 4 + 4; corner++) {
        const i = surfaceOf[tets[corner]];
        if (i < 0) continue;
        if (this.#back[i] === 0) {
          if (!this.#isInside(tets, tet, tets[corner], x)) continue;
          this.#inside[this.#count++] = i;
        }
        this.#back[i] = Math.max(this.#back[i], this.#walk.heightOver(corner, x));
      }
    }
  }

  /** Whether a vertex of a tet that is inside out is in a tet it is no corner of, looked for beyond each face: tets that are inside out as well end a walk. */
  #isInside(tets: Int32Array, tet: number, v: number, x: Float64Array): boolean {
    for (let face = tet * 4; face < tet * 4 + 4; face++) {
      const found = this.#walk.findBeyond(face, x, x, v * 3);
      if (found >= 0 && !hasCorner(tets, found, v)) return true;
    }
    return false;
  }

  /** Distance of surface vertex i from the nearest triangle that it is no corner of [m], at most `most`. */
  #wayOut({ surface: { triangles, vertices }, positions: x }: SurfaceMotion, i: number, most: number, longest: number) {
    const v = vertices[i];
    let nearest = most;
    for (let t = 0; t < triangles.length; t += 3) {
      const a = triangles[t] * 3;
      const dx = x[v * 3] - x[a];
      const dy = x[v * 3 + 1] - x[a + 1];
      const dz = x[v * 3 + 2] - x[a + 2];
      const reach = nearest + longest;
      // no point of a triangle is farther from its first corner than its longest side
      if (dx * dx + dy * dy + dz * dz > reach * reach) continue;
      if (triangles[t] === v || triangles[t + 1] === v || triangles[t + 2] === v) continue;
      nearestOnTriangle(x, a, triangles[t + 1] * 3, triangles[t + 2] * 3, x, v * 3, this.#weights);
      nearest = Math.min(nearest, Math.sqrt(this.#weights[3]));
    }
    return nearest;
  }
}

/** Whether a vertex is a corner of a tet: in that it always is. */
function hasCorner(tets: Int32Array, tet: number, v: number): boolean {
  return tets[tet * 4] === v || tets[tet * 4 + 1] === v || tets[tet * 4 + 2] === v || tets[tet * 4 + 3] === v;
}
