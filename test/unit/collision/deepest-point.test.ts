/** The deepest point of edges and triangles against a search by brute force: a grid over the triangle, refined around its lowest point. */
import { describe, expect, it } from 'vitest';
import { DeepestPoint } from '../../../src/collision/shapes/deepest-point.js';
import { type ShapeDef, shapeDistance } from '../../../src/collision/shapes/shape.js';
import { createRandom } from '../../../src/math/random.js';

const SHAPES: readonly [string, ShapeDef, number][] = [
  ['pillar', { kind: 'box', halfExtents: [0.01, 0.3, 0.01] }, 0.3],
  ['rod', { kind: 'cylinder', radius: 0.01, halfLength: 0.3 }, 0.3],
  ['ball', { kind: 'sphere', radius: 0.02 }, 0.02],
  ['capsule', { kind: 'capsule', radius: 0.01, halfLength: 0.3 }, 0.31],
];
const TOLERANCE = 1e-5;

describe.each(SHAPES)('%s', (_name, shape, top) => {
  it('is found in triangles and on edges', () => {
    const random = createRandom(7);
    const deepest = new DeepestPoint();
    deepest.tolerance[0] = TOLERANCE;
    const distance = (p: number[]) => shapeDistance(shape, Float64Array.from(p), 0, new Float64Array(3), 0);
    for (let n = 0; n < 40; n++) {
      const [x, z] = [0.1 * (random.next() - 0.5), 0.1 * (random.next() - 0.5)];
      const y = () => top - 0.002 * random.next() + 0.01 * (random.next() - 0.5);
      const corners = [
        [x - 0.1, y(), z - 0.1],
        [x + 0.1, y(), z - 0.1],
        [x + 0.02, y(), z + 0.1],
      ];
      const p = Float64Array.from(corners.flat());
      const at = (w: ArrayLike<number>) => [0, 1, 2].map((k) => corners.reduce((sum, c, i) => sum + w[i] * c[k], 0));
      deepest.inTriangle(shape, p, 0, 3, 6);
      expect(distance(at(deepest.weights))).toBeCloseTo(deepest.distance[0], 12);
      expect(deepest.distance[0]).toBeLessThan(lowest((a, b) => distance(at([1 - a - b, a, b]))) + 3 * TOLERANCE);
      deepest.onEdge(shape, p, 0, 3, 0);
      expect(deepest.distance[0]).toBeLessThan(lowest((a) => distance(at([1 - a, a, 0]))) + 3 * TOLERANCE);
    }
  });
});

describe('the way out of a ball', () => {
  it('leads from its middle through the point, however the edge or triangle lies', () => {
    const random = createRandom(11);
    const deepest = new DeepestPoint();
    deepest.tolerance[0] = TOLERANCE;
    const ball: ShapeDef = { kind: 'sphere', radius: 0.02 };
    let worst = 1;
    const look = (p: Float64Array) => {
      const place = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, i) => sum + deepest.weights[i] * p[i * 3 + k], 0));
      const along = place.reduce((sum, value, k) => sum + value * deepest.normal[k], 0) / Math.hypot(...place);
      worst = Math.min(worst, along);
    };
    for (let n = 0; n < 500; n++) {
      const p = Float64Array.from({ length: 9 }, () => 0.1 * (random.next() - 0.5));
      const length = (o: number) => Math.hypot(p[o], p[o + 1], p[o + 2]);
      deepest.inTriangle(ball, p, 0, 3, 6);
      // in the very middle every way out is as good as any other
      if (deepest.distance[0] > -0.018) look(p);
      deepest.onEdge(ball, p, 0, 3, 0.9 * (length(3) - length(0)));
      if (deepest.distance[0] > -0.018) look(p);
    }
    expect(worst).toBeGreaterThan(0.98);
  });
});

function lowest(f: (a: number, b: number) => number): number {
  let [best, bestA, bestB] = [Infinity, 0, 0];
  const look = (a: number, b: number) => {
    if (a < 0 || b < 0 || a + b > 1) return;
    const value = f(a, b);
    if (value < best) [best, bestA, bestB] = [value, a, b];
  };
  for (let a = 0; a <= 30; a++) for (let b = 0; b <= 30; b++) look(a / 30, b / 30);
  for (let width = 1 / 30; width > 1e-5; width /= 3) {
    const [a, b] = [bestA, bestB];
    for (let m = -3; m <= 3; m++) for (let n = -3; n <= 3; n++) look(a + (m * width) / 3, b + (n * width) / 3);
  }
  return best;
}
