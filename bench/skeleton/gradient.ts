/**
 * The gradient of a rollout of the real-time human by all of its motors' keys: how long going back over the steps takes, and how it compares with
 * central differences of the rollout itself (two rollouts per number).
 */
import { buildHuman } from '../../scenes/cast/human.js';
import { requireInRange } from '../../src/errors.js';
import {
  type ControlDef,
  type ControlGoal,
  createWorld,
  disposeWorld,
  type ObstacleDef,
  type SceneDef,
  stepWorld,
  type World,
} from '../../src/index.js';
import { type Control, makeControls } from '../../src/world/control/controls.js';
import { RolloutTape } from '../../src/world/control/rollout-slopes.js';
import { restoreSnapshot, takeSnapshot } from '../../src/world/snapshot.js';
import { machine, spread } from '../stats.js';

interface GradientOptions {
  readonly steps: string;
  readonly rounds: string;
  /** False where only the time is asked for. */
  readonly differences: boolean;
}

/**
 * Change of a number for its difference [rad, m/s]: in the air, and on a floor, where few iterations leave the goal uncertain by 1e-5, and differences of 2e-3 disagree with
 * themselves.
 */
const NUDGE = 2e-3;
const NUDGE_ON_FLOOR = 2e-2;
/** Motors [N m/rad], and those that stand: with weaker ones it sinks to its knees and tips over, and there is no slope to compare with. */
const STIFFNESS = 30;
const STANDING_STIFFNESS = 300;

/** Error of each step's solve that will do. */
const TOLERANCE = 5e-4;

/** How the human is held. */
const STANDS = ['held by its torso', 'free', 'standing on a floor'] as const;
type Stand = (typeof STANDS)[number];

function isStanding(stand: Stand): boolean {
  return stand === 'standing on a floor';
}

/** Measures and prints, for the human with limits, however it is held. */
export async function benchGradient(options: GradientOptions): Promise<void> {
  const steps = Math.round(requireInRange(Number(options.steps), 1, 1e4, '--steps'));
  const rounds = Math.round(requireInRange(Number(options.rounds), 1, 100, '--rounds'));
  console.log(`${machine()}; real-time human, ${steps} steps, medians of ${rounds}`);
  for (const stand of STANDS) {
    const world = await buildWorld(stand);
    const controls = makeControls(world, controlsOf(world, stand));
    const ends = endsOf(world);
    const values = Float64Array.from(
      { length: controls.reduce((sum, { size }) => sum + size, 0) },
      // where it stands it is to go on standing
      (_, i) => (isStanding(stand) ? 0.05 : 0.35) * Math.sin(1.7 * i + 0.3),
    );
    const rollout = new Rollout(world, controls, { steps, miss: (at) => [missOf(at, ends)] });
    const times = { forward: [] as number[], back: [] as number[] };
    let slopes: Float64Array = new Float64Array(0);
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      rollout.play(values, true);
      const played = performance.now();
      slopes = rollout.slopes(values);
      times.forward.push(played - began);
      times.back.push(performance.now() - played);
    }
    const took = `rollout ${spread(times.forward).median.toFixed(0)} ms, gradient ${spread(times.back).median.toFixed(0)} ms`;
    const same = options.differences
      ? `, cosine to differences ${cosine(slopes, rollout.differences(values, isStanding(stand) ? NUDGE_ON_FLOOR : NUDGE)).toFixed(5)}`
      : '';
    console.log(`${stand.padEnd(20)} ${values.length} numbers  ${took}${same}`);
    disposeWorld(world);
  }
}

async function buildWorld(stand: Stand): Promise<World> {
  const human = buildHuman({ cell: 0.08, feet: true, limits: true });
  const stiffness = isStanding(stand) ? STANDING_STIFFNESS : STIFFNESS;
  const motor = { stiffness, damping: stiffness / 10 };
  const body = {
    ...human,
    bones: (human.bones ?? []).map((bone) => ({
      ...bone,
      kinematic: stand === 'held by its torso' && bone.name === 'torso',
    })),
    joints: (human.joints ?? []).map((joint) => ({ ...joint, motor })),
  };
  const scene: SceneDef = { name: 'human', description: '', bodies: [{ body }] };
  if (!isStanding(stand)) return createWorld(scene, { dt: 1 / 60, contact: 'none' });
  const { positions } = human;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 1; i < positions.length; i += 3) lowest = Math.min(lowest, positions[i]);
  const floor: ObstacleDef = { name: 'floor', shape: { kind: 'plane' }, position: [0, lowest, 0] };
  return createWorld({ ...scene, obstacles: [floor], selfContact: false }, { dt: 1 / 60 });
}

function controlsOf({ bodies: [body] }: World, stand: Stand): ControlDef[] {
  const motors = body.model.joints.names.map(
    (joint): ControlDef => ({ kind: 'motor', body: body.name, joint, times: [0, 0.3, 0.7] }),
  );
  return stand === 'held by its torso' ? motors : [...motors, { kind: 'velocity', body: body.name }];
}

/** The vertices farthest to both sides, and the lowest one. */
function endsOf({ bodies: [{ model }] }: World): readonly number[] {
  const ends = [0, 0, 0];
  const { positions: rest } = model;
  for (let v = 0; v < model.vertexCount; v++) {
    if (rest[v * 3] > rest[ends[0] * 3]) ends[0] = v;
    if (rest[v * 3] < rest[ends[1] * 3]) ends[1] = v;
    if (rest[v * 3 + 1] < rest[ends[2] * 3 + 1]) ends[2] = v;
  }
  return ends;
}

/** Half the square of how far the ends of its limbs are from places nobody could reach, and of how fast they are. */
function missOf({ bodies: [{ state }] }: World, ends: readonly number[]): number {
  let sum = 0;
  for (const v of ends) {
    for (let k = 0; k < 3; k++) {
      const away = state.positions[v * 3 + k] - 0.3 * k;
      const speed = state.velocities[v * 3 + k];
      sum += 0.5 * away * away + 0.05 * speed * speed;
    }
  }
  return sum;
}

class Rollout {
  readonly #world: World;
  readonly #controls: readonly Control[];
  readonly #goal: ControlGoal;
  readonly #start: Uint8Array;
  readonly #tape: RolloutTape;

  constructor(world: World, controls: readonly Control[], goal: ControlGoal) {
    this.#world = world;
    this.#controls = controls;
    this.#goal = goal;
    this.#start = takeSnapshot(world);
    this.#tape = new RolloutTape(world);
  }

  play(values: Float64Array, taped: boolean): number {
    const world = this.#world;
    restoreSnapshot(world, this.#start);
    if (taped) this.#tape.start();
    const from = world.time;
    for (let n = 0; n < this.#goal.steps; n++) {
      let o = 0;
      for (const control of this.#controls) {
        control.apply(values, o, world.time + world.dt - from, n === 0);
        o += control.size;
      }
      if (!stepWorld(world)) throw world.fault;
      if (taped) this.#tape.record();
    }
    if (this.#tape.reason) throw new Error(this.#tape.reason);
    return this.#goal.miss(world)[0];
  }

  slopes(values: Float64Array): Float64Array {
    return this.#tape.slopes(this.#controls, values, this.#goal.miss, TOLERANCE);
  }

  differences(values: Float64Array, nudge: number): Float64Array {
    return values.map((_, i) => {
      const [above, below] = [nudge, -nudge].map((by) =>
        this.play(
          values.map((v, j) => (i === j ? v + by : v)),
          false,
        ),
      );
      return (above - below) / (2 * nudge);
    });
  }
}

function cosine(a: Float64Array, b: Float64Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / Math.sqrt(aa * bb);
}
