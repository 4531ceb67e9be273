/** What a user writes down about an obstacle, and whether it makes sense. */
import { requireNumbers, TendonError } from '../../errors.js';
import { checkShape, type ShapeDef } from '../shapes/shape-def.js';
import { prepareShape } from '../shapes/shape-prepared.js';
import { type ObstaclePath, PathTrack } from './obstacle-path.js';

/** What a user writes down about an obstacle. */
export interface ObstacleDef {
  readonly name: string;
  readonly shape: ShapeDef;
  /** Where the shape's origin is [m]; default 0. */
  readonly position?: readonly [number, number, number];
  /** How it is turned, quaternion x, y, z, w. */
  readonly rotation?: readonly [number, number, number, number];
  /** Constant velocity [m/s] and angular velocity [rad/s], about its own origin; default at rest. */
  readonly velocity?: readonly [number, number, number];
  readonly angularVelocity?: readonly [number, number, number];
  /** Poses at given times, instead of velocities. */
  readonly path?: ObstaclePath;
  /** Coulomb's coefficient of friction; default 0.5. */
  readonly friction?: number;
  /** Share of the approach speed that is given back, 0 to 1; default 0. */
  readonly restitution?: number;
}

/** Holds the number of an obstacle that was removed, until another one gets it: bodies never meet it. */
export const NO_OBSTACLE: ObstacleDef = { name: '', shape: { kind: 'sphere', radius: 1 } };

/** Throws unless an obstacle makes sense; returns its path, if it has one. */
export function checkObstacle(def: ObstacleDef, place: string): PathTrack | undefined {
  checkShape(def.shape, `${place}/shape`);
  requireVector(def.velocity ?? [0, 0, 0], `${place}/velocity`);
  requireVector(def.angularVelocity ?? [0, 0, 0], `${place}/angularVelocity`);
  requireVector(def.position ?? [0, 0, 0], `${place}/position`);
  requireQuat(def.rotation ?? [0, 0, 0, 1], `${place}/rotation`);
  const path = def.path && new PathTrack(def.path, `${place}/path`);
  const moves = (velocity: readonly number[] | undefined) => velocity?.some((value) => value !== 0) ?? false;
  if ((path?.hasPositions && moves(def.velocity)) || (path?.hasRotations && moves(def.angularVelocity))) {
    const advice = 'a path takes the place of a velocity: give one of them';
    throw new TendonError('E_RANGE', `${place}/path`, undefined, advice);
  }
  prepareShape(def.shape, `${place}/shape`);
  return path;
}

/** Throws unless v is three finite numbers. */
export function requireVector(v: ArrayLike<number>, place: string): void {
  requireNumbers(v, 3, place);
}

/** Throws unless q is a quaternion that can be brought to unit length. */
export function requireQuat(q: ArrayLike<number>, place: string): void {
  requireNumbers(q, 4, place);
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-6)) throw new TendonError('E_RANGE', place, length, 'a quaternion needs a length');
}
