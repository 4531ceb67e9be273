/** What the shape of an obstacle looks like. */
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  SphereGeometry,
} from 'three';
import { heightFieldSurface } from '../../src/collision/shapes/height-field-surface.js';
import type { ObstacleDef } from '../protocol.js';

/** The geometry of a shape in its own frame; `plane`: side of the square that stands for a plane without end [m]. */
export function obstacleGeometry(shape: ObstacleDef['shape'], plane: number): BufferGeometry {
  switch (shape.kind) {
    case 'plane':
      return new PlaneGeometry(plane, plane).rotateX(-Math.PI / 2);
    case 'sphere':
      return new SphereGeometry(shape.radius, 48, 32);
    case 'box':
      return new BoxGeometry(...shape.halfExtents.map((half) => 2 * half));
    case 'capsule':
      return new CapsuleGeometry(shape.radius, 2 * shape.halfLength, 16, 40);
    case 'cylinder':
      return new CylinderGeometry(shape.radius, shape.radius, 2 * shape.halfLength, 64);
    case 'heightField': {
      const { positions, triangles } = heightFieldSurface(shape);
      return facetedGeometry(positions, triangles);
    }
    case 'mesh':
      return facetedGeometry(shape.positions, shape.triangles);
  }
}

/** Every triangle with corners of its own, so that it is shaded as flat as it is. */
function facetedGeometry(positions: ArrayLike<number>, triangles: ArrayLike<number>): BufferGeometry {
  const corners = new Float32Array(3 * triangles.length);
  for (let c = 0; c < triangles.length; c++) {
    for (let k = 0; k < 3; k++) corners[3 * c + k] = positions[3 * triangles[c] + k];
  }
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}
