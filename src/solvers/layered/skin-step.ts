/**
 * Dents of the skin in time: K (u + τ u̇) = Qᵀ f, a skin without inertia, hence u' = a u + (1 − a) W Qᵀ f with a = τ/(h + τ). The last
 * stage of the layered step.
 *
 * No inertia, since it cannot be seen: layers of muscle ring at 16 to 34 Hz, which a step of a sixtieth of a second does not show.
 */
import type { LayerBody } from './layer-body.js';
import { IMPULSE_1, IMPULSE_2, IMPULSE_CORE, IMPULSE_N, LOCAL, SIDE, TOUCH, type TouchList } from './touch-list.js';

/** Dents shorter than this share of the body's size are none. */
const NO_DENT = 1e-9;

/** a = τ/(h + τ): share of a dent that is left after h [s]. */
export function keptShare(relaxation: number, h: number): number {
  return relaxation / (h + relaxation);
}

/** Lets dents go back by themselves and forgets those that have gone. */
export function relaxSkin(body: LayerBody, kept: number): void {
  const { dented, isDented, model } = body;
  const { dents } = body.state;
  const least = NO_DENT * model.size;
  let count = 0;
  for (let i = 0; i < body.dentedCount; i++) {
    const p = dented[i];
    const x = kept * dents[3 * p];
    const y = kept * dents[3 * p + 1];
    const z = kept * dents[3 * p + 2];
    const square = x * x + y * y + z * z;
    if (square < least * least) {
      dents.fill(0, 3 * p, 3 * p + 3);
      isDented[p] = 0;
      continue;
    }
    dents[3 * p] = x;
    dents[3 * p + 1] = y;
    dents[3 * p + 2] = z;
    dented[count++] = p;
  }
  body.dentedCount = count;
}

/** Finds the longest dent. */
export function measureDents(body: LayerBody): void {
  const { dents } = body.state;
  let longest = 0;
  for (let i = 0; i < body.dentedCount; i++) {
    const d = 3 * body.dented[i];
    const square = dents[d] * dents[d] + dents[d + 1] * dents[d + 1] + dents[d + 2] * dents[d + 2];
    if (square > longest) longest = square;
  }
  body.deepestDent = Math.sqrt(longest);
}

/** Adds what the impulses of side s of a contact do to the skin; `share`: way per impulse and compliance. */
export function dentSkin(body: LayerBody, list: TouchList, s: number, share: number): void {
  const { data, sides, nodes } = list;
  const o = TOUCH * (s >> 1);
  const l = SIDE * s + LOCAL;
  const sign = s % 2 === 0 ? share : -share;
  const n = data[o + IMPULSE_N];
  const first = data[o + IMPULSE_1];
  const second = data[o + IMPULSE_2];
  if (n === 0 && first === 0 && second === 0) return;
  const fx = sign * (sides[l] * n + sides[l + 3] * first + sides[l + 6] * second);
  const fy = sign * (sides[l + 1] * n + sides[l + 4] * first + sides[l + 7] * second);
  const fz = sign * (sides[l + 2] * n + sides[l + 5] * first + sides[l + 8] * second);
  const column = body.model.compliance.column(nodes[s]);
  const { dents } = body.state;
  const { isDented, dented } = body;
  for (let i = 0; i < column.nodes.length; i++) {
    const p = column.nodes[i];
    const w = column.values[i];
    if (isDented[p] === 0) {
      isDented[p] = 1;
      dented[body.dentedCount++] = p;
    }
    dents[3 * p] += w * fx;
    dents[3 * p + 1] += w * fy;
    dents[3 * p + 2] += w * fz;
  }
}

/** Keeps the force of contact c at its node, to begin the next step with. */
export function keepForce(body: LayerBody, list: TouchList, c: number, h: number): void {
  const { data } = list;
  const o = TOUCH * c;
  const p = list.nodes[2 * c];
  const { touch } = body.state;
  const n = data[o + IMPULSE_N];
  const core = data[o + IMPULSE_CORE];
  if (n === 0 && core === 0) return;
  const t = 4 * p;
  if (touch[t] === 0 && touch[t + 1] === 0 && touch[t + 2] === 0 && touch[t + 3] === 0) {
    body.touched[body.touchedCount++] = p;
  }
  for (let k = 0; k < 3; k++) {
    touch[t + k] +=
      (data[o + k] * n + data[o + 3 + k] * data[o + IMPULSE_1] + data[o + 6 + k] * data[o + IMPULSE_2]) / h;
  }
  touch[t + 3] += core / h;
}

/** Forgets the forces of the last step that were not taken up again. */
export function forgetForces(body: LayerBody): void {
  const { touch } = body.state;
  for (let i = 0; i < body.touchedCount; i++) touch.fill(0, 4 * body.touched[i], 4 * body.touched[i] + 4);
  body.touchedCount = 0;
}
