/** How far a body is from where it was. */
import type { WorldBody } from '../../../src/index.js';

/** Largest distance of any vertex from where it is in another state of the same body, relative to the body's size. */
export function farthestFrom({ model, state }: WorldBody, positions: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < positions.length; i++) most = Math.max(most, Math.abs(state.positions[i] - positions[i]));
  return most / model.size;
}
