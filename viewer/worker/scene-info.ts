/** What the page knows of a scene and of each of its pictures. Plain data. */

import type { BodyInside, BodyInfo as DrawnBody } from '../../host/frames/body-info.js';
import type { AnyNews } from '../../host/line/protocol.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import type { BoneMethod, Certificate } from '../../src/index.js';
import type { GltfLook } from '../../src/io/gltf/gltf-model.js';
import type { TakeForces, TakeJoint, TakeModel } from '../../src/record/take.js';
import type { LearningNews } from './learn/learner.js';
import type { LimitInfo } from './limit-settings.js';
import type { Settings } from './protocol.js';

/** A scene as the gallery lists it. */
export interface SceneTitle {
  readonly name: string;
  readonly description: string;
  readonly shelf: 'characters' | 'tests';
}

export type Point = readonly [number, number, number];

/** Everything about a scene that does not change while it runs. */
export interface SceneInfo {
  readonly name: string;
  readonly description: string;
  /** Kind of its solver. */
  readonly solver: string;
  /** Bodies of all lanes, lane by lane. */
  readonly bodies: readonly BodyInfo[];
  readonly lanes: readonly LaneInfo[];
  readonly obstacles: readonly ObstacleInfo[];
  readonly settings: Settings;
  /** Those of them that the scene's solver does not know. */
  readonly idleSettings: readonly (keyof Settings)[];
  /** What the scene runs with unless told otherwise. */
  readonly usualSettings: Settings;
  /** Time step [s]. */
  readonly dt: number;
  /** Threads at work; fewer than asked for where memory cannot be shared. */
  readonly threads: number;
  /** What was odd about the files and how it was taken. */
  readonly notes: readonly string[];
  /** Motions of the character; none for a scene of the gallery. */
  readonly clips: readonly ClipInfo[];
  /** Joints that have limits or could have some. */
  readonly limits: readonly LimitInfo[];
  /** Whether there is something to learn in it. */
  readonly teaches: boolean;
  /** Sum of all masses of one lane [kg]. */
  readonly totalMass: number;
  readonly tetCount: number;
  readonly stage: StageInfo;
  /** How long building took [ms]. */
  readonly buildMs: number;
}

/** A motion that can be played. */
export interface ClipInfo {
  readonly name: string;
  /** Length [s]. */
  readonly duration: number;
}

/** Where things are at the start, for the camera and the floor. */
export interface StageInfo {
  /** From the first to the last of the worlds beside each other, along x [m]. */
  readonly spread: number;
  /** Corners of the box of one world that the camera should show [m]. */
  readonly low: Point;
  readonly high: Point;
  /** True where a ball that keeps everything in fills this box. */
  readonly round: boolean;
  /** Height of the floor; undefined where bodies fall for ever [m]. */
  readonly floor: number | undefined;
  /** Whether nothing can be below the floor, or it is only drawn there. */
  readonly solid: boolean;
  /** True where nothing holds a body, no floor is near below it and no container around it: the camera follows. */
  readonly free: boolean;
}

/** One of the worlds beside each other. */
export interface LaneInfo {
  readonly bones: BoneMethod;
  /** Where its bodies are drawn, from where they are [m]. */
  readonly offset: Point;
}

/** A body to draw, inside and outside. */
export interface BodyInfo extends DrawnBody {
  readonly lane: number;
  /** Name of the body's description: which of the cast it is. */
  readonly character: string;
  /** How much of the sky each vertex sees, 0 to 1. */
  readonly sky: Float32Array;
  readonly inside: BodyInside;
  /** What the drawn surface is covered with, where it came with pictures or colours of its own. */
  readonly look: SkinLook | undefined;
}

/** Pictures and colours of a skin. */
export interface SkinLook {
  /** u,v per vertex. */
  readonly uvs: Float32Array;
  readonly pieces: readonly SkinPiece[];
  /** All of it as the file had it, and u,v per vertex for each of its sets: for recordings. */
  readonly gltf: GltfLook;
  readonly uvSets: readonly Float32Array[];
}

/** Part of the triangles with a look of its own. */
export interface SkinPiece {
  /** Offset into the triangles' corners, and their number. */
  readonly start: number;
  readonly count: number;
  /** Index into `gltf.materials`. */
  readonly material: number | undefined;
  /** Red, green, blue as light adds up (linear); undefined for plain flesh. */
  readonly colour: Point | undefined;
  /** True where every triangle is flat. */
  readonly flat: boolean;
  /** An encoded picture. */
  readonly picture: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined;
}

/** An obstacle to draw. */
export interface ObstacleInfo {
  readonly lane: number;
  readonly shape: ObstacleDef['shape'];
  /** A plane that faces up: drawn as the floor. */
  readonly level: boolean;
}

/** How one lane is doing. */
export interface LaneReport {
  readonly certificate: Certificate;
  /** Kinetic energy [J]. */
  readonly kinetic: number;
  /** Elastic energy, measured a few times a second while it is wanted [J]. */
  readonly elastic?: number | undefined;
  /** Longest edge of any body's flesh, in lengths at rest: after the last step, and the most after any since the start. */
  readonly stretch: number;
  readonly mostStretch: number;
  /** Milliseconds per step, over the steps of this frame; 0 without any. */
  readonly stepMs: number;
  /** What went wrong in the last step. */
  readonly fault: string | undefined;
}

/** Faces of a body that is cut open. */
export interface CutShape {
  /** x,y,z of three corners per face [m]. */
  readonly corners: Float32Array;
  /** 1 for faces of bones. */
  readonly bone: Uint8Array;
}

/** States of a simulation at equal times. */
export interface Recording {
  /** Since the first state [s]. */
  readonly times: readonly number[];
  /** As frame-layout.ts lays them out. */
  readonly states: readonly Float32Array<ArrayBuffer>[];
  /** What joints and contacts bore in each state, and the joints' names. */
  readonly forces: readonly TakeForces[];
  readonly joints: readonly TakeJoint[];
  /** The character that came from a file, where that is all there is. */
  readonly model?: TakeModel | undefined;
}

/** How the simulation is doing, with every picture. */
export interface FrameNews extends AnyNews {
  readonly lanes: readonly LaneReport[];
  /** Where the grabbed point is, while something is grabbed. */
  readonly grabbed: Point | undefined;
  /** Where pinned points are, x,y,z each [m]. */
  readonly pins: Float32Array;
  /** Place and force of contacts, 6 numbers each [m, N], while they are shown. */
  readonly contacts: Float32Array | undefined;
  /** Every body cut open, while that is shown. */
  readonly cuts: readonly CutShape[] | undefined;
  /** States recorded so far, and how many fit; undefined while nothing is recorded. */
  readonly recorded: { readonly count: number; readonly room: number } | undefined;
  /** How far the lesson is, while something is learned. */
  readonly learning: LearningNews | undefined;
}

/** One picture: numbers in one array (see frame-layout.ts), which are only there while it is shown, and news. */
export interface Frame extends FrameNews {
  readonly buffer: Float32Array;
  /** Steps that were due since the start but left out to keep up. */
  readonly dropped: number;
}
