/** Eigenvalues and vectors of small symmetric matrices by Jacobi's rotations. Called when models are built. */

const MOST_ROUNDS = 60;
const ROUNDING = 1e-15;

/** Eigenvalues of the n x n matrix a (row by row, used up), lowest first, and their unit vectors as rows. */
export function symmetricEigen(a: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  let trace = 0;
  for (let i = 0; i < n; i++) trace += Math.abs(a[i * n + i]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let off = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) off = Math.max(off, Math.abs(a[i * n + j]));
    if (!(off > ROUNDING * trace)) break;
    for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) rotate(a, v, n, i, j);
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => a[i * n + i] - a[j * n + j] || i - j);
  const values = Float64Array.from(order, (i) => a[i * n + i]);
  const vectors = new Float64Array(n * n);
  order.forEach((i, row) => {
    vectors.set(v.subarray(i * n, i * n + n), row * n);
  });
  return { values, vectors };
}

/** Makes entry (i, j) zero: a ← J a Jᵀ, v ← J v. */
function rotate(a: Float64Array, v: Float64Array, n: number, i: number, j: number): void {
  const between = a[i * n + j];
  if (between === 0) return;
  const theta = (a[j * n + j] - a[i * n + i]) / (2 * between);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[k * n + i], a[k * n + j]];
    a[k * n + i] = c * x - s * y;
    a[k * n + j] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[i * n + k], a[j * n + k]];
    a[i * n + k] = c * x - s * y;
    a[j * n + k] = s * x + c * y;
    const [p, q] = [v[i * n + k], v[j * n + k]];
    v[i * n + k] = c * p - s * q;
    v[j * n + k] = s * p + c * q;
  }
}
