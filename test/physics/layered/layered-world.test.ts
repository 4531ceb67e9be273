/** The layered solver through the world: state, snapshots, hashes, certificates, grabs, forces, kinematic bones. */
import { describe, expect, it } from 'vitest';
import type { LayerDef } from '../../../src/body/kinds/layer-def.js';
import type { AnySceneDef } from '../../../src/scene/scene-def.js';
import { setBoneTarget } from '../../../src/world/bone-control.js';
import { createWorld, resetWorld } from '../../../src/world/create-world.js';
import { grabBody, moveGrab, releaseGrab } from '../../../src/world/grab.js';
import { hashWorld, restoreSnapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { stepWorld } from '../../../src/world/step.js';
import type { World } from '../../../src/world/world.js';
import { FLOOR, tubeDef } from '../../support/models/layered.js';

const TUBE = tubeDef(10, 29, 5);

function scene(more: Partial<AnySceneDef> = {}, body: LayerDef = TUBE): AnySceneDef {
  return {
    name: 'tubes',
    description: 'two tubes, one on the other',
    solver: { kind: 'layered' },
    bodies: [
      { body, position: [0, 0.1, 0] },
      { body, name: 'upper', position: [0, 0.4, 0], rotation: [0, Math.sin(0.6), 0, Math.cos(0.6)] },
    ],
    obstacles: [FLOOR],
    ...more,
  };
}

function take(world: World, steps: number): void {
  for (let i = 0; i < steps; i++) if (!stepWorld(world)) throw world.fault;
}

describe('a layered world', () => {
  it('carries what lies on it: weight of both on the floor, weight of one between them', async () => {
    const world = await createWorld(scene());
    take(world, 400);
    const weight = 9.81 * world.bodies[0].model.totalMass;
    const { contacts, certificate } = world;
    let [onFloor, between] = [0, 0];
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.obstacle[c] >= 0) onFloor += contacts.force[3 * c + 1];
      else if (contacts.body[2 * c] !== contacts.body[2 * c + 1]) {
        between += (contacts.body[2 * c] === 1 ? 1 : -1) * contacts.force[3 * c + 1];
      }
    }
    // the upper one may have rolled off: then all of its weight is on the floor
    expect(onFloor / (2 * weight)).toBeCloseTo(1, 2);
    expect(between / weight).toBeLessThan(1.01);
    expect(certificate.jointGap).toBeLessThan(1e-14);
    expect(certificate.rigidity).toBeLessThan(1e-14);
    expect(certificate.momentumDrift).toBeLessThan(1e-10);
    expect(certificate.penetration).toBeLessThan(1e-4);
  });

  it('goes on bit for bit from a snapshot, in the middle of contact', async () => {
    const world = await createWorld(scene());
    take(world, 40);
    const snapshot = takeSnapshot(world);
    const here = hashWorld(world);
    take(world, 20);
    const there = hashWorld(world);
    restoreSnapshot(world, snapshot);
    expect(hashWorld(world)).toBe(here);
    take(world, 20);
    expect(hashWorld(world)).toBe(there);
    const other = await createWorld(scene(), { threads: 2 });
    take(other, 60);
    expect(hashWorld(other)).toBe(there);
    other.threads.stop();
    resetWorld(world);
    take(world, 60);
    expect(hashWorld(world)).toBe(there);
  });

  it('shows positions that belong to the state, after a restore too', async () => {
    const world = await createWorld(scene());
    take(world, 30);
    const before = world.bodies[0].state.positions.slice();
    const snapshot = takeSnapshot(world);
    take(world, 10);
    expect(world.bodies[0].state.positions).not.toEqual(before);
    restoreSnapshot(world, snapshot);
    expect(world.bodies[0].state.positions).toEqual(before);
  });

  it('follows a grab and lets go', async () => {
    const world = await createWorld(scene({ bodies: [{ body: TUBE }], gravity: [0, 0, 0], obstacles: [] }));
    const grab = grabBody(world, 0, [0.5, 0, 0]);
    moveGrab(grab, [0.5, 1, 0]);
    take(world, 240);
    const point = new Float64Array(3);
    grab.point(point);
    expect(Math.hypot(point[0] - 0.5, point[1] - 1, point[2])).toBeLessThan(0.02);
    releaseGrab(world, grab);
    take(world, 1);
  });

  it('is pushed by a force on a node as Newton says, and dented by it', async () => {
    const world = await createWorld(scene({ bodies: [{ body: TUBE }], gravity: [0, 0, 0], obstacles: [] }));
    const [{ state, model }] = world.bodies;
    state.forces[3 * 141 + 1] = -50;
    take(world, 6);
    let momentum = 0;
    for (let bone = 0; bone < 5; bone++) momentum += model.bones.mass[bone] * state.boneRates[12 * bone + 10];
    // F t
    expect(momentum).toBeCloseTo((-50 * 6) / 60, 9);
  });

  it('feels forces that come with a snapshot of another world, and through an array that was taken long before', async () => {
    const make = () => createWorld(scene({ bodies: [{ body: TUBE }], gravity: [0, 0, 0], obstacles: [] }));
    const [pushed, other] = [await make(), await make()];
    const { forces } = pushed.bodies[0].state;
    resetWorld(pushed);
    take(pushed, 2);
    resetWorld(pushed);
    forces[3 * 141 + 1] = -50;
    // nothing but the forces differs from how the other world is
    restoreSnapshot(other, takeSnapshot(pushed));
    take(pushed, 6);
    take(other, 6);
    expect(hashWorld(other)).toBe(hashWorld(pushed));
    const { mass } = other.bodies[0].model.bones;
    let momentum = 0;
    for (let bone = 0; bone < 5; bone++) momentum += mass[bone] * other.bodies[0].state.boneRates[12 * bone + 10];
    // F t
    expect(momentum).toBeCloseTo((-50 * 6) / 60, 9);
  });

  it('holds a kinematic root exactly and lets the rest hang', async () => {
    const bones = TUBE.bones.map((bone, i) => ({ ...bone, kinematic: i === 0 }));
    const world = await createWorld(scene({ bodies: [{ body: { ...TUBE, bones } }], obstacles: [] }));
    const [body] = world.bodies;
    for (let i = 1; i <= 60; i++) {
      setBoneTarget(body, 0, { position: [-0.4, 0.005 * i, 0], rotation: [0, 0, 0, 1] });
      take(world, 1);
    }
    expect([...body.state.poses.translations.subarray(0, 3)]).toEqual([-0.4, 0.3, 0]);
    expect(body.state.poses.translations[13]).toBeLessThan(0.1);
    expect(world.certificate.jointGap).toBeLessThan(1e-14);
  });

  it('refuses bodies of other kinds and options that make no sense', async () => {
    await expect(createWorld(scene({ solver: { kind: 'layered', sweeps: 0 } }))).rejects.toThrow('options/sweeps');
    await expect(createWorld(scene({ solver: { kind: 'projective' } }))).rejects.toThrow('kind');
  });

  it('takes a bone without skin, as light as it may be', async () => {
    const bones = [...TUBE.bones, { name: 'tip', parent: TUBE.bones.length - 1, place: [0.5, 0, 0] as const }];
    const world = await createWorld(scene({}, { ...TUBE, bones }));
    take(world, 60);
    expect(world.bodies[0].model.bones.mass[bones.length - 1]).toBeLessThan(1e-4 * world.bodies[0].model.totalMass);
    expect(world.certificate.jointGap).toBeLessThan(1e-14);
  });

  it.each([
    [
      'a node whose weights miss one',
      { weights: Float64Array.from(TUBE.weights, (w, i) => (i === 0 ? 0.5 : w)) },
      'weights',
    ],
    ['a bone that is not there', { owners: Int32Array.from(TUBE.owners, (o, i) => (i === 0 ? 77 : o)) }, 'owners'],
    ['two roots', { bones: TUBE.bones.map((bone) => ({ ...bone, parent: -1 })) }, 'parent'],
    ['a skin that is inside out', { triangles: TUBE.triangles.slice().reverse() }, 'inside out'],
    ['no triangles', { triangles: new Int32Array(0) }, 'triangles'],
    [
      'a position that is not finite',
      { positions: TUBE.positions.map((x, i) => (i === 3 ? Number.NaN : x)) },
      'positions/3',
    ],
  ])('names %s', async (_what, change, place) => {
    const bad = { ...TUBE, ...change } as LayerDef;
    await expect(createWorld(scene({}, bad))).rejects.toThrow(place);
  });
});
