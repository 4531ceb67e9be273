import { describe, expect, it } from 'vitest';
import { dihedralAngles, edgeLengths, listEdges, summarizeMesh, tetVolumes } from '../../../src/mesh/tets/quality.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const regular = {
  positions: Float64Array.of(1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1),
  tets: Int32Array.of(0, 1, 3, 2),
};

describe('mesh quality', () => {
  it('gives acos(1/3) for all six angles of the regular tetrahedron, whichever way it is turned', () => {
    for (const angle of dihedralAngles(regular)) expect(angle).toBeCloseTo(Math.acos(1 / 3), 14);
    for (const angle of dihedralAngles({ ...regular, tets: Int32Array.of(1, 0, 2, 3) })) {
      expect(angle).toBeCloseTo(Math.acos(1 / 3), 14);
    }
  });

  it('keeps its digits for a nearly flat tetrahedron', () => {
    const height = 1e-9;
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, height);
    const [ab, , , bc] = dihedralAngles({ positions, tets: Int32Array.of(0, 1, 2, 3) });
    // Along the diagonal bc the faces are almost one plane; along ab they almost coincide.
    expect(ab / height).toBeCloseTo(1, 6);
    expect((Math.PI - bc) / height).toBeCloseTo(Math.SQRT2, 6);
  });

  it('lists every edge of a cell once', () => {
    const mesh = buildLattice({ cells: [1, 1, 1], cellSize: 2, split: 'six' });
    const edges = listEdges(mesh);
    expect(edges).toHaveLength(2 * (12 + 6 + 1));
    const lengths = [...edgeLengths(mesh, edges)].sort((a, b) => a - b);
    expect(lengths.slice(0, 12)).toEqual(new Array(12).fill(2));
    expect(lengths[18]).toBeCloseTo(2 * Math.sqrt(3), 14);
  });

  it('sums up', () => {
    const summary = summarizeMesh(buildLattice({ cells: [2, 2, 2], cellSize: 0.5, split: 'six' }));
    expect(summary).toMatchObject({ vertexCount: 27, tetCount: 48, invertedCount: 0 });
    expect(summary.totalVolume).toBeCloseTo(1, 14);
    expect(summary.volume.min).toBeCloseTo(1 / 48, 14);
    expect(summary.volume.mean).toBeCloseTo(1 / 48, 14);
    expect(summary.dihedral.min).toBeCloseTo(Math.PI / 4, 14);
    expect(summary.dihedral.max).toBeCloseTo(Math.PI / 2, 14);
    expect(summary.edgeLength).toMatchObject({ min: 0.5 });
    expect(tetVolumes({ ...regular, tets: Int32Array.of(0, 1, 2, 3) })[0]).toBeCloseTo(-8 / 3, 14);
  });
});
