import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractSurface, surfaceArea } from '../../../src/mesh/surface/surface.js';
import { describeSurface } from '../../../src/mesh/surface/surface-topology.js';
import { buildLattice, type CellSplit } from '../../../src/mesh/tets/tet-lattice.js';
import { meshVolume } from '../../../src/mesh/tets/tet-mesh.js';
import { expectSolid } from './mesh-checks.js';

const SPLITS: [CellSplit, number][] = [
  ['five', 5],
  ['six', 6],
];

describe.each(SPLITS)('buildLattice, %s tetrahedra per cell', (split, perCell) => {
  it('fills any box: counts, volume, area, conforming faces, closed surface', () => {
    const side = fc.double({ min: 0.01, max: 2, noNaN: true });
    const count = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(fc.tuple(count, count, count), fc.tuple(side, side, side), (cells, cellSize) => {
        const mesh = buildLattice({ cells, cellSize, split, origin: [-1, 0.5, 2] });
        const [nx, ny, nz] = cells;
        const [lx, ly, lz] = cells.map((n, axis) => n * cellSize[axis]);
        expect(mesh.positions).toHaveLength(3 * (nx + 1) * (ny + 1) * (nz + 1));
        expect(mesh.tets).toHaveLength(4 * perCell * nx * ny * nz);
        expect(Math.abs(meshVolume(mesh) / (lx * ly * lz) - 1)).toBeLessThan(1e-12);
        const { triangles, vertices } = extractSurface(mesh);
        const positions = Float64Array.from({ length: 3 * vertices.length }, (_, i) => {
          return mesh.positions[3 * vertices[Math.floor(i / 3)] + (i % 3)];
        });
        const area = 2 * (lx * ly + ly * lz + lz * lx);
        expect(Math.abs(surfaceArea(triangles, positions) / area - 1)).toBeLessThan(1e-12);
        expect(describeSurface(triangles, vertices.length).eulerCharacteristic).toBe(2);
        expectSolid(mesh);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps the cells of a predicate: a ring has the volume of its cells and one handle', () => {
    const inside = (x: number, y: number): boolean => !(x > 1 && x < 3 && y > 1 && y < 3);
    const mesh = buildLattice({ cells: [4, 4, 2], cellSize: 1, split, inside });
    expect(meshVolume(mesh)).toBeCloseTo(24, 12);
    expect(mesh.tets).toHaveLength(4 * perCell * 24);
    const { triangles, vertices } = extractSurface(mesh);
    expect(describeSurface(triangles, vertices.length).eulerCharacteristic).toBe(0);
    expectSolid(mesh);
  });

  it('numbers vertices x first, starting at the origin, and is the same every time', () => {
    const options = { cells: [2, 1, 1] as const, cellSize: 0.5, origin: [1, 2, 3] as const, split };
    const mesh = buildLattice(options);
    expect([...mesh.positions.slice(0, 12)]).toEqual([1, 2, 3, 1.5, 2, 3, 2, 2, 3, 1, 2.5, 3]);
    expect(buildLattice(options)).toEqual(mesh);
  });
});

describe('buildLattice rejects', () => {
  it.each([
    ['no cells', { cells: [0, 1, 1], cellSize: 1 }, 'E_RANGE', 'cells/0'],
    ['part of a cell', { cells: [1, 1.5, 1], cellSize: 1 }, 'E_RANGE', 'cells/1'],
    ['a NaN count', { cells: [1, 1, Number.NaN], cellSize: 1 }, 'E_NOT_FINITE', 'cells/2'],
    ['a billion cells', { cells: [1e9, 1e9, 1], cellSize: 1 }, 'E_RANGE', 'cells/0'],
    ['a cell of no size', { cells: [1, 1, 1], cellSize: 0 }, 'E_RANGE', 'cellSize/0'],
    ['a negative cell', { cells: [1, 1, 1], cellSize: [1, -1, 1] }, 'E_RANGE', 'cellSize/1'],
    ['a predicate that keeps nothing', { cells: [1, 1, 1], cellSize: 1, inside: () => false }, 'E_EMPTY', 'inside'],
  ] as const)('%s', (_, options, code, place) => {
    expect(() => buildLattice(options)).toThrow(expect.objectContaining({ code, place }));
  });
});
