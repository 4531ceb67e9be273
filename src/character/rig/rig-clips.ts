/** The motions of a model, sampled as rotations of the bones from the rest shape. */
import type { GltfClip, GltfModel } from '../../io/gltf/gltf-model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import { mat3ToQuat } from '../../math/quat.js';
import type { CharacterClip } from '../character.js';
import { slowMoves, slowTurns } from '../clips/clip-speed.js';
import { ClipPoses } from './clip-poses.js';
import { invertMat4, type Mat4, multiplyMat4, transformPoint } from './mat4.js';
import { globalMat4s, localMat4 } from './rig.js';
import type { BonePlan } from './rig-bones.js';
import { sampleMorphs } from './rig-morphs.js';

/** Frames per second; fewer for motions longer than a minute. */
const FRAME_RATE = 60;
const MAX_FRAMES = 3600;

/**
 * Samples every clip. `units` takes the file's space to metres, `nodes` are the nodes of the bones' own joints, `size` is that
 * of the body [m], `morphs` are the names of the morph targets.
 */
export function sampleClips(
  model: GltfModel,
  bones: readonly BonePlan[],
  nodes: readonly number[],
  units: Mat4,
  size: number,
  morphs: readonly string[],
  notes: string[],
): CharacterClip[] {
  const locals = model.nodes.map(localMat4);
  const rest = globalMat4s(model, (node) => locals[node]).map((global) => multiplyMat4(units, global));
  const inverses = nodes.map((node) => invertMat4(rest[node]));
  const clips: CharacterClip[] = [];
  for (const clip of model.clips) {
    const { channels } = clip;
    const duration = channels.reduce((end, { times }) => Math.max(end, times[times.length - 1] ?? 0), 0);
    if (channels.length === 0 || !(duration > 0)) continue;
    const name = uniqueName(clip.name || `clip ${clips.length}`, clips);
    const frames = sampleFrames(model, clip, duration, bones, nodes, units, inverses, locals);
    const slowed = slowTurns(frames.rotations, frames.frameCount, bones.length);
    if (slowMoves(frames.rootPlaces, size) || slowed > 0) {
      notes.push(`clip ${name} jumps in places (${slowed} bones): slowed there so that bones can follow`);
    }
    const shapes = sampleMorphs(model, clip, morphs, duration, frames.frameCount);
    clips.push({ name, duration, ...frames, ...(shapes && { morphs: shapes }) });
  }
  return clips;
}

function sampleFrames(
  model: GltfModel,
  clip: GltfClip,
  duration: number,
  bones: readonly BonePlan[],
  nodes: readonly number[],
  units: Mat4,
  inverses: readonly (Mat4 | undefined)[],
  locals: readonly Mat4[],
) {
  const frameCount = Math.min(MAX_FRAMES, Math.max(2, Math.round(duration * FRAME_RATE) + 1));
  const rotations = new Float32Array(4 * frameCount * bones.length);
  const rootPlaces = new Float32Array(3 * frameCount);
  const [inUnits, moved] = [new Float64Array(16), new Float64Array(16)];
  const linear = new Float64Array(9);
  const rotation = new Float64Array(9);
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  const poses = new ClipPoses(model, clip, nodes, locals);
  for (let frame = 0; frame < frameCount; frame++) {
    const globals = poses.at((duration * frame) / (frameCount - 1));
    for (let bone = 0; bone < bones.length; bone++) {
      const inverse = inverses[bone];
      const o = 4 * (frame * bones.length + bone);
      rotations[o + 3] = 1;
      if (inverse === undefined) continue;
      multiplyMat4(multiplyMat4(units, globals[nodes[bone]], inUnits), inverse, moved);
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) linear[3 * i + j] = moved[4 * j + i];
      if (polarRotation(rotation, 0, linear, 0, scratch, 0)) mat3ToQuat(rotations, o, rotation, 0);
      if (bone === 0) rootPlaces.set(transformPoint(moved, bones[0].place, 0), 3 * frame);
    }
  }
  return { frameCount, rotations, rootPlaces };
}

function uniqueName(name: string, others: readonly CharacterClip[]): string {
  let unique = name;
  for (let n = 2; others.some((clip) => clip.name === unique); n++) unique = `${name} ${n}`;
  return unique;
}
