/**
 * What the skeleton of a file leaves of a recorded motion: how each vertex of a mesh must be moved in the mesh's own space so that the
 * file's own weights and joints then take it to where it was. Used by the writers of `.glb` files.
 */

import { type Mat4, multiplyMat4 } from '../../character/rig/mat4.js';
import { SkinUpdater } from '../../character/skin-updater.js';
import type { GltfPrimitive } from '../../io/gltf/gltf-model.js';
import { invertMat3 } from '../../math/mat3-inverse.js';
import { type ModelMotion, type OpenedModel, restGlobals } from './model-motion.js';

/** A mesh of the file that is part of the skin: its node, and where its primitives' vertices are in the skin. */
export interface ModelMesh {
  readonly node: number;
  readonly parts: readonly { readonly primitive: number; readonly vertexStart: number; readonly vertexCount: number }[];
  readonly vertexCount: number;
}

/** Places and normals of one mesh, x,y,z per vertex, one array per state. */
export interface MeshOffsets {
  readonly offsets: readonly Float32Array[];
  readonly normalOffsets: readonly Float32Array[];
  /** What one unit of the mesh's space is long [m]. */
  readonly unit: number;
}

/** The meshes of a skin, one per node. */
export function listMeshes({ rig }: OpenedModel): ModelMesh[] {
  const nodes = [...new Set(rig.parts.map(({ node }) => node))];
  return nodes.map((node) => {
    const parts = rig.parts.flatMap((part, i) => {
      if (part.node !== node) return [];
      const { vertexStart, vertexCount } = rig.surfaces[i];
      return [{ primitive: part.primitive, vertexStart, vertexCount }];
    });
    return { node, parts, vertexCount: parts.reduce((sum, { vertexCount }) => sum + vertexCount, 0) };
  });
}

/** Normals of a skin at rest and in every state, as its shape has them. */
export function skinNormals({ character, positions }: ModelMotion): Float32Array[] {
  const updater = new SkinUpdater(character);
  return [character.skin.positions, ...positions].map((state) => {
    updater.place(state);
    return updater.normals.slice();
  });
}

/** How the vertices of a mesh must be moved; `globals`: transforms of all nodes, by state. */
export function meshOffsets(
  opened: OpenedModel,
  mesh: ModelMesh,
  positions: readonly Float32Array[],
  normals: readonly Float32Array[],
  globals: readonly (readonly Mat4[])[],
): MeshOffsets {
  const offsets = positions.map(() => new Float32Array(3 * mesh.vertexCount));
  const normalOffsets = positions.map(() => new Float32Array(3 * mesh.vertexCount));
  const rest = new Float32Array(3 * mesh.vertexCount);
  const still = bindingsOf(opened, mesh.node, restGlobals(opened.model));
  const unit = lengthOf(multiplyMat4(opened.units, still[0]));
  takeBack(opened, mesh, still, undefined, normals[0], undefined, rest);
  positions.forEach((state, n) => {
    const bindings = bindingsOf(opened, mesh.node, globals[n]);
    takeBack(opened, mesh, bindings, state, normals[n + 1], offsets[n], normalOffsets[n]);
    for (let i = 0; i < rest.length; i++) normalOffsets[n][i] -= rest[i];
  });
  return { offsets, normalOffsets, unit: unit > 0 ? unit : 1 };
}

/** Transforms of a mesh's space by each joint of its skin, or by its node where it has none. */
function bindingsOf({ model }: OpenedModel, node: number, globals: readonly Mat4[]): Mat4[] {
  const { skin } = model.nodes[node];
  if (skin === undefined) return [globals[node]];
  const { joints, inverseBindMatrices } = model.skins[skin];
  return Array.from(joints, (joint, k) =>
    multiplyMat4(globals[joint], inverseBindMatrices.subarray(16 * k, 16 * k + 16)),
  );
}

/** Takes places and normals back into the mesh's space; places less where the mesh has them. */
function takeBack(
  opened: OpenedModel,
  { node, parts }: ModelMesh,
  bindings: readonly Mat4[],
  state: Float32Array | undefined,
  normals: Float32Array,
  offsets: Float32Array | undefined,
  facing: Float32Array,
): void {
  const { model, back } = opened;
  const { mesh, skin } = model.nodes[node];
  const blended = new Float64Array(16);
  const linear = new Float64Array(9);
  const inverse = new Float64Array(9);
  let at = 0;
  for (const { primitive, vertexStart, vertexCount } of parts) {
    const part = model.meshes[mesh!].primitives[primitive];
    for (let v = 0; v < vertexCount; v++, at += 3) {
      blend(part, v, bindings, skin !== undefined, blended);
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) linear[3 * i + j] = blended[4 * j + i];
      const o = 3 * (vertexStart + v);
      if (offsets !== undefined && state !== undefined && invertMat3(inverse, 0, linear, 0)) {
        const away = moveBy(back, state, o, 1);
        for (let k = 0; k < 3; k++) away[k] -= blended[12 + k];
        for (let i = 0; i < 3; i++) {
          const place = inverse[3 * i] * away[0] + inverse[3 * i + 1] * away[1] + inverse[3 * i + 2] * away[2];
          offsets[at + i] = place - part.positions[3 * v + i];
        }
      }
      // normals go by the inverse transposed, so back by the transposed
      const n = moveBy(back, normals, o, 0);
      const turned = [0, 1, 2].map((i) => linear[i] * n[0] + linear[3 + i] * n[1] + linear[6 + i] * n[2]);
      const length = Math.sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]) || 1;
      for (let k = 0; k < 3; k++) facing[at + k] = turned[k] / length;
    }
  }
}

function blend(part: GltfPrimitive, v: number, bindings: readonly Mat4[], skinned: boolean, out: Float64Array): void {
  const { joints, weights, influenceCount } = part;
  if (!skinned || joints === undefined || weights === undefined) {
    out.set(bindings[0]);
    return;
  }
  out.fill(0);
  for (let k = v * influenceCount; k < (v + 1) * influenceCount; k++) {
    if (weights[k] === 0) continue;
    const matrix = bindings[joints[k]];
    for (let i = 0; i < 16; i++) out[i] += weights[k] * matrix[i];
  }
}

/** A point (`w` 1) or a direction (0) moved by a transform. */
function moveBy(m: Mat4, p: ArrayLike<number>, o: number, w: number): [number, number, number] {
  const at = (k: number): number => m[k] * p[o] + m[4 + k] * p[o + 1] + m[8 + k] * p[o + 2] + w * m[12 + k];
  return [at(0), at(1), at(2)];
}

/** What a transform makes of a unit, in the mean over directions. */
function lengthOf(m: Mat4): number {
  let sum = 0;
  for (let column = 0; column < 12; column += 4) {
    for (let k = 0; k < 3; k++) sum += m[column + k] * m[column + k];
  }
  return Math.sqrt(sum / 3);
}
