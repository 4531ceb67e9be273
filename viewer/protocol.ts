/** What the page and the simulation worker say to each other. Everything here is plain data. */
import type { ObstacleDef } from '../src/collision/obstacle.js';
import type { Certificate, WorldOptions } from '../src/index.js';

/** A scene as the gallery lists it. */
export interface SceneTitle {
  readonly name: string;
  readonly description: string;
}

/** What the panel can change. `bones` needs a new world; the rest changes while it runs. */
export interface Settings {
  readonly iterations: number;
  readonly bones: NonNullable<WorldOptions['bones']>;
  readonly integrator: NonNullable<WorldOptions['integrator']>;
  /** Gravitational acceleration along y [m/s²]. */
  readonly gravity: number;
}

/** From the page to the worker. */
export type Command =
  | { readonly kind: 'load'; readonly scene: string; readonly load: number; readonly settings: Partial<Settings> }
  | { readonly kind: 'set'; readonly settings: Settings }
  | { readonly kind: 'reset' }
  | { readonly kind: 'grab'; readonly body: number; readonly point: Point }
  | { readonly kind: 'move'; readonly target: Point }
  | { readonly kind: 'release' }
  /** Answered by one frame, written into `buffer` when it has the right size. */
  | {
      readonly kind: 'advance';
      /** Time since the last frame, slow motion counted in; 0 while paused [s]. */
      readonly elapsed: number;
      /** Steps to take on top of what the time asks for. */
      readonly steps: number;
      /** Show the state itself, not one between the last two. */
      readonly exact: boolean;
      readonly buffer: Float32Array<ArrayBuffer>;
    };

/** From the worker to the page. */
export type Answer =
  | { readonly kind: 'scenes'; readonly scenes: readonly SceneTitle[] }
  | { readonly kind: 'loaded'; readonly load: number; readonly info: SceneInfo }
  | { readonly kind: 'frame'; readonly load: number; readonly frame: Frame }
  | { readonly kind: 'failed'; readonly load: number; readonly message: string };

export type Point = readonly [number, number, number];

/** Everything about a scene that does not change while it runs. */
export interface SceneInfo {
  readonly name: string;
  readonly description: string;
  readonly bodies: readonly BodyInfo[];
  readonly obstacles: readonly ObstacleInfo[];
  readonly settings: Settings;
  /** What the scene runs with unless told otherwise. */
  readonly usualSettings: Settings;
  /** Time step [s]. */
  readonly dt: number;
  /** Sum of all masses [kg]. */
  readonly totalMass: number;
  readonly tetCount: number;
  readonly stage: StageInfo;
  /** How long building took [ms]. */
  readonly buildMs: number;
}

/** Where things are at the start, for the camera and the floor. */
export interface StageInfo {
  /** Corners of the box the camera should show [m]. */
  readonly low: Point;
  readonly high: Point;
  /** Height of the floor; undefined where bodies fall for ever [m]. */
  readonly floor: number | undefined;
  /** True where nothing holds a body and no floor is below: the camera follows. */
  readonly free: boolean;
}

/** A body to draw. Vertices are those of the drawn surface: split where it has an edge or changes from flesh to bone. */
export interface BodyInfo {
  readonly name: string;
  readonly vertexCount: number;
  /** Three vertices per triangle. */
  readonly triangles: Uint32Array;
  /** Bone of each vertex, -1 for flesh. */
  readonly boneOfVertex: Int32Array;
  readonly bones: readonly BoneInfo[];
  /** Number of pairs of bones (or bone and world) held together. */
  readonly jointCount: number;
}

/** An obstacle to draw. */
export interface ObstacleInfo {
  readonly shape: ObstacleDef['shape'];
  /** A plane that faces up: drawn as the floor. */
  readonly level: boolean;
}

/** A bone as a solid, about its centre of mass; empty where its vertices enclose no tet. */
export interface BoneInfo {
  readonly name: string;
  readonly positions: Float32Array;
  readonly triangles: Uint32Array;
}

/** One picture: numbers in one array (see frame-layout.ts) and how the simulation is doing. */
export interface Frame {
  readonly buffer: Float32Array<ArrayBuffer>;
  readonly stepCount: number;
  /** Simulated time [s]. */
  readonly time: number;
  /** Steps taken for this frame. */
  readonly steps: number;
  /** Steps that were due since the start but left out to keep up. */
  readonly dropped: number;
  /** Milliseconds per step, over the steps of this frame; 0 without any. */
  readonly stepMs: number;
  readonly certificate: Certificate;
  /** Where the grabbed point is, while something is grabbed. */
  readonly grabbed: Point | undefined;
  /** What went wrong in the last step. */
  readonly fault: string | undefined;
}
