/** What a user writes down to describe a world: bodies, where they start, and what acts on them. */

import type { BodyDef, Vec3 } from '../body/body-def.js';
import type { AnyBodyDef } from '../body/kinds/any-body-def.js';
import type { ObstacleDef } from '../collision/obstacles/obstacle.js';
import type { ContactOptions } from '../contact/options.js';
import type { DriveDef } from './drive-def.js';

/** Vertices of flesh or cloth that a rigid body of the scene carries, where they are when both are placed: a hem in a ring, flesh on a bone that is touched itself. */
export interface AttachmentDef {
  /** Name of the rigid body in the scene, and of its part; default its first. */
  readonly to: string;
  readonly part?: string;
  /** Vertices of the body that is attached. */
  readonly vertices: ArrayLike<number>;
}

/** A body placed in a scene. Placements that share one description (the same object) share its factorisation. */
export interface PlacementDef<Body extends AnyBodyDef = BodyDef> {
  readonly body: Body;
  /** Name in this scene; default the body's name. */
  readonly name?: string;
  /** Moves the whole body from its rest place [m]. */
  readonly position?: Vec3;
  /** Turns the whole body about its rest origin, quaternion x,y,z,w. */
  readonly rotation?: readonly [number, number, number, number];
  /** Velocity of every vertex at the start [m/s]. */
  readonly velocity?: Vec3;
  /** Angular velocity about the centre of mass at the start [rad/s]. */
  readonly angularVelocity?: Vec3;
  /**
   * Positions at the start where they differ from the rest shape (before `position` and `rotation` act) [m]. Bones stay rigid:
   * each starts at the place nearest to its vertices'.
   */
  readonly startPositions?: Float64Array;
  /**
   * Coulomb's coefficient of friction against other bodies and itself; default 0.5. Of two bodies the geometric mean counts;
   * against an obstacle, the obstacle's.
   */
  readonly friction?: number;
  /**
   * Share of the approach speed that a hit gives back, 0 to 1; default 0. Against another body or an obstacle the larger of the two counts. For rigid
   * bodies of the coupled solver; others refuse it.
   */
  readonly restitution?: number;
  /** What of it rigid bodies carry; they do not touch it otherwise. For flesh and cloth of the coupled solver; others refuse it. */
  readonly attachments?: readonly AttachmentDef[];
}

/** The solver of a scene, as data: its kind, and whatever options that kind has (docs/solvers.md). */
export interface SolverDef {
  readonly kind: string;
  readonly [option: string]: unknown;
}

/** A scene: bodies, of flesh unless said otherwise, gravity and the time step it is meant to be run with. */
export interface SceneDef<Body extends AnyBodyDef = BodyDef> {
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  readonly bodies: readonly PlacementDef<Body>[];
  /** What moves the bodies; default projective. */
  readonly solver?: SolverDef;
  /** What bodies cannot enter: floors, walls, drums. */
  readonly obstacles?: readonly ObstacleDef[];
  /** What moves bones by itself, in this order. */
  readonly drives?: readonly DriveDef[];
  /** Gravitational acceleration [m/s^2]; default [0, -9.81, 0]. */
  readonly gravity?: Vec3;
  /** Time step the scene is meant for [s]; default 1/60. */
  readonly dt?: number;
  /** Local/global iterations per step; default 10. */
  readonly iterations?: number;
  /** How contact is answered; default 'implicit'. See `ContactOptions`. */
  readonly contact?: ContactOptions['contact'];
  /** Whether bodies can touch themselves; default true where there are obstacles or several bodies. */
  readonly selfContact?: boolean;
}

/** A scene that may hold bodies of any kind. */
export type AnySceneDef = SceneDef<AnyBodyDef>;
