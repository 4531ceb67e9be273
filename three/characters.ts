/** What one character and a world of them share: how they are described, fetched, and played. */
import type { AnyBodyDef } from '../src/body/kinds/any-body-def.js';
import { requireInRange, TendonError } from '../src/errors.js';
import type { PlacementDef } from '../src/scene/scene-def.js';
import { assembleSoftBody, type SoftParts } from './assemble.js';
import { fetchModel } from './fetch-model.js';
import { loadLook } from './load-look.js';
import type { BoneMode, BuildSettings, KinematicBones, Quat, Vec3 } from './protocol.js';
import type { SoftBodyOptions } from './soft-options.js';
import type { SoftSimulation } from './soft-simulation.js';

/** Where a model comes from: its address, or its bytes. */
export type ModelSource = string | URL | ArrayBuffer | Uint8Array;

/** How a character is built, held and put. */
export interface CharacterPlace {
  /** How a rigged model becomes a character; of no use for files that hold one already. */
  readonly build?: BuildSettings;
  /** Bones that go where they are sent: the root (default; all, of a lattice), all, none, or those named. The others follow the physics. */
  readonly kinematic?: KinematicBones;
  /** Where the rest shape is put in the object's space [m], and how it is turned, quaternion x,y,z,w. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
}

/** One of several characters: what it is made of, and how. */
export interface CharacterEntry extends CharacterPlace {
  readonly source: ModelSource;
}

/** How a clip is played. */
export interface PlayOptions {
  /** 1 is as fast as it was made. */
  readonly speed?: number;
  /** Time from the rest shape into the clip [s]; default 0.5. */
  readonly fadeIn?: number;
  /** How hard bones that are not kinematic follow it [Hz], 0: they hang; default as it was, at first 0. */
  readonly strength?: number;
}

/** What a bone of a character does, and how it gets there. */
export interface FollowOptions {
  /** 0 to 1: softens a tracked bone, down to limp; default 1. */
  readonly weight?: number;
  /** Time from what it did before to what it does now [s]; default 0.3. */
  readonly blend?: number;
}

/** Time from one to the other where none is given [s]. */
export const DEFAULT_BLEND = 0.3;

/** Fetches models and starts one simulation of them all; a file that is used twice is fetched once. */
export async function assembleCharacters(
  entries: readonly CharacterEntry[],
  options: SoftBodyOptions,
  bodies: readonly PlacementDef<AnyBodyDef>[] = [],
): Promise<SoftParts> {
  if (entries.length + bodies.length === 0)
    throw new TendonError('E_EMPTY', 'characters', 0, 'at least one character is needed');
  const fetched = new Map(entries.map(({ source }) => [source, fetchModel(source, options)]));
  const models = await Promise.all(entries.map(({ source }) => fetched.get(source)!));
  const looks = options.material ? [] : models.map(({ bytes, path }) => loadLook(bytes, path, options.loader));
  const solver = options.solver ?? (bodies.length > 0 ? 'coupled' : undefined);
  const held = solver === 'lattice' ? 'all' : 'root';
  const characters = entries.map(({ build = {}, kinematic = held, position, rotation }, i) => {
    const { bytes, resources } = models[i];
    return { bytes, resources, build, kinematic, ...(position && { position }), ...(rotation && { rotation }) };
  });
  const source = { kind: 'characters', characters, bodies, ...(solver && { solver }) } as const;
  return assembleSoftBody(source, options, looks);
}

/** Blends a morph target of one of a simulation's characters in. */
export function setMorph(simulation: SoftSimulation, body: number, name: string, value: number): void {
  const names = simulation.info.bodies[body].morphs ?? [];
  const morph = names.indexOf(name);
  if (morph < 0) {
    throw new TendonError('E_UNKNOWN', 'morph', name, `the morph targets are: ${names.join(', ') || 'none'}`);
  }
  simulation.act({ kind: 'morph', body, morph, value });
}

/** Plays a motion of one of a simulation's characters. */
export function playClip(simulation: SoftSimulation, body: number, name: string, options: PlayOptions): void {
  const { speed = 1, fadeIn, strength } = options;
  const clips = simulation.info.characters[body]?.clips ?? [];
  if (!clips.some((clip) => clip.name === name)) {
    const known = clips.map((clip) => clip.name).join(', ') || 'none';
    throw new TendonError('E_UNKNOWN', 'clip', name, `the clips are: ${known}`);
  }
  const extra = { ...(fadeIn !== undefined && { fadeIn }), ...(strength !== undefined && { strength }) };
  if (strength !== undefined) requireInRange(strength, 0, 1000, 'strength');
  simulation.act({ kind: 'play', body, clip: name, speed, ...extra });
}

/** How hard a character follows its clips [Hz]; 0: bones that are not kinematic hang. `bone`: one bone alone, undefined ends that. */
export function setStrength(
  simulation: SoftSimulation,
  body: number,
  strength: number | undefined,
  bone?: string,
): void {
  if (strength !== undefined) requireInRange(strength, 0, 1000, 'strength');
  const which = bone === undefined ? {} : { bone: boneNumber(simulation, body, bone) };
  simulation.act({ kind: 'follow', body, strength, ...which });
}

/** Makes a bone go exactly with the clip, be led along by its motor, or hang. */
export function followBone(
  simulation: SoftSimulation,
  body: number,
  bone: string,
  mode: BoneMode,
  { weight = 1, blend = DEFAULT_BLEND }: FollowOptions,
): void {
  requireInRange(weight, 0, 1, 'weight');
  simulation.act({ kind: 'follow', body, bone: boneNumber(simulation, body, bone), mode, weight, blend });
}

function boneNumber(simulation: SoftSimulation, body: number, name: string): number {
  const names = simulation.info.bodies[body].bones.map((bone) => bone.name);
  const at = names.indexOf(name);
  if (at >= 0) return at;
  throw new TendonError('E_UNKNOWN', 'bone', name, `the bones are: ${names.join(', ') || 'none'}`);
}
