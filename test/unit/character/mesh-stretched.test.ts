import { describe, expect, it } from 'vitest';
import { meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import { meshStretched } from '../../../src/character/shapes/mesh-stretched.js';
import { roundCone, sphere } from '../../../src/character/shapes/sdf.js';
import { splineLimb } from '../../../src/character/shapes/spline-limb.js';
import { summarizeMesh } from '../../../src/mesh/tets/quality.js';
import { expectSolid } from '../mesh/mesh-checks.js';

const DEGREE = Math.PI / 180;

describe('meshStretched', () => {
  const skin = roundCone([-0.3, 0, 0], [0.3, 0.1, 0], 0.2, 0.15);
  const bones = [{ name: 'core', shape: sphere([0, 0.05, 0], 0.1) }];
  const plan = { name: 'limb', skin, bones, cell: 0.05 };
  const plain = summarizeMesh(meshCharacter(plan));

  it.each([
    { axis: 0, factor: 1.6 } as const,
    { axis: 1, factor: 0.6 } as const,
    { axis: 2, factor: 2 } as const,
    { axis: 0, factor: 0.5, low: -0.1, high: 0.2 } as const,
    { axis: 1, factor: 0.6, high: 0.03 } as const,
    { axis: 2, factor: 1.5, low: -0.02 } as const,
  ])('fills the same shape with more or fewer tetrahedra: %o', (stretch) => {
    const body = meshStretched(plan, stretch);
    expectSolid(body);
    const { totalVolume, tetCount, dihedral } = summarizeMesh(body);
    expect(totalVolume / plain.totalVolume).toBeCloseTo(1, 1);
    expect(tetCount > plain.tetCount).toBe(stretch.factor > 1);
    expect(dihedral.min).toBeGreaterThan(7 * DEGREE);
    expect(dihedral.max).toBeLessThan(170 * DEGREE);
    // Nothing lies off the surface by more than a corner of the coarse skin cuts.
    for (let i = 0; i < body.positions.length; i += 3) {
      expect(
        skin.distance(...(Array.from(body.positions.subarray(i, i + 3)) as [number, number, number])),
      ).toBeLessThan(0.01);
    }
    // The bone is where it was planned.
    for (const vertex of Array.from(body.bones?.[0].vertices ?? [])) {
      const [x, y, z] = body.positions.subarray(3 * vertex, 3 * vertex + 3);
      expect(bones[0].shape.distance(x, y, z)).toBeLessThan(0.02);
    }
  });
});

describe('splineLimb', () => {
  const points = [
    [0, 0, 0],
    [1, 0.2, 0],
    [2, 0, 0.3],
    [3, -0.4, 0],
  ] as const;
  const radii = [0.1, 0.3, 0.2, 0.05];

  it('has the given radius at the given points', () => {
    const limb = splineLimb(points, radii, { steps: 8 });
    points.forEach(([x, y, z], i) => {
      // Thicker neighbours on the way may reach a little further.
      expect(limb.distance(x, y, z)).toBeLessThan(-radii[i] + 1e-8);
      expect(limb.distance(x, y, z)).toBeGreaterThan(-radii[i] - 0.03);
    });
  });

  it('goes straight through two points and is nowhere thinner than told', () => {
    const cone = roundCone([0, 0, 0], [1, 0, 0], 0.2, 0.1);
    const limb = splineLimb([points[0], [1, 0, 0]], [0.2, 0.1]);
    for (const x of [0.1, 0.4, 0.9]) expect(limb.distance(x, 0.3, 0)).toBeCloseTo(cone.distance(x, 0.3, 0), 12);
    expect(splineLimb(points, radii, { least: 0.15 }).distance(3, -0.4, 0)).toBeLessThan(-0.15 + 1e-12);
  });
});
