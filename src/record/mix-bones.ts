/** The mix of a few bones, with weights from 0 to 1 that add up to 1, that comes nearest to where a vertex went. Used by exporters. */

/** Bones that a vertex may hang on. */
export const INFLUENCES = 4;
/** Bones that are tried for a vertex: those that describe it best by themselves. The best mix is seldom one of the best four. */
export const CANDIDATES = 8;
/** Bones that move alike share a vertex evenly: part of the best one's error that is added to each bone's own, and the least part of any. */
const RIDGE = 1e-3;
const ROUNDING = 1e-9;

const products = new Float64Array(CANDIDATES * CANDIDATES);
const rows = new Float64Array(CANDIDATES * (CANDIDATES + 1));
const mixed = new Float64Array(CANDIDATES);
const kept = new Int32Array(CANDIDATES);

/**
 * The weights that make the weighted sum of the bones' errors smallest: w = G^-1 1 / (1 G^-1 1) for their Gram matrix G. The bone with the least
 * weight is left out, and the others are found again, until none is negative and there are no more than may be. `away`: `length` numbers per
 * candidate, best first, from where the vertex is to where that bone takes it. Writes which of them are mixed to `members` and how to `weights`,
 * both from `first` on; returns how many.
 */
export function mixBones(
  count: number,
  away: Float64Array,
  length: number,
  members: Uint16Array,
  weights: Float32Array,
  first: number,
): number {
  fillProducts(count, away, length);
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, products[i * CANDIDATES + i]);
  const ridge = Math.max(RIDGE * products[0], ROUNDING * largest);
  // one that describes the vertex exactly needs no other
  let left = products[0] === 0 ? 1 : count;
  for (let i = 0; i < left; i++) kept[i] = i;
  mixed[0] = 1;
  while (left > 1) {
    solveOnes(left, ridge);
    let least = 0;
    for (let k = 1; k < left; k++) if (mixed[k] < mixed[least]) least = k;
    if (mixed[least] >= 0 && left <= INFLUENCES) break;
    left--;
    for (let k = least; k < left; k++) kept[k] = kept[k + 1];
    mixed[0] = 1;
  }
  let written = 0;
  for (let k = 0; k < left; k++) {
    const weight = Math.fround(mixed[k]);
    if (weight === 0) continue;
    members[first + written] = kept[k];
    weights[first + written++] = weight;
  }
  return written;
}

/** The Gram matrix of the candidates' errors. */
function fillProducts(count: number, away: Float64Array, length: number): void {
  for (let i = 0; i < count; i++) {
    const a = i * length;
    for (let j = 0; j <= i; j++) {
      const b = j * length;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let n = 0; n < length; n += 3) {
        x += away[a + n] * away[b + n];
        y += away[a + n + 1] * away[b + n + 1];
        z += away[a + n + 2] * away[b + n + 2];
      }
      products[i * CANDIDATES + j] = products[j * CANDIDATES + i] = x + y + z;
    }
  }
}

/** `mixed` = the solution of G x = 1 for the candidates that are kept, by elimination, made to add up to 1; G is small, symmetric and positive. */
function solveOnes(n: number, ridge: number): void {
  const width = n + 1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) rows[i * width + j] = products[kept[i] * CANDIDATES + kept[j]];
    rows[i * width + i] += ridge;
    rows[i * width + n] = 1;
  }
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const factor = rows[j * width + i] / rows[i * width + i];
      for (let k = i; k <= n; k++) rows[j * width + k] -= factor * rows[i * width + k];
    }
  }
  let total = 0;
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i * width + n];
    for (let k = i + 1; k < n; k++) sum -= rows[i * width + k] * mixed[k];
    mixed[i] = sum / rows[i * width + i];
    total += mixed[i];
  }
  for (let i = 0; i < n; i++) mixed[i] /= total;
}
