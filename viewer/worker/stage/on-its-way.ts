/**
 * Bodies that start on their way to others that lie still: a ball thrown at a stack, one that rolls into a row. The picture is of what lies still, in its middle; of the way to it as much is shown as what lies still is
 * large, and as much behind it, where things go on to.
 */
import type { WorldBody } from '../../../src/index.js';

/** A box that grows. */
export interface Growing {
  readonly low: readonly number[];
  readonly high: readonly number[];
  include(x: number, y: number, z: number): void;
}

/** Those that move at the start, where others do not; none where all or nothing moves. */
export function bodiesOnTheirWay(bodies: readonly WorldBody[]): readonly WorldBody[] {
  const moving = bodies.filter(({ state }) => state.velocities.some((speed) => speed !== 0));
  return moving.length < bodies.length ? moving : [];
}

/** Makes a box around what lies still wider towards bodies that come, by no more than its largest side; sideways evenly to both sides. */
export function widenTowards(bodies: readonly WorldBody[], { low, high, include }: Growing): void {
  const middle = low.map((value, k) => 0.5 * (value + high[k]));
  const most = Math.max(...high.map((value, k) => value - low[k]));
  for (const { state } of bodies) {
    const { positions } = state;
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = middle.map((value, k) => Math.max(-most, Math.min(most, positions[i + k] - value)));
      include(middle[0] + x, middle[1] + y, middle[2] + z);
      include(middle[0] - x, middle[1] + y, middle[2] - z);
    }
  }
}
