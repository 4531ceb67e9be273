/**
 * Contact forces with Coulomb friction, by sweeps over the contacts (projected Gauss-Seidel). The compliance matrix W says
 * how far contact i moves when contact j is pushed by one newton; it is symmetric, and the same in all three directions, because the constant
 * matrix of the solver is. So each contact has a closed-form solution: the force that brings it to its plane and keeps it
 * where it stuck, cut to what may push (not pull) and to the friction cone.
 */
import type { ContactBuffer } from '../collision/contacts.js';

/** Sweeps end when no force changes by more than this share of the largest one. */
const SETTLED = 1e-5;

/** How contacts move each other: W between slots, rows of `stride` numbers [m/N], and the slot of each contact. */
export interface Compliance {
  readonly matrix: Float64Array;
  readonly stride: number;
  readonly slots: Int32Array;
}

/**
 * Sweeps over the contacts, at most `sweeps` times. `place` (3 per contact) is where each contact is with the forces as they
 * stand; forces and places are updated together.
 */
export function sweepContacts(
  contacts: ContactBuffer,
  place: Float64Array,
  compliance: Compliance,
  sweeps: number,
): void {
  const { force } = contacts;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let change = 0;
    let largest = 0;
    for (let c = 0; c < contacts.count; c++) {
      change = Math.max(change, relax(contacts, place, compliance, c));
      for (let k = c * 3; k < c * 3 + 3; k++) largest = Math.max(largest, Math.abs(force[k]));
    }
    if (change <= SETTLED * largest) return;
  }
}

/** Solves one contact for itself; returns how much its force changed [N]. */
function relax(contacts: ContactBuffer, place: Float64Array, compliance: Compliance, c: number): number {
  const { normal, force, stuck } = contacts;
  const { matrix, slots } = compliance;
  const row = slots[c] * compliance.stride;
  const o = c * 3;
  const own = matrix[row + slots[c]];
  const n0 = normal[o];
  const n1 = normal[o + 1];
  const n2 = normal[o + 2];
  const x0 = place[o];
  const x1 = place[o + 1];
  const x2 = place[o + 2];
  // force that would bring the contact onto its plane, next to where it stuck
  const gap = n0 * x0 + n1 * x1 + n2 * x2 - contacts.offset[c];
  const s0 = x0 - stuck[o];
  const s1 = x1 - stuck[o + 1];
  const s2 = x2 - stuck[o + 2];
  const along = n0 * s0 + n1 * s1 + n2 * s2;
  const pushed = n0 * force[o] + n1 * force[o + 1] + n2 * force[o + 2];
  const push = Math.max(0, pushed - gap / own);
  let t0 = force[o] - pushed * n0 - (s0 - along * n0) / own;
  let t1 = force[o + 1] - pushed * n1 - (s1 - along * n1) / own;
  let t2 = force[o + 2] - pushed * n2 - (s2 - along * n2) / own;
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
  if (d0 === 0 && d1 === 0 && d2 === 0) return 0;
  force[o] += d0;
  force[o + 1] += d1;
  force[o + 2] += d2;
  for (let j = 0; j < contacts.count; j++) {
    const w = matrix[row + slots[j]];
    place[j * 3] += w * d0;
    place[j * 3 + 1] += w * d1;
    place[j * 3 + 2] += w * d2;
  }
  return Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2);
}
