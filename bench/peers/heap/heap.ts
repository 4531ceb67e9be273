/**
 * The rigid bodies of the pile of [Shinar2008, Fig. 6] as every engine is given them: balls, rods joined to loops of six, rings; and the ruler that all are measured
 * by: the deepest any two of them are in each other, found from their poses alone. Flesh: heap-flesh.ts.
 */
import { buildPile1600Scene } from '../../../scenes/coupled/pile-1600.js';
import type { RigidBodyDef, RigidShape } from '../../../src/body/kinds/rigid-def.js';
import { multiplyQuat, normaliseQuat, rotateVec3 } from '../../../src/math/quat.js';
import type { CoreRigid } from '../../../src/solvers/coupled/core-scene.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { buildFlesh, type HeapFlesh } from './heap-flesh.js';

/** A rigid body where it starts. */
export interface HeapPart {
  readonly shape: RigidShape;
  readonly position: readonly number[];
  readonly rotation: readonly number[];
  /** Of a loop: which one (from 1 on), and which of its six rods. */
  readonly loop: number;
  readonly rod: number;
}

/** A ball joint between two parts, at `anchors` from their middles in their own frames. */
export interface HeapJoint {
  readonly parts: readonly [number, number];
  readonly place: readonly number[];
  readonly anchors: readonly [readonly number[], readonly number[]];
}

/** All of it. Density and friction are the same for all. */
export interface Heap {
  readonly parts: readonly HeapPart[];
  readonly joints: readonly HeapJoint[];
  readonly pegs: readonly {
    readonly radius: number;
    readonly halfLength: number;
    readonly position: readonly number[];
  }[];
  /** Soft balls and rings; none where only rigid bodies are wanted. */
  readonly flesh: readonly HeapFlesh[];
}

export const DENSITY = 1000;
export const FRICTION = 0.5;
export const FLOOR_FRICTION = 0.6;
export const PEG_FRICTION = 0.4;

/** Where the parts are after a frame: positions and quaternions; and the vertices of each soft body. */
export interface HeapPoses {
  readonly positions: Float64Array;
  readonly rotations: Float64Array;
  readonly flesh: readonly Float64Array[];
}

/** The pile in an engine. */
export interface HeapRun {
  readonly name: string;
  /** One frame of 1/60 s. */
  step(): void;
  read(poses: HeapPoses): void;
  dispose(): void;
}

/** The pile with `each` of balls, loops and rings, and with `soft` as many balls and rings of flesh. */
export function buildHeap(each: number, soft = false): Heap {
  const scene = buildPile1600Scene({ each, soft });
  const { bodies, obstacles } = scene;
  const parts: HeapPart[] = [];
  const joints: HeapJoint[] = [];
  let loops = 0;
  for (const { body, position = [0, 0, 0], rotation } of bodies) {
    if (!('kind' in body) || body.kind !== 'rigid') continue;
    const def: RigidBodyDef = body;
    const first = parts.length;
    const turn = unit(rotation ?? [0, 0, 0, 1]);
    const isLoop = def.parts.length > 1;
    if (isLoop) loops++;
    def.parts.forEach((part, rod) => {
      const at = turned(turn, part.position ?? [0, 0, 0]).map((value, k) => value + position[k]);
      const both = new Float64Array(4);
      multiplyQuat(both, 0, turn, 0, unit(part.rotation ?? [0, 0, 0, 1]), 0);
      parts.push({ shape: part.shape, position: at, rotation: [...both], loop: isLoop ? loops : 0, rod });
    });
    for (const { bones, anchor = [0, 0, 0] } of def.joints ?? []) {
      const place = turned(turn, anchor).map((value, k) => value + position[k]);
      const pair = bones.map((name) => first + def.parts.findIndex((part) => part.name === name)) as [number, number];
      const anchors = pair.map((part) => inside(parts[part], place)) as [number[], number[]];
      joints.push({ parts: pair, place, anchors });
    }
  }
  const pegs = (obstacles ?? []).flatMap(({ shape, position = [0, 0, 0] }) =>
    shape.kind === 'capsule' ? [{ radius: shape.radius, halfLength: shape.halfLength, position }] : [],
  );
  return { parts, joints, pegs, flesh: buildFlesh(scene, unit) };
}

/** Measures poses: every engine's by the same shapes and the same search. */
export class HeapRuler {
  readonly #core: CoupledCore;
  readonly #count: number;

  constructor({ parts, joints, pegs }: Heap) {
    this.#count = parts.length;
    const fixed = { mass: 0, inertia: [], inverseInertia: [], rotation: [0, 0, 0, 1] };
    const one = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const rigid: CoreRigid[] = [
      ...parts.map(({ shape, position }) => ({ mass: 1, inertia: one, inverseInertia: one, position, shape })),
      { ...fixed, position: [0, 0, 0], shape: { kind: 'plane' } },
      ...pegs.map(({ radius, halfLength, position }) => ({
        ...fixed,
        position,
        shape: { kind: 'capsule', radius, halfLength } as const,
      })),
    ];
    const joined = joints.map(({ parts: [a, b], anchors }) => ({
      type: 'ball' as const,
      a,
      b,
      anchorA: Float64Array.from(anchors[0]),
      anchorB: Float64Array.from(anchors[1]),
      axisA: Float64Array.of(1, 0, 0),
      axisB: Float64Array.of(1, 0, 0),
      relative: Float64Array.of(0, 0, 0, 1),
    }));
    this.#core = new CoupledCore({ rigid, joints: joined });
  }

  /** Deepest of all pairs, and widest joint [m]; bodies that have left. */
  measure({ positions, rotations }: Omit<HeapPoses, 'flesh'>): { deepest: number; gap: number; lost: number } {
    const { rigid, search, contacts, movable, joints } = this.#core;
    let lost = 0;
    for (let b = 0; b < this.#count; b++) {
      for (let k = 0; k < 3; k++) rigid.x[b * 3 + k] = positions[b * 3 + k];
      for (let k = 0; k < 4; k++) rigid.q[b * 4 + k] = rotations[b * 4 + k];
      rigid.refresh(b);
      if (!(positions[b * 3 + 1] > -0.5)) lost++;
    }
    search.find(contacts, movable, [0, 0, 0], 1 / 60);
    let deepest = 0;
    for (let c = 0; c < contacts.count; c++) deepest = Math.max(deepest, -contacts.gap[c]);
    return { deepest, gap: joints.largestGap(rigid), lost };
  }
}

/** Capsules that make up a ring about y, for engines without one: middle, direction and half length of each. */
export function ringPieces(radius: number, count = 16) {
  const half = radius * Math.tan(Math.PI / count);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    // half a turn about the middle between y and the tangent takes one to the other
    const rotation = [-s * Math.SQRT1_2, Math.SQRT1_2, c * Math.SQRT1_2, 0];
    return { position: [radius * c, 0, radius * s], rotation, halfLength: half };
  });
}

function unit(rotation: ArrayLike<number>): Float64Array {
  const out = new Float64Array(4);
  normaliseQuat(out, 0, rotation, 0);
  return out;
}

function turned(turn: ArrayLike<number>, v: ArrayLike<number>): number[] {
  const out = new Float64Array(3);
  rotateVec3(out, 0, turn, 0, v, 0);
  return [...out];
}

/** A place of the world in the frame of a part. */
function inside({ position, rotation: [x, y, z, w] }: HeapPart, place: readonly number[]): number[] {
  return turned(
    [-x, -y, -z, w],
    place.map((value, k) => value - position[k]),
  );
}
