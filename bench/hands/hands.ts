/**
 * `tendon bench hands`: random hands on five characters. They grab, jump, pin, push, let go and switch bones to kinematic and back, as
 * pointers on slow pages do; then everything is let go and the body has five seconds to find back to its rest shape.
 */
import { Progress } from '../../cli/progress.js';
import { buildBar } from '../../scenes/cast/bar.js';
import { buildFish } from '../../scenes/cast/creatures/fish.js';
import { buildQuadruped } from '../../scenes/cast/creatures/quadruped.js';
import { buildHand } from '../../scenes/cast/hand.js';
import { buildHuman } from '../../scenes/cast/human.js';
import { requireInRange, TendonError } from '../../src/errors.js';
import type { BodyDef, WorldBody } from '../../src/index.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../src/index.js';
import { createRandom } from '../../src/math/random.js';
import { machine } from '../stats.js';
import { longestEdge, shapeError } from '../whole.js';
import { RandomHands } from './random-hands.js';

/** Steps between two acts, and steps after which a body must have its rest shape again: five seconds. */
const STEPS_PER_ACT = 4;
const STEPS_AFTER = 300;
/** Damping after letting go [1/s]: a soft bar swings for a minute with backward Euler alone, and what swings is strained. */
const DAMPING = 2;

/** How far hinges go either way [rad], which in these bodies go all round: what is turned over around its joint is caught there, and files' joints have ranges. */
const HINGE_RANGE = 2.5;

/** The characters, in their real-time versions. */
export const CHARACTERS: ReadonlyMap<string, () => BodyDef> = new Map([
  ['bar', () => buildBar({ cells: [17, 3, 3], cell: 0.06, boneLayers: 4 })],
  ['human', () => buildHuman({ cell: 0.08 })],
  ['hand', () => buildHand({ cell: 0.0112 })],
  ['quadruped', () => buildQuadruped({ cell: 0.047 })],
  ['fish', () => buildFish({ cell: 0.023 })],
]);

/** What came of the hands on one character. */
export interface HandsRow {
  readonly character: string;
  readonly acts: number;
  readonly steps: number;
  /** Steps that failed, and steps that failed right after one that had. */
  readonly faults: number;
  readonly lasting: number;
  /** Steps for which grips were let go, and steps that started from rest. */
  readonly slipped: number;
  readonly stilled: number;
  /** Longest edge of any tet in any step, relative to its length at rest. */
  readonly longestEdge: number;
  /** Largest joint gap in any step, relative to the body's size. */
  readonly jointGap: number;
  /** Root mean square of the strain of all edges, five seconds after letting go. */
  readonly shapeAfter: number;
}

interface HandsOptions {
  readonly acts: string;
  readonly seed: string;
  readonly json?: boolean;
}

/** Runs the characters named, or all, and prints a row for each. */
export async function benchHands(names: readonly string[], options: HandsOptions): Promise<void> {
  const acts = Math.round(requireInRange(Number(options.acts), 1, 1e7, '--acts'));
  const seed = Math.round(requireInRange(Number(options.seed), 0, 2 ** 31, '--seed'));
  const chosen = names.length > 0 ? names : [...CHARACTERS.keys()];
  if (!options.json) console.log(`${machine()}; ${acts} acts of random hands on each character\n${HEAD}`);
  for (const name of chosen) {
    const build = CHARACTERS.get(name);
    if (!build) throw new TendonError('E_UNKNOWN', 'character', name, `use ${[...CHARACTERS.keys()].join(', ')}`);
    const row = await handle(name, build(), acts, seed);
    console.log(options.json ? JSON.stringify(row) : line(row));
    if (row.lasting > 0 || !(row.longestEdge < 10) || !(row.shapeAfter < 0.01)) process.exitCode = 1;
  }
}

/** Random hands on one body, held by its first bone where it has bones. */
export async function handle(character: string, body: BodyDef, acts: number, seed: number): Promise<HandsRow> {
  const bones = body.bones?.map((bone, i) => ({ ...bone, kinematic: i === 0 }));
  const joints = body.joints?.map((joint) =>
    joint.type === 'hinge'
      ? { ...joint, limits: joint.limits ?? { range: [-HINGE_RANGE, HINGE_RANGE] as const } }
      : joint,
  );
  const held = { ...body, ...(bones && { bones }), ...(joints && { joints }) };
  const scene = { name: character, description: '', bodies: [{ body: held }] };
  const world = await createWorld({ ...scene, gravity: [0, 0, 0], dt: 1 / 60 }, { damping: DAMPING });
  const hands = new RandomHands(world, createRandom(seed));
  const seen = { steps: 0, faults: 0, lasting: 0, slipped: 0, stilled: 0, longestEdge: 0, jointGap: 0 };
  const progress = new Progress(character, acts);
  for (let act = 0; act < acts; act++) {
    hands.act();
    for (let n = 0; n < STEPS_PER_ACT; n++) watch(world, seen);
    progress.update(act, `longest edge ${seen.longestEdge.toFixed(2)}`);
  }
  hands.letGo();
  for (let n = 0; n < STEPS_AFTER; n++) watch(world, seen);
  const shapeAfter = shapeError(world.bodies[0]);
  disposeWorld(world);
  return { character, acts, ...seen, shapeAfter };
}

type Seen = { -readonly [Key in Exclude<keyof HandsRow, 'character' | 'acts' | 'shapeAfter'>]: number };

/** One step, and the worst of it. */
function watch(world: World, seen: Seen): void {
  const hadFailed = world.fault !== undefined;
  const done = stepWorld(world);
  const body: WorldBody = world.bodies[0];
  seen.steps++;
  if (!done) seen.faults++;
  if (!done && hadFailed) seen.lasting++;
  if (world.certificate.slipped.length > 0) seen.slipped++;
  if (world.certificate.stilled) seen.stilled++;
  seen.longestEdge = Math.max(seen.longestEdge, longestEdge(body));
  if (done) seen.jointGap = Math.max(seen.jointGap, world.certificate.jointGap / body.model.size);
}

const HEAD = 'character    acts   steps  faults  lasting  slipped  stilled  longest edge  joint gap  strain after';

function line(row: HandsRow): string {
  return [
    row.character.padEnd(10),
    String(row.acts).padStart(6),
    String(row.steps).padStart(8),
    String(row.faults).padStart(8),
    String(row.lasting).padStart(9),
    String(row.slipped).padStart(9),
    String(row.stilled).padStart(9),
    row.longestEdge.toFixed(2).padStart(14),
    row.jointGap.toExponential(1).padStart(11),
    row.shapeAfter.toExponential(1).padStart(14),
  ].join('');
}
