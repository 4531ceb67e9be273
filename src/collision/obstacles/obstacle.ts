/** Obstacles: shapes standing somewhere, at rest or moved along, that bodies cannot enter. */
import { requireInRange } from '../../errors.js';
import { normaliseQuat, quatToMat3 } from '../../math/quat.js';
import { turnQuat } from '../../math/rotation.js';
import { checkObstacle, NO_OBSTACLE, type ObstacleDef } from './obstacle-def.js';
import type { PathTrack } from './obstacle-path.js';

export type { ObstacleDef } from './obstacle-def.js';
export type { ObstaclePath } from './obstacle-path.js';

/** Numbers per obstacle in `ObstacleSet.poses`: quaternion, position. */
export const POSE = 7;

/** Obstacles and where they are. Poses are state: they move from step to step. */
export class ObstacleSet {
  readonly defs: readonly ObstacleDef[];
  readonly friction: Float64Array;
  readonly restitution: Float64Array;
  /** Poses at the start of the step (quaternion, position), and at its end: 7 per obstacle. */
  readonly poses: Float64Array;
  readonly next: Float64Array;
  /** Rotation matrices of both, 9 per obstacle. */
  readonly rotations: Float64Array;
  readonly nextRotations: Float64Array;
  /** Time since the start of the world, at the start of the step and at its end [s]. */
  readonly clock = new Float64Array(2);
  /** Length of the step that was predicted last [s]. */
  readonly step = new Float64Array(1);
  /** 1 for obstacles that the user moves, and where they are sent: 7 numbers each. */
  readonly held: Int32Array;
  readonly targets: Float64Array;
  /** When those that are no longer there were removed, on `clock` [s]. */
  readonly removedAt: Float64Array;
  readonly #paths: readonly (PathTrack | undefined)[];
  readonly #turn = new Float64Array(3);
  readonly #saved: readonly (Float64Array | Int32Array)[];

  constructor(defs: readonly ObstacleDef[]) {
    this.defs = defs;
    this.friction = new Float64Array(defs.length);
    this.restitution = new Float64Array(defs.length);
    this.poses = new Float64Array(defs.length * POSE);
    this.next = new Float64Array(defs.length * POSE);
    this.rotations = new Float64Array(defs.length * 9);
    this.nextRotations = new Float64Array(defs.length * 9);
    this.held = new Int32Array(defs.length);
    this.targets = new Float64Array(defs.length * POSE);
    this.removedAt = new Float64Array(defs.length);
    this.#paths = defs.map((def, i) => {
      const place = `scene/obstacles/${i}`;
      this.friction[i] = requireInRange(def.friction ?? 0.5, 0, 10, `${place}/friction`);
      this.restitution[i] = requireInRange(def.restitution ?? 0, 0, 1, `${place}/restitution`);
      return checkObstacle(def, place);
    });
    this.#saved = this.stateArrays().map((array) => array.slice());
    this.reset();
  }

  /** One more than the highest number an obstacle has. */
  get count(): number {
    return this.defs.length;
  }

  /** Whether there is an obstacle of this number, which may have been removed. */
  has(i: number): boolean {
    return this.defs[i] !== undefined && this.defs[i] !== NO_OBSTACLE;
  }

  /** Everything that decides how obstacles go on: a copy of these, written back, is a way to return. */
  stateArrays(): readonly (Float64Array | Int32Array)[] {
    return [this.poses, this.clock, this.held, this.targets];
  }

  /** Remembers where they are, for `restore`. */
  save(): void {
    this.#saved[0].set(this.poses);
    this.#saved[1].set(this.clock);
    this.#saved[2].set(this.held);
    this.#saved[3].set(this.targets);
  }

  restore(): void {
    this.poses.set(this.#saved[0]);
    this.clock.set(this.#saved[1]);
    this.held.set(this.#saved[2]);
    this.targets.set(this.#saved[3]);
    this.next.set(this.poses);
    this.#updateRotations();
  }

  /** Back to where the scene put them; poses set by the user are forgotten. */
  reset(): void {
    this.clock.fill(0);
    this.held.fill(0);
    this.targets.fill(0);
    this.removedAt.fill(-1);
    for (let i = 0; i < this.defs.length; i++) this.#begin(i);
    this.next.set(this.poses);
    this.#updateRotations();
  }

  /** Takes the place of another set: all are where they are there, but number `i`, which is where its description puts it now. */
  takeOver(from: ObstacleSet, i: number): void {
    this.poses.set(from.poses);
    this.clock.set(from.clock);
    this.held.set(from.held);
    this.targets.set(from.targets);
    this.removedAt.set(from.removedAt);
    this.held[i] = 0;
    this.targets.fill(0, i * POSE, (i + 1) * POSE);
    this.#begin(i);
    this.next.set(this.poses);
    this.#updateRotations();
  }

  /**
   * Where they will be at the end of a step of length `h` [s]. `left`: time until those that the user moves should be there;
   * longer than `h` where a step is taken in parts.
   */
  predict(h: number, left = h): void {
    this.clock[1] = this.clock[0] + h;
    this.step[0] = h;
    this.next.set(this.poses);
    for (let i = 0; i < this.defs.length; i++) {
      if (this.held[i] === 1) this.#approach(i, h < left ? h / left : 1);
      else this.#follow(i, h);
    }
    this.#updateRotations();
  }

  /** The step was taken: they are where they were going. */
  commit(): void {
    this.clock[0] = this.clock[1];
    this.poses.set(this.next);
    this.rotations.set(this.nextRotations);
  }

  /** Where obstacle i is by its description at the present time; zeros where there is none. */
  #begin(i: number): void {
    const def = this.defs[i];
    this.poses.fill(0, i * POSE, (i + 1) * POSE);
    if (def === NO_OBSTACLE) return;
    normaliseQuat(this.poses, i * POSE, def.rotation ?? [0, 0, 0, 1], 0);
    for (let k = 0; k < 3; k++) this.poses[i * POSE + 4 + k] = def.position?.[k] ?? 0;
    this.#paths[i]?.poseAt(this.clock[0], this.poses, i * POSE);
  }

  /** The next pose of obstacle i by its own velocities or path. */
  #follow(i: number, h: number): void {
    const { velocity, angularVelocity } = this.defs[i];
    for (let k = 0; k < 3; k++) {
      if (velocity) this.next[i * POSE + 4 + k] += h * velocity[k];
      this.#turn[k] = angularVelocity ? h * angularVelocity[k] : 0;
    }
    if (angularVelocity) turnQuat(this.next, i * POSE, this.#turn, 0);
    this.#paths[i]?.poseAt(this.clock[1], this.next, i * POSE);
  }

  /** The next pose of obstacle i, a `share` of the way to its target; all of it is the target to the last bit. */
  #approach(i: number, share: number): void {
    const { next, targets } = this;
    const o = i * POSE;
    let same = 0;
    for (let k = 0; k < 4; k++) same += next[o + k] * targets[o + k];
    for (let k = 0; k < POSE; k++) {
      // of the two quaternions of the present rotation the one nearer to the target
      const from = k < 4 && same < 0 ? -next[o + k] : next[o + k];
      next[o + k] = share < 1 ? from + share * (targets[o + k] - from) : targets[o + k];
    }
    if (share < 1) normaliseQuat(next, o, next, o);
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
  const m = set.rotations;
  out[0] = m[r] * x + m[r + 3] * y + m[r + 6] * z;
  out[1] = m[r + 1] * x + m[r + 4] * y + m[r + 7] * z;
  out[2] = m[r + 2] * x + m[r + 5] * y + m[r + 8] * z;
}

/** out = Rᵀ (p − t): a world point in the frame of obstacle i at the end of the step. */
export function intoObstacleAtEnd(set: ObstacleSet, i: number, p: Float64Array, at: number, out: Float64Array): void {
  const r = i * 9;
  const t = i * POSE + 4;
  const x = p[at] - set.next[t];
  const y = p[at + 1] - set.next[t + 1];
  const z = p[at + 2] - set.next[t + 2];
  const m = set.nextRotations;
  out[0] = m[r] * x + m[r + 3] * y + m[r + 6] * z;
  out[1] = m[r + 1] * x + m[r + 4] * y + m[r + 7] * z;
  out[2] = m[r + 2] * x + m[r + 5] * y + m[r + 8] * z;
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
