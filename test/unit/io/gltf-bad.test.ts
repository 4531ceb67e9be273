import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/io/gltf/gltf.js';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { GLTF_TEXT } from '../../fuzz/seed-files.js';
import { bytes, edited, glb, type Json, SQUARE, small } from './gltf-files.js';

describe('readGltf', () => {
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
