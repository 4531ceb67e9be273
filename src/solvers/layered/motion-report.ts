/** What a step says of the bones of a body: joints closed, bones rigid, momentum explained. Last stage of the layered step. */
import type { StepReport } from '../step-report.js';
import { KINEMATIC, type LayerBody, type LayerState, LIMP } from './layer-body.js';
import {
  GAP_AFTER,
  IMPULSE_1,
  IMPULSE_2,
  IMPULSE_CORE,
  IMPULSE_N,
  PINNED,
  TOUCH,
  type TouchList,
} from './touch/touch-list.js';

/** Measures one body. */
export class MotionReport {
  readonly #body: LayerBody;
  readonly #before = new Float64Array(3);
  readonly #after = new Float64Array(3);

  constructor(body: LayerBody) {
    this.#body = body;
  }

  /** Call before the step. */
  begin(): void {
    linearMomentum(this.#body, this.#before);
  }

  /** Fills the report of the body. */
  fill(report: StepReport, gravity: ArrayLike<number>, h: number): void {
    const body = this.#body;
    const expected = this.#before;
    const { mass, count } = body.model.bones;
    for (let k = 0; k < 3; k++) expected[k] += h * gravity[k] * body.model.totalMass;
    linearMomentum(body, this.#after);
    report.jointGap = jointGap(body);
    report.rigidity = rigidity(body);
    let free = body.grips.length === 0 && !body.isPushed;
    for (let bone = 0; bone < count && free; bone++) {
      const { drive } = body.state;
      if (drive[bone] === KINEMATIC || (bone === 0 && drive[bone] !== LIMP) || !(mass[bone] > 0)) free = false;
    }
    if (!free) return;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (this.#after[k] - expected[k]) * (this.#after[k] - expected[k]);
    report.momentumDrift = Math.sqrt(square);
  }

  /** A contact pushes the body by an impulse of its list, or away by its opposite. */
  push({ data }: TouchList, c: number, sign: number): void {
    const o = TOUCH * c;
    const along = data[o + IMPULSE_N] + data[o + IMPULSE_CORE];
    for (let k = 0; k < 3; k++) {
      this.#before[k] +=
        sign * (data[o + k] * along + data[o + 3 + k] * data[o + IMPULSE_1] + data[o + 6 + k] * data[o + IMPULSE_2]);
    }
  }
}

/** Impulses of contacts on bodies, how many there are, and how deep bodies are in anything after the step. Before `fill`. */
export function addContacts(list: TouchList, motions: readonly MotionReport[], reports: readonly StepReport[]): void {
  for (let c = 0; c < list.count; c++) {
    const a = list.bodies[2 * c];
    const b = list.bodies[2 * c + 1];
    // what a body does to itself changes nothing of its momentum
    if (a !== b) motions[a].push(list, c, 1);
    if (b >= 0 && a !== b) motions[b].push(list, c, -1);
    if (list.obstacles[c] === PINNED) continue;
    count(reports[a], list, c);
    if (b >= 0 && a !== b) count(reports[b], list, c);
  }
}

function count(report: StepReport, { data }: TouchList, c: number): void {
  report.contacts++;
  report.penetration = Math.max(report.penetration, -data[TOUCH * c + GAP_AFTER]);
}

function linearMomentum({ model, state }: LayerBody, out: Float64Array): void {
  const { mass, count } = model.bones;
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let bone = 0; bone < count; bone++) sum += mass[bone] * state.velocities[3 * bone + k];
    out[k] = sum;
  }
}

/** Largest distance between the two ends of a joint [m]. */
function jointGap({ model, state }: LayerBody): number {
  const { count, parents, places, centre } = model.bones;
  const { rotations: r, translations } = state.poses;
  let worst = 0;
  for (let bone = 1; bone < count; bone++) {
    const b = 3 * bone;
    const p = 3 * parents[bone];
    for (let k = 0; k < 3; k++) {
      let gap = translations[b + k] - translations[p + k];
      for (let j = 0; j < 3; j++) {
        gap += r[9 * bone + 3 * k + j] * (places[b + j] - centre[b + j]);
        gap -= r[9 * parents[bone] + 3 * k + j] * (places[b + j] - centre[p + j]);
      }
      worst = Math.max(worst, Math.abs(gap));
    }
  }
  return worst;
}

/** Largest entry of RᵀR − I. */
function rigidity({ model, state }: LayerBody): number {
  const r = state.poses.rotations;
  let worst = 0;
  for (let o = 0; o < 9 * model.bones.count; o += 9) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j <= i; j++) {
        const dot = r[o + i] * r[o + j] + r[o + 3 + i] * r[o + 3 + j] + r[o + 6 + i] * r[o + 6 + j];
        worst = Math.max(worst, Math.abs(dot - (i === j ? 1 : 0)));
      }
    }
  }
  return worst;
}

/** Rates of bones' transforms, 12 per bone (three columns of the rotation's rate, then the velocity), from spins and velocities. */
export function writeBoneRates({ spins, velocities, poses }: LayerState, rates: Float64Array): void {
  const r = poses.rotations;
  for (let bone = 0; bone < spins.length / 3; bone++) {
    const x = spins[3 * bone];
    const y = spins[3 * bone + 1];
    const z = spins[3 * bone + 2];
    for (let column = 0; column < 3; column++) {
      const o = 12 * bone + 3 * column;
      const a = r[9 * bone + column];
      const b = r[9 * bone + 3 + column];
      const c = r[9 * bone + 6 + column];
      rates[o] = y * c - z * b;
      rates[o + 1] = z * a - x * c;
      rates[o + 2] = x * b - y * a;
    }
    for (let k = 0; k < 3; k++) rates[12 * bone + 9 + k] = velocities[3 * bone + k];
  }
}

/** Spins and velocities from rates of transforms: ω = half the sum of column x rate over the three columns. */
export function readBoneRates(rates: Float64Array, { spins, velocities, poses }: LayerState): void {
  const r = poses.rotations;
  for (let bone = 0; bone < spins.length / 3; bone++) {
    const s = 3 * bone;
    for (let k = 0; k < 3; k++) {
      spins[s + k] = 0;
      velocities[s + k] = rates[12 * bone + 9 + k];
    }
    for (let column = 0; column < 3; column++) {
      const o = 12 * bone + 3 * column;
      const a = r[9 * bone + column];
      const b = r[9 * bone + 3 + column];
      const c = r[9 * bone + 6 + column];
      spins[s] += 0.5 * (b * rates[o + 2] - c * rates[o + 1]);
      spins[s + 1] += 0.5 * (c * rates[o] - a * rates[o + 2]);
      spins[s + 2] += 0.5 * (a * rates[o + 1] - b * rates[o]);
    }
  }
}
