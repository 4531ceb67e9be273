/**
 * Corrective shapes: a few morph targets whose weights follow from the pose of the bones alone, so that a skin that was recomputed for
 * one motion is a better one in others too, in any program. Weights are linear in the rotations of bones against their parents
 * (vector parts of quaternions), fitted with a little resistance so that few states do not say too much. Used by exporters.
 */
import { conjugateQuat, multiplyQuat } from '../math/quat.js';
import { fitShapes, type ShapeFit } from './shapes.js';
import { POSE, type TakeBone } from './take.js';

/** How a set of shapes is driven. */
export interface Drivers {
  /** Bones that have a say, by name; each has three columns, x, y and z of its quaternion, w not negative. */
  readonly bones: readonly string[];
  /** For each shape a constant, then one number per column. */
  readonly coefficients: readonly (readonly number[])[];
}

/** Shapes with driven weights, and what drives them. */
export interface CorrectiveFit extends ShapeFit {
  readonly drivers: Drivers;
}

/** Resistance of the fit, relative to the mean square of a column. */
const RESISTANCE = 1e-3;
/** A bone whose rotation changes less than this has no say. */
const STILL = 1e-3;

/** Fits at most `most` shapes to what linear blending leaves of the motion; `offsets` and normals as those of `fitShapes`, not used up. */
export function fitCorrectives(
  offsets: readonly Float32Array[],
  normalOffsets: readonly Float32Array[],
  most: number,
  bones: readonly (TakeBone & { readonly parent: number })[],
): CorrectiveFit {
  const copy = (arrays: readonly Float32Array[]): Float32Array[] => arrays.map((one) => one.slice());
  const fit = fitShapes(copy(offsets), copy(normalOffsets), 0, most);
  const { rows, names } = poseColumns(bones, offsets.length);
  const coefficients = solveRidge(rows, fit.weights);
  const weights = coefficients.map((c) =>
    Float64Array.from(rows, (row) => row.reduce((sum, value, j) => sum + c[j] * value, 0)),
  );
  return { ...fit, weights, error: errorLeft(offsets, fit.shapes, weights), drivers: { bones: names, coefficients } };
}

/** A one and the rotations of all bones that turn against their parents, state by state. */
function poseColumns(bones: readonly (TakeBone & { readonly parent: number })[], states: number) {
  const rows = Array.from({ length: states }, () => [1]);
  const names: string[] = [];
  const [turn, back] = [new Float64Array(4), new Float64Array(4)];
  for (const { name, poses, parent } of bones) {
    if (parent < 0) continue;
    const turns = rows.map((_, n) => {
      conjugateQuat(back, 0, bones[parent].poses, POSE * n);
      multiplyQuat(turn, 0, back, 0, poses, POSE * n);
      const sign = turn[3] < 0 ? -1 : 1;
      return [sign * turn[0], sign * turn[1], sign * turn[2]];
    });
    const spread = [0, 1, 2].map((k) => {
      const column = turns.map((one) => one[k]);
      return Math.max(...column) - Math.min(...column);
    });
    if (Math.max(...spread) < STILL) continue;
    names.push(name);
    turns.forEach((one, n) => {
      rows[n].push(...one);
    });
  }
  return { rows, names };
}

/** Least squares with resistance against all columns but the first, by the normal equations. */
function solveRidge(rows: readonly number[][], targets: readonly Float64Array[]): number[][] {
  const size = rows[0]?.length ?? 0;
  const normal = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)),
  );
  const mean = normal.reduce((sum, row, i) => (i > 0 ? sum + row[i] : sum), 0) / Math.max(1, size - 1);
  for (let i = 1; i < size; i++) normal[i][i] += RESISTANCE * mean + 1e-12;
  const right = targets.map((weights) =>
    Array.from({ length: size }, (_, i) => rows.reduce((sum, row, n) => sum + row[i] * weights[n], 0)),
  );
  // positive definite: elimination needs no exchange of rows
  for (let i = 0; i < size; i++) {
    for (let r = i + 1; r < size; r++) {
      const factor = normal[r][i] / normal[i][i];
      for (let c = i; c < size; c++) normal[r][c] -= factor * normal[i][c];
      for (const list of right) list[r] -= factor * list[i];
    }
  }
  for (const list of right) {
    for (let i = size - 1; i >= 0; i--) {
      for (let c = i + 1; c < size; c++) list[i] -= normal[i][c] * list[c];
      list[i] /= normal[i][i];
    }
  }
  return right;
}

/** How far vertices are off with these weights [m, or units of the mesh]. */
function errorLeft(
  offsets: readonly Float32Array[],
  shapes: readonly Float32Array[],
  weights: readonly Float64Array[],
): { max: number; rms: number } {
  let [max, total, count] = [0, 0, 0];
  offsets.forEach((offset, n) => {
    const left = Float64Array.from(offset);
    shapes.forEach((shape, k) => {
      for (let i = 0; i < left.length; i++) left[i] -= weights[k][n] * shape[i];
    });
    for (let i = 0; i < left.length; i += 3) {
      const sq = left[i] * left[i] + left[i + 1] * left[i + 1] + left[i + 2] * left[i + 2];
      max = Math.max(max, sq);
      total += sq;
      count++;
    }
  });
  return { max: Math.sqrt(max), rms: Math.sqrt(total / Math.max(1, count)) };
}
