/**
 * The projection onto constraints [Shinar2008 §7.3], δ − M⁻¹C (Cᵀ M⁻¹ C)⁻¹ Cᵀ, M the mass matrix: velocities of joints, of bindings and of contacts along their normals come to nothing, and both momenta stay. Constraints one after
 * the other, forwards and backwards, so that it is symmetric in the metric of masses however far it got; as far as `enough` of the largest velocity that was there.
 */
import { blockVelocity } from '../rigid/joint-algebra.js';
import { HOLD } from '../rigid/joint-blocks.js';
import type { BareRows, Velocities } from './bare-rows.js';
import type { Particles } from './particles.js';

/** The projection. */
export class Projection {
  /** Sweeps there and back of the last call. */
  rounds = 0;
  readonly #bare: BareRows;
  readonly #particles: Particles;
  readonly #enough: number;
  readonly #most: number;
  readonly #block: Int32Array;
  #blockCount = 0;
  readonly #u = new Float64Array(3);
  readonly #p = new Float64Array(3);

  constructor(bare: BareRows, particles: Particles, enough: number, most: number) {
    this.#bare = bare;
    this.#particles = particles;
    this.#enough = enough;
    this.#most = most;
    this.#block = new Int32Array(bare.system.joints.count);
  }

  /** Lists what holds: joints, which are ready, and the contacts marked, which are measured. */
  list(holds: Uint8Array): void {
    const { joints, rigid } = this.#bare.system;
    this.#blockCount = 0;
    for (let i = 0; i < joints.count; i++) {
      const moves = rigid.inverseMass[joints.a[i]] > 0 || rigid.inverseMass[joints.b[i]] > 0;
      if (joints.role[i] === HOLD && joints.active[i] === 1 && moves) this.#block[this.#blockCount++] = i;
    }
    this.#particles.list(holds);
  }

  /** Takes out of velocities what constraints do not let be. */
  project(velocities: Velocities): void {
    const { found } = this.#particles;
    let first = 0;
    for (this.rounds = 0; this.rounds < this.#most; this.rounds++) {
      found[0] = 0;
      for (let n = 0; n < this.#blockCount; n++) this.#stop(this.#block[n], velocities);
      this.#particles.sweep(velocities, 1);
      first = Math.max(first, found[0]);
      found[0] = 0;
      this.#particles.sweep(velocities, -1);
      for (let n = this.#blockCount - 1; n >= 0; n--) this.#stop(this.#block[n], velocities);
      if (found[0] <= this.#enough * first) return;
    }
  }

  /** Brings what joint block i holds to rest. */
  #stop(i: number, { twist }: Velocities): void {
    const { joints } = this.#bare.system;
    const { found } = this.#particles;
    const u = this.#u;
    blockVelocity(joints, twist, i, u);
    for (let k = 0; k < 3; k++) {
      const row = i * 9 + k * 3;
      const { inverse, projector } = joints;
      this.#p[k] = -(inverse[row] * u[0] + inverse[row + 1] * u[1] + inverse[row + 2] * u[2]);
      const left = projector[row] * u[0] + projector[row + 1] * u[1] + projector[row + 2] * u[2];
      found[0] = Math.max(found[0], Math.abs(left));
    }
    this.#bare.system.pushBlock(i, this.#p, twist);
  }
}
