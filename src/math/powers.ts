/**
 * Powers and logarithms with the same bits in every engine, for building: the language leaves the last bits of `**`, Math.log and
 * Math.exp to the engine. Series on a reduced range; the step never uses them.
 */

const LN_2 = Math.LN2;

/** x times x. `x ** 2` may differ from it in the last bit. */
export function square(x: number): number {
  return x * x;
}

/** Natural logarithm of a positive finite number; 1e-15 of the larger of itself and 1. NaN for others. */
export function log(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return Number.NaN;
  let m = x;
  let halvings = 0;
  // multiplying by two is exact
  for (; m > 1.5; m /= 2) halvings++;
  for (; m < 0.75; m *= 2) halvings--;
  const z = (m - 1) / (m + 1);
  const zSq = z * z;
  // ln m = 2 (z + z^3/3 + ...) for |z| <= 1/5: the first term left out, z^25/25, is below 2e-19
  let sum = 0;
  for (let n = 23; n >= 1; n -= 2) sum = 1 / n + zSq * sum;
  return halvings * LN_2 + 2 * z * sum;
}

/** e to the power of x, to 1e-15 of itself times the larger of |x| and 1. */
export function exp(x: number): number {
  if (!(Math.abs(x) < 700)) return x > 0 ? Number.POSITIVE_INFINITY : x < 0 ? 0 : Number.NaN;
  const doublings = Math.floor(x / LN_2 + 0.5);
  const r = x - doublings * LN_2;
  // 1 + r (1 + r/2 (1 + r/3 ...)) for |r| <= 0.35: the first term left out, r^17/17!, is below 1e-22
  let sum = 1;
  for (let n = 16; n >= 1; n--) sum = 1 + (r / n) * sum;
  let scaled = sum;
  for (let n = 0; n < doublings; n++) scaled *= 2;
  for (let n = 0; n > doublings; n--) scaled /= 2;
  return scaled;
}

/** A positive number to any power. */
export function power(base: number, exponent: number): number {
  return exp(exponent * log(base));
}
