/** Edges and triangles that came near obstacles in a step, to be measured when it is over: a contact may have been put elsewhere on them. */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { FaceSearch } from './face-search.js';
import type { ObstacleSet } from './obstacle.js';

/** Numbers per face: body, obstacle, edge e as e or triangle t as -1 - t. */
const ENTRY = 3;

/** A list that keeps its room from step to step. */
export class WatchedFaces {
  #count = 0;
  #entries = new Int32Array(0);

  clear(): void {
    this.#count = 0;
  }

  /** An edge e as e, a triangle t as -1 - t. */
  add(body: number, obstacle: number, face: number): void {
    const o = this.#count++ * ENTRY;
    if (o === this.#entries.length) {
      const more = new Int32Array(Math.max(768, 2 * o));
      more.set(this.#entries);
      this.#entries = more;
    }
    this.#entries[o] = body;
    this.#entries[o + 1] = obstacle;
    this.#entries[o + 2] = face;
  }

  /** Raises the depth of each body to that of its deepest face, bodies and obstacles where they are now [m]. */
  measure(bodies: readonly SurfaceMotion[], obstacles: ObstacleSet, faces: FaceSearch, depths: Float64Array): void {
    let [body, obstacle] = [-1, -1];
    for (let n = 0; n < this.#count; n++) {
      const o = n * ENTRY;
      const face = this.#entries[o + 2];
      if (this.#entries[o] !== body || this.#entries[o + 1] !== obstacle) {
        body = this.#entries[o];
        obstacle = this.#entries[o + 1];
        faces.begin(bodies[body], obstacles, obstacle, 0);
      }
      // what cannot be deeper than what is known need not be known better
      const isNear = face >= 0 ? faces.isEdgeNear(face, -depths[body]) : faces.isTriangleNear(-1 - face, -depths[body]);
      if (!isNear || !(face >= 0 ? faces.findOnEdge(face) : faces.findInTriangle(-1 - face))) continue;
      depths[body] = Math.max(depths[body], -faces.deepest.distance[0]);
    }
  }
}
