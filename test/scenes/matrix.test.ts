/**
 * Models with every trouble of strangers' files, small: each hangs, falls, is pulled by a hand that jumps, and plays its clip. No step fails, no edge of a
 * tet gets ten times as long, joints stay closed, and what is written is valid under Khronos' validator and reads back. `tendon bench matrix` does the same with files.
 */
import { describe, expect, it } from 'vitest';
import { readsBack, runTrial, TRIALS } from '../../bench/matrix.js';
import { writeCharacter } from '../../src/character/character-file.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { hasAssets, readAsset } from '../support/assets.js';
import { validateGltf } from '../support/checks/validate-gltf.js';
import { MATRIX_MODELS } from '../support/models/matrix-models.js';

/** Enough for most bones, quick. */
const TETS = 350;
const STEPS = 36;

describe.each([...MATRIX_MODELS.keys()])('%s', (name) => {
  it('bears what is done to it', async () => {
    const character = await loadCharacter(await MATRIX_MODELS.get(name)!(), { name, tets: TETS });
    expect(await readsBack(character)).toBe(true);
    expect(await validateGltf(await writeCharacter(character))).toEqual([]);
    for (const trial of TRIALS) {
      // every other one starts in the floor
      const cell = await runTrial(character, trial, { steps: STEPS, drop: name.length % 2 === 0 ? -0.1 : 0.05 });
      expect(cell === undefined).toBe(trial === 'clip' && character.clips.length === 0);
      if (!cell) continue;
      expect({ trial, faults: cell.faults }).toEqual({ trial, faults: 0 });
      expect(cell.longestEdge, trial).toBeLessThan(10);
      expect(cell.jointGap, trial).toBeLessThan(1e-6);
    }
  });
});

it.skipIf(!hasAssets('RobotExpressive.glb'))(
  'a robot of 6,000 tets bears a hand that jumps: an edge was once drawn to 33 times its length, and a step failed',
  async () => {
    const name = 'RobotExpressive.glb';
    const character = await loadCharacter(readAsset(name), { name, tets: 6000 });
    const cell = await runTrial(character, 'grab-jump', { steps: 84 });
    expect(cell?.faults).toBe(0);
    expect(cell?.longestEdge).toBeLessThan(10);
  },
);
