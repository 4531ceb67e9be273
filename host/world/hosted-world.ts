/** A world that somebody looks at: what acts on it before each step, and pictures between its last two states. */
import { disposeWorld, resetWorld } from '../../src/world/create-world.js';
import { stepWorld } from '../../src/world/step.js';
import type { World } from '../../src/world/world.js';
import { blendPoses } from '../frames/blend.js';
import { BodyFrames, type BodyLook } from '../frames/body-frames.js';
import type { BodyLayout } from '../frames/frame-layout.js';
import type { BoneDriver } from './bone-driver.js';
import { Hands } from './hands.js';

/** Owns a world. The same acts in the same order give the same bits, on whatever thread. */
export class HostedWorld {
  readonly world: World;
  readonly bodies: readonly BodyFrames[];
  readonly hands: Hands;
  /** Play the clips of bodies that are characters, one each, in their order. */
  readonly drivers: BoneDriver[] = [];
  /** Where it is drawn, from where it is [m]. */
  offset: readonly [number, number, number] = [0, 0, 0];
  /** Poses of the obstacles from the start, before the last step. */
  readonly #obstaclesBefore: Float64Array;

  /** `looks`: how each body is shown. */
  constructor(world: World, looks: readonly (BodyLook | undefined)[]) {
    this.world = world;
    this.bodies = world.bodies.map((body, i) => new BodyFrames(body, looks[i]));
    this.hands = new Hands(world);
    this.#obstaclesBefore = world.obstacles.poses.slice();
  }

  /** One step; false where it failed. */
  step(): boolean {
    const { world, hands } = this;
    this.remember();
    for (const driver of this.drivers) driver.beforeStep(world.dt);
    this.drivers.forEach(({ morphs }, i) => {
      if (morphs) this.bodies[i].morphs?.set(morphs);
    });
    hands.beforeStep(world.dt);
    const good = stepWorld(world);
    hands.afterStep();
    return good;
  }

  /** Blends a morph target of a body in; what is unknown is ignored. */
  setMorph(body: number, morph: number, value: number): void {
    const morphs = this.bodies[body]?.morphs;
    if (!morphs || !(morph in morphs.values) || !Number.isFinite(value)) return;
    morphs.set(morphs.values.map((old, i) => (i === morph ? value : old)));
  }

  /** Keeps the state before a step, to draw what is between. */
  remember(): void {
    for (const body of this.bodies) body.remember();
    this.#obstaclesBefore.set(this.world.obstacles.poses.subarray(0, this.#obstaclesBefore.length));
  }

  /** Back to the start, with nothing held. */
  reset(): void {
    this.hands.releaseAll();
    resetWorld(this.world);
    for (const driver of this.drivers) driver.reset();
    this.remember();
  }

  /**
   * Writes the picture `phase` (0 to 1) of the way from the state before the last step to the one after it. `layouts` are those
   * of this world's bodies; of obstacles only those from the start are written: what comes later the page has itself.
   */
  write(out: Float32Array, layouts: readonly BodyLayout[], obstacles: number, phase: number): void {
    this.bodies.forEach((body, i) => {
      body.write(out, layouts[i], phase);
    });
    blendPoses(this.#obstaclesBefore, this.world.obstacles.poses, phase, out, obstacles, this.offset);
  }

  dispose(): void {
    disposeWorld(this.world);
  }
}
