import { describe, expect, it } from 'vitest';
import { labelComponents } from '../../../src/mesh/components.js';
import { extractSurface } from '../../../src/mesh/surface/surface.js';
import { describeSurface } from '../../../src/mesh/surface/surface-topology.js';
import { splitPinches } from '../../../src/mesh/tets/split-pinches.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

describe('splitPinches', () => {
  it.each([
    ['a point', [0, 1, 2, 3, 3, 4, 5, 6]],
    ['an edge', [0, 1, 2, 3, 2, 3, 4, 5]],
  ])('takes apart two tetrahedra that share %s', (_name, tets) => {
    const positions = Float64Array.from({ length: 3 * (Math.max(...tets) + 1) }, (_, i) => ((i * 7) % 11) / 11);
    const split = splitPinches({ positions, tets: Int32Array.from(tets) });
    expect(labelComponents(split).count).toBe(2);
    expect(split.positions.length / 3).toBe(8);
    const { triangles, vertices } = extractSurface(split);
    expect(describeSurface(triangles, vertices.length)).toMatchObject({ openEdgeCount: 0, pinchedVertexCount: 0 });
    // copies lie where the vertex was
    for (let corner = 0; corner < 8; corner++) {
      const place = split.positions.subarray(3 * split.tets[corner], 3 * split.tets[corner] + 3);
      expect([...place]).toEqual([...positions.subarray(3 * tets[corner], 3 * tets[corner] + 3)]);
    }
  });

  it('leaves a sound mesh alone', () => {
    const block = buildLattice({ cells: [2, 2, 2], cellSize: 1 });
    expect(splitPinches(block)).toBe(block);
  });
});
