/**
 * Contacts of one body that pushed at the end of a step, as they were found: where, along what, how hard, and how far they slid. With r the first side minus
 * the second, n·r = offset held, and along the plane either r = stuck or friction had all that it may.
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
    const other = contacts.body[c * 2 + 1];
    if (other >= 0 && other !== contacts.body[c * 2]) return 'contacts between bodies are not traced';
    if (other < 0 && obstacles.restitution[contacts.obstacle[c]] > 0) return 'contacts that bounce are not traced';
  }
  return undefined;
}

function pushes({ force }: ContactBuffer, c: number): boolean {
  return force[c * 3] !== 0 || force[c * 3 + 1] !== 0 || force[c * 3 + 2] !== 0;
}

/** Vertices of a contact: four of each side. */
export const TAPED_VERTICES = 2 * CONTACT_VERTICES;
/** Share of the largest friction from which on a contact slides. */
const SLIDES = 0.9999;

/** The contacts of one step. */
export class TapedContacts {
  readonly count: number;
  /** Eight vertices each, and their weights, those of the second side negative: r is the sum over them. */
  readonly vertices: Int32Array;
  readonly weights: Float64Array;
  readonly normal: Float64Array;
  /** Force on the first side [N]. */
  readonly force: Float64Array;
  /** How far each slid in its plane, r − stuck [m]. */
  readonly slip: Float64Array;
  /** 1 where friction has all that it may. */
  readonly slides: Uint8Array;
  /** How far each opens per newton of its own force [m/N]; 0 is hard. */
  readonly give: Float64Array;

  constructor(positions: Float64Array, sides: SideList | undefined, step: ContactsOfStep) {
    const { contacts } = step;
    const pushing = new Map<number, number>();
    for (let side = 0; sides && side < sides.count; side++) {
      const c = sides.contact[side];
      if (pushes(contacts, c) && !pushing.has(c)) pushing.set(c, pushing.size);
    }
    this.count = pushing.size;
    this.vertices = new Int32Array(this.count * TAPED_VERTICES);
    this.weights = new Float64Array(this.count * TAPED_VERTICES);
    this.normal = new Float64Array(this.count * 3);
    this.force = new Float64Array(this.count * 3);
    this.slip = new Float64Array(this.count * 3);
    this.slides = new Uint8Array(this.count);
    this.give = new Float64Array(this.count);
    for (const [c, n] of pushing) this.#take(n, c, positions, step);
  }

  #take(n: number, c: number, positions: Float64Array, step: ContactsOfStep): void {
    const { contacts } = step;
    const o = n * 3;
    for (let k = 0; k < 3; k++) {
      this.normal[o + k] = contacts.normal[c * 3 + k];
      this.force[o + k] = contacts.force[c * 3 + k];
      this.slip[o + k] = -contacts.stuck[c * 3 + k];
    }
    const has = contacts.body[c * 2 + 1] >= 0 ? TAPED_VERTICES : CONTACT_VERTICES;
    for (let i = 0; i < has; i++) {
      const at = c * TAPED_VERTICES + i;
      const weight = contacts.weights[at];
      const v = contacts.vertices[at];
      if (weight === 0) continue;
      this.vertices[n * TAPED_VERTICES + i] = v;
      this.weights[n * TAPED_VERTICES + i] = i < CONTACT_VERTICES ? weight : -weight;
      for (let k = 0; k < 3; k++) this.slip[o + k] += this.weights[n * TAPED_VERTICES + i] * positions[v * 3 + k];
    }
    const push = this.#split(this.force, o);
    const drag = Math.sqrt(tangentSq(this.force, this.normal, o, push));
    this.slides[n] = drag >= SLIDES * contacts.friction[c] * push ? 1 : 0;
    const along = this.#split(this.slip, o);
    for (let k = 0; k < 3; k++) this.slip[o + k] -= along * this.normal[o + k];
    this.give[n] = step.contactSolver.softness[c] * step.contactSolver.normalCompliance[c];
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
