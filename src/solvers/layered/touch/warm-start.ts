/** Contacts begin with the forces of the step before, within the cone of friction. Called before they are solved for. */
import type { LayerBody } from '../layer-body.js';
import { clear4 } from '../skin/skin-step.js';
import {
  FRICTION,
  HELD,
  IMPULSE_1,
  IMPULSE_2,
  IMPULSE_CORE,
  IMPULSE_N,
  NORMAL,
  TANGENT_1,
  TANGENT_2,
  TOUCH,
  type TouchList,
} from './touch-list.js';

/** Writes the first impulses of all contacts; `equalities`: pins alone have any. */
export function warmStart(list: TouchList, bodies: readonly LayerBody[], h: number, equalities: boolean): void {
  for (let c = 0; c < list.count; c++) {
    const { touch } = bodies[list.bodies[2 * c]].state;
    const t = 4 * list.nodes[2 * c];
    if (touch[t] === 0 && touch[t + 1] === 0 && touch[t + 2] === 0 && touch[t + 3] === 0) continue;
    if (!equalities || list.data[TOUCH * c + HELD] === 1) begin(list.data, TOUCH * c, touch, t, h);
  }
}

function begin(data: Float64Array, o: number, touch: Float64Array, t: number, h: number): void {
  const n = h * dot(data, o + NORMAL, touch, t);
  const held = data[o + HELD] === 1;
  const normal = held ? n : Math.max(0, n);
  const core = h * touch[t + 3];
  let first = h * dot(data, o + TANGENT_1, touch, t);
  let second = h * dot(data, o + TANGENT_2, touch, t);
  const length = Math.sqrt(first * first + second * second);
  const most = data[o + FRICTION] * (normal + core);
  if (length > most && !held) {
    first *= most / length;
    second *= most / length;
  }
  // taken once: a second contact of the node begins with nothing
  clear4(touch, t);
  data[o + IMPULSE_N] = normal;
  data[o + IMPULSE_1] = first;
  data[o + IMPULSE_2] = second;
  data[o + IMPULSE_CORE] = core;
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}
