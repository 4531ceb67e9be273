import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { SideList } from './side-list.js';

/** How far the sides of contact c are from where it stops them, as they are placed in the lists of their bodies [m]. `sideOf`: their places there, 2 per contact. */
export function gapOf(contacts: ContactBuffer, sideOf: Int32Array, bodies: readonly SideList[], c: number): number {
  const { normal, offset, body } = contacts;
  let gap = -offset[c];
  for (let side = 0; side < 2 && sideOf[c * 2 + side] >= 0; side++) {
    const here = bodies[body[c * 2 + side]].at(sideOf[c * 2 + side]);
    const along = normal[c * 3] * here[0] + normal[c * 3 + 1] * here[1] + normal[c * 3 + 2] * here[2];
    gap += side === 0 ? along : -along;
  }
  return gap;
}
