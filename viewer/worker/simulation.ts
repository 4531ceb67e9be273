/** A running scene: its worlds, their pace, and what is done to them. Knows nothing of workers or pages. */

import { type FrameLayout, layOutFrame } from '../../host/frames/frame-layout.js';
import { namesOfJoints, readJointForces } from '../../host/frames/read-forces.js';
import type { Hosted, Progress } from '../../host/line/protocol.js';
import { takeSteps } from '../../host/line/take-steps.js';
import { isFlesh } from '../../src/body/kinds/any-body-def.js';
import type { Character } from '../../src/character/character.js';
import { type BoneMethod, createWorld } from '../../src/index.js';
import { StateCollector, type TakeModel } from '../../src/record/take.js';
import { DEFAULT_SOLVER } from '../../src/solvers/solver-table.js';
import { CutMesh } from './cut.js';
import { EnergyMeter } from './energy.js';
import { Handling } from './handling.js';
import { Lane } from './lane.js';
import { ANEW } from './learn/learned-setting.js';
import { Learner } from './learn/learner.js';
import { lessonOf } from './learn/lessons.js';
import { listLimits, withLimits } from './limit-settings.js';
import { buildSource } from './load-source.js';
import { Motion } from './motion.js';
import { placeLanes } from './place-lanes.js';
import { type Action, NOTHING_WANTED, type Settings, type Spec, type Wanted } from './protocol.js';
import type { CutShape, FrameNews, Recording, SceneInfo } from './scene-info.js';
import { solverSettings, usualSettings, withHolds, withMaterial } from './settle-scene.js';
import { describeObstacles, describeStage } from './stage/stage-info.js';

/** What is shown beside each other. */
const COMPARED: readonly BoneMethod[] = ['exact', 'published', 'stiff'];

const NO_STEPS = { steps: 0, stepMs: 0 } as const;

/** Owns one world, or several beside each other, and steps them. */
export class Simulation implements Hosted<SceneInfo, Action, FrameNews> {
  readonly info: SceneInfo;
  readonly handling: Handling;
  readonly #motion: Motion;
  #wanted: Wanted = NOTHING_WANTED;
  readonly #lanes: readonly Lane[];
  readonly #layout: FrameLayout;
  /** What recordings go back into. */
  readonly #model: TakeModel | undefined;
  /** Practises in the first lane instead of its steps. */
  readonly #learner: Learner | undefined;
  #take: StateCollector | undefined;
  #meters: EnergyMeter[] | undefined;
  #cuts: CutMesh[] | undefined;

  /** Builds a scene; settings not given are the scene's own. */
  static async create({ source, settings }: Spec, progress: Progress = () => {}): Promise<Simulation> {
    const began = performance.now();
    const { def, skins, character, notes } = await buildSource(source, progress, settings);
    const usual = usualSettings(def);
    const chosen = { ...usual, ...settings };
    const made = withLimits(withMaterial(def, chosen), chosen.limits);
    const { threads, gravity } = chosen;
    // what the scene and its solver say themselves counts unless somebody asked for something else
    const { asked, compares, idle } = solverSettings(def, settings);
    const lanes: Lane[] = [];
    for (const bones of compares ? COMPARED : [chosen.bones]) {
      progress('preparing', 1);
      const world = await createWorld(withHolds(made, bones), {
        ...asked,
        threads,
        ...(compares && { bones }),
      });
      world.gravity[1] = gravity;
      lanes.push(new Lane(world, lanes.length, { def, skins }));
    }
    const stage = placeLanes(lanes, describeStage(lanes[0].world));
    const { world } = lanes[0];
    const sum = (of: (model: (typeof world.bodies)[0]['model']) => number) =>
      world.bodies.reduce((total, { model }) => total + of(model), 0);
    const handling = new Handling(lanes);
    const lesson = source.kind === 'scene' ? lessonOf(source.name) : undefined;
    const [{ body }] = made.bodies;
    const learner =
      lesson && chosen.learned === ANEW && isFlesh(body) ? new Learner(lanes[0], body, lesson) : undefined;
    const motion = new Motion(lanes, handling, character);
    motion.follow(chosen.strength, chosen.blend);
    return new Simulation(lanes, handling, motion, modelOf(lanes, character), learner, {
      name: source.kind === 'scene' ? world.name : source.name,
      description: def.description,
      solver: def.solver?.kind ?? DEFAULT_SOLVER,
      bodies: lanes.flatMap(({ infos }) => infos),
      lanes: lanes.map(({ bones, offset }) => ({ bones, offset })),
      obstacles: lanes.flatMap((lane, i) => describeObstacles(lane.world, i)),
      settings: chosen,
      idleSettings: idle,
      usualSettings: usual,
      dt: world.dt,
      threads: world.threads.threads,
      notes,
      clips: motion.clips,
      limits: listLimits(made, character),
      teaches: lesson !== undefined,
      totalMass: sum(({ totalMass }) => totalMass),
      tetCount: sum(({ tetCount }) => tetCount),
      stage,
      buildMs: performance.now() - began,
    });
  }

  private constructor(
    lanes: readonly Lane[],
    handling: Handling,
    motion: Motion,
    model: TakeModel | undefined,
    learner: Learner | undefined,
    info: SceneInfo,
  ) {
    this.#lanes = lanes;
    this.#model = model;
    this.#learner = learner;
    this.handling = handling;
    this.#motion = motion;
    this.info = info;
    this.#layout = layOutFrame(info.bodies, info.obstacles.length);
  }

  get length(): number {
    return this.#layout.length;
  }

  act(action: Action): void {
    const { handling } = this;
    // hands would be taken for what the motors do
    if (this.#learner && action.kind !== 'want') return;
    switch (action.kind) {
      case 'set':
        this.#set(action.settings);
        break;
      case 'want':
        this.#wanted = action.wanted;
        break;
      case 'record':
        this.#take = new StateCollector(this.info.dt, this.length);
        this.#addState();
        break;
      case 'reset':
        this.#reset();
        break;
      case 'grab':
        handling.grab(action.body, action.point);
        break;
      case 'move':
        handling.move(action.target);
        break;
      case 'release':
        handling.release();
        break;
      case 'pin':
        handling.pin();
        break;
      case 'unpin':
        handling.unpin();
        break;
      case 'push':
        handling.push(action.push);
        break;
      case 'play':
        this.#play(action.clip);
        break;
      case 'morph':
        for (const lane of this.#lanes) lane.setMorph(action.body, action.morph, action.value);
        break;
      case 'hold':
        // whoever lets a bone go wants to see it fall
        if (!action.hold) this.#motion.relax();
        handling.hold(action.body, action.bone, action.hold);
        break;
    }
  }

  /** Ends recording: what was recorded. */
  answer(question: string): Recording | undefined {
    if (question !== 'recording') return undefined;
    const taken = this.#take?.finish();
    this.#take = undefined;
    const joints = this.#lanes.flatMap(({ world }) => namesOfJoints(world));
    return taken && { ...taken, joints, model: this.#model };
  }

  /** Takes steps and draws the result. */
  advance(steps: number, phase: number, out: Float32Array, alive?: () => void): FrameNews {
    const { world } = this.#lanes[0];
    const clock = () => performance.now();
    const worlds = this.#lanes.map((lane) => lane.world);
    const taken = this.#learner ? NO_STEPS : takeSteps(steps, () => this.#step(), alive, worlds);
    if (steps > 0) this.#learner?.practise(alive);
    if (!this.#wanted.cut) this.#cuts = undefined;
    this.#write(out, phase);
    return {
      stepCount: world.stepCount,
      time: world.time,
      ...taken,
      lanes: this.#lanes.map((lane, i) => ({ ...lane.report(), elastic: this.#elastic(i, clock) })),
      grabbed: this.handling.grabbed,
      pins: this.handling.pins,
      contacts: this.#wanted.contacts ? this.#contacts() : undefined,
      cuts: this.#wanted.cut ? this.#cut() : undefined,
      learning: this.#learner?.news,
      recorded: this.#take && { count: this.#take.count, room: this.#take.room },
    };
  }

  dispose(): void {
    for (const lane of this.#lanes) lane.dispose();
  }

  /** Changes what can change while running. */
  #set(settings: Settings): void {
    for (const { world } of this.#lanes) {
      world.options.iterations = Math.round(settings.iterations);
      world.options.integrator = settings.integrator;
      world.options.damping = settings.damping;
      world.gravity[1] = settings.gravity;
    }
    this.#motion.follow(settings.strength, settings.blend);
  }

  /** Back to the start. */
  #reset(): void {
    for (const lane of this.#lanes) lane.reset();
    this.handling.reset();
    this.#motion.start();
    this.#take?.clear();
    if (this.#take) this.#addState();
  }

  /** Plays a clip of the character from the start, or lets it go limp where it is. */
  #play(clip: string | undefined): void {
    if (clip === undefined) {
      this.#motion.stop();
      return;
    }
    if (clip === '') this.#motion.stand();
    else this.#motion.choose(clip);
    this.#reset();
  }

  #step(): boolean {
    const done = this.#lanes.map((lane) => lane.step()).every((well) => well);
    if (this.#take?.wants(this.#lanes[0].world.stepCount)) this.#addState();
    return done;
  }

  #addState(): void {
    const state = new Float32Array(this.#layout.length);
    this.#write(state, 1);
    const joints = this.#lanes.flatMap(({ world }) => readJointForces(world));
    const forces = { joints: Float32Array.from(joints), contacts: this.#contacts() };
    this.#take?.add(this.#lanes[0].world.time, state, forces);
  }

  #write(out: Float32Array, phase: number): void {
    let body = 0;
    let { obstacles } = this.#layout;
    for (const lane of this.#lanes) {
      const layouts = this.#layout.bodies.slice(body, body + lane.bodies.length);
      lane.write(out, layouts, obstacles, phase);
      if (this.#wanted.strain) lane.bodies.forEach((one, i) => void one.writeStrain(out, layouts[i]));
      else if (this.#wanted.activation) lane.bodies.forEach((one, i) => void one.writeActivation(out, layouts[i]));
      body += lane.bodies.length;
      obstacles += lane.world.obstacles.poses.length;
    }
  }

  /** Elastic energy of a lane while it is wanted [J]. */
  #elastic(lane: number, clock: () => number): number | undefined {
    if (!this.#wanted.energy) return undefined;
    this.#meters ??= this.#lanes.map(({ world }) => new EnergyMeter(world));
    return this.#meters[lane].measure(clock);
  }

  #cut(): CutShape[] {
    const bodies = this.#lanes.flatMap(({ world }) => world.bodies);
    this.#cuts ??= bodies.map(({ model, state }) => new CutMesh(model, state.positions));
    return this.#cuts.map((cut, i) => cut.shape(bodies[i].state.positions));
  }

  #contacts(): Float32Array {
    return Float32Array.from(this.#lanes.flatMap((lane) => lane.listContacts()));
  }
}

/** The character of a world that holds nothing else, where it came from a file and is drawn vertex by vertex as there. */
function modelOf([lane, other]: readonly Lane[], character: Character | undefined): TakeModel | undefined {
  const [body, second] = lane.world.bodies;
  if (character?.source === undefined || other || second) return undefined;
  const { bones } = body.model;
  const isWhole = 3 * lane.infos[0].vertexCount === character.skin.positions.length;
  if (!isWhole || bones.count !== character.skeleton.length) return undefined;
  return { character, centres: [...bones.centre.subarray(0, 3 * bones.count)] };
}
