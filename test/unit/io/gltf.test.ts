import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GltfModel, GltfNode, JsonObject } from '../../../src/io/gltf/gltf.js';
import { listOutsideFiles, readGltf } from '../../../src/io/gltf/gltf.js';
import { gltfSurface } from '../../../src/io/gltf/gltf-surface.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { GLTF_TEXT, MODEL } from '../../fuzz/seed-files.js';
import { name, single } from './arbitraries.js';

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
// biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON of any shape
type Json = Record<string, any>;
const glb = await writeGltf(MODEL);

/** The file of `MODEL` with its JSON changed. */
function edited(change: (json: Json) => void): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  change(json);
  const text = bytes(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const file = Uint8Array.from([...glb.subarray(0, 20), ...text, ...glb.subarray(20 + length)]);
  new DataView(file.buffer).setUint32(8, file.length, true);
  new DataView(file.buffer).setUint32(12, text.length, true);
  return file;
}

/** A `.gltf` with one buffer of floats and the accessor and primitive given. */
function small(floats: number[], accessor: Json, primitive: Json = {}, more: Json = {}): Uint8Array {
  const data = new Uint8Array(Float32Array.from(floats).buffer);
  return bytes({
    asset: { version: '2.0' },
    buffers: [{ byteLength: data.length, uri: `data:;base64,${Buffer.from(data).toString('base64')}` }],
    bufferViews: [{ buffer: 0, byteLength: data.length }],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', ...accessor }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, ...primitive }] }],
    ...more,
  });
}

const floats = (length: number) =>
  fc.float32Array({ minLength: length, maxLength: length, noNaN: true, noDefaultInfinity: true });
const model: fc.Arbitrary<GltfModel> = fc
  .record({ vertexCount: fc.integer({ min: 1, max: 9 }), nodeCount: fc.integer({ min: 1, max: 6 }), sets: fc.nat(2) })
  .chain(({ vertexCount, nodeCount, sets }) =>
    fc
      .record({
        positions: floats(3 * vertexCount),
        normals: fc.option(floats(3 * vertexCount), { nil: undefined }),
        uvs: fc.array(floats(2 * vertexCount), { maxLength: 2 }),
        indices: fc.array(fc.nat(vertexCount - 1), { minLength: 3, maxLength: 30 }),
        weights: fc.array(fc.float({ min: 0, max: 1, noNaN: true }), {
          minLength: 4 * sets * vertexCount,
          maxLength: 4 * sets * vertexCount,
        }),
        parents: fc.array(fc.nat(5), { minLength: nodeCount, maxLength: nodeCount }),
        translations: floats(3 * nodeCount),
        values: floats(6),
        bindMatrices: floats(16 * nodeCount),
        names: fc.array(name, { minLength: 4, maxLength: 4 }),
        image: fc.uint8Array({ maxLength: 9 }),
      })
      .map((r): GltfModel => {
        const parents = r.parents.map((parent, i) => (parent < i ? parent : -1));
        const nodes = parents.map(
          (parent, i): GltfNode => ({
            name: `${r.names[0]} ${i}`,
            parent,
            children: Uint32Array.from(parents.flatMap((other, child) => (other === i ? [child] : []))),
            translation: Float64Array.from(r.translations.subarray(3 * i, 3 * i + 3), (value) => value + 0),
            rotation: Float64Array.of(0, 0.6, 0, 0.8),
            scale: Float64Array.of(1, 1, 2),
            ...(i === 0 && { mesh: 0, ...(sets > 0 && { skin: 0 }) }),
          }),
        );
        const weights = Float32Array.from(r.weights, (weight) => weight + 0);
        const used = sets > 0;
        return {
          meshes: [
            {
              name: r.names[1],
              primitives: [
                {
                  positions: r.positions,
                  indices: Uint32Array.from(r.indices.slice(0, r.indices.length - (r.indices.length % 3))),
                  ...(r.normals && { normals: r.normals }),
                  uvs: r.uvs,
                  influenceCount: 4 * sets,
                  ...(used && {
                    joints: Uint16Array.from(weights, (weight, i) => (weight === 0 ? 0 : i % nodeCount)),
                    weights,
                  }),
                  material: 0,
                },
              ],
            },
          ],
          skins: used
            ? [{ name: r.names[2], joints: Uint32Array.from(nodes.keys()), inverseBindMatrices: r.bindMatrices }]
            : [],
          nodes,
          nodeOrder: breadthFirst(parents),
          scenes: [{ name: '', nodes: Uint32Array.of(0) }],
          clips: [
            {
              name: r.names[3],
              channels: [
                {
                  node: 0,
                  path: 'translation',
                  interpolation: 'STEP',
                  times: Float32Array.of(0, 0.5),
                  values: r.values,
                },
              ],
            },
          ],
          look: {
            materials: [{ extensions: { KHR_materials_unlit: {} }, name: r.names[0] }],
            textures: [],
            samplers: [],
            images: [{ name: '', mimeType: 'image/png', bytes: r.image }],
          },
          extensions: [{ name: 'TENDON_x', json: { a: [1, r.names[0]] }, views: [r.image, Uint8Array.of(1)] }],
          asset: { version: '2.0', generator: 'x' },
          warnings: [],
        };
      }),
  );

function breadthFirst(parents: readonly number[]): Uint32Array {
  const order = parents.flatMap((parent, i) => (parent < 0 ? [i] : []));
  for (let i = 0; i < order.length; i++)
    order.push(...parents.flatMap((parent, child) => (parent === order[i] ? [child] : [])));
  return Uint32Array.from(order);
}

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
  const SQUARE = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];

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

  it.each<[string, (json: Json) => void, string, string]>([
    [
      'a ring of nodes',
      (json) => {
        json.nodes[2].children = [1];
      },
      'E_FORMAT',
      '/nodes/1',
    ],
    [
      'a node in itself',
      (json) => {
        json.nodes[0].children = [0];
      },
      'E_FORMAT',
      '/nodes/0',
    ],
    [
      'two parents',
      (json) => {
        json.nodes[0].children = [2];
      },
      'E_FORMAT',
      '/nodes/1/children/0',
    ],
    [
      'a child that is not there',
      (json) => {
        json.nodes[0].children = [9];
      },
      'E_INDEX',
      '/nodes/0/children/0',
    ],
    [
      'a mesh that is not there',
      (json) => {
        json.nodes[0].mesh = 5;
      },
      'E_INDEX',
      '/nodes/0/mesh',
    ],
    [
      'an accessor that is not there',
      (json) => {
        json.meshes[0].primitives[0].indices = 99;
      },
      'E_INDEX',
      '/meshes/0/primitives/0/indices',
    ],
    [
      'a material that is not there',
      (json) => {
        json.meshes[0].primitives[0].material = 3;
      },
      'E_INDEX',
      '/meshes/0/primitives/0/material',
    ],
    [
      'a texture that is not there',
      (json) => {
        json.materials[0].pbrMetallicRoughness.baseColorTexture.index = 1;
      },
      'E_INDEX',
      '/materials/0/pbrMetallicRoughness/baseColorTexture/index',
    ],
    [
      'a picture that is not there',
      (json) => {
        json.textures[0].source = 1;
      },
      'E_INDEX',
      '/textures/0/source',
    ],
    [
      'a joint twice',
      (json) => {
        json.skins[0].joints = [1, 1];
      },
      'E_DUPLICATE',
      '/skins/0/joints/1',
    ],
    [
      'too few joints for the weights',
      (json) => {
        json.skins[0].joints = [1];
      },
      'E_INDEX',
      '/meshes/0/primitives/0/attributes/JOINTS_0',
    ],
    [
      'more joints than matrices',
      (json) => {
        json.skins[0].joints = [0, 1, 2];
      },
      'E_FORMAT',
      '/skins/0/inverseBindMatrices',
    ],
    [
      'a view outside its buffer',
      (json) => {
        json.bufferViews[0].byteLength = 1e6;
      },
      'E_INDEX',
      '/bufferViews/0/byteLength',
    ],
    [
      'a buffer longer than the file',
      (json) => {
        json.buffers[0].byteLength = 1e9;
      },
      'E_INDEX',
      '/buffers/0/byteLength',
    ],
    [
      'Draco',
      (json) => {
        json.extensionsRequired = ['EXT_mesh_features'];
      },
      'E_FORMAT',
      '/extensionsRequired/0',
    ],
    [
      'Draco in a part',
      (json) => {
        json.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: {} };
      },
      'E_FORMAT',
      '/meshes/0/primitives/0',
    ],
    [
      'meshopt',
      (json) => {
        json.bufferViews[0].extensions = { EXT_meshopt_compression: {} };
      },
      'E_FORMAT',
      '/bufferViews/0/extensions/EXT_meshopt_compression',
    ],
    [
      'version 1',
      (json) => {
        json.asset.version = '1.0';
      },
      'E_FORMAT',
      '/asset/version',
    ],
    [
      'no asset',
      (json) => {
        delete json.asset;
      },
      'E_FORMAT',
      '/asset/version',
    ],
    [
      'a rotation of nothing',
      (json) => {
        json.nodes[2].rotation = [0, 0, 0, 0];
      },
      'E_RANGE',
      '/nodes/2/rotation',
    ],
    [
      'text for a number',
      (json) => {
        json.nodes[2].translation = ['0', 0, 0];
      },
      'E_FORMAT',
      '/nodes/2/translation/0',
    ],
    [
      'an unknown interpolation',
      (json) => {
        json.animations[0].samplers[0].interpolation = 'SPLINE';
      },
      'E_FORMAT',
      '/animations/0/samplers/0/interpolation',
    ],
    [
      'a sampler that is not there',
      (json) => {
        json.animations[0].channels[0].sampler = 1;
      },
      'E_INDEX',
      '/animations/0/channels/0/sampler',
    ],
    [
      'a mode that is not there',
      (json) => {
        json.meshes[0].primitives[0].mode = 7;
      },
      'E_RANGE',
      '/meshes/0/primitives/0/mode',
    ],
    [
      'a scene that is not there',
      (json) => {
        json.scene = 1;
      },
      'E_INDEX',
      '/scene',
    ],
    [
      'a list that is none',
      (json) => {
        json.nodes = {};
      },
      'E_FORMAT',
      '/nodes',
    ],
  ])('rejects %s', async (_, change, code, place) => {
    await expect(readGltf(edited(change))).rejects.toMatchObject({ name: 'TendonError', code, place });
  });

  it.each<[string, Uint8Array, string]>([
    ['a count beyond its view', small(SQUARE, { count: 5 }), 'E_INDEX'],
    ['a count beyond all bounds', small(SQUARE, { count: 4e9 }), 'E_RANGE'],
    ['a count of nothing', small(SQUARE, { count: 0 }), 'E_RANGE'],
    ['an offset beyond its view', small(SQUARE, { count: 1, byteOffset: 48 }), 'E_INDEX'],
    ['an accessor without data', small(SQUARE, { count: 3, bufferView: undefined }), 'E_FORMAT'],
    ['two corners', small(SQUARE, { count: 2 }), 'E_FORMAT'],
    ['NaN', small([Number.NaN, 0, 0, 0, 0, 0, 0, 0, 0], { count: 3 }), 'E_NOT_FINITE'],
    ['another type', small(SQUARE, { count: 3, type: 'VEC2' }), 'E_FORMAT'],
    ['doubles', small(SQUARE, { count: 3, componentType: 5130 }), 'E_FORMAT'],
    ['indices of floats', small(SQUARE, { count: 4 }, { indices: 0 }), 'E_FORMAT'],
    ['an empty file', new Uint8Array(0), 'E_FORMAT'],
    ['half a header', glb.slice(0, 15), 'E_FORMAT'],
    ['a truncated file', glb.slice(0, -4), 'E_FORMAT'],
    ['no JSON', bytes('glTF'), 'E_FORMAT'],
    ['a list', bytes('[]'), 'E_FORMAT'],
    ['deep nesting', bytes(`{"a":${'['.repeat(1e5)}`), 'E_RANGE'],
    ['__proto__', bytes('{"asset":{"version":"2.0"},"nodes":[{"__proto__":{"polluted":1}}]}'), 'E_FORMAT'],
    [
      'constructor',
      bytes('{"asset":{"version":"2.0"},"extras":{"constructor":{"prototype":{"polluted":1}}}}'),
      'E_FORMAT',
    ],
  ])('rejects %s', async (_, file, code) => {
    await expect(readGltf(file)).rejects.toMatchObject({ name: 'TendonError', code });
    expect(({} as JsonObject).polluted).toBeUndefined();
  });

  it('rejects sparse values that lie', async () => {
    for (const change of [
      (sparse: Json) => {
        sparse.count = 2;
      },
      (sparse: Json) => {
        sparse.count = 1e9;
      },
      (sparse: Json) => {
        sparse.indices.componentType = 5126;
      },
      (sparse: Json) => {
        sparse.indices.byteOffset = 4;
      },
      (sparse: Json) => {
        sparse.values.byteOffset = 4;
      },
      (sparse: Json) => {
        delete sparse.values;
      },
    ]) {
      const json = JSON.parse(GLTF_TEXT);
      change(json.accessors[0].sparse);
      await expect(readGltf(bytes(json))).rejects.toMatchObject({ name: 'TendonError' });
    }
  });

  it('rejects sparse values for what is not there', async () => {
    const json = JSON.parse(GLTF_TEXT);
    json.accessors[0].count = 1;
    await expect(readGltf(bytes(json))).rejects.toMatchObject({
      code: 'E_INDEX',
      place: '/accessors/0/sparse/indices',
    });
  });

  it('does not unpack more than it is allowed to, however often data is shared', async () => {
    const primitives = Array.from({ length: 2000 }, () => ({ attributes: { POSITION: 0 }, mode: 5 }));
    const many = small(SQUARE, { count: 4 }, {}, { meshes: [{ primitives }] });
    await expect(readGltf(many, { maxVertices: 1000 })).rejects.toMatchObject({ code: 'E_RANGE' });
    expect((await readGltf(many)).meshes[0].primitives.length).toBe(2000);
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
