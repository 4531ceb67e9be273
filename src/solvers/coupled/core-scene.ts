/** What the core of the coupled solver is made of: bodies, joints and bindings as plain data. */

import type { AnyShape } from '../../collision/rigid/sampled-shape.js';
import type { CoupledJoint } from './rigid/coupled-joint.js';
import type { LimitedBody } from './rigid/limit-blocks.js';
import type { RigidStart } from './rigid/rigid-bodies.js';
import type { SoftStart } from './soft/soft-bodies.js';

/** A rigid body or an obstacle of the core. */
export interface CoreRigid extends RigidStart {
  /** 'none': it is never touched. */
  readonly shape: AnyShape | 'none';
  readonly friction?: number;
  readonly restitution?: number;
}

/** A soft body of the core. */
export interface CoreSoft extends SoftStart {
  readonly friction?: number;
}

/** A vertex of a soft body that a rigid body carries, at `anchor` from its centre of mass in its own frame [m]. */
export interface CoreBinding {
  readonly soft: number;
  readonly vertex: number;
  readonly rigid: number;
  readonly anchor: ArrayLike<number>;
}

/** What a core is made of. */
export interface CoreScene {
  readonly rigid?: readonly CoreRigid[];
  readonly soft?: readonly CoreSoft[];
  readonly joints?: readonly CoupledJoint[];
  readonly limited?: readonly LimitedBody[];
  readonly bindings?: readonly CoreBinding[];
  /** Bodies beside those that joints join that do not touch each other: the lower number first, soft ones after the rigid. */
  readonly apart?: readonly (readonly [number, number])[];
  /** Soft bodies, by number, that keep the volume around each of their vertices. */
  readonly incompressible?: readonly number[];
  readonly gravity?: ArrayLike<number>;
}

/** What an obstacle is, wherever it stands. */
export type CoreObstacle = Pick<CoreRigid, 'shape' | 'friction' | 'restitution'>;
