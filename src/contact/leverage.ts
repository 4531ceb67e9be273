/**
 * How closely forces must be known. A force between heavy bodies that is off by little throws a light body between them far: the
 * leverage of a contact says how many times further its bodies move under a force than two would that are like the heaviest one
 * this force can come from, directly or through others. Contacts of a body that touches no other have leverage 1.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';

/** Least compliance a contact is given; sides that give way no further are as good as obstacles [m/N]. */
export const UNMOVABLE = 1e-15;
/** Leverage from which on what is left of one step throws the light body further in the next: forces must be closer still. */
const UNSTEADY = 5e3;

/** Leverage of the contacts of one step. */
export class Leverage {
  /** How many times more closely the force of each contact must be known. */
  readonly precision: Float64Array;
  /** How many times heavier than both of its bodies what presses on them is. */
  readonly beyond: Float64Array;
  /** Largest leverage of those on the list. */
  readonly largest = new Float64Array(1);
  /** How much each body gives way where it does most; 0 for those nothing can move. And the least of all it touches [m/N]. */
  readonly #gives: Float64Array;
  readonly #least: Float64Array;

  constructor(capacity: number, bodies: number) {
    this.precision = new Float64Array(capacity);
    this.beyond = new Float64Array(capacity);
    this.#gives = new Float64Array(bodies);
    this.#least = new Float64Array(bodies);
  }

  /** No contact has been measured yet. */
  begin(): void {
    this.#gives.fill(0);
  }

  /** A side of a contact that is on `body` gives way by so much [m/N]. */
  add(body: number, gives: number): void {
    if (gives > UNMOVABLE) this.#gives[body] = Math.max(this.#gives[body], gives);
  }

  /** Once all contacts on the list are known: what each is up against. */
  spread({ body }: ContactBuffer, active: Int32Array, count: number): void {
    this.#findLeast(body, active, count);
    this.largest[0] = 1;
    for (let n = 0; n < count; n++) {
      const c = active[n];
      const a = body[c * 2];
      const b = body[c * 2 + 1] < 0 ? a : body[c * 2 + 1];
      const canBoth = this.#gives[a] > 0 && this.#gives[b] > 0;
      // with what nothing can move it is as with an obstacle
      const first = this.#gives[a] > 0 ? a : b;
      const second = canBoth ? b : first;
      const least = this.#least[first];
      const leverage = least > 0 ? (this.#gives[first] + this.#gives[second]) / (2 * least) : 1;
      this.beyond[c] = least > 0 ? Math.min(this.#gives[first], this.#gives[second]) / least : 1;
      this.precision[c] = leverage * (1 + (leverage - 1) / UNSTEADY);
      this.largest[0] = Math.max(this.largest[0], leverage);
    }
  }

  /** The least of all bodies that touch, directly or through others; what nothing can move passes nothing on. */
  #findLeast(body: Int32Array, active: Int32Array, count: number): void {
    const least = this.#least;
    least.set(this.#gives);
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (let n = 0; n < count; n++) {
        const a = body[active[n] * 2];
        const b = body[active[n] * 2 + 1];
        if (b < 0 || least[a] === least[b] || least[a] === 0 || least[b] === 0) continue;
        least[a] = Math.min(least[a], least[b]);
        least[b] = least[a];
        isNew = true;
      }
    }
  }
}
