import { describe, expect, it } from 'vitest';
import { extractSurface } from '../../../src/mesh/surface/surface.js';
import { improveTets } from '../../../src/mesh/tets/improve-tets.js';
import { summarizeMesh } from '../../../src/mesh/tets/quality.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { meshVolume } from '../../../src/mesh/tets/tet-mesh.js';
import { expectSolid } from './mesh-checks.js';

const box = buildLattice({ cells: [4, 4, 4], cellSize: 1 });

/** The box with one vertex moved to another place. */
function withMoved(vertex: number, place: number[]) {
  const positions = box.positions.slice();
  positions.set(place, 3 * vertex);
  return { positions, tets: box.tets };
}

describe('improveTets', () => {
  it('leaves a good mesh alone', () => {
    expect(improveTets(box)).toEqual(box);
  });

  it('moves an inner vertex away from the face it almost touches, and nothing on the surface of the box', () => {
    const inner = 2 + 2 * 5 + 2 * 25;
    const spoilt = withMoved(inner, [2.97, 2, 2]);
    const improved = improveTets(spoilt);
    expectSolid(improved);
    expect(summarizeMesh(spoilt).dihedral.min).toBeLessThan(0.05);
    expect(summarizeMesh(improved).dihedral.min).toBeGreaterThan(0.2);
    expect(summarizeMesh(improved).dihedral.max).toBeLessThan(Math.PI - 0.2);
    expect(meshVolume(improved)).toBeCloseTo(64, 12);
    for (const vertex of extractSurface(box).vertices) {
      const place = improved.positions.slice(3 * vertex, 3 * vertex + 3);
      expect([...place]).toEqual([...box.positions.slice(3 * vertex, 3 * vertex + 3)]);
    }
  });

  it('moves a vertex inside a flat side along that side only', () => {
    const onSide = 2 + 2 * 5;
    const improved = improveTets(withMoved(onSide, [2.95, 2, 0]));
    expect(summarizeMesh(improved).dihedral.min).toBeGreaterThan(0.2);
    expect(improved.positions[3 * onSide + 2]).toBe(0);
    expect(meshVolume(improved)).toBeCloseTo(64, 12);
  });
});
