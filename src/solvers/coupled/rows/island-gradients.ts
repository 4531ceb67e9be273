/**
 * Conjugate gradients over the held rows of an island, joints and contacts together: sweeps find out which contacts push and which
 * slide, but take forever to hand a load through a stack or through light bodies between heavy ones. Every direction is a push
 * along the rows, so momentum is kept at any number of steps [Shinar2008 §7.3: the projection M-orthogonal to the rows].
 *
 * A contact that comes to pull, or to the edge of its cone, ends the direction: it is let go, and the search starts again.
 */
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
  /** What is left, squared, in the metric of the rows alone [J], and the largest there was. */
  readonly #size = new Float64Array(1);

  constructor(system: RowSystem, capacity: number) {
    this.#system = system;
    this.held = new HeldRows(system, capacity);
    this.#left = new Float64Array(capacity * 3);
    this.#direction = new Float64Array(capacity * 3);
    this.#reach = new Float64Array(capacity * 3);
  }

  /** At most `steps` steps, until what is left [J] has fallen to the share `enough`; returns the steps taken. The rows are listed already. */
  run(steps: number, enough: number): number {
    const { held } = this;
    this.#start();
    const goal = enough * this.#size[0];
    let step = 0;
    while (this.#size[0] > goal && step < steps) {
      step++;
      const curvature = this.#measureReach();
      if (curvature === 0) {
        this.#move(-1);
        break;
      }
      const whole = this.#size[0] / curvature;
      const room = held.roomAlong(this.#direction);
      const length = Math.min(whole, room);
      const before = this.#size[0];
      this.#take(length);
      if (length < whole) {
        held.letGo();
        this.#start();
      } else this.#turn(this.#size[0] / before);
    }
    return step;
  }

  #start(): void {
    const { held } = this;
    for (let n = 0; n < held.count; n++) held.readLeft(n, this.#left);
    this.#direction.fill(0, 0, held.count * 3);
    this.#turn(0);
  }

  /** How far the direction moves the rows, and the curvature along it (0: as good as none). The velocities are left moved by it. */
  #measureReach(): number {
    const { held } = this;
    const reach = this.#reach;
    const direction = this.#direction;
    this.#move(1);
    let curvature = 0;
    let alone = 0;
    for (let n = 0; n < held.count; n++) {
      held.readLeft(n, reach);
      this.#addOwn(n);
      for (let i = n * 3; i < n * 3 + 3; i++) curvature += direction[i] * reach[i];
      alone += this.#alone(n);
    }
    return curvature > FLAT * alone ? curvature : 0;
  }

  /** reach = how far held row n went: what was left before less what is now, and what it gives way to its own push. */
  #addOwn(n: number): void {
    const { joints, contacts, softness } = this.#system;
    const row = this.held.row[n];
    const d = this.#direction;
    const i = n * 3;
    for (let k = i; k < i + 3; k++) this.#reach[k] = this.#left[k] - this.#reach[k];
    if (n < this.held.blockCount) {
      for (let k = i; k < i + 3; k++) this.#reach[k] += joints.compliance[row] * d[k];
      return;
    }
    const { normal } = contacts;
    const o = row * 3;
    const own = softness[row] * (normal[o] * d[i] + normal[o + 1] * d[i + 1] + normal[o + 2] * d[i + 2]);
    for (let k = 0; k < 3; k++) this.#reach[i + k] += own * normal[o + k];
  }

  /** What the curvature of held row n would be without the others; joint blocks, which are seldom redundant, count as nothing. */
  #alone(n: number): number {
    if (n < this.held.blockCount) return 0;
    const { contacts, opening, sliding } = this.#system;
    const row = this.held.row[n];
    const o = row * 3;
    const d = this.#direction;
    const i = n * 3;
    const along = contacts.normal[o] * d[i] + contacts.normal[o + 1] * d[i + 1] + contacts.normal[o + 2] * d[i + 2];
    const square = d[i] * d[i] + d[i + 1] * d[i + 1] + d[i + 2] * d[i + 2];
    return opening[row] * along * along + sliding[row] * Math.max(0, square - along * along);
  }

  /** Takes so much of the direction that the velocities were moved by. */
  #take(length: number): void {
    const { held } = this;
    const { push, jointPush } = this.#system;
    for (let n = 0; n < held.count; n++) {
      const o = held.row[n] * 3;
      const into = n < held.blockCount ? jointPush : push;
      for (let k = 0; k < 3; k++) {
        into[o + k] += length * this.#direction[n * 3 + k];
        this.#left[n * 3 + k] -= length * this.#reach[n * 3 + k];
      }
    }
    this.#move(length - 1);
    this.#measureSize();
  }

  /** Moves the velocities by a share of the direction. */
  #move(share: number): void {
    const { held } = this;
    const next = this.#next;
    for (let n = 0; n < held.count; n++) {
      for (let k = 0; k < 3; k++) next[k] = share * this.#direction[n * 3 + k];
      if (n < held.blockCount) this.#system.pushBlock(held.row[n], next);
      else this.#system.pushContact(held.row[n], next);
    }
  }

  #measureSize(): void {
    let size = 0;
    for (let n = 0; n < this.held.count; n++) size += this.#wish(n);
    this.#size[0] = size;
  }

  /** The next direction. */
  #turn(keep: number): void {
    const d = this.#direction;
    let size = 0;
    for (let n = 0; n < this.held.count; n++) {
      size += this.#wish(n);
      for (let k = 0; k < 3; k++) d[n * 3 + k] = this.#next[k] + keep * d[n * 3 + k];
    }
    this.#size[0] = size;
  }

  /** next = the impulse that would bring held row n what it lacks were it alone; returns its work [J]. */
  #wish(n: number): number {
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
      return work;
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
    return work;
  }
}
