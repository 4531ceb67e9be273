/**
 * LDLᵀ of a small symmetric matrix stored by rows from the first entry that can be non-zero, in place, in f64. The same sums
 * in the same order as src/linalg/skyline-ldlt.ts, which explains it: the bits are the same. Row i holds columns
 * first[i] .. i; entry (i, j) is values[origin[i] + j]. 1 over each pivot goes to `inverse`.
 */

// @ts-ignore: decorator
@inline function at(array: usize, index: i32): usize { return array + (usize(index) << 3); }
// @ts-ignore: decorator
@inline function word(array: usize, index: i32): i32 { return load<i32>(array + (usize(index) << 2)); }

/**
 * Factors; returns how many rows were dropped because their pivot cancelled to less than `cancelled` of its terms. Rows that begin in the same
 * column, as those of a bone do, are taken two at a time: what both are multiplied with is loaded once.
 */
export function factorSkyline(size: i32, first: usize, origin: usize, values: usize, inverse: usize, cancelled: f64): i32 {
  let dropped: i32 = 0;
  for (let i = 0; i < size; i++) {
    const fi = word(first, i), oi = word(origin, i);
    const pair = i + 1 < size && word(first, i + 1) == fi;
    const on = pair ? word(origin, i + 1) : 0;
    for (let j = fi + 1; j < i; j++) {
      const from = max(fi, word(first, j));
      if (pair) subtractTwo(values, oi, on, word(origin, j), from, j);
      else subtractOne(values, oi, word(origin, j), from, j);
    }
    dropped += endRow(i, fi, oi, values, inverse, cancelled);
    if (!pair) continue;
    i++;
    if (fi < i - 1) subtractOne(values, on, oi, fi, i - 1);
    dropped += endRow(i, fi, on, values, inverse, cancelled);
  }
  return dropped;
}

/** Entry j of the row at oi, less its product with row j from column `from` on. */
// @ts-ignore: decorator
@inline function subtractOne(values: usize, oi: i32, oj: i32, from: i32, j: i32): void {
  const entry = at(values, oi + j);
  store<f64>(entry, load<f64>(entry) - dot(at(values, oi + from), at(values, oj + from), j - from));
}

/** The same for two rows: each sum is that of `dot`. */
// @ts-ignore: decorator
@inline function subtractTwo(values: usize, oi: i32, on: i32, oj: i32, from: i32, j: i32): void {
  let a = at(values, oi + from), b = at(values, on + from), c = at(values, oj + from);
  const length = j - from;
  let lowA = f64x2.splat(0), highA = f64x2.splat(0), lowB = f64x2.splat(0), highB = f64x2.splat(0);
  let k = 0;
  for (; k + 3 < length; k += 4) {
    const low = v128.load(c), high = v128.load(c, 16);
    lowA = f64x2.add(lowA, f64x2.mul(v128.load(a), low));
    highA = f64x2.add(highA, f64x2.mul(v128.load(a, 16), high));
    lowB = f64x2.add(lowB, f64x2.mul(v128.load(b), low));
    highB = f64x2.add(highB, f64x2.mul(v128.load(b, 16), high));
    a += 32;
    b += 32;
    c += 32;
  }
  let firstA = f64x2.extract_lane(lowA, 0), firstB = f64x2.extract_lane(lowB, 0);
  for (; k < length; k++) {
    const other = load<f64>(c);
    firstA += load<f64>(a) * other;
    firstB += load<f64>(b) * other;
    a += 8;
    b += 8;
    c += 8;
  }
  // both now point at their entry j
  store<f64>(a, load<f64>(a) - (firstA + f64x2.extract_lane(lowA, 1) + (f64x2.extract_lane(highA, 0) + f64x2.extract_lane(highA, 1))));
  store<f64>(b, load<f64>(b) - (firstB + f64x2.extract_lane(lowB, 1) + (f64x2.extract_lane(highB, 0) + f64x2.extract_lane(highB, 1))));
}

/** Scales row i, whose products are subtracted; 1 where its pivot cancelled. */
// @ts-ignore: decorator
@inline function endRow(i: i32, fi: i32, oi: i32, values: usize, inverse: usize, cancelled: f64): i32 {
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
  return redundant ? 1 : 0;
}

/** b <- L^-1 b, b zero before row `from`, in two sums side by side. */
export function forwardSkyline(size: i32, from: i32, first: usize, origin: usize, values: usize, b: usize): void {
  for (let i = from; i < size; i++) {
    const start = max(word(first, i), from);
    let l = at(values, word(origin, i) + start), x = at(b, start);
    let sums = f64x2.splat(0);
    let k = start;
    for (; k + 1 < i; k += 2) {
      sums = f64x2.add(sums, f64x2.mul(v128.load(l), v128.load(x)));
      l += 16;
      x += 16;
    }
    let sum = f64x2.extract_lane(sums, 0);
    if (k < i) sum += load<f64>(l) * load<f64>(x);
    const entry = at(b, i);
    store<f64>(entry, load<f64>(entry) - (sum + f64x2.extract_lane(sums, 1)));
  }
}

/** b <- L^-T D^-1 b. */
export function backwardSkyline(size: i32, first: usize, origin: usize, values: usize, inverse: usize, b: usize): void {
  for (let i = 0; i < size; i++) store<f64>(at(b, i), load<f64>(at(b, i)) * load<f64>(at(inverse, i)));
  for (let i = size - 1; i >= 0; i--) {
    const value = f64x2.splat(load<f64>(at(b, i)));
    let k = word(first, i);
    let l = at(values, word(origin, i) + k), x = at(b, k);
    for (; k + 1 < i; k += 2) {
      v128.store(x, f64x2.sub(v128.load(x), f64x2.mul(v128.load(l), value)));
      l += 16;
      x += 16;
    }
    if (k < i) store<f64>(x, load<f64>(x) - load<f64>(l) * f64x2.extract_lane(value, 0));
  }
}

/** Solves with a factor for six right-hand sides at once, interleaved (6 numbers per row) at b, that are zero before row `from`. */
export function solveSixSkyline(size: i32, from: i32, first: usize, origin: usize, values: usize, inverse: usize, b: usize): void {
  for (let i = from; i < size; i++) {
    const start = max(word(first, i), from);
    const row = at(b, i * 6);
    let x = v128.load(row), y = v128.load(row, 16), z = v128.load(row, 32);
    let value = at(values, word(origin, i) + start), other = at(b, start * 6);
    for (let k = start; k < i; k++) {
      const l = v128.load64_splat(value);
      x = f64x2.sub(x, f64x2.mul(l, v128.load(other)));
      y = f64x2.sub(y, f64x2.mul(l, v128.load(other, 16)));
      z = f64x2.sub(z, f64x2.mul(l, v128.load(other, 32)));
      value += 8;
      other += 48;
    }
    store3(row, x, y, z);
  }
  for (let i = from; i < size; i++) {
    const scale = v128.load64_splat(at(inverse, i)), row = at(b, i * 6);
    store3(row, f64x2.mul(v128.load(row), scale), f64x2.mul(v128.load(row, 16), scale), f64x2.mul(v128.load(row, 32), scale));
  }
  for (let i = size - 1; i >= 0; i--) {
    const start = word(first, i), row = at(b, i * 6);
    const x = v128.load(row), y = v128.load(row, 16), z = v128.load(row, 32);
    let value = at(values, word(origin, i) + start), other = at(b, start * 6);
    for (let k = start; k < i; k++) {
      const l = v128.load64_splat(value);
      store3(
        other,
        f64x2.sub(v128.load(other), f64x2.mul(l, x)),
        f64x2.sub(v128.load(other, 16), f64x2.mul(l, y)),
        f64x2.sub(v128.load(other, 32), f64x2.mul(l, z)),
      );
      value += 8;
      other += 48;
    }
  }
}

// @ts-ignore: decorator
@inline function store3(row: usize, x: v128, y: v128, z: v128): void {
  v128.store(row, x);
  v128.store(row, y, 16);
  v128.store(row, z, 32);
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
