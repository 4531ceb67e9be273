/**
 * When within a substep a push acts, and so where. The two tracks say it together: the velocity track has the whole impulse, μ = ∫F dt, and the position track how far it has carried the body by
 * the end of the substep, h λ = ∫(h − t) F dt: λ = μ/2 where the push is steady, λ = (1 − τ) μ for a blow at τ h. So the moment of a push at a place that moves with u is that of μ where the place is
 * at the end, and h λ × u beside it. A body's own momentum gets h λ × v½ of that by the way it goes, and the rest, h λ × (u − v½), is spin: it comes in before velocities are solved for.
 *
 * The place of a joint is its point, so a pendulum swings to second order. That of a contact goes with the body, whose spin stays as it is. What nothing moves explains its share of both.
 */
import type { AngularBalance } from '../angular-balance.js';
import { TURN } from '../rigid/joint-blocks.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import { CORNERS, type SoftSides } from '../soft/soft-sides.js';
import { pointVelocity, type RowSystem } from './row-system.js';

/** How far a joint goes round a body in a substep, as a share of its arm, for its moment to count in full. */
const MOST = 0.5;

/** Velocity of the place of a push [m/s]. */
const U = new Float64Array(3);

/** Settles the moments of the pushes of a position track of h [s] that has been solved. `movable`: 1 for bodies that pushes go through. */
export function settleMoments(rows: RowSystem, movable: Uint8Array, balance: AngularBalance, h: number): void {
  explainContacts(rows, movable, balance, h);
  settleJoints(rows, movable, balance, h);
}

/** Explains what contacts with what nothing moves have done by the end of a position track of h [s]; no state changes. */
export function explainContacts(rows: RowSystem, movable: Uint8Array, balance: AngularBalance, h: number): void {
  const { rigid, soft, push } = rows;
  const { a, b, sideA, sideB, count } = rows.contacts;
  for (let c = 0; c < count; c++) {
    const sign = movable[a[c]] - movable[b[c]];
    if (sign === 0) continue;
    const side = sign > 0 ? sideA[c] : sideB[c];
    const body = sign > 0 ? a[c] : b[c];
    if (side >= 0) velocityOfSide(soft, side);
    else for (let k = 0; k < 3; k++) U[k] = rigid.velocity[body * TWIST + k];
    explain(balance, push, c * 3, sign * h);
  }
}

function settleJoints(rows: RowSystem, movable: Uint8Array, balance: AngularBalance, h: number): void {
  const { joints, rigid, jointPush } = rows;
  const { a, b, kind, armA, armB, count } = joints;
  for (let i = 0; i < count; i++) {
    if (kind[i] === TURN) continue;
    const o = i * 3;
    pointVelocity(rigid.velocity, a[i] * TWIST, armA, o, U);
    if (movable[a[i]] === 1) addSpin(rows, a[i], armA, o, 1, h);
    if (movable[b[i]] === 1) addSpin(rows, b[i], armB, o, -1, h);
    if (movable[a[i]] !== movable[b[i]]) explain(balance, jointPush, o, (movable[a[i]] - movable[b[i]]) * h);
  }
}

/** U = v½ of a side of flesh: of the vertices themselves, slots follow in f32 in heaps. */
function velocityOfSide({ bodies, body, slot, slotVertex, weight }: SoftSides, side: number): void {
  const first = bodies.firstVertex[body[side]];
  U.fill(0);
  for (let c = side * CORNERS; c < (side + 1) * CORNERS; c++) {
    const v = (first + slotVertex[first + slot[c]]) * 3;
    for (let k = 0; k < 3; k++) U[k] += weight[c] * bodies.velocity[v + k];
  }
}

/** explained += h λ × U. */
function explain(balance: AngularBalance, push: Float64Array, o: number, h: number): void {
  balance.addMoment(U, 0, -h * push[o], -h * push[o + 1], -h * push[o + 2]);
}

/**
 * Spin of a rigid body += sign h λ × (U − v½) of the joint block at o, but for what is along its arm: no joint turns a body about that, and a thin rod would begin to whirl about itself. A joint that goes round and round in a
 * substep has no place that could be told, and less of it counts.
 */
function addSpin(
  { rigid, jointPush }: RowSystem,
  body: number,
  arm: Float64Array,
  o: number,
  sign: number,
  h: number,
): void {
  const { velocity, l } = rigid;
  const v = body * TWIST;
  const x = h * (U[0] - velocity[v]);
  const y = h * (U[1] - velocity[v + 1]);
  const z = h * (U[2] - velocity[v + 2]);
  const length = arm[o] * arm[o] + arm[o + 1] * arm[o + 1] + arm[o + 2] * arm[o + 2];
  if (length === 0) return;
  const most = MOST * MOST * length;
  const square = x * x + y * y + z * z;
  const share = square > most ? (sign * most) / square : sign;
  const s0 = jointPush[o + 1] * z - jointPush[o + 2] * y;
  const s1 = jointPush[o + 2] * x - jointPush[o] * z;
  const s2 = jointPush[o] * y - jointPush[o + 1] * x;
  const along = (s0 * arm[o] + s1 * arm[o + 1] + s2 * arm[o + 2]) / length;
  l[body * 3] += share * (s0 - along * arm[o]);
  l[body * 3 + 1] += share * (s1 - along * arm[o + 1]);
  l[body * 3 + 2] += share * (s2 - along * arm[o + 2]);
}
