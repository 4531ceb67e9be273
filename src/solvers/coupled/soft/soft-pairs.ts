/**
 * Narrow phase of soft bodies: their vertices in the distance of rigid bodies, samples of rigid bodies against their faces, and
 * vertices of one against faces of the other.
 */

import { probeFacing, type SampledShape } from '../../../collision/rigid/sampled-shape.js';
import { ShapeProbe } from '../../../collision/shapes/shape.js';
import { CARRY, type CarriedContacts } from '../contacts/carried-contacts.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { Surfaces } from '../contacts/contact-search.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import { addFaceSide, addVertexSide } from './add-sides.js';
import { FacedSurface } from './faced-surface.js';
import { PairSlab } from './pair-slab.js';
import { SamplesInFaces } from './samples-in-faces.js';
import type { SoftBodies } from './soft-bodies.js';
import type { SoftSides } from './soft-sides.js';

/** Contacts are kept within this share of a body's size even where nothing moves. */
const ALWAYS = 0.005;
/** Added to the keys of a pair's second way of touching. */
const SECOND = 65536;
/** Finds where soft bodies touch. */
export class SoftPairs {
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly sides: SoftSides;
  readonly #shapes: readonly SampledShape[];
  readonly #probe = new ShapeProbe();
  readonly #out = new Float64Array(3);
  readonly #faced: FacedSurface;
  readonly #slab: PairSlab;
  readonly #samples: SamplesInFaces;
  /** How near points must be to what they are held against [m]. */
  readonly #near = new Float64Array(1);

  constructor(rigid: RigidBodies, soft: SoftBodies, sides: SoftSides, shapes: readonly SampledShape[]) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.sides = sides;
    this.#shapes = shapes;
    this.#faced = new FacedSurface(soft, rigid.count);
    this.#slab = new PairSlab(rigid, soft, shapes);
    this.#samples = new SamplesInFaces(rigid, sides, shapes, this.#faced, this.#slab);
  }

  /** Longest side of the box around each soft body [m]. */
  get sizes(): Float64Array {
    return this.#faced.size;
  }

  begin(): void {
    this.sides.clear();
    this.#faced.surface.begin();
  }

  /**
   * The box around soft body s, in boxes[6 b..], its mean velocity, in drift[3 b..], and how far it may go beside that in a step, in
   * motion[b] [m]. `pace`: of the step, its length [s] and how far bodies fall in it [m].
   */
  boxBody(
    s: number,
    boxes: Float64Array,
    b: number,
    drift: Float64Array,
    motions: Float64Array,
    pace: Float64Array,
    carried?: CarriedContacts,
  ): void {
    const { x, v, firstVertex } = this.#soft;
    const o = b * 6;
    const d = b * 3;
    const count = firstVertex[s + 1] - firstVertex[s];
    for (let k = 0; k < 3; k++) {
      boxes[o + k] = Number.POSITIVE_INFINITY;
      boxes[o + 3 + k] = Number.NEGATIVE_INFINITY;
      drift[d + k] = 0;
    }
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) {
      for (let k = 0; k < 3; k++) {
        const at = x[i + k];
        if (at < boxes[o + k]) boxes[o + k] = at;
        if (at > boxes[o + 3 + k]) boxes[o + 3 + k] = at;
        drift[d + k] += v[i + k] / count;
      }
    }
    let speedSq = 0;
    for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) {
      const vx = v[i] - drift[d];
      const vy = v[i + 1] - drift[d + 1];
      const vz = v[i + 2] - drift[d + 2];
      speedSq = Math.max(speedSq, vx * vx + vy * vy + vz * vz);
    }
    const size = Math.max(boxes[o + 3] - boxes[o], boxes[o + 4] - boxes[o + 1], boxes[o + 5] - boxes[o + 2]);
    this.#faced.size[s] = size;
    const slack = Math.max(ALWAYS * size, carried?.isOfHeap(b) ? CARRY * this.#soft.models[s].reach : 0);
    const motion = pace[0] * Math.sqrt(speedSq) + pace[1] + slack;
    motions[b] = motion;
    for (let k = 0; k < 3; k++) {
      const wide = motion + this.#soft.models[s].radius;
      boxes[o + k] -= wide;
      boxes[o + 3 + k] += wide;
    }
  }

  /** Contacts of soft body b (numbered after the rigid ones) with body a, whatever that is, nearer than margin[0], of keys from firstKey[0] on. */
  find(
    contacts: ContactList,
    a: number,
    b: number,
    margin: Float64Array,
    firstKey: Float64Array,
    surfaces: Surfaces,
    boxes: Float64Array,
  ): void {
    if (!this.#slab.measure(a, b, boxes, margin)) return;
    const from = contacts.count;
    const s = b - this.#rigid.count;
    if (a < this.#rigid.count) {
      this.#verticesInShape(contacts, s, a, margin, firstKey, boxes);
      firstKey[0] += SECOND;
      this.#samples.find(contacts, a, s, margin, firstKey, boxes);
    } else {
      const other = a - this.#rigid.count;
      this.#verticesInFaces(contacts, other, s, margin, firstKey, boxes);
      firstKey[0] += SECOND;
      this.#verticesInFaces(contacts, s, other, margin, firstKey, boxes);
    }
    firstKey[0] -= SECOND;
    const friction = from < contacts.count ? surfaces.frictionOf(a, b) : 0;
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = friction;
      contacts.restitution[c] = 0;
    }
  }

  #verticesInShape(
    contacts: ContactList,
    s: number,
    a: number,
    margin: Float64Array,
    firstKey: Float64Array,
    boxes: Float64Array,
  ): void {
    const { x: at, rotation } = this.#rigid;
    const { x, firstVertex, models } = this.#soft;
    const { surfaceVertices, radius, isSheet } = models[s];
    const { box } = this.#shapes[a];
    const probe = this.#probe;
    const { facing, surface } = this.#faced;
    const out = this.#out;
    const near = margin[0] + radius;
    const slab = this.#slab;
    const end = slab.endA[0] + near;
    this.#near[0] = near;
    facing.fill(0);
    const r = a * 9;
    for (let n = 0; n < surfaceVertices.length; n++) {
      const vertex = surfaceVertices[n];
      const i = (firstVertex[s] + vertex) * 3;
      if (slab.along(x, i) > end || isBeyond(x, i, boxes, a * 6, this.#near)) continue;
      const d0 = x[i] - at[a * 3];
      const d1 = x[i + 1] - at[a * 3 + 1];
      const d2 = x[i + 2] - at[a * 3 + 2];
      let outside = false;
      for (let k = 0; k < 3; k++) {
        probe.at[k] = rotation[r + k] * d0 + rotation[r + 3 + k] * d1 + rotation[r + 6 + k] * d2;
        if (box && (probe.at[k] > box[3 + k] + near || probe.at[k] < box[k] - near)) outside = true;
      }
      if (outside) continue;
      probe.reach[0] = near;
      if (!isSheet) {
        surface.facing(s, vertex, out);
        for (let k = 0; k < 3; k++) {
          facing[k] = rotation[r + k] * out[0] + rotation[r + 3 + k] * out[1] + rotation[r + 6 + k] * out[2];
        }
      }
      if (!probeFacing(this.#shapes[a], probe, facing) || probe.distance[0] >= near) continue;
      const c = this.#addVertex(contacts, s, vertex, a);
      if (c < 0) continue;
      contacts.key[c] = firstKey[0] + vertex;
      contacts.gap[c] = probe.distance[0] - radius;
      for (let k = 0; k < 3; k++) {
        const row = r + k * 3;
        const { normal } = probe;
        contacts.normal[c * 3 + k] =
          rotation[row] * normal[0] + rotation[row + 1] * normal[1] + rotation[row + 2] * normal[2];
        contacts.armB[c * 3 + k] = x[i + k] - at[a * 3 + k];
      }
    }
  }

  /** A contact of a vertex of soft body s with body b, still without key and gap; its number, or -1 without room. */
  #addVertex(contacts: ContactList, s: number, vertex: number, b: number): number {
    const side = addVertexSide(this.sides, s, vertex);
    const c = side < 0 ? -1 : contacts.addUnnamed(this.#rigid.count + s, b);
    if (side < 0) contacts.missed++;
    if (c < 0) return -1;
    contacts.sideA[c] = side;
    return c;
  }

  #verticesInFaces(
    contacts: ContactList,
    from: number,
    into: number,
    margin: Float64Array,
    firstKey: Float64Array,
    boxes: Float64Array,
  ): void {
    const { x, firstVertex, models } = this.#soft;
    const { surfaceVertices, radius, isSheet } = models[from];
    const { at, facing, surface, gap } = this.#faced;
    const near = margin[0] + radius;
    const o = (this.#rigid.count + into) * 6;
    const slab = this.#slab;
    // the pair's first body is on the lower side of the slab
    const low = from < into ? slab.startB[0] - near : Number.NEGATIVE_INFINITY;
    const high = from < into ? Number.POSITIVE_INFINITY : slab.endA[0] + near;
    this.#near[0] = near;
    this.#faced.margin[0] = margin[0];
    this.#faced.radius[0] = radius;
    for (let n = 0; n < surfaceVertices.length; n++) {
      const vertex = surfaceVertices[n];
      const i = (firstVertex[from] + vertex) * 3;
      const along = slab.along(x, i);
      if (along < low || along > high || isBeyond(x, i, boxes, o, this.#near)) continue;
      for (let k = 0; k < 3; k++) at[k] = x[i + k];
      if (isSheet) facing.fill(0);
      else surface.facing(from, vertex, facing);
      this.#faced.key[0] = firstKey[0] + vertex;
      if (!this.#faced.isNear(into, contacts, boxes)) continue;
      const { corner, weight, normal } = surface;
      const side = addFaceSide(this.sides, into, corner, 0, weight, 0);
      if (side < 0) {
        contacts.missed++;
        continue;
      }
      const c = this.#addVertex(contacts, from, vertex, this.#rigid.count + into);
      if (c < 0) continue;
      contacts.key[c] = this.#faced.key[0];
      contacts.gap[c] = gap[0];
      contacts.sideB[c] = side;
      for (let k = 0; k < 3; k++) contacts.normal[c * 3 + k] = normal[k];
    }
  }
}

/** Whether the point x[i..] is farther than `distance[0]` from a box. */
function isBeyond(x: Float64Array, i: number, boxes: Float64Array, o: number, distance: Float64Array): boolean {
  const near = distance[0];
  return (
    x[i] < boxes[o] - near ||
    x[i] > boxes[o + 3] + near ||
    x[i + 1] < boxes[o + 1] - near ||
    x[i + 1] > boxes[o + 4] + near ||
    x[i + 2] < boxes[o + 2] - near ||
    x[i + 2] > boxes[o + 5] + near
  );
}
