/** A body without spin that turns over by bending: closed form of two halves that roll against the whole. */
import { describe, expect, it } from 'vitest';
import { buildFallingCatScene, CAT } from '../../../scenes/active/falling-cat.js';
import { createWorld, stepWorld } from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';

describe('the falling cat', () => {
  // Each half turns by Ω about the line through the cat, and by s about its own axis, which leans from that line by half the bend γ; no angular
  // momentum along the line: Ω (I_t sin²γ + I_a cos²γ) + s I_a cos γ = 0. Once round, s has gone a full turn.
  it('turns over by the angle that conservation of angular momentum asks for', async () => {
    const world = await createWorld(buildFallingCatScene({ falls: false, slower: 8 }), { dt: 1 / 480 });
    const { model, state } = world.bodies[0];
    const c = model.bones.secondMoment;
    const [axial, across] = [c[4] + c[8], c[0] + c[8]];
    const lean = CAT.bend / 2;
    const ratio = (axial * Math.cos(lean)) / (across * Math.sin(lean) ** 2 + axial * Math.cos(lean) ** 2);
    const expected = 2 * Math.PI * (1 - ratio);
    let [rolled, before] = [0, 0];
    const start = [...state.poses.translations];
    for (let n = 0; n < CAT.straight * 8 * 480 + 60; n++) {
      expect(stepWorld(world)).toBe(true);
      const [x, , , w] = state.poses.quats;
      const now = 2 * Math.atan2(x, w);
      const change = now - before;
      rolled += change - 2 * Math.PI * Math.round(change / (2 * Math.PI));
      before = now;
    }
    const middle = [0, 1, 2].map((k) => (state.poses.translations[k] + state.poses.translations[3 + k]) / 2);
    const drift = Math.max(...middle.map((x, k) => Math.abs(x - (start[k] + start[3 + k]) / 2)));
    measured('cat', { rolled, expected, drift });
    expect(Math.abs(rolled)).toBeGreaterThan(2);
    expect(Math.abs(Math.abs(rolled) / expected - 1)).toBeLessThan(0.002);
    expect(drift).toBeLessThan(1e-12);
  });
});
