/** Obstacles: shapes standing somewhere, at rest or moved along, that bodies cannot enter. */
import { requireFinite, requireInRange, TendonError } from '../errors.js';
import { quatToMat3 } from '../math/quat.js';
import { turnQuat } from '../math/rotation.js';
import { checkShape, type ShapeDef } from './shape.js';

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
  /** Coulomb's coefficient of friction; default 0.5. */
  readonly friction?: number;
}

/** Numbers per obstacle in `ObstacleSet.poses`: quaternion, position. */
const POSE = 7;

/** Obstacles and where they are. Poses are state: they move from step to step. */
export class ObstacleSet {
  readonly defs: readonly ObstacleDef[];
  readonly friction: Float64Array;
  /** Poses at the start of the step (quaternion, position), and at its end: 7 per obstacle. */
  readonly poses: Float64Array;
  readonly next: Float64Array;
  /** Rotation matrices of both, 9 per obstacle. */
  readonly rotations: Float64Array;
  readonly nextRotations: Float64Array;
  readonly #turn = new Float64Array(3);
  readonly #saved: Float64Array;

  constructor(defs: readonly ObstacleDef[]) {
    this.defs = defs;
    this.friction = new Float64Array(defs.length);
    this.poses = new Float64Array(defs.length * POSE);
    this.next = new Float64Array(defs.length * POSE);
    this.#saved = new Float64Array(defs.length * POSE);
    this.rotations = new Float64Array(defs.length * 9);
    this.nextRotations = new Float64Array(defs.length * 9);
    defs.forEach((def, i) => {
      const place = `scene/obstacles/${i}`;
      checkShape(def.shape, `${place}/shape`);
      this.friction[i] = requireInRange(def.friction ?? 0.5, 0, 10, `${place}/friction`);
      requireFinite(def.velocity ?? [], `${place}/velocity`);
      requireFinite(def.angularVelocity ?? [], `${place}/angularVelocity`);
      requireFinite(def.position ?? [], `${place}/position`);
      requireFinite(def.rotation ?? [], `${place}/rotation`);
      const q = def.rotation ?? [0, 0, 0, 1];
      const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      if (!(length > 1e-6))
        throw new TendonError('E_RANGE', `${place}/rotation`, length, 'a quaternion needs a length');
    });
    this.reset();
  }

  get count(): number {
    return this.defs.length;
  }

  /** Remembers where they are, for `restore`. */
  save(): void {
    this.#saved.set(this.poses);
  }

  restore(): void {
    this.poses.set(this.#saved);
    this.next.set(this.#saved);
    this.#updateRotations();
  }

  /** Back to where the scene put them. */
  reset(): void {
    this.defs.forEach((def, i) => {
      const q = def.rotation ?? [0, 0, 0, 1];
      const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (let k = 0; k < 4; k++) this.poses[i * POSE + k] = q[k] / length;
      for (let k = 0; k < 3; k++) this.poses[i * POSE + 4 + k] = def.position?.[k] ?? 0;
    });
    this.next.set(this.poses);
    this.#updateRotations();
  }

  /** Where they will be at the end of a step of length `h` [s]. */
  predict(h: number): void {
    this.next.set(this.poses);
    for (let i = 0; i < this.defs.length; i++) {
      const { velocity, angularVelocity } = this.defs[i];
      for (let k = 0; k < 3; k++) {
        if (velocity) this.next[i * POSE + 4 + k] += h * velocity[k];
        this.#turn[k] = angularVelocity ? h * angularVelocity[k] : 0;
      }
      if (angularVelocity) turnQuat(this.next, i * POSE, this.#turn, 0);
    }
    this.#updateRotations();
  }

  /** The step was taken: they are where they were going. */
  commit(): void {
    this.poses.set(this.next);
    this.rotations.set(this.nextRotations);
  }

  #updateRotations(): void {
    for (let i = 0; i < this.defs.length; i++) {
      quatToMat3(this.rotations, i * 9, this.poses, i * POSE);
      quatToMat3(this.nextRotations, i * 9, this.next, i * POSE);
    }
  }
}

/** out = Rᵀ (p − t): a world point in the frame of obstacle i at the start of the step. */
export function intoObstacle(set: ObstacleSet, i: number, p: Float64Array, at: number, out: Float64Array): void {
  const r = i * 9;
  const t = i * POSE + 4;
  const x = p[at] - set.poses[t];
  const y = p[at + 1] - set.poses[t + 1];
  const z = p[at + 2] - set.poses[t + 2];
  for (let k = 0; k < 3; k++) {
    out[k] = set.rotations[r + k] * x + set.rotations[r + 3 + k] * y + set.rotations[r + 6 + k] * z;
  }
}

/** A point (or, without `shift`, a direction) of obstacle i's frame in the world at the end of the step. */
export function outOfObstacle(
  set: ObstacleSet,
  i: number,
  p: Float64Array,
  shift: boolean,
  out: Float64Array,
  o: number,
): void {
  const r = i * 9;
  const t = i * POSE + 4;
  for (let k = 0; k < 3; k++) {
    const row = r + k * 3;
    out[o + k] =
      set.nextRotations[row] * p[0] +
      set.nextRotations[row + 1] * p[1] +
      set.nextRotations[row + 2] * p[2] +
      (shift ? set.next[t + k] : 0);
  }
}
