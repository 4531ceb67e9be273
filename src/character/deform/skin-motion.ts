/**
 * A skin in motion as a glTF model that any viewer plays: its first shape, one morph target per later frame, and a clip that
 * switches from one to the next. Several skins of one character (deformed, blended) stand side by side.
 */
import type { GltfModel, GltfNode, GltfPrimitive } from '../../io/gltf/gltf-model.js';
import type { Character } from '../character.js';

/** One skin over time. */
export interface SkinTrack {
  readonly name: string;
  /** Positions of each frame, x,y,z per skin vertex [m]. */
  readonly positions: readonly Float32Array[];
  /** Normals of each frame. */
  readonly normals: readonly Float32Array[];
  /** Where it stands [m]. */
  readonly offset: readonly [number, number, number];
}

/** The model of one or more tracks; `times` of the frames [s]. */
export function skinMotionModel(
  character: Character,
  clipName: string,
  times: Float32Array,
  tracks: readonly SkinTrack[],
): GltfModel {
  const nodes: GltfNode[] = tracks.map(({ name, offset }, i) => ({
    name,
    parent: -1,
    children: new Uint32Array(0),
    translation: Float64Array.from(offset),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
    mesh: i,
  }));
  const targets = times.length - 1;
  const values = new Float32Array(times.length * targets);
  for (let frame = 1; frame < times.length; frame++) values[frame * targets + frame - 1] = 1;
  const shared = { path: 'weights' as const, interpolation: 'LINEAR' as const, times, values };
  return {
    meshes: tracks.map((track) => ({ name: track.name, primitives: primitivesOf(character, track) })),
    skins: [],
    nodes,
    nodeOrder: Uint32Array.from(nodes, (_, i) => i),
    scenes: [{ name: character.body.name, nodes: Uint32Array.from(nodes, (_, i) => i) }],
    scene: 0,
    clips: targets > 0 ? [{ name: clipName, channels: nodes.map((_, node) => ({ node, ...shared })) }] : [],
    look: character.skin.look,
    extensions: [],
    asset: { generator: 'Tendon' },
    warnings: [],
  };
}

function primitivesOf({ skin }: Character, { positions, normals }: SkinTrack): GltfPrimitive[] {
  return skin.surfaces.map(({ vertexStart: v, vertexCount: n, indexStart, indexCount, uvs, material }) => {
    const take = (values: Float32Array): Float32Array => values.slice(3 * v, 3 * (v + n));
    const first = { positions: take(positions[0]), normals: take(normals[0]) };
    const targets = positions.slice(1).map((frame, i) => ({
      positions: take(frame).map((value, k) => value - first.positions[k]),
      normals: take(normals[i + 1]).map((value, k) => value - first.normals[k]),
    }));
    const base = {
      ...first,
      indices: skin.triangles.slice(indexStart, indexStart + indexCount).map((vertex) => vertex - v),
      uvs,
      influenceCount: 0,
      targets,
    };
    return material === undefined ? base : { ...base, material };
  });
}
