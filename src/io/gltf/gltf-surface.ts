/**
 * The surface of a whole glTF as one mesh, in the pose it is shown in: every mesh where its node puts it, skinned ones
 * where their joints put them. For converting and looking; characters are built from the parts instead.
 */

import { regionsOrNone, type SurfaceData } from '../mesh-data.js';
import { weldExact } from '../surfaces/weld-exact.js';
import type { GltfModel, GltfNode, GltfPrimitive } from './gltf-model.js';

/** Column-major 4x4 matrices of all nodes, from node to world. */
export function nodeWorldMatrices(model: Pick<GltfModel, 'nodes' | 'nodeOrder'>): Float64Array[] {
  const worlds: Float64Array[] = new Array(model.nodes.length);
  for (const index of model.nodeOrder) {
    const node = model.nodes[index];
    const local = localMatrix(node);
    worlds[index] = node.parent < 0 ? local : multiply(worlds[node.parent], local);
  }
  return worlds;
}

/** All triangles in world space, equal positions joined; the region of a triangle is the number of its material. */
export function gltfSurface(model: GltfModel): SurfaceData {
  const worlds = nodeWorldMatrices(model);
  const positions: number[] = [];
  const triangles: number[] = [];
  const regions: number[] = [];
  for (const [index, node] of model.nodes.entries()) {
    if (node.mesh === undefined) continue;
    const skin = node.skin === undefined ? undefined : model.skins[node.skin];
    const jointMatrices =
      skin &&
      Array.from(skin.joints, (joint, i) =>
        multiply(worlds[joint], Float64Array.from(skin.inverseBindMatrices.subarray(16 * i, 16 * i + 16))),
      );
    for (const part of model.meshes[node.mesh].primitives) {
      const base = positions.length / 3;
      for (let v = 0; v < part.positions.length / 3; v++) {
        const matrix = jointMatrices && part.joints ? blend(part, v, jointMatrices) : worlds[index];
        pushPoint(matrix, part.positions, 3 * v, positions);
      }
      for (const vertex of part.indices) triangles.push(base + vertex);
      for (let t = 0; t < part.indices.length / 3; t++) regions.push(part.material ?? 0);
    }
  }
  const found = regionsOrNone(regions);
  const surface = { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
  return weldExact({ ...surface, ...(found && { regions: found }) });
}

function localMatrix(node: GltfNode): Float64Array {
  if (node.matrix) return node.matrix;
  const [x, y, z, w] = node.rotation;
  const [sx, sy, sz] = node.scale;
  const [tx, ty, tz] = node.translation;
  return Float64Array.of(
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  );
}

function multiply(a: Float64Array, b: Float64Array): Float64Array {
  const c = new Float64Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      c[4 * column + row] = sum;
    }
  }
  return c;
}

/** Sum of the joints' matrices by weight; weights need not sum to 1 in the file. */
function blend(part: GltfPrimitive, vertex: number, matrices: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(16);
  let total = 0;
  for (let i = vertex * part.influenceCount; i < (vertex + 1) * part.influenceCount; i++) {
    const weight = part.weights![i];
    if (weight === 0) continue;
    const matrix = matrices[part.joints![i]];
    for (let k = 0; k < 16; k++) sum[k] += weight * matrix[k];
    total += weight;
  }
  if (total === 0) return matrices[0];
  for (let k = 0; k < 16; k++) sum[k] /= total;
  return sum;
}

function pushPoint(m: Float64Array, p: Float32Array, at: number, out: number[]): void {
  for (let row = 0; row < 3; row++)
    out.push(m[row] * p[at] + m[4 + row] * p[at + 1] + m[8 + row] * p[at + 2] + m[12 + row]);
}
