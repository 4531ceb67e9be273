/** What hands do to a body, at random: the acts of `tendon bench hands`. */
import {
  type Grab,
  grabBody,
  moveGrab,
  releaseGrab,
  setBoneKinematic,
  setBoneTarget,
  type World,
  type WorldBody,
} from '../../src/index.js';
import type { Random } from '../../src/math/random.js';

/** Most grips at a time, pins included. */
const MOST_GRIPS = 3;
/** Farthest a target jumps, in metres, drawn with equal odds. */
const JUMPS = [0.1, 0.3, 1, 10];
/** Hardest push, in weights of the body. */
const HARDEST_PUSH = 5;

/** Acts on the first body of a world. */
export class RandomHands {
  readonly #world: World;
  readonly #body: WorldBody;
  readonly #random: Random;
  readonly #acts: readonly (() => void)[];
  readonly #kinematic: Int32Array;
  #grips: Grab[] = [];

  constructor(world: World, random: Random) {
    this.#world = world;
    [this.#body] = world.bodies;
    this.#random = random;
    this.#kinematic = this.#body.state.kinematic.slice();
    const [jump, grab] = [() => this.#jump(), () => this.#grab()];
    // jumps are what hands do most; a grip that never moves again is a pin
    this.#acts = [jump, jump, jump, grab, grab, () => this.#release(), () => this.#push(), () => this.#switchBone()];
  }

  /** One act, drawn at random. */
  act(): void {
    this.#body.state.forces.fill(0);
    this.#acts[this.#random.integer(this.#acts.length)]();
  }

  /** Lets go of everything; bones are held as they were at first. */
  letGo(): void {
    for (const grab of this.#grips) releaseGrab(this.#world, grab);
    this.#grips = [];
    this.#body.state.forces.fill(0);
    this.#kinematic.forEach((kinematic, bone) => {
      setBoneKinematic(this.#body, bone, kinematic === 1);
    });
  }

  #grab(): void {
    if (this.#grips.length >= MOST_GRIPS) this.#release();
    const { model, state } = this.#body;
    const vertex = this.#random.integer(model.vertexCount);
    if (model.pinned[vertex]) return;
    const point = state.positions.slice(vertex * 3, vertex * 3 + 3);
    // now and then a single point instead of a handful
    const options = this.#random.integer(4) === 0 ? { radius: 1e-6 * model.size } : {};
    this.#grips.push(grabBody(this.#world, 0, point, options));
  }

  #jump(): void {
    if (this.#grips.length === 0) this.#grab();
    const grab = this.#grips[this.#random.integer(this.#grips.length)];
    if (!grab) return;
    const point = new Float64Array(3);
    const way = new Float64Array(3);
    grab.point(point);
    this.#random.unitVector(way, 0);
    const far = JUMPS[this.#random.integer(JUMPS.length)];
    moveGrab(
      grab,
      point.map((x, k) => x + far * way[k]),
    );
  }

  #release(): void {
    const [grab] = this.#grips.splice(this.#random.integer(Math.max(1, this.#grips.length)), 1);
    if (grab) releaseGrab(this.#world, grab);
  }

  /** Pushes what is around a vertex: a palm of 12 % of the body's size. */
  #push(): void {
    const { model, state } = this.#body;
    const centre = this.#random.integer(model.vertexCount) * 3;
    const near: number[] = [];
    for (let v = 0; v < model.vertexCount; v++) {
      let square = 0;
      for (let k = 0; k < 3; k++) square += (state.positions[v * 3 + k] - state.positions[centre + k]) ** 2;
      if (square < (0.12 * model.size) ** 2) near.push(v);
    }
    const way = new Float64Array(3);
    this.#random.unitVector(way, 0);
    const force = (this.#random.range(0, HARDEST_PUSH) * model.totalMass * 9.81) / near.length;
    for (const v of near) for (let k = 0; k < 3; k++) state.forces[v * 3 + k] = force * way[k];
  }

  /** Makes a bone kinematic and sends it somewhere near, or lets it go again. One at a time: of two, joints could not close. */
  #switchBone(): void {
    const { model, state } = this.#body;
    if (model.bones.count === 0) return;
    const bone = this.#random.integer(model.bones.count);
    const isKinematic = state.kinematic[bone] === 1;
    for (let other = 0; other < model.bones.count; other++) setBoneKinematic(this.#body, other, false);
    setBoneKinematic(this.#body, bone, !isKinematic);
    if (isKinematic) return;
    const way = new Float64Array(3);
    this.#random.unitVector(way, 0);
    const position = way.map((x, k) => state.poses.translations[bone * 3 + k] + 0.1 * model.size * x);
    setBoneTarget(this.#body, bone, { position, rotation: state.poses.quats.slice(bone * 4, bone * 4 + 4) });
  }
}
