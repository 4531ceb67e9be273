/**
 * The skeleton as a tree, and what hangs on each joint: mass, where it is, and how it resists being turned. Flesh counts to the bone whose
 * vertices are nearest at rest. Made once per model; tracking takes its gains from it.
 */
import { distanceSqVec3 } from '../../math/vec3.js';
import type { Model } from '../model.js';

/** What hangs on joints, at rest. */
export interface Subtrees {
  /** Pair that leads from each bone towards the root; -1 for roots. */
  readonly pairOf: Int32Array;
  /** Bone at the other end of it; -1 for roots. */
  readonly parent: Int32Array;
  /** Bones, every one after its parent. */
  readonly order: Int32Array;
  /** Mass of each bone with its flesh [kg], and the middle of it at rest, 3 per bone [m]. */
  readonly mass: Float64Array;
  readonly centre: Float64Array;
  /** Inertia of everything from each bone outwards about its joint at rest [kg m²]: a third of the trace, and about the joint's axis. */
  readonly inertia: Float64Array;
  readonly axial: Float64Array;
}

/** Works the tree out from bone `root` (and, for what is not joined to it, from the first bone of each rest). */
export function buildSubtrees(model: Model, root = 0): Subtrees {
  const { bones, joints } = model;
  const pairOf = new Int32Array(bones.count).fill(-1);
  const parent = new Int32Array(bones.count).fill(-1);
  const order: number[] = [];
  const seen = new Uint8Array(bones.count);
  for (const start of [root, ...bones.names.keys()]) {
    if (start >= bones.count || seen[start]) continue;
    seen[start] = 1;
    order.push(start);
    for (let n = order.length - 1; n < order.length; n++) {
      for (let pair = 0; pair < joints.count; pair++) {
        const [a, b] = [joints.boneA[pair], joints.boneB[pair]];
        const next = a === order[n] ? b : b === order[n] ? a : -1;
        if (next < 0 || next >= bones.count || seen[next]) continue;
        seen[next] = 1;
        pairOf[next] = pair;
        parent[next] = order[n];
        order.push(next);
      }
    }
  }
  const boneOf = nearestBones(model);
  const { mass, centre } = weigh(model, boneOf);
  const { inertia, axial } = inertias(model, boneOf, pairOf, parent);
  return { pairOf, parent, order: Int32Array.from(order), mass, centre, inertia, axial };
}

/** Bone each vertex counts to. */
function nearestBones({ bones, positions, vertexCount }: Model): Int32Array {
  const boneOf = bones.ofVertex.slice();
  for (let v = 0; v < vertexCount && bones.count > 0; v++) {
    if (boneOf[v] >= 0) continue;
    let nearest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < bones.vertices.length; n++) {
      const d = distanceSqVec3(positions, v * 3, positions, bones.vertices[n] * 3);
      if (d >= nearest) continue;
      nearest = d;
      boneOf[v] = bones.ofVertex[bones.vertices[n]];
    }
  }
  return boneOf;
}

function weigh({ bones, positions, masses, vertexCount }: Model, boneOf: Int32Array) {
  const mass = new Float64Array(bones.count);
  const centre = new Float64Array(bones.count * 3);
  for (let v = 0; v < vertexCount; v++) {
    if (boneOf[v] < 0) continue;
    mass[boneOf[v]] += masses[v];
    for (let k = 0; k < 3; k++) centre[boneOf[v] * 3 + k] += masses[v] * positions[v * 3 + k];
  }
  for (let i = 0; i < centre.length; i++) centre[i] /= mass[Math.floor(i / 3)];
  return { mass, centre };
}

function inertias(model: Model, boneOf: Int32Array, pairOf: Int32Array, parent: Int32Array) {
  const { bones, joints, positions, masses, vertexCount } = model;
  const inertia = new Float64Array(bones.count);
  const axial = new Float64Array(bones.count);
  const arm = [0, 0, 0];
  for (let v = 0; v < vertexCount; v++) {
    // a vertex counts for every joint between it and the root
    for (let bone = boneOf[v]; bone >= 0 && pairOf[bone] >= 0; bone = parent[bone]) {
      const pair = pairOf[bone];
      const a = joints.boneA[pair];
      let [square, along] = [0, 0];
      for (let k = 0; k < 3; k++) {
        arm[k] = positions[v * 3 + k] - joints.anchorA[pair * 3 + k] - bones.centre[a * 3 + k];
        square += arm[k] * arm[k];
        along += arm[k] * joints.frame[pair * 9 + k];
      }
      inertia[bone] += (2 / 3) * masses[v] * square;
      axial[bone] += masses[v] * (square - along * along);
    }
  }
  return { inertia, axial };
}

/** What holds level what hangs on each bone's joint, at rest, under `gravity` [m/s²]: [N m]. */
export function levelMoments({ joints, bones }: Model, tree: Subtrees, gravity: number): Float64Array {
  const { order, parent, mass, centre, pairOf } = tree;
  const level = new Float64Array(bones.count);
  for (const bone of order) {
    for (let joint = bone; joint >= 0 && pairOf[joint] >= 0; joint = parent[joint]) {
      const a = joints.boneA[pairOf[joint]];
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const arm = centre[bone * 3 + k] - joints.anchorA[pairOf[joint] * 3 + k] - bones.centre[a * 3 + k];
        square += arm * arm;
      }
      level[joint] += mass[bone] * gravity * Math.sqrt(square);
    }
  }
  return level;
}
