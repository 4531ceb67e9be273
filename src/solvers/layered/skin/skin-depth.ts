/**
 * How deep the soft layer is under each node of a skin, found from the skin alone: a quarter of the way through the body along
 * the inward normal, which is half of what lies between the skin and the middle. Called when a model is built.
 */
import { normaliseVec3 } from '../../../math/vec3.js';
import { RayTree } from '../../../mesh/surface/ray-tree.js';
import { writeEdgeCross } from '../../../mesh/surface/triangle-algebra.js';
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
  const normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    writeEdgeCross(p, triangles[t], triangles[t + 1], triangles[t + 2], normal);
    for (let k = 0; k < 3; k++) {
      const at = 3 * triangles[t + k];
      for (let axis = 0; axis < 3; axis++) normals[at + axis] += normal[axis];
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
