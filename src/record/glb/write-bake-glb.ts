/** From the frames of a bake to an animated `.glb`. */
import { type Character, joinUvs } from '../../character/character.js';
import { computeVertexNormals } from '../../mesh/surface/surface.js';
import type { FittedBody } from '../fit-body.js';
import type { BakeInfo, BakePart, KeptFrame, WholeOptions } from '../formats/bake-format.js';
import { POSE, type TakeBody, type TakeBone, type TakeLook, type TakeObstacle } from '../take.js';
import { shapeSurface } from './obstacle-shapes.js';
import { writeModelGlb } from './write-model-glb.js';
import { fitTakeGlb } from './write-take-glb.js';

const FLESH = {
  name: 'flesh',
  pbrMetallicRoughness: { baseColorFactor: [0.8, 0.45, 0.36, 1], roughnessFactor: 0.6, metallicFactor: 0 },
};

/** Into the character's own file where there is one, else a file of its own; `note` says how true it is. */
export async function writeBakeGlb(
  info: BakeInfo,
  frames: readonly KeptFrame[],
  options: WholeOptions = {},
): Promise<{ bytes: Uint8Array<ArrayBuffer>; note: string }> {
  const times = frames.map(({ time }) => time - frames[0].time);
  const { character, centres } = info;
  if (character?.source !== undefined) {
    const positions = frames.map((frame) => frame.positions);
    const bones = bonesOf(info, info.parts[0], frames);
    const baked = await writeModelGlb({ character, times, positions, bones, centres }, options);
    const flesh = baked.helpers > 0 ? `${baked.helpers} helper joints` : `${baked.targets} morph targets`;
    return { bytes: baked.bytes, note: `${flesh}, ${howTrue(baked.error)}` };
  }
  const bodies = info.parts.map((part) => bodyOf(info, part, frames));
  const take = { name: info.name, times, bodies, obstacles: obstaclesOf(info, frames) };
  // as many shapes as the tolerance takes: what is small but wrong is of no use
  const { bytes, fits } = fitTakeGlb(take, { share: 1, ...options });
  const count = (of: (fit: FittedBody) => number): number => fits.reduce((sum, fit) => sum + of(fit), 0);
  const helpers = count((fit) => fit.bones.length) - info.bones.length;
  const flesh = `${count((fit) => fit.morph.targets.length)} morph targets and ${helpers} helper joints`;
  const error = {
    max: Math.max(...fits.map((fit) => fit.error.max)),
    rms: Math.max(...fits.map((fit) => fit.error.rms)),
  };
  return { bytes, note: `${flesh}, ${howTrue(error)}` };
}

function bodyOf(info: BakeInfo, part: BakePart, frames: readonly KeptFrame[]): TakeBody {
  const { vertexStart: v, vertexCount: n, cornerStart, cornerCount } = part;
  const triangles = Uint32Array.from({ length: cornerCount }, (_, i) => info.triangles[cornerStart + i] - v);
  const positions = frames.map((frame) => frame.positions.slice(3 * v, 3 * (v + n)));
  const normals = positions.map((state) => {
    const out = new Float32Array(state.length);
    computeVertexNormals(triangles, state, out);
    return out;
  });
  const look = lookOf(info.character, cornerCount);
  return {
    name: part.name,
    triangles,
    positions,
    normals,
    bones: bonesOf(info, part, frames),
    look,
    offset: [0, 0, 0],
  };
}

function obstaclesOf({ obstacles }: BakeInfo, frames: readonly KeptFrame[]): TakeObstacle[] {
  return obstacles.map(({ name, shape }, i) => {
    const { positions, triangles } = shapeSurface(shape);
    // what keeps things in is seen through from outside: only its far side is drawn
    const isHollow = 'container' in shape && shape.container === true;
    return {
      // programs that draw floors of their own look for this name
      name: shape.kind === 'plane' ? `floor ${name}` : name,
      positions: Float32Array.from(positions),
      triangles: isHollow ? Uint32Array.from(triangles).reverse() : Uint32Array.from(triangles),
      poses: posesOf(
        i,
        frames.map((frame) => frame.obstacles),
      ),
    };
  });
}

function bonesOf(info: BakeInfo, { boneStart, boneCount }: BakePart, frames: readonly KeptFrame[]): TakeBone[] {
  return Array.from({ length: boneCount }, (_, i) => {
    const poses = posesOf(
      boneStart + i,
      frames.map((frame) => frame.poses),
    );
    return { name: info.bones[boneStart + i].bone, poses };
  });
}

/** One of the poses of every state. */
function posesOf(index: number, states: readonly Float32Array[]): Float32Array {
  const poses = new Float32Array(POSE * states.length);
  states.forEach((state, n) => {
    poses.set(state.subarray(POSE * index, POSE * (index + 1)), POSE * n);
  });
  return poses;
}

/** Materials of a character, where it has some for every piece; flesh otherwise. */
function lookOf(character: Character | undefined, cornerCount: number): TakeLook {
  const surfaces = character?.skin.surfaces ?? [];
  if (character === undefined || surfaces.some(({ material }) => material === undefined)) {
    const gltf = { materials: [FLESH], textures: [], samplers: [], images: [] };
    return { uvs: [], pieces: [{ start: 0, count: cornerCount, material: 0 }], gltf };
  }
  const pieces = surfaces.map((surface) => {
    return { start: surface.indexStart, count: surface.indexCount, material: surface.material! };
  });
  return { uvs: joinUvs(character.skin), pieces, gltf: character.skin.look };
}

function howTrue({ max, rms }: { readonly max: number; readonly rms: number }): string {
  return `vertices off by at most ${millimetres(max)}, ${millimetres(rms)} in the mean`;
}

function millimetres(metres: number): string {
  return `${(1000 * metres).toPrecision(2)} mm`;
}
