/** How much of the sky the vertices of a surface see, against shapes where that is known. */
import { BoxGeometry, SphereGeometry } from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { describe, expect, it } from 'vitest';
import { measureOcclusion } from '../../../viewer/worker/occlusion.js';

function partsOf(geometry: BoxGeometry | SphereGeometry): { positions: Float32Array; triangles: Uint32Array } {
  geometry.deleteAttribute('uv');
  geometry.deleteAttribute('normal');
  const merged = mergeVertices(geometry);
  return {
    positions: merged.getAttribute('position').array as Float32Array,
    triangles: Uint32Array.from(merged.getIndex()!.array),
  };
}

describe('the sky over a surface', () => {
  it('is whole on a ball: nothing of it rises over the horizon of any of its points', () => {
    const { positions, triangles } = partsOf(new SphereGeometry(1, 24, 16));
    for (const seen of measureOcclusion(positions, triangles)) expect(seen).toBeGreaterThan(0.98);
  });

  it('is partly hidden between two boxes close to each other, and whole on their far sides', () => {
    const left = partsOf(new BoxGeometry(1, 1, 1, 8, 8, 8));
    const right = partsOf(new BoxGeometry(1, 1, 1, 8, 8, 8).translate(1.06, 0, 0) as BoxGeometry);
    const count = left.positions.length / 3;
    const positions = Float32Array.from([...left.positions, ...right.positions]);
    const triangles = Uint32Array.from([...left.triangles, ...right.triangles.map((v) => v + count)]);
    const seen = measureOcclusion(positions, triangles);
    const middleOf = (x: number): number => {
      for (let v = 0; v < count; v++) {
        const [px, py, pz] = positions.subarray(3 * v, 3 * v + 3);
        if (Math.abs(px - x) < 1e-6 && Math.abs(py) < 1e-6 && Math.abs(pz) < 1e-6) return seen[v];
      }
      throw new Error('no vertex in the middle of this side');
    };
    expect(middleOf(0.5)).toBeLessThan(0.6);
    expect(middleOf(-0.5)).toBeGreaterThan(0.98);
  });
});
