/** A pull or a push as a line with two ends, as thick on the screen wherever it is. */
import { type Camera, CylinderGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';

const UP = new Vector3(0, 1, 0);

/** The line; hidden until it is shown. */
export class PullLine extends Group {
  readonly #ends: readonly [Mesh, Mesh];
  readonly #line: Mesh;
  readonly #along = new Vector3();

  constructor() {
    super();
    const material = new MeshBasicMaterial({ color: '#ffd23f', depthTest: false, transparent: true, opacity: 0.95 });
    const ball = new SphereGeometry(1, 20, 14);
    this.#ends = [new Mesh(ball, material), new Mesh(ball, material)];
    this.#line = new Mesh(new CylinderGeometry(0.35, 0.35, 1, 10), material);
    for (const part of [...this.#ends, this.#line]) part.renderOrder = 10;
    this.add(...this.#ends, this.#line);
    this.visible = false;
  }

  show(from: Vector3, to: Vector3, camera: Camera): void {
    this.visible = true;
    const size = 0.006 * camera.position.distanceTo(from);
    this.#ends[0].position.copy(from);
    this.#ends[1].position.copy(to);
    this.#ends[0].scale.setScalar(size);
    this.#ends[1].scale.setScalar(0.7 * size);
    this.#along.copy(to).sub(from);
    this.#line.position.copy(from).addScaledVector(this.#along, 0.5);
    this.#line.scale.set(size, Math.max(1e-6, this.#along.length()), size);
    this.#line.quaternion.setFromUnitVectors(UP, this.#along.normalize());
  }
}
