/** Many limits at once: chains that hang on all of them, reactions by statics, balls in their cones, contradictions. */
import { describe, expect, it } from 'vitest';
import type { JointDef, JointLimitsDef, Vec3 } from '../../../src/body/body-def.js';
import { setBoneKinematic, setBoneTarget } from '../../../src/world/bone-control.js';
import { readJointTorque, setJointMotor } from '../../../src/world/joint-control.js';
import { hashWorld, restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { centreOf, maxDifference, measured, norm, single, wholeState } from '../../support/checks/measure.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const G = 9.81;

/** `count` boxes of 0.2 m in a row along x, the first on a wall at x = 0, all joints alike. */
function chain(count: number, joint: Partial<JointDef> & { type: JointDef['type'] }, size = 0.2) {
  const boxes = Array.from({ length: count }, (_, i) => ({
    name: `b${i}`,
    centre: [(i + 0.5) * size, 0, 0] as Vec3,
    sides: lumpedSides([size, 0.4 * size, 0.3 * size]),
  }));
  const joints = boxes.map((_, i) => ({
    name: `j${i}`,
    bones: i === 0 ? ['b0'] : [`b${i - 1}`, `b${i}`],
    anchor: [i * size, 0, 0] as Vec3,
    ...joint,
  }));
  return buildBoxes(boxes, joints);
}

describe('ten hinges on their limits', () => {
  it('end within 1e-6 rad of them, and each carries what hangs on it: Σ m g x (statics)', async () => {
    const body = chain(10, { type: 'hinge', axis: [0, 0, 1], limits: { range: [-0.05, 0.05] } });
    const s = await single(body, { dt: 1 / 30, iterations: 10, gravity: [0, -G, 0] });
    let worst = 0;
    let gap = 0;
    for (let n = 0; n < 240; n++) {
      s.step();
      worst = Math.max(worst, s.world.certificate.limitExcess);
      gap = Math.max(gap, s.world.certificate.jointGap);
    }
    const { bones } = s.model;
    const { translations } = s.state.poses;
    for (const joint of [0, 4, 9]) {
      // moment about the joint of everything beyond it
      const anchor = joint === 0 ? [0, 0] : [0, 1].map((k) => translations[joint * 3 + k]);
      if (joint > 0) {
        const r = s.state.poses.rotations;
        for (let k = 0; k < 2; k++) anchor[k] += r[joint * 9 + k * 3] * -0.1;
      }
      let moment = 0;
      for (let bone = joint; bone < 10; bone++) moment += bones.mass[bone] * G * (translations[bone * 3] - anchor[0]);
      const { limit } = readJointTorque(s.world.bodies[0], `j${joint}`);
      measured(`ten hinges ${joint}`, { limit: limit[2], moment });
      expect(Math.abs(limit[2] / moment - 1)).toBeLessThan(1e-6);
    }
    measured('ten hinges', { worst, gap });
    expect(worst).toBeLessThan(1e-6);
    expect(gap).toBeLessThan(1e-9 * s.model.size);
  });
});

describe('balls in their cones', () => {
  const cases: readonly [string, JointLimitsDef][] = [
    ['round', { cone: 0.15, twist: [-0.1, 0.1] }],
    ['elliptic', { cone: [0.05, 0.2], twist: [-0.1, 0.2] }],
    ['of 0.01 degrees', { cone: 2e-4, twist: [-2e-4, 2e-4] }],
    ['without width', { cone: 0, twist: [0, 0] }],
    ['without width one way', { cone: [0, 0.3], twist: [-0.1, 0.1] }],
  ];
  it.each(cases)('%s: ten of them, thrown sideways, never leave them by 1e-6 rad', async (_, limits) => {
    const body = chain(10, { type: 'ball', axis: [1, 0, 0], limits });
    const placement = { velocity: [0, 0, 3] as Vec3 };
    const s = await single(body, { dt: 1 / 60, iterations: 10, gravity: [0, -G, 0], placement });
    let [worst, gap] = [0, 0];
    for (let n = 0; n < 100; n++) {
      s.step();
      worst = Math.max(worst, s.world.certificate.limitExcess);
      gap = Math.max(gap, s.world.certificate.jointGap);
    }
    measured(`cones ${_}`, { worst, gap });
    expect(worst).toBeLessThan(1e-6);
    expect(gap).toBeLessThan(1e-9 * s.model.size);
  });

  it('come back from a half turn', async () => {
    const body = chain(3, { type: 'ball', axis: [1, 0, 0], limits: { cone: 0.5, middle: [0, 0, 1, 0] } });
    const s = await single(body, { dt: 1 / 60, iterations: 10 });
    s.step(400);
    measured('half turn', s.world.certificate.limitExcess);
    expect(s.world.certificate.limitExcess).toBeLessThan(1e-6);
    expect(s.world.certificate.jointGap).toBeLessThan(1e-9);
  });
});

describe('limits that cannot be kept', () => {
  it('driven bones beyond a limit: finite, joints closed, the excess reported', async () => {
    const body = chain(3, { type: 'hinge', axis: [0, 0, 1], limits: { range: [-0.2, 0.2] } });
    const s = await single(body, { dt: 1 / 60, iterations: 10, gravity: [0, -G, 0] });
    const [first] = s.world.bodies;
    setBoneKinematic(first, 0, true);
    for (let n = 1; n <= 60; n++) {
      const angle = Math.min(0.7, 0.02 * n);
      const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
      setBoneTarget(first, 0, { position: [0.1 * Math.cos(angle), 0.1 * Math.sin(angle), 0], rotation });
      s.step();
      expect(s.world.certificate.jointGap).toBeLessThan(1e-9);
    }
    expect(Math.abs(s.world.certificate.limitExcess - 0.5)).toBeLessThan(0.05);
    expect(s.state.positions.every(Number.isFinite)).toBe(true);
  });
});

describe('a free body whose joints work', () => {
  it('goes nowhere and does not turn as a whole: momentum and the law of backward Euler for angular momentum', async () => {
    // a swimmer in empty space: six boxes that bend by motors, in turn
    const size = 0.3;
    const boxes = Array.from({ length: 6 }, (_, i) => ({
      name: `b${i}`,
      centre: [i * size, 0, 0] as Vec3,
      sides: lumpedSides([size, 0.4 * size, 0.3 * size]),
    }));
    const joints: JointDef[] = [1, 2, 3, 4, 5].map((i) => ({
      name: `j${i}`,
      type: 'ball',
      bones: [`b${i - 1}`, `b${i}`],
      anchor: [(i - 0.5) * size, 0, 0],
      axis: [1, 0, 0],
      limits: { cone: 0.8, twist: [-0.5, 0.5] },
      motor: { stiffness: 60, damping: 2 },
    }));
    const s = await single(buildBoxes(boxes, joints), { dt: 1 / 60, iterations: 3 });
    const start = centreOf(s.model, s.state.positions);
    let drift = 0;
    for (let n = 0; n < 1000; n++) {
      for (let i = 1; i <= 5; i++) {
        const angle = 0.7 * Math.sin(0.1 * n - i);
        const target = [0, Math.sin(angle / 2) * 0.6, Math.sin(angle / 2) * 0.8, Math.cos(angle / 2)] as const;
        setJointMotor(s.world.bodies[0], `j${i}`, { target });
      }
      s.step();
      drift = Math.max(drift, norm(centreOf(s.model, s.state.positions).map((x, k) => x - start[k])));
    }
    measured('swimmer', { drift: drift / s.model.size });
    expect(drift).toBeLessThan(1e-9 * s.model.size);
  });
});

describe('limits and motors', () => {
  it('give the same bits from the same start', async () => {
    const run = async () => {
      const body = chain(6, {
        type: 'ball',
        axis: [1, 0, 0],
        limits: { cone: [0.2, 0.4] },
        motor: { stiffness: 5, maxTorque: 1 },
      });
      const s = await single(body, { dt: 1 / 60, gravity: [0, -G, 0] });
      s.step(60);
      return wholeState(s.state);
    };
    expect(maxDifference(await run(), await run())).toBe(0);
  });

  it('go on from a snapshot as without it', async () => {
    const body = chain(5, { type: 'ball', axis: [1, 0, 0], limits: { cone: 0.3, twist: [-0.2, 0.2] } });
    const s = await single(body, { dt: 1 / 60, gravity: [0, -G, 0] });
    setJointMotor(s.world.bodies[0], 'j3', { target: [0, 0, 0.1, 1], stiffness: 30, damping: 1, maxTorque: 2 });
    s.step(20);
    const bytes = takeSnapshot(s.world);
    s.step(20);
    const hash = hashWorld(s.world);
    setJointMotor(s.world.bodies[0], 'j3', { stiffness: 0, damping: 0 });
    s.step(3);
    restoreSnapshot(s.world, bytes);
    s.step(20);
    expect(hashWorld(s.world)).toBe(hash);
  });
});
