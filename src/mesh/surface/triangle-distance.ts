/** Signed distance to a triangle surface of moderate size: the nearest triangle by trying all, the side by winding number. */
import { closestOnTriangle } from './closest-on-triangle.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { WindingTree } from './winding-number.js';

/** Distance to the surface [m], negative inside. Holes are closed as winding numbers close them. */
export function distanceToSurface(mesh: TriangleMesh): (x: number, y: number, z: number) => number {
  const tree = new WindingTree(mesh);
  const { positions, triangles } = mesh;
  const way = new Float64Array(3);
  return (x, y, z) => {
    let nearest = Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
      nearest = closestOnTriangle(positions, triangles[t], triangles[t + 1], triangles[t + 2], x, y, z, nearest, way);
    }
    const away = Math.sqrt(nearest);
    return tree.at(x, y, z) > 0.5 ? -away : away;
  };
}
