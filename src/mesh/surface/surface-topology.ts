/** Whether a triangle surface is closed, and how many holes it has: what `inspect` and the tests want to know. */
import { DisjointSets } from '../disjoint-sets.js';

/** What the edges of a triangle surface tell about it. */
export interface SurfaceTopology {
  /** Directed edges that are not met by exactly one neighbour going the other way; 0 for a closed manifold. */
  readonly openEdgeCount: number;
  /** Vertices where two or more parts of the surface touch in just that point; 0 for a closed manifold. */
  readonly pinchedVertexCount: number;
  /** Vertices - edges + triangles: 2 for a ball, 2 less per handle, 2 more per further closed piece. */
  readonly eulerCharacteristic: number;
}

/** Looks at all edges of the surface; `triangles` has three indices each, every vertex counted must be used. */
export function describeSurface(triangles: ArrayLike<number>, vertexCount: number): SurfaceTopology {
  // For each directed edge the corner it leaves from, and how often it occurs.
  const corners = new Map<number, number>();
  const uses = new Map<number, number>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const key = triangles[corner] * vertexCount + triangles[nextCorner(corner)];
    corners.set(key, corner);
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  let openEdgeCount = 0;
  let edgeCount = 0;
  const fans = new DisjointSets(triangles.length);
  for (const [key, corner] of corners) {
    const a = Math.floor(key / vertexCount);
    const b = key % vertexCount;
    const twin = corners.get(b * vertexCount + a);
    if (uses.get(key) !== 1 || twin === undefined || uses.get(b * vertexCount + a) !== 1) openEdgeCount++;
    if (a < b || twin === undefined) edgeCount++;
    // The triangles on both sides of an edge belong to one fan around its start.
    if (twin !== undefined) fans.unite(corner, nextCorner(twin));
  }
  return {
    openEdgeCount,
    pinchedVertexCount: fans.count - vertexCount,
    eulerCharacteristic: vertexCount - edgeCount + triangles.length / 3,
  };
}

function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}
