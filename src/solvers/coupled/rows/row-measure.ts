/** What each contact is after in a track, and how it gives way: made anew for every track. */
import type { CoupledOptions } from '../options.js';
import { addPointBlock } from '../rigid/joint-algebra.js';
import { leastVelocity } from './bounds.js';
import type { RowSystem } from './row-system.js';

/** Compliance below which nothing moves [1/kg]. */
const UNMOVABLE = 1e-200;
/**
 * How much a contact with a soft side gives way to its own push, as a share of its opening. Vertices in a shape and its samples in faces
 * say the same thing twice, not quite alike, and without this conjugate gradients run off along their difference.
 */
const SOFT = 1e-4;

const BLOCK = new Float64Array(9);
const ALONG = new Float64Array(2);

/** Measures all contacts for a track of step h [s]; those that are not of it lose their impulses. */
export function measureContacts(system: RowSystem, options: CoupledOptions, track: 0 | 1, h: number): void {
  const { contacts } = system;
  for (let c = 0; c < contacts.count; c++) {
    // velocities are those of touching bodies and of what positions were held apart from; what comes near is for the next step's positions
    if (track === 1 && contacts.gap[c] > options.touching && !contacts.isBinding(c) && !isHeld(system, c)) {
      system.opening[c] = 0;
      continue;
    }
    system.bound[c] = leastVelocity(options, contacts.gap[c], track, h);
    measureContact(system, c);
  }
  system.clearIdle();
}

/** Whether positions of two rigid bodies were held apart at contact c: one that turns on an edge is carried on by a hair above it, and its weight is on the edge all the same. */
function isHeld({ contacts }: RowSystem, c: number): boolean {
  const p = contacts.push[0];
  const o = c * 3;
  return contacts.sideA[c] < 0 && contacts.sideB[c] < 0 && (p[o] !== 0 || p[o + 1] !== 0 || p[o + 2] !== 0);
}

/** How contact c gives way, from its two sides. */
export function measureContact(system: RowSystem, c: number): void {
  const { contacts, soft } = system;
  const w = BLOCK;
  if (contacts.frozen[c] === 1) {
    system.opening[c] = 0;
    return;
  }
  w.fill(0);
  addSide(system, contacts.sideA[c], contacts.a[c], contacts.armA, c, w);
  addSide(system, contacts.sideB[c], contacts.b[c], contacts.armB, c, w);
  if (contacts.sideA[c] >= 0 && contacts.a[c] === contacts.b[c]) {
    soft.addMutualBlock(contacts.sideA[c], contacts.sideB[c], w);
  }
  settleMeasure(system, c, w);
}

/** w += how one side of contact c answers a push on itself: that of flesh, or the point of a rigid body at `arm`. */
export function addSide(
  { rigid, soft }: RowSystem,
  side: number,
  body: number,
  arm: Float64Array,
  c: number,
  w: Float64Array,
): void {
  if (side >= 0) soft.addOwnBlock(side, w);
  else addPointBlock(rigid, body, arm, c * 3, w);
}

/** What contact c gives way to, when both its sides together answer pushes by w. */
export function settleMeasure(system: RowSystem, c: number, w: Float64Array): void {
  const { contacts } = system;
  measureAlong(w, contacts.normal, c * 3);
  const along = ALONG[0];
  system.opening[c] = along > UNMOVABLE ? along : 0;
  const isSoft = (contacts.sideA[c] >= 0 || contacts.sideB[c] >= 0) && !contacts.isBinding(c);
  system.softness[c] = isSoft ? SOFT * system.opening[c] : 0;
  system.sliding[c] = Math.max(UNMOVABLE, ALONG[1]);
}

/** ALONG = how w gives way along the normal, and its largest eigenvalue in the plane of the contact: of the two, sum and sum of squares are known from traces. Returned, numbers would be boxed. */
function measureAlong(w: Float64Array, n: Float64Array, o: number): void {
  let alongN = 0;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) alongN += n[o + i] * w[i * 3 + j] * n[o + j];
  const trace = w[0] + w[4] + w[8] - alongN;
  let squares = 0;
  let toNormal = 0;
  for (let i = 0; i < 3; i++) {
    let row = 0;
    for (let j = 0; j < 3; j++) {
      squares += w[i * 3 + j] * w[j * 3 + i];
      row += w[i * 3 + j] * n[o + j];
    }
    toNormal += row * row;
  }
  const inPlane = squares - 2 * toNormal + alongN * alongN;
  ALONG[0] = alongN;
  ALONG[1] = 0.5 * (trace + Math.sqrt(Math.max(0, 2 * inPlane - trace * trace)));
}
