/** Bones of a skinned character as the solver sees them: a tree, joints at rest, masses, and how stiff each joint is by itself. Called when a model is built. */
import type { Vec3 } from '../../../body/body-def.js';
import type { LayerBoneDef } from '../../../body/kinds/layer-def.js';
import { requireFinite, TendonError } from '../../../errors.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { normaliseVec3, perpendicularVec3 } from '../../../math/vec3.js';
import type { BoneMasses } from './bone-masses.js';

/** How a bone turns against its parent; the number is that of its free turnings, but for a root, which has none. */
export const FREE_TURNINGS = { ball: 3, universal: 2, hinge: 1, fixed: 0 } as const;

/** Bones as flat arrays, parents first. */
export interface LayerBones extends BoneMasses {
  readonly count: number;
  readonly names: readonly string[];
  readonly parents: Int32Array;
  /** Where the joint to the parent is at rest, for a root its centre, 3 per bone [m]. */
  readonly places: Float64Array;
  /** Free turnings of the joint. */
  readonly axisCount: Uint8Array;
  /** Axes at rest: the first fixed in the parent, the second in the bone; 6 per bone. */
  readonly axes: Float64Array;
  /** How each starts out: 0 limp, 1 kinematic, 2 tracked. */
  readonly kinematic: Uint8Array;
  /** Inertia of all that hangs on a joint, about the joint at rest, mean over directions [kg m²]. */
  readonly hanging: Float64Array;
  /** Mass of the bone and all that hangs on it [kg]. */
  readonly hangingMass: Float64Array;
  /** Inverse of the inertia at rest, 9 per bone. */
  readonly inverseInertia: Float64Array;
  /** The walk through the tree: bone on the way down, ~bone on the way up. */
  readonly walk: Int32Array;
}

/** Checks the tree and where its joints are; returns the places. */
export function bonePlaces(defs: readonly LayerBoneDef[], path: string): Float64Array {
  if (defs.length === 0) throw new TendonError('E_EMPTY', path, 0, 'a skinned character needs a bone');
  const names = new Set<string>();
  defs.forEach(({ name, parent, place }, bone) => {
    const at = `${path}/${bone}`;
    if (names.has(name)) throw new TendonError('E_DUPLICATE', `${at}/name`, name, 'two bones carry this name');
    names.add(name);
    if (!Number.isInteger(parent) || parent < -1 || parent >= bone) {
      throw new TendonError('E_INDEX', `${at}/parent`, parent, 'a parent comes before its children; -1 for the root');
    }
    if (parent < 0 && bone > 0) {
      throw new TendonError('E_JOINT', `${at}/parent`, parent, 'one bone is the root: the first');
    }
    requireFinite(place, `${at}/place`);
  });
  return Float64Array.from(defs.flatMap(({ place }) => [...place]));
}

/** Flattens bones with their masses. */
export function buildLayerBones(defs: readonly LayerBoneDef[], masses: BoneMasses, path: string): LayerBones {
  const count = defs.length;
  const places = bonePlaces(defs, path);
  const parents = Int32Array.from(defs, ({ parent }) => parent);
  const axisCount = new Uint8Array(count);
  const axes = new Float64Array(6 * count);
  defs.forEach((def, bone) => {
    if (def.parent < 0) {
      places.set(masses.centre.subarray(3 * bone, 3 * bone + 3), 3 * bone);
      return;
    }
    const type = def.joint ?? 'ball';
    if (!(type in FREE_TURNINGS)) {
      throw new TendonError('E_UNKNOWN', `${path}/${bone}/joint`, type, 'use ball, universal, hinge or fixed');
    }
    axisCount[bone] = FREE_TURNINGS[type];
    setAxes(axes, 6 * bone, def.axis ?? [0, 0, 1], def.secondAxis, `${path}/${bone}`);
  });
  const bones = {
    ...masses,
    count,
    names: defs.map(({ name }) => name),
    parents,
    places,
    axisCount,
    axes,
    kinematic: Uint8Array.from(defs, ({ kinematic }) => (kinematic === 'tracked' ? 2 : kinematic === true ? 1 : 0)),
    hanging: new Float64Array(count),
    hangingMass: masses.mass.slice(),
    inverseInertia: invertAll(masses.inertia, path),
    walk: walkTree(parents),
  };
  weighHanging(bones);
  return bones;
}

function setAxes(axes: Float64Array, o: number, first: Vec3, second: Vec3 | undefined, at: string): void {
  requireFinite(first, `${at}/axis`);
  if (!(normaliseVec3(axes, o, first, 0) > 0)) {
    throw new TendonError('E_JOINT', `${at}/axis`, first, 'an axis needs a direction');
  }
  perpendicularVec3(axes, o + 3, axes, o);
  if (second === undefined) return;
  requireFinite(second, `${at}/secondAxis`);
  if (!(normaliseVec3(axes, o + 3, second, 0) > 0)) {
    throw new TendonError('E_JOINT', `${at}/secondAxis`, second, 'an axis needs a direction');
  }
  const along = axes[o] * axes[o + 3] + axes[o + 1] * axes[o + 4] + axes[o + 2] * axes[o + 5];
  if (Math.abs(along) > 1e-6) {
    throw new TendonError('E_JOINT', `${at}/secondAxis`, along, 'the two axes must be perpendicular');
  }
}

/** Sums up what hangs on each joint: the mean over all axes of the moment of inertia is two thirds of Σ m r². */
function weighHanging(bones: LayerBones & { hanging: Float64Array; hangingMass: Float64Array }): void {
  const { count, parents, mass, centre, inertia, places, hanging, hangingMass } = bones;
  for (let bone = count - 1; bone > 0; bone--) {
    if (parents[bone] >= 0) hangingMass[parents[bone]] += hangingMass[bone];
  }
  for (let bone = 0; bone < count; bone++) {
    const own = (inertia[9 * bone] + inertia[9 * bone + 4] + inertia[9 * bone + 8]) / 3;
    for (let joint = bone; joint >= 0; joint = parents[joint]) {
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const arm = centre[3 * bone + k] - places[3 * joint + k];
        square += arm * arm;
      }
      hanging[joint] += own + (2 / 3) * mass[bone] * square;
    }
  }
}

function invertAll(inertia: Float64Array, path: string): Float64Array {
  const inverse = new Float64Array(inertia.length);
  for (let i = 0; i < inertia.length; i += 9) {
    if (!invertMat3(inverse, i, inertia, i)) {
      throw new TendonError('E_NOT_POSITIVE_DEFINITE', `${path}/${i / 9}`, inertia[i], 'the bone has no inertia');
    }
  }
  return inverse;
}

/** Down to every bone and back up, depth first. */
function walkTree(parents: Int32Array): Int32Array {
  const children: number[][] = Array.from(parents, () => []);
  const walk: number[] = [];
  const visit = (bone: number): void => {
    walk.push(bone);
    for (const child of children[bone]) visit(child);
    walk.push(~bone);
  };
  parents.forEach((parent, bone) => {
    if (parent >= 0) children[parent].push(bone);
  });
  parents.forEach((parent, bone) => {
    if (parent < 0) visit(bone);
  });
  return Int32Array.from(walk);
}
