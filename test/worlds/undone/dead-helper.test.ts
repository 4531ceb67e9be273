/**
 * A helper thread that dies in the middle of a part: the step is taken again on the caller's thread alone, and nobody can tell. Runs on the compiled library, as
 * Node cannot start a .ts file as a worker; the death is injected where the pool says so, which a worker that is killed cannot be timed to do.
 */
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { buildPile1600Scene } from '../../../scenes/coupled/pile-1600.js';
import { buildScene } from '../../../scenes/index.js';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  hashWorld,
  restoreSnapshot,
  stepWorld,
  TendonError,
  takeSnapshot,
  type World,
} from '../../../src/index.js';
import type { ThreadPool } from '../../../src/kernels/thread-pool.js';

/** Places within a step that are tried. */
const PLACES = 6;

/** Counts the jobs of a step; the one of number `dies` is never finished. */
function interrupt({ threads }: World): { jobs: number; dies: number } {
  const pool = threads as ThreadPool;
  const run = pool.run.bind(pool);
  const counter = { jobs: 0, dies: -1 };
  pool.run = (job, args, parts, small) => {
    if (counter.jobs++ !== counter.dies) return run(job, args, parts, small);
    throw new TendonError('E_THREAD', 'threads', 0, 'a helper thread stopped answering');
  };
  return counter;
}

const realPost = Worker.prototype.postMessage;

afterEach(() => {
  Worker.prototype.postMessage = realPost;
});

function steps(world: World, count: number): void {
  for (let i = 0; i < count; i++) expect(stepWorld(world)).toBe(true);
}

describe('a helper that dies within a step', () => {
  const pile = () => buildPile1600Scene({ each: 16 });
  it.each<[string, () => AnySceneDef, number]>([
    ['projective, accelerated', () => buildScene('bar'), 12],
    ['projective, joints and contact', () => buildScene('ragdoll'), 30],
    ['projective, several bodies', () => buildScene('stairs'), 20],
    ['coupled, some asleep', pile, 60],
    ['layered', () => buildScene('snake-touched'), 12],
    ['lattice', () => buildScene('falling-limb'), 12],
  ])('%s: leaves the bits of a step that nothing disturbed', async (_name, build, before) => {
    const world = await createWorld(build(), { threads: 2 });
    expect(world.threads.threads).toBe(2);
    steps(world, before);
    const saved = takeSnapshot(world);
    const counter = interrupt(world);
    steps(world, 1);
    const { jobs } = counter;
    const hash = hashWorld(world);
    steps(world, 2);
    const later = hashWorld(world);
    expect(jobs).toBeGreaterThan(0);
    for (let place = 0; place < PLACES; place++) {
      const dies = Math.floor((place * jobs) / PLACES);
      restoreSnapshot(world, saved);
      Object.assign(counter, { jobs: 0, dies });
      steps(world, 1);
      expect(counter.jobs, 'the step was taken again').toBeGreaterThan(dies + 1);
      expect(hashWorld(world), `job ${dies} of ${jobs}`).toBe(hash);
      counter.dies = -1;
      steps(world, 2);
      expect(hashWorld(world), `two steps after job ${dies} of ${jobs}`).toBe(later);
    }
    disposeWorld(world);
  });

  it('between two steps costs nothing: its parts are done by the caller, and another one comes', async () => {
    const started: Worker[] = [];
    Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
      started.push(this);
      realPost.apply(this, message);
    };
    const [two, one] = [await createWorld(buildScene('bar'), { threads: 2 }), await createWorld(buildScene('bar'))];
    for (const world of [two, one]) steps(world, 2);
    const [helper] = started;
    const ended = helper.terminate();
    // the event of its end has not come in: nobody knows yet
    for (const world of [two, one]) steps(world, 3);
    expect(hashWorld(two)).toBe(hashWorld(one));
    await ended;
    for (let n = 0; n < 200 && two.threads.threads < 2; n++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(two.threads.threads).toBe(2);
    for (const world of [two, one]) steps(world, 3);
    expect(hashWorld(two)).toBe(hashWorld(one));
    disposeWorld(two);
  });

  it('throws what is no death of a helper', async () => {
    const world = await createWorld(buildScene('bar'), { threads: 2 });
    const pool = world.threads as ThreadPool;
    pool.run = () => {
      throw new RangeError('no thread');
    };
    expect(() => stepWorld(world)).toThrow(RangeError);
    disposeWorld(world);
  });
});
