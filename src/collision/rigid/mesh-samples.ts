/** Samples of surfaces: vertices with their outward directions. For building. */
import { cos, sin } from '../../math/trig.js';

/** Most samples of a mesh; more vertices are thinned out evenly. */
const MOST_SAMPLES = 160;
const RIM_SAMPLES = 16;

/** Vertices of a closed surface, by their area-weighted normals; numbers as in `SampledShape`. */
export function meshSamples(positions: ArrayLike<number>, triangles: ArrayLike<number>): number[][] {
  const n = positions.length / 3;
  const normals = new Float64Array(n * 3);
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t] * 3, triangles[t + 1] * 3, triangles[t + 2] * 3];
    const e = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const f = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    const area = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    for (let k = 0; k < 3; k++) {
      volume += area[k] * positions[a + k];
      for (const v of [a, b, c]) normals[v + k] += area[k];
    }
  }
  // a surface seen counter-clockwise from inside has its normals the other way
  const sign = volume < 0 ? -1 : 1;
  const stride = Math.max(1, Math.ceil(n / MOST_SAMPLES));
  const out: number[][] = [];
  for (let v = 0; v < n; v += stride) {
    const d = [0, 1, 2].map((k) => sign * normals[v * 3 + k]);
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(length > 0)) continue;
    const at = [0, 1, 2].map((k) => positions[v * 3 + k]);
    out.push([...at, 0, d[0] / length, d[1] / length, d[2] / length]);
  }
  return out;
}

/** The rims of a cylinder around y, and the middles of its ends. */
export function cappedSamples(radius: number, half: number): number[][] {
  const slant = Math.sqrt(0.5);
  return [-1, 1].flatMap((end) => {
    const rim = Array.from({ length: RIM_SAMPLES }, (_, i) => {
      const angle = (2 * Math.PI * i) / RIM_SAMPLES;
      const [x, z] = [cos(angle), sin(angle)];
      return [radius * x, end * half, radius * z, 0, slant * x, slant * end, slant * z];
    });
    return [...rim, [0, end * half, 0, 0, 0, end, 0]];
  });
}
