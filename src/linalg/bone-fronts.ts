/**
 * Velocities of a tree of rigid bones from momenta, joints closed: leaves first, no fill, no pivoting. Called by the bone step of
 * the layered solver.
 *
 * Each bone i has a reference point: the joint to its parent, for a root its centre. Its velocity there is V_i = (ω_i, v_i), and a
 * joint leaves up to three relative turnings s free, each about a unit axis a and held by a damping κ:
 *
 *     V_i = X V_p + Σ_j (a_j, 0) s_j,    X V_p = (ω_p, v_p + ω_p × d),   d from the parent's reference point to the bone's
 *
 * Joints are thus closed by construction, where a saddle system with rows for joints would close them by its multipliers; the
 * momenta are the same. A front is the 6x6 inertia A_i of a bone and all that hangs on it. One turning after the other is
 * eliminated (pivot D = aᵀA a + κ > 0, a rank-one change of A), and what is left goes to the parent by Xᵀ A X. This is the
 * articulated body algorithm [Featherstone2008 §7.3], written for momenta. Cost: about 400 flops a bone. The kernel `boneFronts` does the
 * same sums in the same order.
 */
import { BoneRoom } from './bone-room.js';
import { invertPacked6, multiplyPacked6, PACKED6 } from './packed6.js';

/** Most free turnings of a joint. */
export const MOST_AXES = 3;

/** The fronts of one tree of bones. Fill `reference`, `inertia`, `axes`, `damping`; `factor`; then `solve` as often as wanted. */
export class BoneFronts {
  readonly count: number;
  readonly room: BoneRoom;
  /** Parent of each bone, -1 for roots; parents come first. */
  readonly parents: Int32Array;
  /** Free turnings of the joint to the parent, 0 to 3; not read for roots. */
  readonly axisCount: Int32Array;
  /** 1 for roots whose velocity is given: `velocity` is then kept as it is. */
  readonly held: Int32Array;
  /** Reference point, 3 per bone [m]. */
  readonly reference: Float64Array;
  /** Axes of the free turnings in the world, 9 per bone. */
  readonly axes: Float64Array;
  /** κ of each turning, 3 per bone [kg m²]. */
  readonly damping: Float64Array;
  /** Inertia about the reference point, 21 per bone, see `packed6.ts`; `factor` adds what hangs on the bone. For a root it becomes the inverse. */
  readonly inertia: Float64Array;
  /** Right-hand side: momentum (turning, then linear), 6 per bone; used up by `solve`. */
  readonly momentum: Float64Array;
  /** Right-hand side of the turnings, 3 per bone [kg m²/s]. */
  readonly push: Float64Array;
  /** Solution: ω and v at the reference point, 6 per bone. */
  readonly velocity: Float64Array;
  /** A (a, 0) of each turning, 18 per bone, and 1 / D, 3 per bone. */
  readonly pull: Float64Array;
  readonly inversePivot: Float64Array;
  /** Turnings without what comes from the parent, 3 per bone [1/s]. */
  readonly turning: Float64Array;

  /** `room`: where all of this is. */
  constructor(parents: ArrayLike<number>, room = new BoneRoom(parents.length)) {
    this.count = parents.length;
    this.room = room;
    this.parents = room.takeWhole(1);
    this.parents.set(parents);
    this.axisCount = room.takeWhole(1).fill(MOST_AXES);
    this.held = room.takeWhole(1);
    this.reference = room.take(3);
    this.axes = room.take(9);
    this.damping = room.take(3);
    this.inertia = room.take(PACKED6);
    this.momentum = room.take(6);
    this.push = room.take(3);
    this.velocity = room.take(6);
    this.pull = room.take(18);
    this.inversePivot = room.take(3);
    this.turning = room.take(3);
  }

  /** Eliminates all turnings, leaves first. False where a pivot is not positive: a bone without inertia, or numbers that are not finite. */
  factor(): boolean {
    for (let bone = this.count - 1; bone >= 0; bone--) {
      const parent = this.parents[bone];
      if (parent >= 0) {
        for (let j = 0; j < this.axisCount[bone]; j++) if (!this.#eliminate(bone, j)) return false;
        this.#addToParent(bone, parent);
      } else if (this.held[bone] === 0 && !invertPacked6(this.inertia, PACKED6 * bone)) return false;
    }
    return true;
  }

  /** Velocities from `momentum` and `push`, which are used up. */
  solve(): void {
    for (let bone = this.count - 1; bone >= 0; bone--) if (this.parents[bone] >= 0) this.passUp(bone, this.momentum);
    for (let bone = 0; bone < this.count; bone++) this.passDown(bone);
  }

  /** Takes the turnings out of the momentum `b` of a bone (6 per bone) and hands the rest to its parent. */
  passUp(bone: number, b: Float64Array): void {
    const o = 6 * bone;
    const { axes, pull } = this;
    for (let j = 0; j < this.axisCount[bone]; j++) {
      const at = 3 * bone + j;
      const a = 3 * at;
      const u = 6 * at;
      const along = axes[a] * b[o] + axes[a + 1] * b[o + 1] + axes[a + 2] * b[o + 2] + this.push[at];
      const s = along * this.inversePivot[at];
      this.turning[at] = s;
      for (let k = 0; k < 6; k++) b[o + k] -= pull[u + k] * s;
    }
    this.#shiftUp(bone, this.parents[bone], b);
  }

  /** Velocity of a bone from that of its parent and its own turnings; of a root from its momentum. */
  passDown(bone: number): void {
    const { velocity, axes, pull, inversePivot, turning } = this;
    const o = 6 * bone;
    const parent = this.parents[bone];
    if (parent < 0) {
      if (this.held[bone] === 0) multiplyPacked6(this.inertia, PACKED6 * bone, this.momentum, o, velocity, o);
      return;
    }
    this.carry(parent, bone, velocity, velocity);
    for (let j = this.axisCount[bone] - 1; j >= 0; j--) {
      const at = 3 * bone + j;
      const u = 6 * at;
      let along = 0;
      for (let k = 0; k < 6; k++) along += pull[u + k] * velocity[o + k];
      const s = turning[at] - inversePivot[at] * along;
      for (let k = 0; k < 3; k++) velocity[o + k] += axes[3 * at + k] * s;
    }
  }

  /** out of `bone` = X times `from` of its parent: the velocity a bone has when it moves with its parent. */
  carry(parent: number, bone: number, from: Float64Array, out: Float64Array): void {
    const { reference } = this;
    const p = 6 * parent;
    const o = 6 * bone;
    const dx = reference[3 * bone] - reference[3 * parent];
    const dy = reference[3 * bone + 1] - reference[3 * parent + 1];
    const dz = reference[3 * bone + 2] - reference[3 * parent + 2];
    const wx = from[p];
    const wy = from[p + 1];
    const wz = from[p + 2];
    out[o] = wx;
    out[o + 1] = wy;
    out[o + 2] = wz;
    out[o + 3] = from[p + 3] + wy * dz - wz * dy;
    out[o + 4] = from[p + 4] + wz * dx - wx * dz;
    out[o + 5] = from[p + 5] + wx * dy - wy * dx;
  }

  /** b of the parent += Xᵀ b of the bone. */
  #shiftUp(bone: number, parent: number, b: Float64Array): void {
    const { reference } = this;
    const o = 6 * bone;
    const p = 6 * parent;
    const dx = reference[3 * bone] - reference[3 * parent];
    const dy = reference[3 * bone + 1] - reference[3 * parent + 1];
    const dz = reference[3 * bone + 2] - reference[3 * parent + 2];
    const fx = b[o + 3];
    const fy = b[o + 4];
    const fz = b[o + 5];
    b[p] += b[o] + dy * fz - dz * fy;
    b[p + 1] += b[o + 1] + dz * fx - dx * fz;
    b[p + 2] += b[o + 2] + dx * fy - dy * fx;
    b[p + 3] += fx;
    b[p + 4] += fy;
    b[p + 5] += fz;
  }

  /** Eliminates turning j of a bone from its inertia. */
  #eliminate(bone: number, j: number): boolean {
    const { inertia, pull } = this;
    const at = 3 * bone + j;
    const u = 6 * at;
    const m = PACKED6 * bone;
    const x = this.axes[3 * at];
    const y = this.axes[3 * at + 1];
    const z = this.axes[3 * at + 2];
    const u0 = inertia[m] * x + inertia[m + 1] * y + inertia[m + 3] * z;
    const u1 = inertia[m + 1] * x + inertia[m + 2] * y + inertia[m + 4] * z;
    const u2 = inertia[m + 3] * x + inertia[m + 4] * y + inertia[m + 5] * z;
    const u3 = inertia[m + 6] * x + inertia[m + 7] * y + inertia[m + 8] * z;
    const u4 = inertia[m + 10] * x + inertia[m + 11] * y + inertia[m + 12] * z;
    const u5 = inertia[m + 15] * x + inertia[m + 16] * y + inertia[m + 17] * z;
    const pivot = u0 * x + u1 * y + u2 * z + this.damping[at];
    if (!(pivot > 0)) return false;
    const inverse = 1 / pivot;
    this.inversePivot[at] = inverse;
    pull[u] = u0;
    pull[u + 1] = u1;
    pull[u + 2] = u2;
    pull[u + 3] = u3;
    pull[u + 4] = u4;
    pull[u + 5] = u5;
    let k = m;
    for (let row = 0; row < 6; row++) {
      const factor = pull[u + row] * inverse;
      for (let column = 0; column <= row; column++) inertia[k++] -= factor * pull[u + column];
    }
    return true;
  }

  /** inertia of the parent += Xᵀ A X with what is left of the bone's. */
  #addToParent(bone: number, parent: number): void {
    const { inertia: a, reference } = this;
    const m = PACKED6 * bone;
    const p = PACKED6 * parent;
    const dx = reference[3 * bone] - reference[3 * parent];
    const dy = reference[3 * bone + 1] - reference[3 * parent + 1];
    const dz = reference[3 * bone + 2] - reference[3 * parent + 2];
    const m00 = a[m + 9];
    const m10 = a[m + 13];
    const m11 = a[m + 14];
    const m20 = a[m + 18];
    const m21 = a[m + 19];
    const m22 = a[m + 20];
    // H = A_ωv by rows r: h_r; H' = H + [d] M; I'_rc = I_rc + (d × h_r)_c + (d × h'_c)_r
    const h00 = a[m + 6];
    const h01 = a[m + 10];
    const h02 = a[m + 15];
    const h10 = a[m + 7];
    const h11 = a[m + 11];
    const h12 = a[m + 16];
    const h20 = a[m + 8];
    const h21 = a[m + 12];
    const h22 = a[m + 17];
    const g00 = h00 + dy * m20 - dz * m10;
    const g01 = h01 + dy * m21 - dz * m11;
    const g02 = h02 + dy * m22 - dz * m21;
    const g10 = h10 + dz * m00 - dx * m20;
    const g11 = h11 + dz * m10 - dx * m21;
    const g12 = h12 + dz * m20 - dx * m22;
    const g20 = h20 + dx * m10 - dy * m00;
    const g21 = h21 + dx * m11 - dy * m10;
    const g22 = h22 + dx * m21 - dy * m20;
    a[p] += a[m] + (dy * h02 - dz * h01) + (dy * g02 - dz * g01);
    a[p + 1] += a[m + 1] + (dy * h12 - dz * h11) + (dz * g00 - dx * g02);
    a[p + 2] += a[m + 2] + (dz * h10 - dx * h12) + (dz * g10 - dx * g12);
    a[p + 3] += a[m + 3] + (dy * h22 - dz * h21) + (dx * g01 - dy * g00);
    a[p + 4] += a[m + 4] + (dz * h20 - dx * h22) + (dx * g11 - dy * g10);
    a[p + 5] += a[m + 5] + (dx * h21 - dy * h20) + (dx * g21 - dy * g20);
    a[p + 6] += g00;
    a[p + 7] += g10;
    a[p + 8] += g20;
    a[p + 9] += m00;
    a[p + 10] += g01;
    a[p + 11] += g11;
    a[p + 12] += g21;
    a[p + 13] += m10;
    a[p + 14] += m11;
    a[p + 15] += g02;
    a[p + 16] += g12;
    a[p + 17] += g22;
    a[p + 18] += m20;
    a[p + 19] += m21;
    a[p + 20] += m22;
  }
}
