/** Finds all contacts of a world: bodies against obstacles, against each other, and against themselves. */
import { CONTACT_VERTICES, type ContactBuffer } from './contact-buffer.js';
import type { ObstacleSet } from './obstacle.js';
import { ObstacleContacts } from './obstacle-contacts.js';
import { SurfaceContacts } from './surface-contacts.js';
import type { SurfaceMotion } from './surface-motion.js';

/** What contacts are looked for in. */
export interface ContactScene {
  readonly obstacles: ObstacleSet;
  readonly gravity: ArrayLike<number>;
}

/** Owns what detection needs from step to step. */
export class ContactFinder {
  readonly #bodies: readonly SurfaceMotion[];
  readonly #selfContact: boolean;
  readonly #obstacles = new ObstacleContacts();
  readonly #surfaces = new SurfaceContacts();

  constructor(bodies: readonly SurfaceMotion[], selfContact: boolean) {
    this.#bodies = bodies;
    this.#selfContact = selfContact;
    if (selfContact || bodies.length > 1) for (const body of bodies) this.#surfaces.prepare(body);
  }

  /** Adds every contact that can matter within a step of length `h` [s]. */
  find({ obstacles, gravity }: ContactScene, h: number, out: ContactBuffer): void {
    const bodies = this.#bodies;
    for (let i = 0; i < bodies.length; i++) bodies[i].update();
    for (let i = 0; i < bodies.length && obstacles.count > 0; i++) {
      this.#obstacles.find(i, bodies[i], obstacles, gravity, h, bodies[i].margin, out);
    }
    if (!this.#selfContact && bodies.length < 2) return;
    for (let i = 0; i < bodies.length; i++) bodies[i].sort();
    for (let a = 0; a < bodies.length; a++) {
      for (let b = 0; b < bodies.length; b++) {
        if (a === b ? this.#selfContact : canMeet(bodies[a], bodies[b], h)) {
          this.#surfaces.find(bodies[a], a, bodies[b], b, h, out);
        }
      }
    }
  }

  /** How far the sides of contact c are apart now, negative where one is inside the other [m]. */
  measure({ obstacles }: ContactScene, contacts: ContactBuffer, c: number): number {
    const first = this.#bodies[contacts.body[c * 2]];
    if (contacts.obstacle[c] >= 0) return this.#obstacles.measure(first.positions, obstacles, contacts, c);
    const second = this.#bodies[contacts.body[c * 2 + 1]];
    let gap = 0;
    for (let k = 0; k < 3; k++) {
      gap += contacts.normal[c * 3 + k] * (place(first, contacts, c * 2, k) - place(second, contacts, c * 2 + 1, k));
    }
    return gap;
  }
}

/** Coordinate k of a side where its body is now [m]. */
function place(body: SurfaceMotion, { vertices, weights }: ContactBuffer, side: number, k: number): number {
  let sum = 0;
  for (let i = side * CONTACT_VERTICES; i < (side + 1) * CONTACT_VERTICES; i++) {
    sum += weights[i] * body.positions[vertices[i] * 3 + k];
  }
  return sum;
}

/** Whether the boxes around two bodies can overlap within the step. */
function canMeet(a: SurfaceMotion, b: SurfaceMotion, h: number): boolean {
  const margin = Math.max(a.margin, b.margin) + h * (a.spread + b.spread);
  for (let k = 0; k < 3; k++) {
    const closing = h * (b.velocity[k] - a.velocity[k]);
    const grow = margin + Math.abs(closing);
    if (a.box[k] > b.box[3 + k] + grow || b.box[k] > a.box[3 + k] + grow) return false;
  }
  return true;
}
