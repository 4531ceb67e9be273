/** A clip of a character as a drive: all of its bones go where the clip has them, and the flesh follows. */
import type { Character } from '../character/character.js';
import { ClipPlayer, POSE_STRIDE } from '../character/clips/clip-player.js';
import { multiplyQuat, rotateVec3 } from '../math/quat.js';
import type { Drive } from './drives.js';
import type { WorldBody } from './world.js';

/** How a clip is played. */
export interface ClipDriveOptions {
  /** Speed, 1 as recorded; default 1. */
  readonly speed?: number;
  /** Time from the rest shape into the clip [s]; default that of `ClipPlayer`. */
  readonly fadeIn?: number;
}

/** Makes the drive of a clip for the body of a character, wherever it was put; E_UNKNOWN where there is no clip of that name. */
export function clipDrive(character: Character, body: WorldBody, name: string, options: ClipDriveOptions = {}): Drive {
  const player = new ClipPlayer(character, body.model);
  const clip = player.clip(name);
  const { speed = 1, fadeIn } = options;
  const poses = new Float64Array(POSE_STRIDE * character.skeleton.length);
  return (_, time) => {
    player.pose(clip, time * speed, poses, fadeIn);
    const { boneTargets, kinematic } = body.state;
    const { rotation, position } = body.placement;
    kinematic.fill(1);
    for (let bone = 0; bone < kinematic.length; bone++) {
      const o = POSE_STRIDE * bone;
      multiplyQuat(boneTargets, o, rotation, 0, poses, o);
      rotateVec3(boneTargets, o + 4, rotation, 0, poses, o + 4);
      for (let k = 0; k < 3; k++) boneTargets[o + 4 + k] += position[k];
    }
  };
}
