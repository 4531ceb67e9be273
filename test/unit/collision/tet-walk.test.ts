/** The way out of a body along a line, against the closed form for a box: a line from within leaves by the side it reaches first. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TetWalk } from '../../../src/collision/surface/tet-walk.js';
import { createRandom } from '../../../src/math/random.js';
import { type PlacedSurface, twoBoxes } from '../../support/models/two-surfaces.js';

describe('the way out along a line', () => {
  let box: PlacedSurface;
  let walk: TetWalk;
  let low: number[];
  let high: number[];

  beforeAll(async () => {
    [box] = await twoBoxes();
    const { model, surface, positions } = box.motion;
    walk = new TetWalk(model, surface);
    const axes = [0, 1, 2].map((k) => positions.filter((_, i) => i % 3 === k));
    low = axes.map((xs) => Math.min(...xs));
    high = axes.map((xs) => Math.max(...xs));
  });

  it('comes out of a box where the line meets its sides, through a triangle that holds that point', () => {
    const random = createRandom(3);
    const { model, surface, positions: x } = box.motion;
    for (let n = 0; n < 200; n++) {
      const tet = random.integer(model.tetCount);
      const p = Float64Array.from([0, 1, 2], (k) =>
        [0, 1, 2, 3].reduce((sum, c) => sum + x[model.tets[tet * 4 + c] * 3 + k] / 4, 0),
      );
      const way = Float64Array.from([0, 1, 2], () => random.range(-4, 4) * model.size);
      const t = walk.leave(tet, x, p, 0, way);
      const share = Math.min(...[0, 1, 2].map((k) => ((way[k] > 0 ? high[k] : low[k]) - p[k]) / way[k]));
      expect(t).toBeGreaterThanOrEqual(0);
      for (let k = 0; k < 3; k++) expect(walk.exit[k]).toBeCloseTo(p[k] + share * way[k], 9);
      expect(
        areaBeside(
          walk.exit,
          [0, 1, 2].map((k) => surface.triangles[t * 3 + k]),
        ),
      ).toBeLessThan(1e-9);
    }
  });

  it('is not told through flesh that is inside out', () => {
    const { model, positions } = box.motion;
    const x = positions.slice();
    const tet = 0;
    // one corner through the opposite face
    const at = model.tets[tet * 4] * 3;
    for (let k = 0; k < 3; k++) {
      let foot = 0;
      for (let c = 1; c < 4; c++) foot += x[model.tets[tet * 4 + c] * 3 + k] / 3;
      x[at + k] = foot - 0.5 * (x[at + k] - foot);
    }
    expect(walk.leave(tet, x, Float64Array.from([0, 0, 0]), 0, Float64Array.of(1, 0, 0))).toBe(-1);
  });

  /** What the three triangles between a point and the sides of a triangle have in area beyond its own, relative to it: nothing where it holds the point. */
  function areaBeside(p: ArrayLike<number>, corners: number[]): number {
    const { positions } = box.motion;
    const at = corners.map((v) => [0, 1, 2].map((k) => positions[v * 3 + k]));
    const here = [0, 1, 2].map((k) => p[k]);
    const whole = area(at[0], at[1], at[2]);
    return (area(here, at[1], at[2]) + area(at[0], here, at[2]) + area(at[0], at[1], here)) / whole - 1;
  }
});

function area(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [u, v] = [b, c].map((end) => end.map((x, k) => x - a[k]));
  return 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
}
