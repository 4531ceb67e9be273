/**
 * What holds bodies that sleep: the sum of the forces of their contacts when they fell asleep. A neighbour that wakes and moves holds or presses them otherwise, or no more; what that
 * would have made of their velocity by now is followed, and forgotten within a tenth of a second, so that a neighbour that only trembles wakes nobody. A body that carries others is as
 * hard to wake as all that it carries. Nothing is left hanging: what loses what it lies on falls by g t, and is awake within a step or two.
 */
import type { ContactList } from '../contacts/contact-list.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';

/** How long forces that have changed are remembered [s]. */
const MEMORY = 0.1;

/** Follows the balance of bodies that sleep. */
export class HeldForces {
  readonly #group: Int32Array;
  /** Sum of the forces on each body when it fell asleep [N], and the mass that counts [kg]: its own, or what it carries. */
  readonly #held: Float64Array;
  readonly #carried: Float64Array;
  /** Impulse that has come in since, beyond that [N s]. */
  readonly #missing: Float64Array;
  /** Length of the substeps of the contacts [s]. */
  readonly #span: Float64Array;
  readonly #mass: Float64Array;
  /** Forces now; 1 for bodies that have just been laid. */
  readonly #now: Float64Array;
  readonly #isNew: Uint8Array;
  readonly #speed: number;

  /** `speed`: what bodies may be given before they wake [m/s]; 0: nothing sleeps. */
  constructor(group: Int32Array, rigid: RigidBodies, soft: SoftBodies, speed: number) {
    const count = speed > 0 ? group.length : 0;
    this.#group = group;
    this.#speed = speed;
    this.#held = new Float64Array(count * 3);
    this.#carried = new Float64Array(count);
    this.#missing = new Float64Array(count * 3);
    this.#span = new Float64Array(count > 0 ? 1 : 0);
    this.#now = new Float64Array(count * 3);
    this.#isNew = new Uint8Array(count);
    this.#mass = massesOf(rigid, soft);
  }

  get arrays(): readonly Float64Array[] {
    return [this.#held, this.#carried, this.#missing, this.#span];
  }

  /** Before a step in substeps of h [s]: contacts between bodies asleep keep their forces, not their impulses. */
  begin(contacts: ContactList, h: number): void {
    const before = this.#span[0];
    this.#span[0] = h;
    if (before === h || before === 0) return;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.frozen[c] === 0) continue;
      for (let k = c * 3; k < c * 3 + 3; k++) contacts.push[1][k] *= h / before;
    }
  }

  /** Body b falls asleep. */
  lay(b: number): void {
    this.#isNew[b] = 1;
    this.#held.fill(0, b * 3, b * 3 + 3);
    this.#missing.fill(0, b * 3, b * 3 + 3);
    this.#carried[b] = 0;
  }

  /** Notes what holds those that have just fallen asleep. */
  note(contacts: ContactList, gravity: ArrayLike<number>, h: number): void {
    const fall = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    const isNew = this.#isNew;
    for (let c = 0; c < contacts.count; c++) {
      if (isNew[contacts.a[c]] === 1) this.#noteOne(contacts.a[c], contacts.push[1], c * 3, 1 / h, fall);
      if (isNew[contacts.b[c]] === 1) this.#noteOne(contacts.b[c], contacts.push[1], c * 3, -1 / h, fall);
    }
    for (let b = 0; b < isNew.length; b++)
      if (isNew[b] === 1) this.#carried[b] = Math.max(this.#mass[b], this.#carried[b]);
    isNew.fill(0);
  }

  #noteOne(b: number, push: Float64Array, o: number, share: number, fall: number): void {
    for (let k = 0; k < 3; k++) this.#held[b * 3 + k] += share * push[o + k];
    const force =
      Math.abs(share) * Math.sqrt(push[o] * push[o] + push[o + 1] * push[o + 1] + push[o + 2] * push[o + 2]);
    // what comes in on one side goes out on the other
    if (fall > 0) this.#carried[b] += (0.5 * force) / fall;
  }

  /** After a substep of h [s]. Whether anybody sleeps. */
  follow({ count, a, b, push }: ContactList, h: number): boolean {
    const group = this.#group;
    const now = this.#now;
    now.fill(0);
    for (let c = 0; c < count; c++) {
      const i = a[c];
      const j = b[c];
      if (group[i] === 0 && group[j] === 0) continue;
      for (let k = 0; k < 3; k++) {
        now[i * 3 + k] += push[1][c * 3 + k];
        now[j * 3 + k] -= push[1][c * 3 + k];
      }
    }
    const keep = MEMORY / (MEMORY + h);
    let any = false;
    for (let body = 0; body < group.length; body++) {
      if (group[body] === 0) continue;
      any = true;
      for (let k = body * 3; k < body * 3 + 3; k++) {
        this.#missing[k] = keep * (this.#missing[k] + now[k] - h * this.#held[k]);
      }
    }
    return any;
  }

  /** Whether body b, which sleeps, would have moved. */
  isUnbalanced(b: number): boolean {
    if (this.#group[b] === 0) return false;
    const p = this.#missing;
    const most = this.#speed * this.#carried[b];
    return p[b * 3] * p[b * 3] + p[b * 3 + 1] * p[b * 3 + 1] + p[b * 3 + 2] * p[b * 3 + 2] > most * most;
  }
}

/** Mass of every body, rigid ones first [kg]. */
export function massesOf(rigid: RigidBodies, soft: SoftBodies): Float64Array {
  const masses = new Float64Array(rigid.count + soft.count);
  masses.set(rigid.mass);
  for (let s = 0; s < soft.count; s++) {
    for (let i = soft.firstVertex[s]; i < soft.firstVertex[s + 1]; i++) masses[rigid.count + s] += soft.mass[i];
  }
  return masses;
}
