/** Bodies that bounce: what their blows do to angular momentum, and that they bounce off each other as their scene says. */
import { describe, expect, it } from 'vitest';
import { buildSoftBox, rigidBody } from '../../../scenes/cast/coupled-bodies.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld } from '../../../src/index.js';
import { readScene } from '../../../src/scene-file-index.js';

const BOX = rigidBody('box', { kind: 'box', halfExtents: [0.2, 0.1, 0.15] });

// the law: what the floor gives, when and where it gives it, is all there is
it('angular momentum of a box that bounces askew off a floor is explained to rounding', async () => {
  for (const substeps of [1, 2, 4]) {
    for (let n = 0; n < 4; n++) {
      const world = await createWorld({
        name: 'bounce',
        description: '',
        solver: { kind: 'coupled', substeps },
        bodies: [{ body: BOX, position: [1, 0.5 + 0.02 * n, 0], velocity: [2, 0, 0.5], angularVelocity: [1, 2, 3] }],
        obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5, restitution: 0.6 }],
      });
      for (let step = 0; step < 60; step++) {
        expect(stepWorld(world)).toBe(true);
        expect(world.certificate.angularDrift).toBeLessThan(1e-11);
      }
      disposeWorld(world);
    }
  }
});

describe('bodies with restitution', () => {
  const BALL = { kind: 'rigid', name: 'ball', parts: [{ name: 'ball', shape: { kind: 'sphere', radius: 0.1 } }] };
  /** Five balls in a row, the first flies at the others with 1 m/s: a scene as a file. */
  const row = async (restitution: number) =>
    readScene(
      JSON.stringify({
        tendonScene: 1,
        name: 'row',
        description: '',
        bodyDefs: { ball: BALL },
        bodies: [-0.5, 0.2, 0.4, 0.6, 0.8].map((x, i) => ({
          body: 'ball',
          name: `ball ${i}`,
          position: [x, 0, 0],
          velocity: [i === 0 ? 1 : 0, 0, 0],
          restitution,
        })),
        solver: { kind: 'coupled' },
        gravity: [0, 0, 0],
      }),
    );
  const speeds = async (restitution: number) => {
    const world = await createWorld(await row(restitution));
    for (let n = 0; n < 120; n++) expect(stepWorld(world)).toBe(true);
    const found = world.bodies.map(({ state }) => state.velocities[0]);
    disposeWorld(world);
    return found;
  };

  it('a row of five: e = 1 hands the blow on, the last leaves with all (V53)', async () => {
    const found = await speeds(1);
    for (let i = 0; i < 4; i++) expect(Math.abs(found[i])).toBeLessThan(1e-9);
    expect(found[4]).toBeCloseTo(1, 9);
  });

  it('e = 0: all go on with a fifth (V53)', async () => {
    for (const speed of await speeds(0)) expect(speed).toBeCloseTo(0.2, 9);
  });

  it.each([
    [0.5, 0.2, 0.5],
    [0.3, 0.9, 0.9],
  ])('two that have %d and %d part with the larger share of their approach, momentum kept', async (one, two, e) => {
    const heavy = rigidBody('heavy', { kind: 'sphere', radius: 0.2 }, 500);
    const light = rigidBody('light', { kind: 'sphere', radius: 0.1 });
    const world = await createWorld({
      name: 'two',
      description: '',
      solver: { kind: 'coupled' },
      gravity: [0, 0, 0],
      bodies: [
        { body: heavy, velocity: [1, 0, 0], restitution: one },
        { body: light, position: [0.7, 0, 0], velocity: [-2, 0, 0], restitution: two },
      ],
    });
    const [m, n] = world.bodies.map(({ model }) => model.totalMass);
    for (let k = 0; k < 30; k++) expect(stepWorld(world)).toBe(true);
    const [u, v] = world.bodies.map(({ state }) => state.velocities[0]);
    // v − u = e (1 + 2), m u + n v = m − 2 n
    expect(u).toBeCloseTo((m - 2 * n - 3 * e * n) / (m + n), 9);
    expect(v - u).toBeCloseTo(3 * e, 9);
    disposeWorld(world);
  });

  it('bounce off obstacles that have none', async () => {
    const ball = rigidBody('ball', { kind: 'sphere', radius: 0.1 });
    const world = await createWorld({
      name: 'floor',
      description: '',
      solver: { kind: 'coupled' },
      dt: 1 / 240,
      bodies: [{ body: ball, position: [0, 1.1, 0], restitution: 0.5 }],
      obstacles: [{ name: 'floor', shape: { kind: 'plane' } }],
    });
    let apex = 0;
    for (let k = 0; k < 180; k++) {
      stepWorld(world);
      if (k > 120) apex = Math.max(apex, world.bodies[0].state.poses.translations[1] - 0.1);
    }
    // seen once a step: by g h²/8 at most
    expect(Math.abs(apex / 0.25 - 1)).toBeLessThan(1e-4);
    disposeWorld(world);
  });

  it.each([
    ['projective', BALL, 0.5, 'E_UNKNOWN'],
    ['coupled', buildSoftBox('flesh', [1, 1, 1], 0.1), 0.5, 'E_UNKNOWN'],
    ['coupled', BALL, 1.5, 'E_RANGE'],
    ['coupled', BALL, Number.NaN, 'E_NOT_FINITE'],
  ])('%s: what cannot be is refused by name', async (kind, body, restitution, code) => {
    const scene = { name: 'no', description: '', solver: { kind }, bodies: [{ body, restitution }] } as AnySceneDef;
    await expect(createWorld(scene)).rejects.toMatchObject({ code, place: 'scene/bodies/0/restitution' });
  });
});
