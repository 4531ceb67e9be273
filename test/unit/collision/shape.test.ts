import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkShape, type ShapeDef, shapeDistance } from '../../../src/collision/shapes/shape.js';
import { shapeBox } from '../../../src/collision/shapes/shape-box.js';
import { fieldOf } from '../../../src/collision/shapes/shape-prepared.js';
import { boxSurface } from '../../support/models/surfaces.js';

type Point = readonly [number, number, number];

/** Shapes with a test for their inside that needs no distance. */
const SHAPES: [ShapeDef, (p: Point) => boolean][] = [
  [{ kind: 'plane' }, ([, y]) => y < 0],
  [{ kind: 'sphere', radius: 0.7 }, ([x, y, z]) => x * x + y * y + z * z < 0.49],
  [
    { kind: 'box', halfExtents: [0.3, 0.5, 0.9] },
    ([x, y, z]) => Math.abs(x) < 0.3 && Math.abs(y) < 0.5 && Math.abs(z) < 0.9,
  ],
  [
    { kind: 'capsule', radius: 0.4, halfLength: 0.6 },
    ([x, y, z]) =>
      [-1, 1].some((s) => x * x + (y - 0.6 * s) ** 2 + z * z < 0.16) || (Math.abs(y) < 0.6 && x * x + z * z < 0.16),
  ],
  [{ kind: 'cylinder', radius: 0.5, halfLength: 0.8 }, ([x, y, z]) => x * x + z * z < 0.25 && Math.abs(y) < 0.8],
];
const NAMED = SHAPES.map(([shape, inside]) => [shape.kind, shape, inside] as const);
const mesh = { kind: 'mesh' as const, ...boxSurface([-0.4, -0.4, -0.4], [0.4, 0.4, 0.4]), cell: 0.1 };
const heightField: ShapeDef = { kind: 'heightField', heights: [0, 1, 2, 3], rows: 2, columns: 2, cell: [4, 2] };
const point = fc.tuple(coordinate(), coordinate(), coordinate());

function ask(shape: ShapeDef, p: Point) {
  const normal = new Float64Array(3);
  return { distance: shapeDistance(shape, Float64Array.from(p), 0, normal, 0), normal };
}

describe('shapeDistance', () => {
  it.each(NAMED)(
    'of a %s has the sign of an inside test, unit normals that lead to the surface, slope 1',
    (_kind, shape, inside) => {
      fc.assert(
        fc.property(point, point, (a, b) => {
          const { distance, normal } = ask(shape, a);
          if (Math.abs(distance) > 1e-12) expect(distance < 0).toBe(inside(a));
          expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
          const foot = a.map((value, k) => value - distance * normal[k]) as unknown as Point;
          expect(Math.abs(ask(shape, foot).distance)).toBeLessThan(1e-12);
          const way = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
          expect(Math.abs(distance - ask(shape, b).distance)).toBeLessThanOrEqual(way + 1e-12);
        }),
        { numRuns: 300, seed: 9 },
      );
    },
  );

  it('of a container is that of the solid, turned round', () => {
    const container: ShapeDef = { ...mesh, container: true };
    fc.assert(
      fc.property(point, (p) => {
        const [solid, hollow] = [ask(mesh, p), ask(container, p)];
        expect(hollow.distance).toBe(-solid.distance);
        for (let k = 0; k < 3; k++) expect(hollow.normal[k] + solid.normal[k]).toBe(0);
      }),
      { numRuns: 100, seed: 9 },
    );
  });

  it('makes the field of a mesh once', () => {
    ask(mesh, [0, 0, 0]);
    expect(fieldOf(mesh)).toBe(fieldOf(mesh));
  });
});

describe('shapeBox', () => {
  it.each([...SHAPES.slice(1).map(([shape]) => shape), mesh, heightField].map((shape) => [shape.kind, shape] as const))(
    'holds all that is inside a %s',
    (_kind, shape) => {
      const box = new Float64Array(6);
      expect(shapeBox(shape, box)).toBe(true);
      fc.assert(
        fc.property(point, (p) => {
          if (ask(shape, p).distance >= 0) return;
          for (let k = 0; k < 3; k++) {
            expect(p[k]).toBeGreaterThanOrEqual(box[k]);
            expect(p[k]).toBeLessThanOrEqual(box[3 + k]);
          }
        }),
        { numRuns: 300, seed: 6 },
      );
    },
  );

  it('does not exist for planes and containers', () => {
    expect(shapeBox({ kind: 'plane' }, new Float64Array(6))).toBe(false);
    expect(shapeBox({ kind: 'sphere', radius: 1, container: true }, new Float64Array(6))).toBe(false);
  });
});

describe('checkShape', () => {
  it.each<[string, object, string, string]>([
    ['a kind nobody knows', { kind: 'blob' }, 'E_UNKNOWN', 'kind'],
    ['a ball without size', { kind: 'sphere', radius: 0 }, 'E_RANGE', 'radius'],
    ['a ball without radius', { kind: 'sphere' }, 'E_NOT_FINITE', 'radius'],
    ['a box without end', { kind: 'box', halfExtents: [1, Infinity, 1] }, 'E_NOT_FINITE', 'halfExtents/1'],
    ['a cell without size', { ...mesh, cell: -1 }, 'E_RANGE', 'cell'],
    ['a mesh of no triangles', { ...mesh, triangles: [] }, 'E_EMPTY', 'triangles'],
    ['a mesh of nothing', { kind: 'mesh' }, 'E_EMPTY', 'triangles'],
    ['a mesh without vertices', { kind: 'mesh', triangles: [0, 1, 2] }, 'E_EMPTY', 'positions'],
  ])('refuses %s', (_name, shape, code, place) => {
    expect(() => checkShape(shape as ShapeDef, 'shape')).toThrow(
      expect.objectContaining({ code, place: `shape/${place}` }),
    );
  });
});

function coordinate() {
  return fc.double({ min: -1.5, max: 1.5, noNaN: true });
}
