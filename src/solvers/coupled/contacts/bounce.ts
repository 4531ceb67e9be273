/**
 * Step 1: collisions with restitution, on the velocities at the start of the step, before contact [Shinar2008 §4]: what rests on
 * something does not bounce, because it does not approach. Pairs one after the other, again and again until none approaches: this hands
 * a blow down a row of balls, which one solve of all at once would not.
 */

import type { AngularBalance } from '../angular-balance.js';
import type { CoupledOptions } from '../options.js';
import { measureContact } from '../rows/row-measure.js';
import type { RowSystem } from '../rows/row-system.js';
import type { ContactList } from './contact-list.js';

/** Passes over all contacts, at most. */
const PASSES = 64;

const U = new Float64Array(3);

/** Bounces what is about to hit within h [s]; what comes from things nothing moves is added to `outer` [N s]. */
export function bounce(
  rows: RowSystem,
  contacts: ContactList,
  { bounceSpeed }: CoupledOptions,
  movable: Uint8Array,
  outer: Float64Array,
  balance: AngularBalance,
  h: number,
): void {
  if (!hasBouncy(contacts)) return;
  const { rigid } = rows;
  rows.select(contacts, 0);
  rigid.predict(outer, 0);
  let any = false;
  for (let pass = 0; pass < PASSES; pass++) {
    let hits = 0;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.restitution[c] === 0 || !bounceContact(rows, contacts, c, bounceSpeed, h, pass === 0)) continue;
      hits++;
      rows.addOuterPush(c, U, 0, movable, outer, balance);
    }
    if (hits === 0) break;
    any = true;
  }
  if (any) rigid.commitBounce();
}

function hasBouncy({ count, restitution }: ContactList): boolean {
  for (let c = 0; c < count; c++) if (restitution[c] > 0) return true;
  return false;
}

/** One contact: true where it was hit, by the impulse in U. */
function bounceContact(
  rows: RowSystem,
  contacts: ContactList,
  c: number,
  bounceSpeed: number,
  h: number,
  first: boolean,
): boolean {
  const o = c * 3;
  const { normal } = contacts;
  if (first) measureContact(rows, c);
  if (rows.opening[c] === 0) return false;
  rows.contactVelocity(c, U);
  const along = normal[o] * U[0] + normal[o + 1] * U[1] + normal[o + 2] * U[2];
  if (along > -bounceSpeed || contacts.gap[c] + h * along > 0) return false;
  const size = (-(1 + contacts.restitution[c]) * along) / rows.opening[c];
  for (let k = 0; k < 3; k++) U[k] = size * normal[o + k];
  rows.pushContact(c, U);
  return true;
}
