/**
 * A node of one character against the skin of another, or of itself, looked up in the other's rest shape (`skin-lookup.ts`). Called by
 * `find-meetings.ts`.
 */
import type { LayerBody } from '../layer-body.js';
import type { LayerModel } from '../layer-model.js';
import { TOUCHING } from '../skin/skinning.js';
import { setLocal, setTangents } from './find-touches.js';
import { SkinLookup } from './lookup/skin-lookup.js';
import { PlacedNode } from './placed-node.js';
import {
  ARM,
  CORE_GAP,
  FRICTION,
  GAP,
  LEAD_OUT_SPEED,
  NORMAL,
  SIDE,
  SLIP_1,
  SLIP_2,
  TANGENT_1,
  TANGENT_2,
  TOUCH,
  type TouchList,
} from './touch-list.js';

/** Deeper inside than this many depths of both layers, a node is on the other side of a limb: another one's business. */
export const DEEPEST = 3;

/** Tests nodes one by one; owns its scratch. */
export class MeetingTest {
  #bodies: readonly LayerBody[] = [];
  #kept: Float64Array = new Float64Array(0);
  #h = 0;
  #coreShare = 0;
  #out!: TouchList;
  /** Coulomb's coefficient between the bodies at hand. */
  friction = 0;
  readonly #a = new PlacedNode();
  readonly #b = new PlacedNode();
  readonly #lookup = new SkinLookup();
  /** The one place where both sides are pushed. */
  readonly #place = new Float64Array(3);

  /** A step begins; `kept`: share of the dents of each body that is left at its end. */
  begin(bodies: readonly LayerBody[], kept: Float64Array, h: number, coreShare: number, out: TouchList): void {
    this.#bodies = bodies;
    this.#kept = kept;
    this.#h = h;
    this.#coreShare = coreShare;
    this.#out = out;
  }

  /** Adds a contact where node p of body a, which will be at ends[e..e + 3), is in the part of body b's skin that belongs to its bone. */
  test(a: number, p: number, ends: Float64Array, e: number, b: number, bone: number): void {
    const A = this.#bodies[a];
    const B = this.#bodies[b];
    const margin = TOUCHING * A.model.depths[p];
    const q = this.#lookup.find(B, bone, ends, e, margin + B.deepestDent);
    if (q < 0 || (a === b && !areApart(B.model, p, q))) return;
    const n = B.model.normals;
    const { dents } = B.state;
    const d = 3 * B.model.standIn[q];
    const along = dents[d] * n[3 * q] + dents[d + 1] * n[3 * q + 1] + dents[d + 2] * n[3 * q + 2];
    const undented = B.model.lookup.height(q, this.#lookup.rest);
    // against the skin as it is dented
    const gap = undented - this.#kept[b] * along;
    const depths = A.model.depths[p] + B.model.depths[q];
    if (!(gap < margin) || !(undented >= -DEEPEST * depths)) return;
    if (n[3 * q] === 0 && n[3 * q + 1] === 0 && n[3 * q + 2] === 0) return;
    this.#add(a, p, b, q, gap, undented);
  }

  #add(a: number, p: number, b: number, q: number, gap: number, undented: number): void {
    const A = this.#bodies[a];
    const B = this.#bodies[b];
    const out = this.#out;
    const c = out.add();
    const o = TOUCH * c;
    this.#a.place(A, p, this.#kept[a]);
    this.#b.place(B, q, this.#kept[b]);
    const { data } = out;
    const n = B.model.normals;
    const r = this.#b.rotation;
    for (let k = 0; k < 3; k++) {
      data[o + NORMAL + k] = r[3 * k] * n[3 * q] + r[3 * k + 1] * n[3 * q + 1] + r[3 * k + 2] * n[3 * q + 2];
    }
    setTangents(data, o);
    data[o + FRICTION] = this.friction;
    const slowest = Math.min(0, this.#measure(data, o) - this.#h * LEAD_OUT_SPEED);
    data[o + GAP] = Math.max(gap, slowest);
    const ownDent = this.#kept[a] * dentAlong(this.#a.rotation, A.state.dents, 3 * p, data, o);
    const depths = A.model.depths[p] + B.model.depths[q];
    data[o + CORE_GAP] = Math.max(undented - ownDent + this.#coreShare * depths, slowest);
    this.#setSide(a, p, this.#a.rotation, 2 * c);
    this.#setSide(b, B.model.meetingPatches.standIn[q], this.#b.rotation, 2 * c + 1);
  }

  /** Ways of the two sides against each other without contact forces: along the tangents into the list, along the normal returned. */
  #measure(data: Float64Array, o: number): number {
    const { start, end } = this.#a;
    const other = this.#b;
    let along = 0;
    for (let k = 0; k < 3; k++) {
      const otherWay = other.end[k] - other.start[k];
      const way = end[k] - start[k] - otherWay;
      along += data[o + NORMAL + k] * way;
      data[o + SLIP_1] += data[o + TANGENT_1 + k] * way;
      data[o + SLIP_2] += data[o + TANGENT_2 + k] * way;
      // one place for both, so that angular momentum is kept: halfway between where they are and where they meet, at the start
      this.#place[k] = 0.5 * (start[k] + end[k] - otherWay);
    }
    return along;
  }

  #setSide(index: number, p: number, rotation: Float64Array, s: number): void {
    const out = this.#out;
    const body = this.#bodies[index];
    const bone = body.model.owners[4 * p];
    out.bodies[s] = index;
    out.bones[s] = bone;
    out.nodes[s] = p;
    for (let k = 0; k < 3; k++) {
      out.sides[SIDE * s + ARM + k] = this.#place[k] - body.fronts.reference[3 * bone + k];
    }
    setLocal(out, s, rotation);
  }
}

/** Q u along the direction d[o..o + 3). */
function dentAlong(q: Float64Array, u: Float64Array, i: number, d: Float64Array, o: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += d[o + k] * (q[3 * k] * u[i] + q[3 * k + 1] * u[i + 1] + q[3 * k + 2] * u[i + 2]);
  return sum;
}

/** Whether two nodes of one skin are so far apart at rest that they may touch: farther than their layers are deep. */
function areApart({ positions, depths }: LayerModel, p: number, q: number): boolean {
  const x = positions[3 * p] - positions[3 * q];
  const y = positions[3 * p + 1] - positions[3 * q + 1];
  const z = positions[3 * p + 2] - positions[3 * q + 2];
  const reach = 2 * (depths[p] + depths[q]);
  return x * x + y * y + z * z > reach * reach;
}
