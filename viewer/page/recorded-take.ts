/** What the worker recorded, as a take: the numbers of its frames sorted by body, with the looks the page knows. */

import { layOutFrame } from '../../host/frames/frame-layout.js';
import type { GltfLook } from '../../src/io/gltf/gltf-model.js';
import { POSE, type TakeBody, type TakeLook, type TakeObstacle, type TakeWithForces } from '../../src/record/take.js';
import { FLESH, surfaceColours } from '../draw/skin-material.js';
import type { BodyInfo, Recording, SceneInfo } from '../worker/scene-info.js';

/** The shape of an obstacle that is drawn. */
export interface DrawnObstacle {
  /** Its number in the scene. */
  readonly index: number;
  readonly positions: Float32Array;
  /** Three vertices per triangle; undefined where they come one after the other. */
  readonly triangles: Uint32Array | undefined;
}

const PLAIN = { roughnessFactor: 0.6, metallicFactor: 0 };
/** Flesh whose colours are those of its vertices. */
const COLOURED: GltfLook = {
  materials: [{ name: 'flesh', pbrMetallicRoughness: PLAIN }],
  textures: [],
  samplers: [],
  images: [],
};

/** The take of a recording. */
export function takeOf(
  info: SceneInfo,
  { times, states, forces, joints, model }: Recording,
  obstacles: readonly DrawnObstacle[],
): TakeWithForces {
  const layout = layOutFrame(info.bodies, info.obstacles.length);
  const cut = (at: number, count: number) => states.map((state) => state.slice(at, at + count));
  const gather = (at: number): Float32Array => {
    const poses = new Float32Array(states.length * POSE);
    states.forEach((state, i) => {
      poses.set(state.subarray(at, at + POSE), i * POSE);
    });
    return poses;
  };
  const bodies = info.bodies.map((body, i): TakeBody => {
    const { positions, normals, poses } = layout.bodies[i];
    return {
      name: body.name,
      triangles: body.triangles,
      positions: cut(positions, 3 * body.vertexCount),
      normals: cut(normals, 3 * body.vertexCount),
      bones: body.bones.map(({ name }, bone) => ({ name, poses: gather(poses + bone * POSE) })),
      look: lookOf(body, info.bodies, i),
      offset: info.lanes[body.lane].offset,
    };
  });
  const shapes = obstacles.map(({ index, positions, triangles }): TakeObstacle => {
    return { name: 'obstacle', positions, triangles, poses: gather(layout.obstacles + index * POSE) };
  });
  return { name: info.name, times, bodies, obstacles: shapes, joints, forces, ...(model && { model }) };
}

/** The model's own materials; the colours of flesh and bone where it has none. */
function lookOf({ look, triangles, colours: given }: BodyInfo, bodies: readonly BodyInfo[], index: number): TakeLook {
  if (!look) {
    const colours = surfaceColours(bodies, index);
    return { uvs: [], colours, pieces: [{ start: 0, count: triangles.length, material: 0 }], gltf: COLOURED };
  }
  const bare = look.pieces.some(({ material }) => material === undefined);
  const flesh = {
    name: 'flesh',
    pbrMetallicRoughness: { ...PLAIN, baseColorFactor: [...FLESH.toArray(), 1] },
  };
  const gltf = bare ? { ...look.gltf, materials: [...look.gltf.materials, flesh] } : look.gltf;
  const pieces = look.pieces.map(({ start, count, material = gltf.materials.length - 1 }) => ({
    start,
    count,
    material,
  }));
  const colours = given?.filter((_, i) => i % 4 < 3);
  return { uvs: look.uvSets, pieces, gltf, ...(colours && { colours }) };
}
