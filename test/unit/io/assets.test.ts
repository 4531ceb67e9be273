/** Files made by others, where they are at hand: `../shared/assets`, or the folder in TENDON_ASSETS. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { gltfSurface } from '../../../src/io/gltf/gltf-surface.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { MESH_ENDINGS, readMesh, writeMesh } from '../../../src/io/read-mesh.js';
import { readObj, writeObj } from '../../../src/io/surfaces/obj.js';
import { readTetgen } from '../../../src/io/tets/tetgen.js';
import { ROOT } from '../../support/source-rules.js';

const FOLDER = process.env.TENDON_ASSETS ?? join(ROOT, '../shared/assets');
const isThere = existsSync(FOLDER);
if (!isThere) console.log(`skipped: the files of others are not in ${FOLDER}`);
const load = (file: string): Uint8Array => new Uint8Array(readFileSync(join(FOLDER, file)));

describe.skipIf(!isThere)('files of others', () => {
  it.each([
    { file: 'hand.glb', vertices: 1159, triangles: 2314, joints: 25, clips: [], images: 0 },
    { file: 'CesiumMan.glb', vertices: 2338, triangles: 4672, joints: 19, clips: [57], images: 1 },
    { file: 'Fox.glb', vertices: 290, triangles: 576, joints: 24, clips: [21, 21, 21], images: 1 },
    { file: 'RiggedSimple.glb', vertices: 96, triangles: 188, joints: 2, clips: [3], images: 0 },
  ])('$file', async ({ file, vertices, triangles, joints, clips, images }) => {
    const model = await readGltf(load(file));
    expect(model.warnings).toEqual([]);
    expect(model.skins.map((skin) => skin.joints.length)).toEqual([joints]);
    expect(model.clips.map((clip) => clip.channels.length)).toEqual(clips);
    expect(model.look.images.length).toBe(images);
    const surface = gltfSurface(model);
    expect(surface.triangles.length / 3).toBe(triangles);
    expect(surface.positions.length / 3).toBe(vertices);
    expect(await readGltf(await writeGltf(model))).toEqual(model);
  });

  it('spot.obj', () => {
    const data = readObj(load('spot.obj'));
    expect([data.positions.length / 3, data.triangles.length / 3]).toEqual([829, 1654]);
    expect(readObj(writeObj(data))).toEqual(data);
  });

  it('armadillo.node and armadillo.ele', () => {
    const data = readTetgen(load('armadillo.node'), load('armadillo.ele'));
    expect([data.positions.length / 3, data.tets.length / 4]).toEqual([1180, 3717]);
  });

  it('armadillo through every format that holds tetrahedra', async () => {
    const resources = new Map([['a.ele', load('armadillo.ele')]]);
    const mesh = await readMesh('a.node', load('armadillo.node'), { resources });
    for (const ending of MESH_ENDINGS.filter(
      (other) => !['.obj', '.stl', '.ply', '.smesh', '.glb', '.gltf'].includes(other),
    )) {
      const files = await writeMesh(`b${ending}`, mesh);
      expect(await readMesh(`b${ending}`, files.get(`b${ending}`)!, { resources: files })).toEqual(mesh);
    }
  });
});
