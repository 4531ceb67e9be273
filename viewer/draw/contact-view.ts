/** Contacts as arrows: where bodies are touched and with how much force. */
import {
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from 'three';

/** Most arrows that are drawn. */
const CAPACITY = 768;
/** Length of the longest arrow, and its thickness, in sizes of the scene. */
const LENGTH = 0.2;
const THICKNESS = 0.003;
const UP = new Vector3(0, 1, 0);

/** Draws the contacts of a frame. */
export class ContactView extends Group {
  readonly #material = new MeshBasicMaterial({ color: '#1f9e89', depthTest: false, transparent: true });
  readonly #shafts: InstancedMesh;
  readonly #heads: InstancedMesh;
  readonly #size: number;
  /** Force of the longest arrow, slowly following the largest one, so that arrows do not flicker [N]. */
  #scale = 0;
  readonly #matrix = new Matrix4();
  readonly #place = new Vector3();
  readonly #force = new Vector3();
  readonly #turn = new Quaternion();
  readonly #stretch = new Vector3();

  constructor(size: number) {
    super();
    this.#size = size;
    const shaft = new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
    const head = new CylinderGeometry(0, 2.6, 1, 12).translate(0, 0.5, 0);
    this.#shafts = new InstancedMesh(shaft, this.#material, CAPACITY);
    this.#heads = new InstancedMesh(head, this.#material, CAPACITY);
    for (const mesh of [this.#shafts, this.#heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 3;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.count = 0;
      this.add(mesh);
    }
  }

  /** Place and force, 6 numbers each; undefined for none. */
  update(contacts: Float32Array | undefined): void {
    const count = Math.min(CAPACITY, (contacts?.length ?? 0) / 6);
    let largest = 0;
    for (let i = 0; i < count; i++) largest = Math.max(largest, this.#read(contacts!, i));
    this.#scale = largest > this.#scale ? largest : this.#scale + 0.05 * (largest - this.#scale);
    const thick = THICKNESS * this.#size;
    for (let i = 0; i < count; i++) {
      const length = LENGTH * this.#size * Math.sqrt(this.#read(contacts!, i) / (this.#scale || 1));
      const tip = Math.min(0.5 * length, 7 * thick);
      this.#turn.setFromUnitVectors(UP, this.#force.normalize());
      this.#matrix.compose(this.#place, this.#turn, this.#stretch.set(thick, length - tip, thick));
      this.#shafts.setMatrixAt(i, this.#matrix);
      this.#place.addScaledVector(this.#force, length - tip);
      this.#matrix.compose(this.#place, this.#turn, this.#stretch.set(thick, tip, thick));
      this.#heads.setMatrixAt(i, this.#matrix);
    }
    for (const mesh of [this.#shafts, this.#heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  override dispose(): void {
    for (const mesh of [this.#shafts, this.#heads]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.#material.dispose();
  }

  /** Reads contact i and returns its force [N]. */
  #read(contacts: Float32Array, i: number): number {
    this.#place.fromArray(contacts, i * 6);
    this.#force.fromArray(contacts, i * 6 + 3);
    return this.#force.length();
  }
}
