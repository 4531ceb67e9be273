/**
 * How true steps are: the distance of a step from the converged one, as a share of the correction that was needed, against the time it
 * takes. Scenes run as they are; from a few of their states one step is taken with each number of iterations, and once with very many.
 */
import { writeOutput } from '../../cli/files/write-file.js';
import { buildHuman, type HumanOptions } from '../../scenes/cast/human.js';
import { buildSnailScene } from '../../scenes/flesh/snail.js';
import { buildScene } from '../../scenes/index.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  restoreSnapshot,
  takeSnapshot,
  type World,
} from '../../src/index.js';
import { drawFigure } from '../figures/svg-plot.js';
import { only } from '../only.js';
import { machine, spread } from '../stats.js';
import { converge, DOUBTFUL, distance, type Reference, step, sweepMore } from './converged-step.js';
import { plotTruth } from './truth-plot.js';

/** Name in the table, scene, steps before the first state that is looked at, as falling bodies have to be down, and from one state to the next. */
const SCENES: readonly (readonly [name: string, build: () => AnySceneDef, warmUp: number, apart?: number])[] = [
  ['bar', () => buildScene('bar'), 20],
  // its ends strike the floor one after the other, and it turns about its joint
  ['bar-lands', () => buildScene('bar'), 8, 1],
  ['human', () => buildSwingingHuman('forearmLeft', { cell: 0.05 }), 20],
  // held by the torso its limbs swing, and plain iterations miss 6.3, 5.2, 3.8 and 0.7 % after 5, 10, 20 and 80 of them
  ['human-swings', () => buildSwingingHuman('torso', { cell: 0.05 }), 2],
  // the same as people are made: nothing in their converged steps is snapped, and what is left is hung by an arm, or held by the torso
  ['human-limits', () => buildSwingingHuman('forearmLeft', SOUND), 20],
  ['human-torso', () => buildSwingingHuman('torso', SOUND), 20],
  ['hand', () => buildScene('hand'), 10],
  ['ragdoll', () => buildScene('ragdoll'), 60],
  ['fish', () => buildScene('fish'), 30],
  ['snail', () => buildScene('snail'), 12],
  // in coarser flesh two ways come to the same step
  ['snail-coarse', () => buildSnailScene({ cell: 0.011 }), 12],
];
const SOUND = { cell: 0.05, skull: true, limits: true, feet: true };
const ITERATIONS = [5, 10, 20, 40];
const STATES = 3;
/** Steps from one state to the next, where nothing else is said. */
const APART = 7;
/** Steps from each state with each number of iterations, by turns with plain ones. */
const REPEATS = 9;
/** Steps before the first that is timed: until then the engine is still compiling what runs often. */
const FIRST_STEPS = 20;

/** One line of the table. */
export interface TruthRow {
  readonly scene: string;
  readonly iterations: number;
  /** Least processor time of a step, and of a plain one of as many iterations, by turns with it [ms]: what others do on the machine is not in it. */
  readonly ms: number;
  readonly plainMs: number;
  /** Time of an iteration over that of a plain one, of the scene: by what the most iterations take longer than the fewest. */
  readonly iterationCost: number;
  /** Median of |x − x*| / |y − x*| in the masses, over states whose x* has converged; y where inertia and gravity alone lead. Not a number where none has. */
  readonly error: number;
  /** How many states have, and how far x* may be from where it leads at worst, as a share as above. */
  readonly states: number;
  readonly doubt: number;
  /** The same of plain iterations that take as long, where they were asked for. */
  readonly before?: number;
}

interface TruthOptions {
  readonly json?: boolean;
  /** Only this one. */
  readonly scene?: string;
  /** Plain iterations, for comparison. */
  readonly plain?: boolean;
  /** Regions of flesh that turn as one. */
  readonly regions?: boolean;
  /** Also what plain iterations come to in the same time. */
  readonly compare?: boolean;
  /** Also draw error against time, to this file. */
  readonly figure?: string;
}

/** Measures and prints, one line per scene and number of iterations. */
export async function benchTruth(options: TruthOptions = {}): Promise<void> {
  const names = only(
    SCENES.map(([name]) => name),
    options.scene,
    '--scene',
  );
  const wanted = SCENES.filter(([name]) => names.includes(name));
  if (!options.json) {
    console.log(
      `errors are not known better than the doubt that is left about the converged step; states where that is above ${100 * DOUBTFUL} % are left out`,
    );
    console.log(`distance from the converged step, as a share of the correction needed; one thread; ${machine()}`);
    const more = options.compare ? '   plain iterations in the same time' : '';
    console.log(`scene          iterations       ms    plain  iteration    error${more}    states, doubt`);
  }
  const rows: TruthRow[] = [];
  for (const [name, build, warmUp, apart = APART] of wanted) {
    const references = await findReferences(build, warmUp, apart);
    const how = { accelerated: !options.plain, ...(options.regions ? { turningRegions: true } : {}) };
    const plain = options.compare ? await measureTruth(name, build, references, { accelerated: false }) : undefined;
    for (const row of await measureTruth(name, build, references, how)) {
      const whole = plain ? { ...row, before: errorAfter(row.ms, plain) } : row;
      rows.push(whole);
      console.log(options.json ? JSON.stringify(whole) : line(whole));
    }
  }
  if (options.figure !== undefined)
    writeOutput(
      options.figure,
      drawFigure(
        plotTruth(
          rows.filter(({ states }) => states > 0),
          ITERATIONS,
        ),
      ),
    );
}

/** Error of other iterations after so many milliseconds: on straight lines between what was measured, both by their logarithms. */
function errorAfter(ms: number, rows: readonly TruthRow[]): number {
  const next = Math.max(
    1,
    rows.findIndex((row, i) => row.ms >= ms || i === rows.length - 1),
  );
  const [a, b] = [rows[next - 1], rows[next]];
  const along = Math.log(ms / a.ms) / Math.log(b.ms / a.ms);
  return a.error * (b.error / a.error) ** along;
}

/** The human in its real-time version, held by one bone: nothing touches it, and by a forearm all its weight hangs on one arm. */
function buildSwingingHuman(held: string, options: HumanOptions): AnySceneDef {
  const human = buildHuman(options);
  const bones = (human.bones ?? []).map((bone) => (bone.name === held ? { ...bone, kinematic: true } : bone));
  const bodies = [{ body: { ...human, bones }, position: [0, 2, 0] as const }];
  return {
    name: 'swinging-human',
    description: 'A human swings from one bone.',
    bodies,
    dt: 1 / 60,
    iterations: 10,
  };
}

/** States of a scene and their converged steps, without regions that turn: nothing that is measured makes its own reference. */
async function findReferences(build: () => AnySceneDef, warmUp: number, apart: number): Promise<Reference[]> {
  const world = await createWorld(build(), { threads: 1, accelerated: true, turningRegions: false });
  const swept = await createWorld(build(), { threads: 1, accelerated: true, turningRegions: false });
  const plain = await createWorld(build(), { threads: 1, accelerated: false, turningRegions: false });
  sweepMore(swept);
  sweepMore(plain);
  for (let n = 0; n < warmUp; n++) step(world);
  const references: Reference[] = [];
  for (let state = 0; state < STATES; state++) {
    for (let n = 0; n < apart; n++) step(world);
    references.push(converge(takeSnapshot(world), swept, plain));
  }
  for (const made of [world, swept, plain]) disposeWorld(made);
  return references;
}

async function measureTruth(
  name: string,
  build: () => AnySceneDef,
  references: readonly Reference[],
  how: { readonly accelerated: boolean; readonly turningRegions?: boolean },
): Promise<TruthRow[]> {
  const measured = await createWorld(build(), { threads: 1, ...how });
  const plain = await createWorld(build(), { threads: 1, accelerated: false, turningRegions: false });
  for (let n = 0; n < 2 * FIRST_STEPS; n++) {
    const world = n % 2 === 0 ? measured : plain;
    restoreSnapshot(world, references[n % STATES].snapshot);
    step(world);
  }
  const rows = ITERATIONS.map((iterations) => measure(name, measured, plain, references, iterations));
  disposeWorld(measured);
  disposeWorld(plain);
  const [first, last] = [rows[0], rows[rows.length - 1]];
  const iterationCost = (last.ms - first.ms) / (last.plainMs - first.plainMs);
  return rows.map((row) => ({ ...row, iterationCost }));
}

function measure(
  name: string,
  world: World,
  plain: World,
  references: readonly Reference[],
  iterations: number,
): Omit<TruthRow, 'iterationCost'> {
  const errors: number[] = [];
  let [ms, plainMs] = [Infinity, Infinity];
  world.options.iterations = plain.options.iterations = iterations;
  let worst = 0;
  for (const { snapshot, converged, needed, doubt } of references) {
    for (let n = 0; n < REPEATS; n++) {
      plainMs = Math.min(plainMs, timeStep(plain, snapshot));
      ms = Math.min(ms, timeStep(world, snapshot));
    }
    if (!(doubt <= DOUBTFUL)) continue;
    worst = Math.max(worst, doubt);
    const reached = world.bodies.map(({ state }) => state.positions);
    errors.push(distance(world, reached, converged) / needed);
  }
  const error = errors.length > 0 ? spread(errors).median : Number.NaN;
  return { scene: name, iterations, ms, plainMs, error, states: errors.length, doubt: worst };
}

/** Processor time of the step after a state [ms]. */
function timeStep(world: World, snapshot: Uint8Array): number {
  restoreSnapshot(world, snapshot);
  const began = process.cpuUsage();
  step(world);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function line({ scene, iterations, ms, plainMs, iterationCost, error, before, states, doubt }: TruthRow): string {
  const times = `${ms.toFixed(1).padStart(8)} ${plainMs.toFixed(1).padStart(8)} ${iterationCost.toFixed(2).padStart(10)}`;
  const start = `${scene.padEnd(16)} ${String(iterations).padStart(8)} ${times}`;
  if (states === 0) return `${start}  no state has a converged step to compare with`;
  const known = `${states} of ${STATES}, ${(100 * doubt).toFixed(3)} %`;
  const own = `${start} ${(100 * error).toFixed(2).padStart(7)} %`;
  return before === undefined
    ? `${own}   ${known}`
    : `${own} ${(100 * before).toFixed(2).padStart(8)} %, ${(before / error).toFixed(1)} times   ${known}`;
}
