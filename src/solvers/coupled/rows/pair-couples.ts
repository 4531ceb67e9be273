/**
 * What a position track costs two rigid bodies that push each other. It carries each on by its own v½ while they push at one place, so that of a push λ they have h λ × (v½ − v½') between them that nothing gave them. The place goes with the body whose
 * corner or round end it is, so it travels over the other, which is pushed by that much farther back: the other's spin takes the couple, before velocities are solved for. A place that goes far round a body in a substep
 * tells little of where it was: what is more than that, and what is along the arm, about which a thin rod would begin to whirl, is given back as a rotation of the two about their common centre of mass, by which neither moves
 * against the other. Linear momentum is not touched.
 */
import { EDGES, SECOND } from '../../../collision/rigid/rigid-pairs.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { POINTS_PER_PAIR } from '../contacts/contact-search.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import type { RowSystem } from './row-system.js';

/** How far a place goes round a body in a substep, as a share of its arm, for its couple to be the body's in full. */
const MOST = 0.5;
/** Sum of the moments of inertia times that of their inverses below which a body is compact: 9 for a ball, 10 for a plate, 100 for a rod eight times as long as it is thick. */
const COMPACT = 15;

const COUPLE = new Float64Array(3);
const REST = new Float64Array(3);
const LENGTH = new Float64Array(1);
/** Centre of mass of two bodies, their moments of inertia about it, and a rate of turn [rad/s]. */
const CENTRE = new Float64Array(3);
const INERTIA = new Float64Array(9);
const OMEGA = new Float64Array(3);

/** Gives pairs of rigid bodies back what a position track of h [s] has cost them, where they have come to. */
export function giveBackCouples(rows: RowSystem, movable: Uint8Array, h: number): void {
  const { a, b, count } = rows.contacts;
  let any = false;
  for (let c = 0; c < count; c++) {
    if (movable[a[c]] === 0 || movable[b[c]] === 0 || a[c] >= rows.rigid.count || b[c] >= rows.rigid.count) continue;
    // contacts of a pair follow each other
    if (c === 0 || a[c] !== a[c - 1] || b[c] !== b[c - 1]) REST.fill(0);
    if (measureCouple(rows, c, h)) {
      any = true;
      giveToOne(rows, c);
    }
    if (c + 1 < count && a[c + 1] === a[c] && b[c + 1] === b[c]) continue;
    if (any) turnPair(rows, a[c], b[c]);
    any = false;
  }
}

/** COUPLE = −h λ × (v½ − v½') of contact c, LENGTH = how far the two go against each other, squared; whether it pushes. */
function measureCouple({ contacts, rigid, push }: RowSystem, c: number, h: number): boolean {
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
  LENGTH[0] = u0 * u0 + u1 * u1 + u2 * u2;
  COUPLE[0] = p2 * u1 - p1 * u2;
  COUPLE[1] = p0 * u2 - p2 * u0;
  COUPLE[2] = p1 * u0 - p0 * u1;
  return true;
}

/** Gives what may be of the couple to the body that the place of contact c travels over; the rest is added to REST. */
function giveToOne({ contacts, rigid }: RowSystem, c: number): void {
  const point = contacts.key[c] % POINTS_PER_PAIR;
  const body = point >= SECOND ? contacts.a[c] : contacts.b[c];
  const arm = point >= SECOND ? contacts.armA : contacts.armB;
  const o = c * 3;
  const most = MOST * MOST * (arm[o] * arm[o] + arm[o + 1] * arm[o + 1] + arm[o + 2] * arm[o + 2]);
  // edges travel over each other
  const takes = point < EDGES && isCompact(rigid, body);
  const share = takes ? (LENGTH[0] > most ? most / LENGTH[0] : 1) : 0;
  for (let k = 0; k < 3; k++) {
    rigid.l[body * 3 + k] += share * COUPLE[k];
    REST[k] += (1 - share) * COUPLE[k];
  }
}

/** Whether a body is as hard to turn about one axis as about any other, roughly: a rod is not. */
function isCompact({ inertia, inverse }: RowSystem['rigid'], body: number): boolean {
  const i = body * 9;
  return (inertia[i] + inertia[i + 4] + inertia[i + 8]) * (inverse[i] + inverse[i + 4] + inverse[i + 8]) < COMPACT;
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
    OMEGA[k] = i[k * 3] * REST[0] + i[k * 3 + 1] * REST[1] + i[k * 3 + 2] * REST[2];
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
