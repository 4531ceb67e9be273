/**
 * What a user writes down to describe a body: plain data, no behaviour. `buildModel` checks it and turns it into the
 * frozen arrays the solvers work on. SI units, y up, right-handed.
 */
import type { MuscleDef } from './muscle-def.js';

/** A point or direction, [x, y, z]. */
export type Vec3 = readonly [number, number, number];

/** How flesh resists being deformed. */
export interface MaterialDef {
  /** Energy density: as-rigid-as-possible, corotated linear, or stable neo-Hookean. */
  readonly model: 'arap' | 'corotated' | 'stableNeoHookean';
  /** Young's modulus [Pa]. */
  readonly youngModulus: number;
  /** Poisson ratio, 0 to 0.499. The arap model has none and behaves as 0. */
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

/**
 * How far a joint goes; angles in rad, counted from the rest pose (cone and twist: from `middle`), positive by the right hand about the
 * axis, of the second bone against the first (of the bone against the world where it is pinned). What is left out is not limited. A range
 * of no width locks.
 */
export interface JointLimitsDef {
  /** Hinge and universal: least and largest angle about `axis`; at most a full turn wide. */
  readonly range?: readonly [number, number];
  /** Universal: least and largest angle about `secondAxis`. */
  readonly secondRange?: readonly [number, number];
  /**
   * Ball: how far the `axis` of the second bone may lean from that of the first, any way, or about the second and about the third
   * direction of the joint (an ellipse); up to half a turn.
   */
  readonly cone?: number | readonly [number, number];
  /** Ball: least and largest turn of the second bone about its own `axis`, once its lean is undone. */
  readonly twist?: readonly [number, number];
  /** Ball: how the second bone is turned against the first where lean and twist are nothing; quaternion x, y, z, w in the rest frame. */
  readonly middle?: readonly [number, number, number, number];
}

/**
 * What turns a joint by itself: to a rotation, at a rate, or with a torque. Of the second bone against the first (of the bone against the
 * world where it is pinned), in the rest frame of the first. Hinges take numbers about their axis, others quaternions and vectors.
 */
export interface JointMotorDef {
  /** Rotation to go to, from the rest pose: angle [rad], or quaternion x, y, z, w. */
  readonly target?: number | readonly [number, number, number, number];
  /** Rate to go at [rad/s]; held by `damping`. */
  readonly speed?: number | Vec3;
  /** Torque that acts whatever the joint does [N m]. */
  readonly torque?: number | Vec3;
  /** How hard the joint is drawn to `target` [N m/rad]. */
  readonly stiffness?: number;
  /** How hard it is drawn to `speed` [N m s/rad]. */
  readonly damping?: number;
  /** Largest torque about each direction of the joint [N m]; no bound by default. */
  readonly maxTorque?: number | Vec3;
}

/** A joint holds bones together at a point. */
export interface JointDef {
  readonly name: string;
  readonly type: JointType;
  /** Names of the bones. One bone: pinned to the world. Three or more: a star around the first. */
  readonly bones: readonly string[];
  /** Where the bones meet, in the rest shape [m]. */
  readonly anchor: Vec3;
  /**
   * Hinge: the axis of rotation. Universal: the axis fixed in the first bone. Ball: what leans in its cone, the direction of the limb. In
   * the rest shape; default z.
   */
  readonly axis?: Vec3;
  /**
   * Universal: the axis fixed in the second bone, perpendicular to `axis`. Ball: the direction the first angle of its cone is about. The
   * third direction is perpendicular to both. By default the least of x, y and z in `axis`, made perpendicular.
   */
  readonly secondAxis?: Vec3;
  /** How far the joint goes; everywhere by default. */
  readonly limits?: JointLimitsDef;
  /** The motor it starts with; none by default. Stiffness alone is a joint that springs back to its rest pose. */
  readonly motor?: JointMotorDef;
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
  readonly muscles?: readonly MuscleDef[];
  /** Flesh vertices that stay where they are at rest. */
  readonly pins?: ArrayLike<number>;
  /** The material of each region; region 0 where `regions` is absent. */
  readonly materials: readonly MaterialDef[];
  /** Index into `materials` for each tetrahedron. */
  readonly regions?: ArrayLike<number>;
}
