/**
 * Conjugate gradients over the held rows of an island, joints and contacts together: sweeps find out which contacts push and which
 * slide, but take forever to hand a load through a stack or through light bodies between heavy ones. Every direction is a push
 * along the rows, so momentum is kept at any number of steps [Shinar2008 §7.3: the projection M-orthogonal to the rows].
 *
 * A contact that comes to pull, or to the edge of its cone, ends the direction: it is let go, and the search starts again.
 */
import { blockVelocity } from '../rigid/joint-algebra.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { HeldRows } from './held-rows.js';
import type { RowSystem } from './row-system.js';

/** Curvature, as a share of what the rows would have alone, below which a direction leads nowhere. */
const FLAT = 1e-9;

/** Solves for the impulses of held rows; the velocities follow. */
export class IslandGradients {
  readonly #system: RowSystem;
  readonly held: HeldRows;
  /** What is left [m/s], the direction of search [N s] and how far it moves the rows [m/s], 3 per held row. */
  readonly #left: Float64Array;
  readonly #direction: Float64Array;
  readonly #reach: Float64Array;
  readonly #next = new Float64Array(3);
  readonly #u = new Float64Array(3);
  /** What the direction makes of rigid bodies and of slots [m/s, rad/s], and its impulses on slots [N s]. */
  readonly #twist: Float64Array;
  readonly #slots: Float64Array;
  readonly #impulse: Float64Array;
  /** The bodies of the island: rigid ones first, then soft. */
  #bodies: Int32Array = new Int32Array(0);
  #from = 0;
  #to = 0;
  /** What is left, squared, in the metric of the rows alone [J], and the largest there was. */
  readonly #size = new Float64Array(1);
  /** The curvature along the direction [J], and how much of it is taken: handed over as numbers, they would be boxed. */
  readonly #curvature = new Float64Array(1);
  readonly #length = new Float64Array(1);
  /** What it would be of one row alone, and the work of the push it wishes for [J]. */
  readonly #alone = new Float64Array(1);
  readonly #work = new Float64Array(1);
  /** Share of the direction before that the next one keeps. */
  readonly #keep = new Float64Array(1);

  constructor(system: RowSystem, capacity: number) {
    this.#system = system;
    this.held = new HeldRows(system, capacity);
    this.#left = new Float64Array(capacity * 3);
    this.#direction = new Float64Array(capacity * 3);
    this.#reach = new Float64Array(capacity * 3);
    this.#twist = new Float64Array(system.rigid.velocity.length);
    this.#slots = new Float64Array(system.soft.velocity.length);
    this.#impulse = new Float64Array(system.soft.velocity.length);
  }

  /**
   * At most `steps` steps over the bodies bodies[from..to), until what is left [J] has fallen to the share `enough`, or no
   * row can lack more than `still` [m/s]; returns the steps taken. The rows are listed already.
   */
  run(bodies: Int32Array, from: number, to: number, steps: number, enough: number, still: number): number {
    const { held } = this;
    this.#bodies = bodies;
    this.#from = from;
    this.#to = to;
    this.#start();
    const goal = Math.max(enough * this.#size[0], still * still * held.lightest());
    let step = 0;
    let fresh = true;
    while (step < steps) {
      // what is left is carried along from step to step, with rounding: at the end it is looked at again
      if (this.#size[0] <= goal) {
        if (fresh) break;
        this.#start();
        fresh = true;
        continue;
      }
      step++;
      this.#measureReach();
      if (this.#curvature[0] === 0) break;
      fresh = false;
      const whole = this.#size[0] / this.#curvature[0];
      held.measureRoom(this.#direction);
      this.#length[0] = Math.min(whole, held.room[0]);
      const before = this.#size[0];
      this.#take();
      if (this.#length[0] < whole) {
        held.letGo();
        this.#start();
      } else {
        this.#keep[0] = this.#size[0] / before;
        this.#turn();
      }
    }
    return step;
  }

  #start(): void {
    const { held } = this;
    for (let n = 0; n < held.count; n++) held.readLeft(n, this.#left);
    this.#direction.fill(0, 0, held.count * 3);
    this.#keep[0] = 0;
    this.#turn();
  }

  /** How far the direction moves the rows, and the curvature along it (0: as good as none). */
  #measureReach(): void {
    const { held } = this;
    const reach = this.#reach;
    const direction = this.#direction;
    this.#respond();
    let curvature = 0;
    let alone = 0;
    for (let n = 0; n < held.count; n++) {
      if (n < held.blockCount) this.#reachOfBlock(n);
      else this.#reachOfContact(n);
      for (let i = n * 3; i < n * 3 + 3; i++) curvature += direction[i] * reach[i];
      this.#measureAlone(n);
      alone += this.#alone[0];
    }
    this.#curvature[0] = curvature > FLAT * alone ? curvature : 0;
  }

  /** What the bodies of the island make of the direction. */
  #respond(): void {
    const { held } = this;
    const system = this.#system;
    const { rigid, soft } = system;
    const next = this.#next;
    for (let m = this.#from; m < this.#to; m++) {
      const b = this.#bodies[m];
      const s = b - rigid.count;
      if (s < 0) this.#twist.fill(0, b * TWIST, (b + 1) * TWIST);
      else {
        const first = soft.bodies.firstVertex[s];
        this.#impulse.fill(0, first * 3, (first + soft.slotCount[s]) * 3);
        system.creatures?.forget(s);
      }
    }
    for (let n = 0; n < held.count; n++) {
      for (let k = 0; k < 3; k++) next[k] = this.#direction[n * 3 + k];
      if (n < held.blockCount) system.pushBlock(held.row[n], next, this.#twist);
      else system.notePush(held.row[n], next, this.#twist, this.#impulse);
    }
    for (let m = this.#from; m < this.#to; m++) {
      const s = this.#bodies[m] - rigid.count;
      if (s < 0) continue;
      soft.tables.answerAll(s, this.#impulse, this.#slots);
      system.creatures?.respond(s, this.#twist);
    }
  }

  /** reach = P u + c d. */
  #reachOfBlock(n: number): void {
    const { joints } = this.#system;
    const row = this.held.row[n];
    const u = this.#u;
    blockVelocity(joints, this.#twist, row, u);
    for (let k = 0; k < 3; k++) {
      const p = row * 9 + k * 3;
      const along = joints.projector[p] * u[0] + joints.projector[p + 1] * u[1] + joints.projector[p + 2] * u[2];
      this.#reach[n * 3 + k] = along + joints.compliance[row] * this.#direction[n * 3 + k];
    }
  }

  /** reach = the part of u that the contact holds, and what it gives way to its own push. */
  #reachOfContact(n: number): void {
    const system = this.#system;
    const { normal } = system.contacts;
    const row = this.held.row[n];
    const o = row * 3;
    const i = n * 3;
    const u = this.#u;
    const d = this.#direction;
    system.velocityIn(row, this.#twist, this.#slots, u);
    const along = normal[o] * u[0] + normal[o + 1] * u[1] + normal[o + 2] * u[2];
    const own = system.softness[row] * (normal[o] * d[i] + normal[o + 1] * d[i + 1] + normal[o + 2] * d[i + 2]);
    const sticks = this.held.sticks[n];
    for (let k = 0; k < 3; k++) {
      this.#reach[i + k] = (along + own) * normal[o + k] + sticks * (u[k] - along * normal[o + k]);
    }
  }

  /** What the curvature of held row n would be without the others; joint blocks, which are seldom redundant, count as nothing. */
  #measureAlone(n: number): void {
    this.#alone[0] = 0;
    if (n < this.held.blockCount) return;
    const { contacts, opening, sliding } = this.#system;
    const row = this.held.row[n];
    const o = row * 3;
    const d = this.#direction;
    const i = n * 3;
    const along = contacts.normal[o] * d[i] + contacts.normal[o + 1] * d[i + 1] + contacts.normal[o + 2] * d[i + 2];
    const square = d[i] * d[i] + d[i + 1] * d[i + 1] + d[i + 2] * d[i + 2];
    this.#alone[0] = opening[row] * along * along + sliding[row] * Math.max(0, square - along * along);
  }

  /** Takes so much of the direction. */
  #take(): void {
    const { count, blockCount, row } = this.held;
    const length = this.#length[0];
    const { push, jointPush } = this.#system;
    const direction = this.#direction;
    const left = this.#left;
    const reach = this.#reach;
    for (let n = 0; n < count; n++) {
      const o = row[n] * 3;
      const into = n < blockCount ? jointPush : push;
      for (let k = 0; k < 3; k++) {
        into[o + k] += length * direction[n * 3 + k];
        left[n * 3 + k] -= length * reach[n * 3 + k];
      }
    }
    this.#move();
    this.#measureSize();
  }

  /** Moves the velocities by so much of what the direction makes of them. */
  #move(): void {
    const { rigid, soft } = this.#system;
    const { velocity, impulse, slotCount } = soft;
    const { carried } = soft.tables;
    const twist = this.#twist;
    const slots = this.#slots;
    const pushed = this.#impulse;
    const share = this.#length[0];
    for (let m = this.#from; m < this.#to; m++) {
      const b = this.#bodies[m];
      const s = b - rigid.count;
      if (s < 0) {
        for (let k = b * TWIST; k < (b + 1) * TWIST; k++) rigid.velocity[k] += share * twist[k];
        continue;
      }
      const first = soft.bodies.firstVertex[s];
      // slots that bones carry have no velocity of their own
      for (let k = (first + carried[s]) * 3; k < (first + slotCount[s]) * 3; k++) {
        velocity[k] += share * slots[k];
        impulse[k] += share * pushed[k];
      }
    }
  }

  #measureSize(): void {
    let size = 0;
    for (let n = 0; n < this.held.count; n++) {
      this.#wish(n);
      size += this.#work[0];
    }
    this.#size[0] = size;
  }

  /** The next direction. */
  #turn(): void {
    const d = this.#direction;
    const keep = this.#keep[0];
    let size = 0;
    for (let n = 0; n < this.held.count; n++) {
      this.#wish(n);
      size += this.#work[0];
      for (let k = 0; k < 3; k++) d[n * 3 + k] = this.#next[k] + keep * d[n * 3 + k];
    }
    this.#size[0] = size;
  }

  /** next = the impulse that would bring held row n what it lacks were it alone; work = its work [J]. */
  #wish(n: number): void {
    const system = this.#system;
    const left = this.#left;
    const i = n * 3;
    const row = this.held.row[n];
    let work = 0;
    if (n < this.held.blockCount) {
      const { inverse } = system.joints;
      for (let k = 0; k < 3; k++) {
        const r = row * 9 + k * 3;
        this.#next[k] = inverse[r] * left[i] + inverse[r + 1] * left[i + 1] + inverse[r + 2] * left[i + 2];
        work += this.#next[k] * left[i + k];
      }
      this.#work[0] = work;
      return;
    }
    const { normal } = system.contacts;
    const o = row * 3;
    const along = normal[o] * left[i] + normal[o + 1] * left[i + 1] + normal[o + 2] * left[i + 2];
    for (let k = 0; k < 3; k++) {
      const aside = left[i + k] - along * normal[o + k];
      this.#next[k] =
        (along / (system.opening[row] + system.softness[row])) * normal[o + k] + aside / system.sliding[row];
      work += this.#next[k] * left[i + k];
    }
    this.#work[0] = work;
  }
}
