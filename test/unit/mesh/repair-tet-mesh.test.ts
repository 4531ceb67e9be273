import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairTetMesh } from '../../../src/mesh/tets/repair-tet-mesh.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { meshVolume, type TetMesh, tetVolume } from '../../../src/mesh/tets/tet-mesh.js';

const box = (): TetMesh => buildLattice({ cells: [3, 3, 3], cellSize: 0.1, split: 'six' });

/** A copy with one more tetrahedron. */
const withTet = (mesh: TetMesh, ...tet: number[]): TetMesh => ({ ...mesh, tets: Int32Array.of(...mesh.tets, ...tet) });

/** A copy with more vertices. */
const withVertices = (mesh: TetMesh, ...more: number[]): TetMesh => ({
  ...mesh,
  positions: Float64Array.of(...mesh.positions, ...more),
});

/** A copy in which the tetrahedra for which `pick` is true have two corners swapped. */
function flip(mesh: TetMesh, pick: (tet: number) => boolean): TetMesh {
  const tets = mesh.tets.slice();
  for (let tet = 0; tet < tets.length / 4; tet++) {
    if (pick(tet)) [tets[4 * tet], tets[4 * tet + 1]] = [tets[4 * tet + 1], tets[4 * tet]];
  }
  return { ...mesh, tets };
}

describe('repairTetMesh', () => {
  it('leaves a sound mesh as it is, in a copy', () => {
    const mesh = box();
    const { mesh: repaired, report } = repairTetMesh(mesh, { strict: true });
    expect(repaired).toEqual(mesh);
    expect(repaired.tets).not.toBe(mesh.tets);
    expect(report.invertedCount).toBe(0);
    expect(report.droppedTets).toHaveLength(0);
    expect(report.unreferencedVertices).toHaveLength(0);
    expect(report.vertexMap).toEqual(report.vertexSource);
  });

  it.each([1, 10, 25, 50, 75, 99, 100])('turns %s %% of the tetrahedra back', (percent) => {
    const mesh = box();
    const pick = (tet: number): boolean => (tet * 37) % 100 < percent;
    const flipped = Array.from({ length: mesh.tets.length / 4 }, (_, tet) => tet).filter(pick).length;
    const { mesh: repaired, report } = repairTetMesh(flip(mesh, pick));
    expect(flipped).toBeGreaterThan(0);
    expect(report.invertedCount).toBe(flipped);
    for (let tet = 0; tet < repaired.tets.length / 4; tet++) expect(tetVolume(repaired, tet)).toBeGreaterThan(0);
    expect(meshVolume(repaired)).toBeCloseTo(0.027, 15);
  });

  it('turns any set of tetrahedra back (property)', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(161), { maxLength: 162 }), (chosen) => {
        const { mesh, report } = repairTetMesh(flip(box(), (tet) => chosen.includes(tet)));
        expect(report.invertedCount).toBe(chosen.length);
        expect(Math.abs(meshVolume(mesh) - 0.027)).toBeLessThan(1e-15);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['four points of one plane', [0, 1, 4, 5]],
    ['points on a line', [0, 1, 2, 3]],
    ['one point four times', [7, 7, 7, 7]],
    ['a corner twice', [0, 1, 1, 16]],
  ])('drops %s, whose vertices others hold', (_, tet) => {
    const mesh = box();
    const { mesh: repaired, report } = repairTetMesh(withTet(mesh, ...tet));
    expect([...report.droppedTets]).toEqual([mesh.tets.length / 4]);
    expect(repaired).toEqual(mesh);
  });

  it('drops a sliver whose dihedral angles are too near to flat', () => {
    const mesh = withVertices(box(), 0.05, 0.05, 1e-9);
    // The sliver and one good tetrahedron hold the vertex just above the bottom face.
    const good = mesh.positions.length / 3 - 1;
    const { report } = repairTetMesh(withTet(withTet(mesh, 0, 1, 5, good), good, 20, 21, 41));
    expect([...report.droppedTets]).toEqual([162]);
  });

  it('rejects a flat tetrahedron whose vertices nothing else holds, with its index', () => {
    const mesh = withTet(withVertices(box(), 1, 1, 0), 0, 1, 4, 64);
    const found = expect.objectContaining({ code: 'E_DEGENERATE_TET', place: 'mesh/tets/648' });
    expect(() => repairTetMesh(mesh)).toThrow(found);
  });

  it.each([1, 5000])('leaves out %s unreferenced vertices and maps the rest', (count) => {
    const mesh = box();
    const lonely = Float64Array.from({ length: 3 * count }, (_, i) => (i % 7) * 0.01);
    const tets = mesh.tets.map((vertex) => vertex + count);
    const { mesh: repaired, report } = repairTetMesh({
      positions: Float64Array.of(...lonely, ...mesh.positions),
      tets,
    });
    expect(repaired).toEqual(mesh);
    expect(report.unreferencedVertices).toEqual(Int32Array.from({ length: count }, (_, i) => i));
    expect(report.vertexMap.slice(0, count).every((vertex) => vertex === -1)).toBe(true);
    for (let i = 0; i < report.vertexSource.length; i++) expect(report.vertexMap[report.vertexSource[i]]).toBe(i);
  });

  it.each([
    ['an inverted tetrahedron', flip(box(), (tet) => tet === 5), 'E_RANGE', 'mesh/tets/20'],
    ['a flat tetrahedron', withTet(box(), 0, 1, 4, 5), 'E_DEGENERATE_TET', 'mesh/tets/648'],
    ['an unreferenced vertex', withVertices(box(), 0, 0, 0), 'E_RANGE', 'mesh/positions/192'],
  ])('rejects %s when strict', (_, mesh, code, place) => {
    expect(() => repairTetMesh(mesh, { strict: true })).toThrow(expect.objectContaining({ code, place }));
  });

  it.each([1e-5, 1, 1e5])('judges flatness by shape, not by size (scale %s)', (scale) => {
    const mesh = { ...box(), positions: box().positions.map((x) => x * scale) };
    expect(repairTetMesh(mesh).report.droppedTets).toHaveLength(0);
    expect(repairTetMesh(withTet(mesh, 0, 1, 4, 5)).report.droppedTets).toHaveLength(1);
  });

  it('checks the mesh first', () => {
    const mesh = box();
    mesh.tets[3] = 1000;
    expect(() => repairTetMesh(mesh)).toThrow(expect.objectContaining({ code: 'E_INDEX', value: 1000 }));
  });
});
