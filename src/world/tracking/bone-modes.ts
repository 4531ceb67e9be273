/**
 * What each bone of a tracked body does, and how it goes from one to the other without a jump: weights move over a time, and a bone that becomes
 * kinematic starts where it is and is brought to its way over the same time.
 */
import { requireInRange, TendonError } from '../../errors.js';
import { conjugateQuat, multiplyQuat, normaliseQuat } from '../../math/quat.js';
import { setBoneKinematic } from '../bone-control.js';
import type { World, WorldBody } from '../world.js';

/** What a bone does: goes exactly where it is sent, is led there, or hangs. */
export type BoneMode = 'kinematic' | 'tracked' | 'limp';

const MODES: readonly BoneMode[] = ['kinematic', 'tracked', 'limp'];
const POSE = 7;
/** A way from one mode to another [s]. */
interface Way {
  readonly began: number;
  readonly length: number;
  readonly from: number;
}

/** Modes of one body's bones. */
export class BoneModes {
  readonly #world: World;
  readonly #body: WorldBody;
  readonly #modes: BoneMode[];
  /** Weight of a tracked bone once it has arrived. */
  readonly #weights: Float64Array;
  readonly #ways: Way[];
  /** How far a kinematic bone was from its way when it began: quaternion and shift [m], 7 per bone. */
  readonly #offsets: Float64Array;
  readonly #q = new Float64Array(4);

  constructor(world: World, body: WorldBody) {
    const { count } = body.model.bones;
    this.#world = world;
    this.#body = body;
    this.#modes = Array.from({ length: count }, (_, bone) => (body.state.kinematic[bone] ? 'kinematic' : 'tracked'));
    this.#weights = new Float64Array(count).fill(1);
    this.#ways = Array.from({ length: count }, () => ({ began: 0, length: 0, from: 1 }));
    this.#offsets = new Float64Array(count * POSE);
  }

  mode(bone: number): BoneMode {
    return this.#modes[bone];
  }

  /** Sets what a bone does, arrived at after `blend` [s]. `last`: where the motion had the bones when they were last sent. */
  set(bone: number, mode: BoneMode, weight: number, blend: number, last: Float64Array): void {
    if (!(bone in this.#modes))
      throw new TendonError('E_INDEX', 'track/bone', bone, `the body has ${this.#body.model.bones.count} bones`);
    if (!MODES.includes(mode)) throw new TendonError('E_UNKNOWN', 'track/mode', mode, `use ${MODES.join(', ')}`);
    const to = mode === 'limp' ? 0 : requireInRange(weight, 0, 1, 'track/weight');
    requireInRange(blend, 0, 1e6, 'track/blend');
    const was = this.#modes[bone];
    const from = was === 'kinematic' ? 1 : this.weight(bone, this.#world.time);
    this.#ways[bone] = { began: this.#world.time, length: blend, from };
    this.#weights[bone] = to;
    this.#modes[bone] = mode;
    if ((was === 'kinematic') === (mode === 'kinematic')) return;
    setBoneKinematic(this.#body, bone, mode === 'kinematic');
    if (mode === 'kinematic') this.#keepOffset(bone, last);
  }

  /** Weight of a bone at a time [s], on the way from the one before. */
  weight(bone: number, time: number): number {
    const from = this.#ways[bone].from;
    return from + this.#share(bone, time) * (this.#weights[bone] - from);
  }

  /** Sends a kinematic bone to its pose at a time [s], or on the way there. */
  send(bone: number, poses: Float64Array, time: number): void {
    const { boneTargets } = this.#body.state;
    const o = bone * POSE;
    for (let k = 0; k < POSE; k++) boneTargets[o + k] = poses[o + k];
    const left = 1 - this.#share(bone, time);
    if (left === 0) return;
    const q = this.#q;
    // a share of the turn between: straight, and made a unit quaternion again
    for (let k = 0; k < 3; k++) q[k] = left * this.#offsets[o + k];
    q[3] = 1 + left * (this.#offsets[o + 3] - 1);
    normaliseQuat(q, 0, q, 0);
    multiplyQuat(boneTargets, o, q, 0, boneTargets, o);
    for (let k = 4; k < POSE; k++) boneTargets[o + k] += left * this.#offsets[o + k];
  }

  /** Whether a kinematic bone is not yet where the motion has it. */
  isOnWay(bone: number, time: number): boolean {
    return this.#modes[bone] === 'kinematic' && this.#share(bone, time) < 1;
  }

  /** How much of the way a bone has gone, 0 to 1, without a jump in speed. */
  #share(bone: number, time: number): number {
    const { began, length } = this.#ways[bone];
    // a world that was put back to its start has arrived
    const t = length > 0 && time >= began ? Math.min(1, (time - began) / length) : 1;
    return t * t * (3 - 2 * t);
  }

  #keepOffset(bone: number, last: Float64Array): void {
    const { quats, translations } = this.#body.state.poses;
    const o = bone * POSE;
    conjugateQuat(this.#q, 0, last, o);
    multiplyQuat(this.#offsets, o, quats, bone * 4, this.#q, 0);
    const sign = this.#offsets[o + 3] < 0 ? -1 : 1;
    for (let k = 0; k < 4; k++) this.#offsets[o + k] *= sign;
    for (let k = 0; k < 3; k++) this.#offsets[o + 4 + k] = translations[bone * 3 + k] - last[o + 4 + k];
  }
}
