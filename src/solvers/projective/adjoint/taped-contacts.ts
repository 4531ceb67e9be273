/**
 * Contacts of one body with obstacles that pushed at the end of a step, as they were found: where, along what, how hard, and how far they slid. With r the place of
 * a contact's side, n·r = offset held, and along the plane either r = stuck or friction had all that it may.
 */
import { CONTACT_VERTICES, type ContactBuffer } from '../../../collision/contact-buffer.js';
import type { SideList } from '../../../contact/side-list.js';
import type { ContactsOfStep } from '../../step-slopes.js';

/** Why contacts of a step cannot be traced, where they cannot. */
export function whyNotContacts(sides: SideList | undefined, step: ContactsOfStep): string | undefined {
  const { contacts, obstacles, options } = step;
  if (options.contact === 'penalty' && contacts.count > 0) return 'explicit contact forces are not traced';
  for (let side = 0; sides && side < sides.count; side++) {
    const c = sides.contact[side];
    if (!pushes(contacts, c)) continue;
    // they give way, and are led apart at a pace that depends on where the step began
    if (contacts.obstacle[c] < 0) return 'contacts of bodies with each other or with themselves are not traced';
    if (obstacles.restitution[contacts.obstacle[c]] > 0) return 'contacts that bounce are not traced';
  }
  return undefined;
}

function pushes({ force }: ContactBuffer, c: number): boolean {
  return force[c * 3] !== 0 || force[c * 3 + 1] !== 0 || force[c * 3 + 2] !== 0;
}

/** Share of the largest friction from which on a contact slides. */
const SLIDES = 0.9999;

/** The contacts of one step. */
export class TapedContacts {
  readonly count: number;
  /** Four vertices each, and their weights. */
  readonly vertices: Int32Array;
  readonly weights: Float64Array;
  readonly normal: Float64Array;
  /** Force on the body [N]. */
  readonly force: Float64Array;
  /** How far each slid in its plane, r − stuck [m]. */
  readonly slip: Float64Array;
  /** 1 where friction has all that it may. */
  readonly slides: Uint8Array;

  constructor(positions: Float64Array, sides: SideList | undefined, { contacts }: ContactsOfStep) {
    const pushing = [...(sides?.contact.subarray(0, sides.count) ?? [])].filter((c) => pushes(contacts, c));
    this.count = pushing.length;
    this.vertices = new Int32Array(this.count * CONTACT_VERTICES);
    this.weights = new Float64Array(this.count * CONTACT_VERTICES);
    this.normal = new Float64Array(this.count * 3);
    this.force = new Float64Array(this.count * 3);
    this.slip = new Float64Array(this.count * 3);
    this.slides = new Uint8Array(this.count);
    pushing.forEach((c, n) => {
      this.#take(n, c, positions, contacts);
    });
  }

  #take(n: number, c: number, positions: Float64Array, contacts: ContactBuffer): void {
    const o = n * 3;
    for (let k = 0; k < 3; k++) {
      this.normal[o + k] = contacts.normal[c * 3 + k];
      this.force[o + k] = contacts.force[c * 3 + k];
      this.slip[o + k] = -contacts.stuck[c * 3 + k];
    }
    for (let i = 0; i < CONTACT_VERTICES; i++) {
      const from = c * 2 * CONTACT_VERTICES + i;
      const v = contacts.vertices[from];
      const weight = contacts.weights[from];
      this.vertices[n * CONTACT_VERTICES + i] = v;
      this.weights[n * CONTACT_VERTICES + i] = weight;
      for (let k = 0; weight !== 0 && k < 3; k++) this.slip[o + k] += weight * positions[v * 3 + k];
    }
    const push = this.#split(this.force, o);
    const drag = Math.sqrt(tangentSq(this.force, this.normal, o, push));
    this.slides[n] = drag >= SLIDES * contacts.friction[c] * push ? 1 : 0;
    const along = this.#split(this.slip, o);
    for (let k = 0; k < 3; k++) this.slip[o + k] -= along * this.normal[o + k];
  }

  /** Part along the normal. */
  #split(a: Float64Array, o: number): number {
    const n = this.normal;
    return a[o] * n[o] + a[o + 1] * n[o + 1] + a[o + 2] * n[o + 2];
  }
}

function tangentSq(a: Float64Array, n: Float64Array, o: number, along: number): number {
  let sum = 0;
  for (let k = o; k < o + 3; k++) sum += (a[k] - along * n[k]) * (a[k] - along * n[k]);
  return sum;
}
