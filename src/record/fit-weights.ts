/**
 * How much of each vertex follows each bone, found from how they moved: the mix of at most four bones, with weights from 0
 * to 1 that add up to 1, that comes nearest to where the vertex went (the weight step of [Le2012], vertex by vertex).
 * Used by exporters for surfaces that have no weights of their own.
 */

/** Four bones per vertex and their weights. */
export interface FittedWeights {
  readonly bones: Uint16Array;
  readonly weights: Float32Array;
}

const INFLUENCES = 4;
/** States that are looked at: more do not make the weights better. */
const MOST_STATES = 24;
/** Bones that are tried for a vertex: those that describe it best by themselves. The best mix is seldom one of the best four. */
const CANDIDATES = 8;
/** Bones that move alike share a vertex evenly: part of the best one's error that is added to each bone's own, and the least part of any. */
const RIDGE = 1e-3;
const ROUNDING = 1e-9;

/** `transforms[bone][state]`: 12 numbers, rows of a 3x4 matrix from the first state's space to where the bone took it. */
export function fitWeights(
  rest: Float32Array,
  states: readonly Float32Array[],
  transforms: readonly (readonly Float64Array[])[],
): FittedWeights {
  const vertexCount = rest.length / 3;
  const bones = new Uint16Array(INFLUENCES * vertexCount);
  const weights = new Float32Array(INFLUENCES * vertexCount);
  const chosen = sampleStates(states);
  const few = chosen.map((state) => states[state]);
  const motions = transforms.map((poses) => chosen.map((state) => poses[state]));
  const away = transforms.map(() => new Float64Array(3 * chosen.length));
  for (let v = 0; v < vertexCount; v++) {
    const nearest = nearestBones(few, motions, rest, v);
    for (const bone of nearest) measureAway(away[bone], few, motions[bone], rest, v);
    const mix = mixOf(nearest, away);
    mix.forEach(([bone, weight], k) => {
      bones[INFLUENCES * v + k] = bone;
      weights[INFLUENCES * v + k] = weight;
    });
  }
  return { bones, weights };
}

/** The few bones that describe a vertex best by themselves, best first; of equals the first. */
function nearestBones(
  states: readonly Float32Array[],
  motions: readonly (readonly Float64Array[])[],
  rest: Float32Array,
  v: number,
): number[] {
  const bones: number[] = [];
  const errors: number[] = [];
  for (let bone = 0; bone < motions.length; bone++) {
    const isFull = bones.length === CANDIDATES;
    const most = isFull ? errors[CANDIDATES - 1] : Infinity;
    const error = errorOf(states, motions[bone], rest, v, most);
    if (isFull && error >= most) continue;
    let at = isFull ? CANDIDATES - 1 : bones.length;
    for (; at > 0 && errors[at - 1] > error; at--) {
      errors[at] = errors[at - 1];
      bones[at] = bones[at - 1];
    }
    errors[at] = error;
    bones[at] = bone;
  }
  return bones;
}

/** From where a vertex is to where a motion takes it, x,y,z per state. */
function measureAway(
  out: Float64Array,
  states: readonly Float32Array[],
  motion: readonly Float64Array[],
  rest: Float32Array,
  v: number,
): void {
  const x = rest[3 * v];
  const y = rest[3 * v + 1];
  const z = rest[3 * v + 2];
  for (let n = 0; n < states.length; n++) {
    const m = motion[n];
    const state = states[n];
    out[3 * n] = m[0] * x + m[1] * y + m[2] * z + m[3] - state[3 * v];
    out[3 * n + 1] = m[4] * x + m[5] * y + m[6] * z + m[7] - state[3 * v + 1];
    out[3 * n + 2] = m[8] * x + m[9] * y + m[10] * z + m[11] - state[3 * v + 2];
  }
}

const products = new Float64Array(CANDIDATES * CANDIDATES);
const rows = new Float64Array(CANDIDATES * (CANDIDATES + 1));
const mixed = new Float64Array(CANDIDATES);

/**
 * The weights that make the weighted sum of the bones' errors smallest: w = G^-1 1 / (1 G^-1 1) for their Gram matrix G. The bone with the least
 * weight is left out, and the others are found again, until none is negative and there are no more than may be.
 */
function mixOf(candidates: readonly number[], away: readonly Float64Array[]): [number, number][] {
  const count = candidates.length;
  let largest = 0;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      const product = dot(away[candidates[i]], away[candidates[j]]);
      products[i * CANDIDATES + j] = products[j * CANDIDATES + i] = product;
    }
    largest = Math.max(largest, products[i * CANDIDATES + i]);
  }
  // candidates come best first; one that describes the vertex exactly needs no other
  if (count === 1 || products[0] === 0) return [[candidates[0], 1]];
  const ridge = Math.max(RIDGE * products[0], ROUNDING * largest);
  const kept = candidates.map((_, i) => i);
  for (;;) {
    if (kept.length === 1) return [[candidates[kept[0]], 1]];
    solveOnes(kept, ridge);
    let least = 0;
    for (let k = 1; k < kept.length; k++) if (mixed[k] < mixed[least]) least = k;
    if (mixed[least] >= 0 && kept.length <= INFLUENCES) {
      const mix = kept.map((i, k): [number, number] => [candidates[i], Math.fround(mixed[k])]);
      return mix.filter(([, weight]) => weight > 0);
    }
    kept.splice(least, 1);
  }
}

/** `mixed` = the solution of G x = 1 for the candidates that are kept, by elimination, made to add up to 1; G is small, symmetric and positive. */
function solveOnes(kept: readonly number[], ridge: number): void {
  const n = kept.length;
  const width = n + 1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) rows[i * width + j] = products[kept[i] * CANDIDATES + kept[j]] + (i === j ? ridge : 0);
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

/** States spread evenly over the way that vertices go, the first and the last among them: a body that lies still says nothing new. */
export function sampleStates(states: readonly Float32Array[]): number[] {
  if (states.length <= MOST_STATES) return states.map((_, n) => n);
  const way = [0];
  for (let n = 1; n < states.length; n++) way.push(way[n - 1] + distance(states[n - 1], states[n]));
  const last = states.length - 1;
  const chosen = new Set([0, last]);
  for (let i = 1, n = 0; i < MOST_STATES - 1; i++) {
    while (n < last && way[n] < (i * way[last]) / (MOST_STATES - 1)) n++;
    chosen.add(n);
  }
  return [...chosen].sort((a, b) => a - b);
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return Math.sqrt(sum);
}

/** How far a vertex is from where a motion takes it, squared and summed over all states; stops above `most`. */
function errorOf(
  states: readonly Float32Array[],
  motion: readonly Float64Array[],
  rest: Float32Array,
  v: number,
  most = Infinity,
): number {
  const x = rest[3 * v];
  const y = rest[3 * v + 1];
  const z = rest[3 * v + 2];
  let sum = 0;
  for (let n = 0; n < states.length && sum < most; n++) {
    const m = motion[n];
    const state = states[n];
    const dx = m[0] * x + m[1] * y + m[2] * z + m[3] - state[3 * v];
    const dy = m[4] * x + m[5] * y + m[6] * z + m[7] - state[3 * v + 1];
    const dz = m[8] * x + m[9] * y + m[10] * z + m[11] - state[3 * v + 2];
    sum += dx * dx + dy * dy + dz * dz;
  }
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
