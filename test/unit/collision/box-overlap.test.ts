/** How far two boxes overlap, against closed forms, and against points of one box in the other, which are never deeper. */
import { describe, expect, it } from 'vitest';
import { BoxOverlap } from '../../../src/collision/rigid/box-overlap.js';
import { quatToMat3 } from '../../../src/math/quat.js';
import { createRandom } from '../../../src/math/random.js';

const overlap = new BoxOverlap();
const boxOverlap = (...pair: Parameters<BoxOverlap['measure']>): number => {
  overlap.measure(...pair);
  return overlap.depth[0];
};

const PLATE = [0.12, 0.015, 0.12];

/** Two boxes: the first as it is, the second at a place and turned by a unit quaternion. */
function frames(at: readonly number[], q: readonly number[]) {
  const rotation = new Float64Array(18);
  rotation.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  quatToMat3(rotation, 9, Float64Array.from(q), 0);
  return { x: Float64Array.from([0, 0, 0, ...at]), rotation };
}

const half = Math.SQRT1_2;

describe('two boxes overlap', () => {
  it('by the shortest way out: two plates crosswise, of which no corner is in the other', () => {
    // upright plate through the middle of a lying one: out by half of both along either normal
    const crossed = frames([0, 0, 0], [half, 0, 0, half]);
    expect(boxOverlap(crossed, 0, PLATE, 1, PLATE)).toBeCloseTo(0.135, 12);
    const beside = frames([0, 0.1, 0], [half, 0, 0, half]);
    expect(boxOverlap(beside, 0, PLATE, 1, PLATE)).toBeCloseTo(0.035, 12);
  });

  it('by nothing where only the way across two edges separates them', () => {
    // cubes turned so that an edge faces an edge: √2 apart along the diagonal of one, the other's edge across it
    const turned = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)];
    const cube = [0.1, 0.1, 0.1];
    expect(boxOverlap(frames([0.1 + 0.1 * Math.SQRT2 + 1e-6, 0, 0], turned), 0, cube, 1, cube)).toBe(0);
    expect(boxOverlap(frames([0.1 + 0.1 * Math.SQRT2 - 1e-3, 0, 0], turned), 0, cube, 1, cube)).toBeCloseTo(1e-3, 12);
  });

  it('at least as far as any point of one is in the other', () => {
    const random = createRandom(3);
    let overlaps = 0;
    for (let n = 0; n < 300; n++) {
      const q = [0, 0, 0, 0].map(() => random.range(-1, 1));
      const at = [0, 0, 0].map(() => random.range(-0.15, 0.15));
      const length = Math.hypot(...q);
      const pair = frames(
        at,
        q.map((value) => value / length),
      );
      const depth = boxOverlap(pair, 0, PLATE, 1, PLATE);
      if (depth > 0) overlaps++;
      for (let m = 0; m < 200; m++) {
        const p = PLATE.map((size) => random.range(-size, size));
        const r = pair.rotation;
        const inFirst = [0, 1, 2].map((k) => at[k] + r[9 + k * 3] * p[0] + r[10 + k * 3] * p[1] + r[11 + k * 3] * p[2]);
        const inside = Math.min(...inFirst.map((value, k) => PLATE[k] - Math.abs(value)));
        // what is in both boxes has to leave one of them: by more than its way to the nearest wall
        if (inside > 0) expect(depth).toBeGreaterThanOrEqual(inside);
      }
    }
    expect(overlaps).toBeGreaterThan(50);
  });
});
