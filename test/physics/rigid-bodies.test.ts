/** Rigid bodies without tets in a projective world: they move as their inertia says, stack, hang on joints and come back from snapshots. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  grabBody,
  hashWorld,
  type JointDef,
  moveGrab,
  type RigidBodyDef,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../src/index.js';
import { pendulumMap, turnBetween } from '../support/checks/pendulum-map.js';

const G = 9.81;
const FLOOR = { name: 'floor', shape: { kind: 'plane' } as const, friction: 0.5 };
const BOX: RigidBodyDef = {
  kind: 'rigid',
  name: 'box',
  parts: [{ name: 'box', shape: { kind: 'box', halfExtents: [0.1, 0.1, 0.1] } }],
};

let world: World | undefined;
afterEach(() => {
  if (world) disposeWorld(world);
  world = undefined;
});

async function start(scene: Partial<AnySceneDef>): Promise<World> {
  world = await createWorld({ name: 'rigid', description: 'rigid bodies', bodies: [{ body: BOX }], ...scene });
  return world;
}

function run(steps: number): void {
  for (let n = 0; n < steps; n++) if (!stepWorld(world!)) throw world!.fault;
}

describe('a rigid body', () => {
  it('falls as backward Euler says: V01, x = g h² n(n + 1)/2', async () => {
    await start({});
    run(60);
    const [, y] = world!.bodies[0].state.poses.translations;
    expect(Math.abs(y + (G * 60 * 61) / 2 / 3600)).toBeLessThan(1e-10);
  });

  it('swings as the exact map of a pendulum of its inertia says: V06', async () => {
    // bar of V06: uniform, L = 1, a = 0.1, pinned at one end, from horizontal, h = 0.01
    const joints: JointDef[] = [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }];
    const shape = { kind: 'box', halfExtents: [0.5, 0.05, 0.05] } as const;
    const bar: RigidBodyDef = {
      kind: 'rigid',
      name: 'bar',
      parts: [{ name: 'bar', shape, position: [0.5, 0, 0] }],
      joints,
    };
    await start({ bodies: [{ body: bar }], dt: 0.01 });
    // inertia about the pin per mass: (L² + a²)/12 about the centre across, plus the arm squared
    const next = pendulumMap((1 + 0.01) / 12 + 0.25, 0.5, G, 0.01, 0);
    let expected = 0;
    for (let n = 0; n < 100; n++) expected = next();
    run(100);
    const { translations } = world!.bodies[0].state.poses;
    const angle = Math.atan2(translations[1], translations[0]);
    expect(Math.abs(turnBetween(angle, expected))).toBeLessThan(1e-9);
    expect(world!.certificate.jointGap).toBeLessThan(1e-9);
  });

  it('rests on a floor that carries its weight', async () => {
    await start({ bodies: [{ body: BOX, position: [0, 0.1001, 0] }], obstacles: [FLOOR] });
    run(90);
    const { contacts, bodies } = world!;
    let up = 0;
    for (let c = 0; c < contacts.count; c++) up += contacts.force[c * 3 + 1];
    expect(Math.abs(up / (bodies[0].model.totalMass * G) - 1)).toBeLessThan(1e-6);
    expect(world!.certificate.penetration).toBeLessThan(1e-4);
  });

  it('stacks: three boxes stand, each level carries what is above it: V52', async () => {
    const bodies = [0, 1, 2].map((n) => ({ body: BOX, position: [0, 0.1 + 0.2 * n, 0] as const }));
    await start({ bodies, obstacles: [FLOOR] });
    run(180);
    const { contacts } = world!;
    const carried = [0, 0, 0];
    for (let c = 0; c < contacts.count; c++) {
      const [a, b] = [contacts.body[c * 2], contacts.body[c * 2 + 1]];
      if (b < 0) carried[0] += contacts.force[c * 3 + 1];
      else carried[Math.max(a, b)] += Math.abs(contacts.force[c * 3 + 1]);
    }
    carried.forEach((force, level) => {
      expect(force / ((3 - level) * world!.bodies[0].model.totalMass * G)).toBeCloseTo(1, 2);
    });
    const top = world!.bodies[2].state.poses.translations;
    expect(Math.abs(top[1] - 0.5)).toBeLessThan(1e-3);
    expect(Math.abs(top[0]) + Math.abs(top[2])).toBeLessThan(1e-3);
  });

  it('does not let another one in, and lets a ball roll off its back', async () => {
    const ball: RigidBodyDef = {
      kind: 'rigid',
      name: 'ball',
      parts: [{ name: 'ball', shape: { kind: 'sphere', radius: 0.1 } }],
    };
    const bodies = [
      { body: BOX, position: [0, 0.1, 0] as const },
      { body: ball, position: [0.06, 0.32, 0] as const },
    ];
    await start({ bodies, obstacles: [FLOOR] });
    let deepest = 0;
    for (let n = 0; n < 120; n++) {
      run(1);
      deepest = Math.max(deepest, world!.certificate.penetration);
    }
    expect(deepest).toBeLessThan(0.01 * 0.2);
    expect(world!.bodies[1].state.poses.translations[1]).toBeGreaterThan(0.09);
  });

  it('goes on the same way from a snapshot, and can be grabbed', async () => {
    await start({ bodies: [{ body: BOX, position: [0, 0.3, 0] }], obstacles: [FLOOR] });
    run(5);
    const bytes = takeSnapshot(world!);
    run(20);
    const hash = hashWorld(world!);
    restoreSnapshot(world!, bytes);
    run(20);
    expect(hashWorld(world!)).toBe(hash);
    const grab = grabBody(world!, 0, [0.1, 0.2, 0]);
    moveGrab(grab, [0.3, 0.6, 0]);
    // a hand pulls no faster than 2.4 sizes a second
    run(150);
    const at = new Float64Array(3);
    grab.point(at);
    expect(Math.abs(at[0] - 0.3) + Math.abs(at[1] - 0.6)).toBeLessThan(0.05);
  });
});

describe('kinds of body', () => {
  it('that a solver does not take are refused by name of both', async () => {
    const body = { ...BOX, kind: 'cloth' } as unknown as RigidBodyDef;
    const made = createWorld({ name: 'x', description: 'x', bodies: [{ body }] });
    await expect(made).rejects.toMatchObject({ code: 'E_UNKNOWN', place: 'scene/bodies/0/body/kind' });
    await expect(made).rejects.toThrow(/projective.*flesh, rigid.*cloth/);
  });

  it('share one model where they share a description', async () => {
    await start({ bodies: [{ body: BOX }, { body: BOX, position: [1, 0, 0] }] });
    expect(world!.bodies[0].model).toBe(world!.bodies[1].model);
  });
});
