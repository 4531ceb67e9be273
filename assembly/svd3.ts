/**
 * Signed singular value decomposition of one 3x3 matrix in f64 (one-sided Jacobi), for the elements the quaternion
 * Newton cannot take: F = U diag(s) Vᵀ with det U = det V = +1, s0 >= s1 >= |s2|, only s2 may be negative.
 * The same operations in the same order as src/math/svd3.ts, which explains them: the results have the same bits.
 *
 * Work memory, f64 each: [0,9) the matrix (in: F, out: U), [9,18) V, [18,21) s. Row major.
 */

const MAX_SWEEPS: i32 = 20;
const COSINE_SQ_TOLERANCE: f64 = 1.9721522630525295e-31;
const NO_LENGTH_SQ: f64 = 1e-280;
/** Magnitudes in [2^-100, 2^100] need no scaling; 2^200 and 2^-200 bring the others there. */
const LOW: f64 = 7.888609052210118e-31;
const HIGH: f64 = 1.2676506002282294e30;
const UP: f64 = 1.6069380442589903e60;
const DOWN: f64 = 6.223015277861142e-61;

// @ts-ignore: decorator
@inline function get(m: usize, row: usize, column: usize): f64 { return load<f64>(m + (row * 3 + column) * 8); }
// @ts-ignore: decorator
@inline function set(m: usize, row: usize, column: usize, value: f64): void { store<f64>(m + (row * 3 + column) * 8, value); }

/** Decomposes the matrix at `work` in place; false, with U = V = I and s = 0, where an entry or s0 is not finite. */
export function svd3(work: usize): bool {
  const v = work + 72, s = work + 144;
  let largest: f64 = 0;
  let sum: f64 = 0;
  for (let n: usize = 0; n < 9; n++) {
    const entry = load<f64>(work + n * 8);
    sum += entry - entry; // NaN when any entry is NaN or infinite
    largest = max(largest, abs(entry));
  }
  if (sum != 0 || largest == 0) {
    reset(work);
    return sum == 0;
  }
  let scale: f64 = 1;
  while (largest * scale < LOW) scale *= UP;
  while (largest * scale > HIGH) scale *= DOWN;
  for (let n: usize = 0; n < 9; n++) store<f64>(work + n * 8, load<f64>(work + n * 8) * scale);
  identity(v);

  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let turned = orthogonalise(work, v, 0, 1);
    turned = orthogonalise(work, v, 0, 2) || turned;
    turned = orthogonalise(work, v, 1, 2) || turned;
    if (!turned) break;
  }
  sortColumns(work, v, 0, 1);
  sortColumns(work, v, 1, 2);
  sortColumns(work, v, 0, 1);

  finishRotation(v);
  const back = 1 / scale;
  const s0 = sqrt(columnDot(work, 0, 0)), s1 = sqrt(columnDot(work, 1, 1));
  const x = get(work, 0, 2), y = get(work, 1, 2), z = get(work, 2, 2);
  finishRotation(work);
  const along = x * get(work, 0, 2) + y * get(work, 1, 2) + z * get(work, 2, 2);
  const s2 = along > s1 ? s1 : along < -s1 ? -s1 : along;
  store<f64>(s, s0 * back);
  store<f64>(s, s1 * back, 8);
  store<f64>(s, s2 * back + 0.0, 16); // + 0 turns −0 into 0
  if (!(s0 * back <= f64.MAX_VALUE)) {
    reset(work);
    return false;
  }
  return true;
}

/** U = V = I, s = 0. */
function reset(work: usize): void {
  identity(work);
  identity(work + 72);
  for (let n: usize = 0; n < 3; n++) store<f64>(work + 144 + n * 8, 0);
}

function identity(m: usize): void {
  for (let n: usize = 0; n < 9; n++) store<f64>(m + n * 8, n % 4 == 0 ? 1 : 0);
}

/** Scalar product of columns p and q. */
function columnDot(m: usize, p: usize, q: usize): f64 {
  return get(m, 0, p) * get(m, 0, q) + get(m, 1, p) * get(m, 1, q) + get(m, 2, p) * get(m, 2, q);
}

/** Turns columns p and q of the matrix, and of V, until they are orthogonal; false when they already were. */
function orthogonalise(m: usize, v: usize, p: usize, q: usize): bool {
  const pp = columnDot(m, p, p), qq = columnDot(m, q, q), pq = columnDot(m, p, q);
  if (pq * pq <= COSINE_SQ_TOLERANCE * pp * qq) return false;
  const zeta = (qq - pp) / (2 * pq);
  const t = (zeta < 0 ? -1.0 : 1.0) / (abs(zeta) + sqrt(1 + zeta * zeta));
  const c = 1 / sqrt(1 + t * t), s = t * c;
  rotateColumns(m, p, q, c, s);
  rotateColumns(v, p, q, c, s);
  return true;
}

function rotateColumns(m: usize, p: usize, q: usize, c: f64, s: f64): void {
  for (let row: usize = 0; row < 3; row++) {
    const a = get(m, row, p), b = get(m, row, q);
    set(m, row, p, c * a - s * b);
    set(m, row, q, s * a + c * b);
  }
}

/** Exchanges columns p and q in both matrices when the second is longer. */
function sortColumns(m: usize, v: usize, p: usize, q: usize): void {
  if (columnDot(m, p, p) >= columnDot(m, q, q)) return;
  exchangeColumns(m, p, q);
  exchangeColumns(v, p, q);
}

function exchangeColumns(m: usize, p: usize, q: usize): void {
  for (let row: usize = 0; row < 3; row++) {
    const a = get(m, row, p);
    set(m, row, p, get(m, row, q));
    set(m, row, q, -a);
  }
}

/** Columns, nearly orthogonal and longest first, to a rotation; a direction lost in rounding is made up. */
function finishRotation(m: usize): void {
  const length0 = sqrt(columnDot(m, 0, 0));
  const x0 = get(m, 0, 0) / length0, y0 = get(m, 1, 0) / length0, z0 = get(m, 2, 0) / length0;
  const lengthSq = columnDot(m, 1, 1);
  const overlap = x0 * get(m, 0, 1) + y0 * get(m, 1, 1) + z0 * get(m, 2, 1);
  let x1 = get(m, 0, 1) - overlap * x0, y1 = get(m, 1, 1) - overlap * y0, z1 = get(m, 2, 1) - overlap * z0;
  if (lengthSq < NO_LENGTH_SQ || x1 * x1 + y1 * y1 + z1 * z1 < 0.5 * lengthSq) {
    const ax = abs(x0), ay = abs(y0), az = abs(z0);
    const useX = ax <= ay && ax <= az;
    const useY = !useX && ay <= az;
    x1 = useX ? 0 : useY ? -z0 : y0;
    y1 = useX ? z0 : useY ? 0 : -x0;
    z1 = useX ? -y0 : useY ? x0 : 0;
  }
  const length1 = sqrt(x1 * x1 + y1 * y1 + z1 * z1);
  x1 /= length1; y1 /= length1; z1 /= length1;
  set(m, 0, 0, x0); set(m, 1, 0, y0); set(m, 2, 0, z0);
  set(m, 0, 1, x1); set(m, 1, 1, y1); set(m, 2, 1, z1);
  set(m, 0, 2, y0 * z1 - z0 * y1); set(m, 1, 2, z0 * x1 - x0 * z1); set(m, 2, 2, x0 * y1 - y0 * x1);
}
