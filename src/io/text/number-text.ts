/**
 * Decimal numbers in bytes of text. `Number` needs a string of each and accepts too much (hexadecimal, `Infinity`, the
 * empty string), patterns can be slow on long input; this looks at every byte once.
 */

/** Most bytes of a number that is still a number. */
const MAX_NUMBER_LENGTH = 64;
/** Powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** Whole numbers below this and products of them with exact powers are rounded once, so correctly. */
const EXACT_LIMIT = 9_007_199_254_740_992;

/**
 * The number in `bytes` from `start` to `end`, correctly rounded; NaN unless it is written like -1, 1., .5 or 1.5e-3
 * and is finite.
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_NUMBER_LENGTH) return Number.NaN;
  let i = start;
  const isNegative = bytes[i] === 45;
  if (isNegative || bytes[i] === 43) i++;
  let mantissa = 0;
  let digitCount = 0;
  let exponent = 0;
  for (; i < end && isDigit(bytes[i]); i++, digitCount++) mantissa = mantissa * 10 + (bytes[i] - 48);
  if (i < end && bytes[i] === 46) {
    for (i++; i < end && isDigit(bytes[i]); i++, digitCount++, exponent--) mantissa = mantissa * 10 + (bytes[i] - 48);
  }
  if (digitCount === 0) return Number.NaN;
  if (i < end && (bytes[i] === 69 || bytes[i] === 101)) {
    i++;
    const isSmall = bytes[i] === 45;
    if (isSmall || bytes[i] === 43) i++;
    if (i >= end) return Number.NaN;
    let power = 0;
    for (; i < end && isDigit(bytes[i]); i++) power = Math.min(power * 10 + (bytes[i] - 48), 1e6);
    exponent += isSmall ? -power : power;
  }
  if (i !== end) return Number.NaN;
  if (mantissa >= EXACT_LIMIT || exponent < -22 || exponent > 22) return slowly(bytes, start, end);
  const value = exponent < 0 ? mantissa / POWERS[-exponent] : mantissa * POWERS[exponent];
  return isNegative ? -value : value;
}

/** Shortest text that reads back as the same double; `String` alone loses the sign of -0. */
export function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function slowly(bytes: Uint8Array, start: number, end: number): number {
  const value = Number(String.fromCharCode(...bytes.subarray(start, end)));
  return Number.isFinite(value) ? value : Number.NaN;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
