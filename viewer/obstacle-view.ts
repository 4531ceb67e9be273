/** Obstacles as three.js meshes. A level plane is the stage's floor and is not drawn here. */
import {
  BackSide,
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  SphereGeometry,
} from 'three';
import { heightFieldSurface } from '../src/collision/height-field-surface.js';
import type { ObstacleInfo } from './scene-info.js';

/** Numbers per obstacle in a frame: quaternion and position. */
const POSE = 7;

/** Draws obstacles and moves them along. */
export class ObstacleView extends Group {
  readonly #meshes: readonly (Mesh | undefined)[];
  readonly #solid = new MeshStandardMaterial({ color: '#aab2bb', roughness: 0.75 });
  /** What keeps things in is seen through from outside: only its far side is drawn. */
  readonly #hollow = new MeshStandardMaterial({ color: '#aab2bb', roughness: 0.9, side: BackSide });

  constructor(obstacles: readonly ObstacleInfo[], size: number) {
    super();
    this.#meshes = obstacles.map(({ shape, level }) => {
      if (level) return undefined;
      const hollow = 'container' in shape && shape.container === true;
      const mesh = new Mesh(geometryOf(shape, size), hollow ? this.#hollow : this.#solid);
      mesh.receiveShadow = true;
      mesh.castShadow = !hollow;
      this.add(mesh);
      return mesh;
    });
  }

  /** Poses start at `at` in a frame's numbers. */
  update(numbers: Float32Array, at: number): void {
    this.#meshes.forEach((mesh, i) => {
      mesh?.quaternion.fromArray(numbers, at + i * POSE);
      mesh?.position.fromArray(numbers, at + i * POSE + 4);
    });
  }

  override dispose(): void {
    for (const mesh of this.#meshes) mesh?.geometry.dispose();
    this.#solid.dispose();
    this.#hollow.dispose();
  }
}

function geometryOf(shape: ObstacleInfo['shape'], size: number): BufferGeometry {
  switch (shape.kind) {
    case 'plane':
      return new PlaneGeometry(6 * size, 6 * size).rotateX(-Math.PI / 2);
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
