/**
 * Projected Gauss-Seidel: each row solved for itself, one after the other. A contact takes the impulse that brings it to its bound and
 * stops it sliding, cut to what may push and to the friction cone; a joint block is solved exactly.
 */
import { LIMIT } from '../rigid/joint-blocks.js';
import type { RowSystem } from './row-system.js';

const U = new Float64Array(3);

/** Velocity above its bound at which a contact that does not push is far from doing so [m/s]. */
const FAR = 0.3;

/** Whether contact c does not push and is far from it. */
export function isFar(system: RowSystem, c: number): boolean {
  const { contacts, push } = system;
  const { normal } = contacts;
  const o = c * 3;
  if (contacts.isBinding(c) || push[o] !== 0 || push[o + 1] !== 0 || push[o + 2] !== 0) return false;
  system.contactVelocity(c, U);
  return normal[o] * U[0] + normal[o + 1] * U[1] + normal[o + 2] * U[2] - system.bound[c] > FAR;
}

/** Solves contact c for itself; changed[0] becomes the largest change of velocity there was [m/s]: returned, it would be boxed. */
export function relaxContact(system: RowSystem, c: number, changed: Float64Array): void {
  const opening = system.opening[c];
  if (opening === 0) return;
  const { contacts, push } = system;
  const { normal } = contacts;
  const o = c * 3;
  system.contactVelocity(c, U);
  const n0 = normal[o];
  const n1 = normal[o + 1];
  const n2 = normal[o + 2];
  const un = n0 * U[0] + n1 * U[1] + n2 * U[2];
  const pushed = n0 * push[o] + n1 * push[o + 1] + n2 * push[o + 2];
  const soft = system.softness[c];
  const bound = contacts.isBinding(c);
  const wanted = pushed - (un - system.bound[c] + soft * pushed) / (opening + soft);
  const along = bound ? wanted : Math.max(0, wanted);
  const sliding = system.sliding[c];
  let t0 = push[o] - pushed * n0 - (U[0] - un * n0) / sliding;
  let t1 = push[o + 1] - pushed * n1 - (U[1] - un * n1) / sliding;
  let t2 = push[o + 2] - pushed * n2 - (U[2] - un * n2) / sliding;
  const most = contacts.friction[c] * along;
  const drag = Math.sqrt(t0 * t0 + t1 * t1 + t2 * t2);
  if (!bound && drag > most) {
    const scale = drag > 0 ? most / drag : 0;
    t0 *= scale;
    t1 *= scale;
    t2 *= scale;
  }
  const d0 = along * n0 + t0 - push[o];
  const d1 = along * n1 + t1 - push[o + 1];
  const d2 = along * n2 + t2 - push[o + 2];
  if (d0 === 0 && d1 === 0 && d2 === 0) return;
  push[o] += d0;
  push[o + 1] += d1;
  push[o + 2] += d2;
  changed[0] = Math.max(changed[0], opening * Math.max(Math.abs(d0), Math.abs(d1), Math.abs(d2)));
  U[0] = d0;
  U[1] = d1;
  U[2] = d2;
  system.pushContact(c, U);
}

/** Solves joint block i for itself. */
export function relaxBlock(system: RowSystem, i: number, changed: Float64Array): void {
  const { joints, jointPush } = system;
  system.blockLeft(i, U);
  const l0 = U[0];
  const l1 = U[1];
  const l2 = U[2];
  for (let k = 0; k < 3; k++) {
    const row = i * 9 + k * 3;
    U[k] = joints.inverse[row] * l0 + joints.inverse[row + 1] * l1 + joints.inverse[row + 2] * l2;
  }
  if (joints.role[i] === LIMIT && joints.locked[i] === 0) keepPushing(system, i);
  if (joints.most[i] < Number.POSITIVE_INFINITY) keepBelow(system, i);
  for (let k = 0; k < 3; k++) jointPush[i * 3 + k] += U[k];
  if (joints.role[i] === LIMIT && U[0] === 0 && U[1] === 0 && U[2] === 0) return;
  changed[0] = Math.max(changed[0], Math.abs(l0), Math.abs(l1), Math.abs(l2));
  system.pushBlock(i, U);
}

/** Cuts the change in U so that a motor pushes no more than it can. */
function keepBelow({ joints: { most }, jointPush }: RowSystem, i: number): void {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (jointPush[i * 3 + k] + U[k]) * (jointPush[i * 3 + k] + U[k]);
  if (square <= most[i] * most[i]) return;
  const share = most[i] / Math.sqrt(square);
  for (let k = 0; k < 3; k++) U[k] = share * (jointPush[i * 3 + k] + U[k]) - jointPush[i * 3 + k];
}

/** Cuts the change in U so that a limit does not pull. */
function keepPushing({ joints: { axis }, jointPush }: RowSystem, i: number): void {
  const o = i * 3;
  const pushed = axis[o] * jointPush[o] + axis[o + 1] * jointPush[o + 1] + axis[o + 2] * jointPush[o + 2];
  const more = axis[o] * U[0] + axis[o + 1] * U[1] + axis[o + 2] * U[2];
  if (pushed + more >= 0) return;
  for (let k = 0; k < 3; k++) U[k] = -pushed * axis[o + k];
}
