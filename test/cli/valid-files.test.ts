/** What is written is valid: Khronos' validator has no error and no warning for any file that is made of any shared model. */
import { describe, expect, it } from 'vitest';
import { buildFromSkin, buildFromTets } from '../../src/character/build/surfaces/plain.js';
import { writeCharacter } from '../../src/character/character-file.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { readGltf } from '../../src/io/gltf/gltf.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { readObj } from '../../src/io/surfaces/obj.js';
import { readTetgen } from '../../src/io/tets/tetgen.js';
import { hasAssets, readAsset } from '../support/assets.js';
import { validateGltf } from '../support/checks/validate-gltf.js';
import { armModel } from '../support/models/rigged-model.js';

const MODELS = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive', 'hand'].map(
  (name) => `${name}.glb`,
);
/** Enough for every bone, quick to build. */
const TETS = 2000;

describe('the validator', () => {
  it('finds what is wrong', async () => {
    const model = armModel();
    const [part] = model.meshes[0].primitives;
    const weights = part.weights!.map((weight) => 2 * weight);
    const bad = await writeGltf({ ...model, meshes: [{ name: 'arm', primitives: [{ ...part, weights }] }] });
    expect((await validateGltf(bad)).join()).toContain('ACCESSOR_WEIGHTS_NON_NORMALIZED');
  });
});

describe.skipIf(!hasAssets(...MODELS))('a character', () => {
  it.each(MODELS)('built of %s is valid, and so is what our own writer makes of it', async (name) => {
    const bytes = readAsset(name);
    const character = await loadCharacter(bytes, { name, tets: TETS });
    expect(await validateGltf(await writeCharacter(character))).toEqual([]);
    // without the file it came from
    expect(await validateGltf(await writeCharacter({ ...character, source: undefined }))).toEqual([]);
    expect((await readGltf(await writeCharacter(character))).warnings).toEqual([]);
  });
});

describe.skipIf(!hasAssets('spot.obj', 'armadillo.node'))('a character without a rig', () => {
  it('is valid', async () => {
    const spot = buildFromSkin(readObj(readAsset('spot.obj')), { tets: TETS });
    expect(await validateGltf(await writeCharacter(spot))).toEqual([]);
    const tets = readTetgen(readAsset('armadillo.node'), readAsset('armadillo.ele'));
    expect(await validateGltf(await writeCharacter(buildFromTets(tets)))).toEqual([]);
  });
});
