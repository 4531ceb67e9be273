/**
 * Narrow phase of soft bodies: their vertices in the distance of rigid bodies, samples of rigid bodies against their faces, and
 * vertices of one against faces of the other.
 */
import { ShapeProbe } from '../../../collision/shapes/shape.js';
import type { ContactList } from '../contacts/contact-list.js';
import type { Surfaces } from '../contacts/contact-search.js';
import { CANDIDATE, Manifold } from '../contacts/manifold.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import { probeFacing, SAMPLE, type SampledShape } from '../rigid/sampled-shape.js';
import type { SoftBodies } from './soft-bodies.js';
import type { SoftSides } from './soft-sides.js';
import { SoftSurface } from './soft-surface.js';

/** Contacts are kept within this share of a body's size even where nothing moves. */
const ALWAYS = 0.005;
/** How deep inside a soft body things are still found, as a share of its size. */
const DEEPEST = 0.2;
/** Most samples near faces of one pair. */
const MOST = 256;
/** Added to the keys of a pair's second way of touching. */
const SECOND = 65536;
/** Cosine above which a face and what comes at it look the same way: no face pushes what it has in its back. */
const BACK = 0.2;

/** Finds where soft bodies touch. */
export class SoftPairs {
  readonly surface: SoftSurface;
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #sides: SoftSides;
  readonly #shapes: readonly SampledShape[];
  readonly #probe = new ShapeProbe();
  readonly #at = new Float64Array(3);
  readonly #facing = new Float64Array(3);
  readonly #size: Float64Array;
  /** Samples near faces of the pair at hand, with the faces. */
  readonly #manifold = new Manifold(MOST);
  readonly #corner = new Int32Array(MOST * 3);
  readonly #weight = new Float64Array(MOST * 3);

  constructor(rigid: RigidBodies, soft: SoftBodies, sides: SoftSides, shapes: readonly SampledShape[]) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#sides = sides;
    this.#shapes = shapes;
    this.surface = new SoftSurface(soft);
    this.#size = new Float64Array(soft.count);
  }

  begin(): void {
    this.#sides.clear();
    this.surface.begin();
  }

  /** The box around soft body s, in boxes[6 b..], and its mean velocity, in drift[3 b..]; returns how far it may go beside that in a step [m]. */
  boxBody(s: number, boxes: Float64Array, b: number, drift: Float64Array, fall: number, h: number): number {
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
    this.#size[s] = Math.max(boxes[o + 3] - boxes[o], boxes[o + 4] - boxes[o + 1], boxes[o + 5] - boxes[o + 2]);
    const motion = h * Math.sqrt(speedSq) + fall + ALWAYS * this.#size[s];
    for (let k = 0; k < 3; k++) {
      const wide = motion + h * Math.abs(drift[d + k]);
      boxes[o + k] -= wide;
      boxes[o + 3 + k] += wide;
    }
    return motion;
  }

  /** Contacts of soft body b (numbered after the rigid ones) with body a, whatever that is. */
  find(
    contacts: ContactList,
    a: number,
    b: number,
    margin: number,
    firstKey: number,
    surfaces: Surfaces,
    boxes: Float64Array,
  ): void {
    const from = contacts.count;
    const s = b - this.#rigid.count;
    if (a < this.#rigid.count) {
      this.#verticesInShape(contacts, s, a, margin, firstKey);
      this.#samplesInFaces(contacts, a, s, margin, firstKey + SECOND, boxes);
    } else {
      const other = a - this.#rigid.count;
      this.#verticesInFaces(contacts, other, s, margin, firstKey, boxes);
      this.#verticesInFaces(contacts, s, other, margin, firstKey + SECOND, boxes);
    }
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = surfaces.frictionOf(a, b);
      contacts.restitution[c] = 0;
    }
  }

  #verticesInShape(contacts: ContactList, s: number, a: number, margin: number, firstKey: number): void {
    const { x: at, rotation } = this.#rigid;
    const { x, firstVertex, models } = this.#soft;
    const { surfaceVertices } = models[s];
    const { box } = this.#shapes[a];
    const probe = this.#probe;
    const facing = this.#facing;
    const out = this.#at;
    const r = a * 9;
    for (let n = 0; n < surfaceVertices.length; n++) {
      const vertex = surfaceVertices[n];
      const i = (firstVertex[s] + vertex) * 3;
      const d0 = x[i] - at[a * 3];
      const d1 = x[i + 1] - at[a * 3 + 1];
      const d2 = x[i + 2] - at[a * 3 + 2];
      let outside = false;
      for (let k = 0; k < 3; k++) {
        probe.at[k] = rotation[r + k] * d0 + rotation[r + 3 + k] * d1 + rotation[r + 6 + k] * d2;
        if (box && (probe.at[k] > box[3 + k] + margin || probe.at[k] < box[k] - margin)) outside = true;
      }
      if (outside) continue;
      probe.reach[0] = margin;
      this.surface.facing(s, vertex, out);
      for (let k = 0; k < 3; k++) {
        facing[k] = rotation[r + k] * out[0] + rotation[r + 3 + k] * out[1] + rotation[r + 6 + k] * out[2];
      }
      if (!probeFacing(this.#shapes[a], probe, facing) || probe.distance[0] >= margin) continue;
      const c = this.#addVertex(contacts, s, vertex, a, firstKey + vertex, probe.distance[0]);
      if (c < 0) continue;
      for (let k = 0; k < 3; k++) {
        const row = r + k * 3;
        const { normal } = probe;
        contacts.normal[c * 3 + k] =
          rotation[row] * normal[0] + rotation[row + 1] * normal[1] + rotation[row + 2] * normal[2];
        contacts.armB[c * 3 + k] = x[i + k] - at[a * 3 + k];
      }
    }
  }

  /** A contact of a vertex of soft body s with body b; its number, or -1 without room. */
  #addVertex(contacts: ContactList, s: number, vertex: number, b: number, key: number, gap: number): number {
    const side = this.#sides.add(s, vertex, vertex, vertex, 1, 0, 0);
    const c = side < 0 ? -1 : contacts.add(key, this.#rigid.count + s, b);
    if (side < 0) contacts.missed++;
    if (c < 0) return -1;
    contacts.sideA[c] = side;
    contacts.gap[c] = gap;
    return c;
  }

  #samplesInFaces(
    contacts: ContactList,
    a: number,
    s: number,
    margin: number,
    firstKey: number,
    boxes: Float64Array,
  ): void {
    const { x, rotation } = this.#rigid;
    const { samples, count } = this.#shapes[a];
    const at = this.#at;
    const facing = this.#facing;
    this.#manifold.clear();
    for (let n = 0; n < count; n++) {
      const o = n * SAMPLE;
      for (let k = 0; k < 3; k++) {
        const r = a * 9 + k * 3;
        const turn = rotation[r] * samples[o] + rotation[r + 1] * samples[o + 1] + rotation[r + 2] * samples[o + 2];
        at[k] = x[a * 3 + k] + turn;
        facing[k] = rotation[r] * samples[o + 4] + rotation[r + 1] * samples[o + 5] + rotation[r + 2] * samples[o + 6];
      }
      const radius = samples[o + 3];
      if (this.#isFaced(s, margin, radius, boxes)) this.#addCandidate(n, radius);
    }
    this.#manifold.reduce(margin);
    for (let i = 0; i < this.#manifold.count; i++) {
      if (this.#manifold.kept[i] === 1) this.#addSample(contacts, a, s, i, firstKey);
    }
  }

  /** Notes the point of the face that was found last for sample n. */
  #addCandidate(n: number, radius: number): void {
    const { surface } = this;
    const manifold = this.#manifold;
    if (manifold.count === manifold.capacity) return;
    const i = manifold.count++;
    const o = i * CANDIDATE;
    manifold.values[o] = n;
    for (let k = 0; k < 3; k++) {
      manifold.values[o + 1 + k] = this.#at[k] - surface.distance[0] * surface.normal[k];
      manifold.values[o + 4 + k] = surface.normal[k];
      this.#corner[i * 3 + k] = surface.corner[k];
      this.#weight[i * 3 + k] = surface.weight[k];
    }
    manifold.values[o + 7] = surface.distance[0] - radius;
  }

  /** A contact of rigid body a with a face of soft body s, from candidate i: both are pushed at the point of the face. */
  #addSample(contacts: ContactList, a: number, s: number, i: number, firstKey: number): void {
    const { values } = this.#manifold;
    const o = i * CANDIDATE;
    const corner = this.#corner;
    const weight = this.#weight;
    const side = this.#sides.add(
      s,
      corner[i * 3],
      corner[i * 3 + 1],
      corner[i * 3 + 2],
      weight[i * 3],
      weight[i * 3 + 1],
      weight[i * 3 + 2],
    );
    const c = side < 0 ? -1 : contacts.add(firstKey + values[o], a, this.#rigid.count + s);
    if (c < 0) return;
    contacts.sideB[c] = side;
    contacts.gap[c] = values[o + 7];
    for (let k = 0; k < 3; k++) {
      contacts.normal[c * 3 + k] = values[o + 4 + k];
      contacts.armA[c * 3 + k] = values[o + 1 + k] - this.#rigid.x[a * 3 + k];
    }
  }

  #verticesInFaces(
    contacts: ContactList,
    from: number,
    into: number,
    margin: number,
    firstKey: number,
    boxes: Float64Array,
  ): void {
    const { x, firstVertex, models } = this.#soft;
    const { surfaceVertices } = models[from];
    const at = this.#at;
    const o = (this.#rigid.count + into) * 6;
    for (let n = 0; n < surfaceVertices.length; n++) {
      const vertex = surfaceVertices[n];
      const i = (firstVertex[from] + vertex) * 3;
      if (x[i] < boxes[o] - margin || x[i] > boxes[o + 3] + margin) continue;
      if (x[i + 1] < boxes[o + 1] - margin || x[i + 1] > boxes[o + 4] + margin) continue;
      if (x[i + 2] < boxes[o + 2] - margin || x[i + 2] > boxes[o + 5] + margin) continue;
      for (let k = 0; k < 3; k++) at[k] = x[i + k];
      this.surface.facing(from, vertex, this.#facing);
      if (!this.#isFaced(into, margin, 0, boxes)) continue;
      const side = this.#addFace(into);
      if (side < 0) continue;
      const c = this.#addVertex(
        contacts,
        from,
        vertex,
        this.#rigid.count + into,
        firstKey + vertex,
        this.surface.distance[0],
      );
      if (c < 0) continue;
      contacts.sideB[c] = side;
      for (let k = 0; k < 3; k++) contacts.normal[c * 3 + k] = this.surface.normal[k];
    }
  }

  /** Whether a ball around `at` is near a face of soft body s that can push it. */
  #isFaced(s: number, margin: number, radius: number, boxes: Float64Array): boolean {
    const at = this.#at;
    const facing = this.#facing;
    const o = (this.#rigid.count + s) * 6;
    const near = margin + radius;
    for (let k = 0; k < 3; k++) if (at[k] < boxes[o + k] - near || at[k] > boxes[o + 3 + k] + near) return false;
    if (!this.surface.ask(s, at, Math.max(margin + radius, DEEPEST * this.#size[s]))) return false;
    if (this.surface.distance[0] - radius >= margin) return false;
    const { normal } = this.surface;
    return normal[0] * facing[0] + normal[1] * facing[1] + normal[2] * facing[2] < BACK;
  }

  /** A side at the point of the face that was found last. */
  #addFace(s: number): number {
    const { corner, weight } = this.surface;
    return this.#sides.add(s, corner[0], corner[1], corner[2], weight[0], weight[1], weight[2]);
  }
}
