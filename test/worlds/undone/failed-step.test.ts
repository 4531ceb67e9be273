/** A step that fails, whatever solves it, leaves no trace: hash, snapshot and all steps after it are those of a world in which it was never tried. */
import { describe, expect, it } from 'vitest';
import { buildPile1600Scene } from '../../../scenes/coupled/pile-1600.js';
import { buildScene } from '../../../scenes/index.js';
import { type AnySceneDef, createWorld, hashWorld, stepWorld, takeSnapshot, type World } from '../../../src/index.js';

const STEPS = 30;

/** Hashes of the next steps. */
function goOn(world: World): string[] {
  return Array.from({ length: STEPS }, () => {
    expect(stepWorld(world)).toBe(true);
    return hashWorld(world);
  });
}

/** Forces and gravity that are no numbers: the step runs to its end, with NaN in all that moves, and is undone. */
function failOnce(world: World): void {
  const { forces } = (world.bodies.at(-1) as World['bodies'][number]).state;
  const kept = forces.slice();
  const [, gravity] = world.gravity;
  forces.fill(Number.NaN);
  world.gravity[1] = Number.NaN;
  expect(stepWorld(world)).toBe(false);
  forces.set(kept);
  world.gravity[1] = gravity;
}

describe('a step that fails', () => {
  const pile = () => buildPile1600Scene({ each: 4 });
  it.each<[string, () => AnySceneDef, number]>([
    ['projective', () => buildScene('stairs'), 20],
    ['projective, with joints', () => buildScene('ragdoll'), 20],
    ['coupled, rigid', pile, 40],
    ['coupled, cloth', () => buildScene('trampoline'), 25],
    ['coupled, flesh', () => ({ ...buildScene('jelly-drop'), solver: { kind: 'coupled' } }), 20],
    ['layered', () => buildScene('snake-touched'), 12],
    ['lattice', () => buildScene('falling-limb'), 12],
  ])('%s: same hash, same snapshot, same next steps', async (_name, build, before) => {
    const [tried, spared] = [await createWorld(build()), await createWorld(build())];
    for (let i = 0; i < before; i++) for (const world of [tried, spared]) expect(stepWorld(world)).toBe(true);
    const hash = hashWorld(tried);
    failOnce(tried);
    expect(hashWorld(tried)).toBe(hash);
    expect(Buffer.compare(takeSnapshot(tried), takeSnapshot(spared))).toBe(0);
    expect(goOn(tried)).toEqual(goOn(spared));
  });
});
