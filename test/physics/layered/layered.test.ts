/**
 * The layered solver by itself: skins on chains of bones against closed forms, conservation laws and balance of forces. Tubes are 1 m
 * long, 8 cm in radius, of E 40 kPa, ν 0.4.
 */
import { describe, expect, it } from 'vitest';
import { buildLayerModel } from '../../../src/solvers/layered/layer-model.js';
import { skinMatrices, skinNode } from '../../../src/solvers/layered/skin/skinning.js';
import { IMPULSE_N, TOUCH } from '../../../src/solvers/layered/touch/touch-list.js';
import {
  boxDef,
  energy,
  FLOOR,
  jointGap,
  makeCore,
  momentum,
  placeBody,
  run,
  tubeDef,
  upForce,
} from '../../support/models/layered.js';

const H = 1 / 60;
const HELD = [
  { name: 'a', parent: -1, place: [-0.5, 0, 0], kinematic: true },
  { name: 'b', parent: 0, place: [0, 0, 0], joint: 'fixed' },
] as const;

describe('a ball of radius 0.5 m pressed 2 cm into a held tube', () => {
  // forces found by an independent program with the uncut inverse of K
  it.each([
    [10, 29, 245.8],
    [20, 58, 288.8],
    [40, 116, 289.8],
  ])('is pushed by the right force, %i x %i nodes: %f N', (around, rings, expected) => {
    const model = buildLayerModel(tubeDef(around, rings, 2, { bones: HELD, contactSpacing: 0 }));
    const ball = { name: 'ball', shape: { kind: 'sphere', radius: 0.5 }, position: [0, 0.56, 0], friction: 0 } as const;
    const core = makeCore([placeBody(model, [0, 0, 0])], [ball], { sweeps: 300 });
    run(core, H, 40);
    let force = 0;
    for (let c = 0; c < core.touches.count; c++) force += core.touches.data[TOUCH * c + IMPULSE_N] / H;
    // columns of the inverse are cut at a thousandth: 1.5 %
    expect(Math.abs(force / expected - 1)).toBeLessThan(0.015);
  });
});

describe('a tube on a floor', () => {
  it.each([
    [1 / 60, 1],
    [1 / 60, 5],
    [1 / 30, 2],
    [1 / 30, 5],
  ])('is carried with its weight at rest, h %f, %i bones', (h, bones) => {
    const model = buildLayerModel(tubeDef(20, 58, bones));
    // turned by 5°: unturned it stands on one row of nodes, a pendulum on its head, and rounding alone decides when it tips over (after
    // 3.5 s); this way it rolls onto two rows at once and has a rest to come to
    const body = placeBody(model, [0, 0.09, 0], [Math.sin(Math.PI / 72), 0, 0, Math.cos(Math.PI / 72)]);
    const core = makeCore([body], [FLOOR]);
    run(core, h, Math.round(3 / h));
    // balance of forces in every step of a second, so that trembling about the weight is seen too
    let worst = 0;
    for (let i = 0; i < Math.round(1 / h); i++) {
      run(core, h, 1);
      worst = Math.max(worst, Math.abs(upForce(core, h) / (9.81 * model.totalMass) - 1));
    }
    expect(worst).toBeLessThan(1e-4);
    expect(jointGap(body)).toBeLessThan(1e-15);
  });

  it('falls freely once the floor is gone, and its dent goes back by τ/(h + τ) a step (V59)', () => {
    const body = placeBody(buildLayerModel(tubeDef(20, 58, 2, { relaxation: 0.05 })), [0, 0.09, 0]);
    run(makeCore([body], [FLOOR]), H, 240);
    const dent = body.deepestDent;
    const speed = body.state.velocities[1];
    const core = makeCore([body]);
    run(core, H, 1);
    expect(upForce(core, H)).toBe(0);
    expect((body.state.velocities[1] - speed) / H).toBeCloseTo(-9.81, 6);
    expect(body.deepestDent / dent).toBeCloseTo(0.05 / (H + 0.05), 12);
  });
});

describe('a box on a slope', () => {
  const onSlope = (degrees: number) => {
    const a = (degrees * Math.PI) / 360;
    const q = [0, 0, Math.sin(a), Math.cos(a)] as const;
    const body = placeBody(
      buildLayerModel(boxDef([0.2, 0.1, 0.2], 6)),
      [-0.1 * Math.sin(2 * a), 0.1 * Math.cos(2 * a), 0],
      [...q],
    );
    run(makeCore([body], [{ ...FLOOR, rotation: q, friction: 0.5 }]), H, 120);
    const [x, y, z] = body.state.velocities;
    return Math.hypot(x, y, z);
  };

  it('slides by Coulomb: g (sin 35° − 0.5 cos 35°) 2 s = 3.218 m/s', () => {
    const angle = (35 * Math.PI) / 180;
    const expected = 9.81 * (Math.sin(angle) - 0.5 * Math.cos(angle)) * 2;
    expect(Math.abs(onSlope(35) / expected - 1)).toBeLessThan(2e-3);
  });

  it('sticks at 20°', () => {
    expect(onSlope(20)).toBeLessThan(1e-5);
  });
});

describe('a chain of five bones in free flight', () => {
  it('keeps linear and angular momentum, and its joints closed', () => {
    const body = placeBody(buildLayerModel(tubeDef(10, 29, 5)), [0, 2, 0]);
    for (let i = 0; i < 15; i++) {
      body.state.spins[i] = 3 * Math.sin(i * i);
      body.state.velocities[i] = Math.cos(3 * i * i);
    }
    const before = momentum(body);
    let drift = 0;
    let gap = 0;
    run(
      makeCore([body]),
      H,
      600,
      () => {
        gap = Math.max(gap, jointGap(body));
        momentum(body).forEach((value, k) => {
          drift = Math.max(drift, Math.abs(value - before[k]));
        });
      },
      [0, 0, 0],
    );
    expect(drift).toBeLessThan(1e-12 * Math.hypot(...before));
    expect(gap).toBeLessThan(1e-14);
  });
});

describe('two characters that hit each other in free flight', () => {
  it("keep their momentum together, linear and angular, and each changes the other's (conservation)", () => {
    const model = buildLayerModel(tubeDef(10, 29, 3));
    const bodies = [placeBody(model, [0, 0, 0]), placeBody(model, [0.1, 0.3, 0.05], [0, 0.6, 0, 0.8])];
    for (let i = 1; i < 9; i += 3) bodies[1].state.velocities[i] = -2;
    const both = () => momentum(bodies[0]).map((value, k) => value + momentum(bodies[1])[k]);
    const before = both();
    let [drift, contacts] = [0, 0];
    const core = makeCore(bodies, [], { selfContact: true });
    run(
      core,
      H,
      90,
      () => {
        contacts = Math.max(contacts, core.touches.count);
        both().forEach((value, k) => {
          drift = Math.max(drift, Math.abs(value - before[k]));
        });
      },
      [0, 0, 0],
    );
    expect(contacts).toBeGreaterThan(2);
    expect(Math.abs(momentum(bodies[0])[1])).toBeGreaterThan(0.1 * Math.abs(before[1]));
    expect(drift).toBeLessThan(1e-12 * Math.hypot(...before));
  });
});

describe('a tube thrown at a floor', () => {
  it.each([8, 15, 30])(
    'is stopped by its hard core: no bone comes nearer than a fifth of the depth, %i m/s',
    (speed) => {
      const model = buildLayerModel(tubeDef(16, 40, 3, { contactSpacing: 0 }));
      const body = placeBody(model, [0, 0.6, 0]);
      for (let i = 1; i < 9; i += 3) body.state.velocities[i] = -speed;
      let deepest = 0;
      const skin = new Float64Array(12 * model.bones.count);
      const at = new Float64Array(3);
      run(makeCore([body], [FLOOR]), H, 60, () => {
        skinMatrices(model, body.state.poses, skin);
        for (let p = 0; p < model.nodeCount; p++) {
          // where the bones alone would have the node, against how far it may be pressed in there
          skinNode(model, model.positions, skin, p, at, 0);
          deepest = Math.max(deepest, -at[1] / model.depths[p]);
        }
      });
      expect(deepest).toBeGreaterThan(0.2);
      expect(deepest).toBeLessThan(0.85);
    },
  );
});

describe('a tube dropped from 3 m', () => {
  it.each([
    [5e3, 1 / 60],
    [5e3, 1 / 30],
    [4e4, 1 / 60],
    [4e4, 1 / 30],
    [1e6, 1 / 60],
    [1e6, 1 / 30],
  ])('has never more energy than at the start, and comes to rest: E %d Pa, h %f s', (youngModulus, h) => {
    const material = { model: 'corotated', youngModulus, poissonRatio: 0.4, density: 1000 } as const;
    const model = buildLayerModel(tubeDef(10, 29, 5, { material }));
    const body = placeBody(model, [0, 3, 0], [0, 0, Math.sin(0.3), Math.cos(0.3)]);
    const start = energy(body);
    let most = Number.NEGATIVE_INFINITY;
    run(makeCore([body], [FLOOR]), h, Math.round(8 / h), () => {
      most = Math.max(most, energy(body));
    });
    expect(most).toBeLessThan(start);
    let kinetic = 0;
    for (let i = 0; i < 15; i++) kinetic += 0.5 * model.bones.mass[Math.floor(i / 3)] * body.state.velocities[i] ** 2;
    expect(kinetic).toBeLessThan(5e-3);
  });
});

describe('a box dropped on a floor with restitution', () => {
  it.each([
    [0.5, 1 / 240],
    [0.8, 1 / 240],
    [0.8, 1 / 60],
  ])('rises to e² of its height and never gains energy (Newton), e %f, h %f', (restitution, h) => {
    const body = placeBody(buildLayerModel(boxDef([0.2, 0.1, 0.2], 3)), [0, 1.1, 0]);
    const start = energy(body);
    let [most, apex, isUp] = [0, 0, false];
    run(makeCore([body], [{ ...FLOOR, restitution }], { sweeps: 60 }), h, Math.round(0.9 / h), () => {
      most = Math.max(most, energy(body));
      isUp ||= body.state.velocities[1] > 0.1;
      if (isUp) apex = Math.max(apex, body.state.poses.translations[1] - 0.1);
    });
    // backward Euler's own path is lower than the parabola by half a step's fall
    expect(Math.abs(apex / (restitution * restitution) - 1)).toBeLessThan(3 * h);
    expect(most).toBeLessThanOrEqual(start * (1 + 1e-12));
  });
});
