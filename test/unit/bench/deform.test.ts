/**
 * The table of `tendon bench deform` in small: an arm that bends by a right angle, and rigged models of others where they are at hand. No cell inside
 * out at the end of a frame, no vertex that jerks more than three times as hard as by linear blending, no stall, more volume kept.
 */
import { describe, expect, it } from 'vitest';
import { deformClip, MOST_JERK } from '../../../bench/deform.js';
import type { DeformOptions } from '../../../src/character/deform/skin-deformer.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { hasAssets, readAsset } from '../../support/assets.js';
import { armModel } from '../../support/models/rigged-model.js';

async function check(bytes: Uint8Array, frames: number, name?: string, options: DeformOptions = { cells: 1200 }) {
  const character = await loadCharacter(bytes);
  const clip = character.clips.find((one) => one.name === name) ?? character.clips[0];
  const line = await deformClip('model', character, clip, options, frames);
  expect(line.invertedFrames).toBe(0);
  expect(line.jerk).toBeGreaterThan(0);
  expect(line.jerk).toBeLessThanOrEqual(MOST_JERK);
  expect(line.stalls).toBe(0);
  expect(line.passes).toBe(true);
  return line;
}

describe('clips that the lattice deforms', () => {
  it('an arm that bends by a right angle', async () => {
    const line = await check(await writeGltf(armModel({ swing: Math.PI / 2 })), 12);
    expect(line.frames).toBe(12);
    expect(line.volume).toBeGreaterThan(line.linearVolume);
    expect(line.volume).toBeGreaterThan(0.95);
  });

  it.runIf(hasAssets('RiggedFigure.glb'))('a figure that walks', async () => {
    const line = await check(readAsset('RiggedFigure.glb'), 8);
    expect(line.volume).toBeGreaterThan(line.linearVolume);
  });

  it.runIf(hasAssets('RobotExpressive.glb'))(
    'a robot of hard pieces that runs, its hands beside its body',
    async () => {
      const line = await check(readAsset('RobotExpressive.glb'), 30, 'Running', {});
      expect(line.frames).toBe(30);
      // bones drive its hands through its body: what is that deep is let go, and its pieces keep their shape
      expect(line.depth).toBeLessThan(1);
      expect(line.volume).toBeGreaterThan(0.99);
    },
  );

  it.runIf(hasAssets('Fox.glb'))('a fox that runs, with no options', async () => {
    const line = await check(readAsset('Fox.glb'), 21, 'Run', {});
    expect(line.volume).toBeGreaterThan(line.linearVolume);
    expect(line.depth).toBeLessThan(1);
  });
});
