/** What moves bones of a scene by itself, as data: functions of time that a step asks for. Callbacks are for programs (`addDrive`). */
import type { Vec3 } from '../body/body-def.js';

/** A number that changes with time. */
export type SignalDef =
  /** Always the same. */
  | number
  /** Swings from `from` to `to` and back, as a cosine does: at `from` when `time` is `phase`·`period` [s]. */
  | {
      readonly kind: 'wave';
      readonly from: number;
      readonly to: number;
      /** There and back [s]. */
      readonly period: number;
      /** Share of a period, 0 to 1; default 0. */
      readonly phase?: number;
    }
  /** Straight lines between values at times [s]; before the first and after the last it stays, or starts over. */
  | {
      readonly kind: 'keys';
      readonly times: readonly number[];
      readonly values: readonly number[];
      readonly loop?: boolean;
    };

/** Something that acts on a body in every step. */
export type DriveDef = BendDrive | PoseDrive | MotorDrive | TrackDrive | PushDrive | ActivationDrive | WaterDrive;

/** Bends a chain of kinematic bones about the axes of its joints, from the root outwards. */
export interface BendDrive {
  readonly kind: 'bend';
  /** Name of the body in the scene. */
  readonly body: string;
  /** How far everything is bent: a factor for all angles; default 1. */
  readonly amount?: SignalDef;
  /** Joints of two bones each, and by how much they are bent when the amount is 1 [rad]. */
  readonly joints: readonly { readonly joint: string; readonly angle: SignalDef }[];
}

/** Drives the motor of a joint: what is given here is set before every step, what is not stays as it is. */
export interface MotorDrive {
  readonly kind: 'motor';
  readonly body: string;
  readonly joint: string;
  /** Hinge: angle to go to [rad], rate [rad/s], torque [N m]. */
  readonly angle?: SignalDef;
  readonly speed?: SignalDef;
  readonly torque?: SignalDef;
  /** Any joint: rotation vector to go to, in the rest frame of the first bone [rad]. */
  readonly turn?: readonly [SignalDef, SignalDef, SignalDef];
  /** [N m/rad], [N m s/rad], [N m]. */
  readonly stiffness?: number;
  readonly damping?: number;
  readonly maxTorque?: number;
}

/** Sends a kinematic bone through poses, straight and by the shortest turn in between. */
export interface PoseDrive {
  readonly kind: 'pose';
  readonly body: string;
  readonly bone: string;
  /** [s], ascending. */
  readonly times: readonly number[];
  /** How far the bone is moved from its rest place, as the body was put into the scene [m], one per time. */
  readonly offsets?: readonly Vec3[];
  /** How it is turned from its rest pose there, about its centre of mass, quaternions x,y,z,w, one per time. */
  readonly turns?: readonly (readonly [number, number, number, number])[];
  readonly loop?: boolean;
}

/** A vector or rotation vector that changes with time. */
export type SignalVector = readonly [SignalDef, SignalDef, SignalDef];

/** Leads all bones of a body through a motion by the motors of their joints: they follow, and still give way. */
export interface TrackDrive {
  readonly kind: 'track';
  readonly body: string;
  /** How hard, as the frequency joints swing back with [Hz]; default 6. */
  readonly strength?: number;
  /** Largest torque of a joint, as a multiple of what holds what hangs on it level; default without bound. */
  readonly effort?: number;
  /** Bone that the skeleton starts from; default the first. */
  readonly root?: string;
  /** What holds it: it is sent, led by a force from outside, or nothing; default kinematic where the bone is, else free. */
  readonly rootMode?: 'kinematic' | 'assisted' | 'free';
  /** How far the root is moved from its rest place [m], and turned: rotation vector [rad], world axes. */
  readonly shift?: SignalVector;
  readonly turn?: SignalVector;
  /** Turns of joints from the rest pose [rad]: about the axis of a hinge, or as rotation vector in the rest frame of the first bone. */
  readonly joints?: readonly { readonly joint: string; readonly angle?: SignalDef; readonly turn?: SignalVector }[];
  /** Bones that do something else than the others, or as hard as no other. */
  readonly bones?: readonly {
    readonly bone: string;
    readonly mode?: 'kinematic' | 'tracked' | 'limp';
    readonly weight?: number;
    /** [Hz]. */
    readonly strength?: number;
  }[];
}

/** Pushes a bone with a force, spread over its vertices by their mass. */
export interface PushDrive {
  readonly kind: 'push';
  readonly body: string;
  readonly bone: string;
  /** [N], world axes. */
  readonly force: SignalVector;
}

/** Activates a muscle over time, 0 to 1. */
export interface ActivationDrive {
  readonly kind: 'activation';
  readonly body: string;
  readonly muscle: string;
  readonly activation: SignalDef;
}

/** Still water around a body, which resists what moves across its surface. */
export interface WaterDrive {
  readonly kind: 'water';
  readonly body: string;
  /** [kg/m³]; default 1000. */
  readonly density?: number;
  /** Drag coefficient of a plate that moves across itself; default 1. */
  readonly drag?: number;
}
