/** Small closed surfaces whose volume is known, facing outward. */
import type { TriangleMesh } from '../../../src/mesh/surface/triangle-mesh.js';

type Corner = readonly [number, number, number];

/** A box from `low` to `high`, each side cut into `cuts` x `cuts` squares so that skins have vertices to follow. */
export function boxSurface(low: Corner, high: Corner, cuts = 1): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const end of [0, 1]) {
      const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
      const base = positions.length / 3;
      for (let j = 0; j <= cuts; j++) {
        for (let i = 0; i <= cuts; i++) {
          const point = [0, 0, 0];
          point[axis] = end === 1 ? high[axis] : low[axis];
          point[b] = low[b] + ((high[b] - low[b]) * i) / cuts;
          point[c] = low[c] + ((high[c] - low[c]) * j) / cuts;
          positions.push(...point);
        }
      }
      for (let j = 0; j < cuts; j++) {
        for (let i = 0; i < cuts; i++) {
          const a = base + i + j * (cuts + 1);
          const quad = [a, a + 1, a + cuts + 2, a, a + cuts + 2, a + cuts + 1];
          if (end === 0) quad.reverse();
          triangles.push(...quad);
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}

/** A ball of `rings` x 2 `rings` quads around `centre`. */
export function ballSurface(centre: Corner, radius: number, rings = 16): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const around = 2 * rings;
  for (let j = 0; j <= rings; j++) {
    const polar = (Math.PI * j) / rings;
    for (let i = 0; i < around; i++) {
      const turn = (2 * Math.PI * i) / around;
      positions.push(
        centre[0] + radius * Math.sin(polar) * Math.cos(turn),
        centre[1] + radius * Math.cos(polar),
        centre[2] + radius * Math.sin(polar) * Math.sin(turn),
      );
    }
  }
  for (let j = 0; j < rings; j++) {
    for (let i = 0; i < around; i++) {
      const [a, b] = [i + j * around, ((i + 1) % around) + j * around];
      const [c, d] = [a + around, b + around];
      if (j > 0) triangles.push(a, b, d);
      if (j < rings - 1) triangles.push(a, d, c);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}

/** Several surfaces as one, not joined. */
export function mergeSurfaces(...parts: readonly TriangleMesh[]): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const part of parts) {
    const base = positions.length / 3;
    positions.push(...part.positions);
    for (const vertex of part.triangles) triangles.push(base + vertex);
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}
