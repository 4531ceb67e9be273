/**
 * Where nodes of the skin are: x = Σ w (R X + T) over up to four bones, and beside it the rotation Q that takes dents from the rest
 * shape to the world. Called by detection and when positions are read.
 *
 * Q is the rotation of the weighted sum of the bones' quaternions, each with the sign that lies nearer to the heaviest bone's. The
 * weighted sum of the rotation matrices [Galoppo2007 eq. 16] is no rotation: at a right angle between two bones it shortens by
 * half, and the stiffness of the skin would depend on the pose.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { MutableNumbers } from '../../../math/vec3.js';
import type { LayerBody } from '../layer-body.js';
import { type LayerModel, OWNERS } from '../layer-model.js';
import type { NodeSpheres } from '../touch/node-clusters.js';

/** Nodes this share of the depth before something count as touching it: what happens beside them may press them in. */
export const TOUCHING = 0.05;
/** Numbers per bone in skin matrices: three rows of R and T. */
export const SKIN_MATRIX = 12;

/** Fills the matrices that take rest positions to the world by each bone alone. */
export function skinMatrices(model: LayerModel, { rotations: r, translations }: BonePoses, out: Float64Array): void {
  const { count, centre } = model.bones;
  for (let bone = 0; bone < count; bone++) {
    const cx = centre[3 * bone];
    const cy = centre[3 * bone + 1];
    const cz = centre[3 * bone + 2];
    for (let row = 0; row < 3; row++) {
      const o = SKIN_MATRIX * bone + 4 * row;
      const m = 9 * bone + 3 * row;
      out[o] = r[m];
      out[o + 1] = r[m + 1];
      out[o + 2] = r[m + 2];
      out[o + 3] = translations[3 * bone + row] - (r[m] * cx + r[m + 1] * cy + r[m + 2] * cz);
    }
  }
}

/** out[o..o + 3) = where the bones take node p of the rest shape `rest`, without its dent [m]. */
export function skinNode(
  model: LayerModel,
  rest: Float64Array,
  matrices: Float64Array,
  p: number,
  out: Float64Array,
  o: number,
): void {
  const { owners, weights } = model;
  const x = rest[3 * p];
  const y = rest[3 * p + 1];
  const z = rest[3 * p + 2];
  let sx = 0;
  let sy = 0;
  let sz = 0;
  for (let k = OWNERS * p; k < OWNERS * p + OWNERS; k++) {
    const w = weights[k];
    if (w === 0) break;
    const m = SKIN_MATRIX * owners[k];
    sx += w * (matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3]);
    sy += w * (matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7]);
    sz += w * (matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11]);
  }
  out[o] = sx;
  out[o + 1] = sy;
  out[o + 2] = sz;
}

/** out[o..o + 9) = Q of node p, row by row. */
export function nodeRotation(model: LayerModel, quats: Float64Array, p: number, out: MutableNumbers, o: number): void {
  const { owners, weights } = model;
  const main = 4 * owners[OWNERS * p];
  const mx = quats[main];
  const my = quats[main + 1];
  const mz = quats[main + 2];
  const mw = quats[main + 3];
  let x = 0;
  let y = 0;
  let z = 0;
  let w = 0;
  for (let k = OWNERS * p; k < OWNERS * p + OWNERS; k++) {
    const weight = weights[k];
    if (weight === 0) break;
    const q = 4 * owners[k];
    const same = mx * quats[q] + my * quats[q + 1] + mz * quats[q + 2] + mw * quats[q + 3];
    const signed = same < 0 ? -weight : weight;
    x += signed * quats[q];
    y += signed * quats[q + 1];
    z += signed * quats[q + 2];
    w += signed * quats[q + 3];
  }
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  x /= length;
  y /= length;
  z /= length;
  w /= length;
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y - w * z);
  out[o + 2] = 2 * (x * z + w * y);
  out[o + 3] = 2 * (x * y + w * z);
  out[o + 4] = 1 - 2 * (x * x + z * z);
  out[o + 5] = 2 * (y * z - w * x);
  out[o + 6] = 2 * (x * z - w * y);
  out[o + 7] = 2 * (y * z + w * x);
  out[o + 8] = 1 - 2 * (x * x + y * y);
}

/** out = the mean of a node's bones' matrices by its weights: nine numbers, row by row, then three. */
export function blendedFrame(model: LayerModel, matrices: Float64Array, p: number, out: Float64Array): void {
  const { owners, weights } = model;
  out.fill(0, 0, 12);
  for (let k = OWNERS * p; k < OWNERS * p + OWNERS; k++) {
    const w = weights[k];
    if (w === 0) break;
    const m = SKIN_MATRIX * owners[k];
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) out[3 * row + column] += w * matrices[m + 4 * row + column];
      out[9 + row] += w * matrices[m + 4 * row + 3];
    }
  }
}

/**
 * Radius of a sphere that holds all nodes of number g without contact at the end of the step, dents and what counts as touching
 * included, and its centre at out[o..o + 3); negative where there are none.
 */
export function sphereReach(body: LayerBody, spheres: NodeSpheres, g: number, out: Float64Array, o: number): number {
  const { radius } = spheres;
  if (radius[g] < 0) return -1;
  const m = body.freeMatrices;
  const x = spheres.centre[3 * g];
  const y = spheres.centre[3 * g + 1];
  const z = spheres.centre[3 * g + 2];
  const main = SKIN_MATRIX * spheres.mainBone[g];
  const cx = m[main] * x + m[main + 1] * y + m[main + 2] * z + m[main + 3];
  const cy = m[main + 4] * x + m[main + 5] * y + m[main + 6] * z + m[main + 7];
  const cz = m[main + 8] * x + m[main + 9] * y + m[main + 10] * z + m[main + 11];
  out[o] = cx;
  out[o + 1] = cy;
  out[o + 2] = cz;
  let reach = radius[g] + body.boneDent[spheres.mainBone[g]] + TOUCHING * body.model.deepest;
  for (let k = spheres.otherStart[g]; k < spheres.otherStart[g + 1]; k++) {
    const other = SKIN_MATRIX * spheres.others[k];
    const dx = m[other] * x + m[other + 1] * y + m[other + 2] * z + m[other + 3] - cx;
    const dy = m[other + 4] * x + m[other + 5] * y + m[other + 6] * z + m[other + 7] - cy;
    const dz = m[other + 8] * x + m[other + 9] * y + m[other + 10] * z + m[other + 11] - cz;
    reach += spheres.otherWeights[k] * Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  return reach;
}
