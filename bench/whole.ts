/** How whole a body is, measured from its vertices alone: what hands are judged by. */
import type { WorldBody } from '../src/index.js';

const EDGES = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3] as const;

/** Longest edge of any tet, relative to its length at rest. */
export function longestEdge(body: WorldBody): number {
  let longest = 0;
  forEachEdge(body, (ratio) => {
    // what is no number counts as longer than any
    if (!(ratio <= longest)) longest = ratio >= 0 ? ratio : Number.POSITIVE_INFINITY;
  });
  return longest;
}

/** How far a body is from its rest shape, wherever it is and however its joints are bent: root mean square of the edges' strains. */
export function shapeError(body: WorldBody): number {
  let sum = 0;
  forEachEdge(body, (ratio) => {
    sum += (ratio - 1) * (ratio - 1);
  });
  return Math.sqrt(sum / ((body.model.tets.length / 4) * (EDGES.length / 2)));
}

/** Calls `see` with the length of every edge of every tet, relative to its length at rest. */
function forEachEdge({ model, state }: WorldBody, see: (ratio: number) => void): void {
  const { tets } = model;
  for (let t = 0; t < tets.length; t += 4) {
    for (let e = 0; e < EDGES.length; e += 2) {
      const a = tets[t + EDGES[e]];
      const b = tets[t + EDGES[e + 1]];
      see(between(state.positions, a, b) / between(model.positions, a, b));
    }
  }
}

function between(positions: Float64Array, a: number, b: number): number {
  const x = positions[a * 3] - positions[b * 3];
  const y = positions[a * 3 + 1] - positions[b * 3 + 1];
  const z = positions[a * 3 + 2] - positions[b * 3 + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
