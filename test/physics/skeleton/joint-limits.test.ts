/** Limits and motors of a lone hinge: closed forms, an exact map of backward Euler, and reactions. */
import { describe, expect, it } from 'vitest';
import type { JointDef, JointLimitsDef, JointMotorDef } from '../../../src/body/body-def.js';
import { readJointTorque } from '../../../src/world/joint-control.js';
import { angleAboutZ, inertiaAbout, measured, single } from '../../support/checks/measure.js';
import { buildBoxes, lumpedSides, STIFF } from '../../support/models/bodies.js';

const G = 9.81;
const h = 1 / 30;
const ARM = 0.5;

/** V06's bar of 1 m along x, hinged about z at its end: 1.924501 kg, inertia about the hinge 0.64310405 kg m². */
function bar(limits?: JointLimitsDef, motor?: JointMotorDef) {
  const joint: JointDef = {
    name: 'pin',
    type: 'hinge',
    bones: ['bar'],
    anchor: [0, 0, 0],
    axis: [0, 0, 1],
    limits,
    motor,
  };
  return buildBoxes([{ name: 'bar', centre: [ARM, 0, 0], sides: lumpedSides([1, 0.1, 0.1]) }], [joint], STIFF);
}

async function swing(options: {
  limits?: JointLimitsDef;
  motor?: JointMotorDef;
  gravity?: number;
  iterations?: number;
}) {
  const { limits, motor, gravity = G, iterations = 20 } = options;
  const s = await single(bar(limits, motor), { dt: h, iterations, gravity: [0, -gravity, 0] });
  const angles: number[] = [];
  return {
    ...s,
    run(steps: number) {
      for (let n = 0; n < steps; n++) {
        s.step();
        angles.push(angleAboutZ(s.state, 0));
      }
      return angles;
    },
    torque: () => readJointTorque(s.world.bodies[0], 'pin'),
  };
}

/** The step of backward Euler for a hinged bar under a torque: (I/h²)(2 sin(θ−θₙ) − sin(θ−θₙ₋₁)) + m g d cos θ = τ(θ), solved by bisection. */
function nextAngle(
  inertia: number,
  mgd: number,
  now: number,
  before: number,
  torque: (angle: number) => number,
): number {
  const rest = (angle: number) =>
    (inertia / (h * h)) * (2 * Math.sin(angle - now) - Math.sin(angle - before)) +
    mgd * Math.cos(angle) -
    torque(angle);
  let [low, high] = [now - 1.2, now + 1.2];
  for (let n = 0; n < 200; n++) {
    const middle = (low + high) / 2;
    if (rest(middle) > 0) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

describe('the bar', () => {
  it('has the mass and inertia the values below were made for', async () => {
    const { model } = await single(bar());
    expect(model.bones.mass[0]).toBeCloseTo(1.924501, 6);
    expect(inertiaAbout(model, 0, 2) + model.bones.mass[0] * ARM * ARM).toBeCloseTo(0.64310405, 8);
  });
});

describe('a hinge at its limit', () => {
  it('stays there, and the limit carries the weight: m g d cos 0.5 = 8.284096 N m (statics)', async () => {
    const { run, torque, world } = await swing({ limits: { range: [-0.5, 1] } });
    const angles = run(120);
    measured('limit -0.5', { angle: angles[119] + 0.5, torque: torque().limit[2] });
    expect(Math.abs(angles[119] + 0.5)).toBeLessThan(1e-7);
    expect(Math.min(...angles)).toBeGreaterThan(-0.5 - 1e-6);
    expect(torque().limit[2]).toBeCloseTo(8.284096, 6);
    expect(world.certificate.limitExcess).toBeLessThan(1e-6);
  });

  it('falls freely until it is there: the exact map of backward Euler', async () => {
    const { run, model } = await swing({ limits: { range: [-0.5, 1] } });
    const angles = run(20);
    const mass = model.bones.mass[0];
    const inertia = inertiaAbout(model, 0, 2) + mass * ARM * ARM;
    let [now, before] = [0, 0];
    let worst = 0;
    for (const angle of angles) {
      const free = Math.max(
        -0.5,
        nextAngle(inertia, mass * G * ARM, now, before, () => 0),
      );
      worst = Math.max(worst, Math.abs(angle - free));
      [before, now] = [now, angle];
    }
    measured('limit map', worst);
    expect(worst).toBeLessThan(1e-7);
  });

  it('holds against a motor of 1e6 N m/rad to -2 rad: reaction 1500008.284 N m', async () => {
    const { run, torque } = await swing({ limits: { range: [-0.5, 1] }, motor: { target: -2, stiffness: 1e6 } });
    const angles = run(60);
    measured('limit against motor', { angle: angles[59] + 0.5, torque: torque() });
    expect(Math.abs(angles[59] + 0.5)).toBeLessThan(1e-6);
    expect(torque().limit[2] / 1500008.284 - 1).toBeLessThan(1e-6);
    expect(torque().limit[2] / 1500008.284 - 1).toBeGreaterThan(-1e-6);
  });

  it('is locked where the range has no width', async () => {
    const { run, torque } = await swing({ limits: { range: [0, 0] } });
    const angles = run(60);
    expect(Math.max(...angles.map(Math.abs))).toBeLessThan(1e-6);
    expect(torque().limit[2]).toBeCloseTo(1.924501 * G * ARM, 4);
  });

  it('is led back gently from outside, and reports it', async () => {
    // lower bound 0.6 rad above the start: 2 rad/s back, less than a joule
    const { run, world, model, state } = await swing({ limits: { range: [0.6, 1] }, gravity: 0 });
    run(1);
    expect(world.certificate.limitExcess).toBeGreaterThan(0.4);
    const angles = run(59);
    const fastest = Math.max(...angles.map((angle, n) => Math.abs(angle - (n > 0 ? angles[n - 1] : 0)) / h));
    measured('led back', { fastest, last: angles[59] });
    expect(angles[59]).toBeGreaterThan(0.6 - 1e-6);
    expect(fastest).toBeLessThan(2.2);
    expect(model.bones.count).toBe(1);
    expect(state.clock[0]).toBe(60);
  });
});

describe('a motor', () => {
  // Values of an independent program in double precision.
  it.each([
    ['k 50, d 5, no gravity', { target: 0.5, stiffness: 50, damping: 5 }, 0, 1, 0.0321050284],
    ['k 50, d 5, no gravity', { target: 0.5, stiffness: 50, damping: 5 }, 0, 10, 0.5307644198],
    ['k 50, d 5', { target: 0.5, stiffness: 50, damping: 5 }, G, 120, 0.320840459],
    ['k 1e6', { target: 0.5, stiffness: 1e6 }, G, 120, 0.4999917159],
    ['k 1e4, d 10, at most 3 N m', { target: 0.5, stiffness: 1e4, damping: 10, maxTorque: 3 }, G, 120, -1.2688522378],
  ])('%s: gravity %o, after %i steps', async (_, motor, gravity, steps, expected) => {
    const { run } = await swing({ motor, gravity });
    const angles = run(steps);
    measured(`motor ${_} ${steps}`, angles[steps - 1] - expected);
    expect(Math.abs(angles[steps - 1] - expected)).toBeLessThan(2e-9);
  });

  it('follows the exact map of backward Euler, cap included, with the torque it reports', async () => {
    const [k, d, cap, target] = [200, 3, 12, 0.9];
    const s = await swing({ motor: { target, stiffness: k, damping: d, maxTorque: cap } });
    const mass = s.model.bones.mass[0];
    const inertia = inertiaAbout(s.model, 0, 2) + mass * ARM * ARM;
    let [now, before, worst, worstTorque] = [0, 0, 0, 0];
    for (let n = 0; n < 60; n++) {
      const angles = s.run(1);
      const at = now;
      const torque = (angle: number) => Math.max(-cap, Math.min(cap, k * (target - angle) - (d * (angle - at)) / h));
      const next = nextAngle(inertia, mass * G * ARM, now, before, torque);
      worst = Math.max(worst, Math.abs(next - angles[n]));
      worstTorque = Math.max(worstTorque, Math.abs(torque(next) - s.torque().motor[2]));
      [before, now] = [now, angles[n]];
    }
    measured('motor map', { worst, worstTorque });
    expect(worst).toBeLessThan(1e-10);
    expect(worstTorque).toBeLessThan(1e-6);
  });

  it('turns at its speed, and pushes with its torque', async () => {
    const fast = await swing({ motor: { speed: 3, damping: 1e5 }, gravity: 0 });
    const angles = fast.run(10);
    expect((angles[9] - angles[8]) / h).toBeCloseTo(3, 3);
    // a torque of m g d holds the bar level
    const level = await swing({ motor: { torque: 1.924501 * G * ARM } });
    expect(Math.abs(level.run(30)[29])).toBeLessThan(1e-5);
  });
});
