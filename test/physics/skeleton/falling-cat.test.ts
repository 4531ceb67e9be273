/** Bodies without spin that turn over by bending: closed form of two halves that roll against the whole, and what a cat of flesh keeps. */
import { beforeAll, describe, expect, it } from 'vitest';
import { buildFallingCatScene } from '../../../scenes/active/falling-cat.js';
import { createWorld, stepWorld, type World } from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';
import { buildTwoHalfCat, CAT } from '../../support/models/two-half-cat.js';

describe('two halves of a cat', () => {
  // Each half turns by Ω about the line through the cat, and by s about its own axis, which leans from that line by half the bend γ; no angular
  // momentum along the line: Ω (I_t sin²γ + I_a cos²γ) + s I_a cos γ = 0. Once round, s has gone a full turn.
  it('turns over by the angle that conservation of angular momentum asks for', async () => {
    const world = await createWorld(buildTwoHalfCat({ slower: 8 }), { dt: 1 / 480 });
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

describe('the falling cat', () => {
  let world: World;
  const air = { fallError: 0, spin: 0, spinOfParts: 0, steps: 0 };
  const before: number[] = [];
  let touching: number[] = [];
  const atTouch: number[] = [];

  // Until the first contact: the middle of all mass falls as backward Euler says it does, g h² n(n + 1)/2 in n steps, and angular momentum
  // about it stays nothing.
  beforeAll(async () => {
    const scene = buildFallingCatScene();
    world = await createWorld(scene);
    const { positions } = world.bodies[0].state;
    const rest = world.bodies[0].model.positions;
    before.push(...uprights(world));
    const height = momentsOf(world).middle[1];
    while (touching.length === 0 && air.steps < 100) {
      atTouch.splice(0, 2, ...uprights(world));
      expect(stepWorld(world)).toBe(true);
      const { contacts } = world.certificate;
      if (contacts > 0) {
        const low = 1e-3 + positions.reduce((least, y, i) => (i % 3 === 1 ? Math.min(least, y) : least), 1);
        touching = [...rest].filter((_, i) => i % 3 === 1 && positions[i] < low);
        break;
      }
      air.steps++;
      const { middle, spin, parts } = momentsOf(world);
      const fallen = (9.81 * world.dt ** 2 * air.steps * (air.steps + 1)) / 2;
      air.fallError = Math.max(air.fallError, Math.abs(height - fallen - middle[1]));
      air.spin = Math.max(air.spin, spin);
      air.spinOfParts = Math.max(air.spinOfParts, parts);
    }
    measured('falling cat', { ...air, before: before[0], chest: atTouch[0], pelvis: atTouch[1] });
  });

  it('falls as anything falls', () => {
    expect(air.steps).toBeGreaterThan(50);
    expect(air.fallError).toBeLessThan(1e-12);
  });

  it('has no angular momentum while its parts turn against each other', () => {
    expect(air.spinOfParts).toBeGreaterThan(0.1);
    expect(air.spin).toBeLessThan(1e-12 * air.spinOfParts);
  });

  it('has turned over when its feet touch the floor first', () => {
    for (const up of before) expect(up).toBeLessThan(-0.98);
    // within 15 degrees of upright
    for (const up of atTouch) expect(up).toBeGreaterThan(Math.cos((15 * Math.PI) / 180));
    expect(touching.length).toBeGreaterThan(0);
    // soles and toes
    for (const y of touching) expect(y).toBeLessThan(0.03);
  });

  it('stands on its feet three seconds after it was let go', () => {
    while (world.stepCount * world.dt < 3) expect(stepWorld(world)).toBe(true);
    for (const up of uprights(world)) expect(up).toBeGreaterThan(0.98);
    expect(world.bodies[0].state.poses.translations[1]).toBeGreaterThan(0.15);
  });
});

/** How far chest and pelvis are upright: the height of their upward directions, 1 to -1. */
function uprights({ bodies: [{ model, state }] }: World): number[] {
  return ['chest', 'pelvis'].map((name) => {
    const o = 4 * model.bones.names.indexOf(name);
    const [x, , z] = state.poses.quats.subarray(o, o + 4);
    return 1 - 2 * (x * x + z * z);
  });
}

/** Middle of all mass [m], size of the angular momentum about it, and the sum of the sizes of that of all parts [kg m²/s]. */
function momentsOf({ bodies: [{ model, state }] }: World) {
  const { masses } = model;
  const { positions: x, velocities: v } = state;
  let total = 0;
  const middle = [0, 0, 0];
  for (let i = 0; i < masses.length; i++) {
    total += masses[i];
    for (let k = 0; k < 3; k++) middle[k] += masses[i] * x[3 * i + k];
  }
  for (let k = 0; k < 3; k++) middle[k] /= total;
  const sum = [0, 0, 0];
  let parts = 0;
  for (let i = 0; i < masses.length; i++) {
    const [a, b, c] = [0, 1, 2].map((k) => x[3 * i + k] - middle[k]);
    const [p, q, r] = v.subarray(3 * i, 3 * i + 3);
    const one = [b * r - c * q, c * p - a * r, a * q - b * p].map((value) => masses[i] * value);
    for (let k = 0; k < 3; k++) sum[k] += one[k];
    parts += Math.hypot(...one);
  }
  return { middle, spin: Math.hypot(...sum), parts };
}
