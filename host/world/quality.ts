/**
 * How fine a character is built and how often its steps iterate, so that a step takes no longer than wanted on the machine at hand. The
 * character itself is tried: it falls on a floor, with contact with itself, for half a second of work. Steps are affine in
 * iterations, so two counts say what all others cost. Only building looks at the clock; steps stay the same everywhere.
 */
import type { Character } from '../../src/character/character.js';
import { characterSolver } from '../../src/character/load-character.js';
import { DEFAULT_ITERATIONS } from '../../src/constants.js';
import { TendonError } from '../../src/errors.js';
import { createWorld, disposeWorld } from '../../src/world/create-world.js';
import { stepWorld } from '../../src/world/step.js';

/** 'full': as fine as the defaults; 'auto': for steps of 8 ms; a number: for steps of so many milliseconds. */
export type Quality = 'full' | 'auto' | number;

/** A character and how often its steps iterate; `iterations` is undefined where nothing was tried. */
export interface Fitted {
  readonly character: Character;
  readonly iterations?: number;
  /** What a step was measured to take with them [ms]. */
  readonly stepMs?: number;
}

/** What 'auto' means: half a frame of 60 a second [ms]. */
const HALF_FRAME = 8;
/**
 * Share of the budget that the trial aims at: it ends when the body has just come down, and steps are slower while it falls over and lies on itself. CesiumMan, falling for
 * three seconds, took 9.6 ms in the median where 8 were asked for.
 */
const AIM = 0.8;
/** Fewer iterations than this leave flesh visibly behind its bones; below, tets are saved instead. */
const FEWEST = 4;
/** Tets of a character that is too slow at the fewest iterations, and of one that is slower than this many budgets. */
const COARSER = 4000;
const COARSEST = 2500;
const FAR = 1.25;
/** Steps until the engine has compiled what it runs, and steps that are timed with each of two counts. */
const WARM_UP = 24;
const TIMED = 9;
/** Longest that either takes, after three steps [ms]: nobody waits for a slow machine to be found slow. */
const PATIENCE = 400;
/** How high over the floor the trial starts, in sizes: it lands within the warm-up. */
const DROP = 0.05;

/** Builds a character by `build`, which is told how many tets to aim for, and fits it to the machine. */
export async function fitQuality(
  build: (tets?: number) => Promise<Character>,
  quality: Quality,
  clock: () => number = () => performance.now(),
): Promise<Fitted> {
  if (quality === 'full') return { character: await build() };
  const budget = quality === 'auto' ? HALF_FRAME : quality;
  if (!(budget > 0)) throw new TendonError('E_RANGE', 'quality', quality, "use 'full', 'auto' or milliseconds a step");
  let character = await build();
  const aim = AIM * budget;
  let fitted = await tryIterations(character, aim, clock);
  // far too slow: as coarse as it gets, at once
  for (const tets of fitted.stepMs > FAR * budget ? [COARSEST] : [COARSER, COARSEST]) {
    if (fitted.iterations >= FEWEST) break;
    if (character.body.tets.length / 4 > tets) character = await build(tets);
    fitted = await tryIterations(character, aim, clock);
  }
  return { character, iterations: Math.max(FEWEST, fitted.iterations), stepMs: fitted.stepMs };
}

/** What was chosen, for people. */
export function describeQuality({ character, iterations, stepMs }: Fitted): string | undefined {
  if (iterations === undefined) return undefined;
  const tets = character.body.tets.length / 4;
  return `chosen for this machine: ${tets} tets, ${iterations} iterations, about ${stepMs?.toFixed(1)} ms a step`;
}

/** The iterations that fit a budget [ms], at most the usual ones, and what a step takes with them, or with the fewest. */
async function tryIterations(
  character: Character,
  budget: number,
  clock: () => number,
): Promise<{ iterations: number; stepMs: number }> {
  const { body } = character;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < body.positions.length; i += 3) {
    low = Math.min(low, body.positions[i]);
    high = Math.max(high, body.positions[i]);
  }
  const floor = {
    name: 'floor',
    shape: { kind: 'plane' as const },
    position: [0, low - DROP * (high - low), 0] as const,
  };
  const solver = characterSolver(character);
  const world = await createWorld({ name: 'trial', description: '', bodies: [{ body }], solver, obstacles: [floor] });
  // the lower quartile: what else the machine does while it tries is no property of the character
  const typical = (iterations: number, steps: number): number => {
    world.options.iterations = iterations;
    const times: number[] = [];
    let spent = 0;
    for (let n = 0; n < steps && (n < 3 || spent < PATIENCE); n++) {
      const began = clock();
      stepWorld(world);
      times.push(clock() - began);
      spent += times[n];
    }
    return times.sort((a, b) => a - b)[times.length >> 2];
  };
  typical(DEFAULT_ITERATIONS, WARM_UP);
  const few = typical(FEWEST, TIMED);
  const many = typical(DEFAULT_ITERATIONS, TIMED);
  disposeWorld(world);
  const each = Math.max(1e-6, (many - few) / (DEFAULT_ITERATIONS - FEWEST));
  const fitting = Math.floor(FEWEST + (budget - few) / each);
  const iterations = Math.min(DEFAULT_ITERATIONS, Math.max(0, fitting));
  return { iterations, stepMs: few + each * (Math.max(FEWEST, iterations) - FEWEST) };
}
