/** Obstacles as three.js meshes. A level plane is the stage's floor and is not drawn here. */
import { BackSide, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial } from 'three';
import { obstacleGeometry } from '../../three/obstacle-geometry.js';
import type { ObstacleInfo } from '../worker/scene-info.js';

/** A plane has no end; so many sizes of the stage are drawn of it. */
const PLANE = 6;
/** A container throws its shadow from a little outside of its walls, which would otherwise lie in it. */
const SHADE = 1.03;
/** Numbers per obstacle in a frame: quaternion and position. */
const POSE = 7;

/** Draws obstacles and moves them along. */
export class ObstacleView extends Group {
  readonly #meshes: readonly (Mesh | undefined)[];
  readonly #solid = new MeshStandardMaterial({ color: '#aab2bb', roughness: 0.75 });
  /** What keeps things in is seen through from outside: only its far side is drawn. */
  readonly #hollow = new MeshStandardMaterial({ color: '#aab2bb', roughness: 0.9, side: BackSide });

  /** Unseen; of a container only the walls away from the light throw a shadow: its inside is lit. */
  readonly #shade = new MeshBasicMaterial({ colorWrite: false, depthWrite: false, shadowSide: BackSide });

  constructor(obstacles: readonly ObstacleInfo[], size: number) {
    super();
    this.#meshes = obstacles.map(({ shape, level }) => {
      if (level) return undefined;
      const hollow = 'container' in shape && shape.container === true;
      const mesh = new Mesh(obstacleGeometry(shape, PLANE * size), hollow ? this.#hollow : this.#solid);
      mesh.receiveShadow = true;
      mesh.castShadow = !hollow;
      if (hollow) mesh.add(this.#shadeOf(mesh));
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

  #shadeOf({ geometry }: Mesh): Mesh {
    const shade = new Mesh(geometry, this.#shade);
    shade.scale.setScalar(SHADE);
    shade.castShadow = true;
    return shade;
  }

  override dispose(): void {
    for (const mesh of this.#meshes) mesh?.geometry.dispose();
    this.#solid.dispose();
    this.#hollow.dispose();
    this.#shade.dispose();
  }
}
