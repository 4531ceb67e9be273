/** What the page asks of its simulation. Everything here is plain data. */
import type { BoneMethod, MaterialDef, WorldOptions } from '../../src/index.js';
import type { TakeEnding } from '../../src/record/bake-take.js';
import type { Point } from './scene-info.js';

/** What the panel can change. */
export interface Settings {
  readonly iterations: number;
  readonly integrator: NonNullable<WorldOptions['integrator']>;
  /** Rate at which velocities die away by themselves [1/s]. */
  readonly damping: number;
  /** Gravitational acceleration along y [m/s²]. */
  readonly gravity: number;
  readonly bones: BoneMethod;
  /** Exact, published and stiff bones beside each other. */
  readonly compare: boolean;
  readonly threads: number;
  /** Of the first material; the others are scaled along [Pa]. */
  readonly young: number;
  /** Poisson ratio and energy of all materials. */
  readonly poisson: number;
  readonly model: MaterialDef['model'];
  /** How fine models from files are built: for 8 ms a step on this machine, or as fine as the defaults. */
  readonly quality: 'auto' | 'full';
  /** Models from files as lattices that follow their bones: the skin is recomputed, and nothing moves by itself. */
  readonly deform: boolean;
  /** How hard bones follow a clip [Hz], 0: exactly; and how much of that, 0 to 1. */
  readonly strength: number;
  readonly blend: number;
  /** Limits of joints that differ from the scene's own, as one line (limit-settings.ts). */
  readonly limits: string;
  /** What the scene's lesson taught, as one line (learn/learned-setting.ts). */
  readonly learned: string;
}

/** What a recording can be saved as: all that holds a take, and pictures. */
export type SavedEnding = TakeEnding | 'png';

/** Settings that need a new world; the others change while it runs. */
export const REBUILDING: readonly (keyof Settings)[] = [
  ...(['bones', 'compare', 'threads', 'young', 'poisson', 'model', 'quality', 'deform', 'limits', 'learned'] as const),
];

/** What a world is built from: a scene of the gallery, or files that somebody dropped. */
export type Source =
  | { readonly kind: 'scene'; readonly name: string }
  | { readonly kind: 'files'; readonly id: number; readonly name: string; readonly files: readonly DroppedFile[] };

export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Numbers that the worker computes only while they are shown. */
export interface Wanted {
  readonly strain: boolean;
  readonly activation: boolean;
  readonly contacts: boolean;
  readonly cut: boolean;
  readonly energy: boolean;
}

export const NOTHING_WANTED: Wanted = { strain: false, activation: false, contacts: false, cut: false, energy: false };

/** What is asked for at the start: the settings that are given, the scene's own for the others. */
export interface Spec {
  readonly source: Source;
  readonly settings: Partial<Settings>;
}

/** What is done to a running simulation. */
export type Action =
  | { readonly kind: 'set'; readonly settings: Settings }
  | { readonly kind: 'want'; readonly wanted: Wanted }
  /** Begins to record. The question 'recording' ends it, and the recording is the answer. */
  | { readonly kind: 'record' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'grab'; readonly body: number; readonly point: Point }
  | { readonly kind: 'move'; readonly target: Point }
  | { readonly kind: 'release' }
  /** What is grabbed stays where it is pulled to. */
  | { readonly kind: 'pin' }
  | { readonly kind: 'unpin' }
  /** Pushes a body at a point with a force, per weight of the body, until it ends; `undefined` ends it. */
  | { readonly kind: 'push'; readonly push: Push | undefined }
  /** Plays a clip of the character from the start; '': it stands; `undefined`: no longer, it goes limp. */
  | { readonly kind: 'play'; readonly clip: string | undefined }
  /** How far a morph target of a body is on. */
  | { readonly kind: 'morph'; readonly body: number; readonly morph: number; readonly value: number }
  /** Makes a bone kinematic or dynamic. */
  | { readonly kind: 'hold'; readonly body: number; readonly bone: number; readonly hold: boolean };

/** A push on a body. */
export interface Push {
  readonly body: number;
  /** Where it acts [m]. */
  readonly point: Point;
  /** Force divided by the body's mass [m/s²]. */
  readonly force: Point;
}
