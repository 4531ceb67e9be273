/**
 * Step 1: collisions with restitution, on the velocities at the start of the step, before contact [Shinar2008 §4]: what rests on
 * something does not bounce, because it does not approach. Pairs one after the other, again and again until none approaches: this hands
 * a blow down a row of balls, which one solve of all at once would not.
 *
 * A blow comes when the gap has closed, not before: with the speed that gravity has made of the approach by then, v² = u² + 2 a d, at
 * τ = 2 d / (u + v). Velocities change by Δv at once, and positions are τ Δv behind: so a ball comes back from a floor to the height of its fall
 * times e², wherever in the step it lands.
 */

import type { AngularBalance } from '../angular-balance.js';
import type { CoupledOptions } from '../options.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { measureContact } from '../rows/row-measure.js';
import type { RowSystem } from '../rows/row-system.js';

/** Passes over all contacts, at most. */
const PASSES = 64;

/** Bounces what is about to hit. */
export class Bounces {
  readonly #rows: RowSystem;
  /** When the last blow on each rigid body was in this substep [s], and how far all of them leave it behind its velocity, 6 each [m, rad]. */
  readonly #when: Float64Array;
  readonly #behind: Float64Array;
  /** Sums of τ P of the blows from what nothing moves, 3 each. */
  readonly #late: Float64Array;
  #any = false;
  readonly #u = new Float64Array(3);
  readonly #before = new Float64Array(2 * TWIST);

  constructor(rows: RowSystem) {
    this.#rows = rows;
    this.#when = new Float64Array(rows.rigid.count);
    this.#behind = new Float64Array(rows.rigid.count * TWIST);
    this.#late = new Float64Array(rows.rigid.count * 3);
  }

  /** Bounces what is about to hit within h [s]; what comes from things nothing moves is added to `outer` [N s]. */
  run(
    { bounceSpeed }: CoupledOptions,
    gravity: Float64Array,
    movable: Uint8Array,
    outer: Float64Array,
    balance: AngularBalance,
    h: number,
  ): void {
    const rows = this.#rows;
    const { contacts, rigid } = rows;
    this.#any = false;
    if (!hasBouncy(contacts.count, contacts.restitution)) return;
    rows.select(contacts, 0);
    rigid.predict(outer, 0);
    this.#when.fill(0);
    this.#behind.fill(0);
    this.#late.fill(0);
    for (let pass = 0; pass < PASSES; pass++) {
      let hits = 0;
      for (let c = 0; c < contacts.count; c++) {
        if (contacts.restitution[c] === 0) continue;
        if (pass === 0) measureContact(rows, c);
        if (rows.opening[c] === 0 || !this.#hit(c, bounceSpeed, gravity, h)) continue;
        hits++;
        this.#explain(c, movable, outer, balance);
      }
      if (hits === 0) break;
      this.#any = true;
    }
    if (this.#any) rigid.commitBounce();
  }

  /** What has been hit is behind its velocity by the time until the blow: velocities of the position track. */
  delay(h: number): void {
    if (!this.#any) return;
    const { velocity } = this.#rows.rigid;
    const behind = this.#behind;
    for (let i = 0; i < behind.length; i++) velocity[i] -= behind[i] / h;
  }

  /** The blows came where bodies were by then, on the way they have gone in the position track: τ v½ × P, beside what was explained at the start. */
  settle(balance: AngularBalance): void {
    if (!this.#any) return;
    const late = this.#late;
    for (let b = 0; b < this.#when.length; b++) {
      balance.addMoment(this.#rows.rigid.velocity, b * TWIST, late[b * 3], late[b * 3 + 1], late[b * 3 + 2]);
    }
  }

  /** One contact: true where it is hit within h, by the impulse left in `u`. */
  #hit(c: number, bounceSpeed: number, gravity: Float64Array, h: number): boolean {
    const rows = this.#rows;
    const { normal, gap, restitution, a, b } = rows.contacts;
    const { inverseMass, velocity } = rows.rigid;
    const u = this.#u;
    const o = c * 3;
    rows.contactVelocity(c, u);
    const along = normal[o] * u[0] + normal[o + 1] * u[1] + normal[o + 2] * u[2];
    if (along > -bounceSpeed) return false;
    const falls = (inverseMass[a[c]] > 0 ? 1 : 0) - (inverseMass[b[c]] > 0 ? 1 : 0);
    const pull = falls * (normal[o] * gravity[0] + normal[o + 1] * gravity[1] + normal[o + 2] * gravity[2]);
    const way = Math.max(0, gap[c]);
    const square = along * along - 2 * pull * way;
    if (square <= 0) return false;
    const speed = Math.sqrt(square);
    const own = (2 * way) / (speed - along);
    if (own > h) return false;
    // a blow that is handed on comes when it gets there
    const when = Math.max(own, this.#when[a[c]], this.#when[b[c]]);
    const size = ((1 + restitution[c]) * speed) / rows.opening[c];
    for (let k = 0; k < 3; k++) u[k] = size * normal[o + k];
    const before = this.#before;
    for (let k = 0; k < TWIST; k++) {
      before[k] = velocity[a[c] * TWIST + k];
      before[TWIST + k] = velocity[b[c] * TWIST + k];
    }
    rows.pushContact(c, u);
    this.#leaveBehind(a[c], 0, when);
    this.#leaveBehind(b[c], TWIST, when);
    return true;
  }

  #leaveBehind(body: number, o: number, when: number): void {
    const { velocity } = this.#rows.rigid;
    this.#when[body] = when;
    for (let k = 0; k < TWIST; k++) {
      const i = body * TWIST + k;
      this.#behind[i] += when * (velocity[i] - this.#before[o + k]);
    }
  }

  /** The blow in `u` may have come from what nothing moves: the moment it has here, and what it has more of where the body is by then. */
  #explain(c: number, movable: Uint8Array, outer: Float64Array, balance: AngularBalance): void {
    const rows = this.#rows;
    const { a, b } = rows.contacts;
    rows.addOuterPush(c, this.#u, 0, movable, outer, balance);
    const sign = movable[a[c]] - movable[b[c]];
    const body = sign > 0 ? a[c] : b[c];
    for (let k = 0; k < 3; k++) this.#late[body * 3 + k] += sign * this.#when[body] * this.#u[k];
  }
}

function hasBouncy(count: number, restitution: Float64Array): boolean {
  for (let c = 0; c < count; c++) if (restitution[c] > 0) return true;
  return false;
}
