/** What a user writes down to describe a rigid body: solid parts, one or several held together by joints. Plain data. */
import type { JointDef, Vec3 } from '../body-def.js';
import type { LineMuscleDef } from '../muscle-def.js';

/** The outside of a rigid part, in its own frame. Lengths in metres; the words are those of obstacles' shapes. */
export type RigidShape =
  | { readonly kind: 'sphere'; readonly radius: number }
  /** Sides 2·halfExtents. */
  | { readonly kind: 'box'; readonly halfExtents: Vec3 }
  /** A segment along y from -halfLength to halfLength, with a radius. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly halfLength: number }
  /** Axis along y, flat ends. */
  | { readonly kind: 'cylinder'; readonly radius: number; readonly halfLength: number }
  /** A ring about the y axis: `radius` to the middle of a tube of `tubeRadius`. */
  | { readonly kind: 'torus'; readonly radius: number; readonly tubeRadius: number }
  /** Any closed surface: x,y,z per vertex [m], three vertices per triangle, anticlockwise from outside. */
  | { readonly kind: 'mesh'; readonly positions: ArrayLike<number>; readonly triangles: ArrayLike<number> };

/** One solid part; it moves as one bone of the same name. */
export interface RigidPartDef {
  readonly name: string;
  readonly shape: RigidShape;
  /** Where the part's frame is in the rest shape [m], and how it is turned, quaternion x,y,z,w. */
  readonly position?: Vec3;
  readonly rotation?: readonly [number, number, number, number];
  /** Mass per volume [kg/m³]; default 1000. */
  readonly density?: number;
  /** Mass [kg], instead of `density`. */
  readonly mass?: number;
  /** True: the pose is set by the user before a step. */
  readonly kinematic?: boolean;
}

/** A rigid body, or several joined to one: no flesh, mass and inertia exact for the shapes. */
export interface RigidBodyDef {
  readonly kind: 'rigid';
  readonly name: string;
  readonly parts: readonly RigidPartDef[];
  /** Joints between the parts, or to the world; bones are named after the parts. */
  readonly joints?: readonly JointDef[];
  /** Muscles that are lines over the parts. */
  readonly muscles?: readonly LineMuscleDef[];
}
