/** What joints between rigid bodies of the coupled core are. */
import type { JointType } from '../../../body/body-def.js';

/** A joint between two rigid bodies, in their own frames. */
export interface CoupledJoint {
  readonly type: JointType | 'control';
  readonly a: number;
  readonly b: number;
  /** Anchors relative to the centres of mass [m]. */
  readonly anchorA: ArrayLike<number>;
  readonly anchorB: ArrayLike<number>;
  /** The axis (hinge; first axis of a universal joint) in A, and in B the same axis (hinge) or the second one (universal). */
  readonly axisA?: ArrayLike<number>;
  readonly axisB?: ArrayLike<number>;
  /** Fixed and control: orientation of B seen from A that is wanted, x, y, z, w; default none. */
  readonly relative?: ArrayLike<number>;
  /** Control: stiffness [N m/rad] and damping [N m s/rad]. */
  readonly stiffness?: number;
  readonly damping?: number;
  /** Whether it may be driven by a motor beside what it holds; and rows of limits it has. */
  readonly motor?: boolean;
  readonly limits?: number;
}
