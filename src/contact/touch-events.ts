/** Who touches whom, from step to step: begin, persist and end of the touch of two parts, with what it carries. */
import type { Vec3 } from '../body/body-def.js';
import { CONTACT_VERTICES } from '../collision/contact-buffer.js';
import { ContactParts, type TouchingWorld } from './contact-parts.js';

/** A touch is over when no force was felt for this many steps: resting bodies lose it for a step now and then. */
const STEPS_WITHOUT_FORCE = 3;
/** A smaller share of a contact is not counted as one; its force counts all the same. */
const NEGLIGIBLE = 1e-6;

/** More parts than any world has: two of them make one key. */
const MANY_PARTS = 67_108_864;

/** How a touch changed. */
export type ContactPhase = 'begin' | 'persist' | 'end';

/** What is known of a touch; at its end only who it was. */
export interface ContactEvent {
  readonly phase: ContactPhase;
  readonly body: number;
  /** Bone of the body that touches, by number and name; -1 and undefined for flesh. */
  readonly bone: number;
  readonly boneName?: string;
  /** Obstacle that is touched; -1 where it is a body. */
  readonly obstacle: number;
  /** Body that is touched, which may be the same one, and bone of it; -1 where it is an obstacle. */
  readonly otherBody: number;
  readonly otherBone: number;
  readonly otherBoneName?: string;
  /** Contacts that carry force. */
  readonly count: number;
  /** Middle of the contacts, by force [m]. */
  readonly point: Vec3;
  /** Sum of the forces on the body's part [N]; none where flesh touches flesh of the same body: there the sides cancel. */
  readonly force: Vec3;
  /** Sum of the sizes of the forces [N]. */
  readonly load: number;
}

/** Two parts in touch. */
class Touch {
  readonly first: number;
  readonly second: number;
  count = 0;
  readonly force = new Float64Array(3);
  /** Sum of places times sizes of forces. */
  readonly place = new Float64Array(3);
  load = 0;
  /** Steps without force until it counts as over; 0 before it has begun. */
  left = 0;
  /** Whether it began, and whether it went on, since the last `take`. */
  begun = false;
  steady = false;

  constructor(first: number, second: number) {
    this.first = first;
    this.second = second;
  }

  clear(): void {
    this.count = this.load = 0;
    this.force.fill(0);
    this.place.fill(0);
  }

  add(force: Float64Array, o: number, sign: number, share: number, size: number, point: Float64Array): void {
    if (share > NEGLIGIBLE) this.count++;
    this.load += share * size;
    for (let k = 0; k < 3; k++) {
      this.force[k] += sign * share * force[o + k];
      this.place[k] += share * size * point[k];
    }
  }
}

/** Follows the touches of one world. */
export class ContactTracker {
  readonly #world: TouchingWorld;
  readonly #parts: ContactParts;
  /** By first part times `MANY_PARTS` plus second part. */
  readonly #touches = new Map<number, Touch>();
  #changes: ContactEvent[] = [];

  constructor(world: TouchingWorld) {
    this.#world = world;
    this.#parts = new ContactParts(world);
  }

  /** Looks at the contacts of the step just taken; call it after each that succeeded. */
  observe(): void {
    for (const touch of this.#touches.values()) touch.clear();
    for (let c = 0; c < this.#world.contacts.count; c++) this.#read(c);
    for (const [key, touch] of this.#touches) {
      if (touch.count > 0) {
        if (touch.left > 0) touch.steady = true;
        else this.#begin(touch);
        touch.left = STEPS_WITHOUT_FORCE;
      } else if (touch.left <= 1 || this.#parts.isGone(touch.second)) {
        this.#touches.delete(key);
        if (touch.left > 0) this.#changes.push(this.#describe('end', touch));
      } else touch.left--;
    }
  }

  /** What happened since the last call: begins and ends in their order, then one 'persist' for each touch that only went on. */
  take(): ContactEvent[] {
    const news = this.#changes;
    this.#changes = [];
    for (const touch of this.#touches.values()) {
      if (touch.steady && !touch.begun && touch.count > 0) news.push(this.#describe('persist', touch));
      touch.steady = touch.begun = false;
    }
    return news;
  }

  /** Forgets every touch without a word, for a world that was reset or put back to a snapshot. */
  reset(): void {
    this.#touches.clear();
    this.#changes = [];
  }

  #begin(touch: Touch): void {
    touch.begun = true;
    this.#changes.push(this.#describe('begin', touch));
  }

  /** Adds contact c to the touches of its parts. */
  #read(c: number): void {
    const { force, isKept } = this.#world.contacts;
    if (isKept[c] === 1) return;
    const { parts, shares, point } = this.#parts;
    const o = c * 3;
    const size = Math.sqrt(force[o] * force[o] + force[o + 1] * force[o + 1] + force[o + 2] * force[o + 2]);
    if (!(size > 0)) return;
    this.#parts.split(c);
    for (let i = 0; i < CONTACT_VERTICES; i++) {
      for (let j = CONTACT_VERTICES; j < 2 * CONTACT_VERTICES; j++) {
        const share = shares[i] * shares[j];
        if (share === 0) continue;
        // touches are named by the lower part: where that is the second side, it is the reaction that acts on it
        const sign = Math.sign(parts[j] - parts[i]);
        this.#touchOf(parts[i], parts[j]).add(force, o, sign, share, size, point);
      }
    }
  }

  #touchOf(a: number, b: number): Touch {
    const first = Math.min(a, b);
    const second = Math.max(a, b);
    const key = first * MANY_PARTS + second;
    const known = this.#touches.get(key);
    if (known) return known;
    const touch = new Touch(first, second);
    this.#touches.set(key, touch);
    return touch;
  }

  #describe(phase: ContactPhase, { first, second, count, force, place, load }: Touch): ContactEvent {
    const parts = this.#parts;
    const boneName = parts.boneName(first);
    const otherBoneName = parts.boneName(second);
    const all = load > 0 ? load : 1;
    return {
      phase,
      body: parts.bodyOf(first),
      bone: parts.boneOf(first),
      ...(boneName !== undefined && { boneName }),
      obstacle: parts.obstacleOf(second),
      otherBody: parts.bodyOf(second),
      otherBone: parts.boneOf(second),
      ...(otherBoneName !== undefined && { otherBoneName }),
      count,
      point: [place[0] / all, place[1] / all, place[2] / all],
      force: [force[0], force[1], force[2]],
      load,
    };
  }
}

/** Follows who touches whom in a world: call `observe` after each step, and `take` when the news are wanted. */
export function trackContacts(world: TouchingWorld): ContactTracker {
  return new ContactTracker(world);
}
