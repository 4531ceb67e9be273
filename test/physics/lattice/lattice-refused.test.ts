/** What the lattice cannot deform: refused with a code, the place and what to change. */
import { describe, expect, it } from 'vitest';
import type { Character } from '../../../src/character/character.js';
import { SkinDeformer } from '../../../src/character/deform/skin-deformer.js';
import { loadCharacter, loadLattice } from '../../../src/character/load-character.js';
import type { GltfModel } from '../../../src/io/gltf/gltf-model.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { armModel } from '../../support/models/rigged-model.js';

const arm = await loadCharacter(await writeGltf(armModel({ swing: 1 })));

/** Everything at height zero. */
const flatten = (positions: Float32Array): Float32Array => positions.map((value, i) => (i % 3 === 1 ? 0 : value));

/** The arm with its skeleton somewhere else. */
function away(by: number): Character {
  const move = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y + by, z];
  const skeleton = arm.skeleton.map((bone) => ({ ...bone, place: move(bone.place), tip: move(bone.tip) }));
  return { ...arm, skeleton };
}

function flatModel(): GltfModel {
  const model = armModel();
  const meshes = model.meshes.map((mesh) => ({
    ...mesh,
    primitives: mesh.primitives.map((one) => ({ ...one, positions: flatten(one.positions) })),
  }));
  return { ...model, meshes };
}

describe('a lattice for a character', () => {
  it('needs a skin with a volume', async () => {
    const flat = { ...arm, skin: { ...arm.skin, positions: flatten(arm.skin.positions) } };
    const refused = { code: 'E_EMPTY', message: expect.stringContaining('give it a thickness') };
    await expect(SkinDeformer.create(flat, { cells: 500 })).rejects.toMatchObject(refused);
    const bytes = await writeGltf(flatModel());
    await expect(loadLattice(bytes)).rejects.toMatchObject(refused);
    await expect(loadCharacter(bytes)).rejects.toMatchObject(refused);
    // a sheet that is not closed, far from the origin
    const sheet = flat.skin.positions.map((value, i) => (i % 3 === 1 ? 7 : value));
    const open = { ...flat, skin: { ...flat.skin, positions: sheet, triangles: arm.skin.triangles.slice(0, 60) } };
    await expect(SkinDeformer.create(open, { cells: 500 })).rejects.toMatchObject(refused);
  });

  it('needs bones inside of the skin', async () => {
    const refused = { code: 'E_RANGE', place: 'character/skeleton', message: expect.stringContaining('outside') };
    await expect(SkinDeformer.create(away(50), { cells: 500 })).rejects.toMatchObject(refused);
    const deformer = await SkinDeformer.create(away(0.01), { cells: 500 });
    deformer.dispose();
  });

  it.each([1, 0, -5, 1e9])('needs a number of cells that can be: not %s', async (cells) => {
    await expect(SkinDeformer.create(arm, { cells })).rejects.toMatchObject({ code: 'E_RANGE', place: 'cells' });
  });

  it('says how many cells are too few for the bones', async () => {
    // a twig of a bone in each of forty joints, and eight cells
    const names = Array.from({ length: 40 }, (_, i) => `twig${i}`);
    const thin = await loadCharacter(await writeGltf(armModel({ names, radius: 0.02 })), { tets: 4000 });
    const few = await SkinDeformer.create(thin, { cells: 8 }).then(
      (deformer) => deformer.lattice.notes.join(),
      (error) => error.code,
    );
    expect(few).toMatch(/E_EMPTY_BONE|no room for bone twig/);
  });
});
