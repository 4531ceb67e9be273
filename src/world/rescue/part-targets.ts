/**
 * Kinematic bones on their way through a step that is taken in parts: they go a part of the way in each, as drives do. Sent all the way in the first one, a bone
 * that moves by 0.1 m in a step would move eight times as fast, and shorter steps would be harder to take than long ones. Called by `stepWorld`.
 */
import { normaliseQuat } from '../../math/quat.js';
import type { World, WorldBody } from '../world.js';

/** Numbers of a pose: quaternion and place. */
const POSE = 7;

/** Where the bones of one body come from and are to go. */
interface Way {
  readonly body: WorldBody;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** Ways of all bodies' kinematic bones from where they are to their targets, at the start of a step in parts and before drives act. */
export class PartTargets {
  readonly #ways: readonly Way[];

  constructor({ bodies }: World) {
    this.#ways = bodies.map((body) => {
      const { poses, boneTargets } = body.state;
      const from = boneTargets.slice();
      for (let bone = 0; bone * POSE < from.length; bone++) {
        from.set(poses.quats.subarray(bone * 4, bone * 4 + 4), bone * POSE);
        from.set(poses.translations.subarray(bone * 3, bone * 3 + 3), bone * POSE + 4);
      }
      return { body, from, to: boneTargets.slice() };
    });
  }

  /** Puts targets that drives have left as they were at the start to `share` of the way; drives act before each part, and know its time. */
  lead(share: number): void {
    for (const { body, from, to } of this.#ways) {
      const { kinematic, boneTargets } = body.state;
      for (let bone = 0; bone < kinematic.length; bone++) {
        if (kinematic[bone] === 1) leadBone(boneTargets, bone * POSE, from, to, share);
      }
    }
  }

  /** Puts the targets back that `lead` has moved: drives that are to act next see what was there. */
  restore(): void {
    for (const { body, to } of this.#ways) body.state.boneTargets.set(to);
  }
}

function leadBone(out: Float64Array, at: number, from: Float64Array, to: Float64Array, share: number): void {
  let cosine = 0;
  for (let k = at; k < at + POSE; k++) if (out[k] !== to[k]) return;
  for (let k = at; k < at + 4; k++) cosine += from[k] * to[k];
  // the shorter way round
  const sign = cosine < 0 ? -1 : 1;
  for (let k = at; k < at + POSE; k++) {
    const start = k < at + 4 ? sign * from[k] : from[k];
    out[k] = share < 1 ? start + share * (to[k] - start) : to[k];
  }
  if (share < 1) normaliseQuat(out, at, out, at);
}
