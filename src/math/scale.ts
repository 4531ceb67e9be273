/**
 * Powers of two that bring a matrix near 1, so that squares and products of its entries neither overflow nor
 * underflow. Multiplying by a power of two is exact, so scaling changes no bit of the result. Used by the singular
 * values, the eigenvalues and the inverse.
 */

/** Magnitudes in [2^-100, 2^100] are left alone: even their sixth powers are ordinary numbers. */
const LOW = 7.888609052210118e-31;
const HIGH = 1.2676506002282294e30;

/** 2^200 and 2^-200; five of them reach from the smallest subnormal, 2^-1074, to the largest number, 2^1024. */
const UP = 1.6069380442589903e60;
const DOWN = 6.223015277861142e-61;

/**
 * The largest magnitude of `count` numbers from `a[i]` on; NaN when one of them is not finite, because an answer for
 * the rest would hide it.
 */
export function maxMagnitude(a: ArrayLike<number>, i: number, count: number): number {
  let max = 0;
  for (let k = i; k < i + count; k++) {
    const magnitude = Math.abs(a[k]);
    if (!(magnitude <= Number.MAX_VALUE)) return Number.NaN;
    if (magnitude > max) max = magnitude;
  }
  return max;
}

/**
 * The power of two that brings `magnitude` into [2^-100, 2^100]; 1 for zero. Between 2^-1000 and 2^1000, so that its
 * reciprocal is exact too.
 */
export function powerOfTwoScale(magnitude: number): number {
  let scale = 1;
  if (magnitude === 0) return scale;
  while (magnitude * scale < LOW) scale *= UP;
  while (magnitude * scale > HIGH) scale *= DOWN;
  return scale;
}
