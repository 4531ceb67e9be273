/**
 * Helper threads that really die in the middle of a part, in every way there is: the step ends at once, with the bits of one thread, and another helper comes.
 * Runs on the compiled library, as Node cannot start a .ts file as a worker; the helper in its place is test/support/dying-helper.mjs.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { buildPile1600Scene } from '../../../scenes/coupled/pile-1600.js';
import { buildScene } from '../../../scenes/index.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  hashWorld,
  MATERIALS,
  stepWorld,
  type World,
} from '../../../src/index.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const threads = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
const RealWorker = threads.Worker;
const realWait = Atomics.wait;
/** So long the pool waits for one that was told to end [ms]; it waits for nothing else as long. */
const LAST_BREATH = 100;

/** The first helper that is started is this one. Returns those that were started, and how often the caller waited for the last breath of one that ends. */
function replaceFirst(way: string, calls: number): { started: Worker[]; waits: { last: number } } {
  const started: Worker[] = [];
  const waits = { last: 0 };
  const told = new SharedArrayBuffer(8);
  threads.Worker = class extends RealWorker {
    constructor(script: URL) {
      const dying = new URL('../../support/dying-helper.mjs', import.meta.url);
      const room = way === 'memory' ? { resourceLimits: { maxOldGenerationSizeMb: 48 } } : {};
      super(started.length === 0 ? dying : script, { workerData: { way, calls, helper: script.href, told }, ...room });
      started.push(this);
    }
  };
  syncBuiltinESMExports();
  // somebody ends it while the caller waits for it
  Atomics.wait = ((...given: Parameters<typeof Atomics.wait>) => {
    if (Atomics.exchange(new Int32Array(told), 0, 0) === 1) void started[0].terminate();
    const outcome = realWait(...given);
    if (outcome === 'timed-out' && given[3] === LAST_BREATH) waits.last++;
    return outcome;
  }) as typeof Atomics.wait;
  return { started, waits };
}

afterEach(() => {
  threads.Worker = RealWorker;
  Atomics.wait = realWait;
  syncBuiltinESMExports();
});

/** A bar of flesh between bones of 12,960 tets, with as many of which threads help, on a floor. */
function buildLargeBar(): AnySceneDef {
  const body = buildFleshBar({ cells: [34, 9, 9], cell: 0.02, layers: 2, material: MATERIALS.muscle });
  const obstacles = [{ name: 'floor', shape: { kind: 'plane' } as const }];
  return { name: 'large', description: 'a bar that falls', bodies: [{ body, position: [0, 0.01, 0] }], obstacles };
}

/** What the thread's own error says, where there is one, and where it was not ended before that had come in. */
const CAUSES: Record<string, RegExp> = {
  unreachable: /none|unreachable/,
  bounds: /none|out of bounds/,
  exception: /none|no more/,
  exit: /none/,
  memory: /none|memory limit/,
  terminate: /none/,
};
const WAYS = Object.keys(CAUSES);
const SILENT = ['memory', 'terminate'];
/** Of solvers whose worlds take seconds to make: one way that says something, and one that does not. */
const TWO_WAYS = ['unreachable', 'terminate'];

const SOLVERS: [string, () => AnySceneDef, string[]][] = [
  ['projective', buildLargeBar, TWO_WAYS],
  ['coupled', () => buildPile1600Scene({ each: 16 }), WAYS],
  ['layered', () => buildScene('snake-touched'), TWO_WAYS],
  ['lattice', () => buildScene('falling-limb'), WAYS],
];

/** Steps both until the helper of the first dies. */
function stepUntilDeath(two: World, one: World): void {
  for (let n = 0; n < 100; n++) {
    for (const world of [two, one]) expect(stepWorld(world)).toBe(true);
    expect(hashWorld(two), `step ${n}`).toBe(hashWorld(one));
    if (two.threads.threads === 1) return;
  }
  throw new Error('it has taken no part');
}

describe('a helper that dies over a part', () => {
  it.each(SOLVERS.flatMap(([name, build, ways]) => ways.map((way) => ({ name, way, build }))))(
    '$name, $way: is replaced, and the bits are those of one thread',
    async ({ way, build }) => {
      const { started, waits } = replaceFirst(way, 40);
      const [two, one] = [await createWorld(build(), { threads: 2 }), await createWorld(build())];
      expect(two.threads.threads).toBe(2);
      let cause = 'none';
      started[0].once('error', (error) => {
        cause = String(error);
      });
      stepUntilDeath(two, one);
      // whoever can say it is not waited for, whatever the machine does besides
      expect(waits.last).toBe(SILENT.includes(way) ? 1 : 0);
      for (let n = 0; n < 500 && two.threads.threads < 2; n++) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(two.threads.threads).toBe(2);
      expect(started.length).toBe(2);
      expect(cause).toMatch(CAUSES[way]);
      for (let n = 0; n < 3; n++) {
        for (const world of [two, one]) expect(stepWorld(world)).toBe(true);
        expect(hashWorld(two)).toBe(hashWorld(one));
      }
      disposeWorld(two);
    },
  );

  it('is not one that is slow, also where another one has died meanwhile', async () => {
    const { started, waits } = replaceFirst('slow', 40);
    const scene = buildScene('falling-limb');
    const [three, one] = [await createWorld(scene, { threads: 3 }), await createWorld(scene)];
    expect(three.threads.threads).toBe(3);
    // idle when it ends, and nobody knows of it yet
    const ended = started[1].terminate();
    let slowest = 0;
    for (let n = 0; n < 100 && slowest < 2000; n++) {
      const began = performance.now();
      for (const world of [three, one]) expect(stepWorld(world)).toBe(true);
      slowest = performance.now() - began;
      expect(hashWorld(three)).toBe(hashWorld(one));
      expect(three.threads.threads).toBe(3);
    }
    expect(slowest).toBeGreaterThan(2000);
    expect(waits.last).toBe(0);
    await ended;
    disposeWorld(three);
  });
});
