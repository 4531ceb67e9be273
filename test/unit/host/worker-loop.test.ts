import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeSteps } from '../../../host/line/take-steps.js';
import { serveSimulation } from '../../../host/line/worker-loop.js';
import { buildScene } from '../../../scenes/index.js';
import { addDrive, createWorld, disposeWorld, removeDrive, stepWorld } from '../../../src/index.js';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Serves a simulation each of whose steps takes so long [ms], and what it said after `steps` of them. */
async function saidDuring(steps: number, stepMs: number): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['performance'] });
  const said: string[] = [];
  vi.stubGlobal('postMessage', ({ kind }: { kind: string }) => said.push(kind));
  vi.stubGlobal('onmessage', null);
  const step = () => {
    vi.advanceTimersByTime(stepMs);
    return true;
  };
  serveSimulation(async () => ({
    info: 'slow',
    length: 0,
    act: () => {},
    advance: (count, _phase, _out, alive) => ({ stepCount: count, time: 0, ...takeSteps(count, step, alive) }),
    answer: () => undefined,
    dispose: () => {},
  }));
  const tell = (data: object) => (globalThis.onmessage as unknown as (event: object) => void)({ data });
  tell({ kind: 'load', spec: undefined });
  tell({ kind: 'advance', steps, phase: 1 });
  await vi.waitFor(() => expect(said).toContain('frame'));
  return said;
}

describe('a worker that is busy', () => {
  it('says so between steps that take long, so that it is not taken for dead', async () => {
    expect(await saidDuring(4, 3000)).toEqual(['loaded', 'alive', 'alive', 'alive', 'alive', 'frame']);
  });

  it('keeps silent while steps are fast', async () => {
    expect(await saidDuring(8, 40)).toEqual(['loaded', 'frame']);
  });
});

describe('taking steps', () => {
  it('ends with the first that fails, and hears how many are left', () => {
    const left: number[] = [];
    const { steps } = takeSteps(5, (more) => {
      left.push(more);
      return more > 3;
    });
    expect(steps).toBe(2);
    expect(left).toEqual([5, 4, 3]);
  });

  it('gives a sign of life before every part of a step, and leaves nothing behind', async () => {
    const world = await createWorld(buildScene('pendulum'));
    const acts: string[] = [];
    takeSteps(
      2,
      () => stepWorld(world),
      () => acts.push('alive'),
      [world],
    );
    // before and after each of two steps, which are of one part
    expect(acts).toEqual(['alive', 'alive', 'alive', 'alive']);
    const after = () => acts.push('drive');
    addDrive(world, after);
    stepWorld(world);
    removeDrive(world, after);
    expect(acts.slice(4)).toEqual(['drive']);
    disposeWorld(world);
  });
});
