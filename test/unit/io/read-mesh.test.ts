import { describe, expect, it } from 'vitest';
import { MESH_ENDINGS, type MeshData, readMesh, writeMesh } from '../../../src/io/read-mesh.js';
import { TWO_TETS } from '../../fuzz/seed-files.js';

const SURFACE: MeshData = {
  kind: 'surface',
  surface: { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Int32Array.of(0, 1, 2) },
};
const TETS: MeshData = { kind: 'tets', tets: TWO_TETS };
const HOLD_TETS = ['.mesh', '.msh', '.vtk', '.vtu', '.node', '.ele'];

describe('readMesh and writeMesh', () => {
  it.each(MESH_ENDINGS.filter((ending) => ending !== '.gltf'))('know %s', async (ending) => {
    const files = await writeMesh(`dir.x/A${ending}`, TETS);
    const read = await readMesh(`dir.x/A${ending.toUpperCase()}`, files.get(`dir.x/A${ending}`)!, { resources: files });
    if (HOLD_TETS.includes(ending)) expect(read).toEqual(TETS);
    // Two tetrahedra with a common face have six triangles outside and five vertices.
    else
      expect(read).toMatchObject({
        kind: 'surface',
        surface: { triangles: { length: 18 }, positions: { length: 15 } },
      });
  });

  it.each(MESH_ENDINGS.filter((ending) => !['.gltf', '.node', '.ele'].includes(ending)))(
    'keep surfaces in %s',
    async (ending) => {
      const files = await writeMesh(`a${ending}`, SURFACE);
      const read = await readMesh(`a${ending}`, files.get(`a${ending}`)!);
      expect(read).toMatchObject(SURFACE);
    },
  );

  it('name what they cannot do', async () => {
    await expect(readMesh('a.xyz', new Uint8Array(0))).rejects.toMatchObject({ code: 'E_FORMAT', value: '.xyz' });
    await expect(readMesh('a', new Uint8Array(0))).rejects.toMatchObject({ code: 'E_FORMAT' });
    await expect(readMesh('a.node', new Uint8Array(0))).rejects.toMatchObject({ code: 'E_FORMAT', value: 'a.ele' });
    await expect(writeMesh('a.gltf', SURFACE)).rejects.toMatchObject({ code: 'E_FORMAT' });
    await expect(writeMesh('a.node', SURFACE)).rejects.toMatchObject({ code: 'E_EMPTY' });
  });
});
