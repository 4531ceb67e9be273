/**
 * How deep the soft layer is under each node of a skin, found from the skin alone: a quarter of the way through the body along
 * the inward normal, which is half of what lies between the skin and the middle. Called when a model is built.
 */
import { normaliseVec3 } from '../../../math/vec3.js';
import { RayTree } from '../../../mesh/surface/ray-tree.js';
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';
import { largestExtent } from '../../../mesh/tets/tet-mesh.js';

/** Share of the way through the body that is soft. */
const SOFT_SHARE = 0.25;
/** Depths lie within these shares of the body's size: clothes over skin shorten rays, open surfaces have no end. */
const SHALLOWEST = 0.004;
const DEEPEST = 0.06;
/** Rounds in which a depth that sticks out is taken down to the mean of its neighbours. */
const SMOOTHING_ROUNDS = 3;
/** Rays start this share of the size below the skin. */
const SKIP = 1e-6;

/** Outward unit normals of a surface's nodes, weighted by area; zero where there are no triangles. */
export function nodeNormals({ positions: p, triangles }: TriangleMesh): Float64Array {
  const normals = new Float64Array(p.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const i = 3 * triangles[t];
    const j = 3 * triangles[t + 1];
    const k = 3 * triangles[t + 2];
    const ux = p[j] - p[i];
    const uy = p[j + 1] - p[i + 1];
    const uz = p[j + 2] - p[i + 2];
    const vx = p[k] - p[i];
    const vy = p[k + 1] - p[i + 1];
    const vz = p[k + 2] - p[i + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (const at of [i, j, k]) {
      normals[at] += nx;
      normals[at + 1] += ny;
      normals[at + 2] += nz;
    }
  }
  for (let i = 0; i < normals.length; i += 3) normaliseVec3(normals, i, normals, i);
  return normals;
}

/** Depth of the soft layer at each node [m]. */
export function skinDepths(mesh: TriangleMesh, normals: Float64Array): Float64Array {
  const { positions, triangles } = mesh;
  const size = largestExtent(positions);
  const tree = new RayTree(mesh);
  const inward = new Float64Array(3);
  const depths = new Float64Array(positions.length / 3);
  for (let i = 0; i < depths.length; i++) {
    for (let k = 0; k < 3; k++) inward[k] = -normals[3 * i + k];
    const through = tree.leavesAfter(positions, 3 * i, inward, SKIP * size);
    depths[i] = Math.min(DEEPEST * size, Math.max(SHALLOWEST * size, SOFT_SHARE * through));
  }
  for (let round = 0; round < SMOOTHING_ROUNDS; round++) smoothDown(depths, triangles);
  return depths;
}

/** Each depth becomes at most the mean of its neighbours'. */
function smoothDown(depths: Float64Array, triangles: Int32Array): void {
  const sums = new Float64Array(depths.length);
  const counts = new Float64Array(depths.length);
  for (let t = 0; t < triangles.length; t++) {
    const next = triangles[t % 3 === 2 ? t - 2 : t + 1];
    sums[triangles[t]] += depths[next];
    counts[triangles[t]]++;
    sums[next] += depths[triangles[t]];
    counts[next]++;
  }
  for (let i = 0; i < depths.length; i++) {
    if (counts[i] > 0) depths[i] = Math.min(depths[i], sums[i] / counts[i]);
  }
}
