/**
 * Signed singular value decomposition of one 3x3 matrix in f64 (one-sided Jacobi), for the elements the quaternion
 * Newton cannot take: F = U diag(s) Vᵀ with det U = det V = +1, |s0| >= |s1| >= |s2|, only s2 may be negative.
 *
 * Work memory, f64 each: [0,9) the matrix (in: F, out: U), [9,18) V, [18,21) s. Row major.
 */

const SWEEPS: i32 = 12;
/** Cosine between two columns below which they count as orthogonal. */
const ORTHOGONAL: f64 = 4.5e-16; // a scalar product of three terms is not surer than this
/** Length relative to the longest column below which a column has no direction of its own. */
const NO_DIRECTION: f64 = 1e-13;

// @ts-ignore: decorator
@inline function get(m: usize, row: usize, column: usize): f64 { return load<f64>(m + (row * 3 + column) * 8); }
// @ts-ignore: decorator
@inline function set(m: usize, row: usize, column: usize, value: f64): void { store<f64>(m + (row * 3 + column) * 8, value); }

/** Decomposes the matrix at `work` in place; false, with U = V = I and s = 0, where an entry is not finite. */
export function svd3(work: usize): bool {
  const v = work + 72, s = work + 144;
  let largest: f64 = 0;
  let sum: f64 = 0;
  for (let n: usize = 0; n < 9; n++) {
    const entry = load<f64>(work + n * 8);
    sum += entry - entry; // NaN when any entry is NaN or infinite
    largest = max(largest, abs(entry));
  }
  identity(v);
  if (sum != 0 || largest == 0) {
    identity(work);
    for (let n: usize = 0; n < 3; n++) store<f64>(s + n * 8, 0);
    return sum == 0;
  }
  // to entries of at most 1: squares of 1e150 or of subnormals would leave the range; two factors for subnormals
  const shrink = largest < 1e-300 ? largest * 1e300 : largest;
  const lift: f64 = largest < 1e-300 ? 1e300 : 1;
  for (let n: usize = 0; n < 9; n++) store<f64>(work + n * 8, (load<f64>(work + n * 8) * lift) / shrink);

  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let turned = rotateColumns(work, v, 0, 1);
    turned = rotateColumns(work, v, 0, 2) || turned;
    turned = rotateColumns(work, v, 1, 2) || turned;
    if (!turned) break;
  }
  if (columnSquare(work, 0) < columnSquare(work, 1)) swapColumns(work, v, 0, 1);
  if (columnSquare(work, 0) < columnSquare(work, 2)) swapColumns(work, v, 0, 2);
  if (columnSquare(work, 1) < columnSquare(work, 2)) swapColumns(work, v, 1, 2);
  normaliseColumns(work, s, (shrink / lift));
  return true;
}

function identity(m: usize): void {
  for (let n: usize = 0; n < 9; n++) store<f64>(m + n * 8, n % 4 == 0 ? 1 : 0);
}

function columnSquare(m: usize, column: usize): f64 {
  const a = get(m, 0, column), b = get(m, 1, column), c = get(m, 2, column);
  return a * a + b * b + c * c;
}

/** Turns columns p and q of the matrix (and of V) until they are orthogonal; false when they already were. */
function rotateColumns(m: usize, v: usize, p: usize, q: usize): bool {
  const alpha = columnSquare(m, p), beta = columnSquare(m, q);
  const gamma = get(m, 0, p) * get(m, 0, q) + get(m, 1, p) * get(m, 1, q) + get(m, 2, p) * get(m, 2, q);
  if (abs(gamma) <= ORTHOGONAL * sqrt(alpha * beta) || gamma == 0) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta >= 0 ? 1.0 : -1.0) / (abs(zeta) + sqrt(1 + zeta * zeta));
  const c = 1 / sqrt(1 + t * t), s = c * t;
  for (let row: usize = 0; row < 3; row++) {
    const mp = get(m, row, p), mq = get(m, row, q);
    set(m, row, p, c * mp - s * mq);
    set(m, row, q, s * mp + c * mq);
    const vp = get(v, row, p), vq = get(v, row, q);
    set(v, row, p, c * vp - s * vq);
    set(v, row, q, s * vp + c * vq);
  }
  return true;
}

/** Swaps two columns of both, one negated so that V stays a rotation. */
function swapColumns(m: usize, v: usize, p: usize, q: usize): void {
  for (let row: usize = 0; row < 3; row++) {
    const mp = get(m, row, p), vp = get(v, row, p);
    set(m, row, p, get(m, row, q));
    set(m, row, q, -mp);
    set(v, row, p, get(v, row, q));
    set(v, row, q, -vp);
  }
}

/** Columns to unit vectors and lengths; directions that are lost in rounding are made up, the third is a cross product. */
function normaliseColumns(u: usize, s: usize, scale: f64): void {
  const length0 = sqrt(columnSquare(u, 0)), length1 = sqrt(columnSquare(u, 1));
  let x0 = get(u, 0, 0) / length0, y0 = get(u, 1, 0) / length0, z0 = get(u, 2, 0) / length0;
  let x1: f64, y1: f64, z1: f64;
  if (length1 > NO_DIRECTION * length0) {
    x1 = get(u, 0, 1) / length1; y1 = get(u, 1, 1) / length1; z1 = get(u, 2, 1) / length1;
  } else if (abs(x0) < 0.7) { // any unit vector orthogonal to the first: e_x × u0, or e_y × u0
    const n = 1 / sqrt(y0 * y0 + z0 * z0);
    x1 = 0; y1 = -z0 * n; z1 = y0 * n;
  } else {
    const n = 1 / sqrt(x0 * x0 + z0 * z0);
    x1 = z0 * n; y1 = 0; z1 = -x0 * n;
  }
  // a short second column carries rounding of the first: take that out before it becomes long
  const along = x0 * x1 + y0 * y1 + z0 * z1;
  x1 -= along * x0; y1 -= along * y0; z1 -= along * z0;
  const unit = 1 / sqrt(x1 * x1 + y1 * y1 + z1 * z1);
  x1 *= unit; y1 *= unit; z1 *= unit;
  const x2 = y0 * z1 - z0 * y1, y2 = z0 * x1 - x0 * z1, z2 = x0 * y1 - y0 * x1;
  store<f64>(s, length0 * scale);
  store<f64>(s, length1 * scale, 8);
  store<f64>(s, (x2 * get(u, 0, 2) + y2 * get(u, 1, 2) + z2 * get(u, 2, 2)) * scale, 16);
  set(u, 0, 0, x0); set(u, 1, 0, y0); set(u, 2, 0, z0);
  set(u, 0, 1, x1); set(u, 1, 1, y1); set(u, 2, 1, z1);
  set(u, 0, 2, x2); set(u, 1, 2, y2); set(u, 2, 2, z2);
}
