/**
 * `tendon bench matrix FILE …`: what strangers do with models nobody has seen. Each model hangs, falls on a floor, is pulled by a hand that
 * jumps, and plays its first clip; no step may fail, no edge of a tet may get ten times as long, and what is written must read back.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DECODERS } from '../cli/files/decoders.js';
import type { BuildOptions } from '../src/character/build/rigged.js';
import type { Character } from '../src/character/character.js';
import { readCharacter, writeCharacter } from '../src/character/character-file.js';
import { characterSolver, loadCharacter } from '../src/character/load-character.js';
import type { SceneDef } from '../src/index.js';
import { createWorld, disposeWorld, grabBody, moveGrab, releaseGrab, stepWorld, type World } from '../src/index.js';
import { createRandom } from '../src/math/random.js';
import { clipDrive } from '../src/world/clip-drive.js';
import { addDrive } from '../src/world/drives.js';
import { machine } from './stats.js';
import { longestEdge } from './whole.js';

/** What is done to a model. */
export const TRIALS = ['hang', 'fall', 'grab-jump', 'clip'] as const;
export type Trial = (typeof TRIALS)[number];

/** What came of one trial; undefined fields where the model has no clip. */
export interface MatrixCell {
  readonly trial: Trial;
  readonly steps: number;
  readonly faults: number;
  /** Longest edge of any tet in any step, relative to its length at rest. */
  readonly longestEdge: number;
  /** Largest joint gap, relative to the body's size. */
  readonly jointGap: number;
  /** Median time of a step [ms]. */
  readonly ms: number;
}

/** Steps of a trial, and steps between two jumps of a hand. */
const STEPS = 150;
const STEPS_PER_JUMP = 6;
/** How far a hand jumps [m]. */
const JUMPS = [0.3, 1, 10];
/** How high over the floor a fall begins, in heights of the body; below 0 it starts inside the floor. */
const DROP = 0.3;

/** Runs a trial; undefined for a clip that a model does not have. */
export async function runTrial(
  character: Character,
  trial: Trial,
  { steps = STEPS, drop = DROP }: { steps?: number; drop?: number } = {},
): Promise<MatrixCell | undefined> {
  const { body, clips, skeleton } = character;
  if (trial === 'clip' && (clips.length === 0 || skeleton.length === 0)) return undefined;
  const bones = body.bones?.map((bone, i) => ({
    ...bone,
    kinematic: trial === 'clip' || (trial !== 'fall' && i === 0),
  }));
  const scene: SceneDef = {
    name: body.name,
    description: '',
    solver: characterSolver(character),
    bodies: [{ body: { ...body, ...(bones && { bones }) } }],
    ...(trial !== 'hang' && { obstacles: [floorUnder(body.positions, trial === 'fall' ? drop : 0.02)] }),
  };
  const world = await createWorld(scene);
  if (trial === 'clip') addDrive(world, clipDrive(world, character, world.bodies[0], clips[0].name));
  const cell = { faults: 0, longestEdge: 0, jointGap: 0 };
  const times: number[] = [];
  const hand = trial === 'grab-jump' ? jumpingHand(world, steps) : () => {};
  for (let n = 0; n < steps; n++) {
    hand(n);
    const began = performance.now();
    if (!stepWorld(world)) cell.faults++;
    times.push(performance.now() - began);
    cell.longestEdge = Math.max(cell.longestEdge, longestEdge(world.bodies[0]));
    cell.jointGap = Math.max(cell.jointGap, world.certificate.jointGap / world.bodies[0].model.size);
  }
  disposeWorld(world);
  return { trial, steps, ...cell, ms: times.sort((a, b) => a - b)[steps >> 1] };
}

/** A hand that takes hold somewhere else every few jumps, and lets go for the last third. */
function jumpingHand(world: World, steps: number): (n: number) => void {
  const random = createRandom(11);
  const { model, state } = world.bodies[0];
  const way = new Float64Array(3);
  let grab: ReturnType<typeof grabBody> | undefined;
  return (n) => {
    if (n % (3 * STEPS_PER_JUMP) === 0) {
      if (grab) releaseGrab(world, grab);
      const v = random.integer(model.vertexCount) * 3;
      grab = n < (2 * steps) / 3 ? grabBody(world, 0, state.positions.slice(v, v + 3)) : undefined;
    }
    if (!grab || n % STEPS_PER_JUMP !== 0) return;
    const point = new Float64Array(3);
    grab.point(point);
    random.unitVector(way, 0);
    const far = JUMPS[random.integer(JUMPS.length)];
    moveGrab(
      grab,
      point.map((x, k) => x + far * way[k]),
    );
  };
}

function floorUnder(positions: Float64Array, drop: number) {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < positions.length; i += 3) {
    low = Math.min(low, positions[i]);
    high = Math.max(high, positions[i]);
  }
  return { name: 'floor', shape: { kind: 'plane' as const }, position: [0, low - drop * (high - low), 0] as const };
}

/** Whether what is written reads back with the same skin and body. */
export async function readsBack(character: Character): Promise<boolean> {
  const again = await readCharacter(await writeCharacter(character));
  return (
    again.body.tets.length === character.body.tets.length &&
    again.skin.positions.every((x, i) => Math.abs(x - character.skin.positions[i]) < 1e-6)
  );
}

/** Builds every file and runs every trial on it; prints a line each. */
export async function benchMatrix(
  files: readonly string[],
  { tets, json }: { tets?: string; json?: boolean },
): Promise<void> {
  const options: BuildOptions = tets === undefined ? {} : { tets: Number(tets) };
  if (!json)
    console.log(`${machine()}\nmodel                trial      faults  longest edge  joint gap   ms/step  reads back`);
  for (const file of files) {
    const bytes = readFileSync(file);
    const name = basename(file);
    const character = await loadCharacter(bytes, { name, ...options, decoders: DECODERS });
    const whole = await readsBack(character);
    for (const trial of TRIALS) {
      const cell = await runTrial(character, trial);
      if (json) console.log(JSON.stringify({ model: name, readsBack: whole, ...cell, trial }));
      else console.log(line(name, trial, cell, whole));
      if (!whole || (cell && (cell.faults > 0 || !(cell.longestEdge < 10)))) process.exitCode = 1;
    }
  }
}

function line(name: string, trial: Trial, cell: MatrixCell | undefined, whole: boolean): string {
  if (!cell) return `${name.padEnd(20)} ${trial.padEnd(10)}  has no clip`;
  return [
    name.padEnd(20),
    ` ${trial.padEnd(10)}`,
    String(cell.faults).padStart(7),
    cell.longestEdge.toFixed(2).padStart(14),
    cell.jointGap.toExponential(1).padStart(11),
    cell.ms.toFixed(1).padStart(10),
    (whole ? 'yes' : 'NO').padStart(12),
  ].join('');
}
