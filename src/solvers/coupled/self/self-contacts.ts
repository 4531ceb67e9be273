/**
 * Contacts of soft bodies with themselves: vertices against faces that are far from them at rest, and edges against edges (self-repulsion, [Shinar2008 §3, §7.3]).
 * They are rows like all others, with both sides on one body.
 */
import { nearestOnTriangle } from '../../../collision/surface/triangle-point.js';
import type { ContactList } from '../contacts/contact-list.js';
import { CLUSTER, FeatureBoxes } from '../soft/feature-boxes.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import type { SoftSides } from '../soft/soft-sides.js';
import type { EdgePairs } from './edge-pairs.js';
import { RestApart } from './rest-apart.js';

/** Added to the keys of edges. */
const EDGES = 2 * 65536;
/** A shorter way has no direction [m]. */
const NO_WAY = 1e-9;

/** Finds where bodies touch themselves. */
export class SelfContacts {
  readonly #soft: SoftBodies;
  readonly #sides: SoftSides;
  readonly #firstSoft: number;
  readonly #edges: EdgePairs;
  readonly #boxes: FeatureBoxes;
  readonly #apart: readonly RestApart[];
  readonly #out = new Float64Array(4);
  readonly #weight = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #face = new Float64Array(3);
  /** Signed distance of the nearest face so far [m]. */
  readonly #distance = new Float64Array(1);

  constructor(soft: SoftBodies, sides: SoftSides, firstSoft: number, edges: EdgePairs) {
    this.#soft = soft;
    this.#sides = sides;
    this.#firstSoft = firstSoft;
    this.#edges = edges;
    this.#boxes = new FeatureBoxes(
      soft,
      soft.models.map(({ triangles }) => triangles),
      3,
    );
    const known = new Map(soft.models.map((model) => [model, new RestApart(model)]));
    this.#apart = soft.models.map((model) => known.get(model) as RestApart);
  }

  begin(): void {
    this.#boxes.begin();
  }

  /** Contacts of soft body s with itself that are nearer than `margin` [m]. */
  find(contacts: ContactList, s: number, margin: number, firstKey: number, friction: number): void {
    const { x, firstVertex, models } = this.#soft;
    const { surfaceVertices, radius } = models[s];
    const from = contacts.count;
    const reach = Math.max(margin + 2 * radius, this.#apart[s].deepest);
    this.#boxes.refresh(s);
    for (let n = 0; n < surfaceVertices.length; n++) {
      const vertex = surfaceVertices[n];
      const i = (firstVertex[s] + vertex) * 3;
      const t = this.#nearest(contacts, s, vertex, i, reach, firstKey + vertex, x);
      const gap = this.#distance[0] - 2 * radius;
      if (t >= 0 && gap < margin) this.#add(contacts, firstKey + vertex, s, vertex, t, gap);
    }
    this.#edges.find(contacts, s, s, margin, firstKey + EDGES, this.#apart[s]);
    for (let c = from; c < contacts.count; c++) {
      contacts.friction[c] = friction;
      contacts.restitution[c] = 0;
    }
  }

  /** The triangle nearest to a vertex among those it may touch, -1 for none; distance, normal and weights are kept. */
  #nearest(
    contacts: ContactList,
    s: number,
    vertex: number,
    i: number,
    reach: number,
    key: number,
    x: Float64Array,
  ): number {
    const { firstVertex, models } = this.#soft;
    const { triangles } = models[s];
    const boxes = this.#boxes;
    const first = firstVertex[s];
    let found = -1;
    let least = reach;
    for (let cluster = boxes.first[s]; cluster < boxes.first[s + 1]; cluster++) {
      if (boxes.isBeyond(cluster, x, i, i, least)) continue;
      const from = (cluster - boxes.first[s]) * CLUSTER;
      for (let t = from; t < Math.min(triangles.length / 3, from + CLUSTER); t++) {
        const a = (first + triangles[t * 3]) * 3;
        const b = (first + triangles[t * 3 + 1]) * 3;
        const c = (first + triangles[t * 3 + 2]) * 3;
        nearestOnTriangle(x, a, b, c, x, i, this.#out);
        const length = Math.sqrt(this.#out[3]);
        if (!(length < least) || !this.#mayTouch(s, vertex, t)) continue;
        if (!this.#direct(contacts, s, i, a, b, c, length, key)) continue;
        least = length;
        found = t;
        for (let k = 0; k < 3; k++) this.#weight[k] = this.#out[k];
      }
    }
    return found;
  }

  #mayTouch(s: number, vertex: number, t: number): boolean {
    const { triangles } = this.#soft.models[s];
    const apart = this.#apart[s];
    for (let k = 0; k < 3; k++) if (!apart.isApart(vertex, triangles[t * 3 + k])) return false;
    return true;
  }

  /** Sets distance and normal of the vertex x[i..] from a triangle; false where it is no contact. */
  #direct(
    contacts: ContactList,
    s: number,
    i: number,
    a: number,
    b: number,
    c: number,
    length: number,
    key: number,
  ): boolean {
    const { x, models } = this.#soft;
    const face = this.#face;
    if (!unitNormal(x, a, b, c, face)) return false;
    const over = face[0] * (x[i] - x[a]) + face[1] * (x[i + 1] - x[a + 1]) + face[2] * (x[i + 2] - x[a + 2]);
    const before = models[s].isSheet ? contacts.indexOfOld(key) : -1;
    const n = contacts.oldNormal;
    // a sheet stays on the side it was on; flesh has one outside
    const wasBehind =
      before >= 0 && face[0] * n[before * 3] + face[1] * n[before * 3 + 1] + face[2] * n[before * 3 + 2] < 0;
    const facing = models[s].isSheet && (before >= 0 ? wasBehind : over < 0) ? -1 : 1;
    const isInside = facing * over < 0;
    if (isInside && length > this.#apart[s].deepest && !models[s].isSheet) return false;
    this.#distance[0] = isInside ? -length : length;
    const scale = (isInside ? -1 : 1) / length;
    for (let k = 0; k < 3; k++) {
      const foot = this.#out[0] * x[a + k] + this.#out[1] * x[b + k] + this.#out[2] * x[c + k];
      this.#normal[k] = length > NO_WAY ? scale * (x[i + k] - foot) : facing * face[k];
    }
    return true;
  }

  #add(contacts: ContactList, key: number, s: number, vertex: number, t: number, gap: number): void {
    const { triangles } = this.#soft.models[s];
    const w = this.#weight;
    const sideB = this.#sides.add(s, triangles[t * 3], triangles[t * 3 + 1], triangles[t * 3 + 2], w[0], w[1], w[2]);
    const sideA = sideB < 0 ? -1 : this.#sides.add(s, vertex, vertex, vertex, 1, 0, 0);
    const c = sideA < 0 ? -1 : contacts.add(key, this.#firstSoft + s, this.#firstSoft + s);
    if (c < 0) {
      contacts.missed++;
      return;
    }
    contacts.sideA[c] = sideA;
    contacts.sideB[c] = sideB;
    contacts.gap[c] = gap;
    for (let k = 0; k < 3; k++) contacts.normal[c * 3 + k] = this.#normal[k];
  }
}

/** n = unit normal of a triangle; false where it has none. */
function unitNormal(x: Float64Array, a: number, b: number, c: number, n: Float64Array): boolean {
  const u0 = x[b] - x[a];
  const u1 = x[b + 1] - x[a + 1];
  const u2 = x[b + 2] - x[a + 2];
  const v0 = x[c] - x[a];
  const v1 = x[c + 1] - x[a + 1];
  const v2 = x[c + 2] - x[a + 2];
  n[0] = u1 * v2 - u2 * v1;
  n[1] = u2 * v0 - u0 * v2;
  n[2] = u0 * v1 - u1 * v0;
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (let k = 0; k < 3; k++) n[k] = length > 0 ? n[k] / length : 0;
  return length > 0;
}
