/** Cells from surfaces and tets: how many, in which copies, what is bound to what, and what the coarser lattice makes of it. */
import { describe, expect, it } from 'vitest';
import { buildHand } from '../../../scenes/cast/hand.js';
import { TendonError } from '../../../src/errors.js';
import { coarsenLattice } from '../../../src/mesh/hexes/coarsen-lattice.js';
import { fillTets } from '../../../src/mesh/hexes/fill-tets.js';
import { fillWithCells } from '../../../src/mesh/hexes/fill-with-cells.js';
import { embedInCells } from '../../../src/mesh/hexes/hex-embedding.js';
import { boxLattice, type HexLattice, nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { ballSurface, boxSurface, mergeSurfaces } from '../../support/models/surfaces.js';

/** Pieces of a lattice: cells that share nodes. */
function pieceCount({ corners, nodes }: HexLattice): number {
  const label = Int32Array.from({ length: nodes.length / 3 }, (_, i) => i);
  const find = (i: number): number => (label[i] === i ? i : find(label[i]));
  for (let at = 0; at < corners.length; at++) label[find(corners[at])] = find(corners[at & ~7]);
  return new Set([...label.keys()].map(find)).size;
}

describe('fillWithCells', () => {
  it('fills a box, and knows its volume', () => {
    const { lattice, solidVolume, fullness } = fillWithCells(boxSurface([0, 0, 0], [1, 0.5, 0.25], 4), { cell: 0.1 });
    expect(solidVolume).toBeCloseTo(0.125, 2);
    expect(pieceCount(lattice)).toBe(1);
    const filled = fullness.reduce((sum, share) => sum + share, 0) * 0.1 ** 3;
    expect(filled).toBeCloseTo(solidVolume, 6);
  });

  it('comes near the number of cells that is wanted', () => {
    const { lattice } = fillWithCells(ballSurface([0, 0, 0], 1), { cells: 3000 });
    expect(Math.abs(lattice.cells.length / 3 / 3000 - 1)).toBeLessThan(0.1);
  });

  it('gives two fingers that share cubes a copy each', () => {
    const fingers = mergeSurfaces(boxSurface([0, 0, 0], [1, 0.19, 0.2], 6), boxSurface([0, 0.22, 0], [1, 0.4, 0.2], 6));
    const { lattice } = fillWithCells(fingers, { cell: 0.15 });
    expect(pieceCount(lattice)).toBe(2);
    const cubes = new Set<string>();
    for (let c = 0; c < lattice.cells.length; c += 3) cubes.add(lattice.cells.subarray(c, c + 3).join());
    expect(cubes.size).toBeLessThan(lattice.cells.length / 3);
    // coarser, and the cubes shared by both are still there twice
    expect(pieceCount(coarsenLattice(lattice).lattice)).toBe(2);
  });

  it('refuses what has no inside, and what has no triangles', () => {
    const none = { positions: new Float64Array(0), triangles: new Int32Array(0) };
    expect(() => fillWithCells(none as never)).toThrow(TendonError);
    expect(() => fillWithCells(boxSurface([0, 0, 0], [1, 1, 1]), { cell: 1e-9 })).toThrow(TendonError);
  });
});

describe('embedInCells', () => {
  it('gives the rest shape back exactly, outside of all cells too', () => {
    const lattice = boxLattice(3, 2, 2, 0.5);
    const points = [0.1, 0.2, 0.3, 1.49, 0.99, 0.01, 1.7, -0.2, 0.5];
    const { nodes, weights } = embedInCells(lattice, new Int32Array(0), points, [-1, -1, -1]);
    const rest = nodePositions(lattice);
    points.forEach((value, i) => {
      const point = Math.floor(i / 3);
      let sum = 0;
      for (let c = 8 * point; c < 8 * point + 8; c++) sum += weights[c] * rest[3 * nodes[c] + (i % 3)];
      expect(sum).toBeCloseTo(value, 12);
    });
  });
});

describe('fillTets', () => {
  it('leaves out cells that tets only graze: a hand in one piece is filled in one piece', () => {
    const { lattice, cellOfSample } = fillTets(buildHand({ cell: 0.0112 }), { cells: 30_000 });
    // there were five: cells of their own, which nothing holds and nothing needs
    expect(pieceCount(lattice)).toBe(1);
    expect(cellOfSample.every((cell) => cell >= 0)).toBe(true);
  });

  it('covers a body and binds its vertices inside the cells', () => {
    const fill = fillTets(buildLattice({ cells: [4, 2, 2], cellSize: 0.1 }), { cells: 200 });
    expect(pieceCount(fill.lattice)).toBe(1);
    for (const weight of fill.embedding.weights) {
      expect(weight).toBeGreaterThan(-1e-9);
      expect(weight).toBeLessThan(1 + 1e-9);
    }
  });
});

describe('coarsenLattice', () => {
  it('halves a box, and every fine node lies between coarse ones', () => {
    const { lattice, parentStart, parents, parentOfCell } = coarsenLattice(boxLattice(4, 4, 2, 1));
    expect(lattice.cells.length / 3).toBe(4);
    expect(lattice.nodes.length / 3).toBe(18);
    expect(new Set(parentOfCell).size).toBe(4);
    for (let node = 0; node + 1 < parentStart.length; node++) {
      const count = parentStart[node + 1] - parentStart[node];
      expect([1, 2, 4, 8]).toContain(count);
    }
    expect(parents.every((parent) => parent >= 0 && parent < 18)).toBe(true);
  });
});
