/** Which joint owns which part of the skin: by the rig's weights, and where it has none by which joint's line is nearest. */
import type { Vec3 } from '../../body/body-def.js';
import { square } from '../../math/powers.js';
import type { TriangleMesh, WeldedMesh } from '../../mesh/surface/triangle-mesh.js';
import { lineDistance } from '../build/bones/bone-shapes.js';
import type { Rig } from './rig.js';
import type { SkeletonPlan } from './rig-bones.js';
import { INFLUENCES } from './rig-collector.js';

/** The skin's owners. */
export interface SkinOwners {
  /** Area of skin of each joint [m^2]. */
  readonly areas: Float64Array;
  /** The same where the welded vertices are at `positions` [m^2]. */
  readonly areasOn: (positions: ArrayLike<number>) => Float64Array;
  /** Bone with the most weight at each triangle, for a choice of bones. */
  readonly boneOfTriangle: (plan: SkeletonPlan) => Int32Array;
  /** Bone with the most weight at each welded vertex. */
  readonly boneOfVertex: (plan: SkeletonPlan) => Int32Array;
  /** The same for one vertex, and how much weight that is, given the bone of each joint. */
  readonly shareOfVertex: (boneOfJoint: Int32Array, vertex: number) => readonly [bone: number, weight: number];
}

/** Finds the owners. Vertices without weights are given to the joint whose line to a child is nearest, also in `rig`. */
export function ownSkin(
  rig: Rig,
  welded: WeldedMesh,
  outer: TriangleMesh,
  parents: readonly number[],
  places: readonly Vec3[],
  notes: string[],
): SkinOwners {
  const jointCount = rig.joints.length;
  if (jointCount > 0) fillOwners(rig, welded, parents, places, notes);
  // weights of welded vertices, sparse: the sum over the vertices that became one
  const shares: Map<number, number>[] = Array.from({ length: welded.positions.length / 3 }, () => new Map());
  for (let v = 0; v < welded.vertexOf.length; v++) {
    const share = shares[welded.vertexOf[v]];
    for (let k = 0; k < INFLUENCES; k++) {
      const weight = rig.weights[INFLUENCES * v + k];
      const joint = rig.owners[INFLUENCES * v + k];
      if (weight > 0) share.set(joint, (share.get(joint) ?? 0) + weight);
    }
  }
  for (const share of shares) {
    let total = 0;
    for (const weight of share.values()) total += weight;
    for (const [joint, weight] of share) share.set(joint, weight / total);
  }
  const { triangles } = outer;
  const areasOn = (p: ArrayLike<number>): Float64Array => {
    const areas = new Float64Array(jointCount);
    for (let t = 0; t < triangles.length; t += 3) {
      const area = triangleArea(p, triangles[t], triangles[t + 1], triangles[t + 2]);
      for (let k = 0; k < 3; k++)
        for (const [joint, weight] of shares[triangles[t + k]]) areas[joint] += (area * weight) / 3;
    }
    return areas;
  };
  const strongest = (boneOfJoint: Int32Array, vertices: ArrayLike<number>): [bone: number, weight: number] => {
    const sums = new Map<number, number>();
    for (let i = 0; i < vertices.length; i++) {
      for (const [joint, weight] of shares[vertices[i]]) {
        const bone = boneOfJoint[joint];
        sums.set(bone, (sums.get(bone) ?? 0) + weight);
      }
    }
    let best = 0;
    let most = -1;
    for (const [bone, weight] of sums) {
      if (weight > most || (weight === most && bone < best)) [best, most] = [bone, weight];
    }
    return [best, most];
  };
  return {
    areas: areasOn(outer.positions),
    areasOn,
    boneOfTriangle: (plan) =>
      Int32Array.from(
        { length: triangles.length / 3 },
        (_, t) => strongest(plan.boneOfJoint, triangles.subarray(3 * t, 3 * t + 3))[0],
      ),
    boneOfVertex: (plan) => Int32Array.from(shares, (_, v) => strongest(plan.boneOfJoint, [v])[0]),
    shareOfVertex: (boneOfJoint, vertex) => strongest(boneOfJoint, [vertex]),
  };
}

/** Gives vertices without weights to a joint. */
function fillOwners(
  rig: Rig,
  welded: WeldedMesh,
  parents: readonly number[],
  places: readonly Vec3[],
  notes: string[],
): void {
  const lines = places.map((place, joint): [Vec3, Vec3, number] => {
    const parent = parents[joint];
    return parent < 0 ? [place, place, joint] : [places[parent], place, parent];
  });
  // a last joint also owns what lies beyond it
  places.forEach((place, joint) => {
    if (!parents.includes(joint)) lines.push([place, place, joint]);
  });
  let filled = 0;
  for (let v = 0; v < rig.weights.length / INFLUENCES; v++) {
    const o = INFLUENCES * v;
    if (rig.weights[o] + rig.weights[o + 1] + rig.weights[o + 2] + rig.weights[o + 3] > 0) continue;
    const w = 3 * welded.vertexOf[v];
    const x = welded.positions[w];
    const y = welded.positions[w + 1];
    const z = welded.positions[w + 2];
    let best = 0;
    let nearest = Infinity;
    for (const [a, b, joint] of lines) {
      const away = lineDistance(a, b, x, y, z);
      // a last joint comes after the line that leads to it and takes what lies beyond
      if (away <= nearest) [nearest, best] = [away, joint];
    }
    rig.owners[o] = best;
    rig.weights[o] = 1;
    filled++;
  }
  if (filled > 0) notes.push(`${filled} vertices have no skin weights: given to the nearest joint`);
}

function triangleArea(p: ArrayLike<number>, a: number, b: number, c: number): number {
  const i = 3 * a;
  const j = 3 * b;
  const k = 3 * c;
  const ux = p[j] - p[i];
  const uy = p[j + 1] - p[i + 1];
  const uz = p[j + 2] - p[i + 2];
  const vx = p[k] - p[i];
  const vy = p[k + 1] - p[i + 1];
  const vz = p[k + 2] - p[i + 2];
  return Math.sqrt(square(uy * vz - uz * vy) + square(uz * vx - ux * vz) + square(ux * vy - uy * vx)) / 2;
}
