/**
 * Frames that end at their limit of iterations while a crease buckles: what they leave, the next ones take up without a pop. A hand of 15 000 cells curls its
 * fingers until they touch, and back: no vertex of its skin accelerates three times as hard as the bones, which move as linear blending moves skin
 * that follows one of them.
 */
import { describe, expect, it } from 'vitest';
import { buildCurlingHandScene } from '../../scenes/lattice.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';

describe('a hand that curls its fingers, ten iterations a frame', () => {
  it('creases without a pop', async () => {
    const world = await createWorld(buildCurlingHandScene(15_000));
    const { model, state } = world.bodies[0];
    const skin = new Set(model.surface.triangles);
    const most = { flesh: 0, bone: 0 };
    let [limited, move] = [0, 0];
    let [last, before] = [state.positions.slice(), state.positions.slice()];
    for (let frame = 0; frame < 18; frame++) {
      expect(stepWorld(world)).toBe(true);
      const now = state.positions.slice();
      for (let v = 0; v < model.vertexCount && frame > 1; v++) {
        const [x, y, z] = [0, 1, 2].map((k) => now[3 * v + k] - 2 * last[3 * v + k] + before[3 * v + k]);
        const kind = model.bones.ofVertex[v] >= 0 ? 'bone' : 'flesh';
        if (kind === 'bone' || skin.has(v)) most[kind] = Math.max(most[kind], Math.sqrt(x * x + y * y + z * z));
      }
      [before, last] = [last, now];
      const { iterations, inverted, cells } = world.certificate;
      expect(inverted).toBe(0);
      if (iterations === 10) limited++;
      move = Math.max(move, cells!.lastMove);
    }
    // some frames do run into the limit
    expect(limited).toBeGreaterThan(0);
    expect(move).toBeLessThan(0.5);
    expect(most.flesh).toBeLessThan(3 * most.bone);
    disposeWorld(world);
  });
});
