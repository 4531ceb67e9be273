/** Values of a glTF animation between its keys. */
import type { GltfChannel } from '../../io/gltf/gltf-model.js';
import { square } from '../../math/powers.js';
import { atan2, sin } from '../../math/trig.js';

/**
 * The value of a channel at a time, held before the first key and after the last. Returns the key after that time: `from` for times that are later,
 * where the search then begins.
 */
export function sampleChannel(channel: GltfChannel, time: number, out: Float64Array, from = 0): number {
  const { times, values, interpolation } = channel;
  const width = out.length;
  const turns = channel.path === 'rotation';
  const cubic = interpolation === 'CUBICSPLINE';
  const valueAt = (key: number): number => (cubic ? (3 * key + 1) * width : key * width);
  if (times.length === 0) return 0;
  let next = from;
  while (next < times.length && times[next] <= time) next++;
  if (next === 0 || next === times.length || interpolation === 'STEP') {
    const key = Math.max(0, next - 1);
    for (let k = 0; k < width; k++) out[k] = values[valueAt(key) + k];
  } else {
    const span = times[next] - times[next - 1];
    const t = span > 0 ? (time - times[next - 1]) / span : 0;
    const a = valueAt(next - 1);
    const b = valueAt(next);
    if (cubic) hermite(values, a, b, width, t, span, out);
    else blend(values, a, b, turns, t, out);
  }
  if (turns) {
    const length = Math.sqrt(square(out[0]) + square(out[1]) + square(out[2]) + square(out[3]));
    if (length > 1e-12) for (let k = 0; k < 4; k++) out[k] /= length;
    else out.set([0, 0, 0, 1]);
  }
  return next;
}

/** Straight for vectors, along the great circle for quaternions. */
function blend(values: ArrayLike<number>, a: number, b: number, turns: boolean, t: number, out: Float64Array): void {
  let [from, to] = [1 - t, t];
  if (turns) {
    let cosine = 0;
    for (let k = 0; k < 4; k++) cosine += values[a + k] * values[b + k];
    const angle = atan2(Math.sqrt(Math.max(0, 1 - cosine * cosine)), Math.abs(cosine));
    if (angle > 1e-4) {
      from = sin((1 - t) * angle) / sin(angle);
      to = sin(t * angle) / sin(angle);
    }
    if (cosine < 0) to = -to;
  }
  for (let k = 0; k < out.length; k++) out[k] = from * values[a + k] + to * values[b + k];
}

/** In-tangent, value, out-tangent per key, tangents per second (glTF 2.0, appendix C). */
function hermite(
  values: ArrayLike<number>,
  a: number,
  b: number,
  width: number,
  t: number,
  span: number,
  out: Float64Array,
): void {
  const t2 = t * t;
  const t3 = t * t * t;
  for (let k = 0; k < width; k++) {
    const leave = span * values[a + width + k];
    const arrive = span * values[b - width + k];
    out[k] =
      (2 * t3 - 3 * t2 + 1) * values[a + k] +
      (t3 - 2 * t2 + t) * leave +
      (3 * t2 - 2 * t3) * values[b + k] +
      (t3 - t2) * arrive;
  }
}
