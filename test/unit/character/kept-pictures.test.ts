/** Pictures that are not decoded here: KTX2 goes through untouched, byte for byte, and is spoken of. */
import { expect, it } from 'vitest';
import { writeCharacter } from '../../../src/character/character-file.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import type { Json } from '../../support/checks/glb-parts.js';
import { figureGlb } from '../../support/models/odd-rigs.js';

/** The identifier every KTX2 file begins with, and some bytes. */
const KTX2 = Uint8Array.of(0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a, 7, 1, 9, 5);

/** A figure whose one material has a KTX2 picture. */
function figure(): Uint8Array {
  return figureGlb({
    change: (parts) => {
      parts.json.images = [{ bufferView: parts.view(KTX2), mimeType: 'image/ktx2' }];
      parts.json.textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
      parts.json.materials = [{ name: 'cloth', pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
      parts.json.extensionsUsed = parts.json.extensionsRequired = ['KHR_texture_basisu'];
      for (const { primitives } of parts.json.meshes) for (const primitive of primitives) primitive.material = 0;
    },
  });
}

/** The JSON of a `.glb`, and where its bytes begin. */
function open(glb: Uint8Array): { json: Json; bytes: Uint8Array } {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return {
    json: JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))),
    bytes: glb.subarray(28 + length),
  };
}

it('a KTX2 picture is kept, and a note says who shows it', async () => {
  const character = await loadCharacter(figure(), { tets: 350 });
  expect(character.report.notes.join('\n')).toMatch(/1 picture\(s\) are KTX2: kept in the file/);
  const { json, bytes } = open(await writeCharacter(character));
  expect(json.textures[0].extensions).toEqual({ KHR_texture_basisu: { source: 0 } });
  expect(json.materials[0].name).toBe('cloth');
  expect(json.extensionsRequired).toContain('KHR_texture_basisu');
  const view = json.bufferViews[json.images[0].bufferView];
  expect(bytes.slice(view.byteOffset, view.byteOffset + KTX2.length)).toEqual(KTX2);
});
