/** The longest edge of a body, as the page shows it: by the edges that are not within a bone, against all edges of all tets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestEdge } from '../../../bench/whole.js';
import { StretchMeter } from '../../../host/frames/stretch.js';
import { buildScene } from '../../../scenes/index.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';

let world: World;
beforeAll(async () => {
  world = await createWorld(buildScene('bar'));
});
afterAll(() => disposeWorld(world));

describe('StretchMeter', () => {
  it('finds the longest edge of a body with bones that moves', () => {
    const [body] = world.bodies;
    const meter = new StretchMeter(body.model);
    expect(meter.measure(body.state.positions)).toBeCloseTo(1, 12);
    for (let n = 0; n < 20; n++) {
      expect(stepWorld(world)).toBe(true);
      // two ways to divide: rounding alone
      expect(meter.measure(body.state.positions)).toBeCloseTo(Math.max(1, longestEdge(body)), 12);
    }
    expect(longestEdge(body)).toBeGreaterThan(1.001);
  });

  it('finds one vertex that is far away, wherever it is, and one that is nowhere', () => {
    const [{ model, state }] = world.bodies;
    const meter = new StretchMeter(model);
    const random = createRandom(3);
    for (const far of [1e3, Number.NaN]) {
      const x = model.positions.slice();
      const flesh = Array.from(model.bones.ofVertex.keys()).filter((v) => model.bones.ofVertex[v] < 0);
      x[flesh[random.integer(flesh.length)] * 3] += far;
      expect(meter.measure(x)).toBeGreaterThan(100);
      expect(longestEdge({ model, state: { ...state, positions: x } } as never)).toBeGreaterThan(100);
    }
  });
});
