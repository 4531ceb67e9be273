/**
 * The rows of an island that hold: all joint blocks, and the contacts that push. A contact within its friction cone sticks and holds
 * in all directions, as do bindings; one at the edge of its cone slides and holds along its normal alone. For conjugate gradients.
 */
import { LIMIT } from '../rigid/joint-blocks.js';
import type { Rows } from './row-list.js';
import type { RowSystem } from './row-system.js';

/** Share of the most friction from which on a contact is said to slide. */
const SLIDES = 1 - 1e-6;
/** Share of the largest push that is as good as none. */
const NOTHING = 1e-9;
/** Rows whose masses differ by less than this factor are solved to the same velocity. */
const ALIKE = 100;

/** A list of held rows: the first `blockCount` are joint blocks, the rest contacts. */
export class HeldRows {
  count = 0;
  blockCount = 0;
  /** Joint block or contact of each held row; 1 for contacts that stick. */
  readonly row: Int32Array;
  readonly sticks: Uint8Array;
  /** How far along the direction asked for last all contacts still push and stay in their cones. */
  readonly room = new Float64Array(1);
  readonly #system: RowSystem;
  readonly #u = new Float64Array(3);
  #largest = 0;

  constructor(system: RowSystem, capacity: number) {
    this.#system = system;
    this.row = new Int32Array(capacity);
    this.sticks = new Uint8Array(capacity);
  }

  /** Lists the given joint blocks, and the given contacts that push. */
  list({ block, b0, b1, contact, c0, c1 }: Rows): void {
    this.count = 0;
    const { role, most } = this.#system.joints;
    // limits push one way only, and capped motors only so far: they are left to the sweeps
    for (let n = b0; n < b1; n++) {
      const i = block[n];
      if (role[i] !== LIMIT && most[i] === Number.POSITIVE_INFINITY) this.row[this.count++] = i;
    }
    this.blockCount = this.count;
    this.#largest = 0;
    for (let n = c0; n < c1; n++) {
      const c = contact[n];
      if (this.#system.opening[c] === 0) continue;
      if (this.#system.contacts.isBinding(c)) {
        this.sticks[this.count] = 1;
        this.row[this.count++] = c;
        continue;
      }
      const push = this.#pushOf(c);
      if (push <= 0) continue;
      this.#largest = Math.max(this.#largest, push);
      this.sticks[this.count] = this.#isWithinCone(c, push) ? 1 : 0;
      this.row[this.count++] = c;
    }
  }

  /** What it takes to move the lightest of the rows, alone [kg]; nothing where others are so much heavier that it says little of them. */
  lightest(): number {
    const { opening, joints } = this.#system;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let n = 0; n < this.count; n++) {
      const row = this.row[n];
      const o = row * 9;
      const isBlock = n < this.blockCount;
      const mass = isBlock ? joints.inverse[o] + joints.inverse[o + 4] + joints.inverse[o + 8] : 1 / opening[row];
      least = Math.min(least, mass);
      most = Math.max(most, mass);
    }
    return most < ALIKE * least ? least : 0;
  }

  /** Contacts that have come to push no more leave the list, and those at the edge of their cone slide from now on. */
  letGo(): void {
    const { push } = this.#system;
    let kept = this.blockCount;
    for (let n = this.blockCount; n < this.count; n++) {
      const c = this.row[n];
      const pushed = this.#pushOf(c);
      const bound = this.#system.contacts.isBinding(c);
      if (!bound && pushed <= NOTHING * this.#largest) {
        for (let k = 0; k < 3; k++) {
          this.#u[k] = -push[c * 3 + k];
          push[c * 3 + k] = 0;
        }
        this.#system.pushContact(c, this.#u);
        continue;
      }
      this.sticks[kept] = bound || (this.sticks[n] === 1 && this.#isWithinCone(c, pushed)) ? 1 : 0;
      this.row[kept++] = c;
    }
    this.count = kept;
  }

  /** out[3 n..] = the velocity that held row n is still short of [m/s]. */
  readLeft(n: number, out: Float64Array): void {
    const system = this.#system;
    const u = this.#u;
    const i = n * 3;
    if (n < this.blockCount) {
      system.blockLeft(this.row[n], u);
      for (let k = 0; k < 3; k++) out[i + k] = u[k];
      return;
    }
    const c = this.row[n];
    const { normal } = system.contacts;
    const o = c * 3;
    system.contactVelocity(c, u);
    const along = normal[o] * u[0] + normal[o + 1] * u[1] + normal[o + 2] * u[2];
    const short = system.bound[c] - along - system.softness[c] * this.#pushOf(c);
    const sticks = this.sticks[n];
    for (let k = 0; k < 3; k++) out[i + k] = short * normal[o + k] - sticks * (u[k] - along * normal[o + k]);
  }

  /** Measures the room along a direction, 3 per held row. */
  measureRoom(direction: Float64Array): void {
    const { contacts, push } = this.#system;
    const { normal, friction } = contacts;
    let room = Number.POSITIVE_INFINITY;
    for (let n = this.blockCount; n < this.count; n++) {
      const o = this.row[n] * 3;
      if (contacts.isBinding(this.row[n])) continue;
      let pushed = 0;
      let more = 0;
      let ff = 0;
      let fd = 0;
      let dd = 0;
      for (let k = 0; k < 3; k++) {
        const f = push[o + k];
        const d = direction[n * 3 + k];
        pushed += normal[o + k] * f;
        more += normal[o + k] * d;
        ff += f * f;
        fd += f * d;
        dd += d * d;
      }
      if (more < 0) room = Math.min(room, pushed / -more);
      if (this.sticks[n] === 0) continue;
      // |f + s d|² = (1 + μ²) (pushed + s more)²: the edge of the cone
      const slope = 1 + friction[this.row[n]] * friction[this.row[n]];
      const a = dd - slope * more * more;
      const b = fd - slope * pushed * more;
      const root = b * b - a * (ff - slope * pushed * pushed);
      if (a > 0 && root > 0) room = Math.min(room, (Math.sqrt(root) - b) / a);
    }
    this.room[0] = Math.max(0, room);
  }

  #pushOf(c: number): number {
    const { contacts, push } = this.#system;
    const { normal } = contacts;
    const o = c * 3;
    return normal[o] * push[o] + normal[o + 1] * push[o + 1] + normal[o + 2] * push[o + 2];
  }

  #isWithinCone(c: number, pushed: number): boolean {
    const { contacts, push } = this.#system;
    const o = c * 3;
    const square = push[o] * push[o] + push[o + 1] * push[o + 1] + push[o + 2] * push[o + 2];
    const most = SLIDES * contacts.friction[c] * pushed;
    return square - pushed * pushed < most * most;
  }
}
