/** Eigenvalues of a small symmetric matrix by Jacobi rotations. */

/** All eigenvalues of the n x n matrix, row major; it is overwritten. */
export function jacobiEigenvalues(matrix: Float64Array, n: number): number[] {
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const a = matrix[n * p + q];
        off += a * a;
        if (a === 0) continue;
        const theta = (matrix[n * q + q] - matrix[n * p + p]) / (2 * a);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
        const c = 1 / Math.sqrt(1 + t * t);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const [x, y] = [matrix[n * k + p], matrix[n * k + q]];
          matrix[n * k + p] = c * x - s * y;
          matrix[n * k + q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [matrix[n * p + k], matrix[n * q + k]];
          matrix[n * p + k] = c * x - s * y;
          matrix[n * q + k] = s * x + c * y;
        }
      }
    }
    if (off < 1e-28) break;
  }
  return Array.from({ length: n }, (_, i) => matrix[n * i + i]);
}
