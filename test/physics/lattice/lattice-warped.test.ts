/**
 * The cycle of warped stiffness against an independent program (V(2,2) with Chebyshev's fourth kind leaves 0.43 of an error on a cube of eight cells a
 * side), and as the first matrix of a descent: it ends where the Laplacian's cycle does, in fewer iterations where flesh has few bones.
 */
import { describe, expect, it } from 'vitest';
import { multiplySparse } from '../../../src/linalg/sparse.js';
import { nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { assembleStiffness } from '../../../src/solvers/lattice/compare/stiffness.js';
import { WarpedCycle } from '../../../src/solvers/lattice/compare/warped-cycle.js';
import { Descent } from '../../../src/solvers/lattice/descent.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../../src/solvers/lattice/numbers/quad-layout.js';
import { clampedBox, placeNodes } from '../../support/models/lattice-cube.js';

/** What a cycle leaves of an error in the end, for K x = 0 on a cube at rest. */
function rateOf(n: number): number {
  const body = clampedBox([n, n, n]);
  const arithmetic = new DoubleArithmetic(body);
  const cycle = new WarpedCycle(body);
  const [b, z] = [arithmetic.vector(), arithmetic.vector()];
  placeNodes(body, b, (X, Y, Z) => [X, Y, Z]);
  cycle.refresh(b);
  const matrix = assembleStiffness(body, nodePositions(body.lattice), 'warped');
  const x = Float64Array.from({ length: matrix.size }, (_, i) =>
    body.filling.held[Math.floor(i / 3)] ? 0 : ((i * 7919) % 101) / 50 - 1,
  );
  const r = new Float64Array(x.length);
  let [rate, before] = [1, Math.hypot(...x)];
  for (let pass = 0; pass < 25; pass++) {
    multiplySparse(matrix, x, r);
    body.layout.placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) b.view[floatOfPlace(place, k)] = -r[3 * node + k];
    });
    cycle.run(b, z);
    body.layout.placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) x[3 * node + k] += z.view[floatOfPlace(place, k)];
    });
    const after = Math.hypot(...x);
    [rate, before] = [after / before, after];
  }
  return rate;
}

/** A bar of 12 x 3 x 3 cells, ends turned by a right angle against each other, from an even bend. */
function bend(nu: number, isWarped: boolean) {
  const body = clampedBox([12, 3, 3], { kappa: 0.25, nu, volume: 'determinant' });
  const arithmetic = new DoubleArithmetic(body);
  const warped = new WarpedCycle(body);
  const descent = isWarped ? new Descent(arithmetic, body, warped, 5) : new Descent(arithmetic, body);
  const x = arithmetic.vector();
  const radius = 8 / Math.PI;
  placeNodes(body, x, (X, Y, Z) => {
    const [angle, r] = [X / radius, radius - (Y - 0.5)];
    return [r * Math.sin(angle), 0.5 + radius - r * Math.cos(angle), Z];
  });
  const refresh = (): boolean => {
    if (isWarped) warped.refresh(x);
    return false;
  };
  return { ...descent.run(x, { maxIterations: 200, tolerance: 1e-3 / 3, refresh }) };
}

describe('the cycle of warped stiffness', () => {
  it('leaves 0.43 of an error on a cube of eight cells a side', () => {
    expect(Math.abs(rateOf(8) - 0.43)).toBeLessThan(0.05);
  });

  it.each([0.3, 0.45])('bends a bar of ratio %d to the same rest in at most half of the iterations', (nu) => {
    const [laplacian, warped] = [bend(nu, false), bend(nu, true)];
    expect(Math.abs(warped.energy / laplacian.energy - 1)).toBeLessThan(1e-3);
    expect(warped.energy).toBeLessThan(laplacian.energy * (1 + 1e-6));
    expect(warped.iterations).toBeLessThanOrEqual(laplacian.iterations / 2);
  });
});
