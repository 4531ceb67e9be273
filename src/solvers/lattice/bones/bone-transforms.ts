/** Transforms of bones from the rest shape: twelve numbers each, a rotation (row major) and a shift. */
import { quatToMat3 } from '../../../math/quat.js';

/** Numbers per transform. */
export const TRANSFORM = 12;

/** Transforms that change nothing. */
export function restTransforms(count: number): Float64Array {
  const transforms = new Float64Array(TRANSFORM * count);
  for (let bone = 0; bone < count; bone++) {
    for (let k = 0; k < 3; k++) transforms[TRANSFORM * bone + 4 * k] = 1;
  }
  return transforms;
}

/** out[bone] = the transform that turns by a quaternion and takes `centre` (rest) to `place`. */
export function writeTransform(
  out: Float64Array,
  bone: number,
  quats: ArrayLike<number>,
  q: number,
  places: ArrayLike<number>,
  p: number,
  centres: ArrayLike<number>,
  c: number,
): void {
  const o = TRANSFORM * bone;
  quatToMat3(out, o, quats, q);
  for (let i = 0; i < 3; i++) {
    let turned = 0;
    for (let j = 0; j < 3; j++) turned += out[o + 3 * i + j] * centres[c + j];
    out[o + 9 + i] = places[p + i] - turned;
  }
}

/** out = to from⁻¹: what takes a bone from one place to the other. */
export function writeChange(out: Float64Array, to: Float64Array, from: Float64Array, bone: number): void {
  const o = TRANSFORM * bone;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += to[o + 3 * i + k] * from[o + 3 * j + k];
      out[o + 3 * i + j] = sum;
    }
  }
  for (let i = 0; i < 3; i++) {
    let turned = 0;
    for (let j = 0; j < 3; j++) turned += out[o + 3 * i + j] * from[o + 9 + j];
    out[o + 9 + i] = to[o + 9 + i] - turned;
  }
}
