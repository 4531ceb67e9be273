/**
 * The usual ways to move a skin by its bones, for comparison: linear blending of transforms, and of dual quaternions. Both know
 * the bones alone, and lose volume or bulge where limbs bend.
 */
import type { CharacterSkin } from '../character.js';
import { INFLUENCES } from '../rig/rig-collector.js';

/** Numbers per bone transform: a rotation, row major, and a shift [m]. */
const TRANSFORM = 12;

/** Linear blend skinning: each vertex at the weighted mean of where its bones would take it. */
export function blendLinear(skin: CharacterSkin, transforms: Float64Array, out: Float32Array): void {
  const { positions: p, bones, boneWeights } = skin;
  for (let v = 0; v < p.length / 3; v++) {
    let [x, y, z, sum] = [0, 0, 0, 0];
    for (let n = INFLUENCES * v; n < INFLUENCES * (v + 1); n++) {
      const weight = boneWeights[n];
      if (weight === 0) continue;
      const o = TRANSFORM * bones[n];
      const t = transforms;
      x += weight * (t[o] * p[3 * v] + t[o + 1] * p[3 * v + 1] + t[o + 2] * p[3 * v + 2] + t[o + 9]);
      y += weight * (t[o + 3] * p[3 * v] + t[o + 4] * p[3 * v + 1] + t[o + 5] * p[3 * v + 2] + t[o + 10]);
      z += weight * (t[o + 6] * p[3 * v] + t[o + 7] * p[3 * v + 1] + t[o + 8] * p[3 * v + 2] + t[o + 11]);
      sum += weight;
    }
    out[3 * v] = x / sum;
    out[3 * v + 1] = y / sum;
    out[3 * v + 2] = z / sum;
  }
}

/** Dual quaternion skinning. `quats`: x,y,z,w of each bone, `stride` numbers apart; the shifts are those of the transforms. */
export function blendDualQuaternions(
  skin: CharacterSkin,
  transforms: Float64Array,
  quats: ArrayLike<number>,
  stride: number,
  out: Float32Array,
): void {
  const { positions: p, bones, boneWeights } = skin;
  const r = new Float64Array(4);
  const d = new Float64Array(4);
  for (let v = 0; v < p.length / 3; v++) {
    r.fill(0);
    d.fill(0);
    const first = stride * bones[INFLUENCES * v];
    for (let n = INFLUENCES * v; n < INFLUENCES * (v + 1); n++) {
      const q = stride * bones[n];
      let alike = 0;
      for (let k = 0; k < 4; k++) alike += quats[q + k] * quats[first + k];
      const weight = alike < 0 ? -boneWeights[n] : boneWeights[n];
      if (weight === 0) continue;
      const [x, y, z, w] = [quats[q], quats[q + 1], quats[q + 2], quats[q + 3]];
      const o = TRANSFORM * bones[n] + 9;
      const [tx, ty, tz] = [transforms[o], transforms[o + 1], transforms[o + 2]];
      // dual part: half the shift times the rotation
      const dual = [
        tx * w + ty * z - tz * y,
        ty * w + tz * x - tx * z,
        tz * w + tx * y - ty * x,
        -(tx * x + ty * y + tz * z),
      ];
      for (let k = 0; k < 4; k++) {
        r[k] += weight * quats[q + k];
        d[k] += (weight / 2) * dual[k];
      }
    }
    placeByDual(p, 3 * v, r, d, out);
  }
}

function placeByDual(p: ArrayLike<number>, i: number, r: Float64Array, d: Float64Array, out: Float32Array): void {
  const length = Math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  const [x, y, z, w] = [r[0] / length, r[1] / length, r[2] / length, r[3] / length];
  const [a, b, c, e] = [d[0] / length, d[1] / length, d[2] / length, d[3] / length];
  const [px, py, pz] = [p[i], p[i + 1], p[i + 2]];
  const ux = 2 * (y * pz - z * py);
  const uy = 2 * (z * px - x * pz);
  const uz = 2 * (x * py - y * px);
  out[i] = px + w * ux + y * uz - z * uy + 2 * (w * a - e * x + y * c - z * b);
  out[i + 1] = py + w * uy + z * ux - x * uz + 2 * (w * b - e * y + z * a - x * c);
  out[i + 2] = pz + w * uz + x * uy - y * ux + 2 * (w * c - e * z + x * b - y * a);
}
