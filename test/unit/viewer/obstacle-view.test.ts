import { BackSide, type Box3, type Mesh, type MeshStandardMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import type { ShapeDef } from '../../../src/collision/shapes/shape.js';
import { ObstacleView } from '../../../viewer/draw/obstacle-view.js';
import { boxSurface } from '../../support/models/surfaces.js';

const cube = { kind: 'mesh', ...boxSurface([-1, -2, -3], [1, 2, 3]) } as const;

/** The drawn mesh of a shape and its box. */
function draw(shape: ShapeDef): { mesh: Mesh; box: Box3 } {
  const view = new ObstacleView([{ lane: 0, shape, level: false }], 1);
  const mesh = view.children[0] as Mesh;
  mesh.geometry.computeBoundingBox();
  return { mesh, box: mesh.geometry.boundingBox! };
}

describe('ObstacleView', () => {
  it('draws a height field where it is', () => {
    const heights = [0, 1, 2, 3, 4, 5];
    const { mesh, box } = draw({ kind: 'heightField', heights, rows: 2, columns: 3, cell: [0.5, 2] });
    expect(mesh.geometry.getAttribute('position').count).toBe(3 * 4);
    expect([box.min.toArray(), box.max.toArray()]).toEqual([
      [-0.5, 0, -1],
      [0.5, 5, 1],
    ]);
    const normals = mesh.geometry.getAttribute('normal');
    for (let i = 0; i < normals.count; i++) expect(normals.getY(i)).toBeGreaterThan(0);
  });

  it('draws a mesh, and of a container the far side', () => {
    const { mesh, box } = draw(cube);
    expect(mesh.geometry.getAttribute('position').count).toBe(cube.triangles.length);
    expect([box.min.toArray(), box.max.toArray()]).toEqual([
      [-1, -2, -3],
      [1, 2, 3],
    ]);
    const inside = draw({ ...cube, container: true }).mesh;
    expect((inside.material as MeshStandardMaterial).side).toBe(BackSide);
    // it throws a shadow from outside of its walls
    expect(inside.castShadow).toBe(false);
    expect(inside.children[0]).toMatchObject({ castShadow: true, scale: { x: expect.closeTo(1.03, 9) } });
  });

  it('moves what it draws to the poses of a frame', () => {
    const view = new ObstacleView([{ lane: 0, shape: cube, level: false }], 1);
    view.update(Float32Array.of(9, 0, 1, 0, 0, 4, 5, 6), 1);
    expect(view.children[0].position.toArray()).toEqual([4, 5, 6]);
    expect(view.children[0].quaternion.toArray()).toEqual([0, 1, 0, 0]);
  });
});
