/**
 * Moves obstacles to where the user has put them. The step knows obstacles by their velocities, so that friction drags along
 * what they touch: the velocity is the one that ends at the target.
 */
import type { Vec3 } from '../src/body/body-def.js';
import type { ObstacleDef, ObstacleSet } from '../src/collision/obstacle.js';
import { requireFinite, TendonError } from '../src/errors.js';
import { conjugateQuat, multiplyQuat, normaliseQuat } from '../src/math/quat.js';
import { POSE } from './frame-layout.js';
import type { Quat } from './protocol.js';

/** An obstacle whose velocities are written before each step. */
type Driven = { -readonly [Key in keyof ObstacleDef]: ObstacleDef[Key] } & {
  velocity: [number, number, number];
  angularVelocity: [number, number, number];
};

/** Owns the descriptions of a world's obstacles, and the targets they are sent to. */
export class ObstacleDriver {
  /** To be given to the world. */
  readonly defs: readonly ObstacleDef[];
  readonly #driven: readonly Driven[];
  readonly #own: readonly ObstacleDef[];
  readonly #targets = new Map<number, Float64Array>();
  readonly #turn = new Float64Array(4);

  constructor(defs: readonly ObstacleDef[]) {
    this.#own = defs;
    this.#driven = defs.map((def) => ({
      ...def,
      velocity: [...(def.velocity ?? [0, 0, 0])],
      angularVelocity: [...(def.angularVelocity ?? [0, 0, 0])],
    }));
    this.defs = this.#driven;
  }

  /** Sends an obstacle to a pose; it stays there instead of following velocities of its own. */
  move(index: number, position: Vec3, rotation: Quat): void {
    if (!this.#driven[index]) {
      throw new TendonError('E_INDEX', 'obstacle/index', index, `there are ${this.#driven.length} obstacles`);
    }
    requireFinite(position, 'obstacle/position');
    requireFinite(rotation, 'obstacle/rotation');
    const target = new Float64Array(POSE);
    if (!normaliseQuat(target, 0, rotation, 0)) {
      throw new TendonError('E_RANGE', 'obstacle/rotation', 0, 'a quaternion needs a length');
    }
    target.set(position, 4);
    this.#targets.set(index, target);
  }

  /** Puts an obstacle to where it was sent at once: nothing on the way is touched. */
  jump({ poses }: ObstacleSet, index: number): void {
    // the step works out everything else from the poses
    poses.set(this.#targets.get(index) ?? [], index * POSE);
  }

  /** Sets velocities so that targets are reached at the end of `steps` steps of length `dt` [s]. */
  beforeStep({ poses }: ObstacleSet, dt: number, steps: number): void {
    const turn = this.#turn;
    for (const [index, target] of this.#targets) {
      const { velocity, angularVelocity } = this.#driven[index];
      const o = index * POSE;
      conjugateQuat(turn, 0, poses, o);
      multiplyQuat(turn, 0, target, 0, turn, 0);
      // the turn w of the step is (w/2, 1) normalised; near half a turn it takes more than one step
      const side = turn[3] < 0 ? -1 : 1;
      const real = Math.max(Math.abs(turn[3]), 0.1);
      for (let k = 0; k < 3; k++) {
        velocity[k] = (target[4 + k] - poses[o + 4 + k]) / (dt * steps);
        angularVelocity[k] = (2 * side * turn[k]) / (real * dt * steps);
      }
    }
  }

  /** Forgets targets; obstacles have their own velocities again. */
  reset(): void {
    for (const index of this.#targets.keys()) {
      const { velocity, angularVelocity } = this.#own[index];
      this.#driven[index].velocity = [...(velocity ?? ([0, 0, 0] as const))];
      this.#driven[index].angularVelocity = [...(angularVelocity ?? ([0, 0, 0] as const))];
    }
    this.#targets.clear();
  }
}
