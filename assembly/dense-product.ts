/** Products of small dense matrices in f64. Specified in src/kernels/reference/dense-product.ts; the bits are the same. */

/** out[j, i] = sum over k of a[i, k] b[j, k]: rows of `a` times rows of `b`, `inner` numbers each; `columns` rows of `b` become rows of `out`. Four rows of `a` at a time, each in two sums. */
export function denseProduct(rows: usize, columns: usize, inner: usize, a: usize, b: usize, out: usize): void {
  const stride = inner << 3;
  const even = (inner & ~1) << 3;
  for (let j: usize = 0; j < columns; j++) {
    const y = b + j * stride;
    let to = out + ((j * rows) << 3);
    let i: usize = 0;
    for (; i + 3 < rows; i += 4, to += 32) {
      const p = a + i * stride, q = p + stride, r = q + stride, s = r + stride;
      let sp = f64x2.splat(0), sq = sp, sr = sp, ss = sp;
      for (let k: usize = 0; k < even; k += 16) {
        const other = v128.load(y + k);
        sp = f64x2.add(sp, f64x2.mul(v128.load(p + k), other));
        sq = f64x2.add(sq, f64x2.mul(v128.load(q + k), other));
        sr = f64x2.add(sr, f64x2.mul(v128.load(r + k), other));
        ss = f64x2.add(ss, f64x2.mul(v128.load(s + k), other));
      }
      store<f64>(to, endSum(sp, p, y, even, stride));
      store<f64>(to, endSum(sq, q, y, even, stride), 8);
      store<f64>(to, endSum(sr, r, y, even, stride), 16);
      store<f64>(to, endSum(ss, s, y, even, stride), 24);
    }
    for (; i < rows; i++, to += 8) {
      const p = a + i * stride;
      let sum = f64x2.splat(0);
      for (let k: usize = 0; k < even; k += 16) sum = f64x2.add(sum, f64x2.mul(v128.load(p + k), v128.load(y + k)));
      store<f64>(to, endSum(sum, p, y, even, stride));
    }
  }
}

/** The product that is left of an odd number, and both sums together. */
// @ts-ignore: decorator
@inline function endSum(sums: v128, x: usize, y: usize, even: usize, stride: usize): f64 {
  let sum = f64x2.extract_lane(sums, 0);
  if (even < stride) sum += load<f64>(x + even) * load<f64>(y + even);
  return sum + f64x2.extract_lane(sums, 1);
}
