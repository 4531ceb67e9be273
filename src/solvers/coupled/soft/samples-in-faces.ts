/** Samples of rigid bodies against the faces of soft ones: of many near a face the few that matter become contacts. */

import { CANDIDATE, Manifold } from '../../../collision/rigid/manifold.js';
import { SAMPLE, type SampledShape } from '../../../collision/rigid/sampled-shape.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import { addFaceSide } from './add-sides.js';
import type { FacedSurface } from './faced-surface.js';
import type { PairSlab } from './pair-slab.js';
import type { SoftSides } from './soft-sides.js';

/** Most samples near faces of one pair. */
const MOST = 256;

/** Finds where rigid bodies touch faces. */
export class SamplesInFaces {
  readonly #rigid: RigidBodies;
  readonly #sides: SoftSides;
  readonly #shapes: readonly SampledShape[];
  readonly #faced: FacedSurface;
  readonly #slab: PairSlab;
  /** Samples near faces of the pair at hand, with the faces. */
  readonly #manifold = new Manifold(MOST);
  readonly #corner = new Int32Array(MOST * 3);
  readonly #weight = new Float64Array(MOST * 3);

  constructor(
    rigid: RigidBodies,
    sides: SoftSides,
    shapes: readonly SampledShape[],
    faced: FacedSurface,
    slab: PairSlab,
  ) {
    this.#slab = slab;
    this.#rigid = rigid;
    this.#sides = sides;
    this.#shapes = shapes;
    this.#faced = faced;
  }

  /** Contacts of rigid body a with faces of soft body s. */
  find(
    contacts: ContactList,
    a: number,
    s: number,
    margin: Float64Array,
    firstKey: Float64Array,
    boxes: Float64Array,
  ): void {
    const { x, rotation } = this.#rigid;
    const { samples, count } = this.#shapes[a];
    const { at, facing } = this.#faced;
    const slab = this.#slab;
    const start = slab.startB[0] - margin[0];
    const manifold = this.#manifold;
    manifold.clear();
    this.#faced.margin[0] = margin[0];
    for (let n = 0; n < count && manifold.count < manifold.capacity; n++) {
      const o = n * SAMPLE;
      for (let k = 0; k < 3; k++) {
        const r = a * 9 + k * 3;
        const turn = rotation[r] * samples[o] + rotation[r + 1] * samples[o + 1] + rotation[r + 2] * samples[o + 2];
        at[k] = x[a * 3 + k] + turn;
      }
      if (slab.along(at, 0) + samples[o + 3] < start) continue;
      for (let k = 0; k < 3; k++) {
        const r = a * 9 + k * 3;
        facing[k] = rotation[r] * samples[o + 4] + rotation[r + 1] * samples[o + 5] + rotation[r + 2] * samples[o + 6];
      }
      this.#faced.radius[0] = samples[o + 3];
      this.#faced.key[0] = firstKey[0] + n;
      if (this.#faced.isNear(s, contacts, boxes)) this.#addCandidate(n);
    }
    manifold.reduce(margin[0]);
    for (let i = 0; i < manifold.count; i++) if (manifold.kept[i] === 1) this.#addContact(contacts, a, s, i, firstKey);
  }

  /** Notes the point of the face that was found last for sample n. */
  #addCandidate(n: number): void {
    const { surface, at, gap } = this.#faced;
    const { values } = this.#manifold;
    const i = this.#manifold.count++;
    const o = i * CANDIDATE;
    values[o] = n;
    for (let k = 0; k < 3; k++) {
      values[o + 1 + k] = at[k] - surface.distance[0] * surface.normal[k];
      values[o + 4 + k] = surface.normal[k];
      this.#corner[i * 3 + k] = surface.corner[k];
      this.#weight[i * 3 + k] = surface.weight[k];
    }
    values[o + 7] = gap[0];
  }

  /** A contact of rigid body a with a face of soft body s, from candidate i: both are pushed at the point of the face. */
  #addContact(contacts: ContactList, a: number, s: number, i: number, firstKey: Float64Array): void {
    const { values } = this.#manifold;
    const o = i * CANDIDATE;
    const corner = this.#corner;
    const weight = this.#weight;
    const side = addFaceSide(this.#sides, s, corner, i * 3, weight, i * 3);
    const c = side < 0 ? -1 : contacts.addUnnamed(a, this.#rigid.count + s);
    if (side < 0) contacts.missed++;
    if (c < 0) return;
    contacts.key[c] = firstKey[0] + values[o];
    contacts.sideB[c] = side;
    contacts.gap[c] = values[o + 7];
    for (let k = 0; k < 3; k++) {
      contacts.normal[c * 3 + k] = values[o + 4 + k];
      contacts.armA[c * 3 + k] = values[o + 1 + k] - this.#rigid.x[a * 3 + k];
    }
  }
}
