/** What was recorded of a simulation: plain data that every exporter takes, whoever recorded it. */
import type { Character } from '../character/character.js';
import type { GltfLook } from '../io/gltf/gltf-model.js';

/** States of a simulation, and what moved. */
export interface Take {
  readonly name: string;
  /** Since the first state, increasing [s]. */
  readonly times: readonly number[];
  readonly bodies: readonly TakeBody[];
  readonly obstacles: readonly TakeObstacle[];
  /** Where all that moves is one character from a file: what its motion goes back into. */
  readonly model?: TakeModel;
}

/** A take that also says what acted, for tables. */
export interface TakeWithForces extends Take {
  /** Joints of all bodies, in the order of their forces. */
  readonly joints: readonly TakeJoint[];
  /** One per state. */
  readonly forces: readonly TakeForces[];
}

/** A character whose skin, vertex by vertex, is the only body of a take. */
export interface TakeModel {
  readonly character: Character;
  /** Where the bones' centres of mass are at rest, 3 per bone [m]. */
  readonly centres: readonly number[];
}

/** A surface that changes its shape, with bones inside. */
export interface TakeBody {
  readonly name: string;
  /** Three vertices per triangle. */
  readonly triangles: Uint32Array;
  /** x,y,z per vertex, one array per state [m]. */
  readonly positions: readonly Float32Array[];
  /** x,y,z per vertex of unit length, one array per state. */
  readonly normals: readonly Float32Array[];
  readonly bones: readonly TakeBone[];
  readonly look: TakeLook;
  /** Where the body stands beside others, from where it was simulated [m]. */
  readonly offset: readonly [number, number, number];
}

/** A bone; it may hang on another one. */
export interface TakeBone {
  readonly name: string;
  /** Quaternion x,y,z,w and place, 7 per state [m]. */
  readonly poses: Float32Array;
}

/** A joint, by name. */
export interface TakeJoint {
  readonly body: string;
  readonly joint: string;
}

/** What acts in one state. */
export interface TakeForces {
  /** Of each joint on its first bone, 3 numbers [N]. */
  readonly joints: Float32Array;
  /** Place [m] and force [N] of each contact that pushes, 6 numbers; where bodies are drawn, their offsets included. */
  readonly contacts: Float32Array;
}

/** Something rigid that is not a bone. */
export interface TakeObstacle {
  readonly name: string;
  readonly positions: Float32Array;
  /** Three vertices per triangle; undefined where they come one after the other. */
  readonly triangles: Uint32Array | undefined;
  /** As those of a bone. */
  readonly poses: Float32Array;
}

/** What a surface is covered with. */
export interface TakeLook {
  /** u,v per vertex, one array per set. */
  readonly uvs: readonly Float32Array[];
  /** Red, green, blue per vertex (linear), where vertices have colours. */
  readonly colours?: Float32Array;
  /** Parts of the triangles with one material each, by its number in `gltf`. */
  readonly pieces: readonly TakePiece[];
  readonly gltf: GltfLook;
}

/** Part of the triangles. */
export interface TakePiece {
  /** Offset into the triangles' corners, and their number. */
  readonly start: number;
  readonly count: number;
  readonly material: number;
}

/** Numbers per pose. */
export const POSE = 7;

/** States are kept this far apart unless told otherwise, or as far as a step is long [s]. */
const INTERVAL = 1 / 30;
/** The most that is kept: files of more are no pleasure in any program. */
const MOST_STATES = 900;
const MOST_BYTES = 256e6;

/** Collects states after steps at equal times, until it is full. */
export class StateCollector {
  /** States that fit. */
  readonly room: number;
  readonly #every: number;
  #times: number[] = [];
  #states: Float32Array<ArrayBuffer>[] = [];
  #forces: TakeForces[] = [];

  /** `dt`: length of a step [s]; `length`: numbers per state. */
  constructor(dt: number, length: number) {
    this.#every = Math.max(1, Math.round(INTERVAL / dt));
    this.room = Math.max(2, Math.min(MOST_STATES, Math.floor(MOST_BYTES / (4 * length))));
  }

  get count(): number {
    return this.#states.length;
  }

  /** Whether the state after that many steps belongs into the recording. */
  wants(stepCount: number): boolean {
    return this.count < this.room && stepCount % this.#every === 0;
  }

  add(time: number, state: Float32Array<ArrayBuffer>, forces: TakeForces): void {
    this.#times.push(time);
    this.#states.push(state);
    this.#forces.push(forces);
  }

  /** Begins again. */
  clear(): void {
    this.#times = [];
    this.#states = [];
    this.#forces = [];
  }

  /** What was recorded, its times counted from the first state. */
  finish(): {
    readonly times: readonly number[];
    readonly states: readonly Float32Array<ArrayBuffer>[];
    readonly forces: readonly TakeForces[];
  } {
    return { times: this.#times.map((time) => time - this.#times[0]), states: this.#states, forces: this.#forces };
  }
}
