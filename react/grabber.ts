/** Pulls at a soft body in the plane through the point that was taken hold of, facing the viewer. */
import { Plane, type Ray, Vector3 } from 'three';
import type { SoftBody, SoftGrip } from '../three/index.js';

/** One pull at a time. */
export class Grabber {
  readonly #body: SoftBody;
  readonly #plane = new Plane();
  readonly #target = new Vector3();
  #grip: SoftGrip | undefined;

  constructor(body: SoftBody) {
    this.#body = body;
  }

  /** Takes hold at a point; `direction`: where the viewer looks. */
  begin(point: Vector3, direction: Vector3): void {
    this.release();
    this.#plane.setFromNormalAndCoplanarPoint(direction, point);
    this.#grip = this.#body.grab(point);
  }

  /** Pulls to where a ray meets the plane. */
  move(ray: Ray): void {
    if (this.#grip && ray.intersectPlane(this.#plane, this.#target)) this.#grip.moveTo(this.#target);
  }

  /** Lets go. */
  release(): void {
    this.#grip?.release();
    this.#grip = undefined;
  }
}
