/** A rigid body of one part in the step at hand: where its shape is at any time within the step, as its velocity leads it. */
import { fitSpin } from '../surface/fit-spin.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { RigidFrames } from './rigid-frames.js';
import { MASS_POINTS, type SolidShape } from './solid-shape.js';

/** One body in the step at hand. */
export class SolidBody {
  readonly shape: SolidShape;
  readonly #motion: SurfaceMotion;
  readonly velocity = new Float64Array(3);
  readonly spin = new Float64Array(3);
  /** Length of `spin` [rad/s]. */
  spinSpeed = 0;
  readonly #points = new Float64Array(MASS_POINTS * 3);
  readonly #centre = new Float64Array(3);
  readonly #rotation = new Float64Array(9);
  readonly #place = new Float64Array(3);

  constructor(motion: SurfaceMotion, shape: SolidShape) {
    this.#motion = motion;
    this.shape = shape;
  }

  /** Reads how fast the body moves and turns. */
  update(): void {
    const { positions, velocities } = this.#motion;
    const { velocity, spin } = this;
    const { masses } = this.shape;
    velocity.fill(0);
    for (let n = 0; n < MASS_POINTS; n++) {
      for (let k = 0; k < 3; k++) {
        this.#points[n * 3 + k] = positions[masses[n] * 3 + k];
        velocity[k] += velocities[masses[n] * 3 + k] / MASS_POINTS;
      }
    }
    fitSpin(this.#points, masses, velocities, velocity, this.#centre, spin);
    this.spinSpeed = Math.sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
  }

  /** Places the shape's frame, number `n` of the frames, where it is after a time [s]. */
  place(time: number, frames: RigidFrames, n: number): void {
    const { poses } = this.#motion;
    const { shift, turn } = this.shape;
    const r = this.#rotation;
    this.#turnFor(time);
    for (let k = 0; k < 3; k++) {
      const o = k * 3;
      this.#centre[k] = poses.translations[k] + time * this.velocity[k];
      frames.x[n * 3 + k] = this.#centre[k] + r[o] * shift[0] + r[o + 1] * shift[1] + r[o + 2] * shift[2];
      for (let m = 0; m < 3; m++) {
        frames.rotation[n * 9 + o + m] = r[o] * turn[m] + r[o + 1] * turn[3 + m] + r[o + 2] * turn[6 + m];
      }
    }
  }

  /** Weights of the carriers for the place p of the world, with the body where it was placed last. */
  weigh(p: Float64Array, out: Float64Array): void {
    const r = this.#rotation;
    const x = p[0] - this.#centre[0];
    const y = p[1] - this.#centre[1];
    const z = p[2] - this.#centre[2];
    for (let k = 0; k < 3; k++) this.#place[k] = r[k] * x + r[3 + k] * y + r[6 + k] * z;
    this.shape.weigh(this.#place, out);
  }

  /** Velocity along `normal` of the place p, with the body where it was placed last [m/s]. */
  speedAlong(normal: Float64Array, p: Float64Array): number {
    const { velocity: v, spin: w } = this;
    const x = p[0] - this.#centre[0];
    const y = p[1] - this.#centre[1];
    const z = p[2] - this.#centre[2];
    const alongX = normal[0] * (v[0] + w[1] * z - w[2] * y);
    const alongY = normal[1] * (v[1] + w[2] * x - w[0] * z);
    return alongX + alongY + normal[2] * (v[2] + w[0] * y - w[1] * x);
  }

  /** rotation = cayley(spin · time) R. */
  #turnFor(time: number): void {
    const { rotations } = this.#motion.poses;
    const r = this.#rotation;
    for (let i = 0; i < 9; i++) r[i] = rotations[i];
    if (time === 0) return;
    const a = 0.5 * time * this.spin[0];
    const b = 0.5 * time * this.spin[1];
    const c = 0.5 * time * this.spin[2];
    const scale = 2 / (1 + a * a + b * b + c * c);
    for (let m = 0; m < 3; m++) {
      const x = rotations[m];
      const y = rotations[3 + m];
      const z = rotations[6 + m];
      // x + 2 (t × x + t × (t × x)) / (1 + |t|²)
      const u = b * z - c * y;
      const v = c * x - a * z;
      const w = a * y - b * x;
      r[m] = x + scale * (u + b * w - c * v);
      r[3 + m] = y + scale * (v + c * u - a * w);
      r[6 + m] = z + scale * (w + a * v - b * u);
    }
  }
}
