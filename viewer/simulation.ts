/** A running scene: its worlds, their pace, and what is done to them. Knows nothing of workers or pages. */
import { DEFAULT_ITERATIONS } from '../src/constants.js';
import { type BoneMethod, createWorld, type SceneDef } from '../src/index.js';
import { PROJECTIVE_DEFAULTS } from '../src/solvers/projective/options.js';
import { type FrameLayout, layOutFrame } from './frame-layout.js';
import { Handling } from './handling.js';
import { Lane } from './lane.js';
import { buildSource, type Progress } from './load-source.js';
import { Pacer } from './pacer.js';
import type { Settings, Source, Wanted } from './protocol.js';
import type { Frame, Point, SceneInfo, StageInfo } from './scene-info.js';
import { usualMaterial, withHolds, withMaterial } from './settle-scene.js';
import { describeObstacles, describeStage } from './stage-info.js';

/** What is shown beside each other. */
const COMPARED: readonly BoneMethod[] = ['exact', 'printed', 'stiff'];
/** Room between worlds beside each other, in widths of one. */
const LANE_SPACING = 1.12;

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
  wanted: Wanted = { strain: false, contacts: false };
  readonly #lanes: readonly Lane[];
  readonly #layout: FrameLayout;
  readonly #pacer = new Pacer();

  /** Builds a scene; settings not given are the scene's own. */
  static async create(source: Source, settings: Partial<Settings>, progress: Progress = () => {}): Promise<Simulation> {
    const began = performance.now();
    const { def, characters, notes } = await buildSource(source, progress);
    const usual = usualSettings(def);
    const chosen = { ...usual, ...settings };
    const made = withMaterial(def, chosen);
    const { iterations, integrator, damping, threads, gravity } = chosen;
    const lanes: Lane[] = [];
    for (const bones of chosen.compare ? COMPARED : [chosen.bones]) {
      progress('preparing', 1);
      const world = await createWorld(withHolds(made, bones), { iterations, integrator, damping, threads, bones });
      world.gravity[1] = gravity;
      lanes.push(new Lane(world, lanes.length, characters));
    }
    const stage = placeLanes(lanes, describeStage(lanes[0].world));
    const { world } = lanes[0];
    const sum = (of: (model: (typeof world.bodies)[0]['model']) => number) =>
      world.bodies.reduce((total, { model }) => total + of(model), 0);
    return new Simulation(lanes, {
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
      totalMass: sum(({ totalMass }) => totalMass),
      tetCount: sum(({ tetCount }) => tetCount),
      stage,
      buildMs: performance.now() - began,
    });
  }

  private constructor(lanes: readonly Lane[], info: SceneInfo) {
    this.#lanes = lanes;
    this.info = info;
    this.handling = new Handling(lanes);
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
    this.#pacer.reset();
  }

  /** Takes the steps that are due and draws the result. */
  advance({ elapsed, steps, exact, buffer }: Advance): Frame {
    const { world } = this.#lanes[0];
    const clock = () => performance.now();
    const began = clock();
    let taken = this.#pacer.run(elapsed, world.dt, () => this.#step(), clock);
    for (let i = 0; i < steps && this.#step(); i++) taken++;
    const stepMs = taken > 0 ? (clock() - began) / taken : 0;
    const out = buffer.length === this.#layout.length ? buffer : new Float32Array(this.#layout.length);
    this.#write(out, exact ? 1 : this.#pacer.phase(world.dt));
    return {
      buffer: out,
      stepCount: world.stepCount,
      time: world.time,
      steps: taken,
      dropped: this.#pacer.dropped,
      stepMs,
      lanes: this.#lanes.map((lane) => lane.report()),
      grabbed: this.handling.grabbed,
      pins: this.handling.pins,
      contacts: this.wanted.contacts ? this.#contacts() : undefined,
    };
  }

  dispose(): void {
    for (const lane of this.#lanes) lane.dispose();
  }

  #step(): boolean {
    this.handling.step();
    return this.#lanes.map((lane) => lane.step()).every((done) => done);
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

  #contacts(): Float32Array {
    const list: number[] = [];
    for (const lane of this.#lanes) lane.listContacts(list);
    return Float32Array.from(list);
  }
}

/** What a scene runs with unless told otherwise. */
function usualSettings(def: SceneDef): Settings {
  return {
    ...PROJECTIVE_DEFAULTS,
    iterations: def.iterations ?? DEFAULT_ITERATIONS,
    gravity: def.gravity?.[1] ?? -9.81,
    compare: false,
    threads: 1,
    ...usualMaterial(def),
  };
}

/** Puts worlds beside each other and widens the stage for them. */
function placeLanes(lanes: readonly Lane[], stage: StageInfo): StageInfo {
  const [wide, tall, deep] = stage.high.map((value, k) => value - stage.low[k]);
  // What turns in the air needs room for its longest side.
  const spacing = LANE_SPACING * (stage.free ? 0.8 * Math.max(wide, tall, deep) : wide);
  lanes.forEach((lane, i) => {
    lane.offset = [(i - (lanes.length - 1) / 2) * spacing, 0, 0] satisfies Point;
  });
  return { ...stage, spread: (lanes.length - 1) * spacing };
}
