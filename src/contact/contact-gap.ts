import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { SideList } from './side-list.js';

/**
 * out[0] = how far the sides of contact c are from where it stops them, as they are placed in the lists of their bodies [m]. `sideOf`: their places there, 2 per contact. Not returned: a
 * number returned in a loop is boxed.
 */
export function readGap(
  contacts: ContactBuffer,
  sideOf: Int32Array,
  bodies: readonly SideList[],
  c: number,
  out: Float64Array,
): void {
  const { normal, offset, body } = contacts;
  out[0] = -offset[c];
  for (let side = 0; side < 2 && sideOf[c * 2 + side] >= 0; side++) {
    const here = bodies[body[c * 2 + side]].at(sideOf[c * 2 + side]);
    const along = normal[c * 3] * here[0] + normal[c * 3 + 1] * here[1] + normal[c * 3 + 2] * here[2];
    out[0] += side === 0 ? along : -along;
  }
}
