/** A clip of a character as a drive: its bones go where the clip has them, exactly or led by their motors, and the flesh follows. */
import type { Character } from '../character/character.js';
import { ClipPlayer, POSE_STRIDE } from '../character/clips/clip-player.js';
import { multiplyQuat, rotateVec3 } from '../math/quat.js';
import type { Drive } from './drives.js';
import { BoneTracker, type TrackOptions } from './tracking/bone-tracker.js';
import type { World, WorldBody } from './world.js';

/** How a clip is played. */
export interface ClipDriveOptions {
  /** Speed, 1 as recorded; default 1. */
  readonly speed?: number;
  /** Time from the rest shape into the clip [s]; default that of `ClipPlayer`. */
  readonly fadeIn?: number;
  /** How bones are led that are not to go exactly where the clip has them; default: all are. */
  readonly track?: TrackOptions;
}

/** Makes the drive of a clip for the body of a character, wherever it was put; E_UNKNOWN where there is no clip of that name. */
export function clipDrive(
  world: World,
  character: Character,
  body: WorldBody,
  name: string,
  options: ClipDriveOptions = {},
): Drive {
  const player = new ClipPlayer(character, body.model);
  const clip = player.clip(name);
  const { speed = 1, fadeIn, track } = options;
  const poses = new Float64Array(POSE_STRIDE * character.skeleton.length);
  const tracker = track && new BoneTracker(world, body, track);
  const placed = new Float64Array(poses.length);
  return (_, time, dt) => {
    player.pose(clip, time * speed, poses, fadeIn);
    const { rotation, position } = body.placement;
    for (let o = 0; o < poses.length; o += POSE_STRIDE) {
      multiplyQuat(placed, o, rotation, 0, poses, o);
      rotateVec3(placed, o + 4, rotation, 0, poses, o + 4);
      for (let k = 0; k < 3; k++) placed[o + 4 + k] += position[k];
    }
    if (tracker) tracker.track(placed, dt, time);
    else {
      const { kinematic } = body.state;
      // one that is tracked goes there too, and gives way to what it touches
      for (let bone = 0; bone < kinematic.length; bone++) if (kinematic[bone] === 0) kinematic[bone] = 1;
      body.state.boneTargets.set(placed);
    }
  };
}
