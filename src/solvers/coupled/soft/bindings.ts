/**
 * Vertices of soft bodies that rigid bodies carry: bones in flesh, hems in rings. A binding is a row among the contacts, one that also pulls
 * and never slides: it brings the vertex to its place on the body in the position track and to its velocity in the velocity track,
 * and what one gains in momentum the other loses. Its normal is the way between the two, whatever that is.
 */
import { rotateVec3 } from '../../../math/quat.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { CoreBinding } from '../core-scene.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from './soft-bodies.js';
import type { SoftSides } from './soft-sides.js';

/** A way shorter than this has no direction [m]. */
const NO_WAY = 1e-12;

/** All bindings of a world. */
export class Bindings {
  readonly count: number;
  readonly #bindings: readonly CoreBinding[];
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #arm = new Float64Array(3);

  constructor(bindings: readonly CoreBinding[], rigid: RigidBodies, soft: SoftBodies) {
    this.#bindings = bindings;
    this.count = bindings.length;
    this.#rigid = rigid;
    this.#soft = soft;
  }

  /** Adds all of them to an empty list. Their keys come before those of contacts. */
  add(contacts: ContactList, sides: SoftSides): void {
    const { x, q, count } = this.#rigid;
    const arm = this.#arm;
    for (let n = 0; n < this.count; n++) {
      const { soft, vertex, rigid, anchor } = this.#bindings[n];
      const side = sides.add(soft, vertex, vertex, vertex, 1, 0, 0);
      const c = contacts.add(n - this.count, count + soft, rigid);
      const v = (this.#soft.firstVertex[soft] + vertex) * 3;
      rotateVec3(arm, 0, q, rigid * 4, anchor, 0);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const way = this.#soft.x[v + k] - x[rigid * 3 + k] - arm[k];
        contacts.normal[c * 3 + k] = way;
        contacts.armB[c * 3 + k] = arm[k];
        square += way * way;
      }
      const length = Math.sqrt(square);
      const known = length > NO_WAY;
      for (let k = 0; k < 3; k++)
        contacts.normal[c * 3 + k] = known ? contacts.normal[c * 3 + k] / length : k === 1 ? 1 : 0;
      contacts.sideA[c] = side;
      contacts.gap[c] = length;
      contacts.friction[c] = Number.POSITIVE_INFINITY;
      contacts.restitution[c] = 0;
    }
  }
}
