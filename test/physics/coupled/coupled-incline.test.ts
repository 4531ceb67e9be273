/** The scene `incline` [Shinar2008 Fig. 8]: a box is led as the closed form says, s = (sin α − μ cos α) g t²/2, and what slides beside it stays level with it. */
import { expect, it } from 'vitest';
import { buildInclineScene } from '../../../scenes/coupled/coupled-figures.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../../src/index.js';

const ALPHA = Math.PI / 6;
const FRICTION = 0.2;

/** How far down the slope the middle of a body is [m]. */
function along({ model, state }: World['bodies'][number]): number {
  const { translations } = state.poses;
  const count = model.kind === 'rigid' ? 1 : state.positions.length / 3;
  const at = model.kind === 'rigid' ? translations : state.positions;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.cos(ALPHA) * at[i * 3] - Math.sin(ALPHA) * at[i * 3 + 1];
  return sum / count;
}

it('all slide with the box that is led by the closed form, within 1 % in 2 s', async () => {
  const world = await createWorld(buildInclineScene());
  const start = world.bodies.map(along);
  for (let n = 1; n <= 120; n++) {
    expect(stepWorld(world)).toBe(true);
    const time = n / 60;
    const closedForm = 0.5 * 9.81 * (Math.sin(ALPHA) - FRICTION * Math.cos(ALPHA)) * time * time;
    const [led, ...sliding] = world.bodies.map((body, i) => along(body) - start[i]);
    expect(Math.abs(led - closedForm)).toBeLessThan(1e-9);
    // in its first frames the soft box settles by a tenth of a millimetre
    if (n >= 30) for (const gone of sliding) expect(Math.abs(gone / led - 1)).toBeLessThan(0.01);
  }
  disposeWorld(world);
});
