/**
 * Which joints of a rig become bones: those that own enough skin. Helpers without skin, tips, twist joints and fingers too
 * small for the lattice are merged into the bone they hang on.
 */
import type { Vec3 } from '../../body/body-def.js';
import { TendonError } from '../../errors.js';

/** A bone to be. */
export interface BonePlan {
  readonly name: string;
  /** Index of its parent among the bones, -1 for the root; parents come first. */
  readonly parent: number;
  /** Joint of the rig it sits at, and where that is [m]. */
  readonly joint: number;
  readonly place: Vec3;
  /** All joints of the rig that became this bone, its own first. */
  readonly joints: readonly number[];
}

/** Bones to be, and where the joints went. */
export interface SkeletonPlan {
  readonly bones: readonly BonePlan[];
  readonly boneOfJoint: Int32Array;
}

/** What the choice is made from, one entry per joint of the rig. */
export interface JointFacts {
  readonly names: readonly string[];
  readonly parents: readonly number[];
  readonly places: readonly Vec3[];
  /** Area of skin each joint owns [m^2]. */
  readonly areas: ArrayLike<number>;
}

const TIP_NAME = /(^|[^a-z])(tip|end|nub|leaf|effector)([^a-z]|$)|_end$|Nub$|Tip$|End$/i;

/** Chooses bones: joints with at least `minArea` of skin that are no tips. At least one joint becomes a bone. */
export function planBones(facts: JointFacts, minArea: number): SkeletonPlan {
  const { names, parents, places, areas } = facts;
  const count = names.length;
  if (count === 0) throw new TendonError('E_EMPTY', 'joints', 0, 'a skeleton needs a joint');
  const order = parentsFirst(parents);
  const kept = names.map((name, joint) => areas[joint] >= minArea && !TIP_NAME.test(name));
  if (!kept.includes(true)) kept[largest(areas, order)] = true;
  // Bones with no bone above them hang on the one of them with the most skin.
  const above = (joint: number): number => {
    let at = parents[joint];
    while (at >= 0 && !kept[at]) at = parents[at];
    return at;
  };
  const tops = order.filter((joint) => kept[joint] && above(joint) < 0);
  const weight = subtreeAreas(parents, areas, order);
  const root = tops.reduce((best, joint) => (weight[joint] > weight[best] ? joint : best), tops[0]);

  const boneOfJoint = new Int32Array(count).fill(-1);
  const bones: (BonePlan & { joints: number[] })[] = [];
  for (const joint of [root, ...order.filter((other) => kept[other] && other !== root)]) {
    boneOfJoint[joint] = bones.length;
    const up = above(joint);
    const parent = joint === root ? -1 : up < 0 ? 0 : boneOfJoint[up];
    bones.push({ name: names[joint], parent, joint, place: places[joint], joints: [joint] });
  }
  for (const joint of order) {
    if (kept[joint]) continue;
    const up = above(joint);
    boneOfJoint[joint] = up < 0 ? 0 : boneOfJoint[up];
    bones[boneOfJoint[joint]].joints.push(joint);
  }
  return { bones, boneOfJoint };
}

/** Joints between every two bones, as a function. */
export function boneDistances(bones: readonly { readonly parent: number }[]): (a: number, b: number) => number {
  const count = bones.length;
  const table = new Uint16Array(count * count);
  const depth = bones.map(() => 0);
  bones.forEach(({ parent }, bone) => {
    depth[bone] = parent < 0 ? 0 : depth[parent] + 1;
  });
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < count; b++) {
      let [i, j, steps] = [a, b, 0];
      while (i !== j) {
        if (depth[i] >= depth[j]) i = bones[i].parent;
        else j = bones[j].parent;
        steps++;
      }
      table[a * count + b] = steps;
    }
  }
  return (a, b) => table[a * count + b];
}

/** All joints, every one after its parent, otherwise in their own order. */
export function parentsFirst(parents: readonly number[]): number[] {
  const order: number[] = [];
  const done = new Uint8Array(parents.length);
  const visit = (joint: number): void => {
    const path: number[] = [];
    for (let at = joint; at >= 0 && done[at] === 0; at = parents[at]) {
      done[at] = 1;
      path.push(at);
    }
    order.push(...path.reverse());
  };
  for (let joint = 0; joint < parents.length; joint++) visit(joint);
  return order;
}

/** Area of each joint and all below it. */
function subtreeAreas(parents: readonly number[], areas: ArrayLike<number>, order: readonly number[]): Float64Array {
  const sums = Float64Array.from(areas);
  for (let n = order.length - 1; n >= 0; n--) {
    const joint = order[n];
    if (parents[joint] >= 0) sums[parents[joint]] += sums[joint];
  }
  return sums;
}

function largest(values: ArrayLike<number>, order: readonly number[]): number {
  return order.reduce((best, i) => (values[i] > values[best] ? i : best), order[0]);
}
