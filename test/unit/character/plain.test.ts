/** Characters from surfaces without a rig. */
import { describe, expect, it } from 'vitest';
import { buildFromSkin, splitSkeleton } from '../../../src/character/build/surfaces/plain.js';
import { readJointFile } from '../../../src/io/joint-file.js';
import { readObj, writeObj } from '../../../src/io/surfaces/obj.js';
import { splitAtSeams } from '../../../src/io/surfaces/surface-model.js';
import { namedParts } from '../../support/models/capsules.js';
import { boxSurface } from '../../support/models/surfaces.js';

const surface = (positions: number[], triangles: number[]) => ({
  positions: Float64Array.from(positions),
  triangles: Int32Array.from(triangles),
});

describe('a skin that is no solid', () => {
  it.each([
    ['a triangle', surface([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2])],
    ['a triangle seen from both sides', surface([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2, 0, 2, 1])],
    ['a square', surface([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], [0, 1, 2, 0, 2, 3])],
    ['a line', surface([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2])],
    ['a point', surface([1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 2])],
    ['a flat tetrahedron', surface([0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 1e-8], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])],
  ])('is refused: %s', (_name, skin) => {
    expect(() => buildFromSkin(skin)).toThrow(expect.objectContaining({ code: 'E_EMPTY' }));
  });

  it('is not mistaken for a thin plate', () => {
    const plate = buildFromSkin(boxSurface([0, 0, 0], [1, 1, 2e-3], 4), { tets: 800 });
    expect(plate.body.tets.length).toBeGreaterThan(0);
  });
});

describe('texture coordinates', () => {
  const OBJ = `v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.25
f 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 1/2 4/4 3/3\nf 2/2 3/3 4/4\n`;

  it('of an OBJ come through, a vertex for each, upside down as glTF has them', () => {
    const { positions, triangles, uvs = [] } = splitAtSeams(readObj(OBJ));
    // corner 1 has two coordinates
    expect(positions.length / 3).toBe(5);
    expect(uvs.length).toBe(10);
    expect([uvs[2 * triangles[5]], uvs[2 * triangles[5] + 1]]).toEqual([0.5, 0.75]);
    const { skin } = buildFromSkin(readObj(OBJ), { tets: 300 });
    expect(skin.surfaces[0].uvs).toEqual([uvs]);
    expect(skin.positions.length / 3).toBe(5);
  });

  it('are none where the file has none', () => {
    const box = boxSurface([0, 0, 0], [1, 1, 1]);
    expect(splitAtSeams(readObj(writeObj(box))).uvs).toBeUndefined();
  });
});

describe('splitSkeleton', () => {
  it('gives each bone its own triangles and says which are kinematic', () => {
    const upper = boxSurface([0.3, 0.3, 0.3], [1.3, 0.7, 0.7]);
    const lower = boxSurface([1.6, 0.3, 0.3], [2.7, 0.7, 0.7]);
    const skeleton = namedParts([
      ['upper', upper],
      ['lower', lower],
    ]);
    const file = readJointFile('tendon-joints 1\nbone lower kinematic\nbone upper\n');
    const bones = splitSkeleton(skeleton, skeleton.parts, file);
    expect(bones.map(({ name, kinematic, triangles }) => [name, kinematic, triangles.length])).toEqual([
      ['lower', true, lower.triangles.length],
      ['upper', undefined, upper.triangles.length],
    ]);
    const { body } = buildFromSkin(boxSurface([0, 0, 0], [3, 1, 1], 3), { tets: 1500 }, bones);
    expect(body.bones?.map(({ name, kinematic }) => [name, kinematic])).toEqual([
      ['lower', true],
      ['upper', undefined],
    ]);
  });
});
