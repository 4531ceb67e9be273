/** Signed distance to a triangle surface of moderate size: the nearest triangle by trying all, the side by winding number. */

import { square } from '../../math/powers.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { WindingTree } from './winding-number.js';

/** Distance to the surface [m], negative inside. Holes are closed as winding numbers close them. */
export function distanceToSurface(mesh: TriangleMesh): (x: number, y: number, z: number) => number {
  const tree = new WindingTree(mesh);
  const { positions, triangles } = mesh;
  return (x, y, z) => {
    let nearest = Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
      nearest = Math.min(
        nearest,
        triangleDistanceSq(positions, triangles[t], triangles[t + 1], triangles[t + 2], x, y, z),
      );
    }
    const away = Math.sqrt(nearest);
    return tree.at(x, y, z) > 0.5 ? -away : away;
  };
}

/** Squared distance from a point to a triangle: inside its prism to the plane, else to the nearest side. */
export function triangleDistanceSq(
  p: ArrayLike<number>,
  i: number,
  j: number,
  k: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = p[3 * i] - x;
  const ay = p[3 * i + 1] - y;
  const az = p[3 * i + 2] - z;
  const bx = p[3 * j] - x;
  const by = p[3 * j + 1] - y;
  const bz = p[3 * j + 2] - z;
  const cx = p[3 * k] - x;
  const cy = p[3 * k + 1] - y;
  const cz = p[3 * k + 2] - z;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  // the point is at the origin: it lies over the triangle when it is on the inner side of all three edges
  const overBc = inner(bx, by, bz, cx, cy, cz, nx, ny, nz);
  const overCa = inner(cx, cy, cz, ax, ay, az, nx, ny, nz);
  const overAb = inner(ax, ay, az, bx, by, bz, nx, ny, nz);
  const normalSq = nx * nx + ny * ny + nz * nz;
  if (overBc && overCa && overAb && normalSq > 0) return square(nx * ax + ny * ay + nz * az) / normalSq;
  return Math.min(sideSq(ax, ay, az, bx, by, bz), sideSq(bx, by, bz, cx, cy, cz), sideSq(cx, cy, cz, ax, ay, az));
}

/** True where the origin is on the inner side of the edge from a to b of a triangle with normal n. */
function inner(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  nx: number,
  ny: number,
  nz: number,
): boolean {
  return nx * (ay * bz - az * by) + ny * (az * bx - ax * bz) + nz * (ax * by - ay * bx) >= 0;
}

/** Squared distance of the origin from the line segment from a to b. */
function sideSq(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const lengthSq = ux * ux + uy * uy + uz * uz;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, -(ax * ux + ay * uy + az * uz) / lengthSq)) : 0;
  return square(ax + t * ux) + square(ay + t * uy) + square(az + t * uz);
}
