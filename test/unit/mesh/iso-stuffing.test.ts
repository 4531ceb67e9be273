import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractSurface } from '../../../src/mesh/surface/surface.js';
import { describeSurface } from '../../../src/mesh/surface/surface-topology.js';
import { stuffIsosurface } from '../../../src/mesh/tets/iso-stuffing.js';
import { summarizeMesh } from '../../../src/mesh/tets/quality.js';
import { meshVolume } from '../../../src/mesh/tets/tet-mesh.js';
import { expectSolid } from './mesh-checks.js';

const DEGREE = Math.PI / 180;

/** A ball of radius 1 around (x, y, z). */
const ball = (x: number, y: number, z: number) => (px: number, py: number, pz: number) =>
  Math.sqrt((px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2) - 1;

const box = { low: [-1.5, -1.5, -1.5], high: [1.5, 1.5, 1.5] } as const;

describe('stuffIsosurface', () => {
  it('fills balls wherever the lattice lies: closed, well shaped, vertices on the surface', () => {
    const offset = fc.double({ min: -0.4, max: 0.4, noNaN: true });
    fc.assert(
      fc.property(offset, offset, offset, fc.double({ min: 0.15, max: 0.4, noNaN: true }), (x, y, z, cell) => {
        const distance = ball(x, y, z);
        const mesh = stuffIsosurface({ ...box, distance, cell });
        expectSolid(mesh);
        const { dihedral } = summarizeMesh(mesh);
        expect(dihedral.min).toBeGreaterThan(10.7 * DEGREE);
        expect(dihedral.max).toBeLessThan(164.8 * DEGREE);
        for (const vertex of extractSurface(mesh).vertices) {
          const [px, py, pz] = mesh.positions.subarray(3 * vertex, 3 * vertex + 3);
          expect(Math.abs(distance(px, py, pz))).toBeLessThan(1e-6);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('comes nearer to the volume of the ball with the square of the cell', () => {
    const exact = (4 / 3) * Math.PI;
    const missing = [0.3, 0.15].map(
      (cell) => exact - meshVolume(stuffIsosurface({ ...box, distance: ball(0, 0, 0), cell })),
    );
    expect(missing[1]).toBeGreaterThan(0);
    expect(missing[0] / missing[1]).toBeGreaterThan(3);
    expect(missing[1] / exact).toBeLessThan(0.01);
  });

  it('fills a ring with one handle', () => {
    const distance = (x: number, y: number, z: number): number => Math.hypot(Math.hypot(x, y) - 1, z) - 0.35;
    const mesh = stuffIsosurface({ ...box, distance, cell: 0.15 });
    expectSolid(mesh);
    const { triangles, vertices } = extractSurface(mesh);
    expect(describeSurface(triangles, vertices.length).eulerCharacteristic).toBe(0);
    expect(meshVolume(mesh) / (2 * Math.PI ** 2 * 0.35 ** 2)).toBeCloseTo(1, 1);
  });

  it('puts more vertices on the surface when it snaps less', () => {
    const share = (snap: number): number => {
      const mesh = stuffIsosurface({ ...box, distance: ball(0.1, 0, 0), cell: 0.25, snap });
      expectSolid(mesh);
      return extractSurface(mesh).vertices.length / (mesh.positions.length / 3);
    };
    expect(share(0.5)).toBeGreaterThan(share(1) + 0.05);
  });

  it('is the same every time', () => {
    const options = { ...box, distance: ball(0.1, 0.2, 0.3), cell: 0.3 };
    expect(stuffIsosurface(options)).toEqual(stuffIsosurface(options));
  });

  it.each([
    ['a shape that leaves the box', { distance: ball(2, 0, 0), cell: 0.2 }, 'E_RANGE', 'low, high'],
    ['nothing inside', { distance: () => 1, cell: 0.2 }, 'E_EMPTY', 'distance'],
    ['a distance that is not a number', { distance: () => Number.NaN, cell: 0.2 }, 'E_NOT_FINITE', 'distance'],
    ['no cell size', { distance: ball(0, 0, 0), cell: 0 }, 'E_RANGE', 'cell'],
    ['too little snapping', { distance: ball(0, 0, 0), cell: 0.5, snap: 0.1 }, 'E_RANGE', 'snap'],
  ])('rejects %s', (_, options, code, place) => {
    expect(() => stuffIsosurface({ ...box, ...options })).toThrow(expect.objectContaining({ code, place }));
  });
});
