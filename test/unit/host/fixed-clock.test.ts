import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FixedClock, MAX_STEPS } from '../../../host/line/fixed-clock.js';

const DT = 1 / 60;

describe('FixedClock', () => {
  it('makes one step of each sixtieth of a second, whatever the rounding', () => {
    const clock = new FixedClock(DT);
    for (let i = 0; i < 600; i++) {
      clock.add(DT);
      expect(clock.take()).toBe(1);
    }
    expect(clock.dropped).toBe(0);
  });

  it('steps every other picture at 120 Hz and shows what is between', () => {
    const clock = new FixedClock(DT);
    const seen: [number, number][] = [];
    for (let i = 0; i < 4; i++) {
      clock.add(DT / 2);
      seen.push([clock.take(), Math.round(clock.phase * 1000) / 1000]);
    }
    expect(seen).toEqual([
      [0, 0.5],
      [1, 0],
      [0, 0.5],
      [1, 0],
    ]);
  });

  it('takes at most four steps and drops and counts the rest', () => {
    const clock = new FixedClock(DT);
    clock.add(10.5 * DT);
    expect(clock.take()).toBe(MAX_STEPS);
    expect(clock.dropped).toBe(6);
    expect(clock.phase).toBeCloseTo(0.5, 9);
    expect(clock.take()).toBe(0);
    // a tab that was hidden for an hour
    clock.add(3600);
    expect(clock.take()).toBe(MAX_STEPS);
    expect(clock.dropped).toBe(6 + 216_000 - MAX_STEPS);
    clock.reset();
    expect([clock.dropped, clock.phase, clock.take()]).toEqual([0, 0, 0]);
  });

  it('takes no notice of times that cannot be', () => {
    const clock = new FixedClock(DT);
    for (const delta of [-1, Number.NaN, Number.POSITIVE_INFINITY]) clock.add(delta);
    expect([clock.take(), clock.phase]).toEqual([0, 0]);
  });

  it('accounts for all time: taken, dropped or owed', () => {
    const deltas = fc.array(fc.double({ min: 0, max: 0.3, noNaN: true }), { maxLength: 200 });
    fc.assert(
      fc.property(deltas, (list) => {
        const clock = new FixedClock(DT);
        let taken = 0;
        for (const delta of list) {
          clock.add(delta);
          const steps = clock.take();
          expect(steps).toBeLessThanOrEqual(MAX_STEPS);
          expect(clock.phase).toBeGreaterThanOrEqual(0);
          expect(clock.phase).toBeLessThanOrEqual(1);
          taken += steps;
        }
        const all = list.reduce((sum, delta) => sum + delta, 0);
        expect((taken + clock.dropped + clock.phase) * DT).toBeCloseTo(all, 4);
      }),
    );
  });
});
