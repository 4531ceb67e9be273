/** A world that was reset is the world that was built: the same hash, and the same bits in every step that follows. */
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index.js';
import {
  createWorld,
  disposeWorld,
  grabBody,
  hashWorld,
  moveGrab,
  resetWorld,
  restoreSnapshot,
  setObstaclePose,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../src/index.js';
import { contactWorld, floor, run } from '../support/checks/contact-measure.js';
import { standingBox } from '../support/models/contact-shapes.js';

/** Hashes before the first step and after some, the scene's own drives included. */
function hashes(world: World, steps: number): string[] {
  const list = [hashWorld(world)];
  for (let n = 0; n < steps; n++) {
    stepWorld(world);
    list.push(hashWorld(world));
  }
  return list;
}

describe('a reset repeats the first steps', () => {
  // flesh that is guarded, drives, bodies that start bent, contacts between bodies, joints and chains
  it.each(['jelly-drop', 'fist', 'mermaid', 'stairs', 'ragdoll', 'pendulum'])('of the scene %s', async (name) => {
    const world = await createWorld(buildScene(name), { iterations: 5 });
    const first = hashes(world, 5);
    resetWorld(world);
    expect(hashes(world, 5)).toEqual(first);
    disposeWorld(world);
  });

  it('while things touch, with user forces, moved obstacles and grips forgotten', async () => {
    const soft = standingBox('soft', { cells: [2, 2, 2] });
    const rigid = standingBox('rigid', { cells: [2, 2, 2] });
    const bodies = [{ body: soft }, { body: rigid, position: [0.02, 0.2, 0] as const }];
    const world = await contactWorld({ bodies, obstacles: [floor(0.5, 0.5)] });
    const first = hashes(world, 10);
    resetWorld(world);
    run(world, 5);
    world.bodies[1].state.forces.fill(3);
    setObstaclePose(world.obstacles, 0, [0, 0.05, 0], [0, 0, 0, 1]);
    moveGrab(grabBody(world, 0, [0, 0.1, 0]), [0.3, 0.3, 0]);
    run(world, 5);
    resetWorld(world);
    expect(hashes(world, 10)).toEqual(first);
  });

  it('and a snapshot goes on where it was taken, guarded flesh too', async () => {
    const world = await createWorld(buildScene('jelly-drop'));
    run(world, 4);
    const snapshot = takeSnapshot(world);
    const later = hashes(world, 4);
    restoreSnapshot(world, snapshot);
    expect(hashes(world, 4)).toEqual(later);
  });
});
