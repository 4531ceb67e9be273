/** A running scene: the world, its pace, and what is grabbed. Knows nothing of workers or pages. */
import { buildScene } from '../scenes/index.js';
import { DEFAULT_ITERATIONS } from '../src/constants.js';
import {
  type Certificate,
  createWorld,
  disposeWorld,
  type Grab,
  grabBody,
  moveGrab,
  releaseGrab,
  resetWorld,
  stepWorld,
  type World,
} from '../src/index.js';
import { PROJECTIVE_DEFAULTS } from '../src/solvers/projective/options.js';
import { BodyFrames } from './body-frames.js';
import { type FrameLayout, layOutFrame } from './frame-layout.js';
import { Pacer } from './pacer.js';
import type { Frame, Point, SceneInfo, Settings } from './protocol.js';
import { describeObstacles, describeStage } from './stage-info.js';

/** What a frame is asked for. */
export interface Advance {
  readonly elapsed: number;
  readonly steps: number;
  readonly exact: boolean;
  readonly buffer: Float32Array<ArrayBuffer>;
}

/** Owns a world and steps it. */
export class Simulation {
  readonly info: SceneInfo;
  readonly #world: World;
  readonly #bodies: readonly BodyFrames[];
  readonly #layout: FrameLayout;
  readonly #obstaclesBefore: Float64Array;
  readonly #pacer = new Pacer();
  readonly #point = new Float64Array(3);
  #grab: Grab | undefined;

  /** Builds the scene of that name; settings not given are the scene's own. */
  static async create(scene: string, settings: Partial<Settings>): Promise<Simulation> {
    const began = performance.now();
    const { gravity, ...options } = settings;
    const def = buildScene(scene);
    const world = await createWorld(def, options);
    const usual: Settings = {
      iterations: def.iterations ?? DEFAULT_ITERATIONS,
      bones: PROJECTIVE_DEFAULTS.bones,
      integrator: PROJECTIVE_DEFAULTS.integrator,
      gravity: world.gravity[1],
    };
    if (gravity !== undefined) world.gravity[1] = gravity;
    return new Simulation(world, def.description, usual, began);
  }

  constructor(world: World, description: string, usualSettings: Settings, began: number) {
    this.#world = world;
    this.#bodies = world.bodies.map((body) => new BodyFrames(body));
    const bodies = this.#bodies.map(({ info }) => info);
    this.#layout = layOutFrame(bodies, world.obstacles.count);
    this.#obstaclesBefore = world.obstacles.poses.slice();
    const { iterations, bones, integrator } = world.options;
    this.info = {
      name: world.name,
      description,
      bodies,
      obstacles: describeObstacles(world),
      settings: { iterations, bones, integrator, gravity: world.gravity[1] },
      usualSettings,
      dt: world.dt,
      totalMass: world.bodies.reduce((sum, { model }) => sum + model.totalMass, 0),
      tetCount: world.bodies.reduce((sum, { model }) => sum + model.tetCount, 0),
      stage: describeStage(world),
      buildMs: performance.now() - began,
    };
  }

  /** Changes what can change while running; `bones` cannot. */
  set(settings: Settings): void {
    this.#world.options.iterations = Math.round(settings.iterations);
    this.#world.options.integrator = settings.integrator;
    this.#world.gravity[1] = settings.gravity;
  }

  /** Back to the start. */
  reset(): void {
    this.release();
    resetWorld(this.#world);
    this.#pacer.reset();
    this.#remember();
  }

  grab(body: number, point: Point): void {
    this.release();
    this.#grab = grabBody(this.#world, body, [...point]);
  }

  moveGrab(target: Point): void {
    if (this.#grab) moveGrab(this.#grab, [...target]);
  }

  release(): void {
    if (this.#grab) releaseGrab(this.#world, this.#grab);
    this.#grab = undefined;
  }

  /** Takes the steps that are due and draws the result. */
  advance({ elapsed, steps, exact, buffer }: Advance): Frame {
    const world = this.#world;
    const clock = () => performance.now();
    const began = clock();
    let taken = this.#pacer.run(elapsed, world.dt, () => this.#step(), clock);
    for (let i = 0; i < steps && this.#step(); i++) taken++;
    const stepMs = taken > 0 ? (clock() - began) / taken : 0;
    const out = buffer.length === this.#layout.length ? buffer : new Float32Array(this.#layout.length);
    const phase = exact ? 1 : this.#pacer.phase(world.dt);
    this.#bodies.forEach((body, i) => {
      body.write(out, this.#layout.bodies[i], phase);
    });
    const { poses } = world.obstacles;
    this.#obstaclesBefore.forEach((from, i) => {
      out[this.#layout.obstacles + i] = from + phase * (poses[i] - from);
    });
    return {
      buffer: out,
      stepCount: world.stepCount,
      time: world.time,
      steps: taken,
      dropped: this.#pacer.dropped,
      stepMs,
      certificate: copyCertificate(world.certificate),
      grabbed: this.#grabbedPoint(),
      fault: world.fault?.message,
    };
  }

  dispose(): void {
    disposeWorld(this.#world);
  }

  #step(): boolean {
    this.#remember();
    return stepWorld(this.#world);
  }

  /** Keeps the state before a step, to draw what is between. */
  #remember(): void {
    for (const body of this.#bodies) body.remember();
    this.#obstaclesBefore.set(this.#world.obstacles.poses);
  }

  #grabbedPoint(): Point | undefined {
    if (!this.#grab) return undefined;
    this.#grab.point(this.#point);
    return [this.#point[0], this.#point[1], this.#point[2]];
  }
}

function copyCertificate(certificate: Certificate): Certificate {
  return { ...certificate, ms: { ...certificate.ms } };
}
