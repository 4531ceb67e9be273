/**
 * Poses of a character's bones from its clips, to drive kinematic bones with. Bones keep their lengths and hinges their
 * axes, whatever the clip does, so that every pose can be held exactly by the joints.
 */
import type { JointDef } from '../../body/body-def.js';
import type { Bones } from '../../body/bones.js';
import { TendonError } from '../../errors.js';
import { square } from '../../math/powers.js';
import { multiplyQuat, normaliseQuat, rotateVec3 } from '../../math/quat.js';
import type { Character, CharacterClip } from '../character.js';

/** Numbers per bone of a pose: quaternion x,y,z,w and the place of the centre of mass [m], as `boneTargets` has them. */
export const POSE_STRIDE = 7;

/** How long a pose takes to lead from the rest shape into a clip, and the end of a clip into its start [s]. */
const FADE_IN = 0.5;
const FADE_OVER = 0.3;
/** Shortest way into a clip [s]: half a turn in less than that is more than bones may turn in one step. */
const SHORTEST_FADE = 0.25;
/** Quaternions whose product differs from one by less are the same for a clip that repeats: two degrees. */
const SAME_TURN = 1.5e-4;

/** What is needed of a character to pose it: one with a body of flesh, or one whose joints stand beside its body. */
export type ClipSource =
  | Pick<Character, 'skeleton' | 'clips' | 'body'>
  | (Pick<Character, 'skeleton' | 'clips'> & { readonly joints: readonly JointDef[] });

/** Works out poses without allocating. `model` is the body's, for the centres of mass of the bones. */
export class ClipPlayer {
  readonly #clips: readonly CharacterClip[];
  readonly #parents: Int32Array;
  readonly #places: Float64Array;
  readonly #centres: Float64Array;
  /** Hinge axis of each bone against its parent, zero where it has none. */
  readonly #axes: Float64Array;
  /** Where each bone's place is in the pose at hand. */
  readonly #posed: Float64Array;
  /** Clips that end as they began; others are led back over their last moments. */
  readonly #repeats = new Map<CharacterClip, boolean>();
  readonly #q = new Float64Array(8);
  readonly #v = new Float64Array(3);

  constructor(character: ClipSource, model: { readonly bones: Pick<Bones, 'count' | 'centre'> }) {
    const { skeleton, clips } = character;
    const joints = 'joints' in character ? character.joints : (character.body.joints ?? []);
    if (model.bones.count !== skeleton.length) {
      throw new TendonError('E_RANGE', 'model/bones', model.bones.count, 'the model is of another character');
    }
    this.#clips = clips;
    this.#parents = Int32Array.from(skeleton, ({ parent }) => parent);
    this.#places = Float64Array.from(skeleton.flatMap(({ place }) => [...place]));
    this.#centres = model.bones.centre.slice();
    this.#axes = new Float64Array(3 * skeleton.length);
    for (const { type, bones, axis } of joints) {
      const child = skeleton.findIndex(({ name }) => name === bones[1]);
      if (type === 'hinge' && axis !== undefined && child >= 0) this.#axes.set(axis, 3 * child);
    }
    this.#posed = new Float64Array(3 * skeleton.length);
    for (const clip of clips) this.#repeats.set(clip, endsAsItBegan(clip, skeleton.length));
  }

  /** The clip of that name. */
  clip(name: string): CharacterClip {
    const found = this.#clips.find((clip) => clip.name === name);
    if (found !== undefined) return found;
    const names = this.#clips.map((clip) => clip.name).join(', ') || 'none';
    throw new TendonError('E_UNKNOWN', 'clip', name, `the character's clips are: ${names}`);
  }

  /**
   * Writes the pose of every bone at a time [s], `POSE_STRIDE` numbers each. The clip repeats. Over the first `fadeIn` seconds
   * the pose goes from the rest shape into the clip, so that nothing is torn at the start; less than a quarter of a second is
   * taken as that. Poses of the clip alone are found one `duration` later.
   */
  pose(clip: CharacterClip, time: number, out: Float64Array, fadeIn = FADE_IN): void {
    const { frameCount, duration, rotations, rootPlaces } = clip;
    const count = this.#parents.length;
    const turns = time / duration;
    const at = (turns - Math.floor(turns)) * (frameCount - 1);
    const frame = Math.min(frameCount - 2, Math.floor(at));
    const share = at - frame;
    const fade = smooth(time / Math.max(SHORTEST_FADE, fadeIn));
    const over = Math.min(FADE_OVER, duration / 3);
    const close = this.#repeats.get(clip) === false ? smooth(1 - ((1 - at / (frameCount - 1)) * duration) / over) : 0;
    const q = this.#q;
    const v = this.#v;
    for (let bone = 0; bone < count; bone++) {
      const o = POSE_STRIDE * bone;
      blendQuat(q, rotations, 4 * (frame * count + bone), rotations, 4 * ((frame + 1) * count + bone), share);
      if (close > 0) blendQuat(q, q, 0, rotations, 4 * bone, close);
      if (fade < 1) blendQuat(q, UNTURNED, 0, q, 0, fade);
      const parent = this.#parents[bone];
      if (parent >= 0) this.#keepHinge(out, POSE_STRIDE * parent, bone);
      for (let k = 0; k < 4; k++) out[o + k] = q[k];
      // the place of the root follows the clip, every other one hangs on its parent
      for (let k = 0; k < 3; k++) {
        if (parent < 0) {
          const rest = this.#places[k];
          const moved = rootPlaces[3 * frame + k] * (1 - share) + rootPlaces[3 * frame + 3 + k] * share;
          const closed = moved + close * (rootPlaces[k] - moved);
          this.#posed[3 * bone + k] = rest + fade * (closed - rest);
        } else v[k] = this.#places[3 * bone + k] - this.#places[3 * parent + k];
      }
      if (parent >= 0) {
        rotateVec3(v, 0, out, POSE_STRIDE * parent, v, 0);
        for (let k = 0; k < 3; k++) this.#posed[3 * bone + k] = this.#posed[3 * parent + k] + v[k];
      }
      for (let k = 0; k < 3; k++) v[k] = this.#centres[3 * bone + k] - this.#places[3 * bone + k];
      rotateVec3(v, 0, q, 0, v, 0);
      for (let k = 0; k < 3; k++) out[o + 4 + k] = this.#posed[3 * bone + k] + v[k];
    }
  }

  /** Writes the weights of all morph targets at a time [s], led in as poses are; nothing where the clip drives none. */
  blendMorphs(
    { frameCount, duration, morphs }: CharacterClip,
    time: number,
    out: Float64Array,
    fadeIn = FADE_IN,
  ): void {
    if (!morphs) return;
    const turns = time / duration;
    const at = (turns - Math.floor(turns)) * (frameCount - 1);
    const frame = Math.min(frameCount - 2, Math.floor(at));
    const fade = smooth(time / Math.max(SHORTEST_FADE, fadeIn));
    for (let i = 0; i < out.length; i++) {
      const from = morphs[frame * out.length + i];
      out[i] = fade * (from + (at - frame) * (morphs[(frame + 1) * out.length + i] - from));
    }
  }

  /** Takes from the scratch quaternion the part of its turn against the parent that is not about the hinge's axis. */
  #keepHinge(out: Float64Array, parent: number, bone: number): void {
    const q = this.#q;
    const ax = this.#axes[3 * bone];
    const ay = this.#axes[3 * bone + 1];
    const az = this.#axes[3 * bone + 2];
    if (ax === 0 && ay === 0 && az === 0) return;
    for (let k = 0; k < 3; k++) q[4 + k] = -out[parent + k];
    q[7] = out[parent + 3];
    multiplyQuat(q, 4, q, 4, q, 0);
    const lengthSq = ax * ax + ay * ay + az * az;
    const along = (q[4] * ax + q[5] * ay + q[6] * az) / lengthSq;
    q[4] = along * ax;
    q[5] = along * ay;
    q[6] = along * az;
    normaliseQuat(q, 4, q, 4);
    multiplyQuat(q, 0, out, parent, q, 4);
    normaliseQuat(q, 0, q, 0);
  }
}

/**
 * Which bones have to be driven so that the `chosen` ones can be: these, and all that lie between two of them. A limp bone held
 * at both ends by driven ones has no freedom left, or so little that no pose of it may fit a fast clip. One number per bone, 1
 * for those to be driven.
 */
export function bonesToDrive(skeleton: Character['skeleton'], chosen: (bone: number) => boolean): Uint8Array {
  const count = skeleton.length;
  // how many chosen bones there are in each bone and all below it; parents come first
  const below = Int32Array.from({ length: count }, (_, bone) => (chosen(bone) ? 1 : 0));
  const branches = new Int32Array(count);
  for (let bone = count - 1; bone > 0; bone--) {
    const { parent } = skeleton[bone];
    below[parent] += below[bone];
    if (below[bone] > 0) branches[parent]++;
  }
  return Uint8Array.from({ length: count }, (_, bone) => {
    const beyond = below[0] > below[bone] ? 1 : 0;
    return chosen(bone) || branches[bone] + beyond > 1 ? 1 : 0;
  });
}

const UNTURNED = Float64Array.of(0, 0, 0, 1);

/** out[0..4) = the quaternion a share of the way from a to b, the short way around. */
function blendQuat(
  out: Float64Array,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  share: number,
): void {
  const dot = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
  const to = dot < 0 ? -share : share;
  const from = 1 - share;
  const x = from * a[i] + to * b[j];
  const y = from * a[i + 1] + to * b[j + 1];
  const z = from * a[i + 2] + to * b[j + 2];
  out[3] = from * a[i + 3] + to * b[j + 3];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  normaliseQuat(out, 0, out, 0);
}

/** From 0 to 1 without a jump in speed at either end. */
function smooth(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

function endsAsItBegan({ frameCount, rotations, rootPlaces }: CharacterClip, count: number): boolean {
  const last = 4 * (frameCount - 1) * count;
  for (let i = 0; i < 4 * count; i += 4) {
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += rotations[i + k] * rotations[last + i + k];
    if (1 - Math.abs(dot) > SAME_TURN) return false;
  }
  let moved = 0;
  let travelled = 0;
  for (let i = 0; i < rootPlaces.length; i += 3) {
    travelled = 0;
    for (let k = 0; k < 3; k++) travelled += square(rootPlaces[i + k] - rootPlaces[k]);
    moved = Math.max(moved, travelled);
  }
  // what is left of the way at the end, beside the farthest it went
  return travelled <= 1e-4 * moved || travelled < 1e-10;
}
