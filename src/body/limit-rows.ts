/**
 * Values of the joint limits at given poses, and how they change when bones turn. A row's value v is how far the joint may still go [rad], negative
 * beyond the limit; a turn Δ of the second bone against the first (world axes) adds g·Δ to it. All by products and roots. With p_i, c_i the
 * joint's directions in the first and the second bone and M_ij = p_i·c_j:
 *
 *     angle about the axis     sine (M21 − M12)/(1 + M00), cosine (M11 + M22)/(1 + M00)      hinge, and the twist of a ball
 *     universal                sine M21, cosine M11 about the first; sine M02, cosine M00 about the second axis
 *     lean                     p = (−u_z, u_y)/√(2(1 + u_x)), u = (M00, M10, M20): the sines of half the lean about second and third direction
 *     cone                     f = |(p₁/sin ½α₁, p₂/sin ½α₂)| ≤ 1,   v = (1 − f)/|u × ∇f|
 *
 * Ranges are measured by 2 tan of half the way left: the vector by which bones are turned, so that a lone hinge lands on its limit in one step.
 */
import { dotVec3 } from '../math/vec3.js';
import type { BonePoses } from './bone-poses.js';
import { LIMIT_STRIDE } from './joint-limits.js';
import { JOINT_TYPES } from './joint-table.js';
import type { Joints } from './joints.js';

/** Beyond a lean whose 1 + cosine is this (175 degrees) twist means nothing. */
const FOLDED = 0.004;
/** Furthest a value goes either way [rad]: a step this long is no linear one. */
const FAR = 8;
/** Below this share of its cone a lean has no direction worth following. */
const CENTRE = 1e-3;

const [RANGE, SECOND_RANGE, TWIST, CONE] = [0, 1, 2, 3];

const UNIVERSAL = JOINT_TYPES.indexOf('universal');

/** Values and slopes of all limit rows of a body; owns the scratch for it. */
export class LimitRows {
  /** v of each row [rad]. */
  readonly value: Float64Array;
  /** g of each row, 3 per row, in world axes. */
  readonly slope: Float64Array;
  /**
   * Cones bend: sliding along one by a turn ε about the direction at `slide` (3 per row, world axes) changes v by −½ bend ε². 0 for others.
   */
  readonly bend: Float64Array;
  readonly slide: Float64Array;
  readonly #joints: Joints;
  readonly #world: number;
  /** Directions of the first and second bone in world axes, and M. */
  readonly #p = new Float64Array(9);
  readonly #c = new Float64Array(9);
  readonly #m = new Float64Array(9);
  readonly #u = new Float64Array(3);
  readonly #gradient = new Float64Array(3);
  readonly #turn = new Float64Array(3);
  readonly #along = new Float64Array(3);

  /** `world`: the number that stands for the world among the bones. */
  constructor(joints: Joints, world: number) {
    const { count } = joints.limits;
    this.#joints = joints;
    this.#world = world;
    this.value = new Float64Array(count);
    this.slope = new Float64Array(count * 3);
    this.bend = new Float64Array(count);
    this.slide = new Float64Array(count * 3);
  }

  /** Fills everything for these poses; `bend` and `slide` too. */
  measure(poses: BonePoses): void {
    const { limits, boneA, boneB, frame } = this.#joints;
    let known = -1;
    for (let row = 0; row < limits.count; row++) {
      const pair = limits.pair[row];
      if (pair !== known) {
        const pinned = boneB[pair] === this.#world;
        directions(this.#p, poses.rotations, (pinned ? boneB[pair] : boneA[pair]) * 9, limits.frame, pair * 9);
        directions(this.#c, poses.rotations, (pinned ? boneA[pair] : boneB[pair]) * 9, frame, pair * 9);
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++) this.#m[i * 3 + j] = dotVec3(this.#p, i * 3, this.#c, j * 3);
        known = pair;
      }
      this.#measureRow(row);
    }
  }

  #measureRow(row: number): void {
    const { kind } = this.#joints.limits;
    const m = this.#m;
    this.bend[row] = 0;
    if (kind[row] === RANGE || kind[row] === TWIST) this.#measureTwist(row);
    else if (kind[row] === SECOND_RANGE) this.#range(row, m[2], m[0], this.#c, 3, 1);
    else {
      for (let k = 0; k < 3; k++) this.#u[k] = m[k * 3];
      if (kind[row] === CONE) this.#measureCone(row);
      else this.#measureLean(row);
    }
  }

  /** Angle about the axis: of a hinge, a universal joint (whose second axis leans along) or a ball. */
  #measureTwist(row: number): void {
    const { types, limits } = this.#joints;
    const m = this.#m;
    if (types[limits.pair[row]] === UNIVERSAL) {
      this.#range(row, m[7], m[4], this.#p, 0, 1);
      return;
    }
    const open = 1 + m[0];
    if (open < FOLDED) {
      this.value[row] = FAR;
      this.slope.fill(0, row * 3, row * 3 + 3);
      return;
    }
    for (let k = 0; k < 3; k++) this.#along[k] = this.#p[k] + this.#c[k];
    this.#range(row, m[7] - m[5], m[4] + m[8], this.#along, 0, 1 / open);
  }

  /** The row of an angle given by its sine and cosine (times any length), that grows with turns about scale · axis. */
  #range(row: number, sine: number, cosine: number, axis: Float64Array, o: number, scale: number): void {
    const { limits } = this.#joints;
    const n = row * LIMIT_STRIDE;
    const { numbers } = limits;
    const length = Math.sqrt(sine * sine + cosine * cosine);
    const s = length > 0 ? sine / length : 0;
    const c = length > 0 ? cosine / length : 1;
    // above the middle only the upper bound can be meant, below it only the lower one
    const above = limits.locked[row] === 1 || s * numbers[n + 4] - c * numbers[n + 5] >= 0;
    const bound = limits.locked[row] ? n + 4 : above ? n + 2 : n;
    const left = numbers[bound + 1] * c - numbers[bound] * s;
    const near = 1 + numbers[bound] * c + numbers[bound + 1] * s;
    const sign = above ? 1 : -1;
    this.value[row] = sign * (2 * Math.abs(left) < FAR * near ? (2 * left) / near : left < 0 ? -FAR : FAR);
    for (let k = 0; k < 3; k++) this.slope[row * 3 + k] = -sign * scale * axis[o + k];
  }

  /** A lean that is held at nothing, about the second or the third direction. */
  #measureLean(row: number): void {
    const which = this.#joints.limits.numbers[row * LIMIT_STRIDE];
    const folded = this.#halfSines();
    this.#gradient.fill(0);
    if (folded) this.#gradient[which === 0 ? 2 : 1] = 1;
    else this.#addSlope(which, 1);
    this.#setTurn();
    // near nothing the lean is twice the sine of its half
    this.value[row] = -2 * this.#sines[which];
    for (let k = 0; k < 3; k++) this.slope[row * 3 + k] = -2 * dotColumn(this.#p, k, this.#turn);
  }

  readonly #sines = new Float64Array(2);

  /** Sines of half the lean about the two directions; true where the bones are folded onto each other and they have no direction. */
  #halfSines(): boolean {
    const u = this.#u;
    const k = Math.sqrt(2 * Math.max(1 + u[0], 0));
    const folded = k < 1e-4;
    this.#sines[0] = folded ? 0 : -u[2] / k;
    this.#sines[1] = folded ? 0 : u[1] / k;
    return folded;
  }

  /** gradient += weight times the derivative of a half sine by u. */
  #addSlope(which: number, weight: number): void {
    const u = this.#u;
    const k = Math.sqrt(2 * (1 + u[0]));
    const gradient = this.#gradient;
    gradient[0] += (weight * (which === 0 ? u[2] : -u[1])) / (k * k * k);
    if (which === 0) gradient[2] -= weight / k;
    else gradient[1] += weight / k;
  }

  /** turn = u × gradient: by how much a turn about each direction changes what the gradient is of. */
  #setTurn(): number {
    const u = this.#u;
    const g = this.#gradient;
    const t = this.#turn;
    t[0] = u[1] * g[2] - u[2] * g[1];
    t[1] = u[2] * g[0] - u[0] * g[2];
    t[2] = u[0] * g[1] - u[1] * g[0];
    return Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  }

  #measureCone(row: number): void {
    const { numbers } = this.#joints.limits;
    const n = row * LIMIT_STRIDE;
    const o = row * 3;
    if (this.#halfSines()) {
      // folded right back: out again about the narrow direction
      const axis = numbers[n + 2] === 1 ? 2 : 1;
      this.value[row] = -FAR;
      for (let k = 0; k < 3; k++) this.slope[o + k] = this.#p[axis * 3 + k];
      return;
    }
    const a = numbers[n] * numbers[n] * this.#sines[0];
    const b = numbers[n + 1] * numbers[n + 1] * this.#sines[1];
    const f = Math.sqrt(a * this.#sines[0] + b * this.#sines[1]);
    if (f < CENTRE) {
      this.value[row] = FAR;
      this.slope.fill(0, o, o + 3);
      return;
    }
    this.#gradient.fill(0);
    this.#addSlope(0, a / f);
    this.#addSlope(1, b / f);
    const steep = this.#setTurn();
    this.value[row] = Math.max(-FAR, (1 - f) / steep);
    for (let k = 0; k < 3; k++) this.slope[o + k] = -dotColumn(this.#p, k, this.#turn) / steep;
    this.#bendCone(row, f, steep);
  }

  /**
   * Second derivative of f along the turn that keeps it, about u × slope: u' = that direction × u and u'' = −u. With n/k for each half
   * sine, n = −u_z or u_y and k = √(2(1 + u_x)):  f f'' = Σ s⁻² (p'² + p p'').
   */
  #bendCone(row: number, f: number, steep: number): void {
    const { numbers } = this.#joints.limits;
    const u = this.#u;
    const t = this.#turn;
    const d = this.#along;
    // d = u × t/|t| is the axis of the slide; u' = d × u = t/|t|, because t is at a right angle to u
    d[0] = (u[1] * t[2] - u[2] * t[1]) / steep;
    d[1] = (u[2] * t[0] - u[0] * t[2]) / steep;
    d[2] = (u[0] * t[1] - u[1] * t[0]) / steep;
    const k = Math.sqrt(2 * (1 + u[0]));
    const k1 = t[0] / steep / k;
    const k2 = (-u[0] - k1 * k1) / k;
    let sum = 0;
    for (let i = 0; i < 2; i++) {
      const value = i === 0 ? -u[2] : u[1];
      const rate = (i === 0 ? -t[2] : t[1]) / steep;
      const first = (rate - (value * k1) / k) / k;
      const second = (-value - (2 * rate * k1) / k - (value * k2) / k + (2 * value * k1 * k1) / (k * k)) / k;
      const weight = numbers[row * LIMIT_STRIDE + i] * numbers[row * LIMIT_STRIDE + i];
      sum += weight * (first * first + this.#sines[i] * second);
    }
    this.bend[row] = Math.max(0, sum / f / steep);
    for (let i = 0; i < 3; i++) this.slide[row * 3 + i] = dotColumn(this.#p, i, d);
  }
}

/** Rows of out = the directions at frame[f], turned by the rotation r[o..o + 9). */
function directions(out: Float64Array, r: Float64Array, o: number, frame: Float64Array, f: number): void {
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const a = o + k * 3;
      out[i * 3 + k] = r[a] * frame[f + i * 3] + r[a + 1] * frame[f + i * 3 + 1] + r[a + 2] * frame[f + i * 3 + 2];
    }
  }
}

/** Component k of Σ v_i p_i: from the joint's directions to the world's. */
function dotColumn(p: Float64Array, k: number, v: Float64Array): number {
  return p[k] * v[0] + p[3 + k] * v[1] + p[6 + k] * v[2];
}
