/** Pins as small balls, as large on the screen wherever they are. */
import { type Camera, Group, Mesh, MeshBasicMaterial, SphereGeometry } from 'three';

/** Draws what a frame says about pins. */
export class PinView extends Group {
  readonly #ball = new SphereGeometry(1, 16, 12);
  readonly #material = new MeshBasicMaterial({ color: '#3b6fd4', depthTest: false, transparent: true, opacity: 0.95 });

  /** x,y,z per pin. */
  update(pins: Float32Array, camera: Camera): void {
    while (this.children.length * 3 > pins.length) this.remove(this.children[this.children.length - 1]);
    while (this.children.length * 3 < pins.length) {
      const ball = new Mesh(this.#ball, this.#material);
      ball.renderOrder = 9;
      this.add(ball);
    }
    this.children.forEach((ball, i) => {
      ball.position.fromArray(pins, i * 3);
      ball.scale.setScalar(0.007 * camera.position.distanceTo(ball.position));
    });
  }
}
