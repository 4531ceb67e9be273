import { describe, expect, it } from 'vitest';
import { StateCollector } from '../../../src/record/take.js';
import { Simulation } from '../../../viewer/worker/simulation.js';

describe('a recording', () => {
  it('keeps states a thirtieth of a second apart, or every step where steps are longer', () => {
    const wanted = (dt: number) => [1, 2, 3, 4].filter((step) => new StateCollector(dt, 10).wants(step));
    expect(wanted(1 / 60)).toEqual([2, 4]);
    expect(wanted(0.033)).toEqual([1, 2, 3, 4]);
  });

  it('ends where files become unwieldy', () => {
    expect(new StateCollector(1 / 60, 10).room).toBe(900);
    // a state of 4 MB
    expect(new StateCollector(1 / 60, 1e6).room).toBe(64);
    const take = new StateCollector(1 / 30, 4);
    const forces = { joints: new Float32Array(0), contacts: new Float32Array(0) };
    for (let step = 0; take.wants(step); step++) take.add(step / 30, new Float32Array(4), forces);
    expect(take.count).toBe(900);
  });

  it('begins with the state at hand, again after a reset, and counts time from there', async () => {
    const simulation = await Simulation.create({ source: { kind: 'scene', name: 'pendulum' }, settings: {} });
    const advance = (steps: number) => {
      const buffer = new Float32Array(simulation.length);
      return { ...simulation.advance(steps, 1, buffer), buffer };
    };
    advance(5);
    simulation.act({ kind: 'record' });
    expect(advance(4).recorded?.count).toBeGreaterThan(1);
    simulation.act({ kind: 'reset' });
    expect(advance(0).recorded?.count).toBe(1);
    const first = advance(0).buffer;
    advance(6);
    const { times, states } = simulation.answer('recording')!;
    expect(states[0]).toEqual(first);
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBeCloseTo(6 * simulation.info.dt, 9);
    expect(simulation.answer('recording')).toBeUndefined();
    expect(advance(1).recorded).toBeUndefined();
    simulation.dispose();
  });
});
