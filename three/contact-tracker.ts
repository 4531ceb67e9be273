/** Tells when bodies begin to touch obstacles, go on touching them and let go, from the contact forces after each step. */
import type { ContactBuffer } from '../src/collision/contact-buffer.js';
import type { ContactNews } from './protocol.js';

/** A touch is over when no force was felt for this many steps: resting bodies lose it for a step now and then. */
const STEPS_WITHOUT_FORCE = 3;
/** Numbers per pair: force, force-weighted place, sum of the forces' sizes. */
const SUMS = 7;

/** What the tracker reads of the contacts after a step. */
export type TouchingContacts = Pick<ContactBuffer, 'count' | 'body' | 'feature' | 'obstacle' | 'force'>;

/** What the tracker reads of a body after a step. */
export interface TouchingBody {
  readonly state: { readonly positions: Float64Array };
}

/** Follows every pair of body and obstacle. */
export class ContactTracker {
  readonly #obstacleCount: number;
  /** Steps until the touch counts as over; 0 for pairs that do not touch. */
  readonly #left: Int32Array;
  readonly #counts: Int32Array;
  readonly #sums: Float64Array;
  /** Begins and ends since the last `take`, and pairs that went on touching. */
  #changes: ContactNews[] = [];
  readonly #steady: Set<number> = new Set();

  constructor(bodyCount: number, obstacleCount: number) {
    this.#obstacleCount = obstacleCount;
    this.#left = new Int32Array(bodyCount * obstacleCount);
    this.#counts = new Int32Array(bodyCount * obstacleCount);
    this.#sums = new Float64Array(SUMS * bodyCount * obstacleCount);
  }

  /** Looks at the contacts of a step just taken. */
  observe(contacts: TouchingContacts, bodies: readonly TouchingBody[]): void {
    if (this.#obstacleCount === 0) return;
    this.#counts.fill(0);
    this.#sums.fill(0);
    this.#sum(contacts, bodies);
    for (let pair = 0; pair < this.#left.length; pair++) {
      if (this.#counts[pair] > 0) {
        if (this.#left[pair] === 0) this.#changes.push(this.#describe('begin', pair));
        else this.#steady.add(pair);
        this.#left[pair] = STEPS_WITHOUT_FORCE;
      } else if (this.#left[pair] > 0) {
        this.#left[pair]--;
        if (this.#left[pair] > 0) continue;
        this.#steady.delete(pair);
        this.#changes.push(this.#describe('end', pair));
      }
    }
  }

  /** What happened since the last call: changes in their order, then at most one 'persist' for each pair. */
  take(): ContactNews[] {
    const news = this.#changes;
    this.#changes = [];
    const fresh = new Set(news.map(({ body, obstacle }) => body * this.#obstacleCount + obstacle));
    for (const pair of this.#steady) {
      if (!fresh.has(pair) && this.#counts[pair] > 0) news.push(this.#describe('persist', pair));
    }
    this.#steady.clear();
    return news;
  }

  /** Forgets every touch without a word. */
  reset(): void {
    this.#left.fill(0);
    this.#changes = [];
    this.#steady.clear();
  }

  #sum(contacts: TouchingContacts, bodies: readonly TouchingBody[]): void {
    const { feature, obstacle, force } = contacts;
    for (let c = 0; c < contacts.count; c++) {
      if (obstacle[c] < 0) continue;
      const body = contacts.body[c * 2];
      const { positions } = bodies[body].state;
      const [x, y, z] = [force[c * 3], force[c * 3 + 1], force[c * 3 + 2]];
      const size = Math.sqrt(x * x + y * y + z * z);
      if (!(size > 0)) continue;
      const pair = body * this.#obstacleCount + obstacle[c];
      const o = pair * SUMS;
      this.#counts[pair]++;
      for (let k = 0; k < 3; k++) {
        this.#sums[o + k] += force[c * 3 + k];
        this.#sums[o + 3 + k] += size * positions[feature[c] * 3 + k];
      }
      this.#sums[o + 6] += size;
    }
  }

  #describe(phase: ContactNews['phase'], pair: number): ContactNews {
    const s = this.#sums.subarray(pair * SUMS, pair * SUMS + SUMS);
    const all = s[6] || 1;
    return {
      phase,
      body: Math.floor(pair / this.#obstacleCount),
      obstacle: pair % this.#obstacleCount,
      count: this.#counts[pair],
      point: [s[3] / all, s[4] / all, s[5] / all],
      force: [s[0], s[1], s[2]],
    };
  }
}
