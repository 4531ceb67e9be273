/** Which of many points between two bodies are kept. */
import { expect, it } from 'vitest';
import { CANDIDATE, Manifold } from '../../../src/collision/rigid/manifold.js';

/** Points over a plane: x, z and how high [m]; which are kept. */
function kept(points: readonly (readonly [number, number, number])[]): number[] {
  const manifold = new Manifold(16);
  points.forEach(([x, z, gap], i) => {
    manifold.values.set([i, x, 0.5 * gap, z, 0, 1, 0, gap], i * CANDIDATE);
  });
  manifold.count = points.length;
  manifold.reduce(0.05);
  return points.map((_, i) => i).filter((i) => manifold.kept[i] === 1);
}

it('of a box that stands on an edge both ends of it are kept, whatever is high above them', () => {
  const ends = [0, 1].map((n) => [0, 0.3 * n, 1e-4 * n] as const);
  // farther from the first end than the second is, and 45 mm up
  const above = [-1, 1].flatMap((side) => [0, 0.1, 0.2, 0.3].map((z) => [0.25 * side, z, 0.045] as const));
  expect(kept([...ends, ...above])).toEqual(expect.arrayContaining([0, 1]));
  expect(kept([...ends, ...above])).toHaveLength(4);
});

it('of a box that lies the corners are kept, not what is between them', () => {
  const corners = [-1, 1].flatMap((x) => [-1, 1].map((z) => [0.2 * x, 0.1 * z, 0] as const));
  const between = [-0.1, 0, 0.1].flatMap((x) => [-0.1, 0.1].map((z) => [x, z, 0] as const));
  expect(kept([...corners, ...between])).toEqual([0, 1, 2, 3]);
});
