/**
 * Contact forces with Coulomb friction, by sweeps over the contacts (projected Gauss-Seidel). Each body knows how far one of its
 * contact sides moves when another is pushed. So each contact has a closed-form solution: the force that brings it to its plane and
 * keeps it where it stuck, cut to what may push (not pull) and to the friction cone.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';
import { type Leverage, UNMOVABLE } from './leverage.js';
import type { SideList } from './side-list.js';

/** The contacts of a world and the sides they have on its bodies. */
export interface ContactSystem {
  readonly contacts: ContactBuffer;
  /** Number of each contact's two sides in the lists of their bodies, 2 per contact; -1 for an obstacle. */
  readonly sideOf: Int32Array;
  /** Sides of each body. */
  readonly bodies: readonly SideList[];
  /** How far each contact opens when pushed along its normal, and the most it slides when pushed along its plane [m/N]. */
  readonly normalCompliance: Float64Array;
  readonly tangentCompliance: Float64Array;
  /** Distance beyond which a contact that does not push is left alone [m]; the next iteration looks at it again. */
  readonly near: number;
  /** Numbers of the contacts that count, the first `activeCount`. */
  readonly active: Int32Array;
  readonly activeCount: number;
  /** Least n·r − offset of any contact when they were listed, 0 where all are open [m]. */
  readonly deepest: Float64Array;
  /** How much each contact gives way to its own force, as a share of `normalCompliance`. */
  readonly softness: Float64Array;
  /** How closely each force must be known. */
  readonly leverage: Leverage;
  /** How much the force of the contact last looked at changed [N]. */
  readonly changed: Float64Array;
  /** Room for a place or a force. */
  readonly here: Float64Array;
}

/** One sweep over the contacts that count; the places of the sides follow the forces. Returns the largest change of a force, times the precision it needs, as a share of the largest force. */
export function sweepContacts(system: ContactSystem): number {
  const { force } = system.contacts;
  let change = 0;
  let largest = 0;
  for (let n = 0; n < system.activeCount; n++) {
    const c = system.active[n];
    // between things nothing can move no force is of use, and none is right; one may have had a force while it could be moved
    if (system.normalCompliance[c] <= UNMOVABLE) {
      force.fill(0, c * 3, c * 3 + 3);
      continue;
    }
    relax(system, c);
    change = Math.max(change, system.leverage.precision[c] * system.changed[0]);
    for (let k = c * 3; k < c * 3 + 3; k++) largest = Math.max(largest, Math.abs(force[k]));
  }
  return largest > 0 ? change / largest : 0;
}

/** Lists the contacts that push or are near; returns how many. */
export function listActive({ contacts, sideOf, bodies, active, near, deepest }: ContactSystem): number {
  const { normal, force } = contacts;
  let count = 0;
  deepest[0] = 0;
  for (let c = 0; c < contacts.count; c++) {
    const o = c * 3;
    let gap = -contacts.offset[c];
    for (let side = 0; side < 2 && sideOf[c * 2 + side] >= 0; side++) {
      const here = bodies[contacts.body[c * 2 + side]].at(sideOf[c * 2 + side]);
      const along = normal[o] * here[0] + normal[o + 1] * here[1] + normal[o + 2] * here[2];
      gap += side === 0 ? along : -along;
    }
    deepest[0] = Math.min(deepest[0], gap);
    if (gap < near || force[o] !== 0 || force[o + 1] !== 0 || force[o + 2] !== 0) active[count++] = c;
  }
  return count;
}

/** Solves one contact for itself; how much its force changed [N] is left in `changed`: returned, it would be boxed. */
function relax(system: ContactSystem, c: number): void {
  const { contacts } = system;
  const { normal, force, stuck } = contacts;
  const o = c * 3;
  placeContact(system, c, system.here);
  const x0 = system.here[0];
  const x1 = system.here[1];
  const x2 = system.here[2];
  const n0 = normal[o];
  const n1 = normal[o + 1];
  const n2 = normal[o + 2];
  // force that would bring the contact onto its plane, next to where it stuck
  const gap = n0 * x0 + n1 * x1 + n2 * x2 - contacts.offset[c];
  const s0 = x0 - stuck[o];
  const s1 = x1 - stuck[o + 1];
  const s2 = x2 - stuck[o + 2];
  const along = n0 * s0 + n1 * s1 + n2 * s2;
  const pushed = n0 * force[o] + n1 * force[o + 1] + n2 * force[o + 2];
  const soft = system.softness[c];
  const push = Math.max(0, pushed - (gap / system.normalCompliance[c] + soft * pushed) / (1 + soft));
  const tangentCompliance = system.tangentCompliance[c];
  let t0 = force[o] - pushed * n0 - (s0 - along * n0) / tangentCompliance;
  let t1 = force[o + 1] - pushed * n1 - (s1 - along * n1) / tangentCompliance;
  let t2 = force[o + 2] - pushed * n2 - (s2 - along * n2) / tangentCompliance;
  const most = contacts.friction[c] * push;
  const drag = Math.sqrt(t0 * t0 + t1 * t1 + t2 * t2);
  if (drag > most) {
    const scale = drag > 0 ? most / drag : 0;
    t0 *= scale;
    t1 *= scale;
    t2 *= scale;
  }
  const d0 = push * n0 + t0 - force[o];
  const d1 = push * n1 + t1 - force[o + 1];
  const d2 = push * n2 + t2 - force[o + 2];
  system.changed[0] = Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
  if (d0 === 0 && d1 === 0 && d2 === 0) return;
  force[o] += d0;
  force[o + 1] += d1;
  force[o + 2] += d2;
  system.here[0] = d0;
  system.here[1] = d1;
  system.here[2] = d2;
  moveSides(system, c, system.here);
}

/** Where the first side of contact c is, seen from the second or from the origin [m]. */
export function placeContact({ contacts, sideOf, bodies }: ContactSystem, c: number, out: Float64Array): void {
  out.set(bodies[contacts.body[c * 2]].at(sideOf[c * 2]));
  if (sideOf[c * 2 + 1] < 0) return;
  const there = bodies[contacts.body[c * 2 + 1]].at(sideOf[c * 2 + 1]);
  for (let k = 0; k < 3; k++) out[k] -= there[k];
}

/** Moves all sides as a force at contact c wants. By reference: numbers handed over one by one would be boxed. */
export function moveSides({ contacts, sideOf, bodies }: ContactSystem, c: number, force: Float64Array): void {
  bodies[contacts.body[c * 2]].push(sideOf[c * 2], force, false);
  if (sideOf[c * 2 + 1] >= 0) bodies[contacts.body[c * 2 + 1]].push(sideOf[c * 2 + 1], force, true);
}
