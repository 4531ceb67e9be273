/**
 * Dents of the skin in time: K (u + τ u̇) = Qᵀ f, a skin without inertia, hence u' = a u + (1 − a) W Qᵀ f with a = τ/(h + τ). The last
 * stage of the layered step.
 *
 * No inertia, since it cannot be seen: layers of muscle ring at 16 to 34 Hz, which a step of a sixtieth of a second does not show.
 */
import type { LayerBody } from '../layer-body.js';
import {
  IMPULSE_1,
  IMPULSE_2,
  IMPULSE_CORE,
  IMPULSE_N,
  LOCAL,
  SIDE,
  TOUCH,
  type TouchList,
} from '../touch/touch-list.js';
import type { ComplianceColumn } from './skin-compliance.js';

/** A dent is brought up to date when it would move by more than this share of the body's size. */
const UNSEEN = 3e-8;

/** a = τ/(h + τ): share of a dent that is left after h [s]. */
export function keptShare(relaxation: number, h: number): number {
  return relaxation / (h + relaxation);
}

/** Notes what side s of a contact pushes its node with in this step, or the nodes around it where characters meet; `h` [s]. */
export function pushSkin(body: LayerBody, list: TouchList, s: number, h: number): void {
  const { data, sides, nodes } = list;
  const o = TOUCH * (s >> 1);
  const l = SIDE * s + LOCAL;
  const sign = (s % 2 === 0 ? 1 : -1) / h;
  const n = data[o + IMPULSE_N];
  const first = data[o + IMPULSE_1];
  const second = data[o + IMPULSE_2];
  if (n === 0 && first === 0 && second === 0) return;
  const x = sign * (sides[l] * n + sides[l + 3] * first + sides[l + 6] * second);
  const y = sign * (sides[l + 1] * n + sides[l + 4] * first + sides[l + 7] * second);
  const z = sign * (sides[l + 2] * n + sides[l + 5] * first + sides[l + 8] * second);
  const p = nodes[s];
  if (list.obstacles[s >> 1] >= 0) {
    pushNode(body, p, 1, x, y, z);
    return;
  }
  const patches = body.model.meetingPatches;
  for (let i = patches.start[p]; i < patches.start[p + 1]; i++) {
    pushNode(body, patches.nodes[i], patches.shares[i], x, y, z);
  }
}

function pushNode(body: LayerBody, p: number, share: number, x: number, y: number, z: number): void {
  const { pushes } = body;
  body.listPulled(p);
  pushes[3 * p] += share * x;
  pushes[3 * p + 1] += share * y;
  pushes[3 * p + 2] += share * z;
}

/**
 * Dents as the pushes of this step want them. What dents the skin is kept as a force F at each node, u = W F, and F' = a F + (1 − a) f: only
 * the change of F has to be spread, and where a body lies still there is none.
 */
export function dentSkin(body: LayerBody, kept: number): void {
  const { pulled, pushes, model } = body;
  const { pulls } = body.state;
  const least = UNSEEN * model.size;
  let count = 0;
  sortFirst(pulled, body.pulledCount);
  for (let i = 0; i < body.pulledCount; i++) {
    const p = pulled[i];
    const o = 3 * p;
    const fx = pushes[o];
    const fy = pushes[o + 1];
    const fz = pushes[o + 2];
    let x = (1 - kept) * (fx - pulls[o]);
    let y = (1 - kept) * (fy - pulls[o + 1]);
    let z = (1 - kept) * (fz - pulls[o + 2]);
    pushes[o] = 0;
    pushes[o + 1] = 0;
    pushes[o + 2] = 0;
    const column = body.compliance.column(p);
    const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) * column.values[0];
    const pushed = fx !== 0 || fy !== 0 || fz !== 0;
    if (most < least) {
      pulled[count] = p;
      if (pushed) {
        count++;
        continue;
      }
      // the last of a dent that nothing presses any more
      x = -pulls[o];
      y = -pulls[o + 1];
      z = -pulls[o + 2];
      body.isPulled[p] = 0;
    } else pulled[count++] = p;
    pulls[o] += x;
    pulls[o + 1] += y;
    pulls[o + 2] += z;
    spread(body, column, x, y, z);
  }
  body.pulledCount = count;
  if (count === 0) clearDents(body);
}

/** Sorts the first numbers of a list that is nearly sorted: sums must not depend on the order in which nodes came to be touched. */
function sortFirst(list: Int32Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const value = list[i];
    let at = i;
    for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1];
    list[at] = value;
  }
}

/** u += W f for a force on one node, at the nodes that can touch; `shownDents` finds the others. */
function spread(body: LayerBody, column: ComplianceColumn, x: number, y: number, z: number): void {
  const { touching: nodes, touchingValues: values, touchingBlocks: blocks } = column;
  const { isDented } = body;
  const { dents } = body.state;
  const count = nodes.length;
  for (let i = 0; i < count; i++) if (isDented[nodes[i]] === 0) listDented(body, nodes[i]);
  if (blocks !== undefined) {
    for (let i = 0; i < count; i++) addTurned(dents, 3 * nodes[i], blocks, 9 * i, x, y, z);
    return;
  }
  for (let i = 0; i < count; i++) {
    const o = 3 * nodes[i];
    const w = values[i];
    dents[o] += w * x;
    dents[o + 1] += w * y;
    dents[o + 2] += w * z;
  }
}

function listDented(body: LayerBody, p: number): void {
  body.isDented[p] = 1;
  body.dented[body.dentedCount++] = p;
}

/** out = W F, the dents of all nodes, 3 each [m]: what is shown, and no part of the step. */
export function shownDents({ compliance, model, state }: LayerBody, out: Float64Array): void {
  const { pulls } = state;
  out.fill(0);
  for (let p = 0; p < model.nodeCount; p++) {
    const x = pulls[3 * p];
    const y = pulls[3 * p + 1];
    const z = pulls[3 * p + 2];
    if (x === 0 && y === 0 && z === 0) continue;
    const { nodes, values, blocks } = compliance.column(p);
    for (let i = 0; i < nodes.length; i++) {
      const o = 3 * nodes[i];
      if (blocks === undefined) {
        out[o] += values[i] * x;
        out[o + 1] += values[i] * y;
        out[o + 2] += values[i] * z;
      } else addTurned(out, o, blocks, 9 * i, x, y, z);
    }
  }
}

/** out += B (x, y, z) */
export function addTurned(
  out: Float64Array,
  o: number,
  b: Float64Array,
  i: number,
  x: number,
  y: number,
  z: number,
): void {
  out[o] += b[i] * x + b[i + 1] * y + b[i + 2] * z;
  out[o + 1] += b[i + 3] * x + b[i + 4] * y + b[i + 5] * z;
  out[o + 2] += b[i + 6] * x + b[i + 7] * y + b[i + 8] * z;
}

/** Nothing presses any more: what is left of the dents is rounding. */
function clearDents(body: LayerBody): void {
  const { dents } = body.state;
  for (let i = 0; i < body.dentedCount; i++) {
    const o = 3 * body.dented[i];
    dents[o] = 0;
    dents[o + 1] = 0;
    dents[o + 2] = 0;
    body.isDented[body.dented[i]] = 0;
  }
  body.dentedCount = 0;
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
  for (let i = 0; i < body.touchedCount; i++) clear4(touch, 4 * body.touched[i]);
  body.touchedCount = 0;
}

/** Four numbers become zero; faster than `fill` for so few. */
export function clear4(a: Float64Array, o: number): void {
  a[o] = 0;
  a[o + 1] = 0;
  a[o + 2] = 0;
  a[o + 3] = 0;
}
