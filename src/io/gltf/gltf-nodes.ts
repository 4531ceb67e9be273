/** Nodes, scenes and skins of a glTF. Part of `readGltf`. */
import { MathUtils, type mat4, type vec3, type vec4 } from '@gltf-transform/core';
import {
  failAt,
  type JsonPlace,
  listIndices,
  listObjects,
  optionalIndex,
  optionalNumbers,
  textOf,
} from '../text/json-fields.js';
import type { GltfContext, Numbers } from './gltf-meshes.js';
import type { GltfNode, GltfScene, GltfSkin } from './gltf-model.js';

/** A rotation this far from unit length [1] is put right; closer ones are kept to the bit. */
const UNIT_TOLERANCE = 1e-5;

/** Reads the nodes and who is whose parent; throws where a node has two. */
export function readNodes(root: JsonPlace): GltfNode[] {
  const places = listObjects(root, 'nodes');
  const meshCount = listObjects(root, 'meshes').length;
  const skinCount = listObjects(root, 'skins').length;
  const parents = new Int32Array(places.length).fill(-1);
  const children = places.map((from, node) => {
    const list = listIndices(from, 'children', places.length);
    for (const [i, child] of list.entries()) {
      if (parents[child] >= 0) failAt(`${from.pointer}/children/${i}`, child, 'a node has one parent at most');
      parents[child] = node;
    }
    return list;
  });
  return places.map((from, i) => {
    const mesh = optionalIndex(from, 'mesh', meshCount);
    const skin = optionalIndex(from, 'skin', skinCount);
    return {
      name: textOf(from, 'name'),
      parent: parents[i],
      children: children[i],
      ...readTransform(from),
      ...(mesh !== undefined && { mesh }),
      ...(skin !== undefined && { skin }),
    };
  });
}

/** Every node once, parents first; throws where nodes form a ring. */
export function orderNodes(nodes: readonly GltfNode[]): Uint32Array {
  const order = new Uint32Array(nodes.length);
  let count = 0;
  for (let i = 0; i < nodes.length; i++) if (nodes[i].parent < 0) order[count++] = i;
  for (let i = 0; i < count; i++) for (const child of nodes[order[i]].children) order[count++] = child;
  if (count < nodes.length) {
    const reached = new Set(order.subarray(0, count));
    const lost = nodes.findIndex((_, i) => !reached.has(i));
    failAt(`/nodes/${lost}`, lost, 'nodes must not be their own ancestors');
  }
  return order;
}

/** Reads the lists of root nodes. */
export function readScenes(root: JsonPlace, nodeCount: number): GltfScene[] {
  return listObjects(root, 'scenes').map((from) => ({
    name: textOf(from, 'name'),
    nodes: listIndices(from, 'nodes', nodeCount),
  }));
}

/** Checks every skin; the function returned makes them from the decoded numbers. */
export function readSkins(
  { root, accessors, limits }: GltfContext,
  nodeCount: number,
): (numbers: Numbers) => GltfSkin[] {
  const plans = listObjects(root, 'skins').map((from) => {
    const joints = listIndices(from, 'joints', nodeCount);
    const pointer = `${from.pointer}/inverseBindMatrices`;
    if (joints.length === 0) failAt(`${from.pointer}/joints`, 0, 'a skin needs joints', 'E_EMPTY');
    const seen = new Set<number>();
    for (const [i, joint] of joints.entries()) {
      if (seen.has(joint)) failAt(`${from.pointer}/joints/${i}`, joint, 'a joint is listed twice', 'E_DUPLICATE');
      seen.add(joint);
    }
    const bind = from.object.inverseBindMatrices;
    const matrices =
      bind === undefined ? undefined : accessors.use(bind, pointer, { type: 'MAT4', maxCount: limits.maxVertices });
    if (matrices !== undefined && matrices.count < joints.length) {
      failAt(pointer, matrices.count, `there are ${joints.length} joints`);
    }
    return {
      name: textOf(from, 'name'),
      joints,
      matrices,
      pointer,
      skeleton: optionalIndex(from, 'skeleton', nodeCount),
    };
  });
  return (numbers) =>
    plans.map(({ name, joints, matrices, pointer, skeleton }) => {
      const inverseBindMatrices = new Float32Array(16 * joints.length);
      if (matrices) inverseBindMatrices.set(numbers[matrices.slot].subarray(0, 16 * joints.length));
      else for (let i = 0; i < inverseBindMatrices.length; i++) inverseBindMatrices[i] = (i % 16) % 5 === 0 ? 1 : 0;
      const bad = inverseBindMatrices.findIndex((value) => !Number.isFinite(value));
      if (bad >= 0) failAt(`${pointer}/${bad}`, inverseBindMatrices[bad], 'must be finite', 'E_NOT_FINITE');
      return { name, joints, inverseBindMatrices, ...(skeleton !== undefined && { skeleton }) };
    });
}

function readTransform(from: JsonPlace): Pick<GltfNode, 'translation' | 'rotation' | 'scale' | 'matrix'> {
  const matrix = optionalNumbers(from, 'matrix', 16);
  if (matrix !== undefined) {
    const t: vec3 = [0, 0, 0];
    const r: vec4 = [0, 0, 0, 1];
    const s: vec3 = [1, 1, 1];
    MathUtils.decompose(Array.from(matrix) as mat4, t, r, s);
    const isFlat = ![...t, ...r, ...s].every(Number.isFinite);
    return {
      translation: matrix.slice(12, 15),
      // A matrix without volume has no rotation to be taken from it.
      rotation: isFlat ? Float64Array.of(0, 0, 0, 1) : unitRotation(Float64Array.from(r), `${from.pointer}/matrix`),
      scale: isFlat ? Float64Array.of(1, 1, 1) : Float64Array.from(s),
      matrix,
    };
  }
  return {
    translation: optionalNumbers(from, 'translation', 3) ?? new Float64Array(3),
    rotation: unitRotation(
      optionalNumbers(from, 'rotation', 4) ?? Float64Array.of(0, 0, 0, 1),
      `${from.pointer}/rotation`,
    ),
    scale: optionalNumbers(from, 'scale', 3) ?? Float64Array.of(1, 1, 1),
  };
}

function unitRotation(q: Float64Array, pointer: string): Float64Array {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > UNIT_TOLERANCE && length < 1 / UNIT_TOLERANCE)) {
    failAt(pointer, length, 'a rotation must be a unit quaternion', 'E_RANGE');
  }
  return Math.abs(length - 1) < UNIT_TOLERANCE ? q : q.map((value) => value / length);
}
