/**
 * The rotation in a deformation: F = R S, R the rotation closest to F, that is the one with the largest tr(R^T F).
 *
 * `polarRotation` is the robust way, by singular values: for any finite F, inverted and flat ones too. `polarNewton`
 * improves a rotation that is already close, at a third of the price; it is the f64 specification of the kernel that
 * the local step runs for every tetrahedron.
 */

import { identityMat3 } from './mat3.js';
import { multiplyTransposeMat3 } from './mat3-product.js';
import { svd3 } from './svd3.js';
import type { MutableNumbers } from './vec3.js';

/** How many f64 numbers `polarRotation` needs as scratch: U, V and the singular values. */
export const POLAR_SCRATCH_LENGTH = 21;

/**
 * The least pivot, in parts of tr(M), for which the Newton step counts as safe. Below it the second and third singular
 * values nearly cancel (s2 + s3 is small), the closest rotation is nearly ambiguous, and the step is mostly noise.
 */
const MIN_PIVOT = 1e-6;

/**
 * out = the rotation R (nine numbers, row-major, determinant +1) closest to the matrix F at `f[i]`.
 *
 * R = U V^T from the signed singular value decomposition. For an inverted F this is the rotation that is reached by
 * flattening the thinnest direction. Where several are equally close (rank 1 or 0, or s2 = -s3) it is one of them; zero
 * gives the identity. `scratch` holds POLAR_SCRATCH_LENGTH numbers at `t`. Returns false when F is not finite or its
 * singular values overflow: then R is the identity.
 */
export function polarRotation(
  out: MutableNumbers,
  o: number,
  f: ArrayLike<number>,
  i: number,
  scratch: Float64Array,
  t: number,
): boolean {
  if (!svd3(scratch, t, scratch, t + 18, scratch, t + 9, f, i)) {
    identityMat3(out, o);
    return false;
  }
  multiplyTransposeMat3(out, o, scratch, t, scratch, t + 9);
  return true;
}

/**
 * One Newton iteration towards the rotation of F (nine numbers at `f[i]`), on the unit quaternion at `q[o]`, in place.
 *
 * Symbols: R = R(q), M = R^T F, w a small rotation in the frame of R, [w] u = w x u. Maximise over w
 *
 *     h(w) = tr((R exp[w])^T F) = tr(exp(-[w]) M) = tr M - tr([w] M) + tr([w]^2 M) / 2 - ...
 *
 * With [w]^2 = w w^T - |w|^2 I the two terms are
 *
 *     -tr([w] M)    = g . w            g = (M21 - M12, M02 - M20, M10 - M01)
 *     tr([w]^2 M)/2 = -w . H w / 2     H = tr(M) I - (M + M^T) / 2
 *
 * so the step is w = H^-1 g, applied by the Cayley map: q <- q normalise(w / 2, 1). At the solution M is symmetric, g is
 * zero, and the odd terms of h vanish with it, which makes the convergence cubic: from 0.1 rad two iterations suffice.
 *
 * H has the eigenvalues s1 + s2, s2 + s3, s3 + s1 at the solution and is positive definite there and nowhere else among
 * the stationary points. Returns false, and leaves q alone, when H is not safely positive definite (or something is not
 * finite): then the caller takes `polarRotation`. F should be an ordinary deformation, neither huge nor subnormal.
 */
export function polarNewton(q: MutableNumbers, o: number, f: ArrayLike<number>, i: number): boolean {
  const x = q[o];
  const y = q[o + 1];
  const z = q[o + 2];
  const w = q[o + 3];
  const r00 = 1 - 2 * (y * y + z * z);
  const r01 = 2 * (x * y - w * z);
  const r02 = 2 * (x * z + w * y);
  const r10 = 2 * (x * y + w * z);
  const r11 = 1 - 2 * (x * x + z * z);
  const r12 = 2 * (y * z - w * x);
  const r20 = 2 * (x * z - w * y);
  const r21 = 2 * (y * z + w * x);
  const r22 = 1 - 2 * (x * x + y * y);

  const m00 = r00 * f[i] + r10 * f[i + 3] + r20 * f[i + 6];
  const m01 = r00 * f[i + 1] + r10 * f[i + 4] + r20 * f[i + 7];
  const m02 = r00 * f[i + 2] + r10 * f[i + 5] + r20 * f[i + 8];
  const m10 = r01 * f[i] + r11 * f[i + 3] + r21 * f[i + 6];
  const m11 = r01 * f[i + 1] + r11 * f[i + 4] + r21 * f[i + 7];
  const m12 = r01 * f[i + 2] + r11 * f[i + 5] + r21 * f[i + 8];
  const m20 = r02 * f[i] + r12 * f[i + 3] + r22 * f[i + 6];
  const m21 = r02 * f[i + 1] + r12 * f[i + 4] + r22 * f[i + 7];
  const m22 = r02 * f[i + 2] + r12 * f[i + 5] + r22 * f[i + 8];

  // Everything in parts of tr(M), which a positive definite H makes positive: then the bounds below have no unit.
  const trace = m00 + m11 + m22;
  if (!(trace > 0 && trace <= Number.MAX_VALUE)) return false;
  const g0 = (m21 - m12) / trace;
  const g1 = (m02 - m20) / trace;
  const g2 = (m10 - m01) / trace;
  const h00 = (m11 + m22) / trace;
  const h11 = (m00 + m22) / trace;
  const h22 = (m00 + m11) / trace;
  const h01 = (-0.5 * (m01 + m10)) / trace;
  const h02 = (-0.5 * (m02 + m20)) / trace;
  const h12 = (-0.5 * (m12 + m21)) / trace;

  // Sylvester: the leading minors are h00, minor2 and the determinant; each over the one before is a pivot.
  const c00 = h11 * h22 - h12 * h12;
  const c01 = h02 * h12 - h01 * h22;
  const c02 = h01 * h12 - h02 * h11;
  const minor2 = h00 * h11 - h01 * h01;
  const determinant = h00 * c00 + h01 * c01 + h02 * c02;
  if (!(h00 > MIN_PIVOT && minor2 > MIN_PIVOT * h00 && determinant > MIN_PIVOT * minor2)) return false;

  // w / 2 = adj(H) g / (2 det H).
  const half = 0.5 / determinant;
  const c11 = h00 * h22 - h02 * h02;
  const c12 = h01 * h02 - h00 * h12;
  const a = (c00 * g0 + c01 * g1 + c02 * g2) * half;
  const b = (c01 * g0 + c11 * g1 + c12 * g2) * half;
  const c = (c02 * g0 + c12 * g1 + minor2 * g2) * half;

  return turnByHalf(q, o, a, b, c);
}

/** q <- q (a, b, c, 1), normalised; false, with q left alone, where that has no length. */
function turnByHalf(q: MutableNumbers, o: number, a: number, b: number, c: number): boolean {
  const x = q[o];
  const y = q[o + 1];
  const z = q[o + 2];
  const w = q[o + 3];
  const nx = x + w * a + y * c - z * b;
  const ny = y + w * b + z * a - x * c;
  const nz = z + w * c + x * b - y * a;
  const nw = w - x * a - y * b - z * c;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  if (!(length > 0 && length <= Number.MAX_VALUE)) return false;
  q[o] = nx / length;
  q[o + 1] = ny / length;
  q[o + 2] = nz / length;
  q[o + 3] = nw / length;
  return true;
}
