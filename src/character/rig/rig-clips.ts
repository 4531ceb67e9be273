/** The motions of a model, sampled as rotations of the bones from the rest shape. */
import type { GltfChannel, GltfClip, GltfModel } from '../../io/gltf/gltf-model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../math/polar3.js';
import { square } from '../../math/powers.js';
import { mat3ToQuat } from '../../math/quat.js';
import { atan2, sin } from '../../math/trig.js';
import type { CharacterClip } from '../character.js';
import { slowMoves, slowTurns } from '../clips/clip-speed.js';
import { composeMat4, invertMat4, type Mat4, multiplyMat4, transformPoint } from './mat4.js';
import { globalMat4s, localMat4 } from './rig.js';
import type { BonePlan } from './rig-bones.js';

/** Frames per second; fewer for motions longer than a minute. */
const FRAME_RATE = 60;
const MAX_FRAMES = 3600;

/**
 * Samples every clip. `units` takes the file's space to metres, `nodes` are the nodes of the bones' own joints, `size` is that
 * of the body [m].
 */
export function sampleClips(
  model: GltfModel,
  bones: readonly BonePlan[],
  nodes: readonly number[],
  units: Mat4,
  size: number,
  notes: string[],
): CharacterClip[] {
  const rest = globalMat4s(model, (node) => localMat4(model.nodes[node])).map((global) => multiplyMat4(units, global));
  const inverses = nodes.map((node) => invertMat4(rest[node]));
  const clips: CharacterClip[] = [];
  for (const clip of model.clips) {
    const moving = clip.channels.filter(({ path }) => path !== 'weights');
    const duration = moving.reduce((end, { times }) => Math.max(end, times[times.length - 1] ?? 0), 0);
    if (moving.length === 0 || !(duration > 0)) continue;
    const name = uniqueName(clip.name || `clip ${clips.length}`, clips);
    const frames = sampleFrames(model, clip, duration, bones, nodes, units, inverses);
    const slowed = slowTurns(frames.rotations, frames.frameCount, bones.length);
    if (slowMoves(frames.rootPlaces, size) || slowed > 0) {
      notes.push(`clip ${name} jumps in places (${slowed} bones): slowed there so that bones can follow`);
    }
    clips.push({ name, duration, ...frames });
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
) {
  const frameCount = Math.min(MAX_FRAMES, Math.max(2, Math.round(duration * FRAME_RATE) + 1));
  const rotations = new Float32Array(4 * frameCount * bones.length);
  const rootPlaces = new Float32Array(3 * frameCount);
  const linear = new Float64Array(9);
  const rotation = new Float64Array(9);
  const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  for (let frame = 0; frame < frameCount; frame++) {
    const globals = poseNodes(model, clip, (duration * frame) / (frameCount - 1));
    for (let bone = 0; bone < bones.length; bone++) {
      const inverse = inverses[bone];
      const o = 4 * (frame * bones.length + bone);
      rotations[o + 3] = 1;
      if (inverse === undefined) continue;
      const moved = multiplyMat4(multiplyMat4(units, globals[nodes[bone]]), inverse);
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) linear[3 * i + j] = moved[4 * j + i];
      if (polarRotation(rotation, 0, linear, 0, scratch, 0)) mat3ToQuat(rotations, o, rotation, 0);
      if (bone === 0) rootPlaces.set(transformPoint(moved, bones[0].place, 0), 3 * frame);
    }
  }
  return { frameCount, rotations, rootPlaces };
}

/** Global transforms of all nodes at a time of a clip. */
function poseNodes(model: GltfModel, clip: GltfClip, time: number): Mat4[] {
  const posed = new Map<number, { translation: Float64Array; rotation: Float64Array; scale: Float64Array }>();
  for (const channel of clip.channels) {
    if (channel.path === 'weights') continue;
    const node = model.nodes[channel.node];
    const parts = posed.get(channel.node) ?? {
      translation: node.translation.slice(),
      rotation: node.rotation.slice(),
      scale: node.scale.slice(),
    };
    sampleChannel(channel, time, parts[channel.path]);
    posed.set(channel.node, parts);
  }
  return globalMat4s(model, (node) => {
    const parts = posed.get(node);
    return parts === undefined
      ? localMat4(model.nodes[node])
      : composeMat4(parts.translation, parts.rotation, parts.scale);
  });
}

/** The value of a channel at a time, held before the first key and after the last. */
export function sampleChannel(channel: GltfChannel, time: number, out: Float64Array): void {
  const { times, values, interpolation } = channel;
  const width = out.length;
  const cubic = interpolation === 'CUBICSPLINE';
  const valueAt = (key: number): number => (cubic ? (3 * key + 1) * width : key * width);
  if (times.length === 0) return;
  let next = 0;
  while (next < times.length && times[next] <= time) next++;
  if (next === 0 || next === times.length || interpolation === 'STEP') {
    const key = Math.max(0, next - 1);
    for (let k = 0; k < width; k++) out[k] = values[valueAt(key) + k];
  } else {
    const span = times[next] - times[next - 1];
    const t = span > 0 ? (time - times[next - 1]) / span : 0;
    const [a, b] = [valueAt(next - 1), valueAt(next)];
    if (cubic) hermite(values, a, b, width, t, span, out);
    else blend(values, a, b, width, t, out);
  }
  if (width === 4) {
    const length = Math.sqrt(square(out[0]) + square(out[1]) + square(out[2]) + square(out[3]));
    if (length > 1e-12) for (let k = 0; k < 4; k++) out[k] /= length;
    else out.set([0, 0, 0, 1]);
  }
}

/** Straight for vectors, along the great circle for quaternions. */
function blend(values: ArrayLike<number>, a: number, b: number, width: number, t: number, out: Float64Array): void {
  let [from, to] = [1 - t, t];
  if (width === 4) {
    let cosine = 0;
    for (let k = 0; k < 4; k++) cosine += values[a + k] * values[b + k];
    const angle = atan2(Math.sqrt(Math.max(0, 1 - cosine * cosine)), Math.abs(cosine));
    if (angle > 1e-4) {
      from = sin((1 - t) * angle) / sin(angle);
      to = sin(t * angle) / sin(angle);
    }
    if (cosine < 0) to = -to;
  }
  for (let k = 0; k < width; k++) out[k] = from * values[a + k] + to * values[b + k];
}

/** In-tangent, value, out-tangent per key, tangents per second (glTF 2.0, appendix C). */
function hermite(
  values: ArrayLike<number>,
  a: number,
  b: number,
  width: number,
  t: number,
  span: number,
  out: Float64Array,
): void {
  const [t2, t3] = [t * t, t * t * t];
  for (let k = 0; k < width; k++) {
    const leave = span * values[a + width + k];
    const arrive = span * values[b - width + k];
    out[k] =
      (2 * t3 - 3 * t2 + 1) * values[a + k] +
      (t3 - 2 * t2 + t) * leave +
      (3 * t2 - 2 * t3) * values[b + k] +
      (t3 - t2) * arrive;
  }
}

function uniqueName(name: string, others: readonly CharacterClip[]): string {
  let unique = name;
  for (let n = 2; others.some((clip) => clip.name === unique); n++) unique = `${name} ${n}`;
  return unique;
}
