/** Specification of the kernel `denseProduct` (assembly/dense-product.ts), in the same order: the bits are the same. */

/** out[j, i] = Σ_k a[i, k] b[j, k], `rows` of a and `columns` of b with `inner` numbers each. */
export function denseProduct(
  rows: number,
  columns: number,
  inner: number,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  out: Float64Array,
): void {
  for (let j = 0; j < columns; j++) {
    for (let i = 0; i < rows; i++) {
      const sums = [0, 0];
      for (let k = 0; k < inner; k++) sums[k % 2] += a[i * inner + k] * b[j * inner + k];
      out[j * rows + i] = sums[0] + sums[1];
    }
  }
}
