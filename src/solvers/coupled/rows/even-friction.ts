/**
 * How contacts of two rigid bodies share their friction. Sweeps find it corner by corner, and leave corners of a body that has just been put down pulling against each other: of no use to anybody, but it fills the cones, and at
 * μ = tan α what would be needed along the slope is missing. Force and moment do not tell how points of one plane share what they hold: here each has what goes with its normal push,
 * t = N (a + b n × r). Nothing moves by that.
 */
import type { RowSystem } from './row-system.js';

/** Cosine above which normals are of one plane. */
const FLAT = 1 - 1e-9;
/** By how much a cone may be passed for rounding. */
const ROUNDING = 1 + 1e-9;

/** What contacts hold together: their normal, where the middle of their pushes is on body A, all friction, and what of it turns [N s]. */
const NORMAL = new Float64Array(3);
const CENTRE = new Float64Array(3);
const FRICTION = new Float64Array(3);
const SUMS = new Float64Array(2);
/** A contact's n × r, and its new push or the change of it. */
const AROUND = new Float64Array(3);
const PUSH = new Float64Array(3);

/** Shares the friction of contacts list[from..to), all of the same two bodies, evenly; where they are not of one plane, or their cones do not allow it, nothing changes. */
export function shareEvenly(system: RowSystem, list: Int32Array, from: number, to: number): void {
  if (!measureAll(system, list, from, to)) return;
  for (let i = from; i < to; i++) if (!isAllowed(system, list[i])) return;
  for (let i = from; i < to; i++) {
    const o = list[i] * 3;
    wish(system, o);
    for (let k = 0; k < 3; k++) {
      PUSH[k] -= system.push[o + k];
      system.push[o + k] += PUSH[k];
    }
    system.pushContact(list[i], PUSH);
  }
}

/** Measures what the contacts hold together; whether they are of one plane and push. */
function measureAll({ contacts, push }: RowSystem, list: Int32Array, from: number, to: number): boolean {
  const { normal, armA } = contacts;
  for (let k = 0; k < 3; k++) NORMAL[k] = normal[list[from] * 3 + k];
  let all = 0;
  CENTRE.fill(0);
  FRICTION.fill(0);
  for (let i = from; i < to; i++) {
    const o = list[i] * 3;
    if (NORMAL[0] * normal[o] + NORMAL[1] * normal[o + 1] + NORMAL[2] * normal[o + 2] < FLAT) return false;
    const along = alongNormal(push, o);
    all += along;
    for (let k = 0; k < 3; k++) {
      CENTRE[k] += along * armA[o + k];
      FRICTION[k] += push[o + k] - along * NORMAL[k];
    }
  }
  if (!(all > 0)) return false;
  for (let k = 0; k < 3; k++) {
    CENTRE[k] /= all;
    FRICTION[k] /= all;
  }
  measureTurn(armA, push, list, from, to);
  return true;
}

/** SUMS[0] = how much of the friction goes round the middle, over what it would be for n × r. */
function measureTurn(arm: Float64Array, push: Float64Array, list: Int32Array, from: number, to: number): void {
  SUMS.fill(0);
  for (let i = from; i < to; i++) {
    const o = list[i] * 3;
    goAround(arm, o);
    for (let k = 0; k < 3; k++) {
      SUMS[0] += AROUND[k] * push[o + k];
      SUMS[1] += alongNormal(push, o) * AROUND[k] * AROUND[k];
    }
  }
  SUMS[0] = SUMS[1] > 0 ? SUMS[0] / SUMS[1] : 0;
}

function alongNormal(push: Float64Array, o: number): number {
  return NORMAL[0] * push[o] + NORMAL[1] * push[o + 1] + NORMAL[2] * push[o + 2];
}

/** AROUND = n × r of the contact whose arm is arm[o..]. */
function goAround(arm: Float64Array, o: number): void {
  const r0 = arm[o] - CENTRE[0];
  const r1 = arm[o + 1] - CENTRE[1];
  const r2 = arm[o + 2] - CENTRE[2];
  AROUND[0] = NORMAL[1] * r2 - NORMAL[2] * r1;
  AROUND[1] = NORMAL[2] * r0 - NORMAL[0] * r2;
  AROUND[2] = NORMAL[0] * r1 - NORMAL[1] * r0;
}

/** PUSH = what the contact at o is to have. */
function wish({ contacts, push }: RowSystem, o: number): void {
  const along = alongNormal(push, o);
  goAround(contacts.armA, o);
  for (let k = 0; k < 3; k++) PUSH[k] = along * (NORMAL[k] + FRICTION[k] + SUMS[0] * AROUND[k]);
}

/** Whether that is in the cone of contact c. */
function isAllowed(system: RowSystem, c: number): boolean {
  wish(system, c * 3);
  const along = alongNormal(system.push, c * 3);
  const most = ROUNDING * system.contacts.friction[c] * along;
  let square = 0;
  for (let k = 0; k < 3; k++) square += (PUSH[k] - along * NORMAL[k]) * (PUSH[k] - along * NORMAL[k]);
  return square <= most * most;
}
