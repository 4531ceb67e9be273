/**
 * The lattice solver from bad starts, through the kernels: V36 (random, flat and point-like starts find back to rest), V22 (a linear
 * map on the boundary is followed inside, in f64), V23b (simple shear and all-round squeeze in closed form).
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { boxLattice, nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { Descent } from '../../../src/solvers/lattice/descent.js';
import { buildLatticeBody } from '../../../src/solvers/lattice/lattice-body.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../../src/solvers/lattice/numbers/quad-layout.js';
import { openLatticeRoom } from '../../support/lattice-room.js';
import { clampedBox, lame, placeNodes } from '../../support/models/lattice-cube.js';

describe('a clamped cube', () => {
  it.each(['random', 'point', 'flat'] as const)('finds back to rest from %s starts', async (start) => {
    const body = clampedBox([6, 6, 6], { kappa: 0.25, volume: 'trace' });
    const { descent, x, arithmetic } = await openLatticeRoom(body);
    const rest = nodePositions(body.lattice);
    for (let seed = 1; seed <= 10; seed++) {
      const random = createRandom(seed);
      const spot = [random.range(0.2, 0.8), random.range(0.2, 0.8), random.range(0.2, 0.8)];
      placeNodes(body, x, (X, Y, Z) => {
        if (X === 0 || X > 1 - 1e-9) return [X, Y, Z];
        if (start === 'random') return [random.range(0, 1), random.range(0, 1), random.range(0, 1)];
        return start === 'point' ? spot : [X, spot[1], Z];
      });
      const result = descent.run(x, { maxIterations: 400, tolerance: 1e-6 });
      expect(result.finite).toBe(true);
      body.layout.placeOfNode.forEach((place, node) => {
        for (let k = 0; k < 3; k++)
          expect(Math.abs(x.view[floatOfPlace(place, k)] - rest[3 * node + k])).toBeLessThan(2e-3);
      });
      expect(arithmetic.volumes(x).inverted).toBe(0);
    }
  });
});

describe('a linear map', () => {
  it('on the boundary of a box is followed inside', () => {
    const lattice = boxLattice(4, 4, 4, 0.25);
    const { mu, lambda } = lame(0.3);
    const onSide = (node: number): boolean => [0, 1, 2].some((k) => lattice.nodes[3 * node + k] % 4 === 0);
    const held = Uint8Array.from({ length: lattice.nodes.length / 3 }, (_, node) => (onSide(node) ? 1 : 0));
    const body = buildLatticeBody(lattice, {
      mu: new Float64Array(64).fill(mu),
      lambda: new Float64Array(64).fill(lambda),
      held,
      volume: 'trace',
    });
    const arithmetic = new DoubleArithmetic(body);
    const x = arithmetic.vector();
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const map = (X: number, Y: number, Z: number): number[] => [
      c * 1.1 * X - s * 0.95 * Y,
      s * 1.1 * X + c * 0.95 * Y + 3,
      1.02 * Z,
    ];
    const random = createRandom(2);
    const rest = nodePositions(lattice);
    placeNodes(body, x, map);
    body.layout.placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3 && !held[node]; k++) x.view[floatOfPlace(place, k)] += random.range(-0.05, 0.05);
    });
    new Descent(arithmetic, body).run(x, { maxIterations: 300, tolerance: 1e-13 });
    body.layout.placeOfNode.forEach((place, node) => {
      const expected = map(rest[3 * node], rest[3 * node + 1], rest[3 * node + 2]);
      for (let k = 0; k < 3; k++) expect(Math.abs(x.view[floatOfPlace(place, k)] - expected[k])).toBeLessThan(1e-9);
    });
  });

  it.each([
    [0.1, 0.0385815],
    [1, 0.4861277],
    [2, 1.332487],
  ])('of simple shear %d is resisted by mu (2 g - 2 g / r) + lambda (r - 2) g / r = %d', (g, expected) => {
    const body = clampedBox([2, 2, 2], { kappa: 1 });
    const free = buildLatticeBody(body.lattice, {
      ...body.filling,
      held: new Uint8Array(27),
      kappa: 1,
      volume: 'trace',
    });
    const arithmetic = new DoubleArithmetic(free);
    const [x, gradient] = [arithmetic.vector(), arithmetic.vector()];
    placeNodes(free, x, (X, Y, Z) => [X + g * Y, Y, Z]);
    arithmetic.elastic(x, gradient);
    let pull = 0;
    free.layout.placeOfNode.forEach((place, node) => {
      if (free.lattice.nodes[3 * node + 1] === 2) pull += gradient.view[floatOfPlace(place, 0)];
    });
    const { mu, lambda } = lame(0.3);
    const r = Math.sqrt(4 + g * g);
    expect(pull).toBeCloseTo(mu * (2 * g - (2 * g) / r) + (lambda * (r - 2) * g) / r, 12);
    expect(pull).toBeCloseTo(expected, 6);
  });
});
