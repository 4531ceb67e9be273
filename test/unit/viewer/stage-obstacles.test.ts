/** What of obstacles the camera of the page shows: that of a slope which is near the bodies, and of a frame its bars, not balls around them. */
import { expect, it } from 'vitest';
import { findScene } from '../../../scenes/index.js';
import { createWorld, disposeWorld } from '../../../src/index.js';
import { describeStage } from '../../../viewer/worker/stage/stage-info.js';

/** Width, height and depth of what is shown [m]. */
async function shownOf(scene: string): Promise<readonly number[]> {
  const world = await createWorld(findScene(scene).build());
  const { low, high } = describeStage(world);
  disposeWorld(world);
  return high.map((value, k) => value - low[k]);
}

it('shows four boxes on a slope of eight metres, not the slope', async () => {
  // the boxes are 1.1 m from side to side; the middle of the slope is 3.5 m away
  for (const side of await shownOf('incline')) expect(side).toBeLessThan(2.5);
});

it('shows a trampoline as wide as its frame', async () => {
  const [width, , depth] = await shownOf('trampoline');
  const { obstacles = [] } = findScene('trampoline').build();
  const bars = obstacles.filter(({ shape }) => shape.kind !== 'plane');
  const outermost = (k: number) => Math.max(...bars.map(({ position = [0, 0, 0] }) => Math.abs(position[k])));
  expect(width).toBeLessThan(2.3 * outermost(0));
  expect(depth).toBeLessThan(2.3 * outermost(2));
});
