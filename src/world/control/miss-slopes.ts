/**
 * Slopes of what is left to a goal by the state of a world, by nudging one number of the state after the other: the goal is any function of
 * positions, velocities, poses and rates, and asking it is cheap. Bones are nudged with the vertices on them.
 */
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import { multiplyQuat } from '../../math/quat.js';
import { smallRotationQuat } from '../../math/rotation.js';
import { StateSlopes } from '../../solvers/step-slopes.js';
import type { World, WorldBody } from '../world.js';

/** Nudges, of a body's size for places and turns, of its size per second for rates. */
const NUDGE = 1e-5;

/** One set of slopes per number of the goal and body: slopes[number][body]. The world is left as it was. */
export function missSlopes(world: World, miss: (world: World) => ArrayLike<number>): StateSlopes[][] {
  const count = miss(world).length;
  const slopes = Array.from({ length: count }, () => world.bodies.map(({ model }) => new StateSlopes(model)));
  world.bodies.forEach((body, b) => {
    const ask = (nudge: (by: number) => void, step: number, write: (slopes: StateSlopes, value: number) => void) => {
      nudge(step);
      const above = Float64Array.from(miss(world));
      nudge(-step);
      const below = miss(world);
      nudge(0);
      for (let i = 0; i < count; i++) {
        const value = (above[i] - below[i]) / (2 * step);
        if (value !== 0) write(slopes[i][b], value);
      }
    };
    nudgeFlesh(body, ask);
    nudgeBones(body, ask);
  });
  return slopes;
}

type Ask = (nudge: (by: number) => void, step: number, write: (slopes: StateSlopes, value: number) => void) => void;

function nudgeFlesh({ model, state }: WorldBody, ask: Ask): void {
  const step = NUDGE * model.size;
  for (let i = 0; i < model.vertexCount * 3; i++) {
    const v = Math.floor(i / 3);
    if (model.bones.ofVertex[v] >= 0 || model.pinned[v]) continue;
    const [x, u] = [state.positions[i], state.velocities[i]];
    ask(
      (by) => {
        state.positions[i] = x + by;
      },
      step,
      (slopes, value) => {
        slopes.positions[i] = value;
      },
    );
    ask(
      (by) => {
        state.velocities[i] = u + by;
      },
      step,
      (slopes, value) => {
        slopes.velocities[i] = value;
      },
    );
  }
}

function nudgeBones({ model, state }: WorldBody, ask: Ask): void {
  for (let bone = 0; bone < model.bones.count; bone++) {
    const kept = new KeptBone(model, state, bone);
    for (let k = 0; k < 3; k++) {
      ask(
        (by) => kept.turn(k, by),
        NUDGE,
        (slopes, value) => {
          slopes.turns[bone * 3 + k] = value;
        },
      );
      ask(
        (by) => kept.shift(k, by),
        NUDGE * model.size,
        (slopes, value) => {
          slopes.bones[bone * 12 + 9 + k] = value;
        },
      );
    }
    for (let k = 0; k < 12; k++) {
      ask(
        (by) => kept.speedUp(k, by),
        NUDGE,
        (slopes, value) => {
          slopes.boneRates[bone * 12 + k] = value;
        },
      );
    }
  }
}

/** A bone as it was, to be nudged from. */
class KeptBone {
  readonly #model: Model;
  readonly #state: BodyState;
  readonly #bone: number;
  readonly #quat: Float64Array;
  readonly #place: Float64Array;
  readonly #rates: Float64Array;
  readonly #vertices: Int32Array;
  readonly #turn = new Float64Array(3);
  readonly #by = new Float64Array(4);

  constructor(model: Model, state: BodyState, bone: number) {
    const { vertices, vertexStart } = model.bones;
    this.#model = model;
    this.#state = state;
    this.#bone = bone;
    this.#quat = state.poses.quats.slice(bone * 4, bone * 4 + 4);
    this.#place = state.poses.translations.slice(bone * 3, bone * 3 + 3);
    this.#rates = state.boneRates.slice(bone * 12, bone * 12 + 12);
    this.#vertices = vertices.subarray(vertexStart[bone], vertexStart[bone + 1]);
  }

  /** Turned by a small angle about one of its own axes. */
  turn(axis: number, angle: number): void {
    const { poses } = this.#state;
    this.#turn.fill(0);
    this.#turn[axis] = angle;
    smallRotationQuat(this.#by, 0, this.#turn, 0);
    multiplyQuat(poses.quats, this.#bone * 4, this.#quat, 0, this.#by, 0);
    if (angle === 0) poses.quats.set(this.#quat, this.#bone * 4);
    poses.updateRotation(this.#bone);
    this.#carry();
  }

  shift(k: number, by: number): void {
    this.#state.poses.translations[this.#bone * 3 + k] = this.#place[k] + by;
    this.#carry();
  }

  speedUp(k: number, by: number): void {
    const { boneRates } = this.#state;
    boneRates[this.#bone * 12 + k] = this.#rates[k] + by;
    this.#carry();
  }

  /** Vertices and their velocities go with the bone. */
  #carry(): void {
    const { poses, boneRates, positions, velocities } = this.#state;
    const { centre } = this.#model.bones;
    const rest = this.#model.positions;
    for (const v of this.#vertices) {
      for (let k = 0; k < 3; k++) {
        let place = poses.translations[this.#bone * 3 + k];
        let speed = boneRates[this.#bone * 12 + 9 + k];
        for (let p = 0; p < 3; p++) {
          const offset = rest[v * 3 + p] - centre[this.#bone * 3 + p];
          place += poses.rotations[this.#bone * 9 + k * 3 + p] * offset;
          speed += boneRates[this.#bone * 12 + p * 3 + k] * offset;
        }
        positions[v * 3 + k] = place;
        velocities[v * 3 + k] = speed;
      }
    }
  }
}
