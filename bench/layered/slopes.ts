/**
 * How the layered step grows with nodes n, bones k and contacts m: [Galoppo2007 §6] finds a sum of what each costs, O(m + k + n), so each is changed by itself.
 *
 *     nodes       the whole step while nothing touches, 16 bones: should not grow
 *     bones       the whole step while nothing touches, 1,922 nodes
 *     contacts    what contacts add to the step of the same character that nothing touches: a chain of 8 bones between two bars, longer and longer
 *
 * A slope is that of the straight line, in logarithms, through four sizes each twice the one before. All sizes take turns, a few steps at a time, and the
 * least time of each counts: whatever slows the machine down for a while slows all of them down.
 */
import { skinLimbs } from '../../scenes/cast/limbs.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { type CoreStep, makeCoreStep } from './core.js';

/** Turns, and steps of each size in a turn. */
const TURNS = 60;
const STEPS = 40;
/** Turns before any time counts: the engine compiles. */
const WARM_UP = 25;
const RADIUS = 0.06;
/** How deep bars press [m]. */
const PRESS = 0.01;

/** One size: what grows, and its least time [ms]. */
export interface Sized {
  readonly size: number;
  readonly ms: number;
}

/** Slopes with what they are drawn through. */
export interface Slopes {
  readonly nodes: number;
  readonly bones: number;
  readonly contacts: number;
  readonly points: { readonly [what in 'nodes' | 'bones' | 'contacts']: readonly Sized[] };
}

/** Measures all three. */
export async function measureSlopes(): Promise<Slopes> {
  const nodes = await timeTogether(
    [1, 2, 4, 8].map((times) => makeCoreStep(chain(16, 30 * times, 16), [])),
    ({ core }) => core.bodies[0].model.nodeCount,
  );
  const bones = await timeTogether(
    [16, 32, 64, 128].map((count) => makeCoreStep(chain(8, 240, count), [])),
    ({ core }) => core.bodies[0].model.bones.count,
  );
  const body = chain(24, 120, 8);
  const [untouched, ...touched] = await timeTogether(
    [0, 0.225, 0.45, 0.9, 1.8].map((length) => makeCoreStep(body, length > 0 ? bars(length) : [])),
    ({ core }) => core.touches.count,
  );
  const contacts = touched.map(({ size, ms }) => ({ size, ms: ms - untouched.ms }));
  return {
    nodes: slope(nodes),
    bones: slope(bones),
    contacts: slope(contacts),
    points: { nodes, bones, contacts },
  };
}

/** Steps all characters in turn; `sizeOf` is asked at the end. */
async function timeTogether(made: Promise<CoreStep>[], sizeOf: (one: CoreStep) => number): Promise<Sized[]> {
  const all = await Promise.all(made);
  const least = all.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    all.forEach(({ step }, i) => {
      for (let n = 0; n < STEPS; n++) {
        const began = performance.now();
        step();
        const ms = performance.now() - began;
        if (turn >= WARM_UP && ms < least[i]) least[i] = ms;
      }
    });
  }
  return all.map((one, i) => ({ size: sizeOf(one), ms: least[i] }));
}

/** Slope of the line through points in logarithms, by least squares. */
export function slope(points: readonly Sized[]): number {
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map(({ ms }) => Math.log(ms));
  const [meanX, meanY] = [x, y].map((values) => values.reduce((sum, value) => sum + value) / values.length);
  let [along, square] = [0, 0];
  x.forEach((value, i) => {
    along += (value - meanX) * (y[i] - meanY);
    square += (value - meanX) * (value - meanX);
  });
  return along / square;
}

/** A straight tube of 2 m. */
function chain(around: number, rings: number, bones: number): LayerDef {
  const points = Array.from({ length: bones + 1 }, (_, i) => [(2 * i) / bones - 1, 0, 0] as const);
  return skinLimbs('chain', [{ name: 'link', points, radii: points.map(() => RADIUS), rings }], around);
}

/** Bars pressed into the chain from above and below, about its middle: neither bends it away from the other. */
function bars(length: number): ObstacleDef[] {
  const shape = { kind: 'box', halfExtents: [length / 2, 0.1, 0.2] } as const;
  const y = RADIUS + 0.1 - PRESS;
  return [y, -y].map((at, i) => ({ name: `bar ${i}`, shape, position: [0, at, 0], friction: 0.3 }));
}
