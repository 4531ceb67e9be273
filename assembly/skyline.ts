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
 * column, as those of a bone do, are taken two at a time, and with them columns: what several are multiplied with is loaded once. A row that is left over is its own other.
 */
export function factorSkyline(size: i32, first: usize, origin: usize, values: usize, inverse: usize, cancelled: f64): i32 {
  let dropped: i32 = 0;
  for (let i = 0; i < size; i++) {
    const fi = word(first, i), oi = word(origin, i);
    const pair = i + 1 < size && word(first, i + 1) == fi;
    const on = pair ? word(origin, i + 1) : oi;
    for (let j = fi + 1; j < i; j++) {
      const from = max(fi, word(first, j)), oj = word(origin, j);
      if (isTwin(j, i, from, fi, first)) {
        subtractFour(values, oi, on, oj, word(origin, j + 1), from, j);
        j++;
      } else subtractTwo(values, oi, on, oj, from, j);
    }
    if (!pair) {
      dropped += endRow(i, fi, oi, values, inverse, cancelled);
      continue;
    }
    dropped += endTwo(i, fi, oi, on, values, inverse, cancelled);
    i++;
  }
  return dropped;
}

/** Whether column j + 1, below row i as well, has as many whole blocks of four products as column j. */
// @ts-ignore: decorator
@inline function isTwin(j: i32, i: i32, from: i32, fi: i32, first: usize): bool {
  return ((j - from) & 1) == 0 && j + 1 < i && max(fi, word(first, j + 1)) == from;
}

/** Entry j of the rows at oi and on, less their products with row j from column `from` on, each in four sums side by side. */
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
  // both now point at their entry j, which may be the same
  const inA = load<f64>(a), inB = load<f64>(b);
  store<f64>(a, inA - (firstA + f64x2.extract_lane(lowA, 1) + (f64x2.extract_lane(highA, 0) + f64x2.extract_lane(highA, 1))));
  store<f64>(b, inB - (firstB + f64x2.extract_lane(lowB, 1) + (f64x2.extract_lane(highB, 0) + f64x2.extract_lane(highB, 1))));
}

/** Entries j and j + 1 of two rows: each sum is as there, and the last product of the second column is with the first. */
function subtractFour(values: usize, oi: i32, on: i32, oj: i32, om: i32, from: i32, j: i32): void {
  let a = at(values, oi + from), b = at(values, on + from), c = at(values, oj + from), d = at(values, om + from);
  const length = j - from;
  let lowAc = f64x2.splat(0), highAc = lowAc, lowBc = lowAc, highBc = lowAc;
  let lowAd = lowAc, highAd = lowAc, lowBd = lowAc, highBd = lowAc;
  for (let k = 3; k < length; k += 4) {
    let x = v128.load(a), y = v128.load(b), z = v128.load(c), w = v128.load(d);
    lowAc = f64x2.add(lowAc, f64x2.mul(x, z));
    lowBc = f64x2.add(lowBc, f64x2.mul(y, z));
    lowAd = f64x2.add(lowAd, f64x2.mul(x, w));
    lowBd = f64x2.add(lowBd, f64x2.mul(y, w));
    x = v128.load(a, 16); y = v128.load(b, 16); z = v128.load(c, 16); w = v128.load(d, 16);
    highAc = f64x2.add(highAc, f64x2.mul(x, z));
    highBc = f64x2.add(highBc, f64x2.mul(y, z));
    highAd = f64x2.add(highAd, f64x2.mul(x, w));
    highBd = f64x2.add(highBd, f64x2.mul(y, w));
    a += 32; b += 32; c += 32; d += 32;
  }
  // first sums of both rows side by side, then the others
  let firstC = lower(lowAc, lowBc), firstD = lower(lowAd, lowBd);
  for (let k = length & ~3; k < length; k++) {
    const both = f64x2.replace_lane(v128.load64_splat(a), 1, load<f64>(b));
    firstC = f64x2.add(firstC, f64x2.mul(both, v128.load64_splat(c)));
    firstD = f64x2.add(firstD, f64x2.mul(both, v128.load64_splat(d)));
    a += 8; b += 8; c += 8; d += 8;
  }
  // all now point at their entry j
  const inA = v128.load(a), inB = v128.load(b);
  const newC = f64x2.sub(lower(inA, inB), f64x2.add(f64x2.add(firstC, upper(lowAc, lowBc)), f64x2.add(lower(highAc, highBc), upper(highAc, highBc))));
  firstD = f64x2.add(firstD, f64x2.mul(newC, v128.load64_splat(d)));
  const newD = f64x2.sub(upper(inA, inB), f64x2.add(f64x2.add(firstD, upper(lowAd, lowBd)), f64x2.add(lower(highAd, highBd), upper(highAd, highBd))));
  // whole, so that they can be loaded whole soon after
  v128.store(a, lower(newC, newD));
  v128.store(b, upper(newC, newD));
}

// @ts-ignore: decorator
@inline function lower(a: v128, b: v128): v128 { return v128.shuffle<f64>(a, b, 0, 2); }
// @ts-ignore: decorator
@inline function upper(a: v128, b: v128): v128 { return v128.shuffle<f64>(a, b, 1, 3); }

/** Scales rows i and i + 1, whose products are subtracted but for that of the one with the other: in one pass, as each sum would wait for itself alone. Returns how many pivots cancelled. */
// @ts-ignore: decorator
@inline function endTwo(i: i32, fi: i32, oi: i32, on: i32, values: usize, inverse: usize, cancelled: f64): i32 {
  const length = i - fi, whole = length & ~3;
  let a = at(values, oi + fi), b = at(values, on + fi), p = at(inverse, fi);
  const entry = at(values, on + i), own = at(values, oi + i);
  let pivots = f64x2.replace_lane(v128.load64_splat(own), 1, load<f64>(entry, 8));
  let terms = f64x2.abs(pivots);
  // four sums, taken in turns: the oldest is the next
  let s0: f64 = 0, s1: f64 = 0, s2: f64 = 0, s3: f64 = 0;
  for (let k = 0; k < length; k++) {
    const both = f64x2.replace_lane(v128.load64_splat(a), 1, load<f64>(b));
    const scaled = f64x2.mul(both, v128.load64_splat(p));
    const term = f64x2.mul(both, scaled);
    pivots = f64x2.sub(pivots, term);
    terms = f64x2.add(terms, f64x2.abs(term));
    const l = f64x2.extract_lane(scaled, 0), product = f64x2.extract_lane(both, 1) * l;
    store<f64>(a, l);
    store<f64>(b, f64x2.extract_lane(scaled, 1));
    if (k < whole) {
      const next = s0 + product;
      s0 = s1; s1 = s2; s2 = s3; s3 = next;
    } else s0 += product;
    a += 8; b += 8; p += 8;
  }
  let dropped = endPivot(f64x2.extract_lane(pivots, 0), f64x2.extract_lane(terms, 0), p, cancelled);
  const value = load<f64>(entry) - (s0 + s1 + (s2 + s3));
  const l = value * load<f64>(p), term = value * l;
  store<f64>(entry, l);
  dropped += endPivot(f64x2.extract_lane(pivots, 1) - term, f64x2.extract_lane(terms, 1) + abs(term), p + 8, cancelled);
  return dropped;
}

/** Writes 1 over a pivot, or 0 where it cancelled; whether it did. */
// @ts-ignore: decorator
@inline function endPivot(pivot: f64, terms: f64, inverse: usize, cancelled: f64): i32 {
  const redundant = !(abs(pivot) > cancelled * terms);
  store<f64>(inverse, redundant ? 0 : 1 / pivot);
  return redundant ? 1 : 0;
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
  return endPivot(pivot, terms, at(inverse, i), cancelled);
}

/** b <- L^-1 b, each row one product after the other; rows that begin in the same column two at a time. */
export function forwardInTurn(size: i32, first: usize, origin: usize, values: usize, b: usize): void {
  for (let i = 0; i < size; i++) {
    const fi = word(first, i);
    const pair = i + 1 < size && word(first, i + 1) == fi;
    let l = at(values, word(origin, i) + fi), m = pair ? at(values, word(origin, i + 1) + fi) : l;
    const entry = at(b, i);
    let x = load<f64>(entry), y = pair ? load<f64>(entry, 8) : 0;
    for (let known = at(b, fi); known < entry; known += 8) {
      const value = load<f64>(known);
      x -= load<f64>(l) * value;
      y -= load<f64>(m) * value;
      l += 8; m += 8;
    }
    store<f64>(entry, x);
    if (!pair) continue;
    store<f64>(entry, y - load<f64>(m) * x, 8);
    i++;
  }
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
