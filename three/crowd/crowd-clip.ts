/** A clip that one of a crowd follows: its bones are turned to it by their joints, and give way to what they touch. */
import type { LayerCharacter } from '../../src/character/build/kinds/layer-character.js';
import type { CharacterClip } from '../../src/character/character.js';
import { ClipPlayer, POSE_STRIDE } from '../../src/character/clips/clip-player.js';
import { multiplyQuat, rotateVec3 } from '../../src/math/quat.js';
import { setBoneKinematic } from '../../src/world/bone-control.js';
import type { WorldBody } from '../../src/world/world.js';

/** Plays one clip at a time, over and over. */
export class CrowdClip {
  readonly #body: WorldBody;
  readonly #character: LayerCharacter;
  readonly #poses: Float64Array;
  #player: ClipPlayer | undefined;
  #clip: CharacterClip | undefined;
  #speed = 1;
  /** Time into the clip [s]. */
  #time = 0;

  constructor(character: LayerCharacter, body: WorldBody) {
    this.#character = character;
    this.#body = body;
    this.#poses = new Float64Array(POSE_STRIDE * character.skeleton.length);
  }

  /** Starts a clip `at` seconds from its beginning. */
  play(name: string, speed: number, at: number): void {
    this.#player ??= new ClipPlayer(this.#character, this.#body.model);
    this.#clip = this.#player.clip(name);
    this.#speed = speed;
    this.#time = at;
    for (let bone = 0; bone < this.#character.skeleton.length; bone++) setBoneKinematic(this.#body, bone, 'tracked');
  }

  /** Bones hold the pose they were sent to last, or hang. */
  stop(limp: boolean): void {
    this.#clip = undefined;
    if (!limp) return;
    for (let bone = 0; bone < this.#character.skeleton.length; bone++) setBoneKinematic(this.#body, bone, false);
  }

  /** Sends the bones to where the clip has them at the end of a step of length `dt` [s]. */
  beforeStep(dt: number): void {
    if (!this.#clip) return;
    this.#time += dt * this.#speed;
    this.#player?.pose(this.#clip, this.#time, this.#poses);
    const { boneTargets } = this.#body.state;
    const { rotation, position } = this.#body.placement;
    for (let o = 0; o < this.#poses.length; o += POSE_STRIDE) {
      multiplyQuat(boneTargets, o, rotation, 0, this.#poses, o);
      rotateVec3(boneTargets, o + 4, rotation, 0, this.#poses, o + 4);
      for (let k = 0; k < 3; k++) boneTargets[o + 4 + k] += position[k];
    }
  }
}
