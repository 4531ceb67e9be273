/**
 * Where a triangle surface crosses the edges of a grid of sample points: the surface is cut by all grid lines of each
 * axis in turn. A line through an edge of the surface meets exactly one of the two triangles there, so that the crossings
 * of a closed surface always come in pairs. First stage of `sampleSolid`.
 */
import type { TriangleMesh } from '../surface/triangle-mesh.js';

/** A box of sample points, x fastest, then y, z. */
export interface SampleGrid {
  readonly counts: readonly [number, number, number];
  /** Distance between neighbours [m]. */
  readonly spacing: number;
  /** The lowest point [m]. */
  readonly origin: readonly [number, number, number];
}

/** Crossings sorted by grid edge, then by place along it. */
export interface GridCrossings {
  readonly count: number;
  /** Grid edge: 3 * lower point + axis. */
  readonly edges: Float64Array;
  /** Share of the way from the lower point. */
  readonly shares: Float64Array;
  /** 1 where a walk towards the higher point enters the surface, -1 where it leaves. */
  readonly signs: Int8Array;
  readonly triangles: Int32Array;
  /** For each edge that is crossed the index of its first crossing. */
  readonly firstOf: ReadonlyMap<number, number>;
}

/** Finds all crossings. The surface must lie inside the box. */
export function findGridCrossings(grid: SampleGrid, mesh: TriangleMesh): GridCrossings {
  const edges: number[] = [];
  const shares: number[] = [];
  const signs: number[] = [];
  const triangles: number[] = [];
  const { counts, spacing, origin } = grid;
  const steps = [1, counts[0], counts[0] * counts[1]];
  const { positions: p, triangles: corners } = mesh;
  for (let axis = 0; axis < 3; axis++) {
    const b = (axis + 1) % 3;
    const c = (axis + 2) % 3;
    for (let t = 0; t < corners.length; t += 3) {
      const i0 = corners[t];
      const i1 = corners[t + 1];
      const i2 = corners[t + 2];
      const b0 = p[3 * i0 + b];
      const b1 = p[3 * i1 + b];
      const b2 = p[3 * i2 + b];
      const c0 = p[3 * i0 + c];
      const c1 = p[3 * i1 + c];
      const c2 = p[3 * i2 + c];
      const facing = (b1 - b0) * (c2 - c0) - (c1 - c0) * (b2 - b0);
      if (facing === 0) continue;
      const side = facing > 0 ? 1 : -1;
      const lowB = Math.max(0, Math.ceil((Math.min(b0, b1, b2) - origin[b]) / spacing));
      const highB = Math.min(counts[b] - 1, Math.floor((Math.max(b0, b1, b2) - origin[b]) / spacing));
      const lowC = Math.max(0, Math.ceil((Math.min(c0, c1, c2) - origin[c]) / spacing));
      const highC = Math.min(counts[c] - 1, Math.floor((Math.max(c0, c1, c2) - origin[c]) / spacing));
      for (let kb = lowB; kb <= highB; kb++) {
        const y = origin[b] + kb * spacing;
        for (let kc = lowC; kc <= highC; kc++) {
          const z = origin[c] + kc * spacing;
          const e0 = edgeSide(i1, i2, b1, c1, b2, c2, y, z);
          const e1 = edgeSide(i2, i0, b2, c2, b0, c0, y, z);
          const e2 = edgeSide(i0, i1, b0, c0, b1, c1, y, z);
          // zero counts as positive on an edge walked upward and as negative downward: one of two neighbours has it
          if ((e0 > 0 || (e0 === 0 && i1 < i2) ? 1 : -1) !== side) continue;
          if ((e1 > 0 || (e1 === 0 && i2 < i0) ? 1 : -1) !== side) continue;
          if ((e2 > 0 || (e2 === 0 && i0 < i1) ? 1 : -1) !== side) continue;
          const x = (e0 * p[3 * i0 + axis] + e1 * p[3 * i1 + axis] + e2 * p[3 * i2 + axis]) / (e0 + e1 + e2);
          const along = (x - origin[axis]) / spacing;
          const k = Math.min(counts[axis] - 2, Math.max(0, Math.floor(along)));
          edges.push(3 * (k * steps[axis] + kb * steps[b] + kc * steps[c]) + axis);
          shares.push(along - k);
          signs.push(-side);
          triangles.push(t / 3);
        }
      }
    }
  }
  return sortCrossings(edges, shares, signs, triangles);
}

/** Twice the signed area of edge and point; the same bits, up to the sign, whichever way the edge is walked. */
function edgeSide(i: number, j: number, bi: number, ci: number, bj: number, cj: number, y: number, z: number): number {
  if (i < j) return (bj - bi) * (z - ci) - (cj - ci) * (y - bi);
  return -((bi - bj) * (z - cj) - (ci - cj) * (y - bj));
}

function sortCrossings(edges: number[], shares: number[], signs: number[], triangles: number[]): GridCrossings {
  const order = Array.from(edges, (_, i) => i);
  order.sort((i, j) => edges[i] - edges[j] || shares[i] - shares[j] || triangles[i] - triangles[j]);
  const firstOf = new Map<number, number>();
  order.forEach((i, n) => {
    if (!firstOf.has(edges[i])) firstOf.set(edges[i], n);
  });
  return {
    count: order.length,
    edges: Float64Array.from(order, (i) => edges[i]),
    shares: Float64Array.from(order, (i) => shares[i]),
    signs: Int8Array.from(order, (i) => signs[i]),
    triangles: Int32Array.from(order, (i) => triangles[i]),
    firstOf,
  };
}
