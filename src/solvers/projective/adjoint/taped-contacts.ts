/**
 * Contacts of one body, with obstacles and with other bodies, that pushed at the end of a step, as they were found: where, along what, how hard, and how far they slid. With r the place
 * of a contact's first side, less that of its second, n·r = offset held, and along the plane either r = stuck or friction had all that it may.
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
    if (contacts.body[c * 2] === contacts.body[c * 2 + 1]) return 'contacts of bodies with themselves are not traced';
    // their normal is that of both edges, and turns as fast as they nearly line up
    if (contacts.obstacle[c] < 0 && contacts.feature[c] < 0) return 'edges of bodies that meet are not traced';
    if (contacts.obstacle[c] >= 0 && obstacles.restitution[contacts.obstacle[c]] > 0)
      return 'contacts that bounce are not traced';
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
  /** The contact each is in its step, and 1 where this body is its first side, -1 where it is the second. */
  readonly contact: Int32Array;
  readonly sign: Int8Array;
  /** The other body, -1 for an obstacle. */
  readonly other: Int32Array;
  /** Four vertices each, and their weights. */
  readonly vertices: Int32Array;
  readonly weights: Float64Array;
  /** Along which the first side is pushed. */
  readonly normal: Float64Array;
  /** Force on this body [N]. */
  readonly force: Float64Array;
  /** How far each slid in its plane, r − stuck [m]. */
  readonly slip: Float64Array;
  /** 1 where friction has all that it may. */
  readonly slides: Uint8Array;

  constructor(sides: SideList | undefined, step: ContactsOfStep) {
    const pushing: number[] = [];
    for (let side = 0; sides && side < sides.count; side++)
      if (pushes(step.contacts, sides.contact[side])) pushing.push(side);
    this.count = pushing.length;
    this.contact = new Int32Array(this.count);
    this.sign = new Int8Array(this.count);
    this.other = new Int32Array(this.count);
    this.vertices = new Int32Array(this.count * CONTACT_VERTICES);
    this.weights = new Float64Array(this.count * CONTACT_VERTICES);
    this.normal = new Float64Array(this.count * 3);
    this.force = new Float64Array(this.count * 3);
    this.slip = new Float64Array(this.count * 3);
    this.slides = new Uint8Array(this.count);
    pushing.forEach((side, n) => {
      this.#take(n, sides!.contact[side], sides!.sign[side], step);
    });
  }

  #take(n: number, c: number, sign: number, { contacts, states }: ContactsOfStep): void {
    const o = n * 3;
    const isSecond = sign < 0;
    this.contact[n] = c;
    this.sign[n] = sign;
    this.other[n] = contacts.body[c * 2 + (isSecond ? 0 : 1)];
    for (let i = 0; i < CONTACT_VERTICES; i++) {
      const from = (c * 2 + (isSecond ? 1 : 0)) * CONTACT_VERTICES + i;
      this.vertices[n * CONTACT_VERTICES + i] = contacts.vertices[from];
      this.weights[n * CONTACT_VERTICES + i] = contacts.weights[from];
    }
    for (let k = 0; k < 3; k++) {
      this.normal[o + k] = contacts.normal[c * 3 + k];
      this.force[o + k] = contacts.force[c * 3 + k];
      this.slip[o + k] = -contacts.stuck[c * 3 + k];
    }
    for (let i = 0; i < 2 * CONTACT_VERTICES; i++) {
      const weight = contacts.weights[c * 2 * CONTACT_VERTICES + i];
      const v = contacts.vertices[c * 2 * CONTACT_VERTICES + i] * 3;
      const second = i >= CONTACT_VERTICES;
      const body = contacts.body[c * 2 + (second ? 1 : 0)];
      for (let k = 0; weight !== 0 && k < 3; k++)
        this.slip[o + k] += (second ? -weight : weight) * states[body].positions[v + k];
    }
    const push = this.#split(this.force, o);
    const drag = Math.sqrt(tangentSq(this.force, this.normal, o, push));
    this.slides[n] = drag >= SLIDES * contacts.friction[c] * push ? 1 : 0;
    const along = this.#split(this.slip, o);
    for (let k = o; k < o + 3; k++) {
      this.slip[k] -= along * this.normal[k];
      this.force[k] *= sign;
    }
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
