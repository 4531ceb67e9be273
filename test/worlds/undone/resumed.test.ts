/** A world goes on from a snapshot with the same bits, whatever it has been doing since the snapshot was taken: compared with how it went on before. */
import { expect, it } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import { createWorld, hashWorld, restoreSnapshot, stepWorld, takeSnapshot, type World } from '../../../src/index.js';

function goOn(world: World, steps: number): string[] {
  return Array.from({ length: steps }, () => {
    expect(stepWorld(world)).toBe(true);
    return hashWorld(world);
  });
}

// two cubes that touch nothing when the snapshot is taken, and one after the other later: sides of bodies that nothing touches any more counted for how long contacts are swept
it.each([
  ['jelly-drop', 20],
  ['ragdoll', 18],
])('%s goes on from step %d as it did', async (name, before) => {
  const world = await createWorld(buildScene(name), { threads: 1 });
  for (let n = 0; n < before; n++) expect(stepWorld(world)).toBe(true);
  const snapshot = takeSnapshot(world);
  const first = goOn(world, 10);
  for (let more = 1; more <= 4; more += 3) {
    restoreSnapshot(world, snapshot);
    for (let n = 0; n < more; n++) expect(stepWorld(world)).toBe(true);
    restoreSnapshot(world, snapshot);
    expect(goOn(world, 10)).toEqual(first);
  }
});
