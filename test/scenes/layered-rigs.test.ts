/** Every rigged model at hand as a layered character with no options: limp on a floor and driven by its first clip. Depths are read off positions, not off the certificate. */
import { describe, expect, it } from 'vitest';
import { runRig } from '../../bench/layered/rigs.js';
import { loadLayered } from '../../src/character/load-character.js';
import { hasAssets, readAsset } from '../support/assets.js';

const MODELS = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive', 'hand'];
/** Falls, comes to rest, and goes through its clip many times. */
const STEPS = 1000;

describe.skipIf(!hasAssets(...MODELS.map((name) => `${name}.glb`)))('a rigged model as a layered character', () => {
  it.each(MODELS)(
    '%s runs limp and driven, within its limits, never deeper in the floor than two hundredths of its size',
    async (name) => {
      const character = await loadLayered(readAsset(`${name}.glb`));
      for (const driven of character.clips.length > 0 ? [false, true] : [false]) {
        const { deepest, limitExcess } = await runRig(character, driven, STEPS);
        expect(deepest).toBeLessThan(0.02);
        expect(limitExcess).toBeLessThan(1e-6);
      }
    },
    60000,
  );
});
