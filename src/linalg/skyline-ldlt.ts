/**
 * LDLᵀ of a small symmetric matrix stored by rows from the first entry that can be non-zero ("skyline"), without
 * pivoting. Made for the bone step's saddle-point systems: bones have positive pivots, joint rows come after their bones
 * and have negative ones, so no pivoting is needed; a joint row whose pivot cancels is redundant and is dropped.
 */

import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../kernels/memory.js';

/** A pivot that has cancelled to this share of the terms it was made of is rounding error. */
const CANCELLED = 1e-10;

/** Room for skyline systems of up to `capacity` rows in a world's memory, where the kernel can factor them. */
export class SkylineRoom {
  readonly first: Slot<Int32Array>;
  readonly origin: Slot<Int32Array>;
  readonly values: Slot<Float64Array>;
  readonly inverse: Slot<Float64Array>;
  /** The factor that is kept, and six right-hand sides to solve with it. */
  readonly keptValues: Slot<Float64Array>;
  readonly keptInverse: Slot<Float64Array>;
  readonly six: Slot<Float64Array>;
  /** One right-hand side. */
  readonly one: Slot<Float64Array>;
  kernels: KernelTable | undefined;

  constructor(plan: MemoryPlan, capacity: number) {
    this.first = plan.i32(capacity);
    this.origin = plan.i32(capacity);
    this.values = plan.f64((capacity * (capacity + 1)) / 2);
    this.inverse = plan.f64(capacity);
    this.keptValues = plan.f64((capacity * (capacity + 1)) / 2);
    this.keptInverse = plan.f64(capacity);
    this.six = plan.f64(capacity * 6);
    this.one = plan.f64(capacity);
  }
}

/**
 * One system; `factor` and `solve` allocate nothing. In a room it is factored by the kernel, elsewhere by the same sums in
 * TypeScript (78 unknowns: 0.08 ms here, 0.03 ms there). Systems that share a room are filled, factored and solved one
 * after the other.
 */
export class SkylineLdlt {
  readonly size: number;
  /** First stored column of each row. */
  readonly first: Int32Array;
  /** Offset such that entry (row, column) is values[origin[row] + column]. */
  readonly origin: Int32Array;
  /** The matrix before `factor`, its factor afterwards. */
  readonly values: Float64Array;
  /** Six right-hand sides, interleaved (6 numbers per row), for `solveSixKept`. */
  readonly six: Float64Array;
  /** One over each pivot, 0 for dropped rows. */
  readonly inverse: Float64Array;
  readonly #room: SkylineRoom | undefined;
  readonly #keptValues: Float64Array;
  readonly #keptInverse: Float64Array;

  constructor(first: Int32Array, room?: SkylineRoom) {
    this.size = first.length;
    this.first = first;
    this.origin = new Int32Array(this.size);
    let next = 0;
    for (let row = 0; row < this.size; row++) {
      this.origin[row] = next - first[row];
      next += row - first[row] + 1;
    }
    this.#room = room;
    this.values = room ? room.values.view.subarray(0, next) : new Float64Array(next);
    this.#keptValues = room ? room.keptValues.view.subarray(0, next) : new Float64Array(next);
    this.#keptInverse = room ? room.keptInverse.view.subarray(0, this.size) : new Float64Array(this.size);
    this.six = room ? room.six.view.subarray(0, this.size * 6) : new Float64Array(this.size * 6);
    this.inverse = room ? room.inverse.view.subarray(0, this.size) : new Float64Array(this.size);
  }

  /** Factors in place; returns how many rows were dropped because they say nothing the others do not say. */
  factor(): number {
    const room = this.#room;
    if (!room?.kernels) return this.#factorHere();
    room.first.view.set(this.first);
    room.origin.view.set(this.origin);
    const { first, origin, values, inverse } = room;
    const { size } = this;
    return room.kernels.factorSkyline(size, first.address, origin.address, values.address, inverse.address, CANCELLED);
  }

  /** The specification of the kernel `factorSkyline`. */
  #factorHere(): number {
    const { size, first, origin, values, inverse } = this;
    let dropped = 0;
    for (let i = 0; i < size; i++) {
      const oi = origin[i];
      for (let j = first[i] + 1; j < i; j++) {
        const oj = origin[j];
        const from = first[i] > first[j] ? first[i] : first[j];
        values[oi + j] -= dot(values, oi + from, oj + from, j - from);
      }
      let pivot = values[oi + i];
      let terms = Math.abs(pivot);
      for (let j = first[i]; j < i; j++) {
        const l = values[oi + j] * inverse[j];
        const term = values[oi + j] * l;
        pivot -= term;
        terms += Math.abs(term);
        values[oi + j] = l;
      }
      const redundant = !(Math.abs(pivot) > CANCELLED * terms);
      inverse[i] = redundant ? 0 : 1 / pivot;
      if (redundant) dropped++;
    }
    return dropped;
  }

  /** Remembers the factor, so that the room can be used for another while this one is still solved with. */
  keep(): void {
    this.#keptValues.set(this.values);
    this.#keptInverse.set(this.inverse);
  }

  /** Solves in place; dropped rows get 0. */
  solve(b: Float64Array): void {
    const room = this.#room;
    if (room?.kernels) this.#solveThere(room, b, room.values, room.inverse);
    else this.#substitute(b, this.values, this.inverse);
  }

  /** Solves with the factor that was kept. */
  solveKept(b: Float64Array): void {
    const room = this.#room;
    if (room?.kernels) this.#solveThere(room, b, room.keptValues, room.keptInverse);
    else this.#substitute(b, this.#keptValues, this.#keptInverse);
  }

  #solveThere(room: SkylineRoom, b: Float64Array, values: Slot<Float64Array>, inverse: Slot<Float64Array>): void {
    const kernels = room.kernels!;
    room.first.view.set(this.first);
    room.origin.view.set(this.origin);
    const { first, origin, one } = room;
    const { size } = this;
    for (let i = 0; i < size; i++) one.view[i] = b[i];
    kernels.forwardInTurn(size, first.address, origin.address, values.address, one.address);
    kernels.backwardSkyline(size, first.address, origin.address, values.address, inverse.address, one.address);
    for (let i = 0; i < size; i++) b[i] = one.view[i];
  }

  /** b ← L⁻¹ b of the numbers at b[o], which are zero before row `from`. */
  forward(b: Float64Array, o = 0, from = 0): void {
    const room = this.#room;
    const { size, first, origin, values } = this;
    if (!room?.kernels) {
      for (let i = from; i < size; i++) {
        const start = first[i] > from ? first[i] : from;
        b[o + i] -= dotAcross(values, origin[i] + start, b, o + start, i - start);
      }
      return;
    }
    const one = room.one.view;
    for (let i = from; i < size; i++) one[i] = b[o + i];
    room.kernels.forwardSkyline(
      size,
      from,
      room.first.address,
      room.origin.address,
      room.values.address,
      room.one.address,
    );
    for (let i = from; i < size; i++) b[o + i] = one[i];
  }

  /** Σ a_i b_i / D_i from row `from` on: how far the force behind L⁻¹a moves what the force behind L⁻¹b acts on. */
  across(a: Float64Array, i: number, b: Float64Array, j: number, from: number): number {
    const { inverse } = this;
    let sum = 0;
    for (let k = from; k < this.size; k++) sum += a[i + k] * b[j + k] * inverse[k];
    return sum;
  }

  /** b ← L⁻ᵀ D⁻¹ b: what `forward` leaves of `solve`. */
  backward(b: Float64Array): void {
    const room = this.#room;
    if (!room?.kernels) {
      this.#divide(b, this.values, this.inverse);
      return;
    }
    const one = room.one.view;
    const { size } = this;
    for (let i = 0; i < size; i++) one[i] = b[i];
    room.kernels.backwardSkyline(
      size,
      room.first.address,
      room.origin.address,
      room.values.address,
      room.inverse.address,
      room.one.address,
    );
    for (let i = 0; i < size; i++) b[i] = one[i];
  }

  /** The specification of the kernels `forwardInTurn` and `backwardSkyline`. */
  #substitute(b: Float64Array, values: Float64Array, inverse: Float64Array): void {
    const { size, first, origin } = this;
    for (let i = 0; i < size; i++) {
      let sum = b[i];
      for (let k = first[i]; k < i; k++) sum -= values[origin[i] + k] * b[k];
      b[i] = sum;
    }
    this.#divide(b, values, inverse);
  }

  #divide(b: Float64Array, values: Float64Array, inverse: Float64Array): void {
    const { size, first, origin } = this;
    for (let i = 0; i < size; i++) b[i] *= inverse[i];
    for (let i = size - 1; i >= 0; i--) {
      const value = b[i];
      for (let k = first[i]; k < i; k++) b[k] -= values[origin[i] + k] * value;
    }
  }

  /**
   * Solves with the factor that was kept for `six`, which is zero before row `from`. The factor is read once instead of six
   * times: all columns of 16 bones in 1.2 ms instead of 2.5 ms, and by the kernel in a third of that.
   */
  solveSixKept(from: number): void {
    const room = this.#room;
    if (!room?.kernels) {
      this.#solveSixHere(from);
      return;
    }
    room.first.view.set(this.first);
    room.origin.view.set(this.origin);
    const { first, origin, keptValues, keptInverse, six } = room;
    room.kernels.solveSixSkyline(
      this.size,
      from,
      first.address,
      origin.address,
      keptValues.address,
      keptInverse.address,
      six.address,
    );
  }

  /** The specification of the kernel `solveSixSkyline`. */
  #solveSixHere(from: number): void {
    const { size, first, origin, six: b } = this;
    const values = this.#keptValues;
    const inverse = this.#keptInverse;
    for (let i = from; i < size; i++) {
      const o = i * 6;
      for (let k = first[i] > from ? first[i] : from; k < i; k++) subtractSix(b, o, values[origin[i] + k], k * 6);
    }
    for (let i = from; i < size; i++) for (let c = i * 6; c < i * 6 + 6; c++) b[c] *= inverse[i];
    for (let i = size - 1; i >= 0; i--) {
      for (let k = first[i]; k < i; k++) subtractSix(b, k * 6, values[origin[i] + k], i * 6);
    }
  }
}

/** b[to..to+6) -= value b[from..from+6). */
function subtractSix(b: Float64Array, to: number, value: number, from: number): void {
  b[to] -= value * b[from];
  b[to + 1] -= value * b[from + 1];
  b[to + 2] -= value * b[from + 2];
  b[to + 3] -= value * b[from + 3];
  b[to + 4] -= value * b[from + 4];
  b[to + 5] -= value * b[from + 5];
}

/** Σ a b, two sums side by side. */
function dotAcross(a: Float64Array, i: number, b: Float64Array, j: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let k = 0;
  for (; k + 1 < length; k += 2) {
    s0 += a[i + k] * b[j + k];
    s1 += a[i + k + 1] * b[j + k + 1];
  }
  if (k < length) s0 += a[i + k] * b[j + k];
  return s0 + s1;
}

/** Four sums side by side: one alone would wait for each addition to finish (78 unknowns: 0.103 ms, 0.083 ms with four). */
function dot(values: Float64Array, a: number, b: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < length; k += 4) {
    s0 += values[a + k] * values[b + k];
    s1 += values[a + k + 1] * values[b + k + 1];
    s2 += values[a + k + 2] * values[b + k + 2];
    s3 += values[a + k + 3] * values[b + k + 3];
  }
  for (; k < length; k++) s0 += values[a + k] * values[b + k];
  return s0 + s1 + (s2 + s3);
}
