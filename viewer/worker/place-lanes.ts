/** Where worlds beside each other are drawn. */
import type { Lane } from './lane.js';
import type { Point, StageInfo } from './scene-info.js';

/** Room between them, in widths of one. */
const LANE_SPACING = 1.12;

/** Puts worlds beside each other and widens the stage for them. */
export function placeLanes(lanes: readonly Lane[], stage: StageInfo): StageInfo {
  const [wide, tall, deep] = stage.high.map((value, k) => value - stage.low[k]);
  // What turns in the air needs room for its longest side.
  const spacing = LANE_SPACING * (stage.free ? 0.8 * Math.max(wide, tall, deep) : wide);
  lanes.forEach((lane, i) => {
    lane.offset = [(i - (lanes.length - 1) / 2) * spacing, 0, 0] satisfies Point;
  });
  return { ...stage, spread: (lanes.length - 1) * spacing };
}
