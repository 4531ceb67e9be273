/** Narrow phase of soft bodies: their surface vertices in the distance of rigid bodies. */
import { ShapeProbe } from '../../collision/shapes/shape.js';
import type { ContactList } from './contact-list.js';
import type { Surfaces } from './contact-search.js';
import type { RigidBodies } from './rigid-bodies.js';
import { probeFacing, type SampledShape } from './sampled-shape.js';
import type { SoftBodies } from './soft-bodies.js';
import type { SoftSides } from './soft-sides.js';

const ANY = new Float64Array(3);
const ALWAYS = 0.005;

/** Finds where soft bodies touch. */
export class SoftPairs {
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #sides: SoftSides;
  readonly #shapes: readonly SampledShape[];
  readonly #probe = new ShapeProbe();

  constructor(rigid: RigidBodies, soft: SoftBodies, sides: SoftSides, shapes: readonly SampledShape[]) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#sides = sides;
    this.#shapes = shapes;
  }

  begin(): void {
    this.#sides.clear();
  }

  /** The box around soft body s, in boxes[6 b..]; returns how far it may go in a step [m]. */
  boxBody(s: number, boxes: Float64Array, b: number, fall: number, h: number): number {
    const { x, v, firstVertex } = this.#soft;
    const o = b * 6;
    for (let k = 0; k < 3; k++) {
      boxes[o + k] = Number.POSITIVE_INFINITY;
      boxes[o + 3 + k] = Number.NEGATIVE_INFINITY;
    }
    let speedSq = 0;
    for (let i = firstVertex[s]; i < firstVertex[s + 1]; i++) {
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const at = x[i * 3 + k];
        if (at < boxes[o + k]) boxes[o + k] = at;
        if (at > boxes[o + 3 + k]) boxes[o + 3 + k] = at;
        square += v[i * 3 + k] * v[i * 3 + k];
      }
      if (square > speedSq) speedSq = square;
    }
    const motion = h * Math.sqrt(speedSq) + fall + ALWAYS * (boxes[o + 3] - boxes[o]);
    for (let k = 0; k < 3; k++) {
      boxes[o + k] -= motion;
      boxes[o + 3 + k] += motion;
    }
    return motion;
  }

  /** Contacts of soft body b (numbered after the rigid ones) with body a. */
  find(contacts: ContactList, a: number, b: number, margin: number, firstKey: number, surfaces: Surfaces): void {
    if (a >= this.#rigid.count) return;
    const { x: at, rotation } = this.#rigid;
    const { x, firstVertex, models } = this.#soft;
    const s = b - this.#rigid.count;
    const { surfaceVertices } = models[s];
    const { box } = this.#shapes[a];
    const probe = this.#probe;
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
      probeFacing(this.#shapes[a], probe, ANY);
      const gap = probe.distance[0];
      if (gap >= margin) continue;
      const side = this.#sides.add(s, vertex, vertex, vertex, 1, 0, 0);
      if (side < 0) {
        contacts.missed++;
        continue;
      }
      const c = contacts.add(firstKey + vertex, b, a);
      if (c < 0) continue;
      contacts.sideA[c] = side;
      contacts.gap[c] = gap;
      contacts.friction[c] = Math.sqrt(surfaces.friction[a] * surfaces.friction[b]);
      contacts.restitution[c] = 0;
      for (let k = 0; k < 3; k++) {
        const row = r + k * 3;
        contacts.normal[c * 3 + k] =
          rotation[row] * probe.normal[0] + rotation[row + 1] * probe.normal[1] + rotation[row + 2] * probe.normal[2];
        contacts.armA[c * 3 + k] = 0;
        contacts.armB[c * 3 + k] = x[i + k] - at[a * 3 + k];
      }
    }
  }
}
