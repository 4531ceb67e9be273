import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spiralShell } from '../../../scenes/cast/creatures/spiral-shell.js';
import type { Vec3 } from '../../../src/body/body-def.js';
import * as primitives from '../../../src/character/shapes/sdf.js';
import * as combine from '../../../src/character/shapes/sdf-combine.js';

const sdf = { ...primitives, ...combine, spiralShell };

const coordinate = fc.integer({ min: -2000, max: 2000 }).map((millimetres) => millimetres / 1000);
const point = fc.tuple(coordinate, coordinate, coordinate);

const SHAPES: [string, primitives.Shape][] = [
  ['sphere', sdf.sphere([0.3, -0.2, 0.1], 0.8)],
  ['ellipsoid', sdf.ellipsoid([0.1, 0.2, 0], [1, 0.6, 0.4])],
  ['capsule', sdf.roundCone([-1, 0, 0], [1, 0.5, 0], 0.3)],
  ['round cone', sdf.roundCone([-1, 0, 0.2], [1, 0.5, 0], 0.6, 0.2)],
  [
    'chain',
    sdf.chain(
      [
        [-1, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ],
      [0.3, 0.2, 0.4],
    ),
  ],
  ['torus', sdf.torus([0, 0.1, 0], 1, 0.3)],
  ['round triangle', sdf.roundTriangle([0, 0, 0], [1, 0, 0.3], [0, 1.5, 0], 0.25)],
  ['stretched', sdf.stretch(sdf.sphere([0, 0, 0], 1), [0.5, 0, 0], [1.5, 1, 0.5])],
  ['smooth union', sdf.smoothUnion(0.3, [sdf.sphere([0, 0, 0], 0.5), sdf.sphere([0.7, 0, 0], 0.5)])],
  [
    'spiral shell',
    sdf.spiralShell({ center: [0, 0, 0], radius: 1, tube: 0.5, turns: 2, ratio: 0.5, rise: 0.4, seam: 0.1 }),
  ],
];

describe.each(SHAPES)('%s', (_, shape) => {
  it('lies inside its box', () => {
    fc.assert(
      fc.property(point, ([x, y, z]) => {
        const p = [x, y, z];
        const outside = p.some((value, axis) => value < shape.low[axis] - 1e-12 || value > shape.high[axis] + 1e-12);
        if (outside) expect(shape.distance(x, y, z)).toBeGreaterThan(-1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it('is filled somewhere and, near its surface, varies no faster than a distance can, within a tenth', () => {
    let inside = 0;
    let near = 0;
    fc.assert(
      fc.property(point, point, (a, b) => {
        if (shape.distance(...a) < 0) inside++;
        // Deep inside an ellipsoid its distance is only an estimate.
        if (Math.abs(shape.distance(...a)) > 0.15) return;
        near++;
        const c: Vec3 = sdf.pointBetween(a, b, 0.01);
        const step = 0.01 * Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        expect(Math.abs(shape.distance(...c) - shape.distance(...a))).toBeLessThanOrEqual(1.1 * step + 1e-12);
      }),
      { numRuns: 1000, seed: 7 },
    );
    expect(inside).toBeGreaterThan(0);
    expect(near).toBeGreaterThan(0);
  });
});

describe('distances that are known', () => {
  it('are exact for balls, capsules, cones and tori', () => {
    expect(sdf.sphere([1, 2, 3], 2).distance(1, 2, 8)).toBeCloseTo(3, 14);
    expect(sdf.sphere([1, 2, 3], 2).distance(1, 2, 3)).toBe(-2);
    expect(sdf.roundCone([0, 0, 0], [4, 0, 0], 1).distance(2, 3, 0)).toBeCloseTo(2, 14);
    expect(sdf.roundCone([0, 0, 0], [4, 0, 0], 1, 0.5).distance(-3, 0, 0)).toBeCloseTo(2, 14);
    // On the flank: both balls touch the tangent line, so it is at distance zero all along.
    const [ra, rb, length] = [1, 0.5, 4];
    const sine = (ra - rb) / length;
    const cosine = Math.sqrt(1 - sine * sine);
    const cone = sdf.roundCone([0, 0, 0], [length, 0, 0], ra, rb);
    for (const share of [0, 0.3, 1]) {
      const radius = ra + share * (rb - ra);
      expect(cone.distance(share * length + radius * sine, radius * cosine, 0)).toBeCloseTo(0, 12);
    }
    expect(sdf.torus([0, 0, 0], 2, 0.5).distance(0, 4, 0)).toBeCloseTo(1.5, 14);
    expect(sdf.roundTriangle([0, 0, 0], [1, 0, 0], [0, 1, 0], 0.1).distance(0.2, 0.2, -1)).toBeCloseTo(0.9, 14);
    expect(sdf.roundTriangle([0, 0, 0], [1, 0, 0], [0, 1, 0], 0.1).distance(0.5, -1, 0)).toBeCloseTo(0.9, 14);
    expect(sdf.halfSpace([0, 1, 0], [0, 1, 0]).distance(5, 3, 5)).toBe(2);
  });

  it('blend: a smooth union is a union far from the seam and more than it at the seam', () => {
    const [a, b] = [sdf.sphere([-1, 0, 0], 1), sdf.sphere([1, 0, 0], 1)];
    const union = sdf.smoothUnion(0.4, [a, b]);
    expect(union.distance(-2.5, 0, 0)).toBeCloseTo(0.5, 14);
    expect(union.distance(0, 0, 0)).toBeCloseTo(-0.1, 14);
    expect(sdf.smoothUnion(0, [a, b]).distance(0, 0, 0)).toBe(0);
    const both = sdf.smoothIntersection(0.4, a, sdf.halfSpace([-1, 0, 0], [0, 1, 0]));
    expect(both.distance(-1, -0.9, 0)).toBeCloseTo(-0.1, 12);
    expect(both.distance(-1, 0.5, 0)).toBeCloseTo(0.5, 12);
    expect(both.distance(-2, 0, 0)).toBeCloseTo(0.1, 12);
    expect(both.low).toEqual([-2, -1, -1]);
  });

  it('subtract, mirror and measure', () => {
    const ring = sdf.subtract(sdf.sphere([0, 0, 0], 2), sdf.sphere([0, 0, 0], 1));
    expect(ring.distance(0, 0, 0)).toBe(1);
    expect(ring.distance(1.5, 0, 0)).toBeCloseTo(-0.5, 14);
    expect(sdf.mirrorX(sdf.sphere([1, 0, 0], 0.5)).distance(-1, 0, 0)).toBe(-0.5);
    expect(sdf.mirrorX(sdf.sphere([1, 0, 0], 0.5)).low).toEqual([-1.5, -0.5, -0.5]);
    expect(sdf.mirrorZ(sdf.sphere([0, 0, 1], 0.5)).high).toEqual([0.5, 0.5, -0.5]);
    expect(sdf.pointBetween([0, 0, 0], [1, 2, 4], 0.25)).toEqual([0.25, 0.5, 1]);
  });
});
