/**
 * Limits and motors of layered joints, and what joints carry, against statics, conservation laws and angles measured by themselves. Tubes
 * are 1 m long, 8 cm in radius, held at one end.
 */
import { describe, expect, it } from 'vitest';
import type { JointLimitsDef, JointMotorDef, JointType } from '../../../src/body/body-def.js';
import type { LayerBoneDef } from '../../../src/body/kinds/layer-def.js';
import type { LayerBody } from '../../../src/solvers/layered/layer-body.js';
import { GAP_AFTER, IMPULSE_1, TOUCH } from '../../../src/solvers/layered/touch/touch-list.js';
import { readJointForce } from '../../../src/world/bone-control.js';
import { createWorld } from '../../../src/world/create-world.js';
import { readJointTorque, setJointMotor } from '../../../src/world/joint-control.js';
import { hashWorld, restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { stepWorld } from '../../../src/world/step.js';
import {
  buildLayerModel,
  FLOOR,
  jointGap,
  makeCore,
  momentum,
  placeBody,
  run,
  tubeDef,
} from '../../support/models/layered.js';

const H = 1 / 60;
const G = 9.81;
/** Joints that nothing draws back to rest, and halves that may pass through each other. */
const SLACK = { limpFrequency: 0, limpDamping: 0, selfContact: false };

interface Hung {
  readonly joint?: JointType;
  readonly limits?: JointLimitsDef;
  readonly motor?: JointMotorDef;
}

/** Half a tube hung on the other half, which is held. */
function halfTube({ joint = 'hinge', limits, motor }: Hung): LayerBody {
  const bones: LayerBoneDef[] = [
    { name: 'held', parent: -1, place: [-0.5, 0, 0], kinematic: true },
    {
      ...{ name: 'hung', parent: 0, place: [0, 0, 0], joint, limits, motor },
      axis: joint === 'hinge' ? [0, 0, 1] : [1, 0, 0],
      ...(joint === 'ball' && { secondAxis: [0, 1, 0] as const }),
    },
  ];
  return placeBody(buildLayerModel(tubeDef(8, 9, 2, { bones })), [0, 0, 0]);
}

/** Angle of the hung half about z [rad]. */
function angle({ state }: LayerBody): number {
  return Math.atan2(state.poses.rotations[12], state.poses.rotations[9]);
}

/** Moment of the weight of the hung half about the joint when it is turned by an angle [N m]: −m g d cos θ about z, by its centre at rest. */
function weightMoment({ model }: LayerBody, theta: number): number {
  const { mass, centre } = model.bones;
  return -mass[1] * G * (centre[3] * Math.cos(theta) - centre[4] * Math.sin(theta));
}

describe('a hinge at its limit', () => {
  it('stays there to 1e-6 rad, and the limit carries the weight (statics)', () => {
    const body = halfTube({ limits: { range: [-0.5, 1] } });
    let least = 0;
    run(makeCore([body], [], SLACK), H, 120, () => {
      least = Math.min(least, angle(body));
    });
    expect(least).toBeGreaterThan(-0.5 - 1e-6);
    expect(Math.abs(angle(body) + 0.5)).toBeLessThan(1e-6);
    expect(body.state.jointTorques[2] / -weightMoment(body, -0.5)).toBeCloseTo(1, 6);
    expect(Math.hypot(body.state.spins[3], body.state.spins[4], body.state.spins[5])).toBeLessThan(1e-9);
  });

  it('is locked where the range has no width', () => {
    const body = halfTube({ limits: { range: [0.2, 0.2] } });
    let worst = 0;
    run(makeCore([body], [], SLACK), H, 60, (step) => {
      if (step > 0) worst = Math.max(worst, Math.abs(angle(body) - 0.2));
    });
    expect(worst).toBeLessThan(1e-6);
    expect(body.state.jointTorques[2] / -weightMoment(body, 0.2)).toBeCloseTo(1, 6);
  });
});

describe('a ball in its cone', () => {
  it('leans no farther than its ellipse and turns no farther than its twist, to 1e-6 rad', () => {
    const body = halfTube({ joint: 'ball', limits: { cone: [0.3, 0.6], twist: [-0.2, 0.4] } });
    body.state.spins.set([6, 2, 3], 3);
    let [lean, low, high] = [0, 0, 0];
    run(makeCore([body], [], SLACK), H, 240, () => {
      const [x, y, z, w] = body.state.poses.quats.subarray(4, 8);
      // swing and twist of a quaternion about x: twist by 2 atan2(x, w), what is left swings
      const twist = 2 * Math.atan2(w < 0 ? -x : x, Math.abs(w));
      const size = Math.hypot(x, w);
      const [about, aside] = [(w * y - x * z) / size, (w * z + x * y) / size];
      lean = Math.max(lean, Math.hypot(about / Math.sin(0.15), aside / Math.sin(0.3)));
      low = Math.min(low, twist);
      high = Math.max(high, twist);
    });
    expect(lean).toBeLessThan(1 + 1e-6);
    expect(low).toBeGreaterThan(-0.2 - 1e-6);
    expect(high).toBeLessThan(0.4 + 1e-6);
    // they were reached
    expect(lean).toBeGreaterThan(0.999);
    expect(high).toBeGreaterThan(0.39);
  });
});

describe('a motor', () => {
  it('holds the weight where stiffness times the angle from its target is the moment (statics)', () => {
    const stiffness = 60;
    const body = halfTube({ motor: { target: 0.3, stiffness, damping: 12 } });
    run(makeCore([body], [], SLACK), H, 900);
    let [low, high] = [-1.5, 0.3];
    for (let n = 0; n < 100; n++) {
      const middle = (low + high) / 2;
      if (stiffness * (0.3 - middle) + weightMoment(body, middle) > 0) low = middle;
      else high = middle;
    }
    expect(Math.abs(angle(body) - low)).toBeLessThan(1e-6);
    expect(body.state.jointTorques[5] / -weightMoment(body, low)).toBeCloseTo(1, 6);
  });

  it('turns a ball to a rotation', () => {
    const q = [0.2, 0.3, -0.1, Math.sqrt(1 - 0.14)] as const;
    const body = halfTube({ joint: 'ball', motor: { target: q, stiffness: 500, damping: 60 } });
    run(makeCore([body], [], SLACK), H, 600, undefined, [0, 0, 0]);
    const turned = body.state.poses.quats.subarray(4, 8);
    q.forEach((value, k) => {
      expect(Math.abs(turned[k] - value)).toBeLessThan(1e-8);
    });
  });

  it('turns at its rate, but for what a step loses on a curve (closed form)', () => {
    const damping = 50;
    const body = halfTube({ motor: { speed: 2, damping } });
    run(makeCore([body], [], SLACK), H, 300, undefined, [0, 0, 0]);
    const { mass, centre } = body.model.bones;
    const arm = mass[1] * (centre[3] ** 2 + centre[4] ** 2);
    // a step takes the momentum of the centre along straight on: of m d² ω the part 1 − cos φ is lost, φ = 2 atan(h ω/2)
    let [low, high] = [1.9, 2];
    for (let n = 0; n < 60; n++) {
      const rate = (low + high) / 2;
      const lost = arm * rate * (1 - Math.cos(2 * Math.atan((H * rate) / 2)));
      if (H * damping * (2 - rate) > lost) low = rate;
      else high = rate;
    }
    expect(body.state.spins[5]).toBeCloseTo(low, 9);
  });

  it('gives no more than its largest torque: it falls to its limit, which carries the rest', () => {
    const cap = 12;
    const limits = { range: [-0.8, 1] } as const;
    const body = halfTube({ limits, motor: { target: 0.5, stiffness: 4000, damping: 400, maxTorque: cap } });
    expect(-weightMoment(body, -0.8)).toBeGreaterThan(cap);
    let most = 0;
    run(makeCore([body], [], { ...SLACK, sweeps: 40 }), H, 600, () => {
      most = Math.max(most, Math.abs(body.state.jointTorques[5]));
    });
    expect(most).toBeLessThan(cap * (1 + 1e-9));
    expect(Math.abs(angle(body) + 0.8)).toBeLessThan(1e-6);
    expect(body.state.jointTorques[5]).toBeCloseTo(cap, 6);
    expect((body.state.jointTorques[2] + cap) / -weightMoment(body, -0.8)).toBeCloseTo(1, 6);
  });
});

describe('a motor that a plate hits', () => {
  it('gives no more than its largest torque from the first step on, whatever the plate asks', () => {
    const cap = 30;
    const body = halfTube({ motor: { target: 0, stiffness: 4000, damping: 400, maxTorque: cap } });
    expect(-weightMoment(body, 0)).toBeLessThan(0.8 * cap);
    const plate = { kind: 'box', halfExtents: [0.1, 0.05, 0.5] } as const;
    const rising = {
      name: 'plate',
      shape: plate,
      position: [0.45, -0.2, 0],
      velocity: [0, 1.5, 0],
      friction: 0,
    } as const;
    let [most, contacts] = [0, 0];
    const core = makeCore([body], [rising], { ...SLACK, sweeps: 40 });
    run(core, H, 20, () => {
      most = Math.max(most, Math.abs(body.state.jointTorques[5]));
      contacts = Math.max(contacts, core.touches.count);
    });
    expect(contacts).toBeGreaterThan(2);
    expect(most).toBeGreaterThan(0.99 * cap);
    expect(most).toBeLessThan(cap * (1 + 1e-9));
    // the plate has turned it up: without a bound the motor would have held it, or the plate been felt as far more
    expect(angle(body)).toBeGreaterThan(0.3);
  });
});

describe('a chain with limits and motors in free flight', () => {
  it('keeps its momentum, and all joints stay within 0.3 rad', () => {
    const bones = tubeDef(8, 11, 5).bones.map((bone, i) => ({
      ...bone,
      axis: [1, 0, 0] as const,
      limits: i > 0 ? { cone: 0.3, twist: [-0.3, 0.3] as const } : undefined,
      motor: i === 2 ? ({ torque: [5, 20, -10], maxTorque: 15 } as const) : undefined,
    }));
    const body = placeBody(buildLayerModel(tubeDef(8, 11, 5, { bones })), [0, 2, 0]);
    for (let i = 0; i < 15; i++) {
      body.state.spins[i] = 5 * Math.sin(i * i);
      body.state.velocities[i] = Math.cos(3 * i * i);
    }
    const before = momentum(body);
    let [drift, gap, excess] = [0, 0, 0];
    const each = () => {
      gap = Math.max(gap, jointGap(body));
      excess = Math.max(excess, body.limits.excess);
      momentum(body).forEach((value, k) => {
        drift = Math.max(drift, Math.abs(value - before[k]));
      });
    };
    run(makeCore([body]), H, 300, each, [0, 0, 0]);
    expect(drift).toBeLessThan(1e-12 * Math.hypot(...before));
    expect(gap).toBeLessThan(1e-14);
    expect(excess).toBeLessThan(1e-6);
  });
});

describe('joints of a layered world', () => {
  const bones = tubeDef(8, 11, 5).bones.map((bone, i) => ({ ...bone, kinematic: i === 0 }));
  const scene = (gravity: readonly [number, number, number]) => ({
    ...{ name: 'chain', description: 'five bones, the first held', gravity },
    solver: { kind: 'layered' as const },
    bodies: [{ body: tubeDef(8, 11, 5, { bones }) }],
    obstacles: [] as const,
  });

  it('carry the weight of all that hangs below them (V15, statics)', async () => {
    const world = await createWorld(scene([G, 0, 0]));
    for (let i = 0; i < 600; i++) if (!stepWorld(world)) throw world.fault;
    const { mass } = world.bodies[0].model.bones;
    for (let bone = 1; bone < 5; bone++) {
      const below = G * mass.slice(bone).reduce((sum, m) => sum + m, 0);
      // the upper bone is drawn down by it
      const [x, y, z] = readJointForce(world.bodies[0], `bone ${bone}`);
      expect(x / below).toBeCloseTo(1, 6);
      expect(Math.hypot(y, z) / below).toBeLessThan(1e-6);
    }
  });

  it('carry contact forces: a floor under the hung end takes weight off them (balance of the whole)', async () => {
    const world = await createWorld({ ...scene([0, -G, 0]), obstacles: [{ ...FLOOR, position: [0, -0.3, 0] }] });
    for (let i = 0; i < 600; i++) if (!stepWorld(world)) throw world.fault;
    const { contacts } = world;
    let floor = 0;
    for (let c = 0; c < contacts.count; c++) floor += contacts.force[3 * c + 1];
    const { mass } = world.bodies[0].model.bones;
    const hung = G * mass.slice(1).reduce((sum, m) => sum + m, 0);
    expect(floor).toBeGreaterThan(0.05 * hung);
    expect((floor - readJointForce(world.bodies[0], 'bone 1')[1]) / hung).toBeCloseTo(1, 4);
  });

  it('take motors while the world runs, and snapshots keep them', async () => {
    const world = await createWorld(scene([0, 0, 0]));
    setJointMotor(world.bodies[0], 'bone 2', { torque: [0, 0, 3] });
    for (let i = 0; i < 10; i++) stepWorld(world);
    const { motor } = readJointTorque(world.bodies[0], 'bone 2');
    expect(Math.hypot(motor[0], motor[1], motor[2] - 3)).toBeLessThan(1e-12);
    const snapshot = takeSnapshot(world);
    for (let i = 0; i < 10; i++) stepWorld(world);
    const there = hashWorld(world);
    restoreSnapshot(world, snapshot);
    for (let i = 0; i < 10; i++) stepWorld(world);
    expect(hashWorld(world)).toBe(there);
  });
});

describe('pins', () => {
  it('hold the whole by its skin: all of its weight, at rest where they were (statics)', () => {
    // two rings at the ends of a tube, in the air
    const pins = [...Array(8).keys()].flatMap((i) => [i, 8 * 8 + i]);
    const body = placeBody(
      buildLayerModel(tubeDef(8, 9, 2, { pins })),
      [0, 1, 0],
      [0, 0, Math.sin(0.2), Math.cos(0.2)],
    );
    const core = makeCore([body]);
    run(core, H, 400);
    const { touches } = core;
    let up = 0;
    for (let c = 0; c < touches.count; c++) up += touches.data[TOUCH * c + IMPULSE_1] / H;
    expect(touches.count).toBe(16);
    expect(up / (G * body.model.totalMass)).toBeCloseTo(1, 4);
    for (let c = 0; c < touches.count; c++) {
      expect(Math.abs(touches.data[TOUCH * c + GAP_AFTER])).toBeLessThan(1e-6);
    }
  });
});
