/**
 * `tendon bench layered`: the rows of [Galoppo2007, Table 1] on this machine, and how the step grows with nodes, bones and contacts.
 * Every row is a character with as many nodes and bones, pressed by a ball until about as many nodes touch; times are the
 * minimum over many steps, stage by stage, of the half of them with the most contacts: characters swing under the ball, and a
 * step while they are off it would be no answer.
 */

import { buildLayerDeer, buildLayerSnake, buildLayerTube } from '../../scenes/cast/layer-cast.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { machine, spread } from '../stats.js';
import { GRAVITY, H, makeCoreStep } from './core.js';
import { benchCrowd } from './crowd.js';
import { benchReady } from './ready.js';
import { benchRigs } from './rigs.js';
import { measureSlopes, type Sized } from './slopes.js';

/** What the paper prints: total [ms] on a 3.4 GHz Pentium 4. */
interface Row {
  readonly model: string;
  readonly build: () => LayerDef;
  /** Where the ball presses, and its radius [m]. */
  readonly ball: readonly [number, number, number, number];
  readonly paperTotalMs: number;
}

const ROWS: readonly Row[] = [
  { model: 'tube', build: () => buildLayerTube(2), ball: [0, 3.06, 0, 3], paperTotalMs: 13.8 },
  { model: 'tube', build: () => buildLayerTube(5), ball: [0, 3.06, 0, 3], paperTotalMs: 23.3 },
  { model: 'snake', build: buildLayerSnake, ball: [0, 0.23, 0, 0.2], paperTotalMs: 140.6 },
  { model: 'deer', build: () => buildLayerDeer(8, 14.25), ball: [0.42, 1, 0, 0.32], paperTotalMs: 123.8 },
  { model: 'deer', build: () => buildLayerDeer(17, 25.7), ball: [0.5, 1, 0, 0.44], paperTotalMs: 160.4 },
  { model: 'deer', build: () => buildLayerDeer(32, 42), ball: [0.43, 1, 0, 0.34], paperTotalMs: 449.7 },
];

const STEPS = 2000;
/** Enough for the engine to have compiled all of it. */
const WARM_UP = 2000;

/** Milliseconds of one row. */
export interface LayeredTimes {
  readonly nodes: number;
  readonly bones: number;
  /** Median over the steps; times are of steps with at least as many. */
  readonly contacts: number;
  readonly freeMs: number;
  readonly detectionMs: number;
  readonly responseMs: number;
  readonly totalMs: number;
}

/** Runs the command. */
export async function benchLayered(options: {
  readonly json?: boolean;
  readonly rigs?: readonly string[];
  readonly ready?: readonly string[];
  readonly crowd?: string;
  readonly threads?: string;
}): Promise<void> {
  if (options.crowd) {
    await benchCrowd(options.crowd, options.json === true, Number(options.threads ?? 1));
    return;
  }
  if (options.ready) {
    await benchReady(options.ready, options.json === true);
    return;
  }
  if (options.rigs) {
    await benchRigs(options.rigs, options.json === true);
    return;
  }
  if (!options.json) {
    console.log(machine());
    console.log('model  nodes  bones  contacts  free  detection  response  total ms  paper ms  times faster');
  }
  // once for nothing: the engine compiles kernels twice, the second time while they run
  await timeRow(ROWS[0].build(), [ballAt(ROWS[0].ball)]);
  for (const { model, build, ball, paperTotalMs } of ROWS) {
    const times = await timeRow(build(), [ballAt(ball)]);
    if (options.json) console.log(JSON.stringify({ model, ...times, paperTotalMs }));
    else console.log(line(model, times, paperTotalMs));
  }
  const slopes = await measureSlopes();
  if (options.json) {
    console.log(JSON.stringify({ slopes }));
    return;
  }
  console.log('slopes in logarithms, and the times they are drawn through');
  for (const what of ['nodes', 'bones', 'contacts'] as const) {
    const shown = slopes.points[what].map(({ size, ms }: Sized) => `${size}: ${(1000 * ms).toFixed(1)} us`);
    console.log(`${what}  ${slopes[what].toFixed(2)}  (${shown.join(', ')})`);
  }
}

function line(model: string, t: LayeredTimes, paper: number): string {
  const ms = (value: number): string => value.toFixed(3);
  const parts = [ms(t.freeMs), ms(t.detectionMs), ms(t.responseMs), ms(t.totalMs), paper];
  return [model, t.nodes, t.bones, t.contacts, ...parts, Math.round(paper / t.totalMs)].join('  ');
}

function ballAt([x, y, z, radius]: Row['ball']): ObstacleDef {
  return { name: 'ball', shape: { kind: 'sphere', radius }, position: [x, y, z], friction: 0.3 };
}

/** Times steps of one character held by its root, every node able to touch. */
export async function timeRow(def: LayerDef, obstacles: readonly ObstacleDef[]): Promise<LayeredTimes> {
  const { core } = await makeCoreStep(def, obstacles);
  const stages: number[][] = [];
  const contacts: number[] = [];
  for (let step = 0; step < WARM_UP + STEPS; step++) {
    core.obstacles.predict(H);
    const began = performance.now();
    if (!core.moveFreely(GRAVITY, H)) throw new Error(`step ${step} of ${def.name} failed`);
    const free = performance.now();
    core.findTouches(H);
    const found = performance.now();
    core.solveTouches(H);
    if (!core.finish(H)) throw new Error(`step ${step} of ${def.name} failed`);
    const done = performance.now();
    core.obstacles.commit();
    if (step < WARM_UP) continue;
    stages.push([free - began, found - free, done - found, done - began]);
    contacts.push(core.touches.count);
  }
  const usual = spread(contacts).median;
  const touching = stages.filter((_, step) => contacts[step] >= usual);
  const [freeMs, detectionMs, responseMs, totalMs] = [0, 1, 2, 3].map((s) => spread(touching.map((t) => t[s])).min);
  return {
    nodes: core.bodies[0].model.nodeCount,
    bones: core.bodies[0].model.bones.count,
    contacts: usual,
    freeMs,
    detectionMs,
    responseMs,
    totalMs,
  };
}
