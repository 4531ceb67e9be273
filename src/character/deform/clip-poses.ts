/**
 * A clip as bone transforms frame by frame, with as many steps between two frames as the flesh needs to follow: no bone turns
 * more than about twelve degrees at once. From the rest shape into the first frame the bones are led the same way.
 */

import { TRANSFORM, writeTransform } from '../../solvers/lattice/bones/bone-transforms.js';
import type { Character, CharacterClip } from '../character.js';
import { ClipPlayer, POSE_STRIDE } from '../clips/clip-player.js';

/** Cosine of half the largest turn in one step: six degrees. */
const LARGEST_TURN = 0.9945;
/** Steps between two frames, at most. */
const MAX_STEPS = 16;
/** Steps from the rest shape into the first frame. */
const LEAD_IN = 16;

/** Poses of one character. */
export class ClipPoses {
  /** Twelve numbers per bone: rotation and shift from the rest shape. */
  readonly transforms: Float64Array;
  /** Quaternion and place of each bone, seven numbers each. */
  readonly pose: Float64Array;
  readonly #player: ClipPlayer;
  readonly #places: Float64Array;
  readonly #next: Float64Array;

  constructor(character: Character) {
    const { skeleton } = character;
    this.#places = Float64Array.from(skeleton.flatMap(({ place }) => [...place]));
    this.#player = new ClipPlayer(character, { bones: { count: skeleton.length, centre: this.#places } });
    this.pose = new Float64Array(POSE_STRIDE * skeleton.length);
    this.#next = new Float64Array(POSE_STRIDE * skeleton.length);
    this.transforms = new Float64Array(TRANSFORM * skeleton.length);
  }

  /** The clip of that name; the first one without a name. */
  clip(name: string): CharacterClip {
    return this.#player.clip(name);
  }

  /** Leads from the rest shape to the clip at a time [s], calling `visit` at every step with the transforms in place. */
  leadIn(clip: CharacterClip, time: number, visit: () => void): void {
    const moment = clip.duration + time;
    for (let step = 1; step <= LEAD_IN; step++) {
      this.#player.pose(clip, moment, this.pose, (moment * LEAD_IN) / step);
      this.#writeTransforms();
      visit();
    }
  }

  /** Goes on to a later time of the clip [s], in as many steps as that needs. */
  advance(clip: CharacterClip, from: number, to: number, visit: () => void): void {
    const steps = this.stepsTo(clip, to);
    for (let step = 1; step <= steps; step++) {
      this.#player.pose(clip, clip.duration + from + ((to - from) * step) / steps, this.pose, 0);
      this.#writeTransforms();
      visit();
    }
  }

  /** Steps of at most twelve degrees from the pose at hand to a time of the clip [s]; sixteen at most. */
  stepsTo(clip: CharacterClip, time: number): number {
    const next = this.#next;
    this.#player.pose(clip, clip.duration + time, next, 0);
    let least = 1;
    for (let o = 0; o < next.length; o += POSE_STRIDE) {
      let alike = 0;
      for (let k = 0; k < 4; k++) alike += next[o + k] * this.pose[o + k];
      least = Math.min(least, Math.abs(alike));
    }
    // 1 - cos grows with the square of the angle
    return Math.min(MAX_STEPS, Math.max(1, Math.ceil(Math.sqrt((1 - least) / (1 - LARGEST_TURN)))));
  }

  #writeTransforms(): void {
    for (let o = 0, bone = 0; o < this.pose.length; o += POSE_STRIDE, bone++) {
      writeTransform(this.transforms, bone, this.pose, o, this.pose, o + 4, this.#places, 3 * bone);
    }
  }
}
