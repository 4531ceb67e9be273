/**
 * Rigid bodies as flat arrays. The state is position, orientation, velocity and angular momentum: momentum is what a free body
 * keeps, angular velocity follows from it. Obstacles are bodies of no inverse mass, moved by others. Both tracks of the step use
 * these arrays: `velocity` is what the rows of the present track push.
 */
import { multiplyMat3Vec3 } from '../../../math/mat3.js';
import { multiplyMat3, multiplyTransposeMat3 } from '../../../math/mat3-product.js';
import { normaliseQuat, quatToMat3 } from '../../../math/quat.js';
import { turnByVector } from './turn.js';

/** Numbers per body in `velocity`: linear [m/s], then angular [rad/s]. */
export const TWIST = 6;

/** What a rigid body is and where it starts. */
export interface RigidStart {
  /** Mass [kg]; 0: nothing moves it (an obstacle, or moved by others). */
  readonly mass: number;
  /** Inertia about the centre of mass in the body's frame, 9 numbers [kg m²]; not read where the mass is 0. */
  readonly inertia: ArrayLike<number>;
  readonly inverseInertia: ArrayLike<number>;
  /** Centre of mass [m] and orientation x, y, z, w. */
  readonly position: ArrayLike<number>;
  readonly rotation?: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
  readonly angularVelocity?: ArrayLike<number>;
}

/** Rigid bodies of a world. */
export class RigidBodies {
  readonly count: number;
  /** State: centre of mass [m], orientation, velocity [m/s], angular momentum [kg m²/s]. */
  readonly x: Float64Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly l: Float64Array;
  /** From the state: rotation matrices, inverse inertia in the world [1/(kg m²)]; 9 each. */
  readonly rotation: Float64Array;
  readonly inverseInertia: Float64Array;
  readonly inverseMass: Float64Array;
  readonly mass: Float64Array;
  /** Outside forces and torques about the centre of mass: 6 per body [N, N m]. */
  readonly outside: Float64Array;
  /** Velocities of the track that is being solved: 6 per body. */
  readonly velocity: Float64Array;
  /** In the body's frame, 9 each. */
  readonly inertia: Float64Array;
  readonly inverse: Float64Array;
  /** Does what `advance` does, where there are kernels. */
  advanceAll: ((h: number) => void) | undefined;
  readonly #scratch = new Float64Array(9);
  readonly #turn = new Float64Array(3);
  readonly #omega = new Float64Array(3);
  readonly #before: Float64Array;
  readonly #frozen: Uint8Array;

  constructor(starts: readonly RigidStart[]) {
    const n = starts.length;
    this.count = n;
    this.x = new Float64Array(n * 3);
    this.q = new Float64Array(n * 4);
    this.v = new Float64Array(n * 3);
    this.l = new Float64Array(n * 3);
    this.rotation = new Float64Array(n * 9);
    this.inverseInertia = new Float64Array(n * 9);
    this.inverseMass = new Float64Array(n);
    this.mass = new Float64Array(n);
    this.velocity = new Float64Array(n * TWIST);
    this.outside = new Float64Array(n * TWIST);
    this.#before = new Float64Array(n * TWIST);
    this.#frozen = new Uint8Array(n);
    this.inertia = new Float64Array(n * 9);
    this.inverse = new Float64Array(n * 9);
    starts.forEach((start, b) => {
      this.place(b, start);
    });
  }

  /** Puts body b where it starts. */
  place(b: number, start: RigidStart): void {
    this.mass[b] = start.mass;
    this.inverseMass[b] = start.mass > 0 ? 1 / start.mass : 0;
    for (let k = 0; k < 9; k++) {
      this.inertia[b * 9 + k] = start.mass > 0 ? start.inertia[k] : 0;
      this.inverse[b * 9 + k] = start.mass > 0 ? start.inverseInertia[k] : 0;
    }
    for (let k = 0; k < 3; k++) {
      this.x[b * 3 + k] = start.position[k];
      this.v[b * 3 + k] = start.velocity?.[k] ?? 0;
    }
    normaliseQuat(this.q, b * 4, start.rotation ?? [0, 0, 0, 1], 0);
    this.refresh(b);
    this.setSpin(b, start.angularVelocity ?? [0, 0, 0]);
  }

  /** Makes body b one that others move, or one that pushes move again; it keeps its velocity. */
  setDriven(b: number, driven: boolean): void {
    const omega = this.#omega;
    if (driven === (this.inverseMass[b] === 0) || this.mass[b] === 0) return;
    if (driven) {
      multiplyMat3Vec3(omega, 0, this.inverseInertia, b * 9, this.l, b * 3);
      this.inverseMass[b] = 0;
      this.inverseInertia.fill(0, b * 9, b * 9 + 9);
    } else {
      for (let k = 0; k < 3; k++) omega[k] = this.l[b * 3 + k];
      this.inverseMass[b] = 1 / this.mass[b];
      this.refresh(b);
    }
    this.setSpin(b, omega);
  }

  /** Makes body b, which does not move, one that no push moves for a while, or one that pushes move again. */
  setFrozen(b: number, frozen: boolean): void {
    if (frozen === (this.#frozen[b] === 1)) return;
    this.#frozen[b] = frozen ? 1 : 0;
    this.inverseMass[b] = frozen ? 0 : 1 / this.mass[b];
    if (frozen) this.inverseInertia.fill(0, b * 9, b * 9 + 9);
    else this.refresh(b);
  }

  /** Pushes move all bodies again that are frozen. */
  thaw(): void {
    for (let b = 0; b < this.count; b++) this.setFrozen(b, false);
  }

  /** Rotation matrix and inverse inertia of body b from its orientation. */
  refresh(b: number): void {
    const o = b * 9;
    quatToMat3(this.rotation, o, this.q, b * 4);
    if (this.inverseMass[b] === 0) return;
    multiplyMat3(this.#scratch, 0, this.rotation, o, this.inverse, o);
    multiplyTransposeMat3(this.inverseInertia, o, this.#scratch, 0, this.rotation, o);
  }

  /** out = angular velocity of body b [rad/s]. */
  spinOf(b: number, out: Float64Array): void {
    if (this.inverseMass[b] > 0) multiplyMat3Vec3(out, 0, this.inverseInertia, b * 9, this.l, b * 3);
    else for (let k = 0; k < 3; k++) out[k] = this.l[b * 3 + k];
  }

  /** Gives body b an angular velocity [rad/s]; obstacles keep theirs where others have their momentum. */
  setSpin(b: number, omega: ArrayLike<number>): void {
    if (this.inverseMass[b] === 0) {
      for (let k = 0; k < 3; k++) this.l[b * 3 + k] = omega[k];
      return;
    }
    multiplyMat3(this.#scratch, 0, this.rotation, b * 9, this.inertia, b * 9);
    const r = this.rotation;
    // L = R I Rᵀ ω
    for (let k = 0; k < 3; k++) {
      this.#turn[k] = r[b * 9 + k] * omega[0] + r[b * 9 + 3 + k] * omega[1] + r[b * 9 + 6 + k] * omega[2];
    }
    multiplyMat3Vec3(this.l, b * 3, this.#scratch, 0, this.#turn, 0);
  }

  /** Adds to the angular velocity of body b, which pushes move [rad/s]. */
  addSpin(b: number, omega: ArrayLike<number>): void {
    const { l } = this;
    const l0 = l[b * 3];
    const l1 = l[b * 3 + 1];
    const l2 = l[b * 3 + 2];
    this.setSpin(b, omega);
    l[b * 3] += l0;
    l[b * 3 + 1] += l1;
    l[b * 3 + 2] += l2;
  }

  /** out[o..] += the moments of inertia of body b about the point at[c..] [kg m²]. Written out: the products of matrices for any kind of array took three times as long. */
  addInertia(b: number, at: Float64Array, c: number, out: Float64Array, o: number): void {
    const { rotation: r, inertia: w } = this;
    const m = this.mass[b];
    const d = this.#turn;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      d[k] = this.x[b * 3 + k] - at[c + k];
      square += d[k] * d[k];
    }
    const n = b * 9;
    for (let i = 0; i < 3; i++) {
      const a0 = r[n + i * 3];
      const a1 = r[n + i * 3 + 1];
      const a2 = r[n + i * 3 + 2];
      // a row of R I, and then of R I Rᵀ
      const s0 = a0 * w[n] + a1 * w[n + 3] + a2 * w[n + 6];
      const s1 = a0 * w[n + 1] + a1 * w[n + 4] + a2 * w[n + 7];
      const s2 = a0 * w[n + 2] + a1 * w[n + 5] + a2 * w[n + 8];
      for (let j = 0; j < 3; j++) {
        const own = s0 * r[n + j * 3] + s1 * r[n + j * 3 + 1] + s2 * r[n + j * 3 + 2];
        out[o + i * 3 + j] += own + m * ((i === j ? square : 0) - d[i] * d[j]);
      }
    }
  }

  /** velocity = what gravity and outside forces make of it in h, and the angular velocity that goes with the momentum. */
  predict(gravity: ArrayLike<number>, h: number): void {
    const { velocity, v, l, outside } = this;
    const momentum = this.#turn;
    for (let b = 0; b < this.count; b++) {
      const o = b * TWIST;
      const m = this.inverseMass[b];
      const fall = m > 0 ? h : 0;
      for (let k = 0; k < 3; k++) {
        velocity[o + k] = v[b * 3 + k] + fall * (gravity[k] + m * outside[o + k]);
        momentum[k] = l[b * 3 + k] + fall * outside[o + 3 + k];
      }
      if (m > 0) multiplyMat3Vec3(velocity, o + 3, this.inverseInertia, b * 9, momentum, 0);
      else for (let k = 0; k < 3; k++) velocity[o + 3 + k] = l[b * 3 + k];
    }
  }

  /**
   * Moves every body that can be moved by its velocity for a time h: second order also in the rotation, because the angular velocity
   * of a free body changes as it turns [Shinar2008 §4.1]: turn by h ω + h²/2 I⁻¹ (L × ω), L = I ω.
   */
  advance(h: number): void {
    if (this.advanceAll) this.advanceAll(h);
    else for (let b = 0; b < this.count; b++) if (this.inverseMass[b] > 0) this.#advanceBody(b, h);
  }

  #advanceBody(b: number, h: number): void {
    const { velocity, x, rotation } = this;
    const o = b * TWIST;
    for (let k = 0; k < 3; k++) x[b * 3 + k] += h * velocity[o + k];
    const w0 = velocity[o + 3];
    const w1 = velocity[o + 4];
    const w2 = velocity[o + 5];
    if (w0 === 0 && w1 === 0 && w2 === 0) return;
    // L = R I Rᵀ ω
    const turn = this.#turn;
    const r = b * 9;
    for (let k = 0; k < 3; k++) turn[k] = rotation[r + k] * w0 + rotation[r + 3 + k] * w1 + rotation[r + 6 + k] * w2;
    multiplyMat3Vec3(turn, 0, this.inertia, r, turn, 0);
    multiplyMat3Vec3(turn, 0, rotation, r, turn, 0);
    const c0 = turn[1] * w2 - turn[2] * w1;
    const c1 = turn[2] * w0 - turn[0] * w2;
    const c2 = turn[0] * w1 - turn[1] * w0;
    const half = 0.5 * h * h;
    const i = this.inverseInertia;
    turn[0] = h * w0 + half * (i[r] * c0 + i[r + 1] * c1 + i[r + 2] * c2);
    turn[1] = h * w1 + half * (i[r + 3] * c0 + i[r + 4] * c1 + i[r + 5] * c2);
    turn[2] = h * w2 + half * (i[r + 6] * c0 + i[r + 7] * c1 + i[r + 8] * c2);
    turnByVector(this.q, b * 4, turn, 0);
    this.refresh(b);
  }

  /** Obstacles go where their velocities take them. */
  follow(h: number): void {
    const { x, v, l } = this;
    for (let b = 0; b < this.count; b++) {
      if (this.inverseMass[b] > 0) continue;
      for (let k = 0; k < 3; k++) {
        x[b * 3 + k] += h * v[b * 3 + k];
        this.#turn[k] = h * l[b * 3 + k];
      }
      if (this.#turn[0] === 0 && this.#turn[1] === 0 && this.#turn[2] === 0) continue;
      turnByVector(this.q, b * 4, this.#turn, 0);
      this.refresh(b);
    }
  }

  /** Takes the velocities over as they are: after pushes on the state itself. */
  commitBounce(): void {
    this.#before.set(this.velocity);
    for (let b = 0; b < this.count; b++) {
      if (this.inverseMass[b] > 0)
        multiplyMat3Vec3(this.#before, b * TWIST + 3, this.inverseInertia, b * 9, this.l, b * 3);
    }
    this.commit(this.#before, 0);
  }

  /**
   * Turns what the rows added to the predicted velocities into momentum. Angular momentum grows by I Δω, so what no row touches keeps
   * it to the last bit. `h`: time the outside torques acted [s].
   */
  commit(predicted: Float64Array, h: number): void {
    const { velocity, v, l, rotation, outside } = this;
    const scratch = this.#scratch;
    for (let b = 0; b < this.count; b++) {
      if (this.inverseMass[b] === 0) continue;
      const o = b * TWIST;
      for (let k = 0; k < 3; k++) {
        v[b * 3 + k] = velocity[o + k];
        l[b * 3 + k] += h * outside[o + 3 + k];
      }
      const d0 = velocity[o + 3] - predicted[o + 3];
      const d1 = velocity[o + 4] - predicted[o + 4];
      const d2 = velocity[o + 5] - predicted[o + 5];
      if (d0 === 0 && d1 === 0 && d2 === 0) continue;
      const r = b * 9;
      for (let k = 0; k < 3; k++) {
        scratch[k] = rotation[r + k] * d0 + rotation[r + 3 + k] * d1 + rotation[r + 6 + k] * d2;
      }
      multiplyMat3Vec3(scratch, 0, this.inertia, r, scratch, 0);
      multiplyMat3Vec3(scratch, 0, rotation, r, scratch, 0);
      for (let k = 0; k < 3; k++) l[b * 3 + k] += scratch[k];
    }
  }
}
