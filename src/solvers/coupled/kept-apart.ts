/** Pairs of bodies that never touch: those that joints join, and those of which one carries vertices of the other. */
import type { CoupledJoint } from './rigid/coupled-joint.js';

/** Their keys, a count + b with a < b, ascending and each once: the search walks along them. */
export function keptApart(
  joints: readonly CoupledJoint[],
  others: readonly (readonly [number, number])[],
  count: number,
): Float64Array {
  const joined = joints.map(({ a, b }) => Math.min(a, b) * count + Math.max(a, b));
  return Float64Array.from(new Set([...joined, ...others.map(([a, b]) => a * count + b)])).sort();
}
