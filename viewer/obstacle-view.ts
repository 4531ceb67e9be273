/** Obstacles as three.js meshes. A level plane is the stage's floor and is not drawn here. */
import { BackSide, Group, Mesh, MeshStandardMaterial } from 'three';
import { obstacleGeometry } from '../three/obstacle-geometry.js';
import type { ObstacleInfo } from './scene-info.js';

/** A plane has no end; so many sizes of the stage are drawn of it. */
const PLANE = 6;
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
      const mesh = new Mesh(obstacleGeometry(shape, PLANE * size), hollow ? this.#hollow : this.#solid);
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
