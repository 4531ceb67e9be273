/** Specification of the kernels `elasticBodies` and `answerBodies` (assembly/soft-bodies.ts) for one body, in f64. */
import { denseRows } from './dense-rows.js';

/** force = gradient of the elements, given by rows of four, less each vertex's share of the sum by its mass: forces of a body sum to nothing. */
export function balanceForces(rows: ArrayLike<number>, masses: ArrayLike<number>, force: Float64Array): void {
  let total = 0;
  const sum = [0, 0, 0];
  for (let v = 0; v < masses.length; v++) {
    total += masses[v];
    for (let k = 0; k < 3; k++) sum[k] += rows[v * 4 + k];
  }
  for (let v = 0; v < masses.length; v++) {
    for (let k = 0; k < 3; k++) force[v * 3 + k] = rows[v * 4 + k] - (masses[v] / total) * sum[k];
  }
}

/** velocity += table · impulses, and the same for all vertices so that the body gains the momentum of the impulses, unless it is held. */
export function answerBody(
  table: ArrayLike<number>,
  masses: ArrayLike<number>,
  impulses: ArrayLike<number>,
  isHeld: boolean,
  velocity: Float64Array,
): void {
  const size = masses.length;
  const x = new Float64Array(size * 4);
  const y = new Float64Array(size * 4);
  for (let v = 0; v < size; v++) for (let k = 0; k < 3; k++) x[v * 4 + k] = impulses[v * 3 + k];
  denseRows(table, size, x, y);
  let total = 0;
  for (let v = 0; v < size; v++) total += masses[v];
  for (let k = 0; k < 3; k++) {
    let missing = 0;
    for (let v = 0; v < size; v++) missing += impulses[v * 3 + k] - masses[v] * y[v * 4 + k];
    for (let v = 0; v < size; v++) velocity[v * 3 + k] += y[v * 4 + k] + (isHeld ? 0 : missing / total);
  }
}
