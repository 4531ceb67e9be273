/** glTF files written and read again, and what the reader makes of less usual ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listOutsideFiles, readGltf } from '../../../src/io/gltf/gltf.js';
import { gltfSurface } from '../../../src/io/gltf/gltf-surface.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { GLTF_TEXT, MODEL } from '../../fuzz/seed-files.js';
import { single } from './arbitraries.js';
import { bytes, glb, SQUARE, small } from './gltf-files.js';
import { model } from './gltf-models.js';

describe('writeGltf and readGltf', () => {
  it('give the same model again (property)', async () => {
    await fc.assert(
      fc.asyncProperty(model, async (data) => {
        expect(await readGltf(await writeGltf(data))).toEqual(data);
      }),
    );
  });

  it('give the same model again, with matrices, skeleton and textures', async () => {
    expect(await readGltf(glb)).toEqual(MODEL);
  });

  it('read from the middle of a larger buffer', async () => {
    const larger = new Uint8Array(glb.length + 7);
    larger.set(glb, 3);
    expect(await readGltf(larger.subarray(3, 3 + glb.length))).toEqual(MODEL);
  });
});

describe('readGltf', () => {
  it('makes indices, unrolls strips and fans, applies sparse values', async () => {
    const indices = async (mode: number, count: number) =>
      Array.from((await readGltf(small(SQUARE, { count }, { mode }))).meshes[0].primitives[0].indices);
    expect(await indices(4, 3)).toEqual([0, 1, 2]);
    expect(await indices(5, 4)).toEqual([0, 1, 2, 1, 3, 2]);
    expect(await indices(6, 4)).toEqual([1, 2, 0, 2, 3, 0]);
    const sparse = await readGltf(bytes(GLTF_TEXT));
    expect(Array.from(sparse.meshes[0].primitives[0].positions)).toEqual([0, 0, 0, 0, 3, 2, 0, 1, 0, 1, 1, 0]);
  });

  it('reads interleaved and quantised attributes', async () => {
    const data = new Uint8Array(4 * 8);
    const view = new DataView(data.buffer);
    for (let v = 0; v < 3; v++)
      for (let k = 0; k < 3; k++) view.setInt16(8 * v + 2 * k, [0, 32767, -32767][(v + k) % 3], true);
    const json = {
      asset: { version: '2.0' },
      extensionsRequired: ['KHR_mesh_quantization'],
      buffers: [{ byteLength: 32, uri: `data:;base64,${Buffer.from(data).toString('base64')}` }],
      bufferViews: [{ buffer: 0, byteLength: 32, byteStride: 8 }],
      accessors: [{ bufferView: 0, componentType: 5122, normalized: true, count: 3, type: 'VEC3' }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    };
    const read = await readGltf(bytes(json));
    expect(Array.from(read.meshes[0].primitives[0].positions)).toEqual([0, 1, -1, 1, -1, 0, -1, 0, 1]);
  });

  it('leaves out points and lines and what cannot be shown, and says so', async () => {
    const read = await readGltf(small(SQUARE, { count: 4 }, { mode: 0 }));
    expect(read.meshes[0].primitives).toEqual([]);
    expect(read.warnings.length).toBe(1);
  });

  it('takes outside files only from the caller', async () => {
    const json = JSON.parse(GLTF_TEXT);
    const data = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
    for (const uri of [
      'a.bin',
      '../a.bin',
      '/etc/passwd',
      'file:///a',
      'http://a/b',
      '\\\\a\\b',
      'c:\\a',
      '%2e%2e/a',
      'a\u0000b',
      '__proto__',
      'constructor',
    ]) {
      json.buffers[0].uri = uri;
      const file = bytes(json);
      expect(listOutsideFiles(file)).toEqual([uri]);
      await expect(readGltf(file)).rejects.toMatchObject({ code: 'E_FORMAT', place: '/buffers/0/uri', value: uri });
      const read = await readGltf(file, { resources: new Map([[uri, new Uint8Array(data)]]) });
      expect(read.meshes[0].primitives[0].positions.length).toBe(12);
    }
  });
});

describe('gltfSurface', () => {
  it('puts skinned vertices where their joints put them', () => {
    const moved = {
      ...MODEL,
      nodes: MODEL.nodes.map((node, i) => (i === 2 ? { ...node, translation: Float64Array.of(0, 0, 3) } : node)),
    };
    const surface = gltfSurface(moved);
    expect(Array.from(surface.positions)).toEqual([0, 0, 0, 1, 0, 3, 0, 1, 1.5, 0, 0, 4]);
  });

  it('puts other vertices where their node puts them', async () => {
    fc.assert(
      fc.property(single, (x) => {
        const node = { ...MODEL.nodes[0], translation: Float64Array.of(x, 0, 0) };
        const { skin: _, ...bare } = node;
        const surface = gltfSurface({ ...MODEL, nodes: [bare, ...MODEL.nodes.slice(1)] });
        expect(surface.positions[0]).toBe(x + 0);
      }),
    );
  });
});
