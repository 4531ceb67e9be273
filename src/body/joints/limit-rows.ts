/**
 * Values of the joint limits at given poses, and how they change when bones turn. A row's value v is how far the joint may still go [rad], negative
 * beyond the limit; a turn Δ of the second bone against the first (world axes) adds g·Δ to it. All by products and roots. With p_i, c_i the
 * joint's directions in the first and the second bone and M_ij = p_i·c_j:
 *
 *     angle about the axis     sine (M21 − M12)/(1 + M00), cosine (M11 + M22)/(1 + M00)      hinge, and the twist of a ball
 *     universal                sine M21, cosine M11 about the first; sine M02, cosine M00 about the second axis
 *     lean                     s = (−u_z, u_y)/√(2(1 + u_x)), u = (M00, M10, M20): the sines of half the lean about second and third direction
 *     cone                     f(s) = |(s₁/sin ½α₁, s₂/sin ½α₂)| ≤ 1
 *
 * Ranges are measured by 2 tan of half the way left: the vector by which bones are turned, so that a lone hinge lands on its limit in one step.
 * A cone has CONE_CUTS rows: tangents ∇f(c)·s ≤ 1 of its ellipse at points c, the first one at s itself. One tangent alone lets a narrow
 * cone slide past its sides: ten balls in cones of 0.05 by 0.2 rad were 0.7 rad outside.
 */
import { dotVec3 } from '../../math/vec3.js';
import type { BonePoses } from '../bone-poses.js';
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
  /** Points c of the cones' tangents, 2 per row; 0 where there is none. */
  readonly #cut: Float64Array;
  /** s of each cone and how it changes with turns, world axes, 8 per row; filled for the first row of each cone. */
  readonly #lean: Float64Array;
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
    this.#cut = new Float64Array(count * 2);
    this.#lean = new Float64Array(count * 8);
  }

  /** Forgets the tangents of the cones. */
  clearCuts(): void {
    this.#cut.fill(0);
  }

  /** Fills everything for these poses, or rows `from` up to `to`, which begin and end with a joint. */
  measure(poses: BonePoses, from = 0, to = this.#joints.limits.count): void {
    const { limits, boneA, boneB, frame } = this.#joints;
    let known = -1;
    for (let row = from; row < to; row++) {
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
      clear3(this.slope, row * 3);
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
    clear3(this.#gradient, 0);
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

  /** The rows of a cone: the first where the joint leans, the others where their tangents were put. */
  #measureCone(row: number): void {
    const slot = this.#joints.limits.numbers[row * LIMIT_STRIDE + 3];
    if (slot === 0 && this.#measureFirst(row)) return;
    this.#tangent(row, row - slot);
  }

  /** s and its slopes; true where the bones are folded right onto each other: out again about the narrow direction. */
  #measureFirst(row: number): boolean {
    const { numbers } = this.#joints.limits;
    const lean = row * 8;
    if (this.#halfSines()) {
      const axis = numbers[row * LIMIT_STRIDE + 2] === 1 ? 2 : 1;
      this.value[row] = -FAR;
      for (let k = 0; k < 3; k++) this.slope[row * 3 + k] = this.#p[axis * 3 + k];
      this.#lean.fill(0, lean, lean + 8);
      return true;
    }
    for (let i = 0; i < 2; i++) {
      clear3(this.#gradient, 0);
      this.#addSlope(i, 1);
      this.#setTurn();
      this.#lean[lean + i] = this.#sines[i];
      for (let k = 0; k < 3; k++) this.#lean[lean + 2 + i * 3 + k] = dotColumn(this.#p, k, this.#turn);
    }
    const centred = this.#size(row, this.#sines[0], this.#sines[1]) < CENTRE;
    for (let i = 0; i < 2; i++) this.#cut[row * 2 + i] = centred ? 0 : this.#sines[i];
    return false;
  }

  /** f at a point. */
  #size(row: number, s1: number, s2: number): number {
    const { numbers } = this.#joints.limits;
    const a = numbers[row * LIMIT_STRIDE] * s1;
    const b = numbers[row * LIMIT_STRIDE + 1] * s2;
    return Math.sqrt(a * a + b * b);
  }

  /** Value and slope of the tangent at the point of a row, for the cone whose first row is `first`. */
  #tangent(row: number, first: number): void {
    const { numbers } = this.#joints.limits;
    const o = row * 3;
    const c = row * 2;
    const lean = first * 8;
    const size = this.#size(row, this.#cut[c], this.#cut[c + 1]);
    if (size === 0) {
      this.value[row] = FAR;
      clear3(this.slope, o);
      return;
    }
    const a = (numbers[row * LIMIT_STRIDE] * numbers[row * LIMIT_STRIDE] * this.#cut[c]) / size;
    const b = (numbers[row * LIMIT_STRIDE + 1] * numbers[row * LIMIT_STRIDE + 1] * this.#cut[c + 1]) / size;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const slope = -(a * this.#lean[lean + 2 + k] + b * this.#lean[lean + 5 + k]);
      this.slope[o + k] = slope;
      square += slope * slope;
    }
    const steep = Math.sqrt(square);
    this.value[row] = Math.max(-FAR, (1 - a * this.#lean[lean] - b * this.#lean[lean + 1]) / steep);
    for (let k = 0; k < 3; k++) this.slope[o + k] /= steep;
  }

  /** Whether a row is the first of a cone. */
  isCone(row: number): boolean {
    const { kind, numbers } = this.#joints.limits;
    return kind[row] === CONE && numbers[row * LIMIT_STRIDE + 3] === 0;
  }

  /** Whether a row is a tangent of a cone that only lies somewhere once it was cut there. */
  isLaterTangent(row: number): boolean {
    return this.#joints.limits.kind[row] === CONE && !this.isCone(row);
  }

  /** How s of the cone at `row` changes with turns: the directions of its two numbers, world axes, to out[0..6). */
  readLeanSlopes(row: number, out: Float64Array): void {
    for (let k = 0; k < 6; k++) out[k] = this.#lean[row * 8 + 2 + k];
  }

  /** Whether the cone at `row` would be left by more than a share when s changes by these two numbers. */
  wouldLeave(row: number, d1: number, d2: number, share: number): boolean {
    return this.#size(row, this.#lean[row * 8] + d1, this.#lean[row * 8 + 1] + d2) > 1 + share;
  }

  /** Puts the tangent of row `at`, one of those of the cone at `row`, where s would be then. */
  cut(row: number, at: number, d1: number, d2: number): void {
    this.#cut[at * 2] = this.#lean[row * 8] + d1;
    this.#cut[at * 2 + 1] = this.#lean[row * 8 + 1] + d2;
    this.#tangent(at, row);
  }

  /** Takes the tangent of a row away; that of the first row of a cone comes back with the next measurement. */
  uncut(row: number): void {
    this.#cut[row * 2] = this.#cut[row * 2 + 1] = 0;
    this.value[row] = FAR;
    clear3(this.slope, row * 3);
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

/** Three numbers become zero; faster than `fill` for so few. */
function clear3(a: Float64Array, o: number): void {
  a[o] = 0;
  a[o + 1] = 0;
  a[o + 2] = 0;
}
