/**
 * What a user writes down to describe a body: plain data, no behaviour. `buildModel` checks it and turns it into the
 * frozen arrays the solvers work on. SI units, y up, right-handed.
 */

/** A point or direction, [x, y, z]. */
export type Vec3 = readonly [number, number, number];

/** How flesh resists being deformed. */
export interface MaterialDef {
  /** Energy density: as-rigid-as-possible, corotated linear, or stable neo-Hookean. */
  readonly model: 'arap' | 'corotated' | 'stableNeoHookean';
  /** Young's modulus [Pa]. */
  readonly youngModulus: number;
  /** Poisson ratio, 0 to 0.49. The arap model has none and behaves as 0. */
  readonly poissonRatio: number;
  /** Mass per volume [kg/m^3]. */
  readonly density: number;
}

/** A rigid part of a body: the vertices that move as one. */
export interface BoneDef {
  readonly name: string;
  /** Indices of the body's vertices that belong to this bone; no vertex may be in two bones. */
  readonly vertices: ArrayLike<number>;
  /** True: the pose is set by the user before a step. False (default): it follows from the physics. */
  readonly kinematic?: boolean;
}

/** What a joint leaves free: ball 3 rotations, universal 2, hinge 1, fixed none. */
export type JointType = 'ball' | 'hinge' | 'universal' | 'fixed';

/** A joint holds bones together at a point. */
export interface JointDef {
  readonly name: string;
  readonly type: JointType;
  /** Names of the bones. One bone: pinned to the world. Three or more: a star around the first. */
  readonly bones: readonly string[];
  /** Where the bones meet, in the rest shape [m]. */
  readonly anchor: Vec3;
  /** Hinge: the axis of rotation. Universal: the axis fixed in the first bone. In the rest shape; default z. */
  readonly axis?: Vec3;
  /** Universal only: the axis fixed in the second bone, perpendicular to `axis`; default y. */
  readonly secondAxis?: Vec3;
}

/** A body: a tetrahedral mesh in its rest shape, with bones, joints, pins and materials. */
export interface BodyDef {
  readonly kind?: 'flesh';
  readonly name: string;
  /** Rest positions, x,y,z per vertex [m]. */
  readonly positions: Float64Array;
  /** Four vertex indices per tetrahedron. */
  readonly tets: Int32Array;
  readonly bones?: readonly BoneDef[];
  readonly joints?: readonly JointDef[];
  /** Flesh vertices that stay where they are at rest. */
  readonly pins?: ArrayLike<number>;
  /** The material of each region; region 0 where `regions` is absent. */
  readonly materials: readonly MaterialDef[];
  /** Index into `materials` for each tetrahedron. */
  readonly regions?: ArrayLike<number>;
}
