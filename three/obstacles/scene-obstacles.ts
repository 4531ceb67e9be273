/** The obstacles a scene came with, as meshes that go where the simulation has them. */
import { BackSide, Group, Mesh, MeshStandardMaterial } from 'three';
import { POSE } from '../../host/frames/frame-layout.js';
import { isFlesh } from '../../src/body/kinds/any-body-def.js';
import { largestExtent } from '../../src/mesh/tets/tet-mesh.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import { obstacleGeometry } from './obstacle-geometry.js';

/** A plane has no end; so many sizes of the first body are drawn of it. */
const PLANE = 12;

/** Draws obstacles; `update` is called with every picture. */
export class SceneObstacles extends Group {
  readonly meshes: readonly Mesh[];
  readonly #solid = new MeshStandardMaterial({ color: '#aab2bb', roughness: 0.8 });
  /** What keeps things in is seen into: only its far side is drawn. */
  readonly #hollow = new MeshStandardMaterial({ color: '#aab2bb', roughness: 0.9, side: BackSide });

  constructor({ bodies, obstacles = [] }: AnySceneDef) {
    super();
    this.name = 'obstacles';
    const flesh = bodies.map(({ body }) => body).find(isFlesh);
    const plane = PLANE * (flesh ? largestExtent(flesh.positions) : 1);
    this.meshes = obstacles.map(({ name, shape }) => {
      const hollow = 'container' in shape && shape.container === true;
      const mesh = new Mesh(obstacleGeometry(shape, plane), hollow ? this.#hollow : this.#solid);
      mesh.name = name;
      mesh.receiveShadow = true;
      mesh.castShadow = !hollow && shape.kind !== 'plane';
      return mesh;
    });
    // three complains of adding nothing
    if (this.meshes.length > 0) this.add(...this.meshes);
  }

  /** Poses start at `at` in a picture's numbers. */
  update(numbers: Float32Array, at: number): void {
    this.meshes.forEach((mesh, i) => {
      mesh.quaternion.fromArray(numbers, at + i * POSE);
      mesh.position.fromArray(numbers, at + i * POSE + 4);
    });
  }

  override dispose(): void {
    for (const { geometry } of this.meshes) geometry.dispose();
    this.#solid.dispose();
    this.#hollow.dispose();
  }
}
