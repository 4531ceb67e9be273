/** How whole a body is, measured from its vertices alone. */
import type { WorldBody } from '../../src/index.js';

const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

/** Longest edge of any tet, relative to its length at rest. */
export function longestEdge(body: WorldBody): number {
  return edgeRatios(body).reduce((longest, ratio) => Math.max(longest, ratio), 0);
}

/** How far a body is from its rest shape, wherever it is and however its joints are bent: root mean square of the edges' strains. */
export function shapeError(body: WorldBody): number {
  const ratios = edgeRatios(body);
  return Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - 1) * (ratio - 1), 0) / ratios.length);
}

function edgeRatios({ model, state }: WorldBody): Float64Array {
  const ratios = new Float64Array((model.tets.length / 4) * EDGES.length);
  for (let t = 0; t < model.tets.length; t += 4) {
    EDGES.forEach(([i, j], e) => {
      const [a, b] = [model.tets[t + i], model.tets[t + j]];
      ratios[(t / 4) * EDGES.length + e] = between(state.positions, a, b) / between(model.positions, a, b);
    });
  }
  return ratios;
}

/** Largest distance of any vertex from where it is in another state of the same body, relative to the body's size. */
export function farthestFrom({ model, state }: WorldBody, positions: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < positions.length; i++) most = Math.max(most, Math.abs(state.positions[i] - positions[i]));
  return most / model.size;
}

function between(positions: ArrayLike<number>, a: number, b: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => positions[a * 3 + k] - positions[b * 3 + k]));
}
