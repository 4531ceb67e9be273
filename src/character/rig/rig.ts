/**
 * A glTF model as a rig: every mesh of the scene in world space as it stands without animation, the joints that move it,
 * and how much of each vertex each joint has. Several skins and meshes become one; meshes that hang on a joint without a
 * skin are owned by that joint.
 */
import type { GltfModel, GltfNode } from '../../io/gltf/gltf-model.js';
import type { SkinMorph, SkinSurface } from '../character.js';
import { composeMat4, type Mat4, multiplyMat4 } from './mat4.js';
import { RigCollector, type RigPart } from './rig-collector.js';
import { readVrmNames } from './vrm-names.js';

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
  /** Where each surface came from. */
  readonly parts: readonly RigPart[];
  readonly morphs: readonly SkinMorph[];
  /** Vertex groups of each surface, by name. */
  readonly groups: readonly Readonly<Record<string, Float32Array>>[];
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
  const collector = new RigCollector();
  const strays: number[] = [];
  for (const node of shown) {
    const { mesh, skin } = model.nodes[node];
    if (mesh === undefined) continue;
    const binding = skin === undefined ? undefined : model.skins[skin];
    const above = jointAbove(model, node, jointOfNode);
    if (joints.length > 0 && binding === undefined && above < 0) {
      strays.push(node);
      continue;
    }
    const whole = model.meshes[mesh];
    for (const [index, primitive] of whole.primitives.entries()) {
      const part = { node, primitive: index };
      const name = model.nodes[node].name || whole.name;
      if (binding !== undefined && primitive.joints !== undefined && primitive.weights !== undefined) {
        collector.addSkinned(name, part, whole, primitive, binding, globals, jointOfNode, globals[node]);
      } else collector.addRigid(name, part, whole, primitive, globals[node], above);
    }
  }
  addStrays(model, strays, globals, collector, notes);
  return { joints, globals, ...collector.finish() };
}

/** Meshes no joint moves: eyes and teeth some tools leave beside the rig belong to it, the ground it stands on does not. */
function addStrays(
  model: GltfModel,
  strays: readonly number[],
  globals: readonly Mat4[],
  collector: RigCollector,
  notes: string[],
): void {
  const inside = collector.box();
  for (const node of strays) {
    const mesh = model.meshes[model.nodes[node].mesh!];
    const name = model.nodes[node].name || mesh.name;
    if (inside !== undefined && !mesh.primitives.every(({ positions }) => inside(positions, globals[node]))) {
      notes.push(`mesh ${name || node} is moved by no joint and lies outside the skin: left out`);
      continue;
    }
    mesh.primitives.forEach((primitive, index) => {
      collector.addRigid(name, { node, primitive: index }, mesh, primitive, globals[node], -1);
    });
  }
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
  const humanoid = readVrmNames(model, notes);
  const joints: RigJoint[] = [];
  for (const node of model.nodeOrder) {
    if (!used.has(node)) continue;
    let name = humanoid.get(node) ?? (model.nodes[node].name || `joint ${node}`);
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
