import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeightField } from '../../../src/collision/shapes/height-field.js';
import { heightFieldSurface } from '../../../src/collision/shapes/height-field-surface.js';
import { checkShape, shapeDistance } from '../../../src/collision/shapes/shape.js';
import type { HeightFieldShape } from '../../../src/collision/shapes/shape-def.js';
import { createRandom } from '../../../src/math/random.js';
import { distanceToSurface } from '../../../src/mesh/surface/triangle-distance.js';
import type { TriangleMesh } from '../../../src/mesh/surface/triangle-mesh.js';

const ROWS = 7;
const COLUMNS = 10;
const random = createRandom(11);
const rough: HeightFieldShape = {
  kind: 'heightField',
  heights: Array.from({ length: ROWS * COLUMNS }, () => 0.4 * random.next()),
  rows: ROWS,
  columns: COLUMNS,
  cell: [0.2, 0.3],
};
const [HALF_X, HALF_Z] = [0.9, 0.9];
const BOTTOM = -10;

/** Distance and normal by the shape. */
function ask(shape: HeightFieldShape, p: ArrayLike<number>, reach?: number) {
  const normal = new Float64Array(3);
  return { distance: shapeDistance(shape, Float64Array.from(p), 0, normal, 0, reach), normal };
}

/** The sheet with sides and a bottom far below, as a closed surface. */
function column(shape: HeightFieldShape): TriangleMesh {
  const { rows, columns } = shape;
  const { positions, triangles } = heightFieldSurface(shape);
  const rim = [
    ...Array.from({ length: columns - 1 }, (_, i) => i),
    ...Array.from({ length: rows - 1 }, (_, i) => i * columns + columns - 1),
    ...Array.from({ length: columns - 1 }, (_, i) => rows * columns - 1 - i),
    ...Array.from({ length: rows - 1 }, (_, i) => (rows - 1 - i) * columns),
  ];
  const lower = rim.flatMap((v) => [positions[3 * v], BOTTOM, positions[3 * v + 2]]);
  const sides = rim.flatMap((v, i) => {
    const [next, below] = [(i + 1) % rim.length, rows * columns];
    return [v, rim[next], below + next, v, below + next, below + i];
  });
  const bottom = rim.slice(2).flatMap((_, i) => [0, i + 1, i + 2].map((v) => rows * columns + v));
  return {
    positions: Float64Array.from([...positions, ...lower]),
    triangles: Int32Array.from([...triangles, ...sides, ...bottom]),
  };
}

const exact = distanceToSurface(column(rough));
const point = fc.tuple(coordinate(1.6), fc.double({ min: -2, max: 2, noNaN: true }), coordinate(1.6));

describe('height field', () => {
  it('is as far as the nearest triangle of the closed column by search among all, on the side its winding number says', () => {
    fc.assert(
      fc.property(point, ([x, y, z]) => {
        expect(ask(rough, [x, y, z]).distance).toBeCloseTo(exact(x, y, z), 12);
      }),
      { numRuns: 1000, seed: 1 },
    );
  });

  it('has unit normals that lead to the surface', () => {
    fc.assert(
      fc.property(point, (p) => {
        const { distance, normal } = ask(rough, p);
        expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
        const foot = p.map((value, k) => value - distance * normal[k]);
        expect(Math.abs(exact(foot[0], foot[1], foot[2]))).toBeLessThan(1e-12);
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  it('changes by no more than the way', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const change = Math.abs(ask(rough, a).distance - ask(rough, b).distance);
        expect(change).toBeLessThanOrEqual(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) + 1e-12);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it('touches nothing beyond its rectangle', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 3, noNaN: true }), coordinate(5), coordinate(3), (away, y, z) => {
        expect(ask(rough, [HALF_X + away, y, z]).distance).toBeGreaterThanOrEqual(away - 1e-12);
        expect(ask(rough, [z, y, -HALF_Z - away]).distance).toBeGreaterThanOrEqual(away - 1e-12);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('is a half space where its heights lie in a plane', () => {
    const [slopeX, slopeZ] = [0.3, -0.2];
    const { positions } = heightFieldSurface({ ...rough, cell: [1, 1] });
    const heights = Array.from({ length: ROWS * COLUMNS }, (_, i) => {
      return slopeX * positions[3 * i] + slopeZ * positions[3 * i + 2];
    });
    const plane: HeightFieldShape = { ...rough, heights, cell: [1, 1] };
    const length = Math.hypot(slopeX, 1, slopeZ);
    for (const p of [
      [0.1, 0.7, 0.3],
      [-1, -0.4, 1.2],
      [2, slopeX * 2, 0],
      [1, slopeX - slopeZ, -1],
    ]) {
      const { distance, normal } = ask(plane, p);
      expect(distance).toBeCloseTo((p[1] - slopeX * p[0] - slopeZ * p[2]) / length, 12);
      [-slopeX, 1, -slopeZ].forEach((value, k) => {
        expect(normal[k]).toBeCloseTo(value / length, 6);
      });
    }
  });

  it('may say less than the truth out of reach, but no less than the reach', () => {
    fc.assert(
      fc.property(point, fc.double({ min: 0, max: 1, noNaN: true }), (p, reach) => {
        const { distance } = ask(rough, p);
        const quick = ask(rough, p, reach).distance;
        if (distance <= reach) expect(quick).toBe(distance);
        else expect(quick).toBeGreaterThanOrEqual(reach);
        expect(quick).toBeLessThanOrEqual(distance + 1e-12);
      }),
      { numRuns: 500, seed: 5 },
    );
  });

  it('is as high as the triangles it is drawn with', () => {
    const field = new HeightField(rough);
    const { positions, triangles } = heightFieldSurface(rough);
    for (let t = 0; t < triangles.length; t += 3) {
      const middle = [0, 1, 2].map((k) =>
        [0, 1, 2].reduce((sum, c) => sum + positions[3 * triangles[t + c] + k] / 3, 0),
      );
      expect(field.heightAt(middle[0], middle[2])).toBeCloseTo(middle[1], 12);
    }
  });

  it.each<[string, object, string, string]>([
    ['a height that is none', { heights: [0, 0, 0, Number.NaN] }, 'E_NOT_FINITE', 'heights/3'],
    ['heights that are missing', { heights: [0, 0, 0] }, 'E_RANGE', 'heights'],
    ['no heights at all', { heights: undefined }, 'E_RANGE', 'heights'],
    ['a single row', { rows: 1, heights: [0, 0] }, 'E_RANGE', 'rows'],
    ['half a column', { columns: 2.5 }, 'E_RANGE', 'columns'],
    ['more than fits', { rows: 2000, columns: 2000 }, 'E_MEM_LIMIT', 'heights'],
    ['squares without a side', { cell: [1, 0] }, 'E_RANGE', 'cell/1'],
    ['squares with one side', { cell: [1] }, 'E_NOT_FINITE', 'cell/1'],
  ])('is refused with %s', (_name, wrong, code, place) => {
    const flat = { kind: 'heightField', heights: [0, 0, 0, 0], rows: 2, columns: 2, cell: [1, 1] };
    const shape = { ...flat, ...wrong } as unknown as HeightFieldShape;
    expect(() => checkShape(shape, 'shape')).toThrow(expect.objectContaining({ code, place: `shape/${place}` }));
  });
});

function coordinate(most: number) {
  return fc.double({ min: -most, max: most, noNaN: true });
}
