import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { shapeDistance } from '../../src/collision/shapes/shape.js';
import { unrotateVec3 } from '../../src/math/quat.js';
import { ObstacleMesh, obstacleFromMesh } from '../../three/obstacles/obstacle-from-mesh.js';
import type { ObstacleDef } from '../../three/protocol.js';

/** Signed distance of a point in the world from an obstacle [m]. */
function distance({ shape, position = [0, 0, 0], rotation = [0, 0, 0, 1] }: ObstacleDef, point: Vector3): number {
  const local = Float64Array.from(point.toArray(), (value, k) => value - position[k]);
  unrotateVec3(local, 0, rotation, 0, local, 0);
  return shapeDistance(shape, local, 0, new Float64Array(3), 0);
}

/** Largest distance of any vertex of the mesh from the obstacle's surface [m]. */
function misfit(mesh: Mesh, def: ObstacleDef): number {
  const positions = mesh.geometry.getAttribute('position');
  let worst = 0;
  for (let i = 0; i < positions.count; i++) {
    const vertex = new Vector3().fromBufferAttribute(positions, i).applyMatrix4(mesh.matrixWorld);
    worst = Math.max(worst, Math.abs(distance(def, vertex)));
  }
  return worst;
}

function placed(geometry: BufferGeometry, scale: [number, number, number] = [2, 2, 2]): Mesh {
  const mesh = new Mesh(geometry);
  const parent = new Group().add(mesh);
  parent.position.set(0.3, 1.2, -0.7);
  parent.rotation.set(0.4, -0.3, 0.9);
  mesh.position.set(-0.2, 0.1, 0.5);
  mesh.rotation.set(1.1, 0.2, -0.5);
  mesh.scale.set(...scale);
  return mesh;
}

describe('obstacleFromMesh', () => {
  it.each<[string, Mesh]>([
    ['box', placed(new BoxGeometry(0.4, 0.6, 0.8), [1, 2, 3])],
    ['sphere', placed(new SphereGeometry(0.5, 24, 16))],
    ['cylinder', placed(new CylinderGeometry(0.3, 0.3, 1.1, 24), [2, 0.5, 2])],
    ['capsule', placed(new CapsuleGeometry(0.2, 0.7))],
    ['plane', placed(new PlaneGeometry(2, 3))],
    ['plane', placed(new PlaneGeometry(2, 3).rotateX(-Math.PI / 2).translate(0, 0.4, 0))],
    ['box', placed(new BoxGeometry(0.4, 0.6, 0.8).translate(1, 2, 3), [1, 2, 3])],
  ])('makes a %s with its surface where the mesh has its vertices', (kind, mesh) => {
    const def = obstacleFromMesh(mesh);
    expect(def.shape.kind).toBe(kind);
    expect(misfit(mesh, def)).toBeLessThan(1e-6);
  });

  it('has everything behind a plane solid', () => {
    const floor = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2));
    floor.position.y = 0.2;
    const def = obstacleFromMesh(floor);
    expect(distance(def, new Vector3(5, 0.5, 5))).toBeCloseTo(0.3, 9);
    expect(distance(def, new Vector3(0, 0, 0))).toBeCloseTo(-0.2, 9);
  });

  it('takes name, friction and what is kept in from the user', () => {
    const mesh = new Mesh(new SphereGeometry(1));
    mesh.userData.obstacle = { friction: 0.1, container: true };
    expect(obstacleFromMesh(mesh, { name: 'ball', friction: 0.7 })).toMatchObject({
      name: 'ball',
      friction: 0.7,
      shape: { kind: 'sphere', radius: 1, container: true },
    });
  });

  it.each<[string, Mesh]>([
    ['a torus', placed(new TorusGeometry(0.5, 0.2, 24, 64), [1, 2, 1.5])],
    ['a cone', placed(new CylinderGeometry(0.1, 0.4, 0.5))],
    ['half a ball', placed(new SphereGeometry(0.5, 24, 16, 0, Math.PI))],
    ['an ellipsoid', placed(new SphereGeometry(0.5), [1, 2, 1])],
    ['a box turned before it became a mesh', placed(new BoxGeometry(0.4, 0.6, 0.8).rotateX(0.5), [1, 2, 3])],
    ['triangles without an index', placed(new BoxGeometry(0.4, 0.6, 0.8).rotateX(0.5).toNonIndexed())],
    ['a mirrored mesh', placed(new TorusGeometry(0.5, 0.2, 24, 64), [-1, 1, 1])],
  ])('makes a mesh of %s, within a cell of its vertices', (_name, mesh) => {
    const def = obstacleFromMesh(mesh, { cell: 0.03, restitution: 0.5 });
    expect(def).toMatchObject({ restitution: 0.5, shape: { kind: 'mesh', cell: 0.03 } });
    expect(misfit(mesh, def)).toBeLessThan(0.03);
  });

  it('knows what is inside a mesh', () => {
    const def = obstacleFromMesh(new Mesh(new TorusGeometry(0.5, 0.2, 48, 128)));
    expect(distance(def, new Vector3(0, 0, 0))).toBeCloseTo(0.3, 2);
    expect(distance(def, new Vector3(0, 0.45, 0))).toBeCloseTo(-0.15, 2);
    const hollow = obstacleFromMesh(new Mesh(new TorusGeometry(0.5, 0.2)), { container: true });
    expect(hollow.shape).toMatchObject({ kind: 'mesh', container: true });
  });

  it('refuses a geometry without triangles', () => {
    expect(() => obstacleFromMesh(new Mesh(new BufferGeometry()))).toThrow(
      expect.objectContaining({ name: 'TendonError', code: 'E_EMPTY' }),
    );
  });

  it('notices when the mesh moves, in the space it is asked for', () => {
    const mesh = new Mesh(new BoxGeometry(1, 1, 1));
    const obstacle = new ObstacleMesh(mesh);
    expect(obstacle.moved()).toBeUndefined();
    mesh.position.set(1, 2, 3);
    const space = new Group();
    space.position.set(1, 0, 0);
    space.updateWorldMatrix(true, false);
    expect(obstacle.moved(space.matrixWorld)?.position).toEqual([0, 2, 3]);
    expect(obstacle.moved(space.matrixWorld)).toBeUndefined();
  });
});
