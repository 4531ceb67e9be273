/**
 * Follows the angular momentum of everything that can move, about the origin, through a step: what gravity and outside forces add between two
 * places (as much from where things were as from where they come to), what comes from things nothing moves, and what is left
 * unexplained. Rows push at one point, so the velocity track leaves nothing; the position track shifts bodies beside their velocities, and that is
 * what shows: of first order in the substep where things touch.
 */
import type { CoupledOptions } from './options.js';
import { type RigidBodies, TWIST } from './rigid/rigid-bodies.js';
import type { SoftBodies } from './soft/soft-bodies.js';
import { SoftSpin } from './soft/soft-spin.js';

/** The balance of one step. */
export class AngularBalance {
  /** Angular momentum that is explained [kg m²/s]. */
  readonly explained = new Float64Array(3);
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #softSpin: SoftSpin;
  readonly #before = new Float64Array(3);
  readonly #after = new Float64Array(3);

  constructor(rigid: RigidBodies, soft: SoftBodies) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#softSpin = new SoftSpin(soft);
  }

  begin(): void {
    this.explained.fill(0);
    this.#measure(this.#before);
  }

  /** What nothing explains since `begin` [kg m²/s]; 0 where something is pinned: the force there is not known. */
  end(): number {
    if (this.#soft.pinned.includes(1)) return 0;
    this.#measure(this.#after);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const left = this.#after[k] - this.#before[k] - this.explained[k];
      square += left * left;
    }
    return Math.sqrt(square);
  }

  /** Gravity and outside forces acting for a time [s] where things are now. */
  addForces(gravity: ArrayLike<number>, time: number): void {
    const { x, mass, inverseMass, outside, count } = this.#rigid;
    const soft = this.#soft;
    const g0 = gravity[0];
    const g1 = gravity[1];
    const g2 = gravity[2];
    for (let b = 0; b < count; b++) {
      if (inverseMass[b] === 0) continue;
      const o = b * TWIST;
      const m = mass[b];
      this.addMoment(
        x,
        b * 3,
        time * (m * g0 + outside[o]),
        time * (m * g1 + outside[o + 1]),
        time * (m * g2 + outside[o + 2]),
      );
      for (let k = 0; k < 3; k++) this.explained[k] += time * outside[o + 3 + k];
    }
    const out = soft.outside;
    for (let s = 0; s < soft.count; s++) {
      if (soft.asleep[s] === 1) continue;
      for (let i = soft.firstVertex[s]; i < soft.firstVertex[s + 1]; i++) {
        const o = i * 3;
        const m = soft.mass[i];
        this.addMoment(soft.x, o, time * (m * g0 + out[o]), time * (m * g1 + out[o + 1]), time * (m * g2 + out[o + 2]));
      }
    }
  }

  /** Spins of bodies die away at a rate [1/s], as in air, for a time h [s]; what that takes is explained. */
  dampSpins(rate: number, h: number): void {
    if (rate === 0) return;
    const { l, inverseMass, count } = this.#rigid;
    const kept = 1 / (1 + h * rate);
    for (let b = 0; b < count; b++) {
      if (inverseMass[b] === 0) continue;
      for (let k = 0; k < 3; k++) {
        this.explained[k] += (kept - 1) * l[b * 3 + k];
        l[b * 3 + k] *= kept;
      }
    }
    this.#softSpin.damp(kept, this.explained);
  }

  /** Spins of bodies, and what flesh and sheets do beside moving as a whole, die away at their rates [1/s] for a time h [s]; of the second nothing has to be explained. */
  damp({ spinDamping, damping }: Pick<CoupledOptions, 'spinDamping' | 'damping'>, h: number): void {
    this.dampSpins(spinDamping, h);
    if (damping > 0) this.#softSpin.dampWithin(1 / (1 + h * damping));
  }

  /** explained += the moment of an impulse at the point x[o..]. */
  addMoment(x: Float64Array, o: number, p0: number, p1: number, p2: number): void {
    this.explained[0] += x[o + 1] * p2 - x[o + 2] * p1;
    this.explained[1] += x[o + 2] * p0 - x[o] * p2;
    this.explained[2] += x[o] * p1 - x[o + 1] * p0;
  }

  #measure(out: Float64Array): void {
    const { x, v, l, mass, inverseMass, count } = this.#rigid;
    const soft = this.#soft;
    out.fill(0);
    for (let b = 0; b < count; b++) {
      if (inverseMass[b] === 0) continue;
      addCross(out, x, v, b * 3, mass[b]);
      for (let k = 0; k < 3; k++) out[k] += l[b * 3 + k];
    }
    for (let i = 0; i < soft.vertexCount; i++) addCross(out, soft.x, soft.v, i * 3, soft.mass[i]);
  }
}

/** out += m x × v. */
function addCross(out: Float64Array, x: Float64Array, v: Float64Array, o: number, m: number): void {
  out[0] += m * (x[o + 1] * v[o + 2] - x[o + 2] * v[o + 1]);
  out[1] += m * (x[o + 2] * v[o] - x[o] * v[o + 2]);
  out[2] += m * (x[o] * v[o + 1] - x[o + 1] * v[o]);
}
