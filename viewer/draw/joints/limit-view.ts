/** Limits of one body's joints, drawn as lines over everything: cones and arcs that go with the bone they are seen from. */
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments } from 'three';
import type { LimitLines } from '../../../host/frames/limit-lines.js';

const COLOUR = 0xd9822b;

/** Draws limits. */
export class LimitView extends Group {
  readonly #bones: readonly number[];
  readonly #material = new LineBasicMaterial({ color: COLOUR, depthTest: false, transparent: true, opacity: 0.75 });

  constructor(limits: readonly LimitLines[]) {
    super();
    this.#bones = limits.map(({ bone }) => bone);
    for (const { lines } of limits) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(lines, 3));
      const drawn = new LineSegments(geometry, this.#material);
      drawn.frustumCulled = false;
      drawn.renderOrder = 3;
      this.add(drawn);
    }
  }

  /** Puts them where their bones are: quaternion and place, 7 numbers per bone from `at` on. */
  update(numbers: Float32Array, at: number): void {
    this.children.forEach((drawn, i) => {
      drawn.quaternion.fromArray(numbers, at + this.#bones[i] * 7);
      drawn.position.fromArray(numbers, at + this.#bones[i] * 7 + 4);
    });
  }

  override dispose(): void {
    for (const drawn of this.children) (drawn as LineSegments).geometry.dispose();
    this.#material.dispose();
  }
}
