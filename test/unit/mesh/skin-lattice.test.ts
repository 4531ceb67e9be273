import { describe, expect, it } from 'vitest';
import { labelComponents } from '../../../src/mesh/components.js';
import { fillSkin, type SkinLattice } from '../../../src/mesh/skin-lattice.js';
import { type TriangleMesh, weldVertices } from '../../../src/mesh/surface/triangle-mesh.js';
import { keepConnected } from '../../../src/mesh/tets/keep-connected.js';
import { summarizeMesh } from '../../../src/mesh/tets/quality.js';
import type { TetMesh } from '../../../src/mesh/tets/tet-mesh.js';
import { findTetNeighbours } from '../../../src/mesh/tets/tet-neighbours.js';
import { ballSurface, boxSurface, mergeSurfaces } from '../../support/models/surfaces.js';

const DEGREES = 180 / Math.PI;

function weld(...parts: TriangleMesh[]): TriangleMesh {
  const all = mergeSurfaces(...parts);
  return weldVertices(all.positions, all.triangles);
}

/** Pieces of the part of a mesh whose tets have their centre above `y`. */
function piecesAbove(mesh: TetMesh, y: number): number {
  const tets: number[] = [];
  for (let t = 0; t < mesh.tets.length; t += 4) {
    const corners = [...mesh.tets.subarray(t, t + 4)];
    const height = corners.reduce((sum, v) => sum + mesh.positions[3 * v + 1] / 4, 0);
    if (height > y) tets.push(...corners);
  }
  const used = [...new Set(tets)].sort((a, b) => a - b);
  const index = new Map(used.map((v, i) => [v, i]));
  return labelComponents({
    positions: new Float64Array(3 * used.length),
    tets: Int32Array.from(tets, (v) => index.get(v) as number),
  }).count;
}

/** Two fingers of 1 x 4 x 1 on a palm, `gap` apart; negative: they overlap. As pieces that overlap the palm. */
function fingers(gap: number): TriangleMesh {
  return weld(
    boxSurface([-2, -1, 0], [2, 0.5, 1], 3),
    boxSurface([-1 - gap / 2, 0, 0.05], [-gap / 2, 4, 0.95], 3),
    boxSurface([gap / 2, 0, 0.05], [1 + gap / 2, 4, 0.95], 3),
  );
}

function worstAngles({ mesh }: SkinLattice): [number, number] {
  const { dihedral } = summarizeMesh(mesh);
  return [dihedral.min * DEGREES, dihedral.max * DEGREES];
}

describe('fillSkin', () => {
  it('fills a ball: one piece, good angles, the right volume', () => {
    const ball = weld(ballSurface([0.3, -0.2, 0.1], 1, 24));
    const filled = fillSkin(ball, { cell: 0.2 });
    const summary = summarizeMesh(filled.mesh);
    expect(summary.invertedCount).toBe(0);
    expect(worstAngles(filled)[0]).toBeGreaterThan(59.9);
    expect(worstAngles(filled)[1]).toBeLessThan(90.1);
    expect(labelComponents(filled.mesh).count).toBe(1);
    expect(filled.solidVolume).toBeCloseTo((4 / 3) * Math.PI, 1);
    expect(summary.totalVolume).toBeGreaterThan(filled.solidVolume);
    expect(summary.totalVolume).toBeLessThan(1.4 * filled.solidVolume);
    // every tet hangs on the others by a face
    const neighbours = findTetNeighbours(filled.mesh.tets, filled.mesh.positions.length / 3);
    for (let t = 0; t < neighbours.length; t += 4)
      expect(Math.max(...neighbours.subarray(t, t + 4))).toBeGreaterThan(-1);
    expect(filled.tetOfTriangle.some((tet) => tet >= 0)).toBe(true);
  });

  it.each([300, 2000, 8000])('comes within an eighth of %s tets', (tets) => {
    const filled = fillSkin(weld(ballSurface([0, 0, 0], 1)), { tets });
    expect(filled.mesh.tets.length / 4 / tets).toBeGreaterThan(0.875);
    expect(filled.mesh.tets.length / 4 / tets).toBeLessThan(1.125);
  });

  it('gives the same mesh again', () => {
    const skin = fingers(0.1);
    expect(fillSkin(skin, { tets: 1500 }).mesh).toEqual(fillSkin(skin, { tets: 1500 }).mesh);
  });

  it.each([0.02, 0.1, 0.3])(
    'keeps fingers apart that are %s of their width apart, in cells of half a finger',
    (gap) => {
      const { mesh } = fillSkin(fingers(gap), { cell: 0.5 });
      expect(labelComponents(mesh).count).toBe(1);
      expect(piecesAbove(mesh, 1.6)).toBe(2);
    },
  );

  it('keeps fingers apart that overlap, where the parts of the body are known', () => {
    const skin = fingers(-0.2);
    expect(piecesAbove(fillSkin(skin, { cell: 0.5 }).mesh, 1.6)).toBe(1);
    // palm 0, one finger 1, the other 2: two joints from finger to finger
    const perBox = skin.triangles.length / 9;
    const ofTriangle = Int32Array.from({ length: skin.triangles.length / 3 }, (_, t) => Math.floor(t / perBox));
    const distance = (a: number, b: number): number => (a === b ? 0 : a === 0 || b === 0 ? 1 : 2);
    const filled = fillSkin(skin, { cell: 0.5, parts: () => ({ ofTriangle, distance }) });
    expect(labelComponents(filled.mesh).count).toBe(1);
    expect(piecesAbove(filled.mesh, 1.6)).toBe(2);
    expect(new Set(filled.partOfVertex)).toEqual(new Set([0, 1, 2]));
  });

  it('keeps a part thinner than a quarter of a cell in one piece with the rest', () => {
    const thin = weld(ballSurface([0, 0, 0], 1), boxSurface([-0.03, 0.5, -0.03], [0.03, 3, 0.03], 2));
    const filled = fillSkin(thin, { cell: 0.4 });
    expect(labelComponents(filled.mesh).count).toBe(1);
    expect(Math.max(...filled.mesh.positions.filter((_, i) => i % 3 === 1))).toBeGreaterThan(2.9);
  });

  it('fills a surface with a hole like the closed one', () => {
    const ball = weld(ballSurface([0, 0, 0], 1, 20));
    const open = { positions: ball.positions, triangles: ball.triangles.slice(240) };
    const closed = fillSkin(ball, { cell: 0.25 });
    const filled = fillSkin(open, { cell: 0.25 });
    expect(labelComponents(keepConnected(filled, []).mesh).count).toBe(1);
    expect(filled.solidVolume / closed.solidVolume).toBeGreaterThan(0.9);
    expect(filled.solidVolume / closed.solidVolume).toBeLessThan(1.02);
  });

  it('fills a sheet without thickness', () => {
    const sheet = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0.2, 1, 1, 0.3, 0, 1, 0),
      triangles: Int32Array.of(0, 1, 2, 0, 2, 3),
    };
    const { mesh } = fillSkin(sheet, { cell: 0.2 });
    expect(labelComponents(mesh).count).toBe(1);
    expect(mesh.tets.length / 4).toBeGreaterThan(100);
  });

  it.each([
    [{ cell: 0 }, 'E_RANGE'],
    [{ cell: Number.NaN }, 'E_NOT_FINITE'],
    [{ cell: 1e-5 }, 'E_RANGE'],
    [{ tets: 3 }, 'E_RANGE'],
  ])('refuses %j', (options, code) => {
    expect(() => fillSkin(weld(ballSurface([0, 0, 0], 1, 6)), options)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a skin without triangles or without size', () => {
    const none = { positions: new Float64Array(0), triangles: new Int32Array(0) };
    expect(() => fillSkin(none)).toThrow(expect.objectContaining({ code: 'E_EMPTY' }));
    const point = { positions: new Float64Array(9), triangles: Int32Array.of(0, 1, 2) };
    expect(() => fillSkin(point)).toThrow(expect.objectContaining({ code: 'E_RANGE' }));
  });
});

describe('keepConnected', () => {
  it('leaves a far crumb out, keeps a large second piece, and says so', () => {
    const notes: string[] = [];
    const filled = fillSkin(
      weld(ballSurface([0, 0, 0], 1), ballSurface([4, 0, 0], 0.05, 6), ballSurface([0, 4, 0], 0.9)),
      { cell: 0.25 },
    );
    expect(labelComponents(filled.mesh).count).toBe(3);
    const kept = keepConnected(filled, notes);
    expect(labelComponents(kept.mesh).count).toBe(2);
    expect(kept.partOfVertex.length).toBe(kept.mesh.positions.length / 3);
    expect(Math.max(...kept.tetOfTriangle)).toBeLessThan(kept.mesh.tets.length / 4);
    expect(notes.join()).toMatch(/1 small loose piece.*2 pieces/);
  });
});
