/** Small dense matrices that are symmetric and positive, by rows, in place. */

/** What eliminating others may leave of a row's own number, as a share of it, before the row counts as one of them. */
const SAME = 1e-10;

/** The Cholesky factor in the lower half of n × n numbers. A row that says what others say already gets nothing but an infinite number, by which all that comes of it is nothing. */
export function factorLower(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const r = i * n;
    for (let j = 0; j <= i; j++) {
      const s = j * n;
      // four sums, that none has to wait for the one before
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let k = 0;
      for (; k + 3 < j; k += 4) {
        s0 += a[r + k] * a[s + k];
        s1 += a[r + k + 1] * a[s + k + 1];
        s2 += a[r + k + 2] * a[s + k + 2];
        s3 += a[r + k + 3] * a[s + k + 3];
      }
      for (; k < j; k++) s0 += a[r + k] * a[s + k];
      const rest = a[r + j] - (s0 + s1 + (s2 + s3));
      if (j < i) a[r + j] = rest / a[s + j];
      else if (rest > SAME * a[r + i]) a[r + i] = Math.sqrt(rest);
      else {
        a.fill(0, r, r + i);
        a[r + i] = Number.POSITIVE_INFINITY;
      }
    }
  }
}

/** The inverse of such a factor, in its place, and nothing in the upper half. */
export function invertLower(l: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const r = i * n;
    const d = 1 / l[r + i];
    // row i = −d (row i of l) (rows above, which are inverted already)
    for (let j = 0; j < i; j++) {
      const f = l[r + j];
      l[r + j] = 0;
      const s = j * n;
      for (let k = 0; k <= j; k++) l[r + k] -= f * l[s + k];
    }
    for (let k = 0; k < i; k++) l[r + k] *= d;
    l[r + i] = d;
    l.fill(0, r + i + 1, r + n);
  }
}

/** out += sign · wᵀ w, the lower half of n × n numbers, for `rows` rows of w, which may be lower themselves. */
export function addSquare(
  w: Float64Array,
  rows: number,
  n: number,
  isLower: boolean,
  sign: number,
  out: Float64Array,
): void {
  let k = 0;
  // four rows at a time: the sums are read and written less often
  for (; k + 3 < rows; k += 4) {
    const a = k * n;
    const b = a + n;
    const c = b + n;
    const d = c + n;
    const end = isLower ? k + 4 : n;
    for (let i = 0; i < end; i++) {
      const f = sign * w[a + i];
      const g = sign * w[b + i];
      const h = sign * w[c + i];
      const e = sign * w[d + i];
      const to = i * n;
      for (let j = 0; j <= i; j++) out[to + j] += f * w[a + j] + g * w[b + j] + (h * w[c + j] + e * w[d + j]);
    }
  }
  for (; k < rows; k++) {
    const a = k * n;
    const end = isLower ? k + 1 : n;
    for (let i = 0; i < end; i++) {
      const f = sign * w[a + i];
      for (let j = 0; j <= i; j++) out[i * n + j] += f * w[a + j];
    }
  }
}

/** The upper half of a symmetric matrix from its lower one. */
export function mirror(a: Float64Array, n: number): void {
  for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
}
