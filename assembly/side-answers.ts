/**
 * How bones answer a force on a contact side: the same sums in the same order as `solve` of src/solvers/projective/outside/bone-response.ts,
 * which explains them; the bits are the same.
 */

/** Adds K^-1 times the push through entries [first, last) to `rows` answers of three f32; `inverse`: `rows` by `rows` f64. */
export function answerSide(rows: usize, inverse: usize, bones: usize, entries: usize, first: usize, last: usize, answers: usize): void {
  const stride = rows << 3;
  const end = answers + rows * 12;
  for (let e = first; e < last; e++) {
    const entry = entries + (e << 5);
    const a0 = load<f64>(entry), a1 = load<f64>(entry, 8), a2 = load<f64>(entry, 16), share = load<f64>(entry, 24);
    let k = inverse + <usize>load<u32>(bones + (e << 2)) * 48;
    for (let o = answers; o < end; o += 12, k += stride) {
      const x = load<f64>(k), y = load<f64>(k, 8), z = load<f64>(k, 16);
      store<f32>(o, <f32>(<f64>load<f32>(o) + (z * -a1 + y * a2 + load<f64>(k, 24) * share)));
      store<f32>(o, <f32>(<f64>load<f32>(o, 4) + (x * -a2 + z * a0 + load<f64>(k, 32) * share)), 4);
      store<f32>(o, <f32>(<f64>load<f32>(o, 8) + (y * -a0 + x * a1 + load<f64>(k, 40) * share)), 8);
    }
  }
}
