/**
 * What each type of joint says, as a table. Joint rows, their curvature, limits and motors read it; nobody infers a type from a number of rows.
 * A joint has a frame of three directions, the same in both bones at rest: its axis, a second and a third one, numbered 0, 1, 2.
 */
import type { JointType } from '../body-def.js';

/** A limit a joint of some type may have; which angle it bounds is in limit-rows.ts. */
export type LimitKind = 'range' | 'secondRange' | 'cone' | 'twist';

/** The rows of a type of joint. */
export interface JointRows {
  /**
   * `equal`: directions (of the first bone, of the second) that stay perpendicular, one row each, after the three rows that every joint
   * has for its point.
   */
  readonly equal: readonly (readonly [number, number])[];
  /** `limit`: what may be bounded. */
  readonly limit: readonly LimitKind[];
  /** `motor`: directions of the frame a motor turns about. */
  readonly motor: readonly number[];
}

/** Types in the order of their numbers in `Joints.types`. */
export const JOINT_TYPES: readonly JointType[] = ['ball', 'universal', 'hinge', 'fixed'];

export const JOINT_TABLE: Readonly<Record<JointType, JointRows>> = {
  ball: { equal: [], limit: ['cone', 'twist'], motor: [0, 1, 2] },
  universal: { equal: [[0, 1]], limit: ['range', 'secondRange'], motor: [0, 1, 2] },
  hinge: {
    equal: [
      [0, 1],
      [0, 2],
    ],
    limit: ['range'],
    motor: [0],
  },
  fixed: {
    equal: [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
    limit: [],
    motor: [],
  },
};

/** Rows of the point a joint holds. */
export const POINT_ROWS = 3;

/** Rows of the system a joint of this type takes: three for the point, the rest for rotations. */
export function rowCount(type: JointType): number {
  return POINT_ROWS + JOINT_TABLE[type].equal.length;
}
