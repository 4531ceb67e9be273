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
 * Fits shapes to `offsets` (x,y,z per vertex, one array per state [m]) and to what happens to normals meanwhile; both are used
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
    weights.push(Float64Array.from(offsets, (offset) => takeOut(offset, shape)));
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
  offsets.forEach((offset, i) => {
    let sum = 0;
    for (let k = 0; k < offset.length; k += 3) {
      const sq = offset[k] * offset[k] + offset[k + 1] * offset[k + 1] + offset[k + 2] * offset[k + 2];
      sum += sq;
      if (sq > max) max = sq;
    }
    total += sum;
    if (sum > most) [most, worst] = [sum, i];
  });
  const count = offsets.reduce((sum, offset) => sum + offset.length / 3, 0);
  return { worst, max: Math.sqrt(max), rms: Math.sqrt(total / Math.max(1, count)) };
}

/** Takes as much of a shape out of a state as is in it; how much that was. */
function takeOut(offset: Float32Array, shape: Float32Array): number {
  let both = 0;
  let own = 0;
  for (let i = 0; i < offset.length; i++) {
    both += offset[i] * shape[i];
    own += shape[i] * shape[i];
  }
  const weight = both / own;
  for (let i = 0; i < offset.length; i++) offset[i] -= weight * shape[i];
  return weight;
}

/** How normals go with shapes: sweeps over all shapes, each taking what the others leave (least squares by coordinates). */
function fitNormals(offsets: readonly Float32Array[], weights: readonly Float64Array[]): Float32Array[] {
  const length = offsets[0]?.length ?? 0;
  const sums = weights.map(() => new Float32Array(length));
  const change = new Float64Array(length);
  for (let sweep = 0; sweep < NORMAL_SWEEPS; sweep++) {
    weights.forEach((column, k) => {
      change.fill(0);
      const own = column.reduce((sum, weight) => sum + weight * weight, 0);
      if (own === 0) return;
      offsets.forEach((offset, state) => {
        const share = column[state] / own;
        for (let i = 0; i < length; i++) change[i] += share * offset[i];
      });
      for (let i = 0; i < length; i++) sums[k][i] += change[i];
      offsets.forEach((offset, state) => {
        for (let i = 0; i < length; i++) offset[i] -= column[state] * change[i];
      });
    });
  }
  return sums;
}
