/** Joins vertices at exactly the same place: formats such as STL repeat them for every triangle. */
import type { SurfaceData } from '../mesh-data.js';

/** The surface with equal positions (to the bit, but -0 equals 0) joined, in order of first appearance. */
export function weldExact(surface: SurfaceData): SurfaceData {
  const { positions, triangles } = surface;
  const vertexCount = positions.length / 3;
  // Open addressing with linear probing; at most half full.
  let size = 16;
  while (size < 2 * vertexCount) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const map = new Int32Array(vertexCount);
  const welded = new Float64Array(positions.length);
  const bits = new Uint32Array(new Float64Array(3).buffer);
  const key = new Float64Array(bits.buffer);
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    for (let k = 0; k < 3; k++) key[k] = positions[3 * v + k] + 0;
    let hash = 0;
    for (let k = 0; k < 6; k++) {
      hash = Math.imul(hash ^ bits[k], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let at = (hash >>> 0) & (size - 1);
    for (;;) {
      const found = table[at];
      if (found < 0) {
        table[at] = count;
        welded.set(key, 3 * count);
        map[v] = count++;
        break;
      }
      if (welded[3 * found] === key[0] && welded[3 * found + 1] === key[1] && welded[3 * found + 2] === key[2]) {
        map[v] = found;
        break;
      }
      at = (at + 1) & (size - 1);
    }
  }
  return { ...surface, positions: welded.slice(0, 3 * count), triangles: triangles.map((vertex) => map[vertex]) };
}
