/** The bodies of a bake, one after the other: where each one's vertices, triangles and bones are among all of them. */
import type { Model } from '../body/model.js';
import type { Character } from '../character/character.js';
import type { BakePart } from './formats/bake-format.js';

/** Of a character it is the skin that counts, of other bodies their outside. */
export function partsOf(
  bodies: readonly { readonly name: string; readonly model: Model }[],
  character?: Character,
): { parts: BakePart[]; triangles: Uint32Array } {
  const parts: BakePart[] = [];
  const corners: number[] = [];
  let [vertexStart, boneStart] = [0, 0];
  for (const { name, model } of bodies) {
    const { vertices, triangles } = model.surface;
    const own = character?.skin.triangles ?? triangles;
    const vertexCount = character ? character.skin.positions.length / 3 : vertices.length;
    const boneCount = model.bones.count;
    parts.push({
      name,
      vertexStart,
      vertexCount,
      cornerStart: corners.length,
      cornerCount: own.length,
      boneStart,
      boneCount,
    });
    for (const vertex of own) corners.push(vertexStart + vertex);
    vertexStart += vertexCount;
    boneStart += boneCount;
  }
  return { parts, triangles: Uint32Array.from(corners) };
}
