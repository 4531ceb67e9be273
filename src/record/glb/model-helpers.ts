/**
 * Flesh as joints, in the file a character came from: helper joints that move as pieces of the skin did are added to its skeleton, and
 * the skin is bound anew to bones and helpers together, with weights fitted to how it moved. What comes out needs nothing but
 * skinning with four joints per vertex, which every engine has. Clips of the file would no longer fit and are left out.
 */
import { identityMat4, invertMat4, type Mat4, transformPoint } from '../../character/rig/mat4.js';
import { type OpenObject, VERTICES } from '../../io/gltf/gltf-edit.js';
import type { GltfModel, GltfNode } from '../../io/gltf/gltf-model.js';
import { type FittedWeights, fitWeights } from '../fit-weights.js';
import { type Frame, motionsOf } from '../formats/bone-frames.js';
import { fitHelpers } from '../helper-joints.js';
import { AnimationPart } from './gltf-parts.js';
import { ownMesh, prepareNode, trianglesOf } from './model-edit.js';
import { boneMotions, inFile, type ModelMotion, moveNodes, type OpenedModel, restGlobals } from './model-motion.js';
import { listMeshes, type ModelMesh } from './model-offsets.js';

/** The motion that is none. */
const REST: Frame = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** Joints that were fitted: how each moved, the rest shape first, and how the skin hangs on them; bones come first. */
interface FittedSkin {
  readonly frames: readonly (readonly Frame[])[];
  /** Middle of each helper's piece at rest [m]. */
  readonly middles: readonly (readonly number[])[];
  readonly weights: FittedWeights;
}

/** Adds helper joints to an opened file, binds its skin to them and lets all of it move; how far vertices are off [m]. */
export function addHelpers(
  opened: OpenedModel,
  motion: ModelMotion,
  count: number,
): { count: number; error: { max: number; rms: number } } {
  const { edit } = opened;
  const fitted = fitSkin(motion, count);
  const { model, joints, helpers } = addNodes(opened, motion, fitted.middles);
  const grown: OpenedModel = { ...opened, model };
  const motions = fitted.frames.map((states) => states.slice(1).map((frame) => inFile(opened, frame)));
  const jointOf = new Map([
    ...opened.boneOfNode,
    ...helpers.map((node, i) => [node, motion.bones.length + i] as const),
  ]);
  const { tracks } = moveNodes(model, motion.times.length, (node) => motions[jointOf.get(node) ?? -1]);
  edit.json.animations = [];
  const animation = new AnimationPart(edit, motion.times, true);
  for (const [node, { turns, places }] of tracks) {
    prepareNode(grown, node);
    animation.turn(node, turns);
    animation.shift(node, places);
  }
  const rest = restGlobals(model);
  const inverses = Float32Array.from(joints.flatMap((node) => [...(invertMat4(rest[node]) ?? identityMat4())]));
  const inverseBindMatrices = edit.addAccessor(inverses, 'MAT4');
  const skin = edit.add('skins', { name: 'bones and helpers', joints: [...joints], inverseBindMatrices });
  const used = new Set<number>();
  for (const mesh of listMeshes(opened)) bindMesh(opened, motion, mesh, fitted.weights, skin, used);
  dropUnusedSkins(opened);
  animation.finish('simulation');
  if (edit.list('animations').length === 0) delete edit.json.animations;
  return { count: helpers.length, error: measure(motion, fitted) };
}

function fitSkin(motion: ModelMotion, count: number): FittedSkin {
  const rest = motion.character.skin.positions;
  const states = [rest, ...motion.positions];
  const bones = boneMotions(motion).map((frames) => [REST, ...frames]);
  const poses = fitHelpers(states, bones, count);
  const frames = [...bones, ...poses.map((pose) => motionsOf(pose))];
  const middles = poses.map((pose) => Array.from(pose.subarray(4, 7)));
  return { frames, middles, weights: fitWeights(rest, states, frames) };
}

/** Nodes for the helpers, beside the skeleton: below a node that stands still above it, or one that is put there. */
function addNodes(opened: OpenedModel, { character }: ModelMotion, middles: readonly (readonly number[])[]) {
  const { edit, model, rig, back, boneOfNode } = opened;
  const nodeOf = new Map(rig.joints.map(({ name, node }) => [name, node]));
  const bones = character.skeleton.map(({ sources }) => nodeOf.get(sources[0])!);
  const lines = bones.map((node) => ancestorsOf(model, node));
  const roots = [...new Set(lines.map((line) => line[line.length - 1]))];
  const nodes: GltfNode[] = [...model.nodes];
  const order = [...model.nodeOrder];
  // the lowest node above all bones that is no joint itself: programs take it for the armature
  const isJoint = new Set([...boneOfNode.keys(), ...model.skins.flatMap(({ joints }) => [...joints])]);
  const above = lines[0]?.find((node) => !isJoint.has(node) && lines.every((line) => line.includes(node)));
  let parent = above ?? -1;
  if (above === undefined) {
    parent = edit.add('nodes', { name: 'skeleton', children: [...roots] });
    nodes.push(plainNode('skeleton', -1, [0, 0, 0]));
    for (const root of roots) nodes[root] = { ...nodes[root], parent };
    order.unshift(parent);
    for (const scene of edit.list('scenes')) {
      const shown = scene.nodes as number[] | undefined;
      if (shown?.some((node) => roots.includes(node)) || roots.length === 0) {
        scene.nodes = [parent, ...(shown ?? []).filter((node) => !roots.includes(node))];
      }
    }
  }
  const inverse = invertMat4(restGlobals({ ...model, nodes, nodeOrder: Uint32Array.from(order) })[parent]);
  const children = (edit.list('nodes')[parent].children ?? []) as number[];
  const helpers = middles.map((middle, i) => {
    const place = transformPoint(inverse ?? identityMat4(), transformPoint(back, middle, 0), 0);
    const name = `helper ${i + 1}`;
    const node = edit.add('nodes', { name, translation: [...place] });
    nodes.push(plainNode(name, parent, place));
    order.push(node);
    children.push(node);
    return node;
  });
  if (children.length > 0) edit.list('nodes')[parent].children = children;
  const grown: GltfModel = { ...model, nodes, nodeOrder: Uint32Array.from(order) };
  return { model: grown, joints: [...bones, ...helpers], helpers };
}

/** Binds a mesh, put where the skin is at rest, to the new joints. */
function bindMesh(
  opened: OpenedModel,
  { character }: ModelMotion,
  { node, parts }: ModelMesh,
  { bones, weights }: FittedWeights,
  skin: number,
  used: Set<number>,
): void {
  const { edit, rig, back } = opened;
  const mesh = ownMesh(opened, node, used);
  const primitives = trianglesOf(mesh);
  const vertices = { target: VERTICES };
  for (const { primitive, vertexStart: v, vertexCount: n } of parts) {
    const attributes = primitives[primitive].attributes as OpenObject;
    for (const name of Object.keys(attributes)) if (/^(TANGENT|JOINTS_|WEIGHTS_)/.test(name)) delete attributes[name];
    const owners = bones.slice(4 * v, 4 * (v + n));
    attributes.POSITION = edit.addAccessor(Float32Array.from(rig.positions.subarray(3 * v, 3 * (v + n))), 'VEC3', {
      ...vertices,
      bounds: true,
    });
    attributes.NORMAL = edit.addAccessor(
      turned(back, character.skin.normals.subarray(3 * v, 3 * (v + n))),
      'VEC3',
      vertices,
    );
    attributes.JOINTS_0 = edit.addAccessor(
      owners.every((b) => b < 256) ? Uint8Array.from(owners) : owners,
      'VEC4',
      vertices,
    );
    attributes.WEIGHTS_0 = edit.addAccessor(weights.slice(4 * v, 4 * (v + n)), 'VEC4', vertices);
    delete primitives[primitive].targets;
  }
  delete mesh.weights;
  const object = edit.list('nodes')[node];
  delete object.weights;
  if (object.skin !== undefined) object.skin = skin;
  else {
    // what hung on a joint is now moved by several: the node stays for what else hangs on it
    const own = edit.add('nodes', { name: `${object.name ?? 'mesh'} skin`, mesh: object.mesh!, skin });
    delete object.mesh;
    const scene = edit.list('scenes')[(edit.json.scene as number | undefined) ?? 0];
    scene.nodes = [...((scene.nodes as number[] | undefined) ?? []), own];
  }
}

/** Skins that nothing wears any more would tell programs of another rest pose of the same joints. */
function dropUnusedSkins({ edit }: OpenedModel): void {
  const nodes = edit.list('nodes').filter(({ skin }) => skin !== undefined);
  const kept = [...new Set(nodes.map(({ skin }) => skin as number))].sort((a, b) => a - b);
  const skins = edit.list('skins');
  edit.json.skins = kept.map((skin) => skins[skin]);
  for (const node of nodes) node.skin = kept.indexOf(node.skin as number);
}

/** Unit normals in the file's space. */
function turned(back: Mat4, normals: Float32Array): Float32Array {
  const out = new Float32Array(normals.length);
  for (let i = 0; i < out.length; i += 3) {
    const n = [0, 1, 2].map((k) => back[k] * normals[i] + back[4 + k] * normals[i + 1] + back[8 + k] * normals[i + 2]);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    out.set(length > 0 ? n.map((x) => x / length) : [0, 1, 0], i);
  }
  return out;
}

/** How far vertices are from where they were, over all states [m]. */
function measure({ character, positions }: ModelMotion, { frames, weights: { bones, weights } }: FittedSkin) {
  const rest = character.skin.positions;
  let max = 0;
  let sum = 0;
  positions.forEach((state, n) => {
    for (let v = 0; v < rest.length / 3; v++) {
      let square = 0;
      for (let i = 0; i < 3; i++) {
        let off = -state[3 * v + i];
        for (let k = 4 * v; k < 4 * v + 4; k++) {
          if (weights[k] === 0) continue;
          const m = frames[bones[k]][n + 1];
          const o = 4 * i;
          off += weights[k] * (m[o] * rest[3 * v] + m[o + 1] * rest[3 * v + 1] + m[o + 2] * rest[3 * v + 2] + m[o + 3]);
        }
        square += off * off;
      }
      max = Math.max(max, square);
      sum += square;
    }
  });
  return { max: Math.sqrt(max), rms: Math.sqrt((3 * sum) / Math.max(1, rest.length * positions.length)) };
}

/** A node and those above it, lowest first. */
function ancestorsOf({ nodes }: GltfModel, node: number): number[] {
  const line: number[] = [];
  for (let at = node; at >= 0; at = nodes[at].parent) line.push(at);
  return line;
}

function plainNode(name: string, parent: number, place: readonly number[]): GltfNode {
  return {
    name,
    parent,
    children: new Uint32Array(0),
    translation: Float64Array.from(place),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
  };
}
