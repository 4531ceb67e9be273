/** A running simulation: a world, what acts on it, and pictures of it. Knows nothing of workers, pages or three.js. */
import { type ContactTracker, trackContacts } from '../src/contact/touch-events.js';
import { TendonError } from '../src/errors.js';
import { setBoneKinematic, setBoneTarget } from '../src/world/bone-control.js';
import { createWorld, disposeWorld, resetWorld } from '../src/world/create-world.js';
import { hashWorld } from '../src/world/snapshot.js';
import { stepWorld } from '../src/world/step.js';
import type { World, WorldBody } from '../src/world/world.js';
import { BodyFrames, blendQuats } from './body-frames.js';
import { BoneDriver } from './bone-driver.js';
import { type BuiltScene, buildSpecScene, type Progress } from './build-simulation.js';
import { packError } from './error-data.js';
import { type FrameLayout, layOutFrame, POSE } from './frame-layout.js';
import { Hands } from './hands.js';
import { ObstacleDriver } from './obstacle-driver.js';
import type { Action, ContactNews, FrameNews, SimulationInfo, SimulationSpec } from './protocol.js';

/** Owns a world and steps it. The same commands in the same order give the same bits, on whatever thread. */
export class SimulationCore {
  readonly info: SimulationInfo;
  /** Where the numbers of a picture lie. */
  readonly layout: FrameLayout;
  readonly #world: World;
  readonly #bodies: readonly BodyFrames[];
  readonly #hands: Hands;
  readonly #driver: BoneDriver | undefined;
  readonly #obstacles: ObstacleDriver;
  /** Poses of the obstacles from the start, before the last step. */
  readonly #obstaclesBefore: Float64Array;
  readonly #contacts: ContactTracker;

  /** Builds a simulation; throws a TendonError that says what cannot be used. */
  static async create(spec: SimulationSpec, progress: Progress = () => {}): Promise<SimulationCore> {
    const built = await buildSpecScene(spec, progress);
    // the page may bring obstacles at any time
    return new SimulationCore(await createWorld(built.scene, { ...spec.world, obstaclesLater: true }), built);
  }

  private constructor(world: World, { character }: BuiltScene) {
    this.#world = world;
    this.#obstacles = new ObstacleDriver(world);
    this.#obstaclesBefore = world.obstacles.poses.slice();
    this.#bodies = world.bodies.map((body) => new BodyFrames(body, character));
    this.#hands = new Hands(world);
    this.#driver = character && new BoneDriver(character, world.bodies[0]);
    this.#contacts = trackContacts(world);
    this.info = {
      name: world.name,
      dt: world.dt,
      bodies: this.#bodies.map(({ info }) => info),
      obstacles: world.obstacles.defs.map(({ name }) => name),
      clips: character?.clips.map(({ name, duration }) => ({ name, duration })) ?? [],
      ...(character && { report: character.report }),
    };
    this.layout = layOutFrame(this.info);
  }

  /** Does something to the world, before its next step. */
  act(action: Action): void {
    switch (action.kind) {
      case 'grab':
        this.#hands.grab(action.id, action.body, action.point, action.radius);
        break;
      case 'move':
        this.#hands.move(action.id, action.target);
        break;
      case 'release':
        this.#hands.release(action.id);
        break;
      case 'push':
        this.#hands.push(action.body, action.point, action.impulse, action.radius);
        break;
      case 'kinematic':
        this.#setKinematic(action.body, action.bone, action.kinematic);
        break;
      case 'target':
        setBoneTarget(this.#body(action.body), action.bone, action);
        break;
      case 'play':
        if (!this.#driver) throw new TendonError('E_UNKNOWN', 'clip', action.clip, 'only characters have clips');
        this.#driver.play(action.clip, action.speed, action.fadeIn);
        break;
      case 'stop':
        this.#driver?.stop();
        break;
      case 'obstacle':
        this.#obstacles.move(action.index, action.position, action.rotation, action.jump);
        break;
      case 'addObstacle':
        this.#obstacles.add(action.index, action.obstacle);
        break;
      case 'removeObstacle':
        this.#obstacles.remove(action.index);
        break;
      case 'reset':
        this.#reset();
        break;
    }
  }

  /**
   * Takes `steps` steps and writes the picture `phase` (0 to 1) of the way from the state before the last step to the one
   * after it. A step that fails ends the series; `fault` says why.
   */
  advance(steps: number, phase: number, out: Float32Array): FrameNews {
    const world = this.#world;
    const began = performance.now();
    let taken = 0;
    while (taken < steps && this.#step(steps - taken)) taken++;
    const stepMs = taken > 0 ? (performance.now() - began) / taken : 0;
    this.#bodies.forEach((body, i) => {
      body.write(out, this.layout.bodies[i], phase);
    });
    this.#writeObstacles(out, phase);
    return {
      stepCount: world.stepCount,
      time: world.time,
      stepMs,
      certificate: { ...world.certificate, ms: { ...world.certificate.ms } },
      grips: this.#hands.points(),
      contacts: this.#contacts.take().map((touch) => this.#nameObstacle(touch)),
      ...(world.fault && { fault: packError(world.fault) }),
    };
  }

  /** Fingerprint of the state, 16 hexadecimal digits. */
  hash(): string {
    return hashWorld(this.#world);
  }

  dispose(): void {
    disposeWorld(this.#world);
  }

  #step(left: number): boolean {
    const world = this.#world;
    this.#remember();
    this.#driver?.beforeStep(world.dt);
    this.#obstacles.beforeStep(left);
    this.#hands.beforeStep(world.dt);
    const good = stepWorld(world);
    this.#hands.afterStep();
    if (good) this.#contacts.observe();
    return good;
  }

  #setKinematic(index: number, bone: number, kinematic: boolean): void {
    const body = this.#body(index);
    if (this.#driver && index === 0) this.#driver.setKinematic(bone, kinematic);
    else setBoneKinematic(body, bone, kinematic);
  }

  #reset(): void {
    this.#hands.releaseAll();
    this.#driver?.stop();
    this.#obstacles.reset();
    this.#contacts.reset();
    resetWorld(this.#world);
    this.#remember();
  }

  /** Keeps the state before a step, to draw what is between. */
  #remember(): void {
    for (const body of this.#bodies) body.remember();
    this.#obstaclesBefore.set(this.#world.obstacles.poses.subarray(0, this.#obstaclesBefore.length));
  }

  /** A touch with the page's number of its obstacle. */
  #nameObstacle(touch: ContactNews): ContactNews {
    return touch.obstacle < 0 ? touch : { ...touch, obstacle: this.#obstacles.idOf(touch.obstacle) };
  }

  /** Only those from the start: what comes later the page has a mesh of its own for. */
  #writeObstacles(out: Float32Array, phase: number): void {
    const { poses } = this.#world.obstacles;
    const before = this.#obstaclesBefore;
    for (let i = 0; i < before.length; i += POSE) {
      const o = this.layout.obstacles + i;
      blendQuats(before, poses, i, phase, out, o);
      for (let k = 4; k < POSE; k++) out[o + k] = before[i + k] + phase * (poses[i + k] - before[i + k]);
    }
  }

  #body(index: number): WorldBody {
    const body = this.#world.bodies[index];
    if (body) return body;
    throw new TendonError('E_INDEX', 'body', index, `the world has ${this.#world.bodies.length} bodies`);
  }
}
