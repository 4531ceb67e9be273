/** The simulation behind a soft body: a world, what is done to it, and pictures of it. Knows nothing of workers, pages or three.js. */
import { type FrameLayout, layOutFrame } from '../host/frames/frame-layout.js';
import { packError } from '../host/line/error-data.js';
import type { Hosted, Progress } from '../host/line/protocol.js';
import { takeSteps } from '../host/line/take-steps.js';
import { BoneDriver } from '../host/world/bone-driver.js';
import { HostedWorld } from '../host/world/hosted-world.js';
import { ObstacleDriver } from '../host/world/obstacle-driver.js';
import { type ContactTracker, trackContacts } from '../src/contact/touch-events.js';
import { TendonError } from '../src/errors.js';
import { setBoneKinematic, setBoneTarget } from '../src/world/bone-control.js';
import { createWorld } from '../src/world/create-world.js';
import { hashWorld } from '../src/world/snapshot.js';
import type { World, WorldBody } from '../src/world/world.js';
import { type BuiltScene, buildSpecScene } from './build-simulation.js';
import type { Action, ContactNews, FrameNews, SimulationInfo, SimulationSpec } from './protocol.js';

/** Owns a world and steps it. The same commands in the same order give the same bits, on whatever thread. */
export class SimulationCore implements Hosted<SimulationInfo, Action, FrameNews> {
  readonly info: SimulationInfo;
  readonly #layout: FrameLayout;
  readonly #hosted: HostedWorld;
  readonly #obstacles: ObstacleDriver;
  readonly #contacts: ContactTracker;

  /** Builds a simulation; throws a TendonError that says what cannot be used. */
  static async create(spec: SimulationSpec, progress: Progress = () => {}): Promise<SimulationCore> {
    const built = await buildSpecScene(spec, progress);
    // the page may bring obstacles at any time
    return new SimulationCore(await createWorld(built.scene, { ...spec.world, obstaclesLater: true }), built);
  }

  private constructor(world: World, { characters }: BuiltScene) {
    const looks = characters.map((character) => ({ worn: character, skeleton: character.skeleton }));
    this.#hosted = new HostedWorld(world, looks);
    this.#hosted.drivers.push(...characters.map((character, i) => new BoneDriver(world, character, world.bodies[i])));
    this.#obstacles = new ObstacleDriver(world);
    this.#contacts = trackContacts(world);
    this.info = {
      name: world.name,
      dt: world.dt,
      bodies: this.#hosted.bodies.map(({ info }) => info),
      obstacles: world.obstacles.defs.map(({ name }) => name),
      characters: characters.map(({ clips, report }) => ({
        clips: clips.map(({ name, duration }) => ({ name, duration })),
        report,
      })),
    };
    this.#layout = layOutFrame(this.info.bodies, this.info.obstacles.length);
  }

  get length(): number {
    return this.#layout.length;
  }

  /** Does something to the world, before its next step. */
  act(action: Action): void {
    switch (action.kind) {
      case 'grab':
        this.#hosted.hands.grab(action.id, action.body, action.point, action.radius);
        break;
      case 'move':
        this.#hosted.hands.move(action.id, action.target);
        break;
      case 'release':
        this.#hosted.hands.release(action.id);
        break;
      case 'push':
        this.#hosted.hands.push(action.body, action.point, action.impulse, action.radius);
        break;
      case 'kinematic':
        this.#setKinematic(action.body, action.bone, action.kinematic);
        break;
      case 'target':
        setBoneTarget(this.#body(action.body), action.bone, action);
        break;
      case 'play':
        this.#play(action);
        break;
      case 'stop':
        this.#hosted.drivers[action.body]?.stop();
        break;
      case 'follow':
        follow(this.#driver(action.body), action);
        break;
      case 'morph':
        this.#hosted.setMorph(action.body, action.morph, action.value);
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
  advance(steps: number, phase: number, out: Float32Array, alive?: () => void): FrameNews {
    const { world, hands } = this.#hosted;
    const taken = takeSteps(steps, (left) => this.#step(left), alive, [world]);
    this.#hosted.write(out, this.#layout.bodies, this.#layout.obstacles, phase);
    return {
      stepCount: world.stepCount,
      time: world.time,
      ...taken,
      certificate: { ...world.certificate, ms: { ...world.certificate.ms } },
      grips: hands.points(),
      contacts: this.#contacts.take().map((touch) => this.#nameObstacle(touch)),
      ...(world.fault && { fault: packError(world.fault) }),
    };
  }

  /** Fingerprint of the state, 16 hexadecimal digits. */
  answer(question: string): string | undefined {
    return question === 'hash' ? hashWorld(this.#hosted.world) : undefined;
  }

  dispose(): void {
    this.#hosted.dispose();
  }

  #step(left: number): boolean {
    this.#obstacles.beforeStep(left);
    const good = this.#hosted.step();
    if (good) this.#contacts.observe();
    return good;
  }

  #play({ body, clip, speed, fadeIn, strength }: Extract<Action, { kind: 'play' }>): void {
    const driver = this.#driver(body);
    driver.play(clip, speed, fadeIn);
    if (strength !== undefined) driver.strength = strength;
  }

  #driver(body: number): BoneDriver {
    const driver = this.#hosted.drivers[body];
    if (driver) return driver;
    throw new TendonError('E_UNKNOWN', 'body', body, 'only characters have clips to follow');
  }

  #setKinematic(index: number, bone: number, kinematic: boolean): void {
    const body = this.#body(index);
    const driver = this.#hosted.drivers[index];
    if (driver) driver.setKinematic(bone, kinematic);
    else setBoneKinematic(body, bone, kinematic);
  }

  #reset(): void {
    this.#obstacles.reset();
    this.#contacts.reset();
    this.#hosted.reset();
  }

  /** A touch with the page's number of its obstacle. */
  #nameObstacle(touch: ContactNews): ContactNews {
    return touch.obstacle < 0 ? touch : { ...touch, obstacle: this.#obstacles.idOf(touch.obstacle) };
  }

  #body(index: number): WorldBody {
    const { bodies } = this.#hosted.world;
    if (bodies[index]) return bodies[index];
    throw new TendonError('E_INDEX', 'body', index, `the world has ${bodies.length} bodies`);
  }
}

/** How hard bones follow, what one of them does, and what holds the root: whatever is said. */
function follow(driver: BoneDriver, said: Extract<Action, { kind: 'follow' }>): void {
  const { bone, mode, weight, blend, root, strength } = said;
  if (root !== undefined) driver.setRoot(root, blend);
  if (bone === undefined) {
    if (strength !== undefined) driver.strength = strength;
    return;
  }
  if (mode !== undefined) driver.setBone(bone, mode, weight, blend);
  if ('strength' in said) driver.setStrength(bone, strength);
}
