import { describe, expect, it } from 'vitest';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { checkTetMesh, largestExtent, meshVolume, type TetMesh, tetVolume } from '../../../src/mesh/tets/tet-mesh.js';

const unitTet = (): TetMesh => ({
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  tets: Int32Array.of(0, 1, 2, 3),
});

describe('checkTetMesh', () => {
  it('accepts a sound mesh', () => {
    expect(() => checkTetMesh(unitTet())).not.toThrow();
    expect(() => checkTetMesh(buildLattice({ cells: [2, 3, 4], cellSize: 0.1 }))).not.toThrow();
  });

  it.each([
    ['no vertices', new Float64Array(0), unitTet().tets, 'E_EMPTY', 'mesh/positions'],
    ['no tetrahedra', unitTet().positions, new Int32Array(0), 'E_EMPTY', 'mesh/tets'],
    ['half a vertex', new Float64Array(10).fill(1), unitTet().tets, 'E_RANGE', 'mesh/positions'],
    ['three corners', unitTet().positions, Int32Array.of(0, 1, 2), 'E_RANGE', 'mesh/tets'],
    ['an index past the end', unitTet().positions, Int32Array.of(0, 1, 2, 4), 'E_INDEX', 'mesh/tets/3'],
    ['a negative index', unitTet().positions, Int32Array.of(0, -1, 2, 3), 'E_INDEX', 'mesh/tets/1'],
  ])('rejects %s', (_, positions, tets, code, place) => {
    expect(() => checkTetMesh({ positions, tets })).toThrow(expect.objectContaining({ code, place }));
  });

  it.each([Number.NaN, Infinity, -Infinity])('rejects the coordinate %s and says where it is', (bad) => {
    const mesh = unitTet();
    mesh.positions[7] = bad;
    const found = expect.objectContaining({ code: 'E_NOT_FINITE', place: 'body/positions/7', value: bad });
    expect(() => checkTetMesh(mesh, 'body')).toThrow(found);
  });

  it.each([
    [1e-7, /kilometres/],
    [2e6, /millimetres/],
  ])('rejects a mesh %s m across and names the likely slip', (size, message) => {
    const mesh = { ...unitTet(), positions: unitTet().positions.map((x) => x * size) };
    expect(() => checkTetMesh(mesh)).toThrow(message);
    expect(() => checkTetMesh(mesh)).toThrow(expect.objectContaining({ code: 'E_RANGE', value: size }));
  });

  it.each([1e-6, 1e6])('accepts a mesh %s m across', (size) => {
    expect(() => checkTetMesh({ ...unitTet(), positions: unitTet().positions.map((x) => x * size) })).not.toThrow();
  });
});

describe('volumes and extents', () => {
  it('gives a sixth for the corner of the unit cube, minus when inverted', () => {
    expect(tetVolume(unitTet(), 0)).toBe(1 / 6);
    expect(tetVolume({ ...unitTet(), tets: Int32Array.of(0, 2, 1, 3) }, 0)).toBe(-1 / 6);
    expect(meshVolume(unitTet())).toBe(1 / 6);
  });

  it('takes the longest side of the box', () => {
    expect(largestExtent([0, 0, 0, 1, -3, 2])).toBe(3);
  });
});
