/** Motors and limits of joints in the coupled solver: where an arm rests against gravity, how fast a wheel turns, where a door ends. */
import { describe, expect, it } from 'vitest';
import type { JointDef } from '../../../src/body/body-def.js';
import type { RigidBodyDef } from '../../../src/body/kinds/rigid-def.js';
import { createWorld, readJointTorque, stepWorld, type World } from '../../../src/index.js';

const g = 9.81;
const MASS = 2;
const ARM = 0.4;

/** A rod along x, turned about z at its left end, which is in the world. */
function rod(extra: Partial<JointDef>, rotation?: readonly [number, number, number, number]): RigidBodyDef {
  const shape = { kind: 'box', halfExtents: [ARM, 0.05, 0.05] } as const;
  const part = rotation ? { rotation } : {};
  return {
    kind: 'rigid',
    name: 'rod',
    parts: [{ name: 'rod', shape, position: [ARM, 0, 0], mass: MASS, ...part }],
    joints: [{ name: 'hinge', type: 'hinge', bones: ['rod'], anchor: [0, 0, 0], axis: [0, 0, 1], ...extra }],
  };
}

async function run(body: RigidBodyDef, steps: number, gravity: readonly [number, number, number]): Promise<World> {
  const solver = { kind: 'coupled', substeps: 2 };
  const world = await createWorld({ name: 'rod', description: '', solver, bodies: [{ body }], gravity });
  for (let n = 0; n < steps; n++) expect(stepWorld(world)).toBe(true);
  return world;
}

/** Angle of the rod about z from its rest pose [rad]. */
function angleOf({ bodies: [{ state }] }: World): number {
  const [, , z, w] = state.poses.quats;
  return 2 * Math.atan2(z, w);
}

describe('motors', () => {
  // m g l cos θ = k (target − θ): the angle of balance, found by halving
  it.each([undefined, [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const])(
    'rest at the balance of torques, shape turned by %j',
    async (turn) => {
      const [k, target] = [40, 0.5];
      const world = await run(rod({ motor: { target, stiffness: k, damping: 6 } }, turn), 600, [0, -g, 0]);
      let [low, high] = [-1.5, 1.5];
      for (let n = 0; n < 60; n++) {
        const middle = 0.5 * (low + high);
        // two sines of half the difference are what the motor measures
        const pull = 2 * k * Math.sin(0.5 * (target - middle));
        if (pull > MASS * g * ARM * Math.cos(middle)) low = middle;
        else high = middle;
      }
      expect(Math.abs(angleOf(world) - low)).toBeLessThan(1e-5);
      const torque = readJointTorque(world.bodies[0], 'hinge').motor[2];
      expect(Math.abs(torque / (MASS * g * ARM * Math.cos(low)) - 1)).toBeLessThan(1e-4);
    },
  );

  // without gravity a damper alone brings the rod to its rate, and a torque turns it by τ t²/(2 I)
  it('go at their rate, and turn by their torque', async () => {
    const turning = await run(rod({ motor: { speed: 1.5, damping: 50 } }), 120, [0, 0, 0]);
    const rate = turning.bodies[0].state.boneRates;
    // the way of the middle is straight within a substep: (ω h)²/2 of its speed is lost at the joint, and made good by the motor
    expect(Math.abs(Math.hypot(rate[0], rate[1]) - 1.5)).toBeLessThan(1.5 * (1.5 / 120) ** 2);
    const pushed = await run(rod({ motor: { torque: 0.1 } }), 60, [0, 0, 0]);
    const inertia = (MASS * ((2 * ARM) ** 2 + 0.1 ** 2)) / 12 + MASS * ARM * ARM;
    expect(Math.abs(angleOf(pushed) / (0.05 / inertia) - 1)).toBeLessThan(1e-3);
  });
});

describe('motors of a largest torque', () => {
  const inertia = (MASS * ((2 * ARM) ** 2 + 0.1 ** 2)) / 12 + MASS * ARM * ARM;
  const weight = MASS * g * ARM;
  const hold = { target: 0, stiffness: 1e4, damping: 100 };

  // too weak to hold the rod level it gives what it can: θ = −(m g l − τ) t²/(2 I) while cos θ is 1 within 1e-3
  it('give what they can and no more', async () => {
    const most = 5;
    const world = await run(rod({ motor: { ...hold, maxTorque: most } }), 6, [0, -g, 0]);
    const fallen = (0.5 * (weight - most) * 0.1 ** 2) / inertia;
    expect(Math.abs(-angleOf(world) / fallen - 1)).toBeLessThan(5e-3);
    expect(readJointTorque(world.bodies[0], 'hinge').motor[2]).toBeCloseTo(most, 9);
  });

  // strong enough it holds it, as without a bound: θ = −m g l/k
  it('hold what they can hold', async () => {
    const world = await run(rod({ motor: { ...hold, maxTorque: 10 } }), 120, [0, -g, 0]);
    expect(Math.abs(-angleOf(world) / (weight / hold.stiffness) - 1)).toBeLessThan(1e-2);
  });
});

describe('limits', () => {
  it('end the fall of a rod, and carry it', async () => {
    const world = await run(rod({ limits: { range: [-0.7, 0.2] } }), 300, [0, -g, 0]);
    expect(Math.abs(angleOf(world) + 0.7)).toBeLessThan(1e-4);
    const torque = readJointTorque(world.bodies[0], 'hinge').limit[2];
    expect(Math.abs(torque / (MASS * g * ARM * Math.cos(0.7)) - 1)).toBeLessThan(1e-3);
    const rate = world.bodies[0].state.boneRates;
    expect(Math.hypot(rate[0], rate[1])).toBeLessThan(1e-6);
  });

  it('of a ball keep it in its cone', async () => {
    const limits = { cone: 0.4, twist: [-0.2, 0.2] } as const;
    const world = await run(rod({ type: 'ball', axis: [1, 0, 0], limits }), 300, [0, -g, 1]);
    const { rotations } = world.bodies[0].state.poses;
    // the rod's own direction has leant from x by the angle of the cone
    expect(Math.abs(Math.acos(rotations[0]) - 0.4)).toBeLessThan(1e-3);
  });
});
