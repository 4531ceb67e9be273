/** BDF2 (`integrator: 'bdf2'`) measured with V03, V04 and V06: second order, and far less damping than backward Euler. */
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/body/body-def.js';
import {
  angleAboutZ,
  centreOf,
  kineticEnergy,
  linearMomentum,
  measured,
  norm,
  single,
} from '../support/checks/measure.js';
import { rungeKutta, turnBetween } from '../support/checks/pendulum-map.js';
import { buildBoxes, lumpedSides, STIFF } from '../support/models/bodies.js';

const G = 9.81;

/** Orders from errors at h, h/2, h/4, ... */
function orders(errors: readonly number[]): number[] {
  return errors.slice(1).map((error, i) => Math.log2(Math.abs(errors[i] / error)));
}

describe('V06 with BDF2', () => {
  const bar = buildBoxes(
    [{ name: 'bar', centre: [0.5, 0, 0], sides: lumpedSides([1, 0.1, 0.1]) }],
    [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }],
  );
  const exact = rungeKutta([0, 0], (y) => [y[1], (-G * 0.5 * Math.cos(y[0])) / (1 / 3 + 0.01 / 12)], 1, 20000)[0];

  async function errorAfter1s(steps: number, integrator: 'bdf2' | 'backwardEuler'): Promise<number> {
    const s = await single(bar, { dt: 1 / steps, iterations: 5, integrator, gravity: [0, -G, 0] });
    s.step(steps);
    return turnBetween(angleAboutZ(s.state, 0), exact);
  }

  it('is of second order against Runge-Kutta', async () => {
    const errors: number[] = [];
    // the one step of backward Euler at the start shows as a higher order where h is large
    for (const steps of [1000, 2000, 4000, 8000]) errors.push(await errorAfter1s(steps, 'bdf2'));
    measured('V06 bdf2 errors, orders', [errors, orders(errors)]);
    for (const order of orders(errors)) expect(Math.abs(order - 2)).toBeLessThan(0.15);
  });

  it('at h = 0.01 s is more than ten times as exact as backward Euler', async () => {
    const [second, first] = [await errorAfter1s(100, 'bdf2'), await errorAfter1s(100, 'backwardEuler')];
    measured('V06 bdf2 and backward Euler at h=0.01', [second, first]);
    expect(Math.abs(second)).toBeLessThan(Math.abs(first) / 10);
  });
});

describe('V03 with BDF2: spin lost in 3 s', () => {
  it.each([
    [2 * Math.PI, 1 / 30, 0.88],
    [2 * Math.PI, 1 / 60, 0.96],
    [10, 0.01, 0.96],
  ])('from %f rad/s at h = %f s keeps more than %f of its rate', async (omega, h, kept) => {
    const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.3, 0.2, 0.1] }]);
    const rate = async (integrator: 'bdf2' | 'backwardEuler') => {
      const options = { dt: h, iterations: 20, integrator, placement: { angularVelocity: [0, 0, omega] as Vec3 } };
      const s = await single(body, options);
      s.step(Math.round(3 / h) - 1);
      const before = angleAboutZ(s.state, 0);
      s.step();
      return turnBetween(angleAboutZ(s.state, 0), before) / h / omega;
    };
    const [second, first] = [await rate('bdf2'), await rate('backwardEuler')];
    measured(`V03 bdf2, backward Euler: share of the spin kept, omega=${omega}, h=${h}`, [second, first]);
    expect(second).toBeGreaterThan(kept);
    expect(second).toBeLessThan(1);
    expect(second).toBeGreaterThan(first + 0.2);
  });
});

describe('V04 with BDF2', () => {
  const sides = [Math.sqrt(8), 2, Math.sqrt(8) * 1e-3] as const;
  const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides }], [], {
    ...STIFF,
    density: 1 / (sides[0] * sides[1] * sides[2]),
  });
  const spin: Vec3 = [0.3, 2, 0.2 / 3];

  it('keeps more energy than backward Euler, and the loss falls with h³ or h²', async () => {
    const losses: number[] = [];
    for (const h of [0.02, 0.01, 0.005]) {
      const s = await single(body, { dt: h, iterations: 60, integrator: 'bdf2', placement: { angularVelocity: spin } });
      const start = kineticEnergy(s.model, s.state);
      s.step(Math.round(1 / h));
      losses.push(1 - kineticEnergy(s.model, s.state) / start);
    }
    measured('V04 bdf2 energy lost', losses);
    // backward Euler loses 0.140, 0.075, 0.039
    expect(losses[0]).toBeLessThan(0.014);
    for (const order of orders(losses)) expect(order).toBeGreaterThan(1.7);
  });
});

describe('free fall with BDF2', () => {
  it('momentum changes by gravity alone, and the fall is exact to second order', async () => {
    const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.3, 0.2, 0.1] }]);
    const velocity: Vec3 = [1, 2, 3];
    const s = await single(body, { dt: 0.01, integrator: 'bdf2', gravity: [0, -G, 0], placement: { velocity } });
    s.step(100);
    const p = linearMomentum(s.model, s.state).map((value) => value / s.model.totalMass);
    expect(norm([p[0] - 1, p[1] - 2 + G, p[2] - 3])).toBeLessThan(1e-10);
    // parabola; the first step, backward Euler, adds a constant ½ g h² · (1 + ...) at most
    expect(Math.abs(centreOf(s.model, s.state.positions)[1] - (2 - G / 2))).toBeLessThan(1e-3);
  });
});
