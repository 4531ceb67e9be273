/**
 * A glTF model as a rig: every mesh of the scene in world space as it stands without animation, the joints that move it,
 * and how much of each vertex each joint has. Several skins and meshes become one; meshes that hang on a joint without a
 * skin are owned by that joint.
 */
import { TendonError } from '../errors.js';
import type { GltfModel, GltfNode, GltfPrimitive, GltfSkin } from '../io/gltf-model.js';
import type { SkinSurface } from './character.js';
import { cofactorsMat4, composeMat4, determinantMat4, type Mat4, multiplyMat4 } from './mat4.js';

/** Most influences kept per vertex. */
export const INFLUENCES = 4;

/** A joint of the rig. */
export interface RigJoint {
  readonly name: string;
  /** Node of the model. */
  readonly node: number;
  /** Index of the nearest joint above, -1 for none. */
  readonly parent: number;
}

/** A model in world space. */
export interface Rig {
  readonly joints: readonly RigJoint[];
  /** Global transform of each node of the model as it stands. */
  readonly globals: readonly Mat4[];
  /** x,y,z per vertex. */
  readonly positions: Float64Array;
  readonly normals: Float32Array;
  readonly triangles: Uint32Array;
  readonly surfaces: readonly SkinSurface[];
  /** Four joints per vertex, weights adding up to 1; all weights 0 where nothing moves the vertex. */
  readonly owners: Int32Array;
  readonly weights: Float32Array;
}

/** The local transform of a node as the file has it. */
export function localMat4(node: GltfNode): Mat4 {
  return node.matrix !== undefined
    ? Float64Array.from(node.matrix)
    : composeMat4(node.translation, node.rotation, node.scale);
}

/** Global transforms from local ones. */
export function globalMat4s(model: GltfModel, local: (node: number) => Mat4): Mat4[] {
  const globals: Mat4[] = new Array(model.nodes.length);
  for (const node of model.nodeOrder) {
    const { parent } = model.nodes[node];
    globals[node] = parent < 0 ? local(node) : multiplyMat4(globals[parent], local(node));
  }
  return globals;
}

/** Reads a model as a rig. `E_EMPTY` where it has no triangles. */
export function readRig(model: GltfModel, notes: string[]): Rig {
  const globals = globalMat4s(model, (node) => localMat4(model.nodes[node]));
  const shown = shownNodes(model);
  const joints = listJoints(model, shown, notes);
  const jointOfNode = new Map(joints.map((joint, i) => [joint.node, i]));
  const collector = new Collector();
  for (const node of shown) {
    const { mesh, skin } = model.nodes[node];
    if (mesh === undefined) continue;
    const binding = skin === undefined ? undefined : model.skins[skin];
    for (const primitive of model.meshes[mesh].primitives) {
      const name = model.nodes[node].name || model.meshes[mesh].name;
      if (binding !== undefined && primitive.joints !== undefined && primitive.weights !== undefined) {
        collector.addSkinned(name, primitive, binding, globals, jointOfNode, globals[node]);
      } else collector.addRigid(name, primitive, globals[node], jointAbove(model, node, jointOfNode));
    }
  }
  return { joints, globals, ...collector.finish() };
}

/** The nodes of the scene the file shows, or of all scenes, or all nodes, in tree order. */
function shownNodes(model: GltfModel): number[] {
  const scene = model.scenes[model.scene ?? 0];
  if (scene === undefined) return [...model.nodeOrder];
  const shown = new Uint8Array(model.nodes.length);
  for (const node of scene.nodes) shown[node] = 1;
  for (const node of model.nodeOrder) {
    const { parent } = model.nodes[node];
    if (parent >= 0 && shown[parent] === 1) shown[node] = 1;
  }
  const inScene = [...model.nodeOrder].filter((node) => shown[node] === 1);
  return inScene.some((node) => model.nodes[node].mesh !== undefined) ? inScene : [...model.nodeOrder];
}

/** Joints of all skins in use, parents first; without skins, the nodes that carry meshes if there are several. */
function listJoints(model: GltfModel, shown: readonly number[], notes: string[]): RigJoint[] {
  const used = new Set<number>();
  for (const node of shown) {
    const { mesh, skin } = model.nodes[node];
    if (mesh !== undefined && skin !== undefined) for (const joint of model.skins[skin].joints) used.add(joint);
  }
  if (used.size === 0) {
    const carriers = shown.filter((node) => model.nodes[node].mesh !== undefined);
    if (carriers.length > 1) {
      notes.push(`no skin in the file: its ${carriers.length} nodes with meshes were taken as joints`);
      for (const node of carriers) used.add(node);
    }
  }
  const indexOf = new Map<number, number>();
  const names = new Set<string>();
  const joints: RigJoint[] = [];
  for (const node of model.nodeOrder) {
    if (!used.has(node)) continue;
    let name = model.nodes[node].name || `joint ${node}`;
    while (names.has(name)) name = `${name} (${node})`;
    names.add(name);
    indexOf.set(node, joints.length);
    joints.push({ name, node, parent: jointAbove(model, model.nodes[node].parent, indexOf) });
  }
  return joints;
}

/** The joint at a node or the nearest above it, -1 for none. */
function jointAbove(model: GltfModel, node: number, jointOfNode: ReadonlyMap<number, number>): number {
  for (let at = node; at >= 0; at = model.nodes[at].parent) {
    const joint = jointOfNode.get(at);
    if (joint !== undefined) return joint;
  }
  return -1;
}

/** Puts primitives one after the other. */
class Collector {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #triangles: number[] = [];
  readonly #owners: number[] = [];
  readonly #weights: number[] = [];
  readonly #surfaces: SkinSurface[] = [];

  addRigid(name: string, primitive: GltfPrimitive, global: Mat4, joint: number): void {
    const count = primitive.positions.length / 3;
    for (let v = 0; v < count; v++) {
      this.#addVertex(primitive, v, global);
      this.#owners.push(Math.max(0, joint), 0, 0, 0);
      this.#weights.push(joint < 0 ? 0 : 1, 0, 0, 0);
    }
    this.#addSurface(name, primitive, determinantMat4(global) < 0);
  }

  addSkinned(
    name: string,
    primitive: GltfPrimitive,
    skin: GltfSkin,
    globals: readonly Mat4[],
    jointOfNode: ReadonlyMap<number, number>,
    meshGlobal: Mat4,
  ): void {
    const { joints, weights, influenceCount } = primitive as Required<GltfPrimitive>;
    const bindings = Array.from(skin.joints, (node, k) =>
      multiplyMat4(globals[node], skin.inverseBindMatrices.subarray(16 * k, 16 * k + 16)),
    );
    let mirrored = 0;
    const count = primitive.positions.length / 3;
    for (let v = 0; v < count; v++) {
      const all: [number, number][] = [];
      for (let k = 0; k < influenceCount; k++) {
        const weight = weights[v * influenceCount + k];
        if (weight > 0) all.push([joints[v * influenceCount + k], weight]);
      }
      // the sum of all influences places the vertex; the strongest four are kept
      const total = all.reduce((sum, [, weight]) => sum + weight, 0);
      const blended = total > 0 ? new Float64Array(16) : meshGlobal;
      for (const [k, weight] of all) for (let i = 0; i < 16; i++) blended[i] += (weight / total) * bindings[k][i];
      if (determinantMat4(blended) < 0) mirrored++;
      this.#addVertex(primitive, v, blended);
      const strongest = all.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, INFLUENCES);
      const kept = strongest.reduce((sum, [, weight]) => sum + weight, 0);
      for (let k = 0; k < INFLUENCES; k++) {
        this.#owners.push(k < strongest.length ? (jointOfNode.get(skin.joints[strongest[k][0]]) ?? 0) : 0);
        this.#weights.push(k < strongest.length ? strongest[k][1] / kept : 0);
      }
    }
    this.#addSurface(name, primitive, mirrored > count / 2);
  }

  #addVertex({ positions: p, normals }: GltfPrimitive, v: number, m: Mat4): void {
    const [x, y, z] = [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
    for (let k = 0; k < 3; k++) this.#positions.push(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]);
    if (normals === undefined) {
      this.#normals.push(0, 0, 0);
      return;
    }
    const c = cofactorsMat4(m);
    const side = determinantMat4(m) < 0 ? -1 : 1;
    const n = [0, 1, 2].map(
      (k) => side * (c[k] * normals[3 * v] + c[3 + k] * normals[3 * v + 1] + c[6 + k] * normals[3 * v + 2]),
    );
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) || 1;
    this.#normals.push(n[0] / length, n[1] / length, n[2] / length);
  }

  #addSurface(name: string, primitive: GltfPrimitive, mirrored: boolean): void {
    const vertexCount = primitive.positions.length / 3;
    const vertexStart = this.#positions.length / 3 - vertexCount;
    const indexStart = this.#triangles.length;
    const { indices } = primitive;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
      this.#triangles.push(vertexStart + a, vertexStart + (mirrored ? c : b), vertexStart + (mirrored ? b : c));
    }
    const indexCount = this.#triangles.length - indexStart;
    const base = { name, vertexStart, vertexCount, indexStart, indexCount, uvs: primitive.uvs };
    this.#surfaces.push(primitive.material === undefined ? base : { ...base, material: primitive.material });
  }

  finish() {
    if (this.#triangles.length === 0) throw new TendonError('E_EMPTY', 'model/meshes', 0, 'the model has no triangles');
    return {
      positions: Float64Array.from(this.#positions),
      normals: Float32Array.from(this.#normals),
      triangles: Uint32Array.from(this.#triangles),
      surfaces: this.#surfaces,
      owners: Int32Array.from(this.#owners),
      weights: Float32Array.from(this.#weights),
    };
  }
}
