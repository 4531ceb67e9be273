/** Bones that are hard: flat, straight, single points, none at all, and bones the user moves. */
import { describe, expect, it } from 'vitest';
import type { BodyDef, Vec3 } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import { TendonError } from '../../../src/errors.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { createWorld } from '../../../src/world/create-world.js';
import { stepWorld } from '../../../src/world/step.js';
import {
  angleAboutZ,
  centreOf,
  inertiaAbout,
  maxDifference,
  measured,
  norm,
  single,
} from '../../support/checks/measure.js';
import { pendulumMap, turnBetween } from '../../support/checks/pendulum-map.js';
import { buildBoxes, buildChain, buildFleshBar, STIFF } from '../../support/models/bodies.js';
import { bodySolverOf } from '../../support/projective-inside.js';

const GRAVITY = [0, -9.81, 0] as const;

/** A box of one cell whose eight vertices are shared out to bones by `group`, held together by fixed joints, pinned. */
function sharedOut(group: (x: number, y: number, z: number) => number): BodyDef {
  const sides: Vec3 = [0.5, 0.2, 0.3];
  const mesh = buildLattice({ cells: [1, 1, 1], cellSize: sides, origin: [0.25, -0.1, -0.15] });
  const groups = new Map<number, number[]>();
  for (let v = 0; v < 8; v++) {
    const [x, y, z] = [0, 1, 2].map((k) => (mesh.positions[v * 3 + k] > [0.5, 0, 0][k] ? 1 : 0));
    const key = group(x, y, z);
    groups.set(key, [...(groups.get(key) ?? []), v]);
  }
  const bones = [...groups].map(([key, vertices]) => ({ name: `b${key}`, vertices }));
  const names = bones.map(({ name }) => name);
  return {
    name: 'shared',
    ...mesh,
    bones,
    joints: [
      { name: 'together', type: 'fixed', bones: names, anchor: [0.5, 0, 0] },
      { name: 'pin', type: 'ball', bones: [names[0]], anchor: [0, 0, 0] },
    ],
    // the tets never deform, as the fixed joint holds all corners; as soft as allowed keeps f32 noise out
    materials: [{ ...STIFF, youngModulus: 1e-3 }],
  };
}

describe('V06 with bones that have no inertia of their own in some direction', () => {
  it.each([
    ['two flat bones', 2, 2, (x: number) => x],
    ['two flat bones across the swing', 2, 2, (_: number, y: number) => y],
    ['four straight bones', 4, 1, (_: number, y: number, z: number) => y + 2 * z],
    ['eight single points', 8, 0, (x: number, y: number, z: number) => x + 2 * y + 4 * z],
  ])('%s fixed together swing as the map says, within 1e-10 rad', async (name, count, rank, group) => {
    const h = 0.01;
    const { model, state, step, world } = await single(sharedOut(group), { dt: h, iterations: 20, gravity: GRAVITY });
    expect(model.bones.count).toBe(count);
    expect([...model.bones.rank]).toEqual(Array.from({ length: count }, () => rank));
    // the compound body's inertia about the pin, from the model's own masses and (regularised) second moments
    let inertia = 0;
    let arm = 0;
    for (let bone = 0; bone < count; bone++) {
      const [x, y] = [model.bones.centre[bone * 3], model.bones.centre[bone * 3 + 1]];
      inertia += inertiaAbout(model, bone, 2) + model.bones.mass[bone] * (x * x + y * y);
      arm += model.bones.mass[bone] * x;
    }
    const map = pendulumMap(inertia / model.totalMass, arm / model.totalMass, 9.81, h, 0);
    let worst = 0;
    for (let n = 0; n < 300; n++) {
      step();
      const expected = map();
      for (let bone = 0; bone < count; bone++) {
        worst = Math.max(worst, Math.abs(turnBetween(angleAboutZ(state, bone), expected)));
      }
      expect(world.certificate.jointGap).toBeLessThan(1e-10);
    }
    measured(`V06 ${name}`, worst);
    expect(worst).toBeLessThan(1e-10);
  });

  it.each([
    ['one vertex', [0], 0],
    ['two vertices', [0, 1], 1],
    ['a face', [0, 1, 2, 3], 2],
  ])('a bone of %s in flesh falls freely and stays finite', async (_, vertices, rank) => {
    const mesh = buildLattice({ cells: [2, 1, 1], cellSize: 0.1 });
    const body = { name: 'b', ...mesh, bones: [{ name: 'a', vertices }], materials: [STIFF] };
    const spin: Vec3 = [3, 2, 1];
    const s = await single(body, { dt: 1 / 60, gravity: GRAVITY, placement: { angularVelocity: spin } });
    expect(s.model.bones.rank[0]).toBe(rank);
    const start = centreOf(s.model, s.state.positions);
    s.step(300);
    const centre = centreOf(s.model, s.state.positions);
    // closed form of backward Euler, as in V01
    expect(Math.abs(centre[1] - start[1] + (9.81 * 300 * 301) / 7200)).toBeLessThan(1e-9);
    expect(s.world.certificate.inverted).toBe(0);
  });
});

describe('bodies with few parts', () => {
  it('flesh alone, bones alone, one bone without a joint: all step and keep momentum', async () => {
    const mesh = buildLattice({ cells: [2, 1, 1], cellSize: 0.1 });
    const bodies = [
      { name: 'flesh', ...mesh, materials: [STIFF] },
      buildChain(3),
      buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.1, 0.2, 0.3] }]),
    ];
    for (const body of bodies) {
      const s = await single(body, { placement: { angularVelocity: [1, 2, 3] } });
      for (let n = 0; n < 50; n++) {
        s.step();
        expect(s.world.certificate.momentumDrift).toBeLessThan(1e-9 * s.model.totalMass);
      }
    }
  });

  it('bodies that share a model move as each would alone, bit for bit', async () => {
    const body = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: STIFF });
    const placements = [{ velocity: [1, 0, 0] as Vec3 }, { angularVelocity: [0, 5, 0] as Vec3 }];
    const options = { dt: 1 / 60 };
    // they start in the same place and pass through each other
    const scene = { name: 's', description: '', gravity: GRAVITY, contact: 'none' } as const;
    const together = await createWorld({ ...scene, bodies: placements.map((p) => ({ body, ...p })) }, options);
    expect(bodySolverOf(together, 0).matrix).toBe(bodySolverOf(together, 1).matrix);
    const alone = await Promise.all(
      placements.map((p) => createWorld({ ...scene, bodies: [{ body, ...p }] }, options)),
    );
    for (let n = 0; n < 60; n++) for (const world of [together, ...alone]) expect(stepWorld(world)).toBe(true);
    for (let i = 0; i < 2; i++) {
      expect(together.bodies[i].state.positions).toEqual(alone[i].bodies[0].state.positions);
    }
  });
});

describe('kinematic bones', () => {
  const def = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: STIFF });

  it('go exactly where they are sent; the rest follows with joints closed', async () => {
    const s = await single(def, { dt: 1 / 60, gravity: GRAVITY });
    s.state.kinematic[0] = 1;
    for (let n = 1; n <= 120; n++) {
      const angle = 0.02 * n;
      s.state.boneTargets.set([0, 0, Math.sin(angle / 2), Math.cos(angle / 2), 0.1, 0.1 + 0.01 * n, 0.1], 0);
      s.step();
      expect(angleAboutZ(s.state, 0)).toBeCloseTo(Math.atan2(Math.sin(angle), Math.cos(angle)), 12);
      expect(s.state.poses.translations[1]).toBeCloseTo(0.1 + 0.01 * n, 14);
      expect(s.world.certificate.jointGap).toBeLessThan(1e-10);
    }
  });

  it('can be let go and caught while running: momentum is kept from the moment of release', async () => {
    const s = await single(def, { dt: 1 / 60 });
    s.state.kinematic[0] = 1;
    for (let n = 1; n <= 30; n++) {
      s.state.boneTargets[4 + 1] += 0.02;
      s.step();
    }
    s.state.kinematic[0] = 0;
    s.step();
    expect(s.world.certificate.momentumDrift).toBeLessThan(1e-9);
    s.step(30);
    expect(s.world.certificate.momentumDrift).toBeLessThan(1e-9);
    const place = s.state.poses.translations.slice(0, 3);
    s.state.boneTargets.set(s.state.poses.quats.subarray(0, 4), 0);
    s.state.boneTargets.set(place, 4);
    s.state.kinematic[0] = 1;
    s.step(60);
    expect(maxDifference(s.state.poses.translations.subarray(0, 3), place)).toBe(0);
  });

  it('a teleport of 10 m leaves everything finite, joints closed, and the flesh whole again within 5 s', async () => {
    const s = await single(def, { dt: 1 / 60 });
    s.state.kinematic[0] = 1;
    s.step(5);
    s.state.boneTargets[4] += 10;
    s.step();
    expect(s.world.certificate.jointGap).toBeLessThan(1e-9);
    s.step(300);
    expect(s.world.certificate.inverted).toBe(0);
    const shape = s.state.positions.map((x, i) => x - s.model.positions[i] - (i % 3 === 0 ? 10 : 0));
    measured('teleport, distance to rest shape', norm(shape));
    expect(Math.abs(centreOf(s.model, s.state.positions)[0] - 10.5)).toBeLessThan(0.6);
  });
});

describe('bones that cannot be meant are refused', () => {
  const mesh = buildLattice({ cells: [2, 1, 1], cellSize: 0.1 });
  const code = (extra: Partial<BodyDef>) => {
    try {
      buildModel({ name: 'b', ...mesh, materials: [STIFF], ...extra });
    } catch (error) {
      return error instanceof TendonError ? error.code : String(error);
    }
    return 'built';
  };
  const bones = (...lists: number[][]) => ({ bones: lists.map((vertices, i) => ({ name: `b${i}`, vertices })) });
  it.each([
    ['without vertices', bones([]), 'E_EMPTY_BONE'],
    ['sharing a vertex', bones([0, 1], [1, 2]), 'E_SHARED_VERTEX'],
    ['naming a vertex twice', bones([0, 1, 0]), 'E_SHARED_VERTEX'],
    ['out of range', bones([0, 99]), 'E_INDEX'],
    ['negative', bones([-1]), 'E_INDEX'],
    ['not whole', bones([0.5]), 'E_INDEX'],
    ['NaN', bones([Number.NaN]), 'E_INDEX'],
    [
      'of one name',
      {
        bones: [
          { name: 'a', vertices: [0] },
          { name: 'a', vertices: [1] },
        ],
      },
      'E_DUPLICATE',
    ],
    ['with a pinned vertex', { ...bones([0, 1]), pins: [1] }, 'E_SHARED_VERTEX'],
    ['pins out of range', { pins: [99] }, 'E_INDEX'],
    ['pins not whole', { pins: [0.5] }, 'E_INDEX'],
  ])('%s', (_, extra, expected) => {
    expect(code(extra)).toBe(expected);
  });
});
