/**
 * Sleep: an island whose bodies have all stayed where they are for half a second is not solved any more, until something strikes one of its bodies, pulls at it, or takes away
 * what it lies on (`Waking`, `HeldForces`).
 *
 * Of a large heap a twentieth of the bodies may creep when it falls asleep: they stop where they are.
 */

import type { SampledShape } from '../../../collision/rigid/sampled-shape.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { JointBlocks } from '../rigid/joint-blocks.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { Islands } from '../rows/islands.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import type { SoftSides } from '../soft/soft-sides.js';
import { HeldForces } from './held-forces.js';
import { Stillness } from './stillness.js';
import { Waking } from './waking.js';

/** How long everything must stay where it is [s]. */
const PATIENCE = 0.5;
/** In a large heap somebody always creeps: this share of its bodies does not keep the others awake, unless faster than so many times the speed of sleep. */
const CREEPING = 0.05;
const CREEP = 4;

/** Which bodies sleep. */
export class Sleeping {
  /** 0 for bodies that are awake, else the number of the group they fell asleep with: its first body, plus one. */
  readonly group: Int32Array;
  /** How long each body has stayed [s]. */
  readonly #rest: Float64Array;
  readonly #still: Stillness;
  readonly #gravity = new Float64Array(3);
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  /** Distance that counts as having moved [m]; 0: nothing ever sleeps. */
  readonly #moved: number;
  readonly #waking: Waking;
  readonly #held: HeldForces;

  constructor(
    rigid: RigidBodies,
    sides: SoftSides,
    joints: JointBlocks,
    shapes: readonly SampledShape[],
    sleepSpeed: number,
  ) {
    const soft = sides.bodies;
    this.#rigid = rigid;
    this.#soft = soft;
    this.#moved = sleepSpeed * PATIENCE;
    const count = rigid.count + soft.count;
    this.group = new Int32Array(count);
    this.#rest = new Float64Array(this.isOn ? count : 0);
    this.#still = new Stillness(rigid, soft, shapes, this.isOn);
    this.#waking = new Waking(this.group, this.#rest, rigid, sides, joints, CREEP * sleepSpeed);
    this.#held = new HeldForces(this.group, rigid, soft, CREEP * sleepSpeed);
  }

  /** Whether anything may sleep. */
  get isOn(): boolean {
    return this.#moved > 0;
  }

  /** Bodies asleep. */
  get count(): number {
    let count = 0;
    for (let b = 0; b < this.group.length; b++) if (this.group[b] > 0) count++;
    return count;
  }

  get arrays(): readonly (Float64Array | Int32Array)[] {
    return [this.group, this.#rest, ...this.#still.arrays, this.#gravity, ...this.#held.arrays];
  }

  wakeAll(): void {
    this.group.fill(0);
    this.#rest.fill(0);
  }

  /** Puts islands to sleep that have rested long enough, before a step in substeps of h [s]; their velocities, next to nothing, become nothing. True where there are any. */
  fallAsleep({ count, body, bodyStart }: Islands, contacts: ContactList, h: number): boolean {
    let any = false;
    if (!this.isOn) return false;
    this.#held.begin(contacts, h);
    for (let i = 0; i < count; i++) {
      if (bodyStart[i] === bodyStart[i + 1] || !this.#isAtRest(body, bodyStart[i], bodyStart[i + 1])) continue;
      any = true;
      const leader = body[bodyStart[i]] + 1;
      for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) this.#lay(body[n], leader);
    }
    if (any) this.#held.note(contacts, this.#gravity, h);
    return any;
  }

  /** Whether bodies have stayed long enough, but for a few that creep. */
  #isAtRest(body: Int32Array, from: number, to: number): boolean {
    let moving = 0;
    for (let n = from; n < to; n++) {
      if (this.#rest[body[n]] >= PATIENCE) continue;
      moving++;
      if (moving > CREEPING * (to - from) || this.#still.speedOf(body[n]) > (CREEP * this.#moved) / PATIENCE)
        return false;
    }
    return true;
  }

  #lay(b: number, group: number): void {
    const { count, v, l } = this.#rigid;
    const soft = this.#soft;
    this.group[b] = group;
    this.#held.lay(b);
    if (b < count) {
      v.fill(0, b * 3, b * 3 + 3);
      l.fill(0, b * 3, b * 3 + 3);
    } else soft.v.fill(0, soft.firstVertex[b - count] * 3, soft.firstVertex[b - count + 1] * 3);
  }

  /** After a step of dt [s]: who has moved, and who has stayed. */
  watch(dt: number): void {
    if (!this.isOn) return;
    const { count, inverseMass } = this.#rigid;
    for (let b = 0; b < this.group.length; b++) {
      if (this.group[b] > 0 || (b < count && inverseMass[b] === 0)) continue;
      if (this.#still.movedBy(b) <= this.#moved) {
        this.#rest[b] += dt;
        continue;
      }
      this.#rest[b] = 0;
      this.#still.note(b);
    }
  }

  /** Wakes whatever forces, motors, other hands or another gravity act on. True where anybody woke. */
  wakeDriven(gravity: Float64Array, contacts: ContactList): boolean {
    if (!this.isOn) return false;
    this.#waking.callDriven();
    for (let k = 0; k < 3; k++) {
      if (this.#gravity[k] !== gravity[k]) this.wakeAll();
      this.#gravity[k] = gravity[k];
    }
    return this.#waking.wake(contacts);
  }

  /** Wakes who is about to be struck by something that is awake in a substep of h [s], or has something near it that others send. True where anybody woke. */
  wakeStruck(contacts: ContactList, movable: Uint8Array, boxes: Float64Array, h: number): boolean {
    if (!this.isOn) return false;
    this.#waking.callStruck(contacts, movable, h);
    for (let m = 0; m < this.#rigid.count; m++) {
      if (movable[m] === 1 || this.group[m] > 0 || !this.isSent(m)) continue;
      this.#waking.callBeside(boxes, m);
    }
    return this.#waking.wake(contacts);
  }

  /** After a substep of h [s]: wakes those whose neighbours no longer hold or press them as when they fell asleep. True where anybody woke. */
  wakeUnbalanced(contacts: ContactList, h: number): boolean {
    if (!this.isOn || !this.#held.follow(contacts, h)) return false;
    for (let b = 0; b < this.group.length; b++) if (this.#held.isUnbalanced(b)) this.#waking.call(b);
    return this.#waking.wake(contacts);
  }

  /** Whether everybody sleeps and nothing is on its way to them. */
  isAllQuiet(movable: Uint8Array): boolean {
    if (!this.isOn) return false;
    for (let b = 0; b < movable.length; b++) {
      if (movable[b] === 1 || (b < this.#rigid.count && this.isSent(b))) return false;
    }
    return true;
  }

  /** Whether rigid body b, which nothing pushes, is on its way somewhere. */
  isSent(b: number): boolean {
    const { v, l, inverseMass } = this.#rigid;
    if (inverseMass[b] > 0 || this.group[b] > 0) return false;
    for (let k = b * 3; k < b * 3 + 3; k++) if (v[k] !== 0 || l[k] !== 0) return true;
    return false;
  }
}
