/**
 * Few shapes for many states: what a skeleton leaves of a motion is nearly the same again and again, so that a handful of
 * shapes, mixed by weights that change, gives all of it back to a tolerance. Shapes are found one after the other: the state
 * that is worst becomes the next shape, and its share is taken out of all states (Gram-Schmidt with pivoting). Used by exporters.
 */

/** Shapes and how they are mixed. */
export interface ShapeFit {
  /** x,y,z per vertex, at weight 1 [m]. */
  readonly shapes: readonly Float32Array[];
  /** The same for normals. */
  readonly normals: readonly Float32Array[];
  /** Weight of each shape, one array per shape with an entry per state. */
  readonly weights: readonly Float64Array[];
  /** How far vertices are from where they should be: the farthest of any state, and the root of the mean square [m]. */
  readonly error: { readonly max: number; readonly rms: number };
}

/** Resistance of the fit of normals, relative to the largest column's product with itself: shapes that hardly occur say nothing about normals. */
const RESISTANCE = 1e-6;

/**
 * Fits shapes to `offsets` (x,y,z per vertex, one array per state [m]) and to what happens to normals meanwhile; the first are used
 * up. Stops once no vertex is off by more than `tolerance`, or at `most` shapes.
 */
export function fitShapes(
  offsets: readonly Float32Array[],
  normalOffsets: readonly Float32Array[],
  tolerance: number,
  most: number,
): ShapeFit {
  const shapes: Float32Array[] = [];
  const weights: Float64Array[] = [];
  const none = new Float32Array(offsets[0]?.length ?? 0);
  const sums = offsets.map(() => new Float64Array(2));
  offsets.forEach((offset, n) => {
    takeOut(offset, none, 0, sums[n]);
  });
  let left = measure(sums);
  while (left.max > tolerance && shapes.length < Math.min(most, offsets.length)) {
    const shape = offsets[left.worst].slice();
    const own = dot(shape, shape);
    const column = new Float64Array(offsets.length);
    for (let n = 0; n < offsets.length; n++) {
      column[n] = dot(offsets[n], shape) / own;
      takeOut(offsets[n], shape, column[n], sums[n]);
    }
    weights.push(column);
    shapes.push(shape);
    left = measure(sums);
  }
  const count = (offsets.length * none.length) / 3;
  const error = { max: left.max, rms: Math.sqrt(left.total / Math.max(1, count)) };
  return { shapes, weights, normals: fitNormals(normalOffsets, weights), error };
}

/** The state that is worst by the sum of squares, how far vertices are off at most, and the sum over all. `sums`: see `takeOut`. */
function measure(sums: readonly Float64Array[]): { worst: number; max: number; total: number } {
  let worst = 0;
  let max = 0;
  let total = 0;
  for (let n = 0; n < sums.length; n++) {
    total += sums[n][0];
    if (sums[n][1] > max) max = sums[n][1];
    if (sums[n][0] > sums[worst][0]) worst = n;
  }
  return { worst, max: Math.sqrt(max), total };
}

/** Takes so much of a shape out of a state. `out`: the sum of the squares of what is left at its vertices, and the largest of them. */
function takeOut(offset: Float32Array, shape: Float32Array, weight: number, out: Float64Array): void {
  let sum = 0;
  let most = 0;
  for (let i = 0; i < offset.length; i += 3) {
    const x = Math.fround(offset[i] - weight * shape[i]);
    const y = Math.fround(offset[i + 1] - weight * shape[i + 1]);
    const z = Math.fround(offset[i + 2] - weight * shape[i + 2]);
    offset[i] = x;
    offset[i + 1] = y;
    offset[i + 2] = z;
    const square = x * x + y * y + z * z;
    sum += square;
    if (square > most) most = square;
  }
  out[0] = sum;
  out[1] = most;
}

function dot(a: Float32Array, b: Float32Array): number {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = 0; i < a.length; i += 3) {
    x += a[i] * b[i];
    y += a[i + 1] * b[i + 1];
    z += a[i + 2] * b[i + 2];
  }
  return x + y + z;
}

/** How normals go with shapes: least squares over all states, by the normal equations, which are the same for every vertex. */
function fitNormals(offsets: readonly Float32Array[], weights: readonly Float64Array[]): Float32Array[] {
  const count = weights.length;
  const length = offsets[0]?.length ?? 0;
  const normals = weights.map(() => new Float32Array(length));
  const factor = factorProducts(weights);
  const values = new Float64Array(3 * offsets.length);
  const right = new Float64Array(3 * count);
  for (let v = 0; v < length; v += 3) {
    for (let n = 0; n < offsets.length; n++) {
      const offset = offsets[n];
      values[3 * n] = offset[v];
      values[3 * n + 1] = offset[v + 1];
      values[3 * n + 2] = offset[v + 2];
    }
    for (let k = 0; k < count; k++) addUp(right, 3 * k, weights[k], values);
    solveFactor(factor, count, right);
    for (let k = 0; k < count; k++) for (let i = 0; i < 3; i++) normals[k][v + i] = right[3 * k + i];
  }
  return normals;
}

/** out at `o` = the sum over all states of a column of weights times x,y,z of the state. */
function addUp(out: Float64Array, o: number, column: Float64Array, values: Float64Array): void {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let n = 0; n < column.length; n++) {
    x += column[n] * values[3 * n];
    y += column[n] * values[3 * n + 1];
    z += column[n] * values[3 * n + 2];
  }
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

/** The Cholesky factor of the columns' products with each other, rows below the diagonal one after the other, 1 over the diagonal on it. */
function factorProducts(weights: readonly Float64Array[]): Float64Array {
  const count = weights.length;
  const factor = new Float64Array(count * count);
  let largest = 0;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let n = 0; n < weights[i].length; n++) sum += weights[i][n] * weights[j][n];
      factor[i * count + j] = sum;
    }
    largest = Math.max(largest, factor[i * count + i]);
  }
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = factor[i * count + j] + (i === j ? RESISTANCE * largest : 0);
      for (let k = 0; k < j; k++) sum -= factor[i * count + k] * factor[j * count + k];
      factor[i * count + j] = i === j ? 1 / Math.sqrt(sum) : sum * factor[j * count + j];
    }
  }
  return factor;
}

/** Solves for x,y,z of each column at once, in place. */
function solveFactor(factor: Float64Array, count: number, x: Float64Array): void {
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < i; k++) takeRow(x, 3 * i, 3 * k, factor[i * count + k]);
    for (let c = 0; c < 3; c++) x[3 * i + c] *= factor[i * count + i];
  }
  for (let i = count - 1; i >= 0; i--) {
    for (let c = 0; c < 3; c++) x[3 * i + c] *= factor[i * count + i];
    for (let k = 0; k < i; k++) takeRow(x, 3 * k, 3 * i, factor[i * count + k]);
  }
}

function takeRow(x: Float64Array, to: number, from: number, weight: number): void {
  x[to] -= weight * x[from];
  x[to + 1] -= weight * x[from + 1];
  x[to + 2] -= weight * x[from + 2];
}
