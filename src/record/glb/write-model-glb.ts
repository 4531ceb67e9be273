/**
 * Writes a recorded motion into the file its character came from: the file's own nodes move as the bones did, and what its own weights
 * leave of the flesh's motion is mixed from morph targets. Meshes, materials, pictures, hierarchy and clips stay what they were;
 * the simulation becomes the first animation. `helpers` turns the flesh into joints instead (src/record/glb/model-helpers.ts).
 */
import type { OpenObject } from '../../io/gltf/gltf-edit.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import { fitCorrectives } from '../correctives.js';
import { fitShapes } from '../shapes.js';
import { type MorphTargets, splitWeights } from '../unit-weights.js';
import { AnimationPart, addTargets } from './gltf-parts.js';
import { ownMesh, prepareNode, trianglesOf } from './model-edit.js';
import { addHelpers } from './model-helpers.js';
import { boneMotions, inFile, type ModelMotion, moveNodes, type OpenedModel, openModel } from './model-motion.js';
import { listMeshes, type ModelMesh, meshOffsets, skinNormals } from './model-offsets.js';

/** How a bake is written. */
export interface ModelBakeOptions {
  /** Vertices may be off by this part of the skin's size; default 5e-4. */
  readonly tolerance?: number;
  /** Flesh as this many helper joints instead of morph targets. */
  readonly helpers?: number;
  /** At most this many shapes, whose weights follow from the pose of the bones alone. */
  readonly correctives?: number;
  /** Name of the animation; default 'simulation'. */
  readonly clip?: string;
}

/** A file, and how true it is. */
export interface ModelBake {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Morph targets of the mesh that has most, and helper joints. */
  readonly targets: number;
  readonly helpers: number;
  /** How far the farthest vertex of any state is off, and the root of the mean square [m]. */
  readonly error: { readonly max: number; readonly rms: number };
}

const DEFAULT_TOLERANCE = 5e-4;
/** More shapes than this no program mixes with pleasure. */
const MOST_SHAPES = 160;

/** Writes the file. */
export async function writeModelGlb(motion: ModelMotion, options: ModelBakeOptions = {}): Promise<ModelBake> {
  const opened = await openModel(motion.character);
  if (options.helpers !== undefined) {
    const { error, count } = addHelpers(opened, motion, options.helpers);
    return { bytes: opened.edit.pack() as Uint8Array<ArrayBuffer>, targets: 0, helpers: count, error };
  }
  const { edit, model, boneOfNode } = opened;
  const motions = boneMotions(motion).map((states) => states.map((frame) => inFile(opened, frame)));
  const { globals, tracks } = moveNodes(model, motion.times.length, (node) => motions[boneOfNode.get(node) ?? -1]);
  const animation = new AnimationPart(edit, motion.times, true);
  for (const [node, { turns, places }] of tracks) {
    prepareNode(opened, node);
    animation.turn(node, turns);
    animation.shift(node, places);
  }
  const normals = skinNormals(motion);
  const allowed = (options.tolerance ?? DEFAULT_TOLERANCE) * largestExtent(motion.character.skin.positions);
  const errors: { max: number; rms: number; count: number }[] = [];
  let most = 0;
  const used = new Set<number>();
  for (const mesh of listMeshes(opened)) {
    const { offsets, normalOffsets, unit } = meshOffsets(opened, mesh, motion.positions, normals, globals);
    const { morph, error, drivers } = options.correctives
      ? driveTargets(offsets, normalOffsets, options.correctives, motion)
      : { ...fitTargets(offsets, normalOffsets, (0.8 * allowed) / unit), drivers: undefined };
    errors.push({ max: error.max * unit, rms: error.rms * unit, count: mesh.vertexCount });
    most = Math.max(most, morph.targets.length);
    if (morph.targets.length === 0) continue;
    const weights = addMorph(opened, mesh, morph, allowed / unit, used, drivers);
    animation.weigh(mesh.node, weights);
  }
  animation.finish(options.clip ?? 'simulation');
  if (edit.list('animations').length === 0) delete edit.json.animations;
  return { bytes: edit.pack() as Uint8Array<ArrayBuffer>, targets: most, helpers: 0, error: together(errors) };
}

/** Few shapes that are mixed where they are enough; a target for every state, which is exact, where that takes no more of them. */
function fitTargets(offsets: readonly Float32Array[], normals: readonly Float32Array[], tolerance: number) {
  const count = offsets.length;
  const copy = (arrays: readonly Float32Array[]) => arrays.map((one) => one.slice());
  const most = count > MOST_SHAPES ? MOST_SHAPES : count >> 1;
  const shapes = fitShapes(copy(offsets), copy(normals), tolerance, most);
  if (shapes.error.max <= tolerance || count > MOST_SHAPES) {
    return { morph: splitWeights(shapes, count), error: shapes.error };
  }
  const weights = new Float32Array(count * count);
  for (let state = 0; state < count; state++) weights[state * count + state] = 1;
  const targets = offsets.map((positions, state) => ({ positions, normals: normals[state] }));
  const morph: MorphTargets = { targets, weights, restWeights: targets.map(() => 0), shift: undefined };
  return { morph, error: { max: 0, rms: 0 } };
}

/** Shapes driven by the pose, and how: programs that can drive morph targets find it beside their names. */
function driveTargets(
  offsets: readonly Float32Array[],
  normals: readonly Float32Array[],
  most: number,
  { bones, character, times }: ModelMotion,
) {
  const tree = bones.map((bone, b) => ({ ...bone, parent: character.skeleton[b].parent }));
  const fit = fitCorrectives(offsets, normals, most, tree);
  const morph = splitWeights(fit, times.length);
  // a target's weight is what these give, and nothing below zero
  const targets = (morph.origins ?? []).map(({ shape, end }) => fit.drivers.coefficients[shape].map((c) => c / end));
  return { morph, error: fit.error, drivers: { bones: [...fit.drivers.bones], targets } };
}

/** Adds targets after those the mesh has; the weights of all of them, state by state. */
function addMorph(
  opened: OpenedModel,
  { node, parts }: ModelMesh,
  morph: MorphTargets,
  tolerance: number,
  used: Set<number>,
  drivers: { readonly bones: string[]; readonly targets: number[][] } | undefined,
): Float32Array {
  const { edit } = opened;
  const mesh = ownMesh(opened, node, used);
  const primitives = trianglesOf(mesh);
  const count = morph.targets.length;
  const before = ((primitives[0].targets as OpenObject[] | undefined) ?? []).length;
  let at = 0;
  for (const { primitive, vertexCount } of parts) {
    const [from, to] = [3 * at, 3 * (at + vertexCount)];
    at += vertexCount;
    const own = morph.targets.map(({ positions, normals }) => ({
      positions: positions.subarray(from, to),
      normals: normals.subarray(from, to),
    }));
    const targets = addTargets(edit, own, tolerance);
    const { attributes } = primitives[primitive] as { attributes: OpenObject };
    if (attributes.NORMAL === undefined) for (const target of targets) delete target.NORMAL;
    primitives[primitive].targets = [
      ...((primitives[primitive].targets as OpenObject[] | undefined) ?? []),
      ...targets,
    ];
  }
  for (const other of mesh.primitives as OpenObject[]) {
    if (!primitives.includes(other))
      other.targets = [...((other.targets as OpenObject[]) ?? []), ...stillTargets(opened, other, count)];
  }
  nameTargets(mesh, before, count);
  if (drivers) mesh.extras = { ...(mesh.extras as OpenObject), poseDrivers: drivers };
  dropWeightChannels(opened, node);
  delete edit.list('nodes')[node].weights;
  const weights = new Float32Array((morph.weights.length / count) * (before + count));
  for (let i = 0; i < morph.weights.length; i++) {
    weights[Math.floor(i / count) * (before + count) + before + (i % count)] = morph.weights[i];
  }
  return weights;
}

/** Targets that change nothing, for lines and points beside the triangles: all parts of a mesh need the same number. */
function stillTargets({ edit }: OpenedModel, primitive: OpenObject, count: number): OpenObject[] {
  const { POSITION } = primitive.attributes as OpenObject;
  const { count: vertices } = edit.list('accessors')[POSITION as number];
  const still = { componentType: 5126, count: vertices, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] };
  const accessor = edit.add('accessors', still);
  return Array.from({ length: count }, () => ({ POSITION: accessor }));
}

/** Own targets of a file rest: the flesh was built from the shape without them. */
function nameTargets(mesh: OpenObject, before: number, count: number): void {
  mesh.weights = new Array<number>(before + count).fill(0);
  const extras = (mesh.extras ?? {}) as OpenObject;
  const names = Array.isArray(extras.targetNames) ? extras.targetNames.slice(0, before) : [];
  while (names.length < before) names.push(`target ${names.length + 1}`);
  for (let i = 0; i < count; i++) names.push(`flesh ${i + 1}`);
  mesh.extras = { ...extras, targetNames: names };
}

/** Clips that weigh the file's own targets would have to weigh the new ones too: they leave the mesh alone. */
function dropWeightChannels({ edit }: OpenedModel, node: number): void {
  const animations = (edit.json.animations ?? []) as OpenObject[];
  for (const animation of animations) {
    animation.channels = (animation.channels as OpenObject[]).filter(({ target }) => {
      const { node: moved, path } = target as OpenObject;
      return !(moved === node && path === 'weights');
    });
  }
  edit.json.animations = animations.filter(({ channels }) => (channels as OpenObject[]).length > 0);
}

function together(errors: readonly { max: number; rms: number; count: number }[]): { max: number; rms: number } {
  const total = errors.reduce((sum, { count }) => sum + count, 0);
  const squares = errors.reduce((sum, { rms, count }) => sum + rms * rms * count, 0);
  return { max: Math.max(0, ...errors.map(({ max }) => max)), rms: Math.sqrt(squares / Math.max(1, total)) };
}
