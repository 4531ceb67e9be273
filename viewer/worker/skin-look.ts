/** What a glTF skin is covered with, as far as it is shown here: one picture or colour for each of its pieces. */
import { type CharacterSkin, joinUvs } from '../../src/character/character.js';
import type { JsonObject, JsonValue } from '../../src/io/gltf/gltf-model.js';
import type { Point, SkinLook, SkinPiece } from './scene-info.js';

/** Kinds of picture the page can read: those every browser knows, and the one it has a transcoder for. */
const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/ktx2'];
/** Extensions of a texture that name a picture of such a kind, best first. */
const SOURCES = ['KHR_texture_basisu', 'EXT_texture_avif', 'EXT_texture_webp'];

/** The look of a skin; undefined where it is plain flesh all over. */
export function readSkinLook(skin: CharacterSkin): SkinLook | undefined {
  const uvs = new Float32Array((skin.positions.length / 3) * 2);
  const pieces = skin.surfaces.map((surface): SkinPiece => {
    const { indexStart: start, indexCount: count, vertexStart } = surface;
    const material = surface.material === undefined ? undefined : skin.look.materials[surface.material];
    const pbr = objectOf(material?.pbrMetallicRoughness);
    const texture = objectOf(pbr?.baseColorTexture);
    const set = wholeOf(texture?.texCoord) ?? 0;
    if (surface.uvs[set]) uvs.set(surface.uvs[set], vertexStart * 2);
    const picture = surface.uvs[set] && pictureOf(skin, wholeOf(texture?.index));
    // colours of vertices are seen as they are where no material tints them
    const colour = material === undefined ? surface.colours && ([1, 1, 1] as const) : colourOf(pbr);
    return { start, count, material: surface.material, colour, flat: surface.flat === true, picture };
  });
  const plain = pieces.every(({ colour, flat }, i) => colour === undefined && !flat && !skin.surfaces[i].colours);
  if (plain) return undefined;
  return { uvs, pieces, gltf: skin.look, uvSets: joinUvs(skin) };
}

function pictureOf(skin: CharacterSkin, texture: number | undefined): SkinPiece['picture'] {
  if (texture === undefined) return undefined;
  const { source, extensions } = skin.look.textures[texture] ?? {};
  const named = SOURCES.map((name) => objectOf(objectOf(extensions)?.[name])?.source);
  const indices = [...named, source].flatMap((value) => wholeOf(value) ?? []);
  const image = indices.map((index) => skin.look.images[index]).find((one) => one && PICTURES.includes(one.mimeType));
  return image && { type: image.mimeType, bytes: image.bytes.slice() };
}

/** White where a material says nothing. */
function colourOf(pbr: JsonObject | undefined): Point {
  const factor = pbr?.baseColorFactor;
  if (!Array.isArray(factor) || factor.length < 3) return [1, 1, 1];
  const [r, g, b] = factor.map((value: JsonValue) => Math.min(1, Math.max(0, Number(value) || 0)));
  return [r, g, b];
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

function wholeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
