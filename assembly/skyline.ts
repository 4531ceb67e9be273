/**
 * LDLᵀ of a small symmetric matrix stored by rows from the first entry that can be non-zero, in place, in f64. The same sums
 * in the same order as src/linalg/skyline-ldlt.ts, which explains it: the bits are the same. Row i holds columns
 * first[i] .. i; entry (i, j) is values[origin[i] + j]. 1 over each pivot goes to `inverse`.
 */

// @ts-ignore: decorator
@inline function at(array: usize, index: i32): usize { return array + (usize(index) << 3); }
// @ts-ignore: decorator
@inline function word(array: usize, index: i32): i32 { return load<i32>(array + (usize(index) << 2)); }

/** Factors; returns how many rows were dropped because their pivot cancelled to less than `cancelled` of its terms. */
export function factorSkyline(size: i32, first: usize, origin: usize, values: usize, inverse: usize, cancelled: f64): i32 {
  let dropped: i32 = 0;
  for (let i = 0; i < size; i++) {
    const fi = word(first, i), oi = word(origin, i);
    for (let j = fi + 1; j < i; j++) {
      const from = max(fi, word(first, j));
      const entry = at(values, oi + j);
      store<f64>(entry, load<f64>(entry) - dot(at(values, oi + from), at(values, word(origin, j) + from), j - from));
    }
    let pivot = load<f64>(at(values, oi + i));
    let terms = abs(pivot);
    for (let j = fi; j < i; j++) {
      const entry = at(values, oi + j);
      const value = load<f64>(entry);
      const l = value * load<f64>(at(inverse, j));
      const term = value * l;
      pivot -= term;
      terms += abs(term);
      store<f64>(entry, l);
    }
    const redundant = !(abs(pivot) > cancelled * terms);
    store<f64>(at(inverse, i), redundant ? 0 : 1 / pivot);
    if (redundant) dropped++;
  }
  return dropped;
}

/** Sum of products of `length` numbers, in four sums side by side. */
// @ts-ignore: decorator
@inline function dot(a: usize, b: usize, length: i32): f64 {
  let low = f64x2.splat(0), high = f64x2.splat(0);
  let k = 0;
  for (; k + 3 < length; k += 4) {
    low = f64x2.add(low, f64x2.mul(v128.load(a), v128.load(b)));
    high = f64x2.add(high, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    a += 32;
    b += 32;
  }
  let first = f64x2.extract_lane(low, 0);
  for (; k < length; k++) {
    first += load<f64>(a) * load<f64>(b);
    a += 8;
    b += 8;
  }
  return first + f64x2.extract_lane(low, 1) + (f64x2.extract_lane(high, 0) + f64x2.extract_lane(high, 1));
}
