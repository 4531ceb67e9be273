/** Sides of soft bodies from where they were found. Weights are copied, not handed over: numbers that are no integers would be boxed. */
import { CORNERS, type SoftSides } from './soft-sides.js';

/** A side at a vertex of body s (its own numbering); -1 where there is no room. */
export function addVertexSide(sides: SoftSides, s: number, vertex: number): number {
  return sides.add(s, vertex, vertex, vertex, 1, 0, 0);
}

/** The same at the corners v[i..i + 3) of a face, with the weights w[o..o + 3). */
export function addFaceSide(sides: SoftSides, s: number, v: Int32Array, i: number, w: Float64Array, o: number): number {
  // a corner of no weight is none
  const side = sides.add(s, v[i], v[i + 1], v[i + 2], 1, w[o + 1] === 0 ? 0 : 1, w[o + 2] === 0 ? 0 : 1);
  if (side < 0) return -1;
  for (let k = 0; k < CORNERS; k++) sides.weight[side * CORNERS + k] = w[o + k];
  return side;
}
