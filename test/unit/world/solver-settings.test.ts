/** Options that a solver does not know are refused by name, wherever they are given; words that scenes have for every solver are not. */
import { describe, expect, it } from 'vitest';
import { buildSoftBox } from '../../../scenes/cast/coupled-bodies.js';
import { type AnySceneDef, createWorld, disposeWorld, type WorldOptions } from '../../../src/index.js';

const SCENE: AnySceneDef = { name: 'box', description: '', bodies: [{ body: buildSoftBox('box', [1, 1, 1], 0.1) }] };

describe('options', () => {
  it.each([
    ['projective', { substeps: 2 }, {}, 'scene/solver/substeps'],
    ['coupled', { integrator: 'bdf2' }, {}, 'scene/solver/integrator'],
    ['coupled', { iterations: 5 }, {}, 'scene/solver/iterations'],
    ['lattice', { damping: 1 }, {}, 'scene/solver/damping'],
    ['coupled', {}, { accelerated: false }, 'options/accelerated'],
    ['lattice', {}, { damping: 1 }, 'options/damping'],
    ['projective', {}, { substeps: 2 } as WorldOptions, 'options/substeps'],
  ])('that the %s solver does not know are refused: %j %j', async (kind, own, beside, place) => {
    const made = createWorld({ ...SCENE, solver: { kind, ...own } }, beside);
    await expect(made).rejects.toMatchObject({ code: 'E_UNKNOWN', place });
  });

  it.each(['projective', 'coupled', 'lattice'])('of every scene are taken by the %s solver as it can', async (kind) => {
    const scene: AnySceneDef = { ...SCENE, solver: { kind }, iterations: 5, contact: 'implicit', selfContact: false };
    disposeWorld(await createWorld(scene, { iterations: 6, threads: 1, dt: 1 / 60 }));
  });

  it('count where they are known: damping of a coupled world', async () => {
    const world = await createWorld({ ...SCENE, solver: { kind: 'coupled', damping: 3 } });
    expect(world.options).toMatchObject({ damping: 3 });
    disposeWorld(world);
  });
});
