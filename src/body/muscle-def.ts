/** What a user writes down to describe muscles: lines over bones, and fibres in flesh. Plain data; `buildMuscles` checks it. */
import type { Vec3 } from './body-def.js';

/** A muscle. Its activation, 0 to 1, is part of the state: set by `setActivation`, by a drive, or by what `follows` says. */
export type MuscleDef = LineMuscleDef | FibreMuscleDef;

/** What muscles of both kinds have. */
export interface AnyMuscleDef {
  readonly name: string;
  /** Activation at the start, 0 to 1; default 0. */
  readonly activation?: number;
  /** Follows the motor of a joint: it works when the motor does. */
  readonly follows?: FollowedMotor;
}

/** Activation from a motor's torque: the part about one direction, divided by `torque`, within 0 and 1. */
export interface FollowedMotor {
  readonly joint: string;
  /** Direction the muscle turns the joint's second bone about, in the rest frame of the first. */
  readonly about: Vec3;
  /** Torque of full activation [N m]; default what holds level all that hangs on the joint. */
  readonly torque?: number;
}

/**
 * A line over points of bones, pulled tight: tension `activation · force · (length − shortest)/(rest length − shortest)`, nothing below the
 * shortest length, and `damping` against changes of its length.
 */
export interface LineMuscleDef extends AnyMuscleDef {
  readonly kind: 'line';
  /** From origin over via points to insertion, in the rest shape [m]; at least two. */
  readonly path: readonly { readonly bone: string; readonly point: Vec3 }[];
  /** Tension at rest length, fully active [N]. */
  readonly force: number;
  /** Length without tension, as a share of the rest length; default 0.5. */
  readonly shortest?: number;
  /** [N s/m] at full activation; default 0. */
  readonly damping?: number;
}

/** Flesh that contracts along a direction: stress `strength (activation (s − shortest)₊ + passive (s − 1)₊)` at stretch s. */
export interface FibreMuscleDef extends AnyMuscleDef {
  readonly kind: 'fibres';
  /** Tets of the body that have the fibres. */
  readonly tets: ArrayLike<number>;
  /** Direction in the rest shape: one for all, or three numbers per tet. */
  readonly direction: ArrayLike<number>;
  /** [Pa]. */
  readonly strength: number;
  /** Share of the strength in each of the tets, 0 to 1: fibres that grow fewer towards the ends; default 1. */
  readonly shares?: ArrayLike<number>;
  /** Stretch without stress; default 0.5. */
  readonly shortest?: number;
  /** Share of the strength with which relaxed fibres resist being stretched; default 0. */
  readonly passive?: number;
}
