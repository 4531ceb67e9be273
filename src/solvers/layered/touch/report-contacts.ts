/** Contacts of the layered step in the form that contact events, viewers and exporters read. Last stage of the step. */
import type { ContactBuffer } from '../../../collision/contact-buffer.js';
import {
  FRICTION,
  GAP,
  IMPULSE_1,
  IMPULSE_2,
  IMPULSE_CORE,
  IMPULSE_N,
  PINNED,
  TOUCH,
  type TouchList,
} from './touch-list.js';

/** Copies what there is room for; `h` [s]. */
export function fillContacts(list: TouchList, out: ContactBuffer, h: number): void {
  out.clear();
  const { data } = list;
  for (let c = 0; c < list.count; c++) {
    if (list.obstacles[c] === PINNED) continue;
    const i = out.add(list.bodies[2 * c], list.nodes[2 * c], list.bodies[2 * c + 1], list.obstacles[c]);
    if (i < 0) continue;
    const o = TOUCH * c;
    out.setVertex(i, 0, 0, list.nodes[2 * c], 1);
    if (list.bodies[2 * c + 1] >= 0) out.setVertex(i, 1, 0, list.nodes[2 * c + 1], 1);
    const along = data[o + IMPULSE_N] + data[o + IMPULSE_CORE];
    for (let k = 0; k < 3; k++) {
      out.normal[3 * i + k] = data[o + k];
      out.force[3 * i + k] =
        (data[o + k] * along + data[o + 3 + k] * data[o + IMPULSE_1] + data[o + 6 + k] * data[o + IMPULSE_2]) / h;
    }
    out.gap[i] = data[o + GAP];
    out.friction[i] = data[o + FRICTION];
  }
}
