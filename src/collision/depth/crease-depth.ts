/**
 * How deep a body is in its own creases, measured after a step on all of its surface. Contacts know what they came for: a vertex that is pressed past the triangles around it
 * has none until all tets are looked through again, and a cat on its folded paws was 1.8 % of its size in itself where contacts said 0.6 %.
 */
import type { InsideSearch } from '../search/inside-search.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { sixVolumes } from '../surface/tet-faces.js';
import { wayOut } from './way-out.js';

/** Share of its depth that what comes in within a step has gone in it at least. */
const RECENT = 0.5;

/** Measures one body. */
export class CreaseDepth {
  readonly #inside: InsideSearch;
  /** 1 for vertices of flesh that is inside out: how deep those are is another question. */
  readonly #turned: Uint8Array;

  /** `inside`: prepared for the body. */
  constructor({ model }: SurfaceMotion, inside: InsideSearch) {
    this.#inside = inside;
    this.#turned = new Uint8Array(model.vertexCount);
  }

  /**
   * Deepest that a surface vertex, right side out itself, is in a tet that it is no corner of: its way to the nearest triangle that it is no corner of [m]; of those alone that were as fast against that
   * tet as what has come in within `time` [s] must be.
   */
  measure(body: SurfaceMotion, time: number): number {
    const { triangles, vertices } = body.surface;
    body.update();
    body.grid.fill(body.points, vertices.length, body.cell, body.box);
    this.#inside.search(body, body, true);
    this.#markTurned(body);
    let longest = 0;
    let deepest = 0;
    for (let i = 0; i < vertices.length; i++) {
      if (this.#inside.tets[i] < 0 || this.#turned[vertices[i]] === 1) continue;
      if (longest === 0) longest = body.findLongestEdge();
      const depth = wayOut(triangles, body.positions, vertices[i], body.model.size, longest);
      if (depth > deepest && hasGone(body, vertices[i], this.#inside.tets[i], RECENT * depth, time)) deepest = depth;
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
}

/** Whether vertex v has gone as far as `way` against tet t within `time`. */
function hasGone(
  { model: { tets }, velocities }: SurfaceMotion,
  v: number,
  t: number,
  way: number,
  time: number,
): boolean {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    let wall = 0;
    for (let corner = t * 4; corner < t * 4 + 4; corner++) wall += 0.25 * velocities[tets[corner] * 3 + k];
    square += (velocities[v * 3 + k] - wall) * (velocities[v * 3 + k] - wall);
  }
  return !(square * time * time < way * way);
}
