/**
 * How well shaped a tetrahedral mesh is: volumes, dihedral angles and edge lengths, and a summary of them for people
 * (the `inspect` command) and tests.
 */

import { square } from '../../math/powers.js';
import { atan2 } from '../../math/trig.js';
import { type TetMesh, tetVolume } from './tet-mesh.js';

/** Smallest, largest and mean of something. */
export interface Spread {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** What is worth knowing about a mesh at a glance. */
export interface MeshSummary {
  readonly vertexCount: number;
  readonly tetCount: number;
  /** Number of distinct edges. */
  readonly edgeCount: number;
  /** Sum of the signed volumes [m^3]. */
  readonly totalVolume: number;
  /** Tetrahedra of zero or negative volume. */
  readonly invertedCount: number;
  /** Signed volume of a tetrahedron [m^3]. */
  readonly volume: Spread;
  /** Dihedral angle [rad]. */
  readonly dihedral: Spread;
  /** Edge length [m]. */
  readonly edgeLength: Spread;
}

// Edges of a tetrahedron, then the two other corners of each.
const EDGES = [0, 1, 2, 3, 0, 2, 3, 1, 0, 3, 1, 2, 1, 2, 0, 3, 1, 3, 2, 0, 2, 3, 0, 1];

/** Signed volume of every tetrahedron [m^3]. */
export function tetVolumes(mesh: TetMesh): Float64Array {
  return Float64Array.from({ length: mesh.tets.length / 4 }, (_, tet) => tetVolume(mesh, tet));
}

/** The dihedral angles, six per tetrahedron, along edges 01 02 03 12 13 23 [rad]; the sign of the volume is ignored. */
export function dihedralAngles(mesh: TetMesh): Float64Array {
  const { positions: p, tets } = mesh;
  const angles = new Float64Array((6 * tets.length) / 4);
  for (let tet = 0; tet < tets.length / 4; tet++) {
    for (let edge = 0; edge < 6; edge++) {
      const [a, b, c, d] = [0, 1, 2, 3].map((i) => 3 * tets[4 * tet + EDGES[4 * edge + i]]);
      angles[6 * tet + edge] = dihedralAngle(p, a, b, c, d);
    }
  }
  return angles;
}

/** The distinct edges, two vertex indices each with the lower first, in the order they are met. */
export function listEdges(mesh: TetMesh): Int32Array {
  const vertexCount = mesh.positions.length / 3;
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let tet = 0; tet < mesh.tets.length; tet += 4) {
    for (let edge = 0; edge < 6; edge++) {
      const i = mesh.tets[tet + EDGES[4 * edge]];
      const j = mesh.tets[tet + EDGES[4 * edge + 1]];
      const key = Math.min(i, j) * vertexCount + Math.max(i, j);
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(Math.min(i, j), Math.max(i, j));
    }
  }
  return Int32Array.from(edges);
}

/** Length of each of the given edges, in the same order [m]. */
export function edgeLengths(mesh: TetMesh, edges: Int32Array): Float64Array {
  const p = mesh.positions;
  return Float64Array.from({ length: edges.length / 2 }, (_, edge) => {
    const a = 3 * edges[2 * edge];
    const b = 3 * edges[2 * edge + 1];
    return Math.sqrt(square(p[b] - p[a]) + square(p[b + 1] - p[a + 1]) + square(p[b + 2] - p[a + 2]));
  });
}

/** Everything above in a few numbers. The mesh must have passed `checkTetMesh`. */
export function summarizeMesh(mesh: TetMesh): MeshSummary {
  const volumes = tetVolumes(mesh);
  const edges = listEdges(mesh);
  return {
    vertexCount: mesh.positions.length / 3,
    tetCount: mesh.tets.length / 4,
    edgeCount: edges.length / 2,
    totalVolume: volumes.reduce((sum, volume) => sum + volume, 0),
    invertedCount: volumes.reduce((count, volume) => count + (volume > 0 ? 0 : 1), 0),
    volume: spreadOf(volumes),
    dihedral: spreadOf(dihedralAngles(mesh)),
    edgeLength: spreadOf(edgeLengths(mesh, edges)),
  };
}

/** Angle between the half planes through edge ab that hold c and d; arguments are offsets into `p`. */
function dihedralAngle(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const ex = p[b] - p[a];
  const ey = p[b + 1] - p[a + 1];
  const ez = p[b + 2] - p[a + 2];
  const ux = p[c] - p[a];
  const uy = p[c + 1] - p[a + 1];
  const uz = p[c + 2] - p[a + 2];
  const vx = p[d] - p[a];
  const vy = p[d + 1] - p[a + 1];
  const vz = p[d + 2] - p[a + 2];
  const mx = ey * uz - ez * uy;
  const my = ez * ux - ex * uz;
  const mz = ex * uy - ey * ux;
  const nx = ey * vz - ez * vy;
  const ny = ez * vx - ex * vz;
  const nz = ex * vy - ey * vx;
  // atan2 of |m x n| and m.n keeps its digits near 0 and pi, where acos loses half of them. m x n = e (e . (u x v)).
  const triple = ex * (uy * vz - uz * vy) + ey * (uz * vx - ux * vz) + ez * (ux * vy - uy * vx);
  const sine = Math.abs(triple) * Math.sqrt(ex * ex + ey * ey + ez * ez);
  return atan2(sine, mx * nx + my * ny + mz * nz);
}

function spreadOf(values: Float64Array): Spread {
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  return { min, max, mean: sum / values.length };
}
