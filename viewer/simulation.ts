/** A running scene: its worlds, their pace, and what is done to them. Knows nothing of workers or pages. */
import { type BoneMethod, createWorld } from '../src/index.js';
import { CutMesh } from './cut.js';
import { EnergyMeter } from './energy.js';
import { type FrameLayout, layOutFrame } from './frame-layout.js';
import { Handling } from './handling.js';
import { Lane } from './lane.js';
import { buildSource, type Progress } from './load-source.js';
import { Motion } from './motion.js';
import { Pacer } from './pacer.js';
import { placeLanes } from './place-lanes.js';
import { NOTHING_WANTED, type Settings, type Source, type Wanted } from './protocol.js';
import type { CutShape, Frame, Recording, SceneInfo } from './scene-info.js';
import { usualSettings, withHolds, withMaterial } from './settle-scene.js';
import { describeObstacles, describeStage } from './stage-info.js';
import { Take } from './take.js';

/** What is shown beside each other. */
const COMPARED: readonly BoneMethod[] = ['exact', 'printed', 'stiff'];

/** What a frame is asked for. */
export interface Advance {
  readonly elapsed: number;
  readonly steps: number;
  readonly exact: boolean;
  readonly buffer: Float32Array<ArrayBuffer>;
}

/** Owns one world, or several beside each other, and steps them. */
export class Simulation {
  readonly info: SceneInfo;
  readonly handling: Handling;
  readonly #motion: Motion;
  wanted: Wanted = NOTHING_WANTED;
  readonly #lanes: readonly Lane[];
  readonly #layout: FrameLayout;
  readonly #pacer = new Pacer();
  #take: Take | undefined;
  #meters: EnergyMeter[] | undefined;
  #cuts: CutMesh[] | undefined;

  /** Builds a scene; settings not given are the scene's own. */
  static async create(source: Source, settings: Partial<Settings>, progress: Progress = () => {}): Promise<Simulation> {
    const began = performance.now();
    const { def, skins, character, notes } = await buildSource(source, progress);
    const usual = usualSettings(def);
    const chosen = { ...usual, ...settings };
    const made = withMaterial(def, chosen);
    const { threads, gravity } = chosen;
    // what the scene and its solver say themselves counts unless somebody asked for something else
    const { iterations, integrator, damping } = settings;
    const lanes: Lane[] = [];
    for (const bones of chosen.compare ? COMPARED : [chosen.bones]) {
      progress('preparing', 1);
      const world = await createWorld(withHolds(made, bones), {
        iterations,
        integrator,
        damping,
        threads,
        bones: chosen.compare ? bones : settings.bones,
      });
      world.gravity[1] = gravity;
      lanes.push(new Lane(world, lanes.length, skins));
    }
    const stage = placeLanes(lanes, describeStage(lanes[0].world));
    const { world } = lanes[0];
    const sum = (of: (model: (typeof world.bodies)[0]['model']) => number) =>
      world.bodies.reduce((total, { model }) => total + of(model), 0);
    const handling = new Handling(lanes);
    const motion = new Motion(lanes, handling, character);
    return new Simulation(lanes, handling, motion, {
      name: source.kind === 'scene' ? world.name : source.name,
      description: def.description,
      bodies: lanes.flatMap(({ bodies }) => bodies.map(({ info }) => info)),
      lanes: lanes.map(({ bones, offset }) => ({ bones, offset })),
      obstacles: lanes.flatMap((lane, i) => describeObstacles(lane.world, i)),
      settings: chosen,
      usualSettings: usual,
      dt: world.dt,
      threads: world.threads.threads,
      notes,
      clips: motion.clips,
      totalMass: sum(({ totalMass }) => totalMass),
      tetCount: sum(({ tetCount }) => tetCount),
      stage,
      buildMs: performance.now() - began,
    });
  }

  private constructor(lanes: readonly Lane[], handling: Handling, motion: Motion, info: SceneInfo) {
    this.#lanes = lanes;
    this.handling = handling;
    this.#motion = motion;
    this.info = info;
    this.#layout = layOutFrame(info.bodies, info.obstacles.length);
  }

  /** Changes what can change while running. */
  set(settings: Settings): void {
    for (const { world } of this.#lanes) {
      world.options.iterations = Math.round(settings.iterations);
      world.options.integrator = settings.integrator;
      world.options.damping = settings.damping;
      world.gravity[1] = settings.gravity;
    }
  }

  /** Back to the start. */
  reset(): void {
    for (const lane of this.#lanes) lane.reset();
    this.handling.reset();
    this.#motion.start();
    this.#pacer.reset();
    this.#take?.clear();
    if (this.#take) this.#addState();
  }

  /** Begins to record with the state at hand; ended, what was recorded. */
  record(on: boolean): Recording | undefined {
    const taken = this.#take?.finish();
    this.#take = on ? new Take(this.info.dt, this.#layout.length) : undefined;
    if (on) this.#addState();
    return on ? undefined : taken;
  }

  /** Plays a clip of the character from the start, or lets it go limp where it is. */
  play(clip: string | undefined): void {
    if (clip === undefined) {
      this.#motion.stop();
      return;
    }
    this.#motion.choose(clip);
    this.reset();
  }

  /** Takes the steps that are due and draws the result. */
  advance({ elapsed, steps, exact, buffer }: Advance): Frame {
    const { world } = this.#lanes[0];
    const clock = () => performance.now();
    const began = clock();
    let taken = this.#pacer.run(elapsed, world.dt, () => this.#step(), clock);
    for (let i = 0; i < steps && this.#step(); i++) taken++;
    const stepMs = taken > 0 ? (clock() - began) / taken : 0;
    if (!this.wanted.cut) this.#cuts = undefined;
    const out = buffer.length === this.#layout.length ? buffer : new Float32Array(this.#layout.length);
    this.#write(out, exact ? 1 : this.#pacer.phase(world.dt));
    return {
      buffer: out,
      stepCount: world.stepCount,
      time: world.time,
      steps: taken,
      dropped: this.#pacer.dropped,
      stepMs,
      lanes: this.#lanes.map((lane, i) => ({ ...lane.report(), elastic: this.#elastic(i, clock) })),
      grabbed: this.handling.grabbed,
      pins: this.handling.pins,
      contacts: this.wanted.contacts ? this.#contacts() : undefined,
      cuts: this.wanted.cut ? this.#cut() : undefined,
      recorded: this.#take && { count: this.#take.count, room: this.#take.room },
    };
  }

  dispose(): void {
    for (const lane of this.#lanes) lane.dispose();
  }

  #step(): boolean {
    this.handling.step();
    this.#motion.step();
    const done = this.#lanes.map((lane) => lane.step()).every((well) => well);
    if (this.#take?.wants(this.#lanes[0].world.stepCount)) this.#addState();
    return done;
  }

  #addState(): void {
    const state = new Float32Array(this.#layout.length);
    this.#write(state, 1);
    this.#take?.add(this.#lanes[0].world.time, state);
  }

  #write(out: Float32Array, phase: number): void {
    let body = 0;
    let { obstacles } = this.#layout;
    for (const lane of this.#lanes) {
      const layouts = this.#layout.bodies.slice(body, body + lane.bodies.length);
      lane.write(out, layouts, obstacles, phase, this.wanted.strain);
      body += lane.bodies.length;
      obstacles += lane.world.obstacles.poses.length;
    }
  }

  /** Elastic energy of a lane while it is wanted [J]. */
  #elastic(lane: number, clock: () => number): number | undefined {
    if (!this.wanted.energy) return undefined;
    this.#meters ??= this.#lanes.map(({ world }) => new EnergyMeter(world));
    return this.#meters[lane].measure(clock);
  }

  #cut(): CutShape[] {
    const bodies = this.#lanes.flatMap(({ world }) => world.bodies);
    this.#cuts ??= bodies.map(({ model, state }) => new CutMesh(model, state.positions));
    return this.#cuts.map((cut, i) => cut.shape(bodies[i].state.positions));
  }

  #contacts(): Float32Array {
    const list: number[] = [];
    for (const lane of this.#lanes) lane.listContacts(list);
    return Float32Array.from(list);
  }
}
