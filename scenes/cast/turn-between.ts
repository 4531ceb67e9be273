/** Angles of directions, to the same bits everywhere. */
import { quatToRotationVector } from '../../src/math/rotation-vector.js';

/** Angle of a direction (along, across) from the first axis [rad], −π to π. */
export function turnBetween([along, across]: readonly [number, number]): number {
  const length = Math.sqrt(along * along + across * across);
  if (length === 0) return 0;
  const cosine = along / length;
  const half = Math.sqrt(Math.max(0, (1 - cosine) / 2));
  const out = new Float64Array(3);
  quatToRotationVector(out, 0, [across < 0 ? -half : half, 0, 0, Math.sqrt(Math.max(0, (1 + cosine) / 2))], 0);
  return out[0];
}
