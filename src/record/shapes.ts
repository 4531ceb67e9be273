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

/** Shapes are orthogonal: few sweeps are enough for the normals. */
const NORMAL_SWEEPS = 2;

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
  let left = measure(offsets);
  while (left.max > tolerance && shapes.length < Math.min(most, offsets.length)) {
    const shape = offsets[left.worst].slice();
    const own = dot(shape, shape);
    weights.push(Float64Array.from(offsets.map((offset) => takeOut(offset, shape, own))));
    shapes.push(shape);
    left = measure(offsets);
  }
  return { shapes, weights, normals: fitNormals(normalOffsets, weights), error: { max: left.max, rms: left.rms } };
}

/** The state that is worst by the sum of squares, and how far vertices are off in all of them. */
function measure(offsets: readonly Float32Array[]): { worst: number; max: number; rms: number } {
  let worst = 0;
  let most = -1;
  let max = 0;
  let total = 0;
  for (let i = 0; i < offsets.length; i++) {
    const offset = offsets[i];
    let sum = 0;
    for (let k = 0; k < offset.length; k += 3) {
      const sq = offset[k] * offset[k] + offset[k + 1] * offset[k + 1] + offset[k + 2] * offset[k + 2];
      sum += sq;
      if (sq > max) max = sq;
    }
    total += sum;
    if (sum > most) {
      most = sum;
      worst = i;
    }
  }
  const count = offsets.reduce((sum, offset) => sum + offset.length / 3, 0);
  return { worst, max: Math.sqrt(max), rms: Math.sqrt(total / Math.max(1, count)) };
}

/** Takes as much of a shape out of a state as is in it; how much that was. `own`: the shape's product with itself. */
function takeOut(offset: Float32Array, shape: Float32Array, own: number): number {
  const weight = dot(offset, shape) / own;
  for (let i = 0; i < offset.length; i++) offset[i] -= weight * shape[i];
  return weight;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * How normals go with shapes: sweeps over all shapes, each taking what the others leave (least squares by coordinates). Every
 * vertex is fitted by itself, so that what the sweeps go over again and again is small.
 */
function fitNormals(offsets: readonly Float32Array[], weights: readonly Float64Array[]): Float32Array[] {
  const length = offsets[0]?.length ?? 0;
  const sums = weights.map(() => new Float32Array(length));
  const shares = weights.map((column) => {
    const own = column.reduce((sum, weight) => sum + weight * weight, 0);
    return column.map((weight) => (own === 0 ? 0 : weight / own));
  });
  const left = new Float32Array(3 * offsets.length);
  const change = new Float64Array(3);
  for (let v = 0; v < length; v += 3) {
    for (let state = 0; state < offsets.length; state++) {
      for (let i = 0; i < 3; i++) left[3 * state + i] = offsets[state][v + i];
    }
    for (let sweep = 0; sweep < NORMAL_SWEEPS; sweep++) {
      for (let k = 0; k < sums.length; k++) {
        takeShare(change, left, shares[k], weights[k]);
        for (let i = 0; i < 3; i++) sums[k][v + i] += change[i];
      }
    }
  }
  return sums;
}

/** Takes out of a vertex's values (x,y,z per state) what goes with a column of weights; `change`: how much that is at weight 1. */
function takeShare(change: Float64Array, values: Float32Array, share: Float64Array, column: Float64Array): void {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let state = 0; state < share.length; state++) {
    x += share[state] * values[3 * state];
    y += share[state] * values[3 * state + 1];
    z += share[state] * values[3 * state + 2];
  }
  for (let state = 0; state < column.length; state++) {
    values[3 * state] -= column[state] * x;
    values[3 * state + 1] -= column[state] * y;
    values[3 * state + 2] -= column[state] * z;
  }
  change[0] = x;
  change[1] = y;
  change[2] = z;
}
