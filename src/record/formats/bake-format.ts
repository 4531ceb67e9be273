/** What a baked motion consists of, and what a file format makes of it: bytes, frame by frame where the format allows it. */
import type { Character } from '../../character/character.js';
import type { ObstacleDef } from '../../collision/obstacles/obstacle-def.js';

/** What does not change from frame to frame. */
export interface BakeInfo {
  readonly name: string;
  /** Frames per second. */
  readonly fps: number;
  /** Number of the first frame: 0 unless a run was resumed. */
  readonly firstFrame: number;
  readonly vertexCount: number;
  /** Three vertices per triangle, anticlockwise from outside. */
  readonly triangles: ArrayLike<number>;
  /** Names, in the order of `poses` and of `jointForces`. */
  readonly bones: readonly { readonly body: string; readonly bone: string }[];
  readonly joints: readonly { readonly body: string; readonly joint: string }[];
  /** Where each body's vertices, triangles and bones are among all of them. */
  readonly parts: readonly BakePart[];
  /** Where the bones' centres of mass are at rest, 3 per bone [m]. */
  readonly centres: ArrayLike<number>;
  /** What bodies may run into; those in the order of a frame's `obstacles`. */
  readonly obstacles: readonly ObstacleDef[];
  /** The character whose skin is baked. */
  readonly character?: Character;
}

/** A body in a bake. */
export interface BakePart {
  readonly name: string;
  readonly vertexStart: number;
  readonly vertexCount: number;
  /** Offset into the triangles' corners, and their number. */
  readonly cornerStart: number;
  readonly cornerCount: number;
  readonly boneStart: number;
  readonly boneCount: number;
}

/** One frame. Arrays belong to whoever made it and may be refilled for the next one. */
export interface BakeFrame {
  /** [s] */
  readonly time: number;
  /** x,y,z per vertex [m]. */
  readonly positions: ArrayLike<number>;
  /** Quaternion x,y,z,w and place of the centre of mass [m] of each bone, 7 numbers. */
  readonly poses: ArrayLike<number>;
  /** Force of each joint on its first bone, 3 numbers [N]. */
  readonly jointForces: ArrayLike<number>;
  /** Place [m] and force [N] of each contact that pushes, 6 numbers. */
  readonly contacts: ArrayLike<number>;
  /** Quaternion x,y,z,w and place of each obstacle [m], 7 numbers. */
  readonly obstacles: ArrayLike<number>;
}

/** A format that holds all frames in one file: what comes before them is only known when there are no more. */
export interface StreamFormat {
  readonly kind: 'stream';
  header(info: BakeInfo, times: readonly number[]): Uint8Array;
  frame(info: BakeInfo, frame: BakeFrame, index: number): Uint8Array;
  footer(info: BakeInfo): Uint8Array;
}

/** A format that has a file for every frame. */
export interface SequenceFormat {
  readonly kind: 'sequence';
  file(info: BakeInfo, frame: BakeFrame): Uint8Array;
}

/** A frame that is kept until the end. */
export interface KeptFrame {
  readonly time: number;
  readonly positions: Float32Array;
  readonly poses: Float32Array;
  readonly obstacles: Float32Array;
}

/** How formats that look at all frames write them. */
export interface WholeOptions {
  /** Flesh as this many helper joints instead of morph targets. */
  readonly helpers?: number;
}

/** A format that needs all frames before it can write any. */
export interface WholeFormat {
  readonly kind: 'whole';
  /** The file, and what there is to say about it. */
  file(
    info: BakeInfo,
    frames: readonly KeptFrame[],
    options: WholeOptions,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly note: string }>;
}

/** How frames become bytes. */
export type BakeFormat = StreamFormat | SequenceFormat | WholeFormat;

/** Nothing. */
export const NO_BYTES = new Uint8Array(0);
