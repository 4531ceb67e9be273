/** Every rigged model at hand as a layered character with no options: limp on a floor and driven by its first clip. */
import { describe, expect, it } from 'vitest';
import { ClipPlayer } from '../../src/character/clips/clip-player.js';
import { loadLayered } from '../../src/character/load-character.js';
import type { LayerCharacter } from '../../src/character-index.js';
import { createWorld } from '../../src/world/create-world.js';
import { addDrive } from '../../src/world/drives.js';
import { stepWorld } from '../../src/world/step.js';
import { hasAssets, readAsset } from '../support/assets.js';

const MODELS = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive', 'hand'];
const STEPS = 1000;
/** Positions are looked at every so many steps. */
const LOOK = 10;

/** Deepest any node of the character is below the floor, in sizes of the character, over a thousand steps. */
async function deepest({ body, skeleton, clips, joints }: LayerCharacter, driven: boolean): Promise<number> {
  let low = Number.POSITIVE_INFINITY;
  for (let i = 1; i < body.positions.length; i += 3) low = Math.min(low, body.positions[i]);
  const bones = body.bones.map((bone) => ({ ...bone, kinematic: driven ? ('tracked' as const) : false }));
  const lift = -low + (driven ? 0 : 0.2);
  const world = await createWorld({
    name: body.name,
    description: 'on a floor',
    solver: { kind: 'layered', selfContact: false },
    bodies: [{ body: { ...body, bones }, position: [0, lift, 0] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
  });
  const [{ state, model }] = world.bodies;
  if (driven) {
    const player = new ClipPlayer({ skeleton, clips, joints }, model);
    addDrive(world, (_, time) => {
      player.pose(clips[0], time, state.boneTargets);
      for (let bone = 0; bone < model.bones.count; bone++) state.boneTargets[7 * bone + 5] += lift;
    });
  }
  let worst = 0;
  for (let step = 0; step < STEPS; step++) {
    if (!stepWorld(world)) throw world.fault;
    if (step % LOOK !== 0) continue;
    const { positions } = state;
    for (let i = 1; i < positions.length; i += 3) worst = Math.max(worst, -positions[i]);
  }
  return worst / model.size;
}

describe.skipIf(!hasAssets(...MODELS.map((name) => `${name}.glb`)))('a rigged model as a layered character', () => {
  it.each(MODELS)(
    '%s runs limp and driven, never deeper in the floor than a fiftieth of its size',
    async (name) => {
      const character = await loadLayered(readAsset(`${name}.glb`));
      expect(await deepest(character, false)).toBeLessThan(0.02);
      if (character.clips.length > 0) expect(await deepest(character, true)).toBeLessThan(0.02);
    },
    120000,
  );
});
