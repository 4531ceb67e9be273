/**
 * The lattice solver against energies of clamped unit cubes that independent solvers agreed on to 1e-9 (stretched, twisted,
 * bent; two resolutions, two hourglass shares), in f64 to 1e-6.
 */
import { describe, expect, it } from 'vitest';
import { Descent } from '../../../src/solvers/lattice/descent.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { openLatticeRoom } from '../../support/lattice-room.js';
import { CUBE_ENERGIES, CUBE_MOTIONS, clampedBox, placeNodes } from '../../support/models/lattice-cube.js';

describe('energy of a clamped cube at rest', () => {
  it.each(CUBE_ENERGIES)('%s, kappa %d, %d cells: %d J', (motion, kappa, n, expected) => {
    const body = clampedBox([n, n, n], { kappa });
    const arithmetic = new DoubleArithmetic(body);
    const descent = new Descent(arithmetic, body);
    const x = arithmetic.vector();
    placeNodes(body, x, CUBE_MOTIONS[motion]);
    const result = descent.run(x, { maxIterations: 200, tolerance: 1e-5 });
    expect(result.finite).toBe(true);
    expect(result.stalls).toBe(0);
    expect(Math.abs(result.energy / expected - 1)).toBeLessThan(1e-6);
  });
});

describe('the same through the kernels, in f32 to 1e-4', () => {
  it.each(CUBE_ENERGIES)('%s, kappa %d, %d cells: %d J', async (motion, kappa, n, expected) => {
    const body = clampedBox([n, n, n], { kappa });
    const { descent, x } = await openLatticeRoom(body);
    placeNodes(body, x, CUBE_MOTIONS[motion]);
    const result = descent.run(x, { maxIterations: 200, tolerance: 1e-4 });
    expect(result.finite).toBe(true);
    expect(result.stalls).toBe(0);
    expect(Math.abs(result.energy / expected - 1)).toBeLessThan(1e-4);
  });
});
