/** Bodies that nothing holds, against closed forms and the exact maps of backward Euler: V01, V03, V04. */
import { describe, expect, it } from 'vitest';
import { polarRotation } from '../../src/math/polar3.js';
import {
  angleAboutZ,
  centreOf,
  kineticEnergy,
  maxDifference,
  measured,
  norm,
  single,
} from '../support/checks/measure.js';
import { applyMat3, rotationAbout, setSpin } from '../support/checks/spin.js';
import { buildBoxes, buildFleshBar, STIFF } from '../support/models/bodies.js';

const H = 1 / 60;

/** Backward Euler in constant gravity, closed form: x₀ + n h v₀ + g h² n(n+1)/2. */
function fall(x0: number, v0: number, g: number, n: number): number {
  return x0 + n * H * v0 + (g * H * H * n * (n + 1)) / 2;
}

describe('V01 free fall, closed form of backward Euler', () => {
  const gravity = [0.3, -9.81, 0.1] as const;
  const velocity = [1, 2, -0.5] as const;
  const oneTet = {
    name: 'tet',
    positions: Float64Array.from([0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1]),
    tets: Int32Array.from([0, 1, 2, 3]),
    materials: [STIFF],
  };
  const oneBone = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.2, 0.1, 0.3] }]);
  const withFlesh = buildFleshBar({ cells: [8, 2, 2], cell: 0.1, layers: 3, material: STIFF });
  it.each([
    ['a tet of flesh', oneTet],
    ['one bone', oneBone],
    ['flesh, two bones and a joint', withFlesh],
  ])('%s: centre of mass within 1e-10 m at each of 600 steps', async (_, body) => {
    const { model, state, step } = await single(body, { dt: H, gravity, placement: { velocity } });
    const start = centreOf(model, state.positions);
    let worst = 0;
    for (let n = 1; n <= 600; n++) {
      step();
      const centre = centreOf(model, state.positions);
      for (let k = 0; k < 3; k++)
        worst = Math.max(worst, Math.abs(centre[k] - fall(start[k], velocity[k], gravity[k], n)));
    }
    measured('V01', worst);
    expect(worst).toBeLessThan(1e-10);
  });

  // Target 1e-8 m, for a solve in f64. Elastic forces are f32 here: each step leaves errors of 6e-8 of the size, and in
  // 600 steps they turn and bend the bar by 1.6e-6 m (the rule for f32, 2e-6 · size · √steps, would allow 4e-5 m).
  it('through the sparse solve every vertex falls alike, within 5e-6 m', async () => {
    const { model, state, step } = await single(withFlesh, { dt: H, gravity, placement: { velocity } });
    step(600);
    const expected = model.positions.map((x, i) => fall(x, velocity[i % 3], gravity[i % 3], 600));
    measured('V01 vertices', maxDifference(state.positions, expected));
    expect(maxDifference(state.positions, expected)).toBeLessThan(5e-6);
  });
});

describe('V03 spin of a free bone decays by the map D ← atan2(sin D, 2 − cos D)', () => {
  // Values after 3 s from an independent program (golden.json, spinDecay).
  const cases: readonly (readonly [number, number, number | undefined])[] = [
    [1, 0.01, 0.971285],
    [5, 0.01, 3.161915],
    [10, 0.01, 3.778325],
    [10, 1 / 30, 2.177605],
    [2 * Math.PI, 1 / 60, 2.823438],
    [2 * Math.PI, 1 / 30, 2.103743],
    [10, 0.001, 7.905665],
    [1, 0.001, 0.997013],
    [1, 1 / 30, undefined],
    [5, 1 / 60, undefined],
  ];
  it.each(cases)('from %f rad/s, h = %f s', async (omega, h, golden) => {
    const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.3, 0.2, 0.1] }]);
    const { model, state, step } = await single(body, { dt: h, iterations: 40 });
    setSpin(model, state, 0, rotationAbout([0, 0, 1], -omega * h), h);
    let turn = omega * h;
    let angle = 0;
    let rate = omega;
    const steps = Math.round(3 / h);
    for (let n = 0; n < steps; n++) {
      step();
      turn = Math.atan2(Math.sin(turn), 2 - Math.cos(turn));
      const now = angleAboutZ(state, 0);
      rate = Math.atan2(Math.sin(now - angle), Math.cos(now - angle)) / h;
      angle = now;
      expect(Math.abs(rate * h - turn)).toBeLessThan(1e-9 * turn + 1e-14);
    }
    if (golden !== undefined) expect(rate).toBeCloseTo(golden, 6);
    const asymptote = omega / Math.sqrt(1 + 2 * h * omega * omega * 3);
    // Half a per cent where turns per step are small; the asymptote itself is off by O((ωh)²) beyond.
    if (omega * h <= 0.1) expect(Math.abs(rate / asymptote - 1)).toBeLessThan(0.005);
  });
});

describe('V04 torque-free turning of a body with inertia 1, 2, 3 (Dzhanibekov)', () => {
  // Inertia (1, 2, 3) means second moments (2, 1, 0): flat. The thin direction gets 1e-5 of the length.
  const sides = [Math.sqrt(8), 2, Math.sqrt(8) * 1e-3] as const;
  const density = 1 / (sides[0] * sides[1] * sides[2]);
  const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides }], [], { ...STIFF, density });
  const spin = [0.3, 4 / 2, 0.2 / 3] as const;

  /** Angular velocity of the flow of Euler's equations is integrated together with R: dR/dt = R ω*, by RK4. */
  function reference(inertia: readonly number[], steps: number): Float64Array {
    const f = (y: Float64Array): Float64Array => {
      const [a, b, c] = [y[9], y[10], y[11]];
      const out = new Float64Array(12);
      for (let i = 0; i < 3; i++) {
        out[i * 3] = y[i * 3 + 1] * c - y[i * 3 + 2] * b;
        out[i * 3 + 1] = y[i * 3 + 2] * a - y[i * 3] * c;
        out[i * 3 + 2] = y[i * 3] * b - y[i * 3 + 1] * a;
      }
      out[9] = ((inertia[1] - inertia[2]) * b * c) / inertia[0];
      out[10] = ((inertia[2] - inertia[0]) * c * a) / inertia[1];
      out[11] = ((inertia[0] - inertia[1]) * a * b) / inertia[2];
      return out;
    };
    let y = Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, ...spin]);
    const h = 1 / steps;
    const along = (k: Float64Array, s: number) => y.map((value, i) => value + s * k[i]);
    for (let n = 0; n < steps; n++) {
      const k1 = f(y);
      const k2 = f(along(k1, h / 2));
      const k3 = f(along(k2, h / 2));
      const k4 = f(along(k3, h));
      y = y.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    }
    return y.subarray(0, 9);
  }

  const errors: number[] = [];
  it.each([
    [0.02, 0.86],
    [0.01, 0.925],
    [0.005, 0.961],
  ])(
    'h = %f: follows R ← polar((2R − R_before) C) within 1e-9; energy after 1 s is %f of the start',
    async (h, ratio) => {
      const { model, state, step } = await single(body, {
        dt: h,
        iterations: 60,
        placement: { angularVelocity: spin },
      });
      const moment = model.bones.secondMoment;
      let before = state.poses.rotations.slice(0, 9);
      // the first step starts from the given rate: R_before = R − h dR/dt
      for (let i = 0; i < 9; i++) before[i] -= h * state.boneRates[(i % 3) * 3 + Math.floor(i / 3)];
      let now = state.poses.rotations.slice(0, 9);
      const start = kineticEnergy(model, state);
      let energy = start;
      for (let n = 0; n < Math.round(1 / h); n++) {
        step();
        const next = new Float64Array(9);
        const target = now.map((value, i) => 2 * value - before[i]);
        polarRotation(next, 0, applyMat3(target, moment.slice(0, 9)), 0, new Float64Array(64), 0);
        before = now;
        now = next;
        expect(maxDifference(state.poses.rotations.subarray(0, 9), now)).toBeLessThan(1e-9);
        const after = kineticEnergy(model, state);
        expect(after).toBeLessThanOrEqual(energy * (1 + 1e-9));
        energy = after;
      }
      expect(energy / start).toBeCloseTo(ratio, 2);
      const inertia = [moment[4] + moment[8], moment[0] + moment[8], moment[0] + moment[4]];
      expect(inertia[0]).toBeCloseTo(1, 4);
      const exact = reference(inertia, 4000);
      errors.push(norm(exact.map((value, i) => value - state.poses.rotations[i])));
    },
  );

  it('is of first order against Runge-Kutta', () => {
    expect(errors).toHaveLength(3);
    const order = Math.log2(errors[1] / errors[2]);
    expect(Math.abs(order - 1)).toBeLessThan(0.1);
  });
});
