/** What the surfaces of a recording are covered with: pictures and colours of a skin, or the colours of flesh and bone. */
import type { Accessor, Document, Material } from '@gltf-transform/core';
import { FLESH, surfaceColours } from '../draw/skin-material.js';
import type { BodyInfo } from '../worker/scene-info.js';

type Numbers = (type: 'VEC2' | 'VEC3', array: Float32Array) => Accessor;
type AddPiece = (triangles: Uint32Array, material: Material, extra: Readonly<Record<string, Accessor>>) => void;

/** Adds the pieces of a body's surface, each with its material. */
export function addLook(
  document: Document,
  bodies: readonly BodyInfo[],
  index: number,
  numbers: Numbers,
  add: AddPiece,
): void {
  const body = bodies[index];
  const plain = () => document.createMaterial('flesh').setRoughnessFactor(0.6).setMetallicFactor(0);
  if (!body.look) {
    add(body.triangles, plain(), { COLOR_0: numbers('VEC3', surfaceColours(bodies, index)) });
    return;
  }
  const uvs = numbers('VEC2', body.look.uvs);
  for (const { start, count, colour, picture } of body.look.pieces) {
    const [r, g, b] = colour ?? FLESH.toArray();
    const material = plain().setBaseColorFactor([r, g, b, 1]);
    if (picture) {
      material.setBaseColorTexture(document.createTexture().setImage(picture.bytes).setMimeType(picture.type));
    }
    add(body.triangles.slice(start, start + count), material, { TEXCOORD_0: uvs });
  }
}
