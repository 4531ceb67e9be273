/** Where the motors of one body lead: a pale copy of every bone that is led, at the pose its motor wants. */
import { type BufferGeometry, Group, Mesh, MeshStandardMaterial } from 'three';

const COLOUR = '#4aa3d8';

/** Draws ghosts of bones. */
export class GhostView extends Group {
  readonly #material = new MeshStandardMaterial({
    color: COLOUR,
    roughness: 0.6,
    transparent: true,
    opacity: 0.4,
    depthWrite: false,
  });

  /** `led`: the bone of each pair; `shapes`: geometry of every bone, which belongs to somebody else. */
  constructor(led: Int32Array, shapes: readonly BufferGeometry[]) {
    super();
    for (const bone of led) {
      const ghost = new Mesh(shapes[bone], this.#material);
      ghost.frustumCulled = false;
      ghost.renderOrder = 2;
      this.add(ghost);
    }
  }

  /** How many are shown. */
  get seen(): number {
    return this.children.filter(({ visible }) => visible).length;
  }

  /** Puts them where motors lead: 7 numbers per pair from `at` on, all zero where none does. */
  update(numbers: Float32Array, at: number): void {
    this.children.forEach((ghost, i) => {
      const o = at + i * 7;
      ghost.visible = numbers[o] !== 0 || numbers[o + 1] !== 0 || numbers[o + 2] !== 0 || numbers[o + 3] !== 0;
      ghost.quaternion.fromArray(numbers, o);
      ghost.position.fromArray(numbers, o + 4);
    });
  }

  override dispose(): void {
    this.#material.dispose();
  }
}
