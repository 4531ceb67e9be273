/** Small parts of the viewer that need no page. */
import { describe, expect, it } from 'vitest';
import { greenStrain } from '../../../host/frames/strain.js';
import { colourStrain, FULL_STRAIN } from '../../../viewer/draw/strain-colours.js';
import { roundUp } from '../../../viewer/panel/round-up.js';

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
