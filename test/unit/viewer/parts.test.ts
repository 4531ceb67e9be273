/** Small parts of the viewer that need no page. */
import { describe, expect, it } from 'vitest';
import { roundUp } from '../../../viewer/round-up.js';
import { greenStrain } from '../../../viewer/strain.js';
import { colourStrain, FULL_STRAIN } from '../../../viewer/strain-colours.js';
import { PATIENCE, Watchdog } from '../../../viewer/watchdog.js';

describe('the watchdog', () => {
  /** Ticks every 16 ms until the worker counts as lost; returns how long that took [ms]. */
  const patience = (dog: Watchdog, building: boolean) => {
    for (let now = 0; now < 1e6; now += 16) if (dog.isLost(now, building)) return now;
    return Number.POSITIVE_INFINITY;
  };

  it('loses patience with a worker that does not answer, later while it builds', () => {
    expect(patience(new Watchdog(), false)).toBeGreaterThan(PATIENCE.frame - 20);
    expect(patience(new Watchdog(), false)).toBeLessThan(PATIENCE.frame + 40);
    expect(patience(new Watchdog(), true)).toBeGreaterThan(PATIENCE.building - 20);
  });

  it('does not count the hour a page was hidden', () => {
    const dog = new Watchdog();
    expect(dog.isLost(0, false)).toBe(false);
    expect(dog.isLost(3_600_000, false)).toBe(false);
    expect(dog.isLost(3_600_016, false)).toBe(false);
  });

  it('starts over with every answer, waits longer after each restart, and gives up', () => {
    const dog = new Watchdog();
    dog.isLost(0, false);
    for (let now = 16; now < 4000; now += 16) dog.isLost(now, false);
    dog.rest();
    expect(dog.isLost(4000, false)).toBe(false);
    expect(dog.tooOften()).toBe(false);
    expect(patience(dog, false)).toBeGreaterThan(2 * PATIENCE.frame - 20);
    expect([dog.tooOften(), dog.tooOften(), dog.tooOften()]).toEqual([false, false, true]);
  });
});

describe("Green's strain", () => {
  const tets = [0, 1, 2, 3];
  const inverse = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const tet = (map: (x: number, y: number, z: number) => number[]) =>
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ].flatMap(([x, y, z]) => map(x, y, z));

  it('is nothing for a turn and (s² − 1)/2 for a stretch', () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const turned = tet((x, y, z) => [c * x - s * y + 3, s * x + c * y, z - 1]);
    expect(greenStrain(turned, tets, 0, inverse, 0)).toBeCloseTo(0, 12);
    const stretched = tet((x, y, z) => [1.2 * x, y, z]);
    expect(greenStrain(stretched, tets, 0, inverse, 0)).toBeCloseTo((1.44 - 1) / 2, 12);
  });
});

describe('colours of strain', () => {
  it('go from the first to the last, and stay there', () => {
    const out = new Float32Array(12);
    colourStrain([9, 0, FULL_STRAIN, 10 * FULL_STRAIN, -1], 1, 4, out);
    expect(out[2]).toBeGreaterThan(out[0]);
    expect(out[3]).toBeGreaterThan(out[5]);
    expect(out.slice(6, 9)).toEqual(out.slice(3, 6));
    expect(out.slice(9, 12)).toEqual(out.slice(0, 3));
  });
});

describe('the end of an axis', () => {
  it.each([
    [0, 0.001],
    [0.0031, 0.005],
    [0.9, 1],
    [1, 1],
    [1.1, 2],
    [4.2, 5],
    [51, 100],
    [70_000, 100_000],
  ])('for %d is %d', (value, end) => {
    expect(roundUp(value)).toBeCloseTo(end, 9);
  });
});
