/** Affine transforms as glTF has them: 16 numbers, column-major. For building characters, never in the step. */

export type Mat4 = Float64Array;

/** T * R * S from a translation, a unit quaternion x,y,z,w and a scale. Into `out`, whose last row is 0 0 0 1 or all zero, where it is given. */
export function composeMat4(
  t: ArrayLike<number>,
  q: ArrayLike<number>,
  s: ArrayLike<number>,
  out: Mat4 = new Float64Array(16),
): Mat4 {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  out[0] = (1 - 2 * (y * y + z * z)) * s[0];
  out[1] = 2 * (x * y + w * z) * s[0];
  out[2] = 2 * (x * z - w * y) * s[0];
  out[4] = 2 * (x * y - w * z) * s[1];
  out[5] = (1 - 2 * (x * x + z * z)) * s[1];
  out[6] = 2 * (y * z + w * x) * s[1];
  out[8] = 2 * (x * z + w * y) * s[2];
  out[9] = 2 * (y * z - w * x) * s[2];
  out[10] = (1 - 2 * (x * x + y * y)) * s[2];
  for (let k = 0; k < 3; k++) out[12 + k] = t[k];
  out[15] = 1;
  return out;
}

/** No transform. */
export function identityMat4(): Mat4 {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

/** a b: b first, then a. Into `out`, which is neither, where it is given. */
export function multiplyMat4(a: ArrayLike<number>, b: ArrayLike<number>, out: Mat4 = new Float64Array(16)): Mat4 {
  for (let c = 0; c < 16; c += 4) {
    const x = b[c];
    const y = b[c + 1];
    const z = b[c + 2];
    const w = b[c + 3];
    // sums begin with zero, so that none is minus zero
    for (let r = 0; r < 4; r++) out[c + r] = 0 + a[r] * x + a[4 + r] * y + a[8 + r] * z + a[12 + r] * w;
  }
  return out;
}

/** Determinant of the linear part: negative for a mirrored one. */
export function determinantMat4(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}

/** The inverse of an affine transform; undefined where it has none. */
export function invertMat4(m: ArrayLike<number>): Mat4 | undefined {
  const det = determinantMat4(m);
  if (!(Math.abs(det) > 1e-300) || !Number.isFinite(det)) return undefined;
  const out = identityMat4();
  const cofactors = cofactorsMat4(m);
  // inverse = transposed cofactors / determinant
  for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) out[4 * c + r] = cofactors[3 * r + c] / det;
  for (let r = 0; r < 3; r++) out[12 + r] = -(out[r] * m[12] + out[4 + r] * m[13] + out[8 + r] * m[14]);
  return out;
}

/** The cofactors of the linear part, column-major, 9: they carry normals where it is not a rotation. */
export function cofactorsMat4(m: ArrayLike<number>): Float64Array {
  return Float64Array.of(
    m[5] * m[10] - m[6] * m[9],
    m[6] * m[8] - m[4] * m[10],
    m[4] * m[9] - m[5] * m[8],
    m[2] * m[9] - m[1] * m[10],
    m[0] * m[10] - m[2] * m[8],
    m[1] * m[8] - m[0] * m[9],
    m[1] * m[6] - m[2] * m[5],
    m[2] * m[4] - m[0] * m[6],
    m[0] * m[5] - m[1] * m[4],
  );
}

/** out = the point moved by the transform. */
export function transformPoint(m: ArrayLike<number>, p: ArrayLike<number>, i: number): [number, number, number] {
  const [x, y, z] = [p[i], p[i + 1], p[i + 2]];
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
  ];
}
