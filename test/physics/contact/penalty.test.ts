/** Explicit penalty forces against closed forms: balance of momentum, depth at rest, and what they must leave alone. */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import { PENALTY_STIFFNESS } from '../../../src/contact/penalty.js';
import {
  contactForceOnBody,
  contactForceOnObstacle,
  createWorld,
  hashWorld,
  resetWorld,
  type SceneDef,
  stepWorld,
  type World,
} from '../../../src/index.js';
import { ballBody, latticeBody } from '../../support/checks/penetration.js';

const G = 9.81;
const FLOOR = [{ name: 'floor', shape: { kind: 'plane' } }] as const;
const JELLY = { model: 'corotated', youngModulus: 2e4, poissonRatio: 0.3, density: 1000 } as const;

function softBox(): BodyDef {
  return { ...latticeBody({ cells: [4, 4, 4], cellSize: 0.05 }), materials: [JELLY] };
}

function rigid(def: BodyDef): BodyDef {
  return { ...def, bones: [{ name: 'bone', vertices: Array.from({ length: def.positions.length / 3 }, (_, i) => i) }] };
}

function build(scene: Pick<SceneDef, 'bodies'> & Partial<SceneDef>, damping = 0): Promise<World> {
  return createWorld({ name: 'penalty', description: '', contact: 'penalty', dt: 1 / 240, ...scene }, { damping });
}

/** Two boxes that hit each other off centre. */
function collision(def: BodyDef): Promise<World> {
  const bodies = [
    { body: def, velocity: [1, 0, 0] as const },
    { body: def, position: [0.22, 0.03, 0.02] as const, velocity: [-1.5, 0.1, 0] as const },
  ];
  return build({ bodies, gravity: [0, 0, 0] });
}

const run = (world: World, steps: number) => {
  for (let i = 0; i < steps; i++) expect(stepWorld(world)).toBe(true);
};

/** Momentum of all bodies [kg m/s]. */
function momentum({ bodies }: World): number[] {
  const sum = [0, 0, 0];
  for (const { model, state } of bodies) {
    for (let i = 0; i < state.velocities.length; i++)
      sum[i % 3] += model.masses[Math.floor(i / 3)] * state.velocities[i];
  }
  return sum;
}

describe('two boxes that collide', () => {
  it.each<[string, BodyDef]>([
    ['soft', softBox()],
    ['rigid', rigid(softBox())],
  ])('keep their momentum, %s', async (_name, def) => {
    const world = await collision(def);
    const before = momentum(world);
    const [{ model }] = world.bodies;
    let touched = 0;
    for (let i = 0; i < 120; i++) {
      run(world, 1);
      touched = Math.max(touched, world.contacts.count);
      const now = momentum(world);
      for (let k = 0; k < 3; k++) expect(Math.abs(now[k] - before[k])).toBeLessThan(1e-12 * model.totalMass);
    }
    expect(touched).toBeGreaterThan(20);
    // they have parted: nothing touches, and the first one goes back
    expect(world.certificate.contacts).toBe(0);
    expect(world.bodies[0].state.velocities[0]).toBeLessThan(-0.2);
  });

  it('are pushed apart by forces that have no sum and no moment', async () => {
    const world = await collision(softBox());
    while (world.certificate.contacts < 20) run(world, 1);
    const [first, second] = [0, 1].map((body) => contactForceOnBody(world, body));
    const size = Math.hypot(...first);
    expect(size).toBeGreaterThan(0);
    for (let k = 0; k < 3; k++) expect(Math.abs(first[k] + second[k])).toBeLessThan(1e-14 * size);
    const { contacts } = world;
    for (let c = 0; c < contacts.count; c++) {
      // the two sides met in one point when the step began, which is one step back
      const h = world.dt;
      for (let k = 0; k < 3; k++) {
        let apart = 0;
        for (let n = c * 8; n < c * 8 + 8; n++) {
          const { state } = world.bodies[contacts.body[n >> 2]];
          const at = contacts.vertices[n] * 3 + k;
          apart += (n % 8 < 4 ? 1 : -1) * contacts.weights[n] * (state.positions[at] - h * state.velocities[at]);
        }
        expect(Math.abs(apart)).toBeLessThan(1e-12);
      }
    }
  });
});

describe('at rest', () => {
  it('a rigid box sinks in until its springs carry it', async () => {
    const box = rigid(latticeBody({ cells: [2, 2, 2], cellSize: 0.1 }));
    const world = await build({ bodies: [{ body: box }], obstacles: FLOOR });
    run(world, 2000);
    const { model, state } = world.bodies[0];
    let bearing = 0;
    for (let v = 0; v < model.vertexCount; v++) if (model.positions[v * 3 + 1] < 0.01) bearing += model.masses[v];
    // M g = Σ k d with k = s m/h² and the same d for all vertices of the bottom
    const depth = (model.totalMass * G * world.dt ** 2) / (PENALTY_STIFFNESS * bearing);
    expect(depth).toBeLessThan(0.01);
    for (let v = 0; v < model.vertexCount; v++) {
      expect(Math.abs(state.positions[v * 3 + 1] - model.positions[v * 3 + 1] + depth)).toBeLessThan(1e-9 * depth);
    }
    expect(Math.abs(world.certificate.penetration - depth)).toBeLessThan(1e-9 * depth);
    expect(world.certificate.contacts).toBe(9);
  });

  it('a soft ball is carried by the springs under it, each as deep as its force', async () => {
    const ball = { ...ballBody(0.1, 6), materials: [JELLY] };
    const world = await build({ bodies: [{ body: ball, position: [0, 0.1, 0] }], obstacles: FLOOR }, 10);
    run(world, 1000);
    const { model } = world.bodies[0];
    const { contacts } = world;
    const weight = model.totalMass * G;
    expect(Math.abs(contactForceOnObstacle(world, 0)[1] / weight + 1)).toBeLessThan(1e-6);
    for (let c = 0; c < contacts.count; c++) {
      const k = (PENALTY_STIFFNESS * model.masses[contacts.feature[c]]) / world.dt ** 2;
      expect(Math.abs(contacts.force[c * 3 + 1] + k * contacts.gap[c])).toBeLessThan(1e-6 * weight);
    }
  });
});

describe('penalty forces', () => {
  it('leave the forces of the user as they were, and add to them', async () => {
    const world = await build({ bodies: [{ body: softBox() }], obstacles: FLOOR });
    const { state, model } = world.bodies[0];
    const given = Float64Array.from(state.forces, (_, i) => (0.1 + i) / 3);
    for (let i = 0; i < 20; i++) {
      state.forces.set(given);
      run(world, 1);
      expect(state.forces).toEqual(given);
    }
    expect(world.certificate.contacts).toBeGreaterThan(0);
    expect(world.bodies[0].report.momentumDrift).toBeLessThan(1e-10 * model.totalMass);
  });

  it('have the same bits from run to run and after a reset', async () => {
    const hashes: string[] = [];
    const worlds = [await collision(softBox()), await collision(softBox())];
    for (const world of [...worlds, worlds[0]]) {
      resetWorld(world);
      run(world, 40);
      hashes.push(hashWorld(world));
    }
    expect(new Set(hashes).size).toBe(1);
  });

  it('push what can move out of what cannot, and nothing else', async () => {
    const body = softBox();
    const fixed = { ...body, bones: rigid(body).bones?.map((bone) => ({ ...bone, kinematic: true })) };
    const bodies = [
      { body: fixed },
      { body, position: [0.02, 0.17, 0.01] as const },
      { body: fixed, position: [0.11, 0.01, 0.02] as const },
    ];
    const world = await build({ bodies, gravity: [0, 0, 0] });
    run(world, 120);
    expect(world.bodies[1].report.contacts).toBe(0);
    expect(world.bodies[1].state.velocities[1]).toBeGreaterThan(0.05);
    expect(world.bodies[0].report.contacts).toBeGreaterThan(0);
    expect(Math.hypot(...contactForceOnBody(world, 0))).toBe(0);
  });

  it('are carried along by a floor that rises', async () => {
    const obstacles = [{ ...FLOOR[0], velocity: [0, 0.2, 0] as const }];
    const world = await build({ bodies: [{ body: softBox() }], obstacles, gravity: [0, -G, 0] });
    run(world, 1500);
    expect(Math.abs(world.bodies[0].state.velocities[1] - 0.2)).toBeLessThan(1e-3);
  });

  it('are asked for by a name that exists', async () => {
    const scene = { name: 'x', description: '', bodies: [{ body: softBox() }] };
    const contact = 'springs' as 'penalty';
    await expect(createWorld(scene, { contact })).rejects.toMatchObject({
      code: 'E_UNKNOWN',
      place: 'options/contact',
    });
  });
});
