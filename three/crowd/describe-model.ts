/** A layered character as a page draws it: a plain skinned mesh. */
import type { LayerCharacter } from '../../src/character/build/kinds/layer-character.js';
import type { CrowdModelInfo } from './crowd-protocol.js';

/** Skin at rest, weights by vertex, parts and clips. */
export function describeModel(character: LayerCharacter): CrowdModelInfo {
  const { body, skin, skeleton, nodeOfVertex, clips, notes } = character;
  const vertexCount = nodeOfVertex.length;
  const bones = new Uint16Array(4 * vertexCount);
  const weights = new Float32Array(4 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const from = 4 * nodeOfVertex[v];
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += body.weights[from + k];
    for (let k = 0; k < 4; k++) {
      bones[4 * v + k] = body.owners[from + k];
      weights[4 * v + k] = body.weights[from + k] / sum;
    }
  }
  const textured = skin.surfaces.some(({ uvs }) => uvs.length > 0);
  const uvs = textured ? new Float32Array(2 * vertexCount) : undefined;
  for (const { vertexStart, uvs: sets } of skin.surfaces) if (sets[0]) uvs?.set(sets[0], 2 * vertexStart);
  return {
    positions: skin.positions,
    normals: skin.normals,
    triangles: skin.triangles,
    bones,
    weights,
    uvs,
    groups: skin.surfaces.map(({ indexStart: start, indexCount: count, material }) => {
      return { start, count, ...(material !== undefined && { material }) };
    }),
    boneNames: skeleton.map(({ name }) => name),
    nodeOfVertex,
    clips: clips.map(({ name, duration }) => ({ name, duration })),
    notes,
  };
}
