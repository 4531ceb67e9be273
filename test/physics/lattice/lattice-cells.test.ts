/**
 * The energy of lattice cells: V20 (gradient by central differences), V21 (turning and shifting change nothing), V23 (what a
 * uniaxial stretch must cost, in closed form), V28 (zero modes and the least stiffness of a cell), V29 (red-black mode).
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { boxLattice } from '../../../src/mesh/hexes/hex-lattice.js';
import { buildLatticeBody, type LatticeFilling } from '../../../src/solvers/lattice/lattice-body.js';
import type { Vector } from '../../../src/solvers/lattice/numbers/arithmetic.js';
import { unitCellMatrix } from '../../../src/solvers/lattice/numbers/cell-matrices.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../../src/solvers/lattice/numbers/quad-layout.js';
import { jacobiEigenvalues } from '../../support/checks/eigenvalues.js';
import { lame, placeNodes } from '../../support/models/lattice-cube.js';

const LAWS: Pick<LatticeFilling, 'kappa' | 'volume'>[] = [
  { kappa: 1, volume: 'trace' },
  { kappa: 0.25, volume: 'trace' },
  { kappa: 0.25, volume: 'determinant' },
];

function freeBox(
  n: readonly [number, number, number],
  h: number,
  options: (typeof LAWS)[number],
  mu = 1.3,
  lambda = 0.7,
) {
  const lattice = boxLattice(...n, h);
  const cells = lattice.cells.length / 3;
  const body = buildLatticeBody(lattice, {
    mu: new Float64Array(cells).fill(mu),
    lambda: new Float64Array(cells).fill(lambda),
    held: new Uint8Array(lattice.nodes.length / 3),
    ...options,
  });
  const arithmetic = new DoubleArithmetic(body);
  return { body, arithmetic, x: arithmetic.vector(), g: arithmetic.vector() };
}

/** Indices of all numbers of all nodes. */
function numbersOf(body: ReturnType<typeof freeBox>['body']): number[] {
  return [...body.layout.placeOfNode].flatMap((place) => [0, 1, 2].map((k) => floatOfPlace(place, k)));
}

function jiggle(body: ReturnType<typeof freeBox>['body'], x: Vector, size: number, seed: number): void {
  const random = createRandom(seed);
  placeNodes(body, x, (X, Y, Z) => [X, Y, Z].map((c) => c + random.range(-size, size)));
}

describe('energy of lattice cells', () => {
  it.each(LAWS)('has the gradient that central differences find, flat and inverted cells included: %o', (law) => {
    const { body, arithmetic, x, g } = freeBox([2, 1, 2], 0.37, law);
    const spare = arithmetic.vector();
    for (let seed = 1; seed <= 20; seed++) {
      // up to cells turned inside out
      jiggle(body, x, seed % 2 ? 0.05 : 0.3, seed);
      arithmetic.elastic(x, g);
      const size = Math.sqrt(arithmetic.dot(g, g));
      for (const at of numbersOf(body)) {
        const value = x.view[at];
        x.view[at] = value + 1e-6;
        const above = arithmetic.elastic(x, spare);
        x.view[at] = value - 1e-6;
        const below = arithmetic.elastic(x, spare);
        x.view[at] = value;
        expect(Math.abs((above - below) / 2e-6 - g.view[at]) / size).toBeLessThan(1e-6);
      }
    }
  });

  it.each(LAWS)('does not change when everything is turned and shifted, and the gradient turns along: %o', (law) => {
    const { body, arithmetic, x, g } = freeBox([3, 2, 1], 0.2, law);
    jiggle(body, x, 0.05, 7);
    const energy = arithmetic.elastic(x, g);
    // a turn by 120 degrees about the diagonal, x -> y -> z -> x, then a shift: exact in floating point but for the shift
    const turned = arithmetic.vector();
    const turnedGradient = arithmetic.vector();
    for (const place of body.layout.placeOfNode) {
      for (let k = 0; k < 3; k++) turned.view[floatOfPlace(place, (k + 1) % 3)] = x.view[floatOfPlace(place, k)] + 0.25;
    }
    expect(Math.abs(arithmetic.elastic(turned, turnedGradient) / energy - 1)).toBeLessThan(1e-12);
    const size = Math.sqrt(arithmetic.dot(g, g));
    for (const place of body.layout.placeOfNode) {
      for (let k = 0; k < 3; k++) {
        const difference = turnedGradient.view[floatOfPlace(place, (k + 1) % 3)] - g.view[floatOfPlace(place, k)];
        expect(Math.abs(difference) / size).toBeLessThan(1e-12);
      }
    }
  });

  it.each([0.6, 1.5, 2.4])('stretched to %d with free sides costs E/2 (s - 1)^2 and thins by nu (s - 1)', (s) => {
    const { mu, lambda } = lame(0.3);
    const { body, arithmetic, x, g } = freeBox([2, 2, 2], 0.5, { kappa: 1, volume: 'trace' }, mu, lambda);
    const t = 1 - 0.3 * (s - 1);
    placeNodes(body, x, (X, Y, Z) => [s * X, t * Y, t * Z]);
    expect(arithmetic.elastic(x, g)).toBeCloseTo((s - 1) ** 2 / 2, 10);
    // sides are free of force: only the two end faces feel any, each E (s - 1) times its area
    let pull = 0;
    body.layout.placeOfNode.forEach((place, node) => {
      if (body.lattice.nodes[3 * node] === 2) pull += g.view[floatOfPlace(place, 0)];
      for (const k of [1, 2]) expect(Math.abs(g.view[floatOfPlace(place, k)])).toBeLessThan(1e-10);
    });
    expect(pull).toBeCloseTo(s - 1, 10);
  });

  it('has exactly six zero modes with stabilisation, the least other stiffness being mu h, and eighteen without', () => {
    const h = 0.37;
    const stiffnessOf = (kappa: number): number[] => {
      const { body, arithmetic, x, g } = freeBox([1, 1, 1], h, { kappa, volume: 'trace' }, 1.3, 0);
      const numbers = numbersOf(body);
      const matrix = new Float64Array(24 * 24);
      placeNodes(body, x, (X, Y, Z) => [X, Y, Z]);
      numbers.forEach((at, i) => {
        for (const sign of [1, -1]) {
          x.view[at] += sign * 1e-5;
          arithmetic.elastic(x, g);
          numbers.forEach((other, j) => {
            matrix[24 * i + j] += (sign * g.view[other]) / 2e-5;
          });
          x.view[at] -= sign * 1e-5;
        }
      });
      for (let i = 0; i < 24; i++) {
        for (let j = 0; j < i; j++) {
          matrix[24 * i + j] = (matrix[24 * i + j] + matrix[24 * j + i]) / 2;
          matrix[24 * j + i] = matrix[24 * i + j];
        }
      }
      return jacobiEigenvalues(matrix, 24).sort((a, b) => a - b);
    };
    const stabilised = stiffnessOf(1);
    expect(stabilised.filter((value) => Math.abs(value) < 1e-6).length).toBe(6);
    expect(Math.abs(stabilised[6] - 1.3 * h)).toBeLessThan(1e-6);
    // kappa cannot be zero, but next to nothing of it leaves next to no stiffness in the twelve hourglass modes
    expect(stiffnessOf(1e-3).filter((value) => Math.abs(value) < 2e-3).length).toBe(18);
  });

  it('charges 3 mu h |d|^2 per cell for the red-black mode, kappa times that with less stabilisation', () => {
    for (const kappa of [1, 0.25]) {
      const { body, arithmetic, x, g } = freeBox([2, 2, 2], 0.25, { kappa, volume: 'trace' });
      const d = [0.01, -0.02, 0.005];
      const rest = body.lattice.nodes;
      placeNodes(body, x, (X, Y, Z) => [X, Y, Z]);
      body.layout.placeOfNode.forEach((place, node) => {
        const sign = (rest[3 * node] + rest[3 * node + 1] + rest[3 * node + 2]) % 2 ? -1 : 1;
        for (let k = 0; k < 3; k++) x.view[floatOfPlace(place, k)] += sign * d[k];
      });
      const lengthSq = d.reduce((sum, value) => sum + value * value, 0);
      // d is the distance of a node from its place; neighbours are 2 |d| apart: 12 edges of mu h / 4 (2 |d|)^2 each
      expect(arithmetic.elastic(x, g)).toBeCloseTo(8 * kappa * 12 * 1.3 * 0.25 * lengthSq, 12);
    }
  });

  it('is softer or as stiff as its Laplacian along every direction at rest', () => {
    // largest eigenvalue of D⁻¹A on one cell: 8 max(1, 3 kappa) / (3 + 9 kappa), the smoother's bound
    for (const kappa of [0.25, 1 / 3, 1]) {
      const values = jacobiEigenvalues(unitCellMatrix(kappa), 8);
      const diagonal = (3 + 9 * kappa) / 8;
      expect(Math.max(...values) / diagonal).toBeCloseTo((8 * Math.max(1, 3 * kappa)) / (3 + 9 * kappa), 12);
    }
  });
});
