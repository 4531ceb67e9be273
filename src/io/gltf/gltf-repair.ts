/**
 * What files in the wild have wrong, put right before they are written again: weights that do not add up to one, joints
 * named without a weight, normals of no length, positions without bounds, skinned meshes below other nodes, triangles without an area. Called when a
 * character is built from a file, so that what is written into that file is valid whatever it came as.
 */
import { AccessorReader } from './accessor-reader.js';
import { GltfEdit, type OpenObject, TRIANGLES, VERTICES } from './gltf-edit.js';
import type { GltfSource } from './gltf-source.js';

/** How far a sum of weights, or the square of a normal's length, may be from one. */
const WEIGHT_SLACK = 4e-7;
const NORMAL_SLACK = 5e-4;

/** The bytes of a repaired file and what was done to it; no bytes where there was nothing to do. */
export interface GltfRepair {
  readonly bytes?: Uint8Array;
  readonly notes: readonly string[];
}

/** Repairs a file that `readGltf` has accepted. */
export function repairGltf(source: GltfSource): GltfRepair {
  const edit = new GltfEdit(source);
  const reader = new AccessorReader(source);
  const notes: string[] = [];
  let weights = 0;
  let normals = 0;
  let flat = 0;
  let unbounded = 0;
  const done = new Map<string, OpenObject>();
  for (const mesh of edit.list('meshes')) {
    for (const primitive of (mesh.primitives ?? []) as OpenObject[]) {
      const attributes = (primitive.attributes ?? {}) as OpenObject;
      weights += repairWeights(attributes, reader, edit, done);
      normals += repairNormals(attributes, reader, edit);
      flat += dropFlatTriangles(primitive, reader, edit);
      for (const shape of [attributes, ...((primitive.targets ?? []) as OpenObject[])]) {
        unbounded += addBounds(shape.POSITION, reader, edit);
      }
    }
  }
  const moved = freeSkinnedMeshes(edit);
  if (weights > 0)
    notes.push(`the weights of ${weights} vertices did not add up to one, or named joints they do not use`);
  if (normals > 0) notes.push(`${normals} normals were not of length one`);
  if (flat > 0) notes.push(`${flat} triangles had a corner twice`);
  if (unbounded > 0) notes.push(`${unbounded} list(s) of positions came without their bounds`);
  if (moved > 0) notes.push(`${moved} skinned mesh(es) hung below other nodes, which never moves them`);
  if (notes.length === 0) return { notes };
  return { bytes: edit.pack(), notes: notes.map((note) => `put right in the file: ${note}`) };
}

/** Says how far positions reach, where the file does not; 1 where that was so. */
function addBounds(index: unknown, reader: AccessorReader, edit: GltfEdit): number {
  const accessor = typeof index === 'number' ? edit.list('accessors')[index] : undefined;
  if (accessor === undefined || (accessor.min !== undefined && accessor.max !== undefined)) return 0;
  // of numbers that stand for fractions the bounds are those of the numbers themselves
  const values = accessor.normalized === true ? undefined : reader.read(index as number);
  if (values === undefined) return 0;
  const column = (k: number): Float64Array => values.filter((_, i) => i % 3 === k);
  const bound = (pick: (a: number, b: number) => number) => [0, 1, 2].map((k) => column(k).reduce(pick));
  accessor.min = bound((a, b) => Math.min(a, b));
  accessor.max = bound((a, b) => Math.max(a, b));
  return 1;
}

/** Makes weights of a vertex, over all sets, add up to one; the vertices that were changed. Parts may share accessors. */
function repairWeights(
  attributes: OpenObject,
  reader: AccessorReader,
  edit: GltfEdit,
  done: Map<string, OpenObject>,
): number {
  const sets: { joints: number; weights: number }[] = [];
  for (let n = 0; attributes[`WEIGHTS_${n}`] !== undefined; n++) {
    sets.push({ joints: attributes[`JOINTS_${n}`] as number, weights: attributes[`WEIGHTS_${n}`] as number });
  }
  if (sets.length === 0) return 0;
  const key = JSON.stringify(sets);
  const known = done.get(key);
  if (known !== undefined) {
    Object.assign(attributes, known);
    return 0;
  }
  const read = sets.map(({ joints, weights }) => ({ joints: reader.read(joints), weights: reader.read(weights) }));
  const changed: OpenObject = {};
  done.set(key, changed);
  if (read.some(({ joints, weights }) => joints === undefined || weights === undefined)) return 0;
  const joints = read.map((set) => Uint16Array.from(set.joints!));
  const weights = read.map((set) => Float32Array.from(set.weights!, (weight) => Math.max(0, weight)));
  let count = 0;
  for (let v = 0; v < weights[0].length; v += 4) if (repairVertex(joints, weights, v)) count++;
  if (count === 0) return 0;
  sets.forEach((_, n) => {
    changed[`JOINTS_${n}`] = edit.addAccessor(joints[n], 'VEC4', { target: VERTICES });
    changed[`WEIGHTS_${n}`] = edit.addAccessor(weights[n], 'VEC4', { target: VERTICES });
  });
  Object.assign(attributes, changed);
  return count;
}

/** Four influences per set, from `v` on; whether anything had to be changed. */
function repairVertex(joints: readonly Uint16Array[], weights: readonly Float32Array[], v: number): boolean {
  let sum = 0;
  let idle = false;
  const used = new Set<number>();
  for (let n = 0; n < weights.length; n++) {
    for (let k = v; k < v + 4; k++) {
      sum += weights[n][k];
      const isIdle = weights[n][k] === 0;
      if (isIdle && joints[n][k] !== 0) idle = true;
      if (isIdle) joints[n][k] = 0;
      else if (used.has(joints[n][k])) idle = true;
      else used.add(joints[n][k]);
    }
  }
  if (Math.abs(sum - 1) <= WEIGHT_SLACK && !idle) return false;
  mergeTwins(joints, weights, v);
  if (!(sum > 0)) weights[0][v] = 1;
  else for (const set of weights) for (let k = v; k < v + 4; k++) set[k] /= sum;
  return true;
}

/** A joint that is named twice gets both weights once. */
function mergeTwins(joints: readonly Uint16Array[], weights: readonly Float32Array[], v: number): void {
  const first = new Map<number, [number, number]>();
  for (let n = 0; n < weights.length; n++) {
    for (let k = v; k < v + 4; k++) {
      if (weights[n][k] === 0) continue;
      const twin = first.get(joints[n][k]);
      if (twin === undefined) first.set(joints[n][k], [n, k]);
      else {
        weights[twin[0]][twin[1]] += weights[n][k];
        weights[n][k] = 0;
        joints[n][k] = 0;
      }
    }
  }
}

/** Normals of length one; one of no length points up. */
function repairNormals(attributes: OpenObject, reader: AccessorReader, edit: GltfEdit): number {
  if (attributes.NORMAL === undefined) return 0;
  const read = reader.read(attributes.NORMAL as number);
  if (read === undefined) return 0;
  const normals = Float32Array.from(read);
  let count = 0;
  for (let i = 0; i < normals.length; i += 3) {
    const lengthSq = normals[i] * normals[i] + normals[i + 1] * normals[i + 1] + normals[i + 2] * normals[i + 2];
    if (Math.abs(lengthSq - 1) <= NORMAL_SLACK) continue;
    count++;
    const length = Math.sqrt(lengthSq);
    if (length > 1e-12 && Number.isFinite(length)) for (let k = 0; k < 3; k++) normals[i + k] /= length;
    else normals.set([0, 1, 0], i);
  }
  if (count > 0) attributes.NORMAL = edit.addAccessor(normals, 'VEC3', { target: VERTICES });
  return count;
}

/** Leaves out triangles with a corner twice: they show nothing. A part that has no other is left as it is. */
function dropFlatTriangles(primitive: OpenObject, reader: AccessorReader, edit: GltfEdit): number {
  if (primitive.indices === undefined || (primitive.mode ?? 4) !== 4) return 0;
  const corners = reader.read(primitive.indices as number);
  if (corners === undefined) return 0;
  const kept: number[] = [];
  for (let i = 0; i + 2 < corners.length; i += 3) {
    const [a, b, c] = [corners[i], corners[i + 1], corners[i + 2]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  const dropped = (corners.length - kept.length) / 3;
  if (dropped === 0 || kept.length === 0) return 0;
  const largest = kept.reduce((most, corner) => Math.max(most, corner), 0);
  const array = largest < 65535 ? Uint16Array.from(kept) : Uint32Array.from(kept);
  primitive.indices = edit.addAccessor(array, 'SCALAR', { target: TRIANGLES });
  return dropped;
}

/** Skinned meshes go to the root of their scenes: joints place them, whatever the nodes above them say. */
function freeSkinnedMeshes(edit: GltfEdit): number {
  const nodes = edit.list('nodes');
  let moved = 0;
  nodes.forEach((node, i) => {
    if (node.mesh === undefined || node.skin === undefined || node.children !== undefined) return;
    const parent = nodes.findIndex(({ children }) => Array.isArray(children) && children.includes(i));
    const still = ['translation', 'rotation', 'scale', 'matrix'].every((key) => node[key] === undefined);
    if (parent < 0 && still) return;
    for (const key of ['translation', 'rotation', 'scale', 'matrix']) delete node[key];
    if (parent >= 0) {
      const left = (nodes[parent].children as number[]).filter((child) => child !== i);
      if (left.length > 0) nodes[parent].children = left;
      else delete nodes[parent].children;
      const top = rootOf(nodes, parent);
      for (const scene of edit.list('scenes')) {
        const roots = (scene.nodes ?? []) as number[];
        if (roots.includes(top)) scene.nodes = [...roots, i];
      }
    }
    moved++;
  });
  return moved;
}

function rootOf(nodes: readonly OpenObject[], node: number): number {
  let at = node;
  for (;;) {
    const above = nodes.findIndex(({ children }) => Array.isArray(children) && children.includes(at));
    if (above < 0) return at;
    at = above;
  }
}
