/** What a crowd is made of, what can be done to it, and what it tells. All of it is plain data that can be posted. */
import type { AnyNews, ErrorData } from '../../host/line/protocol.js';
import type { Vec3 } from '../../src/body/body-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import type { Certificate } from '../../src/world/world.js';
import type { ClipInfo, Quat } from '../protocol.js';

/** One of a crowd: which of the models it is, and where it is put. */
export interface CrowdPlace {
  readonly model: number;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** Everything a crowd is made of. */
export interface CrowdSpec {
  readonly models: readonly { readonly bytes: Uint8Array; readonly resources: ReadonlyMap<string, Uint8Array> }[];
  readonly members: readonly CrowdPlace[];
  readonly obstacles: readonly ObstacleDef[];
  readonly gravity?: Vec3;
  readonly dt?: number;
  /** Options of the layered solver. */
  readonly solver: Readonly<Record<string, number | boolean>>;
}

/** A model as it is drawn: its skin at rest, and who carries it. */
export interface CrowdModelInfo {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly triangles: Uint32Array;
  /** Four bones per vertex, and their weights. */
  readonly bones: Uint16Array;
  readonly weights: Float32Array;
  readonly uvs: Float32Array | undefined;
  /** Parts with one material each: first index, how many, and the number of the material in the file. */
  readonly groups: readonly { readonly start: number; readonly count: number; readonly material?: number }[];
  readonly boneNames: readonly string[];
  /** Node of the solver for each vertex. */
  readonly nodeOfVertex: Int32Array;
  readonly clips: readonly ClipInfo[];
  /** What was odd about the file and how it was taken. */
  readonly notes: readonly string[];
}

/** What does not change while a crowd runs. */
export interface CrowdInfo {
  /** Time step [s]. */
  readonly dt: number;
  readonly models: readonly CrowdModelInfo[];
  readonly members: readonly CrowdPlace[];
}

/** What can be done to one of a crowd. */
export type CrowdAction =
  | {
      readonly kind: 'play';
      readonly member: number;
      readonly clip: string;
      readonly speed: number;
      readonly at: number;
    }
  /** It keeps the pose it was in last, or hangs. */
  | { readonly kind: 'stop'; readonly member: number; readonly limp: boolean }
  | { readonly kind: 'reset' };

/** What comes with the numbers of a picture, which are quaternion and translation of every bone, member after member. */
export interface CrowdNews extends AnyNews {
  readonly certificate: Certificate;
  /** First dent of each member among all, and one more. */
  readonly dentStart: Int32Array;
  /** Nodes that are dented, and how far each is moved in the rest shape, 3 numbers each [m]. */
  readonly dentNodes: Int32Array;
  readonly dentOffsets: Float32Array;
  readonly fault?: ErrorData;
}

/** Numbers per bone in a picture. */
export const CROWD_POSE = 7;
