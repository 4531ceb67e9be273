/**
 * The slowest modes of a skin, K φ = ω² m φ, among what a few pushes become of by K⁻¹ m over and over, and what sets them in motion: how much of
 * their mass each bone carries. Built with the model of a body that wobbles.
 *
 * All bones' masses stay where they are: a mode is flesh that lags behind its bone, too slow to be seen as a dent and too light to be felt
 * by it.
 */
import type { SparseMatrix } from '../../../linalg/sparse.js';
import { symmetricEigen } from '../../../linalg/symmetric-eigen.js';
import { createRandom } from '../../../math/random.js';
import type { CarriedSkin } from '../bones/bone-masses.js';
import type { LayerBones } from '../bones/layer-bones.js';

/** Vectors that are taken on together, so that modes as fast as each other are all found, and how often. */
const BLOCK = 2;
const ROUNDS = 48;
/** A vector that is all but this share in the others is no new one. */
const NOTHING_NEW = 1e-10;

/** Modes, slowest first. */
export interface WobbleModes {
  readonly count: number;
  /** ω of each [rad/s]. */
  readonly rates: Float64Array;
  /** φ, one number per node, mode by mode [kg^-1/2]: φᵀ m φ = 1. */
  readonly shapes: Float64Array;
  /** Σ m w φ of each mode and bone, and Σ m w φ (X − centre), 4 numbers per mode and bone. */
  readonly carried: Float64Array;
}

/** `solve`: K⁻¹ times a vector. `masses`: flesh of each node [kg]. */
export function findModes(
  count: number,
  stiffness: SparseMatrix,
  solve: (right: Float64Array, out: Float64Array) => void,
  masses: Float64Array,
  skin: CarriedSkin,
  bones: LayerBones,
): WobbleModes {
  const n = stiffness.size;
  const random = createRandom(1);
  const basis: Float64Array[] = [];
  let block = Array.from({ length: BLOCK }, () => Float64Array.from({ length: n }, () => random.range(0.5, 1)));
  const right = new Float64Array(n);
  for (let round = 0; round < ROUNDS; round++) {
    block = block.map((vector) => {
      for (let p = 0; p < n; p++) right[p] = masses[p] * vector[p];
      const next = new Float64Array(n);
      solve(right, next);
      if (basis.length < n && orthonormalise(next, basis, masses)) basis.push(next);
      return next;
    });
  }
  const { values, vectors } = symmetricEigen(project(basis, stiffness), basis.length);
  const wanted = Math.min(count, basis.length);
  const shapes = new Float64Array(wanted * n);
  for (let mode = 0; mode < wanted; mode++) {
    basis.forEach((vector, j) => {
      const share = vectors[mode * basis.length + j];
      for (let p = 0; p < n; p++) shapes[mode * n + p] += share * vector[p];
    });
  }
  const rates = Float64Array.from(values.subarray(0, wanted), (value) => Math.sqrt(value));
  return { count: wanted, rates, shapes, carried: shareModes(shapes, wanted, masses, skin, bones) };
}

/** Makes a vector perpendicular to others in the metric of the masses, and of length 1; false where nothing is left of it. */
function orthonormalise(vector: Float64Array, others: readonly Float64Array[], masses: Float64Array): boolean {
  const dot = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let p = 0; p < masses.length; p++) sum += masses[p] * a[p] * b[p];
    return sum;
  };
  const whole = Math.sqrt(dot(vector, vector));
  for (let pass = 0; pass < 2; pass++) {
    for (const other of others) {
      const along = dot(vector, other);
      for (let p = 0; p < vector.length; p++) vector[p] -= along * other[p];
    }
  }
  const length = Math.sqrt(dot(vector, vector));
  if (!(length > NOTHING_NEW * whole)) return false;
  for (let p = 0; p < vector.length; p++) vector[p] /= length;
  return true;
}

/** Yᵀ K Y */
function project(basis: readonly Float64Array[], { size, rowStart, columns, values }: SparseMatrix): Float64Array {
  const width = basis.length;
  const out = new Float64Array(width * width);
  const product = new Float64Array(size);
  for (let i = 0; i < width; i++) {
    for (let row = 0; row < size; row++) {
      let sum = 0;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += values[k] * basis[i][columns[k]];
      product[row] = sum;
    }
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let row = 0; row < size; row++) sum += basis[j][row] * product[row];
      out[i * width + j] = out[j * width + i] = sum;
    }
  }
  return out;
}

function shareModes(
  shapes: Float64Array,
  count: number,
  masses: Float64Array,
  { owners, weights, positions }: CarriedSkin,
  { count: boneCount, centre }: LayerBones,
): Float64Array {
  const n = masses.length;
  const carried = new Float64Array(4 * count * boneCount);
  for (let mode = 0; mode < count; mode++) {
    for (let i = 0; i < 4 * n; i++) {
      const p = i >> 2;
      const share = masses[p] * weights[i] * shapes[mode * n + p];
      if (share === 0) continue;
      const o = 4 * (mode * boneCount + owners[i]);
      carried[o] += share;
      for (let k = 0; k < 3; k++) carried[o + 1 + k] += share * (positions[3 * p + k] - centre[3 * owners[i] + k]);
    }
  }
  return carried;
}
