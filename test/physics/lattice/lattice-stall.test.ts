/**
 * Where L-BFGS finds no way down: a cube of flesh that hardly changes its volume, pulled to 2.4 times its length at once, has cells inside out on its way
 * and stalls far from rest, or would. Warped stiffness leads on, where it comes in time without a stall, to the same rest as from a start that never stalls: that of a softer volume term.
 */
import { expect, it } from 'vitest';
import { Descent } from '../../../src/solvers/lattice/descent.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { clampedBox, placeNodes } from '../../support/models/lattice-cube.js';

const OPTIONS = { maxIterations: 400, tolerance: 1e-6 };

function stretched(nu: number, from?: ArrayLike<number>) {
  const body = clampedBox([4, 4, 4], { kappa: 0.25, nu, volume: 'determinant' });
  const arithmetic = new DoubleArithmetic(body);
  const x = arithmetic.vector();
  placeNodes(body, x, (X, Y, Z) => [2.4 * X, Y, Z]);
  if (from) x.view.set(from);
  const result = { ...new Descent(arithmetic, body).run(x, OPTIONS) };
  return { ...result, x: x.view };
}

it.each([
  [0.46, 1],
  [0.465, 0],
  [0.47, 1],
])('a cube with a Poisson ratio of %d gets to rest, by way of %d stalls', (nu, times) => {
  const easy = stretched(0.45);
  expect(easy.stalls).toBe(0);
  const other = stretched(nu, easy.x);
  expect(other.stalls).toBe(0);
  const { stalls, residual, energy, iterations } = stretched(nu);
  expect(stalls).toBe(times);
  expect(iterations).toBeLessThan(OPTIONS.maxIterations);
  expect(residual).toBeLessThan(1e-5);
  expect(Math.abs(energy / other.energy - 1)).toBeLessThan(1e-8);
});
