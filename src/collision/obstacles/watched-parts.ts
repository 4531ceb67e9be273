/**
 * What of bodies came near obstacles in a step, to be measured when it is over: edges and triangles, on which contacts may have been put
 * elsewhere, and vertices, which flesh may have flung to where no contact was.
 */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { FaceSearch } from './face-search.js';
import type { ObstacleSet } from './obstacle.js';

/** All vertices of the surface, or one part of the body by its number. */
export type WatchedKind = typeof SURFACE | typeof INNER | typeof EDGE | typeof TRIANGLE;
export const SURFACE = 0;
export const INNER = 1;
export const EDGE = 2;
export const TRIANGLE = 3;

/** Numbers per entry: body, obstacle, kind, number. */
const ENTRY = 4;

/** A list that keeps its room from step to step. */
export class WatchedParts {
  #count = 0;
  #entries = new Int32Array(0);

  clear(): void {
    this.#count = 0;
  }

  add(body: number, obstacle: number, kind: WatchedKind, part: number): void {
    const o = this.#count++ * ENTRY;
    if (o === this.#entries.length) {
      const more = new Int32Array(Math.max(256 * ENTRY, 2 * o));
      more.set(this.#entries);
      this.#entries = more;
    }
    this.#entries[o] = body;
    this.#entries[o + 1] = obstacle;
    this.#entries[o + 2] = kind;
    this.#entries[o + 3] = part;
  }

  /** Raises the depth of each body to that of its deepest part, bodies and obstacles where they are now [m]. */
  measure(bodies: readonly SurfaceMotion[], obstacles: ObstacleSet, faces: FaceSearch, depths: Float64Array): void {
    const entries = this.#entries;
    let [body, obstacle] = [-1, -1];
    for (let o = 0; o < this.#count * ENTRY; o += ENTRY) {
      if (entries[o] !== body || entries[o + 1] !== obstacle) {
        body = entries[o];
        obstacle = entries[o + 1];
        faces.begin(bodies[body], obstacles, obstacle, 0);
      }
      const part = entries[o + 3];
      // what cannot be deeper than what is known need not be known better
      faces.near[0] = -depths[body];
      let distance = 0;
      if (entries[o + 2] === SURFACE) {
        const { isSolid, poses, reach } = bodies[body];
        if (!isSolid || !faces.isAbove(poses.translations, reach)) distance = faces.lowestVertex();
      } else if (entries[o + 2] === INNER) {
        faces.askVertex(part);
        distance = faces.probe.distance[0];
      } else if (entries[o + 2] === EDGE) {
        if (faces.isEdgeNear(part) && faces.findOnEdge(part)) distance = faces.deepest.distance[0];
      } else if (faces.isTriangleNear(part) && faces.findInTriangle(part)) distance = faces.deepest.distance[0];
      depths[body] = Math.max(depths[body], -distance);
    }
  }
}
