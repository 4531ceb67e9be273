/**
 * Poses of a character's bones from its clips, to drive kinematic bones with. Bones keep their lengths and hinges their
 * axes, whatever the clip does, so that every pose can be held exactly by the joints.
 */
import type { Model } from '../body/model.js';
import { TendonError } from '../errors.js';
import { multiplyQuat, normaliseQuat, rotateVec3 } from '../math/quat.js';
import type { Character, CharacterClip } from './character.js';

/** Numbers per bone of a pose: quaternion x,y,z,w and the place of the centre of mass [m], as `boneTargets` has them. */
export const POSE_STRIDE = 7;

/** Works out poses without allocating. `model` is the body's, for the centres of mass of the bones. */
export class ClipPlayer {
  readonly #character: Character;
  readonly #parents: Int32Array;
  readonly #places: Float64Array;
  readonly #centres: Float64Array;
  /** Hinge axis of each bone against its parent, zero where it has none. */
  readonly #axes: Float64Array;
  /** Where each bone's place is in the pose at hand. */
  readonly #posed: Float64Array;
  readonly #q = new Float64Array(8);
  readonly #v = new Float64Array(3);

  constructor(character: Character, model: Pick<Model, 'bones'>) {
    const { skeleton, body } = character;
    if (model.bones.count !== skeleton.length) {
      throw new TendonError('E_RANGE', 'model/bones', model.bones.count, 'the model is of another character');
    }
    this.#character = character;
    this.#parents = Int32Array.from(skeleton, ({ parent }) => parent);
    this.#places = Float64Array.from(skeleton.flatMap(({ place }) => [...place]));
    this.#centres = model.bones.centre.slice();
    this.#axes = new Float64Array(3 * skeleton.length);
    for (const { type, bones, axis } of body.joints ?? []) {
      const child = skeleton.findIndex(({ name }) => name === bones[1]);
      if (type === 'hinge' && axis !== undefined && child >= 0) this.#axes.set(axis, 3 * child);
    }
    this.#posed = new Float64Array(3 * skeleton.length);
  }

  /** The clip of that name. */
  clip(name: string): CharacterClip {
    const found = this.#character.clips.find((clip) => clip.name === name);
    if (found !== undefined) return found;
    const names = this.#character.clips.map((clip) => clip.name).join(', ') || 'none';
    throw new TendonError('E_UNKNOWN', 'clip', name, `the character's clips are: ${names}`);
  }

  /**
   * Writes the pose of every bone at a time [s] of a clip, which repeats: `POSE_STRIDE` numbers each. `fade` from 0 (rest
   * shape) to 1 (the clip) leads into it smoothly.
   */
  pose(clip: CharacterClip, time: number, out: Float64Array, fade = 1): void {
    const { frameCount, duration, rotations, rootPlaces } = clip;
    const count = this.#parents.length;
    const turns = time / duration;
    const at = (turns - Math.floor(turns)) * (frameCount - 1);
    const frame = Math.min(frameCount - 2, Math.floor(at));
    const share = at - frame;
    const q = this.#q;
    const v = this.#v;
    for (let bone = 0; bone < count; bone++) {
      const o = POSE_STRIDE * bone;
      this.#blend(rotations, 4 * (frame * count + bone), 4 * ((frame + 1) * count + bone), share, fade);
      const parent = this.#parents[bone];
      if (parent >= 0) this.#keepHinge(out, POSE_STRIDE * parent, bone);
      for (let k = 0; k < 4; k++) out[o + k] = q[k];
      // the place of the root follows the clip, every other one hangs on its parent
      for (let k = 0; k < 3; k++) {
        if (parent < 0) {
          const rest = this.#places[k];
          const moved = rootPlaces[3 * frame + k] * (1 - share) + rootPlaces[3 * frame + 3 + k] * share;
          this.#posed[3 * bone + k] = rest + fade * (moved - rest);
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

  /** Blends two frames, then from no rotation, into the scratch quaternion. */
  #blend(rotations: Float32Array, a: number, b: number, share: number, fade: number): void {
    const q = this.#q;
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += rotations[a + k] * rotations[b + k];
    const side = dot < 0 ? -share : share;
    for (let k = 0; k < 4; k++) q[k] = rotations[a + k] * (1 - share) + rotations[b + k] * side;
    normaliseQuat(q, 0, q, 0);
    if (fade >= 1) return;
    const flip = q[3] < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) q[k] = flip * fade * q[k] + (k === 3 ? 1 - fade : 0);
    normaliseQuat(q, 0, q, 0);
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
