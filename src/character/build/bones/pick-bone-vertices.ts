/** Which vertices of a mesh make up a bone: those inside a shape, or, on a coarse mesh, the nearest that span a solid. */
import { TendonError } from '../../../errors.js';
import type { Shape } from '../../shapes/sdf.js';

/** A bone thinner than this share of its length (of vertex covariances) is flat: its rotation would not be determined. */
const FLAT_RATIO = 1e-4;
/** Fewest vertices of a bone: four not in one plane determine a rotation, two spare ones make it a good one. */
const MIN_VERTICES = 6;

/**
 * Indices, ascending, of the vertices inside `shape` that `taken` does not mark, and marks them. Where that gives too
 * few or flat bones, the shape is grown by tenths of `cell` [m] until it does not. `E_EMPTY_BONE` after five cells.
 */
export function pickBoneVertices(positions: Float64Array, shape: Shape, taken: Uint8Array, cell: number): Int32Array {
  const distances = new Float64Array(taken.length);
  for (let i = 0; i < taken.length; i++) {
    distances[i] = shape.distance(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
  }
  for (let step = 0; step <= 50; step++) {
    const picked: number[] = [];
    for (let i = 0; i < taken.length; i++) {
      if (taken[i] === 0 && distances[i] < 0.1 * step * cell) picked.push(i);
    }
    if (picked.length < MIN_VERTICES || flatness(positions, picked) < FLAT_RATIO) continue;
    for (const vertex of picked) taken[vertex] = 1;
    return Int32Array.from(picked);
  }
  throw new TendonError('E_EMPTY_BONE', 'bones', shape, 'no free vertices near the bone');
}

/**
 * How far from flat a set of points is: determinant of its covariance over the cube of its trace times 27, which is 1
 * for a round cloud and 0 for points in a plane.
 */
export function flatness(positions: Float64Array, vertices: ArrayLike<number>): number {
  const mean = [0, 0, 0];
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) mean[k] += positions[3 * vertices[i] + k] / vertices.length;
  }
  let [xx, yy, zz, xy, yz, zx] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < vertices.length; i++) {
    const x = positions[3 * vertices[i]] - mean[0];
    const y = positions[3 * vertices[i] + 1] - mean[1];
    const z = positions[3 * vertices[i] + 2] - mean[2];
    xx += x * x;
    yy += y * y;
    zz += z * z;
    xy += x * y;
    yz += y * z;
    zx += z * x;
  }
  const trace = xx + yy + zz;
  const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
  return trace > 0 ? (27 * determinant) / (trace * trace * trace) : 0;
}
