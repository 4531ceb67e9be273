/** A dense matrix times f32 rows (x, y, z, 0): how the vertices of a soft body answer pushes on all of them. */
import { add, mul, splat } from './lanes';

/** y[i] = sum over j of table[i, j] x[j], for rows i of [first, last); the table is `size` f32 a row. Specified in src/kernels/reference/dense-rows.ts. */
export function denseRows(first: usize, last: usize, table: usize, size: usize, x: usize, y: usize): void {
  const even = size & ~1;
  for (let i = first; i < last; i++) {
    const row = table + i * size * 4;
    // two sums side by side: one alone would wait for itself
    let a = splat(0), b = splat(0);
    for (let j: usize = 0; j < even; j += 2) {
      a = add(a, mul(v128.load_splat<f32>(row + j * 4), v128.load(x + j * 16)));
      b = add(b, mul(v128.load_splat<f32>(row + j * 4, 4), v128.load(x + j * 16, 16)));
    }
    if (even < size) a = add(a, mul(v128.load_splat<f32>(row + even * 4), v128.load(x + even * 16)));
    v128.store(y + i * 16, add(a, b));
  }
}
