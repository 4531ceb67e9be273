/** Slopes of rollouts by central differences, to compare those of the adjoint with. */
import { expect } from 'vitest';
import { type ControlDef, type ControlGoal, stepWorld, type World } from '../../../src/index.js';
import { makeControls } from '../../../src/world/control/controls.js';
import { restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';

/** Central differences, row by row of the goal: rollouts of the world with every number a little more and a little less. */
export function differences(
  world: World,
  defs: readonly ControlDef[],
  goal: ControlGoal,
  values: number[],
  nudge: number,
) {
  const controls = makeControls(world, defs);
  const start = takeSnapshot(world);
  const rollOut = (nudged: number[]) => {
    restoreSnapshot(world, start);
    const from = world.time;
    for (let n = 0; n < goal.steps; n++) {
      let o = 0;
      for (const control of controls) {
        control.apply(nudged, o, world.time + world.dt - from, n === 0);
        o += control.size;
      }
      expect(stepWorld(world)).toBe(true);
    }
    return Array.from(goal.miss(world));
  };
  const columns = values.map((_, i) => {
    const [above, below] = [1, -1].map((sign) => rollOut(values.map((v, j) => (i === j ? v + sign * nudge : v))));
    return above.map((x, r) => (x - below[r]) / (2 * nudge));
  });
  restoreSnapshot(world, start);
  return columns[0].flatMap((_, r) => columns.map((column) => column[r]));
}

/** Cosine of the angle between two vectors. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / Math.sqrt(aa * bb);
}
