import { describe, expect, it } from 'vitest';
import { MAX_STEPS_PER_FRAME, Pacer, STEP_BUDGET } from '../../../viewer/pacer.js';

const DT = 1 / 60;

/** Runs one frame with steps that take `cost` milliseconds each. */
function frame(pacer: Pacer, elapsed: number, cost = 0): number {
  let now = 0;
  return pacer.run(
    elapsed,
    DT,
    () => {
      now += cost;
      return true;
    },
    () => now,
  );
}

describe('the pacer', () => {
  it('takes as many steps as time has passed, whatever the rate of frames', () => {
    for (const rate of [24, 30, 60, 75, 144]) {
      const pacer = new Pacer();
      let steps = 0;
      for (let i = 0; i < rate * 10; i++) steps += frame(pacer, 1 / rate);
      expect(Math.abs(steps - 600)).toBeLessThanOrEqual(1);
      expect(pacer.dropped).toBe(0);
    }
  });

  it('drops and counts what it cannot keep up with, such as an hour of sleep', () => {
    const pacer = new Pacer();
    expect(frame(pacer, 3600)).toBe(MAX_STEPS_PER_FRAME);
    expect(pacer.dropped).toBe(3600 * 60 - MAX_STEPS_PER_FRAME);
    expect(frame(pacer, DT * 1.001)).toBe(1);
  });

  it('stops a frame whose steps are slow', () => {
    const pacer = new Pacer();
    expect(frame(pacer, 4.5 * DT, STEP_BUDGET + 1)).toBe(1);
    expect(pacer.dropped).toBe(3);
    expect(pacer.phase(DT)).toBe(0);
  });

  it('takes no step back in time, and stops at a fault', () => {
    const pacer = new Pacer();
    expect(frame(pacer, -1)).toBe(0);
    let calls = 0;
    pacer.run(
      3.5 * DT,
      DT,
      () => {
        calls++;
        return false;
      },
      () => 0,
    );
    expect(calls).toBe(1);
  });

  it('says how far the clock is between two steps', () => {
    const pacer = new Pacer();
    frame(pacer, 1.25 * DT);
    expect(pacer.phase(DT)).toBeCloseTo(0.25, 9);
  });
});
