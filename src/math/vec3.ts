/**
 * Vectors of three numbers inside flat arrays: `(array, index)`, where the index is that of the x component.
 *
 * Rules for the whole folder: results come first `(out, o, ...)`; every function reads all of its inputs before it
 * writes, so `out` may be one of them; nothing allocates; only + - * / sqrt and comparisons are used, so the bits are
 * the same in every engine. Units are those of the caller.
 */

/** Any array of numbers that can be written: Float64Array, Float32Array or a plain array. */
export interface MutableNumbers {
  readonly length: number;
  [index: number]: number;
}

/** Squared lengths below this count as zero: they are too close to underflow to give a direction. */
const MIN_LENGTH_SQ = 1e-300;

/** out = (x, y, z). */
export function setVec3(out: MutableNumbers, o: number, x: number, y: number, z: number): void {
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

/** out = a. */
export function copyVec3(out: MutableNumbers, o: number, a: ArrayLike<number>, i: number): void {
  setVec3(out, o, a[i], a[i + 1], a[i + 2]);
}

/** out = a * factor. */
export function scaleVec3(out: MutableNumbers, o: number, a: ArrayLike<number>, i: number, factor: number): void {
  setVec3(out, o, a[i] * factor, a[i + 1] * factor, a[i + 2] * factor);
}

/** out = a + b * factor. */
export function addScaledVec3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  factor: number,
): void {
  setVec3(out, o, a[i] + b[j] * factor, a[i + 1] + b[j + 1] * factor, a[i + 2] + b[j + 2] * factor);
}

/** a . b */
export function dotVec3(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

/** out = a x b, right-handed. */
export function crossVec3(
  out: MutableNumbers,
  o: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
): void {
  setVec3(
    out,
    o,
    a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1],
    a[i + 2] * b[j] - a[i] * b[j + 2],
    a[i] * b[j + 1] - a[i + 1] * b[j],
  );
}

/** |a|^2 */
export function lengthSqVec3(a: ArrayLike<number>, i: number): number {
  return dotVec3(a, i, a, i);
}

/** |a| */
export function lengthVec3(a: ArrayLike<number>, i: number): number {
  return Math.sqrt(dotVec3(a, i, a, i));
}

/** |a - b|^2 */
export function distanceSqVec3(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return x * x + y * y + z * z;
}

/** |a - b| */
export function distanceVec3(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return Math.sqrt(distanceSqVec3(a, i, b, j));
}

/**
 * out = a / |a|; returns |a|. A vector without a direction (shorter than 1e-150, too long to square, or not a number)
 * gives the zero vector and returns 0, so that the caller can choose a direction and nothing spreads.
 */
export function normaliseVec3(out: MutableNumbers, o: number, a: ArrayLike<number>, i: number): number {
  const lengthSq = dotVec3(a, i, a, i);
  if (!(lengthSq >= MIN_LENGTH_SQ && lengthSq <= Number.MAX_VALUE)) {
    setVec3(out, o, 0, 0, 0);
    return 0;
  }
  const length = Math.sqrt(lengthSq);
  setVec3(out, o, a[i] / length, a[i + 1] / length, a[i + 2] / length);
  return length;
}

/** out = some unit vector at a right angle to `a`, which must not be zero. Always the same one for the same `a`. */
export function perpendicularVec3(out: MutableNumbers, o: number, a: ArrayLike<number>, i: number): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  // Crossing with the axis of the smallest component never meets a nearly parallel pair.
  if (ax <= ay && ax <= az) setVec3(out, o, 0, z, -y);
  else if (ay <= az) setVec3(out, o, -z, 0, x);
  else setVec3(out, o, y, -x, 0);
  normaliseVec3(out, o, out, o);
}
