/** Pendulums against the exact map of backward Euler (V06, V07) and against Runge-Kutta (V06b). */
import { describe, expect, it } from 'vitest';
import { angleAboutZ, inertiaAbout, measured, single } from '../../support/checks/measure.js';
import { pendulumMap, rungeKutta, turnBetween } from '../../support/checks/pendulum-map.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const G = 9.81;
const GRAVITY = [0, -G, 0] as const;

/** A bar of 1 m x 0.1 m x 0.1 m along x, pinned at its end, whose lumped masses have the inertia of the continuum. */
function bar() {
  return buildBoxes(
    [{ name: 'bar', centre: [0.5, 0, 0], sides: lumpedSides([1, 0.1, 0.1]) }],
    [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }],
  );
}
/** Inertia about the pin over mass, and distance of the centre of mass: closed form of the uniform bar. */
const INERTIA = 1 / 3 + 0.01 / 12;
const ARM = 0.5;

describe('V06 pendulum: the solver follows the exact map of backward Euler', () => {
  it('has the inertia of the uniform bar', async () => {
    const { model } = await single(bar());
    expect(inertiaAbout(model, 0, 2) / model.bones.mass[0] + ARM * ARM).toBeCloseTo(INERTIA, 14);
  });

  // Bones alone: one iteration is one Gauss-Newton step. How many the inner problem needs for 1e-10 depends on h.
  it.each([
    [1 / 30, 8],
    [0.01, 5],
    [0.001, 3],
  ])('h = %f s, %i iterations: within 1e-10 rad over 300 steps', async (h, iterations) => {
    const { state, step, world } = await single(bar(), { dt: h, iterations, gravity: GRAVITY });
    const map = pendulumMap(INERTIA, ARM, G, h, 0);
    let worst = 0;
    for (let n = 0; n < 300; n++) {
      step();
      worst = Math.max(worst, Math.abs(turnBetween(angleAboutZ(state, 0), map())));
      expect(world.certificate.jointGap).toBeLessThan(1e-10);
      expect(world.certificate.rigidity).toBeLessThan(1e-12);
    }
    measured(`V06 h=${h}`, worst);
    expect(worst).toBeLessThan(1e-10);
  });

  it('stays within 2e-5 rad of the map with a single iteration, at h = 1/30', async () => {
    const { state, step } = await single(bar(), { dt: 1 / 30, iterations: 1, gravity: GRAVITY });
    const map = pendulumMap(INERTIA, ARM, G, 1 / 30, 0);
    for (let n = 0; n < 300; n++) {
      step();
      expect(Math.abs(turnBetween(angleAboutZ(state, 0), map()))).toBeLessThan(2e-5);
    }
  });

  it('swings the same in any direction: turned by a quaternion, 5 m away', async () => {
    const h = 0.01;
    const c = Math.cos(Math.PI / 6);
    // turned about y: the plane of the swing contains gravity as before
    const placement = { position: [5, 4, -3], rotation: [0, Math.sin(Math.PI / 6), 0, c] } as const;
    const { state, model, step } = await single(bar(), { dt: h, iterations: 8, gravity: GRAVITY, placement });
    const map = pendulumMap(INERTIA, ARM, G, h, 0);
    for (let n = 0; n < 300; n++) {
      step();
      const angle = map();
      expect(Math.abs(state.poses.translations[1] - 4 - ARM * Math.sin(angle))).toBeLessThan(1e-10);
    }
    expect(model.bones.count).toBe(1);
  });
});

describe('V06b the error of backward Euler against Runge-Kutta is what it is', () => {
  const rk4 = (start: number) =>
    rungeKutta([start, 0], (y) => [y[1], (-G * ARM * Math.cos(y[0])) / INERTIA], 3, 30000)[0];

  it('Runge-Kutta gives the reference value of golden.json', () => {
    expect(rk4(0)).toBeCloseTo(-3.0734361633, 8);
    expect(rk4(-Math.PI / 2 + 0.2)).toBeCloseTo(-1.4802695229, 8);
  });

  // Angle after 3 s from an independent program (golden.json), and the error of the tip [m].
  it.each([
    [0, 1 / 30, -1.7012047488, undefined],
    [0, 0.01, -2.2072303765, 0.839],
    [0, 0.001, -2.9512080982, 0.122],
    [-Math.PI / 2 + 0.2, 0.01, -1.4985651796, 1.83e-2],
    [-Math.PI / 2 + 0.2, 0.001, -1.4822007731, 1.93e-3],
  ])('from %f rad, h = %f s: %f rad after 3 s', async (start, h, golden, tipError) => {
    const steps = Math.round(3 / h);
    // a body placed turned turns its world pins too; gravity is turned instead
    const gravity = [G * Math.sin(-start), -G * Math.cos(start), 0] as const;
    const { state, step } = await single(bar(), { dt: h, iterations: 10, gravity });
    step(steps);
    const angle = angleAboutZ(state, 0) + start;
    expect(Math.abs(turnBetween(angle, golden))).toBeLessThan(1e-9);
    if (tipError !== undefined) {
      const tip = 2 * Math.abs(Math.sin((angle - rk4(start)) / 2));
      measured(`V06b tip error h=${h} start=${start}`, tip);
      expect(Math.abs(tip / tipError - 1)).toBeLessThan(0.01);
    }
  });
});

describe('V07 double pendulum', () => {
  /** Two bars, straight, at an angle of 0.5 rad from the vertical when gravity is turned against them. */
  async function swing(h: number, steps: number): Promise<[number, number]> {
    const boxes = [0, 1].map((i) => ({
      name: `b${i}`,
      centre: [i + 0.5, 0, 0] as const,
      sides: lumpedSides([1, 0.1, 0.1]),
    }));
    const joints = [
      { name: 'pin', type: 'ball', bones: ['b0'], anchor: [0, 0, 0] },
      { name: 'elbow', type: 'ball', bones: ['b0', 'b1'], anchor: [1, 0, 0] },
    ] as const;
    // at rest the bars lie along x; "down" is turned by −0.5 rad from x, so both start 0.5 rad from the vertical
    const gravity = [G * Math.cos(0.5), -G * Math.sin(0.5), 0] as const;
    const { state, step } = await single(buildBoxes(boxes, joints), { dt: h, iterations: 20, gravity });
    step(steps);
    return [angleAboutZ(state, 0) + 0.5, angleAboutZ(state, 1) + 0.5];
  }

  it.each([
    [0.01, [-0.35793602, -0.55721572]],
    [0.001, [-0.36811532, -0.59114952]],
  ])('from 0.5 rad, h = %f s: angles after 1 s of an independent program within 1e-6', async (h, golden) => {
    const angles = await swing(h, Math.round(1 / h));
    measured(
      `V07 h=${h}`,
      angles.map((angle, i) => angle - golden[i]),
    );
    for (let i = 0; i < 2; i++) expect(Math.abs(angles[i] - golden[i])).toBeLessThan(1e-6);
  });

  it('converges to Runge-Kutta with first order', async () => {
    // Lagrange's equations of two equal bars: inertia about own centre J, length 1, centres at 1/2.
    const J = 1.01 / 12;
    const f = (y: readonly number[]) => {
      const [a, b, p, q] = y;
      const c = 0.5 * Math.cos(a - b);
      const s = 0.5 * Math.sin(a - b);
      const m11 = J + 0.25 + 1;
      const m22 = J + 0.25;
      const r1 = -s * q * q - 1.5 * G * Math.sin(a);
      const r2 = s * p * p - 0.5 * G * Math.sin(b);
      const det = m11 * m22 - c * c;
      return [p, q, (m22 * r1 - c * r2) / det, (m11 * r2 - c * r1) / det];
    };
    const exact = rungeKutta([0.5, 0.5, 0, 0], f, 1, 4000);
    expect(exact[0]).toBeCloseTo(-0.36909992, 7);
    expect(exact[1]).toBeCloseTo(-0.59549428, 7);
    const errors = await Promise.all(
      [250, 500, 1000].map(async (steps) => (await swing(1 / steps, steps))[1] - exact[1]),
    );
    for (let i = 0; i < 2; i++) expect(Math.abs(Math.log2(errors[i] / errors[i + 1]) - 1)).toBeLessThan(0.15);
  });
});
