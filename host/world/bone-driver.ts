/** Drives the kinematic bones of a character along its clips, wherever the character was put. */

import type { Character, CharacterClip } from '../../src/character/character.js';
import { bonesToDrive, ClipPlayer, POSE_STRIDE } from '../../src/character/clips/clip-player.js';
import { multiplyQuat, rotateVec3 } from '../../src/math/quat.js';
import { setBoneKinematic } from '../../src/world/bone-control.js';
import type { WorldBody } from '../../src/world/world.js';

/**
 * Plays one clip at a time. Bones that are not kinematic are left to the physics, except those between two that are: they
 * are driven as long as a clip is played.
 */
export class BoneDriver {
  readonly #character: Character;
  readonly #body: WorldBody;
  readonly #poses: Float64Array;
  /** Bones that are kinematic only because a clip is played. */
  #between: readonly number[] = [];
  #player: ClipPlayer | undefined;
  #clip: CharacterClip | undefined;
  #speed = 1;
  #fadeIn: number | undefined;
  /** Time into the clip [s]. */
  #time = 0;

  constructor(character: Character, body: WorldBody) {
    this.#character = character;
    this.#body = body;
    this.#poses = new Float64Array(POSE_STRIDE * character.skeleton.length);
  }

  /** Starts a clip from its beginning; `fadeIn`: time from the rest shape into it [s]. */
  play(name: string, speed: number, fadeIn?: number): void {
    this.#player ??= new ClipPlayer(this.#character, this.#body.model);
    this.#clip = this.#player.clip(name);
    this.#speed = speed;
    this.#fadeIn = fadeIn;
    this.#time = 0;
    this.#freeBetween();
    this.#driveBetween();
  }

  /** Kinematic bones stay where they are. */
  stop(): void {
    this.#clip = undefined;
    this.#freeBetween();
  }

  /** Makes a bone kinematic or dynamic, while a clip is played or not. */
  setKinematic(bone: number, kinematic: boolean): void {
    this.#freeBetween();
    setBoneKinematic(this.#body, bone, kinematic);
    if (this.#clip) this.#driveBetween();
  }

  /** Sends the bones to where the clip has them at the end of a step of length `dt` [s]. */
  beforeStep(dt: number): void {
    if (!this.#clip || !this.#player) return;
    this.#time += dt * this.#speed;
    this.#player.pose(this.#clip, this.#time, this.#poses, this.#fadeIn);
    const { boneTargets, kinematic } = this.#body.state;
    const { rotation, position } = this.#body.placement;
    for (let bone = 0; bone < kinematic.length; bone++) {
      if (kinematic[bone] === 0) continue;
      const o = POSE_STRIDE * bone;
      multiplyQuat(boneTargets, o, rotation, 0, this.#poses, o);
      rotateVec3(boneTargets, o + 4, rotation, 0, this.#poses, o + 4);
      for (let k = 0; k < 3; k++) boneTargets[o + 4 + k] += position[k];
    }
  }

  #driveBetween(): void {
    const { kinematic } = this.#body.state;
    const driven = bonesToDrive(this.#character.skeleton, (bone) => kinematic[bone] === 1);
    this.#between = [...driven.keys()].filter((bone) => driven[bone] === 1 && kinematic[bone] === 0);
    for (const bone of this.#between) setBoneKinematic(this.#body, bone, true);
  }

  #freeBetween(): void {
    for (const bone of this.#between) setBoneKinematic(this.#body, bone, false);
    this.#between = [];
  }
}
