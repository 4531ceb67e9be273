/**
 * Sine, cosine and atan2 with the same bits in every engine, for authoring and loading: the language leaves the last
 * bits of Math.sin to the engine. Taylor series on a reduced range, accurate to 1e-15 absolute for |x| <= 1e4. The step
 * never uses them.
 */

const TWO_OVER_PI = 0.6366197723675814;

/** pi/2 in two parts: 33 bits, so that a whole number below 2^20 times it is exact, and the rest [Cody1980]. */
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;

const QUARTER_PI = 0.7853981633974483;
const HALF_PI = 1.5707963267948966;
/** What the nearest double leaves out of pi. */
const PI_REST = 1.2246467991473532e-16;
const ATAN_HALF = 0.4636476090008061;

/** Sine of x [rad]. NaN for numbers that are not finite. Beyond 1e6 the error grows like that of the last bit of x. */
export function sin(x: number): number {
  const quadrant = nearestQuadrant(x);
  const r = reduce(x, quadrant);
  switch (quadrant & 3) {
    case 0:
      return sinSeries(r);
    case 1:
      return cosSeries(r);
    case 2:
      return -sinSeries(r);
    default:
      return -cosSeries(r);
  }
}

/** Cosine of x [rad]. Range and accuracy as for `sin`. */
export function cos(x: number): number {
  const quadrant = nearestQuadrant(x);
  const r = reduce(x, quadrant);
  switch (quadrant & 3) {
    case 0:
      return cosSeries(r);
    case 1:
      return -sinSeries(r);
    case 2:
      return -cosSeries(r);
    default:
      return sinSeries(r);
  }
}

/**
 * The angle of the point (x, y) [rad], in [-pi, pi]; 1e-15 absolute, for finite numbers. The signs of zeros count as in
 * Math.atan2, except that atan2(0, 0) is 0 for any signs.
 */
export function atan2(y: number, x: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (ax === 0 && ay === 0) return 0;
  // An angle in the first octant, then out into the others by reflections.
  let angle = ay <= ax ? atanUnit(ay / ax) : HALF_PI - (atanUnit(ax / ay) - 0.5 * PI_REST);
  if (x < 0) angle = Math.PI - (angle - PI_REST);
  // 1 / y tells -0 from 0.
  return y < 0 || (y === 0 && 1 / y < 0) ? -angle : angle;
}

/** How many quarter turns are nearest to x. */
function nearestQuadrant(x: number): number {
  return Math.floor(x * TWO_OVER_PI + 0.5);
}

/** x minus that many quarter turns, in [-pi/4, pi/4]; the first subtraction is exact for |x| <= 1e6. */
function reduce(x: number, quadrant: number): number {
  return x - quadrant * HALF_PI_HIGH - quadrant * HALF_PI_LOW;
}

/** sin r = r - r^3/3! + ... + r^17/17! for |r| <= pi/4: the first term left out, r^19/19!, is below 1e-19. */
function sinSeries(r: number): number {
  const z = r * r;
  let sum = 0;
  // 1 - z/(2 3) (1 - z/(4 5) (1 - ...)): the quotients of neighbouring terms.
  for (let n = 16; n >= 2; n -= 2) sum = (z / (n * (n + 1))) * (1 - sum);
  return r - r * sum;
}

/** cos r = 1 - r^2/2! + ... + r^18/18! for |r| <= pi/4: the first term left out, r^20/20!, is below 1e-20. */
function cosSeries(r: number): number {
  const z = r * r;
  let sum = 0;
  for (let n = 17; n >= 1; n -= 2) sum = (z / (n * (n + 1))) * (1 - sum);
  return 1 - sum;
}

/** atan t for t in [0, 1], as atan c + atan((t - c) / (1 + c t)) with c = 0, 1/2 or 1, so that the rest is below 1/4. */
function atanUnit(t: number): number {
  if (t < 0.25) return atanSeries(t);
  if (t < 0.75) return ATAN_HALF + atanSeries((t - 0.5) / (1 + 0.5 * t));
  return QUARTER_PI + atanSeries((t - 1) / (1 + t));
}

/** atan z = z - z^3/3 + z^5/5 - ... for |z| <= 1/4: the first term left out, z^27/27, is below 3e-18. */
function atanSeries(z: number): number {
  const zSq = z * z;
  let sum = 0;
  for (let n = 25; n >= 1; n -= 2) sum = 1 / n - zSq * sum;
  return z * sum;
}
