/** Specification of the kernel `denseRows` (assembly/dense-rows.ts) in f64: a dense matrix times rows (x, y, z, unused). */

/** y[i] = sum over j of table[i, j] x[j]; the table is square, `size` numbers a row. */
export function denseRows(table: ArrayLike<number>, size: number, x: ArrayLike<number>, y: Float64Array): void {
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < 4; k++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += table[i * size + j] * x[j * 4 + k];
      y[i * 4 + k] = sum;
    }
  }
}
