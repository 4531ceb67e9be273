/**
 * Wedged contacts: those that do not give way at all to a force within their cone of friction, or not far outside it. A corner beside the pin that its bone hangs on is one: along the line to the pin it
 * may be pushed with any force, and of two corners on both sides of the pin any two forces cancel. Nothing says how large they are, and where friction needs them
 * to hold what cannot be held, they grew to 1e8 N within a step and threw the bone over (docs/decisions/0042).
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';

/** Share of how a contact gives way that is as good as none. */
const NOTHING = 1e-6;
/** How many times as far aside as friction reaches the line may be: with 1.2, one of 112 arms was still thrown over. */
const NEAR = 1.6;

/**
 * Whether a contact that gives way by `w` (symmetric, 3x3) is wedged. Its friction then reaches no farther than the line along which it does not give way: a force along that line holds whatever there is to hold.
 */
export function limitWedge({ normal, friction }: ContactBuffer, c: number, w: Float64Array): boolean {
  // the cofactors are the product of the two larger ways of giving way times d dᵀ, with d the direction of the smallest
  const xx = w[4] * w[8] - w[5] * w[7];
  const yy = w[0] * w[8] - w[2] * w[6];
  const zz = w[0] * w[4] - w[1] * w[3];
  const xy = w[5] * w[6] - w[3] * w[8];
  const xz = w[3] * w[7] - w[4] * w[6];
  const yz = w[1] * w[6] - w[0] * w[7];
  const all = xx + yy + zz;
  const trace = w[0] + w[4] + w[8];
  const determinant = w[0] * xx + w[1] * xy + w[2] * xz;
  // about a hinge a point gives way along one line only: any direction across it would do, and none is meant
  if (!(all > NOTHING * trace * trace && determinant < NOTHING * all * trace)) return false;
  const x = normal[c * 3];
  const y = normal[c * 3 + 1];
  const z = normal[c * 3 + 2];
  const along = x * x * xx + y * y * yy + z * z * zz + 2 * (x * y * xy + x * z * xz + y * z * yz);
  const reach = NEAR * friction[c];
  if (!(along * (1 + reach * reach) > all)) return false;
  const aside = Math.sqrt(Math.max(0, all - along) / along);
  if (aside < friction[c]) friction[c] = aside;
  return true;
}
