/** Start shapes for scenes that begin bent: what lies before a stretch stays, the stretch becomes an arc. */
import { cos, sin } from '../src/math/trig.js';

/** Where and how far to bend. */
export interface Bend {
  /** Axis along which the body extends: 0 x, 1 y, 2 z. */
  readonly along: 0 | 1 | 2;
  /** Axis towards which the far end turns. */
  readonly toward: 0 | 1 | 2;
  /** The stretch that bends, on the `along` axis [m]; the far end lies on the side of `end`, which may be the lower. */
  readonly start: number;
  readonly end: number;
  /** Where the middle line lies on the `toward` axis [m]; default 0. */
  readonly center?: number;
  /** Angle by which the far end is turned [rad], up to about 2.5. */
  readonly angle: number;
}

/**
 * A bent copy of the positions (x,y,z per vertex) [m]. Everything beyond `end` moves rigidly, and the point of the
 * middle line halfway between `start` and `end` is the same seen from both ends, so that a joint there stays closed.
 */
export function bendPositions(positions: Float64Array, bend: Bend): Float64Array {
  const { along, toward, start, end, center = 0, angle } = bend;
  const direction = Math.sign(end - start);
  const length = Math.abs(end - start);
  // The tangents at the ends of the arc meet halfway: radius * tan(angle / 2) = length / 2.
  const radius = length / 2 / (sin(angle / 2) / cos(angle / 2));
  const bent = positions.slice();
  for (let i = 0; i < positions.length; i += 3) {
    const distance = direction * (positions[i + along] - start);
    if (distance <= 0) continue;
    const turn = angle * Math.min(1, distance / length);
    const beyond = Math.max(0, distance - length);
    const fromCenter = radius - (positions[i + toward] - center);
    const forward = fromCenter * sin(turn) + beyond * cos(turn);
    bent[i + along] = start + direction * forward;
    bent[i + toward] = center + radius - fromCenter * cos(turn) + beyond * sin(turn);
  }
  return bent;
}
