/** Poses between two states. */
import { POSE } from './frame-layout.js';

/** The unit quaternion `phase` of the way from a[i..i+4) to b[i..i+4), the short way around, at out[o..o+4). */
export function blendQuats(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  i: number,
  phase: number,
  out: Float32Array,
  o: number,
): void {
  let dot = 0;
  for (let k = i; k < i + 4; k++) dot += a[k] * b[k];
  const towards = dot < 0 ? -phase : phase;
  let square = 0;
  for (let k = 0; k < 4; k++) {
    out[o + k] = (1 - phase) * a[i + k] + towards * b[i + k];
    square += out[o + k] * out[o + k];
  }
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let k = 0; k < 4; k++) out[o + k] *= scale;
}

/** Blends the poses in `before`, `POSE` numbers each, with those at the start of `after`, and shifts them. */
export function blendPoses(
  before: Float64Array,
  after: Float64Array,
  phase: number,
  out: Float32Array,
  o: number,
  shift: ArrayLike<number>,
): void {
  for (let i = 0; i < before.length; i += POSE) {
    blendQuats(before, after, i, phase, out, o + i);
    for (let k = 4; k < POSE; k++) {
      out[o + i + k] = before[i + k] + phase * (after[i + k] - before[i + k]) + shift[k - 4];
    }
  }
}
