/**
 * How deep a body is in its own creases, measured after a step on all of its surface. Contacts know what they came for: a vertex that is pressed past the triangles around it
 * has none until all tets are looked through again, and a cat on its folded paws was 1.8 % of its size in itself where contacts said 0.6 %.
 */
import type { InsideSearch } from '../search/inside-search.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { sixVolumes } from '../surface/tet-faces.js';
import { nearestOnTriangle } from '../surface/triangle-point.js';

/** Measures one body. */
export class CreaseDepth {
  readonly #inside: InsideSearch;
  readonly #weights = new Float64Array(4);
  /** 1 for vertices of flesh that is inside out: how deep those are is another question. */
  readonly #turned: Uint8Array;

  /** `inside`: prepared for the body. */
  constructor({ model }: SurfaceMotion, inside: InsideSearch) {
    this.#inside = inside;
    this.#turned = new Uint8Array(model.vertexCount);
  }

  /** Deepest that a surface vertex, right side out itself, is in a tet that it is no corner of: its way to the nearest triangle that it is no corner of [m]. */
  measure(body: SurfaceMotion): number {
    const { vertices } = body.surface;
    body.update();
    body.grid.fill(body.points, vertices.length, body.cell, body.box);
    this.#inside.search(body, body, true);
    this.#markTurned(body);
    let longest = 0;
    let deepest = 0;
    for (let i = 0; i < vertices.length; i++) {
      if (this.#inside.tets[i] < 0 || this.#turned[vertices[i]] === 1) continue;
      if (longest === 0) longest = body.findLongestEdge();
      deepest = Math.max(deepest, this.#wayOut(body, vertices[i], longest));
    }
    return deepest;
  }

  #markTurned({ model: { tets }, surface: { outerTets }, positions: x }: SurfaceMotion): void {
    this.#turned.fill(0);
    for (let n = 0; n < outerTets.length; n++) {
      if (!(sixVolumes(x, tets, outerTets[n]) < 0)) continue;
      for (let corner = outerTets[n] * 4; corner < outerTets[n] * 4 + 4; corner++) this.#turned[tets[corner]] = 1;
    }
  }

  #wayOut({ surface: { triangles }, positions: x, model }: SurfaceMotion, v: number, longest: number): number {
    let nearest = model.size;
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
