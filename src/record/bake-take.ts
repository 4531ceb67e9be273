/** A take in the formats that hold vertices frame by frame: what was recorded in a page, written by the code that bakes in the terminal. */
import { TendonError } from '../errors.js';
import type { BakeFrame, BakeInfo } from './formats/bake-format.js';
import { findBakeFormat } from './formats/formats.js';
import { numbered } from './formats/numbered.js';
import { POSE, type Take, type TakeModel, type TakeWithForces } from './take.js';

/** Endings of files that hold a whole take, and of those that hold a frame each. */
export const TAKE_ENDINGS = ['glb', 'pc2', 'mdd', 'usda', 'csv'] as const;
export const SEQUENCE_ENDINGS = ['obj', 'vtp'] as const;
export type TakeEnding = (typeof TAKE_ENDINGS)[number] | (typeof SEQUENCE_ENDINGS)[number];

/** The files of a take, by name: one with that ending, or one for each frame. */
export async function bakeTakeFiles(
  take: TakeWithForces,
  ending: TakeEnding,
  name: string,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const format = findBakeFormat(`take.${ending}`);
  if (format.kind !== 'sequence') return new Map([[`${name}.${ending}`, await bakeTake(take, ending)]]);
  const info = infoOf(take);
  return new Map(
    take.times.map((time, state) => {
      const file = joined([format.file(info, frameOf(take, time, state))]);
      return [numbered(`${name}.${ending}`, state), file];
    }),
  );
}

/** The bytes of a file with that ending; of a character in a `.glb`, the file it came from with the motion in it. */
export async function bakeTake(take: TakeWithForces, ending: TakeEnding): Promise<Uint8Array<ArrayBuffer>> {
  if (ending === 'glb') return take.model ? bakeModel(take, take.model) : bakeOwnFile(take);
  const format = findBakeFormat(`take.${ending}`);
  if (format.kind !== 'stream') throw new TendonError('E_UNKNOWN', 'format', ending, 'it does not hold all frames');
  const info = infoOf(take);
  const frames = take.times.map((time, state) => format.frame(info, frameOf(take, time, state), state));
  return joined([format.header(info, take.times), ...frames, format.footer(info)]);
}

async function bakeModel({ times, bodies: [body] }: Take, { character, centres }: TakeModel) {
  const { writeModelGlb } = await import('./glb/write-model-glb.js');
  const { positions, bones } = body;
  return (await writeModelGlb({ character, times, positions, bones, centres })).bytes;
}

async function bakeOwnFile(take: Take) {
  const { writeTakeGlb } = await import('./glb/write-take-glb.js');
  // as in the terminal: as many shapes as the tolerance takes
  return writeTakeGlb(take, { share: 1 });
}

function infoOf({ name, times, bodies, joints }: TakeWithForces): BakeInfo {
  const triangles: number[] = [];
  let vertexCount = 0;
  for (const body of bodies) {
    for (const vertex of body.triangles) triangles.push(vertexCount + vertex);
    vertexCount += body.positions[0].length / 3;
  }
  return {
    name,
    fps: times.length > 1 ? Math.round((times.length - 1) / (times[times.length - 1] - times[0])) : 30,
    firstFrame: 0,
    vertexCount,
    triangles,
    bones: bodies.flatMap(({ name: body, bones }) => bones.map(({ name: bone }) => ({ body, bone }))),
    joints,
    parts: [],
    centres: [],
    obstacles: [],
  };
}

function frameOf({ bodies, forces }: TakeWithForces, time: number, state: number): BakeFrame {
  return {
    time,
    positions: bodies.flatMap(({ positions, offset }) => Array.from(positions[state], (x, i) => x + offset[i % 3])),
    poses: bodies.flatMap(({ bones, offset }) =>
      bones.flatMap(({ poses }) => {
        const pose = Array.from(poses.subarray(POSE * state, POSE * (state + 1)));
        return pose.map((x, i) => (i < 4 ? x : x + offset[i - 4]));
      }),
    ),
    jointForces: forces[state].joints,
    contacts: forces[state].contacts,
    obstacles: [],
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
