/**
 * A fine skin for a coarse body: the surface of the same character meshed finely, each of its vertices carried by a
 * tetrahedron of the coarse one. What is shown then has the fine shape and moves with the few tetrahedra that are simulated.
 */
import type { BodyDef } from '../body/body-def.js';
import { type Embedding, embedPoints } from '../mesh/embedding.js';
import { extractSurface, gatherSurfacePositions } from '../mesh/surface/surface.js';

/** A surface and what carries it. */
export interface FineSkin {
  /** Rest positions, x,y,z per vertex [m]. */
  readonly positions: Float64Array;
  /** Three vertices per triangle, seen counter-clockwise from outside. */
  readonly triangles: Int32Array;
  /** Which vertices of the coarse body each vertex follows; see `updateEmbedding`. */
  readonly embedding: Embedding;
}

/** Binds the surface of `fine` to `coarse`; both must be the same character in the same rest place. */
export function embedFineSkin(coarse: BodyDef, fine: BodyDef): FineSkin {
  const surface = extractSurface(fine);
  const positions = new Float64Array(3 * surface.vertices.length);
  gatherSurfacePositions(surface, fine.positions, positions);
  return { positions, triangles: surface.triangles, embedding: embedPoints(coarse, positions) };
}
