/**
 * What a position track costs two rigid bodies that push each other. It carries each on by its own v½ while they push at one place, so that of a push λ they have h λ × (v½ − v½') between them that nothing gave them. The place goes with the body whose
 * corner or round end it is, so it travels over the other, which is pushed by that much farther back: the other's spin takes the couple, before velocities are solved for. Rods would begin to whirl by it, and a place that goes far round a body in a substep
 * tells little of where it was: that part is given back as a rotation of the two about their common centre of mass, by which neither moves against the other. Linear momentum is not touched.
 */
import { EDGES, SECOND } from '../../../collision/rigid/rigid-pairs.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { POINTS_PER_PAIR } from '../contacts/contact-search.js';
import { type RigidBodies, TWIST } from '../rigid/rigid-bodies.js';
import type { RowSystem } from './row-system.js';

/** How far a place goes round a body in a substep, as a share of its arm, for its couple to be the body's in full. */
const MOST = 0.5;
/** Sum of the moments of inertia times that of their inverses below which a body is compact: 9 for a ball, 10 for a plate, 100 for a rod eight times as long as it is thick. */
const COMPACT = 15;
/** Share of the energy that two bodies have against each other which couples may have at most: what is more comes of a position track that has not been solved well. */
const ENERGY = 0.25;

/** Couples of a pair: those that its bodies take, and what is left for both. */
const TO_A = new Float64Array(3);
const TO_B = new Float64Array(3);
const REST = new Float64Array(3);
/** How far the two go against each other in the substep [m]. */
const WAY = new Float64Array(3);
/** Centre of mass of two bodies, the inverse of their moments of inertia about it, and a rate of turn [rad/s]. */
const CENTRE = new Float64Array(3);
const INVERSE = new Float64Array(9);
const OMEGA = new Float64Array(3);
/** The share of couples that is given. */
const SHARE = new Float64Array(1);

/** Gives pairs of rigid bodies back what a position track of h [s] has cost them, where they have come to. */
export function giveBackCouples(rows: RowSystem, movable: Uint8Array, h: number): void {
  const { rigid, contacts } = rows;
  const { a, b, count } = contacts;
  let any = false;
  for (let c = 0; c < count; c++) {
    if (movable[a[c]] === 0 || movable[b[c]] === 0 || a[c] >= rigid.count || b[c] >= rigid.count) continue;
    if (addCouple(rows, c, h)) any = true;
    // contacts of a pair follow each other
    if (!any || (c + 1 < count && a[c + 1] === a[c] && b[c + 1] === b[c])) continue;
    give(rigid, a[c], b[c]);
    TO_A.fill(0);
    TO_B.fill(0);
    REST.fill(0);
    any = false;
  }
}

/** Adds −h λ × (v½ − v½') of contact c to what the body takes that its place travels over, and to the rest; whether it pushes. */
function addCouple({ contacts, rigid, push }: RowSystem, c: number, h: number): boolean {
  const o = c * 3;
  const p0 = push[o];
  const p1 = push[o + 1];
  const p2 = push[o + 2];
  if (p0 === 0 && p1 === 0 && p2 === 0) return false;
  const { velocity } = rigid;
  for (let k = 0; k < 3; k++) WAY[k] = h * (velocity[contacts.a[c] * TWIST + k] - velocity[contacts.b[c] * TWIST + k]);
  const point = contacts.key[c] % POINTS_PER_PAIR;
  const isOverA = point >= SECOND;
  const arm = isOverA ? contacts.armA : contacts.armB;
  const way = WAY[0] * WAY[0] + WAY[1] * WAY[1] + WAY[2] * WAY[2];
  const most = MOST * MOST * (arm[o] * arm[o] + arm[o + 1] * arm[o + 1] + arm[o + 2] * arm[o + 2]);
  // edges travel over each other
  const takes = point < EDGES && isCompact(rigid, isOverA ? contacts.a[c] : contacts.b[c]);
  const share = takes ? (way > most ? most / way : 1) : 0;
  const to = isOverA ? TO_A : TO_B;
  const c0 = p2 * WAY[1] - p1 * WAY[2];
  const c1 = p0 * WAY[2] - p2 * WAY[0];
  const c2 = p1 * WAY[0] - p0 * WAY[1];
  to[0] += share * c0;
  to[1] += share * c1;
  to[2] += share * c2;
  REST[0] += (1 - share) * c0;
  REST[1] += (1 - share) * c1;
  REST[2] += (1 - share) * c2;
  return true;
}

/** Whether a body is as hard to turn about one axis as about any other, roughly: a rod is not. */
function isCompact({ inertia, inverse }: RigidBodies, body: number): boolean {
  const i = body * 9;
  return (inertia[i] + inertia[i + 4] + inertia[i + 8]) * (inverse[i] + inverse[i + 4] + inverse[i + 8]) < COMPACT;
}

/** Gives the couples of a pair. */
function give(rigid: RigidBodies, a: number, b: number): void {
  const { l } = rigid;
  measureBoth(rigid, a, b);
  measureShare(rigid, a, b);
  for (let k = 0; k < 3; k++) {
    l[a * 3 + k] += SHARE[0] * TO_A[k];
    l[b * 3 + k] += SHARE[0] * TO_B[k];
    const r = k * 3;
    OMEGA[k] = SHARE[0] * (INVERSE[r] * REST[0] + INVERSE[r + 1] * REST[1] + INVERSE[r + 2] * REST[2]);
  }
  if (OMEGA[0] === 0 && OMEGA[1] === 0 && OMEGA[2] === 0) return;
  turnAboutCentre(rigid, a);
  turnAboutCentre(rigid, b);
}

/** CENTRE and INVERSE of two bodies. */
function measureBoth(rigid: RigidBodies, a: number, b: number): void {
  const { x, mass } = rigid;
  const share = mass[a] / (mass[a] + mass[b]);
  for (let k = 0; k < 3; k++) CENTRE[k] = share * x[a * 3 + k] + (1 - share) * x[b * 3 + k];
  INVERSE.fill(0);
  rigid.addInertia(a, CENTRE, 0, INVERSE, 0);
  rigid.addInertia(b, CENTRE, 0, INVERSE, 0);
  if (!invertMat3(INVERSE, 0, INVERSE, 0)) INVERSE.fill(0);
}

/** SHARE = what may be given of the couples of a pair. */
function measureShare({ v, l, mass, inverseInertia: w }: RigidBodies, a: number, b: number): void {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (v[a * 3 + k] - v[b * 3 + k]) * (v[a * 3 + k] - v[b * 3 + k]);
  const own = turning(w, a * 9, l, a * 3) + turning(w, b * 9, l, b * 3);
  const there = ENERGY * ((square * mass[a] * mass[b]) / (mass[a] + mass[b]) + own);
  const given = turning(w, a * 9, TO_A, 0) + turning(w, b * 9, TO_B, 0) + turning(INVERSE, 0, REST, 0);
  SHARE[0] = given > there ? Math.sqrt(there / given) : 1;
}

/** Twice the energy of an angular momentum p[o..]: p · W p. */
function turning(w: Float64Array, i: number, p: Float64Array, o: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const r = i + k * 3;
    sum += p[o + k] * (w[r] * p[o] + w[r + 1] * p[o + 1] + w[r + 2] * p[o + 2]);
  }
  return sum;
}

/** Turns a body by OMEGA about CENTRE. */
function turnAboutCentre(rigid: RigidBodies, body: number): void {
  const { x, v } = rigid;
  const o = body * 3;
  const r0 = x[o] - CENTRE[0];
  const r1 = x[o + 1] - CENTRE[1];
  const r2 = x[o + 2] - CENTRE[2];
  v[o] += OMEGA[1] * r2 - OMEGA[2] * r1;
  v[o + 1] += OMEGA[2] * r0 - OMEGA[0] * r2;
  v[o + 2] += OMEGA[0] * r1 - OMEGA[1] * r0;
  rigid.addSpin(body, OMEGA);
}
