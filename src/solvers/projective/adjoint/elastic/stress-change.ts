/** What the change of a stress needs to know of a deformation gradient F, for tets and for means around vertices alike (elastic-product.ts, mean-product.ts). */
import { invertMat3 } from '../../../../math/mat3-inverse.js';
import { POLAR_SCRATCH_LENGTH, polarNewton, polarRotation } from '../../../../math/polar3.js';
import { identityQuat, mat3ToQuat, quatToMat3 } from '../../../../math/quat.js';

/** Least sum of two stretches that turning is divided by: what is flat turns by any amount, and says nothing. */
const FLAT = 0.05;

const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
const stretch = new Float64Array(9);

/** The rotation R of F to r[o..o+9). `quats` has the one that was found before, where `isKnown`: two Newton steps bring it up to date. */
export function rotationOf(
  r: Float64Array,
  o: number,
  f: Float64Array,
  quats: Float64Array,
  q: number,
  isKnown: boolean,
): void {
  if (!isKnown) identityQuat(quats, q);
  let good = isKnown;
  for (let round = 0; round < 2 && good; round++) good = polarNewton(quats, q, f, 0);
  if (good) {
    quatToMat3(r, o, quats, q);
    return;
  }
  polarRotation(r, o, f, 0, scratch, 0);
  mat3ToQuat(quats, q, r, o);
}

/** (tr S − S)⁻¹ of S = RᵀF to out[i..i+9), for the R at r[o..o+9), kept finite where F is flat or inside out; returns tr S. */
export function turningOf(out: Float64Array, i: number, r: Float64Array, o: number, f: Float64Array): number {
  const s = stretch;
  const m = scratch;
  for (let j = 0; j < 3; j++) {
    for (let k = 0; k < 3; k++) s[j * 3 + k] = r[o + j] * f[k] + r[o + 3 + j] * f[3 + k] + r[o + 6 + j] * f[6 + k];
  }
  const trace = s[0] + s[4] + s[8];
  // symmetric up to rounding
  for (let j = 0; j < 3; j++) {
    for (let k = 0; k < 3; k++) m[j * 3 + k] = (j === k ? trace : 0) - 0.5 * (s[j * 3 + k] + s[k * 3 + j]);
  }
  const least = Math.min(m[0], m[4], m[8]);
  const more = least < FLAT ? FLAT - least + 1e-3 * Math.abs(m[0] + m[4] + m[8]) : 0;
  for (let k = 0; k < 9; k += 4) m[k] += more;
  if (!invertMat3(out, i, m, 0)) out.fill(0, i, i + 9);
  return trace;
}

/** out = factor times the mixed cofactors of a and b: the cofactors of a for a = b and ½, their derivative by a in direction b for 1. */
export function cofactors(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  factor: number,
): void {
  for (let row = 0; row < 3; row++) {
    const r1 = ((row + 1) % 3) * 3;
    const r2 = ((row + 2) % 3) * 3;
    for (let column = 0; column < 3; column++) {
      const c1 = (column + 1) % 3;
      const c2 = (column + 2) % 3;
      out[o + row * 3 + column] =
        factor *
        (a[i + r1 + c1] * b[j + r2 + c2] +
          b[j + r1 + c1] * a[i + r2 + c2] -
          a[i + r1 + c2] * b[j + r2 + c1] -
          b[j + r1 + c2] * a[i + r2 + c1]);
    }
  }
}
