/**
 * How closely forces must be known. A force between heavy bodies that is off by little throws a light body between them far: each
 * contact's leverage says how many times further it moves under a force than it would among bodies like the heaviest one that this
 * force can come from, through whatever lies between. Contacts of a body that touches no other have leverage 1.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';

/** Least compliance a contact is given [m/N]. */
export const UNMOVABLE = 1e-15;
/** Share of a contact's compliance below which one of its sides is as good as an obstacle. */
const HELD = 1e-9;
/** Leverage from which on what is left of one step throws the light body further in the next: forces must be closer still. */
const UNSTEADY = 5e3;

/** Leverage of the contacts of one step. */
export class Leverage {
  /** How many times more closely the force of each contact must be known. */
  readonly care: Float64Array;
  /** Leverage of each contact, and the largest of those on the list. */
  readonly of: Float64Array;
  readonly largest = new Float64Array(1);
  /** What the two sides of each contact alone make of it. */
  readonly #between: Float64Array;
  /** Least compliance that contacts have met in each body, and in all it touches [m/N]. */
  readonly #own: Float64Array;
  readonly #reached: Float64Array;

  constructor(capacity: number, bodies: number) {
    this.care = new Float64Array(capacity);
    this.of = new Float64Array(capacity);
    this.#between = new Float64Array(capacity);
    this.#own = new Float64Array(bodies);
    this.#reached = new Float64Array(bodies);
  }

  /** No contact has been measured yet. */
  begin(): void {
    this.#own.fill(Number.POSITIVE_INFINITY);
  }

  /** A contact of body `a` with an obstacle or itself, whose side gives way by so much [m/N]. */
  addAlone(c: number, a: number, gives: number): void {
    this.#between[c] = 1;
    if (gives > UNMOVABLE) this.#own[a] = Math.min(this.#own[a], gives);
  }

  /** A contact of two bodies, whose sides give way by so much [m/N]; a side that is held is like an obstacle. */
  addBetween(c: number, a: number, gives: number, b: number, otherGives: number): void {
    const both = gives + otherGives;
    const heavier = Math.min(gives, otherGives);
    this.#between[c] = heavier > HELD * both ? both / (2 * heavier) : 1;
    if (gives > HELD * both) this.#own[a] = Math.min(this.#own[a], gives);
    if (otherGives > HELD * both) this.#own[b] = Math.min(this.#own[b], otherGives);
  }

  /** Once all contacts on the list are known: what each is up against. */
  spread({ body }: ContactBuffer, active: Int32Array, count: number): void {
    this.#reach(body, active, count);
    this.largest[0] = 1;
    for (let n = 0; n < count; n++) {
      const c = active[n];
      const a = body[c * 2];
      const b = body[c * 2 + 1] < 0 ? a : body[c * 2 + 1];
      const own = Math.min(this.#own[a], this.#own[b]);
      const leverage = own < Number.POSITIVE_INFINITY ? (this.#between[c] * own) / this.#reached[a] : 1;
      this.of[c] = leverage;
      this.care[c] = leverage * (1 + (leverage - 1) / UNSTEADY);
      this.largest[0] = Math.max(this.largest[0], leverage);
    }
  }

  /** The least compliance of all bodies that touch, directly or through others. */
  #reach(body: Int32Array, active: Int32Array, count: number): void {
    const reached = this.#reached;
    reached.set(this.#own);
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (let n = 0; n < count; n++) {
        const a = body[active[n] * 2];
        const b = body[active[n] * 2 + 1];
        if (b < 0 || reached[a] === reached[b]) continue;
        reached[a] = Math.min(reached[a], reached[b]);
        reached[b] = reached[a];
        isNew = true;
      }
    }
  }
}
