/**
 * What a position track costs two rigid bodies that push each other. It carries each on by its own v½ while they push at one point, so that of a push λ they have h λ × (v½ − v½') between them that nothing gave them. It is given back as a
 * rotation of the two about their common centre of mass: neither moves against the other by it, linear momentum is not touched, and it comes before velocities are solved for, so that whatever else the two touch resists it as it does any motion.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import type { RowSystem } from './row-system.js';

const COUPLE = new Float64Array(3);
/** Centre of mass of two bodies, their moments of inertia about it, and a rate of turn [rad/s]. */
const CENTRE = new Float64Array(3);
const INERTIA = new Float64Array(9);
const OMEGA = new Float64Array(3);

/** Gives pairs of rigid bodies back what a position track of h [s] has cost them, where they have come to. */
export function giveBackCouples(rows: RowSystem, movable: Uint8Array, h: number): void {
  const { a, b, count } = rows.contacts;
  let any = false;
  for (let c = 0; c < count; c++) {
    // contacts of a pair follow each other
    if (c === 0 || a[c] !== a[c - 1] || b[c] !== b[c - 1]) COUPLE.fill(0);
    if (movable[a[c]] === 0 || movable[b[c]] === 0 || a[c] >= rows.rigid.count || b[c] >= rows.rigid.count) continue;
    if (addCouple(rows, c, h)) any = true;
    if (c + 1 < count && a[c + 1] === a[c] && b[c + 1] === b[c]) continue;
    if (any) turnPair(rows, a[c], b[c]);
    any = false;
  }
}

/** COUPLE −= h λ × (v½ − v½') of contact c; whether it pushes. */
function addCouple({ contacts, rigid, push }: RowSystem, c: number, h: number): boolean {
  const o = c * 3;
  const p0 = push[o];
  const p1 = push[o + 1];
  const p2 = push[o + 2];
  if (p0 === 0 && p1 === 0 && p2 === 0) return false;
  const { velocity } = rigid;
  const i = contacts.a[c] * TWIST;
  const j = contacts.b[c] * TWIST;
  const u0 = h * (velocity[i] - velocity[j]);
  const u1 = h * (velocity[i + 1] - velocity[j + 1]);
  const u2 = h * (velocity[i + 2] - velocity[j + 2]);
  COUPLE[0] -= p1 * u2 - p2 * u1;
  COUPLE[1] -= p2 * u0 - p0 * u2;
  COUPLE[2] -= p0 * u1 - p1 * u0;
  return true;
}

function turnPair({ rigid }: RowSystem, a: number, b: number): void {
  const { x, v, mass } = rigid;
  const share = mass[a] / (mass[a] + mass[b]);
  for (let k = 0; k < 3; k++) CENTRE[k] = share * x[a * 3 + k] + (1 - share) * x[b * 3 + k];
  INERTIA.fill(0);
  rigid.addInertia(a, CENTRE, 0, INERTIA, 0);
  rigid.addInertia(b, CENTRE, 0, INERTIA, 0);
  const i = INERTIA;
  if (!invertMat3(i, 0, i, 0)) return;
  for (let k = 0; k < 3; k++) {
    OMEGA[k] = i[k * 3] * COUPLE[0] + i[k * 3 + 1] * COUPLE[1] + i[k * 3 + 2] * COUPLE[2];
  }
  for (let n = 0; n < 2; n++) {
    const o = (n === 0 ? a : b) * 3;
    const r0 = x[o] - CENTRE[0];
    const r1 = x[o + 1] - CENTRE[1];
    const r2 = x[o + 2] - CENTRE[2];
    v[o] += OMEGA[1] * r2 - OMEGA[2] * r1;
    v[o + 1] += OMEGA[2] * r0 - OMEGA[0] * r2;
    v[o + 2] += OMEGA[0] * r1 - OMEGA[1] * r0;
    rigid.addSpin(n === 0 ? a : b, OMEGA);
  }
}
