import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildBodyField, buildDistanceField } from '../../../src/collision/shapes/build-distance-field.js';
import { type DistanceField, fieldDistance } from '../../../src/collision/shapes/distance-field.js';
import { shapeDistance } from '../../../src/collision/shapes/shape.js';
import { createRandom } from '../../../src/math/random.js';
import type { TriangleMesh } from '../../../src/mesh/surface/triangle-mesh.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { ballSurface, boxSurface, mergeSurfaces } from '../../support/models/surfaces.js';
import { torusSurface } from '../../support/models/torus.js';

const BALL = 0.5;
const BALL_RINGS = 48;
const [RING, TUBE, TUBE_CUTS] = [0.4, 0.15, 48];
const HALF = [0.3, 0.2, 0.4] as const;

function fieldOf({ positions, triangles }: TriangleMesh, cell?: number): DistanceField {
  return buildDistanceField(positions, triangles, cell);
}

const ball = fieldOf(ballSurface([0, 0, 0], BALL, BALL_RINGS));
const torus = fieldOf(torusSurface(RING, TUBE, TUBE_CUTS));
const box = fieldOf(boxSurface([-HALF[0], -HALF[1], -HALF[2]], HALF), 0.02);

const ballDistance = (p: ArrayLike<number>): number => Math.hypot(p[0], p[1], p[2]) - BALL;
const torusDistance = (p: ArrayLike<number>): number => Math.hypot(Math.hypot(p[0], p[2]) - RING, p[1]) - TUBE;
const boxDistance = (p: ArrayLike<number>): number =>
  shapeDistance({ kind: 'box', halfExtents: HALF }, Float64Array.from(p), 0, new Float64Array(3), 0);

/** Distance and normal by the field. */
function ask(field: DistanceField, p: ArrayLike<number>): { distance: number; normal: Float64Array } {
  const normal = new Float64Array(3);
  return { distance: fieldDistance(field, Float64Array.from(p), 0, normal, 0), normal };
}

function isInGrid({ origin }: DistanceField, p: readonly number[]): boolean {
  return [0, 1, 2].every((k) => Math.abs(p[k]) < -origin[k]);
}

/** Points of the grid's box at most `cells` cells from the surface, by the closed form. */
function pointsNear(field: DistanceField, exact: (p: ArrayLike<number>) => number, cells: number): number[][] {
  const random = createRandom(7);
  const points: number[][] = [];
  while (points.length < 2000) {
    const p = [0, 1, 2].map((k) => field.origin[k] + random.next() * (field.counts[k] - 1) * field.cell);
    if (Math.abs(exact(p)) < cells * field.cell) points.push(p);
  }
  return points;
}

/** A field with its closed form. Interpolation errs by cell²/8 times the sum of curvatures, the facets by their rise. */
const CASES: [string, DistanceField, (p: ArrayLike<number>) => number, number][] = [
  [
    'ball',
    ball,
    ballDistance,
    ball.cell ** 2 / (4 * (BALL - 4 * ball.cell)) + (BALL * (Math.PI / BALL_RINGS) ** 2) / 4,
  ],
  [
    'torus',
    torus,
    torusDistance,
    (torus.cell ** 2 / 8) * (1 / (TUBE - 4 * torus.cell) + 1 / (RING - TUBE - 4 * torus.cell)) +
      (TUBE * (Math.PI / TUBE_CUTS) ** 2) / 2 +
      ((RING + TUBE) * (Math.PI / (3 * TUBE_CUTS)) ** 2) / 2,
  ],
];

describe('distance field', () => {
  it.each(CASES)('of a %s agrees with the closed form near the surface', (_name, field, exact, bound) => {
    let worst = 0;
    for (const p of pointsNear(field, exact, 3)) worst = Math.max(worst, Math.abs(ask(field, p).distance - exact(p)));
    expect(worst).toBeLessThan(bound);
    expect(bound).toBeLessThan(0.12 * field.cell);
  });

  it('of a box is exact by its faces, and off by less than a cell at edges', () => {
    const random = createRandom(3);
    for (let n = 0; n < 2000; n++) {
      const p = HALF.map((half) => (2 * random.next() - 1) * (half + 0.02));
      const truth = boxDistance(p);
      // no value of 1-Lipschitz samples can be farther off than the mean way to the corners of the cell
      expect(Math.abs(ask(box, p).distance - truth)).toBeLessThan((Math.sqrt(3) / 2) * box.cell);
      const sorted = HALF.map((half, k) => half - Math.abs(p[k])).sort((a, b) => a - b);
      if (sorted[1] - Math.abs(sorted[0]) < 2 * box.cell) continue;
      expect(Math.abs(ask(box, p).distance - truth)).toBeLessThan(1e-12);
    }
  });

  it('knows inside from outside everywhere', () => {
    const random = createRandom(5);
    const all: [DistanceField, (p: ArrayLike<number>) => number][] = [
      [ball, ballDistance],
      [torus, torusDistance],
      [box, boxDistance],
    ];
    for (const [field, exact] of all) {
      for (let n = 0; n < 5000; n++) {
        const p = [0, 1, 2].map(() => 2 * random.next() - 1);
        const truth = exact(p);
        if (Math.abs(truth) > 0.5 * field.cell) expect(Math.sign(ask(field, p).distance)).toBe(Math.sign(truth));
      }
    }
  });

  it.each(CASES)('of a %s grows by one per metre along its normal', (_name, field, exact) => {
    const step = 1e-7;
    for (const p of pointsNear(field, exact, 1)) {
      const { normal } = ask(field, p);
      const there = p.map((value, k) => value + step * normal[k]);
      const back = p.map((value, k) => value - step * normal[k]);
      const slope = (ask(field, there).distance - ask(field, back).distance) / (2 * step);
      // the normal turns by cell/radius within a cell, and the mean of turned vectors is shorter
      expect(Math.abs(slope - 1)).toBeLessThan(0.75 * (field.cell / TUBE));
      expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
    }
  });

  it('has the direction of its gradient, by central differences, as its normal', () => {
    const [random, step] = [createRandom(8), 1e-6];
    for (let n = 0; n < 2000; n++) {
      // within a cell, where the interpolation has no kink
      const p = [0, 1, 2].map((k) => {
        const cells = Math.floor(random.next() * (box.counts[k] - 1)) + 0.01 + 0.98 * random.next();
        return box.origin[k] + cells * box.cell;
      });
      const gradient = [0, 1, 2].map((k) => {
        const [there, back] = [1, -1].map((side) =>
          ask(
            box,
            p.map((value, a) => value + (a === k ? side * step : 0)),
          ),
        );
        return (there.distance - back.distance) / (2 * step);
      });
      const length = Math.hypot(...gradient);
      if (length < 0.1) continue;
      const { normal } = ask(box, p);
      for (let k = 0; k < 3; k++) expect(Math.abs(normal[k] - gradient[k] / length)).toBeLessThan(1e-7);
    }
  });

  it('says beyond its grid no less than the truth and no more than the root of two times that', () => {
    const facets = (BALL * (Math.PI / BALL_RINGS) ** 2) / 4;
    fc.assert(
      fc.property(fc.tuple(coordinate(3), coordinate(3), coordinate(3)), (p) => {
        if (isInGrid(ball, p)) return;
        const { distance, normal } = ask(ball, p);
        expect(distance).toBeGreaterThan(ballDistance(p) - facets - ball.cell ** 2);
        expect(distance).toBeLessThan(Math.SQRT2 * ballDistance(p) + facets + ball.cell ** 2);
        expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  it('joins without a step where its grid ends', () => {
    const edge = -ball.origin[0];
    const [before, after] = [ask(ball, [edge - 1e-9, 0.1, 0.2]), ask(ball, [edge + 1e-9, 0.1, 0.2])];
    expect(after.distance).toBeCloseTo(before.distance, 8);
    for (let k = 0; k < 3; k++) expect(after.normal[k]).toBeCloseTo(before.normal[k], 6);
  });

  it('changes by no more than the way, times the root of three at corners', () => {
    // the samples keep to 1; between them each of the three slopes does
    fc.assert(
      fc.property(fc.tuple(...Array.from({ length: 6 }, () => coordinate(0.7))), ([ax, ay, az, bx, by, bz]) => {
        for (const field of [ball, torus, box]) {
          if (!isInGrid(field, [ax, ay, az]) || !isInGrid(field, [bx, by, bz])) continue;
          const change = Math.abs(ask(field, [ax, ay, az]).distance - ask(field, [bx, by, bz]).distance);
          expect(change).toBeLessThanOrEqual(Math.sqrt(3) * Math.hypot(ax - bx, ay - by, az - bz) + 1e-12);
        }
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  it('has samples that change by no more than a cell from neighbour to neighbour', () => {
    for (const { values, counts, cell } of [ball, torus, box]) {
      let most = 0;
      for (const stride of [1, counts[0], counts[0] * counts[1]]) {
        for (let at = 0; at + stride < values.length; at++) {
          if (stride === 1 && (at + 1) % counts[0] === 0) continue;
          if (stride === counts[0] && Math.floor(at / counts[0] + 1) % counts[1] === 0) continue;
          most = Math.max(most, Math.abs(values[at + stride] - values[at]));
        }
      }
      expect(most).toBeLessThanOrEqual(cell * (1 + 1e-9));
    }
  });
});

describe('buildDistanceField', () => {
  it('closes holes: a box without its lid is a box', () => {
    const whole = boxSurface([-HALF[0], -HALF[1], -HALF[2]], HALF, 4);
    const open = { positions: whole.positions, triangles: whole.triangles.slice(0, -3 * 32) };
    const field = fieldOf(open, 0.02);
    expect(field.holes).toBe(1);
    expect(field.values.every((value, i) => Math.abs(value - box.values[i]) < 1e-12)).toBe(true);
  });

  it('knows the side of grid points next to such as lie on the surface', () => {
    for (let n = 2; n < 40; n++) {
      const [cell, shift] = [0.1 / n, 0.37 * n];
      const side = 4 * cell;
      const { values, counts, origin } = fieldOf(boxSurface([shift, 0, 0], [shift + side, side, side]), cell);
      values.forEach((value, at) => {
        const index = [
          at % counts[0],
          Math.floor(at / counts[0]) % counts[1],
          Math.floor(at / (counts[0] * counts[1])),
        ];
        const p = index.map((i, k) => origin[k] + i * cell - (k === 0 ? shift : 0) - side / 2);
        const inside = p.every((x) => Math.abs(x) < side / 2 - 0.01 * cell);
        if (Math.abs(value) > 0.01 * cell) expect(value < 0).toBe(inside);
      });
    }
  });

  it('takes surfaces that face inward, and leaves cavities empty', () => {
    const inner = boxSurface([-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]);
    const shell = mergeSurfaces(boxSurface([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]), {
      positions: inner.positions,
      triangles: inner.triangles.slice().reverse(),
    });
    for (const triangles of [shell.triangles, shell.triangles.slice().reverse()]) {
      const field = fieldOf({ positions: shell.positions, triangles }, 0.05);
      expect(ask(field, [0, 0, 0]).distance).toBeCloseTo(0.2, 9);
      expect(ask(field, [0.35, 0, 0]).distance).toBeCloseTo(-0.15, 9);
      expect(ask(field, [0.52, 0, 0]).distance).toBeCloseTo(0.02, 9);
    }
  });

  it('refuses a cell that walls slip through, and finds one that they do not', () => {
    const plate = boxSurface([-0.5, -0.01, -0.5], [0.5, 0.01, 0.5], 6);
    expect(() => fieldOf(plate, 0.05)).toThrow(expect.objectContaining({ code: 'E_RANGE', place: 'surface/cell' }));
    const field = fieldOf(plate);
    expect(field.cell).toBeLessThan(0.02);
    expect(ask(field, [0.03, 0, 0.07]).distance).toBeLessThan(-0.004);
    expect(ball.thinShare).toBe(0);
  });

  it('has all of the rest shape of a body inside', () => {
    const mesh = buildLattice({ cells: [4, 2, 2], cellSize: 0.1 });
    const field = buildBodyField(mesh, 0.02);
    expect(field.low).toEqual([0, 0, 0]);
    expect(ask(field, [0.2, 0.1, 0.1]).distance).toBeCloseTo(-0.1, 12);
    expect(ask(field, [0.2, 0.21, 0.1]).distance).toBeCloseTo(0.01, 12);
  });

  it('gives the same bits each time', () => {
    const again = fieldOf(torusSurface(RING, TUBE, TUBE_CUTS));
    expect(again.values).toEqual(torus.values);
  });

  const cube = boxSurface([0, 0, 0], [1, 1, 1]);
  const sheet = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
  it.each<[string, ArrayLike<number>, ArrayLike<number>, number | undefined, string, string]>([
    ['no triangles', cube.positions, [], undefined, 'E_EMPTY', 'triangles'],
    ['a number that is none', [0, 0, Number.NaN], [0, 0, 0], undefined, 'E_NOT_FINITE', 'positions/2'],
    ['a vertex that is not there', cube.positions, [0, 1, 99], undefined, 'E_INDEX', 'triangles/2'],
    ['a vertex between two', cube.positions, [0, 1, 1.5], undefined, 'E_INDEX', 'triangles/2'],
    ['pairs instead of threes', cube.positions, [0, 1], undefined, 'E_RANGE', 'triangles'],
    ['an open sheet', sheet.positions, sheet.triangles, undefined, 'E_RANGE', 'triangles'],
    ['a folded sheet', sheet.positions, [0, 1, 2, 0, 2, 1], undefined, 'E_RANGE', 'triangles'],
    ['too fine a cell', cube.positions, cube.triangles, 1e-3, 'E_MEM_LIMIT', 'cell'],
    ['a cell that is none', cube.positions, cube.triangles, Number.NaN, 'E_NOT_FINITE', 'cell'],
  ])('refuses %s', (_name, positions, triangles, cell, code, place) => {
    expect(() => buildDistanceField(positions, triangles, cell)).toThrow(
      expect.objectContaining({ code, place: `surface/${place}` }),
    );
  });
});

function coordinate(most: number) {
  return fc.double({ min: -most, max: most, noNaN: true });
}
