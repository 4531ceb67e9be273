/** A surface as a glTF model with nothing else in it, texture coordinates kept. */
import type { GltfModel } from '../gltf/gltf-model.js';
import type { SurfaceData } from '../mesh-data.js';

/** A surface that may say where on a picture it lies, as `readObj` and `readPly` give it. */
export interface TexturedSurface extends SurfaceData {
  /** u,v each, v upward: one per vertex, or those that `uvTriangles` points at. */
  readonly uvs?: Float64Array;
  /** Three texture coordinates per triangle, -1 where a corner has none. */
  readonly uvTriangles?: Int32Array;
}

/** A surface whose vertices each have one texture coordinate, v downward as in glTF; none where the surface has none. */
export interface SeamedSurface {
  readonly positions: Float64Array;
  readonly triangles: Int32Array;
  readonly uvs?: Float32Array;
}

const NO_LOOK = { materials: [], textures: [], samplers: [], images: [] };

/** The model. */
export function surfaceModel(surface: TexturedSurface, name: string): GltfModel {
  const { positions, triangles, uvs } = splitAtSeams(surface);
  const primitive = {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(triangles),
    uvs: uvs === undefined ? [] : [uvs],
    influenceCount: 0,
  };
  const node = {
    name,
    parent: -1,
    children: new Uint32Array(0),
    translation: new Float64Array(3),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
    mesh: 0,
  };
  return {
    meshes: [{ name, primitives: [primitive] }],
    skins: [],
    nodes: [node],
    nodeOrder: Uint32Array.of(0),
    scenes: [{ name: '', nodes: Uint32Array.of(0) }],
    scene: 0,
    clips: [],
    look: NO_LOOK,
    extensions: [],
    asset: { version: '2.0', generator: 'tendon' },
    warnings: [],
  };
}

/** Makes a vertex of every pair of place and texture coordinate. Corners without a coordinate get 0,0. */
export function splitAtSeams(surface: TexturedSurface): SeamedSurface {
  const { positions, triangles, uvs, uvTriangles } = surface;
  if (uvs === undefined) return { positions, triangles };
  if (uvTriangles === undefined) return { positions, triangles, uvs: Float32Array.from(uvs, turnUpDown) };
  const uvCount = uvs.length / 2;
  const vertexOf = new Map<number, number>();
  const places: number[] = [];
  const coordinates: number[] = [];
  const corners = triangles.map((vertex, corner) => {
    const uv = uvTriangles[corner];
    const key = vertex * (uvCount + 1) + uv + 1;
    const known = vertexOf.get(key);
    if (known !== undefined) return known;
    const made = vertexOf.size;
    vertexOf.set(key, made);
    places.push(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
    coordinates.push(uv < 0 ? 0 : uvs[2 * uv], uv < 0 ? 1 : uvs[2 * uv + 1]);
    return made;
  });
  return {
    positions: Float64Array.from(places),
    triangles: corners,
    uvs: Float32Array.from(coordinates, turnUpDown),
  };
}

/** v counts from the bottom of the picture in OBJ and PLY, from its top in glTF. */
function turnUpDown(value: number, i: number): number {
  return i % 2 === 0 ? value : 1 - value;
}
