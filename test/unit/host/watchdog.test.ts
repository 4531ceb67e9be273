import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Watchdog } from '../../../host/line/watchdog.js';

const PATIENCE = 5000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watchdog and how often it called the worker lost. */
function keep(): { dog: Watchdog; lost: () => number } {
  let lost = 0;
  return { dog: new Watchdog(() => lost++), lost: () => lost };
}

describe('the watchdog', () => {
  it('loses patience with a worker that does not answer, once', () => {
    const { dog, lost } = keep();
    dog.watch(PATIENCE);
    vi.advanceTimersByTime(PATIENCE - 10);
    expect(lost()).toBe(0);
    vi.advanceTimersByTime(20);
    expect(lost()).toBe(1);
    vi.advanceTimersByTime(10 * PATIENCE);
    expect(lost()).toBe(1);
  });

  it('starts over with every question, and rests when nothing is asked', () => {
    const { dog, lost } = keep();
    for (let i = 0; i < 10; i++) {
      dog.watch(PATIENCE);
      vi.advanceTimersByTime(PATIENCE - 10);
    }
    dog.rest();
    vi.advanceTimersByTime(10 * PATIENCE);
    expect(lost()).toBe(0);
  });

  it('does not count the hour a page was hidden', () => {
    const { dog, lost } = keep();
    dog.watch(PATIENCE);
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(PATIENCE - 10);
    expect(lost()).toBe(0);
  });
});
