/**
 * Flesh as soft as fat under bones that swing twice a second by 1.2 rad: it hangs on them and can be no farther away than they reach and it stretches. Steps
 * that are not solved are not taken for good; a bone bent beyond all measure is a fault, not flesh that flies off.
 */
import { expect, it } from 'vitest';
import { buildBar } from '../../../scenes/cast/bar.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

it.each([
  ['bdf2', 5e3, 0.45, 2],
  ['bdf2', 1e4, 0.4, 2],
  ['backwardEuler', 5e3, 0.4, 4],
  ['bdf2', 1e4, 0.45, 4],
] as const)('%s, %d Pa, Poisson ratio %f, %d turns a second', async (integrator, youngModulus, poissonRatio, rate) => {
  const material = { model: 'stableNeoHookean', youngModulus, poissonRatio, density: 1000 } as const;
  const bar = buildBar({ cells: [16, 3, 3], cell: 0.06, boneLayers: 3, material });
  const body = { ...bar, bones: (bar.bones ?? []).map((bone) => ({ ...bone, kinematic: true })) };
  const joints = [{ joint: bar.joints?.[0].name ?? '', angle: 1.2 }];
  const amount = { kind: 'wave', from: -1, to: 1, period: 1 / rate } as const;
  const world = await createWorld(
    {
      name: 'fast bones',
      description: '',
      bodies: [{ body, name: 'bar' }],
      drives: [{ kind: 'bend', body: 'bar', amount, joints }],
    },
    { integrator },
  );
  const { model, state } = world.bodies[0];
  let failed = 0;
  let farthest = 0;
  for (let n = 0; n < 120; n++) {
    if (!stepWorld(world)) failed++;
    for (const x of state.positions) farthest = Math.max(farthest, Math.abs(x));
  }
  expect(farthest).toBeLessThan(1.5 * model.size);
  if (rate < 4) expect(failed).toBe(0);
  disposeWorld(world);
});
