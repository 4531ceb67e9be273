import { describe, expect, it } from 'vitest';
import { embedPoints, updateEmbedding } from '../../../src/mesh/embedding.js';
import { fillSkin } from '../../../src/mesh/skin-lattice.js';
import { weldVertices } from '../../../src/mesh/surface/triangle-mesh.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { ballSurface } from '../../support/models/surfaces.js';

const raw = ballSurface([0, 0, 0], 1, 20);
const ball = weldVertices(raw.positions, raw.triangles);

/** x -> A x + t for every vertex. */
function moved(positions: Float64Array): Float64Array {
  const out = positions.slice();
  for (let i = 0; i < out.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3);
    out.set([1.2 * x - 0.3 * y + 5, 0.4 * x + 0.9 * y + 0.2 * z, z - 0.5 * x - 2], i);
  }
  return out;
}

describe('embedding', () => {
  it('gives the rest shape back and follows any affine motion exactly', () => {
    const { mesh } = fillSkin(ball, { cell: 0.3 });
    const embedding = embedPoints(mesh, ball.positions);
    const out = new Float64Array(ball.positions.length);
    updateEmbedding(embedding, mesh.positions, out);
    out.forEach((x, i) => {
      expect(x).toBeCloseTo(ball.positions[i], 13);
    });
    updateEmbedding(embedding, moved(mesh.positions), out);
    moved(ball.positions).forEach((x, i) => {
      expect(out[i]).toBeCloseTo(x, 12);
    });
  });

  it('holds points outside the mesh as well', () => {
    const mesh = buildLattice({ cells: [2, 2, 2], cellSize: 1 });
    const points = Float64Array.of(2.3, 1, 1, -0.2, -0.1, 0.5, 1, 1, 1);
    const embedding = embedPoints(mesh, points);
    const out = new Float64Array(9);
    updateEmbedding(embedding, moved(mesh.positions), out);
    moved(points).forEach((x, i) => {
      expect(out[i]).toBeCloseTo(x, 12);
    });
    expect(Math.min(...embedding.weights)).toBeGreaterThan(-0.6);
  });

  it('stays on the side of a gap it starts on', () => {
    // two separate slabs; the point lies in the second, the search starts in the first
    const low = buildLattice({ cells: [4, 1, 4], cellSize: 0.25 });
    const high = buildLattice({ cells: [4, 1, 4], cellSize: 0.25, origin: [0, 0.26, 0] });
    const base = low.positions.length / 3;
    const mesh = {
      positions: Float64Array.of(...low.positions, ...high.positions),
      tets: Int32Array.of(...low.tets, ...high.tets.map((v) => v + base)),
    };
    const point = Float64Array.of(0.5, 0.27, 0.5);
    expect(Math.min(...embedPoints(mesh, point).corners)).toBeGreaterThanOrEqual(base);
    expect(Math.max(...embedPoints(mesh, point, [0]).corners)).toBeLessThan(base);
  });

  it('needs tetrahedra', () => {
    const empty = { positions: new Float64Array(0), tets: new Int32Array(0) };
    expect(() => embedPoints(empty, [0, 0, 0])).toThrow(expect.objectContaining({ code: 'E_EMPTY' }));
  });
});
