/**
 * Rigid bodies of the coupled solver against closed forms: free fall, free rotation, sliding and rolling on an incline, stacks,
 * bounces and rows of balls.
 */
import { describe, expect, it } from 'vitest';
import { CoupledCore } from '../../../../src/solvers/coupled/coupled-core.js';
import { ball, box, ground, incline, onIncline, rigidBody } from '../../../support/models/coupled.js';

const g = 9.81;

describe('free flight', () => {
  it('falls by g t²/2 exactly (V01b)', () => {
    const start = { position: [0.3, 2, -1], velocity: [1, 4, -2], angularVelocity: [1, 2, 3] };
    const core = new CoupledCore({ rigid: [ball(0.1, 2, start)] }, { substeps: 1 });
    for (let n = 1; n <= 600; n++) {
      core.step(1 / 60);
      const t = n / 60;
      expect(Math.abs(core.rigid.x[0] - (0.3 + t))).toBeLessThan(1e-10);
      expect(Math.abs(core.rigid.x[1] - (2 + 4 * t - 0.5 * g * t * t))).toBeLessThan(1e-10);
      expect(Math.abs(core.rigid.x[2] - (-1 - 2 * t))).toBeLessThan(1e-10);
    }
  });

  it('turns with second order, keeping angular momentum to the last bit (V05)', () => {
    const reference = turned(0.01 / 64);
    const errors = [0.02, 0.01, 0.005, 0.0025].map((h) => angleBetween(turned(h), reference));
    // an independent program measured |R − R_exact| = 6.356e-6 at h = 0.01: the root of two times the angle
    expect(Math.SQRT2 * errors[1]).toBeCloseTo(6.356e-6, 8);
    const order = Math.log2(errors[0] / errors[3]) / 3;
    expect(order).toBeGreaterThan(1.9);
    expect(order).toBeLessThan(2.1);
  });

  /** Orientation after 1 s of a body with moments 1, 2, 3 and angular momentum (0.3, 4, 0.2). */
  function turned(h: number): Float64Array {
    const body = rigidBody(1, [1, 2, 3], { kind: 'sphere', radius: 0.1 }, { angularVelocity: [0.3, 2, 0.2 / 3] });
    const core = new CoupledCore({ rigid: [body], gravity: [0, 0, 0] }, { substeps: 1 });
    for (let n = 0; n < Math.round(1 / h); n++) core.step(h);
    expect([...core.rigid.l]).toEqual([0.3, 4, 3 * (0.2 / 3)]);
    return core.rigid.q;
  }

  function angleBetween(p: Float64Array, q: Float64Array): number {
    const dot = Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    return 2 * Math.acos(Math.min(1, dot)) || 0;
  }
});

describe('incline', () => {
  const angle = Math.PI / 6;

  it('a box slides by (sin α − μ cos α) g t²/2 (V50)', () => {
    const rotation = incline(angle, 0).rotation;
    const start = { position: onIncline(angle, 0, 0.1), rotation, friction: 0.2 };
    const core = new CoupledCore({ rigid: [incline(angle, 0.2), box([0.2, 0.1, 0.15], 3, start)] });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    const wanted = onIncline(angle, 0.5 * g * (Math.sin(angle) - 0.2 * Math.cos(angle)) * 4, 0.1);
    for (let k = 0; k < 3; k++) expect(core.rigid.x[3 + k]).toBeCloseTo(wanted[k], 8);
  });

  it('a particle, a grain of half a millimetre, slides as far within 1 % (V50)', () => {
    const half = 2.5e-4;
    const rotation = incline(angle, 0).rotation;
    const start = { position: onIncline(angle, 0, half), rotation, friction: 0.2 };
    const core = new CoupledCore({ rigid: [incline(angle, 0.2), box([half, half, half], 1e-7, start)] });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    const wanted = onIncline(angle, 0.5 * g * (Math.sin(angle) - 0.2 * Math.cos(angle)) * 4, half);
    for (let k = 0; k < 2; k++) expect(Math.abs(core.rigid.x[3 + k] / wanted[k] - 1)).toBeLessThan(0.01);
  });

  it('a particle that does not turn, a ball of infinite moments, slides as far (V50)', () => {
    const start = { position: onIncline(angle, 0, 0.05), friction: 0.2 };
    const particle = { ...ball(0.05, 1, start), inverseInertia: new Array(9).fill(0) };
    const core = new CoupledCore({ rigid: [incline(angle, 0.2), particle] });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    const wanted = onIncline(angle, 0.5 * g * (Math.sin(angle) - 0.2 * Math.cos(angle)) * 4, 0.05);
    for (let k = 0; k < 3; k++) expect(core.rigid.x[3 + k]).toBeCloseTo(wanted[k], 8);
  });

  it('a box sticks (V50) and the threshold is tan α (V51)', () => {
    const steep = Math.atan(0.5);
    const rotation = incline(steep, 0).rotation;
    const slide = (friction: number): number => {
      const start = { position: onIncline(steep, 0, 0.1), rotation, friction };
      const core = new CoupledCore({ rigid: [incline(steep, friction), box([0.2, 0.1, 0.15], 3, start)] });
      for (let n = 0; n < 600; n++) core.step(1 / 60);
      const at = onIncline(steep, 0, 0.1);
      return Math.sqrt((core.rigid.x[3] - at[0]) ** 2 + (core.rigid.x[4] - at[1]) ** 2);
    };
    expect(slide(0.6)).toBeLessThan(1e-8);
    expect(slide(0.501)).toBeLessThan(1e-8);
    // tan α exactly: what is put down must find all of its friction at once, for nothing stops what slides. It crept by 3.8 mm
    expect(slide(0.5)).toBeLessThan(1e-6);
    // 0.49: slides with g (sin α − μ cos α)
    const acceleration = g * (Math.sin(steep) - 0.49 * Math.cos(steep));
    expect(slide(0.49) / (0.5 * acceleration * 100)).toBeCloseTo(1, 3);
  });

  it('a ball rolls with 5/7 g sin α (V58)', () => {
    const start = { position: onIncline(angle, 0, 0.1), friction: 0.5 };
    const core = new CoupledCore({ rigid: [incline(angle, 0.5), ball(0.1, 1, start)] });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    const wanted = onIncline(angle, (5 / 14) * g * Math.sin(angle) * 4, 0.1);
    for (let k = 0; k < 2; k++) expect(core.rigid.x[3 + k] / wanted[k]).toBeCloseTo(1, 3);
  });
});

describe('stacks', () => {
  it('ten boxes stand for 30 s, each carrying what is above it (V52)', () => {
    const half = 0.25;
    const boxes = Array.from({ length: 10 }, (_, i) =>
      box([half, half, half], 2, { position: [0, half + 2 * half * i, 0] }),
    );
    const core = new CoupledCore({ rigid: [ground(), ...boxes] }, { substeps: 1 });
    for (let n = 0; n < 1800; n++) core.step(1 / 60);
    for (let i = 1; i <= 10; i++) {
      // a thousandth of a box; measured 0.15 mm
      expect(Math.abs(core.rigid.x[i * 3])).toBeLessThan(5e-4);
      expect(core.rigid.rotation[i * 9 + 4]).toBeGreaterThan(1 - 1e-6);
      // the force under box i: the weight of it and of those above
      let force = 0;
      for (let c = 0; c < core.contacts.count; c++) {
        const below = Math.min(core.contacts.a[c], core.contacts.b[c]);
        const above = Math.max(core.contacts.a[c], core.contacts.b[c]);
        if (above === i && below === i - 1) force += Math.abs(core.contacts.push[1][c * 3 + 1]) * 60;
      }
      expect(force / ((11 - i) * 2 * g)).toBeCloseTo(1, 3);
    }
  });

  it.each([
    [1e3, 0.01],
    [1e6, 0.01],
    [1e6, 0.012],
    [1e6, 0.002],
  ])('light between heavy, ratio %d, %d m apart: nothing deeper than 1e-3 of a box (V53b)', (ratio, apart) => {
    const masses = [ratio, 1, ratio];
    const place = (i: number) => [0, 0.25 + apart + (0.5 + apart) * i, 0] as const;
    const boxes = masses.map((mass, i) => box([0.25, 0.25, 0.25], mass, { position: place(i) }));
    const core = new CoupledCore({ rigid: [ground(), ...boxes] }, { substeps: 1 });
    let deepest = 0;
    for (let n = 0; n < 300; n++) {
      core.step(1 / 60);
      for (let c = 0; c < core.contacts.count; c++) deepest = Math.min(deepest, core.contacts.gap[c]);
    }
    expect(-deepest).toBeLessThan(5e-4);
    for (let i = 0; i < 3; i++) expect(core.rigid.x[(i + 1) * 3 + 1]).toBeCloseTo(0.25 + 0.5 * i, 3);
  });
});

describe('collisions', () => {
  /** Height of the first bounce of a ball that falls from a height, times e² in the closed form [m]. */
  function apexOf(e: number, height: number): number {
    const core = new CoupledCore(
      { rigid: [ground(), ball(0.1, 1, { position: [0, height + 0.1, 0], restitution: e })] },
      { substeps: 1 },
    );
    let apex = 0;
    let hit = false;
    for (let n = 0; n < 240; n++) {
      core.step(1 / 240);
      if (core.rigid.v[4] >= 0) hit = true;
      if (hit) apex = Math.max(apex, core.rigid.x[4] - 0.1);
    }
    return apex;
  }

  it('a ball without restitution stays down (V54)', () => {
    expect(apexOf(0, 1)).toBeLessThan(1e-9);
  });

  it.each([0.5, 0.9])(
    'a ball bounces with v⁺ = −e v⁻: apex ratio e², wherever in a step it lands, e = %d (V54)',
    (e) => {
      // seen once a step: the apex by g h²/8 at most
      for (let n = 0; n < 8; n++) {
        const height = 1 + 0.0037 * n;
        expect(Math.abs(apexOf(e, height) / (e * e * height) - 1)).toBeLessThan(1e-4);
      }
    },
  );

  it('a row of balls hands a blow on: pairwise collisions, e = 1, the last leaves with v₀ (V53)', () => {
    const row = (e: number) =>
      Array.from({ length: 5 }, (_, i) => {
        const first = i === 0;
        const start = { position: [first ? -0.5 : 0.2 * i, 0, 0], velocity: [first ? 1 : 0, 0, 0] };
        return ball(0.1, 1, { ...start, restitution: e, friction: 0 });
      });
    const elastic = new CoupledCore({ rigid: row(1), gravity: [0, 0, 0] });
    const inelastic = new CoupledCore({ rigid: row(0), gravity: [0, 0, 0] });
    for (let n = 0; n < 120; n++) {
      elastic.step(1 / 60);
      inelastic.step(1 / 60);
    }
    for (let i = 0; i < 4; i++) expect(Math.abs(elastic.rigid.v[i * 3])).toBeLessThan(1e-9);
    expect(elastic.rigid.v[12]).toBeCloseTo(1, 9);
    // e = 0: all together with m v/(N m)
    for (let i = 0; i < 5; i++) expect(inelastic.rigid.v[i * 3]).toBeCloseTo(0.2, 9);
  });
});
