import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { weldVertices } from '../../../src/mesh/surface/triangle-mesh.js';
import { WindingTree } from '../../../src/mesh/surface/winding-number.js';
import { ballSurface, boxSurface, mergeSurfaces } from '../../support/models/surfaces.js';

describe('WindingTree', () => {
  it('is 1 inside, 0 outside and 2 where two solids overlap', () => {
    const box = boxSurface([0, 0, 0], [1, 1, 1], 4);
    const tree = new WindingTree(mergeSurfaces(box, boxSurface([0.5, 0, 0], [2, 1, 1], 4)));
    expect(tree.at(0.2, 0.5, 0.5)).toBeCloseTo(1, 1);
    expect(tree.at(0.75, 0.5, 0.5)).toBeCloseTo(2, 1);
    expect(tree.at(-3, 0.5, 0.5)).toBeCloseTo(0, 2);
  });

  it('sees five sixths of a cube without a lid from its middle', () => {
    const box = boxSurface([0, 0, 0], [1, 1, 1]);
    const open = { positions: box.positions, triangles: box.triangles.slice(0, 30) };
    expect(new WindingTree(open).at(0.5, 0.5, 0.5)).toBeCloseTo(5 / 6, 12);
  });

  it('decides as exact solid angles would, for points all around a ball', () => {
    const { positions, triangles } = ballSurface([0, 0, 0], 1, 24);
    const ball = weldVertices(positions, triangles);
    const tree = new WindingTree(ball);
    const random = createRandom(4);
    let worst = 0;
    for (let n = 0; n < 500; n++) {
      const p = [0, 1, 2].map(() => 3 * random.next() - 1.5);
      const radius = Math.hypot(p[0], p[1], p[2]);
      if (Math.abs(radius - 1) < 0.02) continue;
      worst = Math.max(worst, Math.abs(tree.at(p[0], p[1], p[2]) - (radius < 1 ? 1 : 0)));
    }
    expect(worst).toBeLessThan(0.05);
  });

  it('is 0 for no surface at all', () => {
    expect(new WindingTree({ positions: new Float64Array(0), triangles: new Int32Array(0) }).at(0, 0, 0)).toBe(0);
  });
});
