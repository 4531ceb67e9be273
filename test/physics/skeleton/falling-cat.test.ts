/** Bodies without spin that turn over by bending: closed form of two halves that roll against the whole, and what a cat of flesh keeps. */
import { beforeAll, describe, expect, it } from 'vitest';
import { buildFallingCatScene } from '../../../scenes/active/falling-cat.js';
import { buildTwoHalfCat, CAT } from '../../../scenes/cast/two-half-cat.js';
import { createWorld, stepWorld, type World } from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';

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

/** Nearer than this to the floor is on it [m]. */
const TOUCHING = 2e-3;

describe('the falling cat', () => {
  let world: World;
  const air = { fallError: 0, unexplained: 0, spin: 0, spinOfParts: 0, steps: 0 };
  let before: number[] = [];
  let atTouch: number[] = [];
  let touching: number[] = [];

  // Until it touches the floor: the middle of all mass falls as backward Euler says it does, g h² n(n + 1)/2 in n steps, and the moment of
  // inertia about it, Σ m x × (v − v before), is nothing: what angular momentum changes by is h Σ m v × (v before), the error of
  // backward Euler, and nothing else.
  beforeAll(async () => {
    world = await createWorld(buildFallingCatScene());
    const { model, state } = world.bodies[0];
    before = uprights(world);
    let last = momentsOf(world, state.velocities);
    const height = last.middle[1];
    while (air.steps < 100) {
      atTouch = uprights(world);
      const velocities = state.velocities.slice();
      expect(stepWorld(world)).toBe(true);
      touching = [...model.positions].filter((_, i) => i % 3 === 1 && state.positions[i] < TOUCHING);
      if (touching.length > 0) break;
      air.steps++;
      const now = momentsOf(world, velocities);
      const fallen = (9.81 * world.dt ** 2 * air.steps * (air.steps + 1)) / 2;
      air.fallError = Math.max(air.fallError, Math.abs(height - fallen - now.middle[1]));
      const left = now.spin.map((value, k) => value - last.spin[k] - world.dt * now.across[k]);
      air.unexplained = Math.max(air.unexplained, Math.hypot(...left));
      air.spin = Math.max(air.spin, Math.hypot(...now.spin));
      air.spinOfParts = Math.max(air.spinOfParts, now.parts);
      last = now;
    }
    measured('falling cat', { ...air, before: before[0], chest: atTouch[0], pelvis: atTouch[1] });
  }, 200_000);

  it('falls as anything falls', () => {
    expect(air.steps).toBeGreaterThan(50);
    expect(air.fallError).toBeLessThan(1e-12);
  });

  it('gets no angular momentum from its motors while its parts turn against each other', () => {
    expect(air.spinOfParts).toBeGreaterThan(0.1);
    expect(air.unexplained).toBeLessThan(1e-12 * air.spinOfParts);
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

/**
 * Middle of all mass [m]; angular momentum about it, and the sum of the sizes of that of all parts [kg m²/s]; Σ m v × (v before), both against
 * the middle's.
 */
function momentsOf({ bodies: [{ model, state }] }: World, before: Float64Array) {
  const { masses } = model;
  const middle = meanOf(masses, state.positions);
  const speed = meanOf(masses, state.velocities);
  const speedBefore = meanOf(masses, before);
  const [spin, across] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let parts = 0;
  for (let i = 0; i < masses.length; i++) {
    const from = (all: Float64Array, mean: number[]) => mean.map((value, k) => all[3 * i + k] - value);
    const v = from(state.velocities, speed);
    const one = cross(from(state.positions, middle), v).map((value) => masses[i] * value);
    const other = cross(v, from(before, speedBefore));
    for (let k = 0; k < 3; k++) {
      spin[k] += one[k];
      across[k] += masses[i] * other[k];
    }
    parts += Math.hypot(...one);
  }
  return { middle, spin, parts, across };
}

function meanOf(masses: Float64Array, values: Float64Array): number[] {
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return [0, 1, 2].map((k) => masses.reduce((sum, mass, i) => sum + mass * values[3 * i + k], 0) / total);
}

function cross([a, b, c]: number[], [p, q, r]: number[]): number[] {
  return [b * r - c * q, c * p - a * r, a * q - b * p];
}
