/**
 * Clips slowed where they jump. Bones that follow a clip move only so far in one step, each for itself, so a jump (keys that
 * hold their value until the next one do that) would pull joints open. Frames around one are averaged until bones can follow.
 */
import { square } from '../../math/powers.js';

/** Changes of speed from one frame to the next that count as a jump, and what is left of those: turns [rad], ways in sizes. */
const JUMP = { turn: 0.25, move: 0.05 };
const CALM = { turn: 0.08, move: 0.01 };
/** A speed counts as a change of speed this many times smaller. */
const SPEEDING = 3;
/** Rounds of averaging: each spreads a jump a little further. 2 rad took 85; half a turn is left at 0.33 rad a frame. */
const MAX_ROUNDS = 500;

/** Averages frames in place, `frameCount` of `boneCount` quaternions; the number of bones that had to be slowed. */
export function slowTurns(rotations: Float32Array, frameCount: number, boneCount: number): number {
  let slowed = 0;
  for (let bone = 0; bone < boneCount; bone++) {
    const track = new Float64Array(4 * frameCount);
    for (let i = 0; i < track.length; i++) {
      track[i] = rotations[4 * ((i >> 2) * boneCount + bone) + (i & 3)];
    }
    alignSigns(track);
    // quaternions differ by half the angle
    if (!calm(track, 4, JUMP.turn / 2, CALM.turn / 2)) continue;
    slowed++;
    for (let frame = 0; frame < frameCount; frame++) {
      const q = track.subarray(4 * frame, 4 * frame + 4);
      const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) || 1;
      for (let k = 0; k < 4; k++) rotations[4 * (frame * boneCount + bone) + k] = q[k] / length;
    }
  }
  return slowed;
}

/** The same for places, x,y,z per frame, of a body of `size` [m]; true where they had to be slowed. */
export function slowMoves(places: Float32Array, size: number): boolean {
  const track = Float64Array.from(places);
  const slowed = calm(track, 3, JUMP.move * size, CALM.move * size);
  if (slowed) places.set(track);
  return slowed;
}

/** Of the two quaternions of a rotation, the one nearer to that of the frame before. */
function alignSigns(track: Float64Array): void {
  for (let i = 4; i < track.length; i += 4) {
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += track[i + k] * track[i - 4 + k];
    if (dot < 0) for (let k = 0; k < 4; k++) track[i + k] = -track[i + k];
  }
}

/** Averages frames that jump with their neighbours until none does; the first and last stay. False: nothing to do. */
function calm(track: Float64Array, width: number, jump: number, enough: number): boolean {
  const frameCount = track.length / width;
  const next = track.slice();
  let limit = jump;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let jumps = false;
    for (let frame = 1; frame + 1 < frameCount; frame++) {
      if (roughness(track, width, frame) <= limit * limit) continue;
      jumps = true;
      for (let k = 0; k < width; k++) {
        const at = width * frame + k;
        next[at] = (track[at - width] + 2 * track[at] + track[at + width]) / 4;
      }
    }
    if (!jumps) return round > 0;
    limit = enough;
    track.set(next);
  }
  return true;
}

/** Square of the change of speed at a frame, or of the speed over `SPEEDING` where that is more. */
function roughness(track: Float64Array, width: number, frame: number): number {
  let change = 0;
  let speed = 0;
  for (let k = 0; k < width; k++) {
    const at = width * frame + k;
    const before = track[at] - track[at - width];
    const after = track[at + width] - track[at];
    change += square(after - before);
    speed += square(after);
  }
  return Math.max(change, speed / square(SPEEDING));
}
