/** Gaps of joints, worked out from the poses alone and not by the library's own rows. */
import type { BodyDef, JointDef } from '../../../src/body/body-def.js';
import type { Model } from '../../../src/body/model.js';
import type { BodyState } from '../../../src/body/state.js';
import { applyToVec3 } from './spin.js';

/** Where a bone carries a point of the rest shape; the world's frame for `bones.count`. */
export function carried(model: Model, state: BodyState, bone: number, rest: ArrayLike<number>): number[] {
  const world = bone === model.bones.count;
  const arm = [0, 1, 2].map((k) => rest[k] - (world ? 0 : model.bones.centre[bone * 3 + k]));
  const r = state.poses.rotations.subarray(bone * 9, bone * 9 + 9);
  return applyToVec3(r, arm).map((value, k) => value + state.poses.translations[bone * 3 + k]);
}

/** A direction of the rest shape, as a bone carries it. */
function turned(state: BodyState, bone: number, rest: ArrayLike<number>): number[] {
  return applyToVec3(state.poses.rotations.subarray(bone * 9, bone * 9 + 9), rest);
}

/** Largest distance between anchors [m], and largest angle a joint should have kept and did not [rad]. */
export function worstJoint(def: BodyDef, model: Model, state: BodyState): { gap: number; angle: number } {
  let gap = 0;
  let angle = 0;
  for (const joint of def.joints ?? []) {
    const bones = joint.bones.map((name) => model.bones.names.indexOf(name));
    if (bones.length === 1) bones.push(model.bones.count);
    for (let i = 1; i < bones.length; i++) {
      const a = carried(model, state, bones[0], joint.anchor);
      const b = carried(model, state, bones[i], joint.anchor);
      gap = Math.max(gap, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      angle = Math.max(angle, lostAngle(joint, state, bones[0], bones[i]));
    }
  }
  return { gap, angle };
}

function lostAngle(joint: JointDef, state: BodyState, a: number, b: number): number {
  const axis = joint.axis ?? [0, 0, 1];
  if (joint.type === 'hinge') return between(turned(state, a, axis), turned(state, b, axis));
  if (joint.type === 'universal') {
    // the axis of A and the second axis of B stay perpendicular
    const second = joint.secondAxis as readonly number[];
    return Math.abs(Math.PI / 2 - between(turned(state, a, axis), turned(state, b, second)));
  }
  if (joint.type !== 'fixed') return 0;
  const frame = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  return Math.max(...frame.map((direction) => between(turned(state, a, direction), turned(state, b, direction))));
}

function between(u: readonly number[], v: readonly number[]): number {
  const c = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return Math.atan2(Math.hypot(c[0], c[1], c[2]), u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
}
