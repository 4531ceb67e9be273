/** The paper's nonlinear cycle on a stretched bar ends where Newton's method with exact solves does, which knows nothing of levels. */
import { expect, it } from 'vitest';
import { nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { FasCycle } from '../../../src/solvers/lattice/compare/fas-cycle.js';
import { NewtonSolver } from '../../../src/solvers/lattice/compare/newton.js';
import { clampedBox } from '../../support/models/lattice-cube.js';

it('finds the equilibrium that Newton finds, by at least a factor of two per cycle', () => {
  const body = clampedBox([8, 4, 4]);
  const start = nodePositions(body.lattice).map((value, i) => (i % 3 === 0 ? 1.5 * value : value));
  const [x, expected] = [start.slice(), start.slice()];
  const newton = new NewtonSolver(body);
  newton.run(expected, 'fixed', 1e-12, 12);
  const cycle = new FasCycle(body, 2);
  const lengths = Array.from({ length: 8 }, () => cycle.run(x, 5));
  for (let n = 1; n < lengths.length; n++) expect(lengths[n]).toBeLessThan(lengths[n - 1] / 2);
  const away = Math.max(...x.map((value, i) => Math.abs(value - expected[i])));
  expect(away).toBeLessThan(1e-3 * body.lattice.cellSize);
});
