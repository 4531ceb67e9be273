import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildRigged } from '../../../src/character/build/rigged.js';
import type { Character } from '../../../src/character/character.js';
import { readCharacter, writeCharacter } from '../../../src/character/character-file.js';
import { characterScene, loadCharacterScene } from '../../../src/character/load-character.js';
import { createWorld, disposeWorld, hashWorld, stepWorld } from '../../../src/index.js';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import type { GltfModel, JsonObject } from '../../../src/io/gltf/gltf-model.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { armModel } from '../../support/models/rigged-model.js';

const character = buildRigged(armModel({ swing: 0.5 }), { name: 'arm', tets: 800 });

async function hashAfterSteps(one: Character): Promise<string> {
  const world = await createWorld(characterScene(one));
  for (let i = 0; i < 5; i++) stepWorld(world);
  const hash = hashWorld(world);
  disposeWorld(world);
  return hash;
}

/** The file with its extension changed. */
async function changed(change: (json: Record<string, unknown>, model: GltfModel) => void): Promise<Uint8Array> {
  const model = await readGltf(await writeCharacter(character));
  const json = structuredClone(model.extensions[0].json) as Record<string, unknown>;
  change(json, model);
  return writeGltf({ ...model, extensions: [{ ...model.extensions[0], json: json as JsonObject }] });
}

describe('a character in a file', () => {
  it('comes back as it was, and simulates to the same bits, again and again', async () => {
    const once = await readCharacter(await writeCharacter(character));
    const twice = await readCharacter(await writeCharacter(once));
    expect(once).toEqual(character);
    expect(twice).toEqual(character);
    const hash = await hashAfterSteps(character);
    expect(await hashAfterSteps(once)).toBe(hash);
    expect(await hashAfterSteps(twice)).toBe(hash);
  });

  it('is an ordinary glTF: skin, joints and animation for viewers that know no physics', async () => {
    const model = await readGltf(await writeCharacter(character));
    expect(model.meshes[0].primitives[0].positions).toEqual(character.skin.positions);
    expect(model.skins[0].joints).toHaveLength(2);
    expect(model.clips[0].channels).toHaveLength(3);
    expect(model.look.materials).toEqual([{ name: 'skin' }]);
  });

  it('is what the schema says', async () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../../schema/tendon-character.schema.json', import.meta.url), 'utf8'),
    );
    const { extensions } = await readGltf(await writeCharacter(character));
    const { json } = extensions[0];
    const check = (value: JsonObject, part: { required: string[]; properties: object }): void => {
      expect(Object.keys(value)).toEqual(expect.arrayContaining(part.required));
      expect(Object.keys(part.properties)).toEqual(expect.arrayContaining(Object.keys(value)));
    };
    check(json, schema);
    for (const bone of json.bones as JsonObject[]) check(bone, schema.$defs.bone);
    for (const joint of json.joints as JsonObject[]) check(joint, schema.$defs.joint);
    for (const material of json.materials as JsonObject[]) check(material, schema.$defs.material);
  });

  it('is hung by its root, or by the bone that is asked for', async () => {
    const bytes = await writeCharacter(character);
    const scene = await loadCharacterScene(bytes);
    expect(scene.bodies[0].body.bones?.map(({ kinematic }) => kinematic === true)).toEqual([true, false]);
    const other = await loadCharacterScene(bytes, { hang: 'elbow' });
    expect(other.bodies[0].body.bones?.map(({ kinematic }) => kinematic === true)).toEqual([false, true]);
    await expect(loadCharacterScene(bytes, { hang: 'nose' })).rejects.toThrow(/shoulder, elbow/);
  });

  it('without bones is held at its top', () => {
    const { body } = characterScene({ ...character, skeleton: [], body: { ...character.body, bones: [], joints: [] } })
      .bodies[0];
    const pins = Array.from(body.pins ?? []);
    expect(pins.length).toBeGreaterThan(0);
    for (const pin of pins) expect(body.positions[3 * pin + 1]).toBeGreaterThan(0.1);
  });

  it.each<[string, (json: Record<string, unknown>) => void, RegExp]>([
    ['version', (json) => Object.assign(json, { version: 1 }), /version/],
    ['a missing array', (json) => delete json.tets, /tets/],
    ['an array that is not there', (json) => Object.assign(json, { positions: 99 }), /positions/],
    ['an array of the wrong kind', (json) => Object.assign(json, { tets: json.positions }), /tets/],
    [
      'too many bone vertices',
      (json) => Object.assign((json.bones as object[])[0], { vertexCount: 1e9 }),
      /vertexCount/,
    ],
    ['a bone before its parent', (json) => Object.assign((json.bones as object[])[0], { parent: 1 }), /parent/],
    ['a joint of no type', (json) => Object.assign((json.joints as object[])[0], { type: 'glue' }), /type/],
    [
      'a joint without a place',
      (json) => Object.assign((json.joints as object[])[0], { anchor: [0, 'a', 0] }),
      /anchor/,
    ],
    [
      'a material without a number',
      (json) => Object.assign((json.materials as object[])[0], { density: '1' }),
      /density/,
    ],
    ['a flag that is a word', (json) => Object.assign(json, { smoothed: 'yes' }), /smoothed/],
    ['a clip of no frames', (json) => Object.assign((json.clips as object[])[0], { frameCount: 0 }), /clips/],
    ['no embedding', (json) => delete json.embedding, /embedding/],
    ['a skin at the wrong node', (json) => Object.assign(json, { skin: { node: 1 } }), /skin/],
  ])('is refused with its place: %s', async (_name, change, place) => {
    const bytes = await changed(change);
    await expect(readCharacter(bytes)).rejects.toThrow(place);
    await expect(readCharacter(bytes)).rejects.toMatchObject({ name: 'TendonError' });
  });

  it('says whether its tets share strains; one that says nothing is what it was when it was written', async () => {
    const solverOf = async (bytes: Uint8Array, options = {}) => (await loadCharacterScene(bytes, options)).solver;
    expect(await solverOf(await writeCharacter(character))).toMatchObject({ smoothed: true });
    const plain = buildRigged(armModel(), { tets: 500, smoothed: false });
    expect(await solverOf(await writeCharacter(plain))).toMatchObject({ smoothed: false });
    const older = await changed((json) => delete json.smoothed);
    expect(await solverOf(older)).toMatchObject({ smoothed: false });
    expect(await solverOf(older, { smoothed: true })).toMatchObject({ smoothed: true });
  });

  it('is told from other models', async () => {
    const bytes = await writeGltf(armModel());
    await expect(readCharacter(bytes)).rejects.toThrow(/tendon build/);
    expect((await loadCharacterScene(bytes, { tets: 500 })).bodies[0].body.bones).toHaveLength(2);
  });
});
