/** Rigid bodies of one model, all drawn at once: one instanced mesh per part, placed by the poses of a picture. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { type BodyLayout, POSE } from '../../host/frames/frame-layout.js';
import type { BodyInfo } from '../worker/scene-info.js';
import { toneOf } from './skin-material.js';

const ONE = new Vector3(1, 1, 1);

/** Draws the bodies of these numbers, which share their parts. */
export class PartsView extends Group {
  readonly #indices: readonly number[];
  readonly #parts: readonly InstancedMesh[];
  readonly #material = new MeshStandardMaterial({ roughness: 0.55 });
  readonly #matrix = new Matrix4();
  readonly #turn = new Quaternion();
  readonly #place = new Vector3();

  constructor(bodies: readonly BodyInfo[], indices: readonly number[]) {
    super();
    this.#indices = indices;
    this.#parts = bodies[indices[0]].bones.map(({ positions, triangles }) => {
      const shape = new BufferGeometry();
      shape.setAttribute('position', new BufferAttribute(positions, 3));
      shape.setIndex(new BufferAttribute(triangles, 1));
      shape.computeVertexNormals();
      const mesh = new InstancedMesh(shape, this.#material, indices.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      indices.forEach((body, i) => {
        mesh.setColorAt(i, toneOf(body));
      });
      return mesh;
    });
    this.add(...this.#parts);
  }

  /** Shows a picture. */
  update(numbers: Float32Array, layouts: readonly BodyLayout[]): void {
    this.#parts.forEach((mesh, part) => {
      this.#indices.forEach((body, i) => {
        const at = layouts[body].poses + part * POSE;
        this.#turn.fromArray(numbers, at);
        this.#place.fromArray(numbers, at + 4);
        mesh.setMatrixAt(i, this.#matrix.compose(this.#place, this.#turn, ONE));
      });
      mesh.instanceMatrix.needsUpdate = true;
    });
  }

  override dispose(): void {
    for (const mesh of this.#parts) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.#material.dispose();
  }
}

/** Bodies that are drawn by their parts, those with the same parts together. */
export function groupByParts(bodies: readonly BodyInfo[]): number[][] {
  const groups = new Map<unknown, number[]>();
  bodies.forEach(({ isInParts, bones, lane }, i) => {
    if (!isInParts) return;
    const key = bones[0]?.positions ?? lane;
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  return [...groups.values()];
}
