/**
 * A node of one character against the skin of another, or of itself, looked up in the other's rest shape. Called by `find-meetings.ts`.
 *
 * A place in the world is taken to the rest shape by the frame of a bone near it, then twice by the blended frame of the nearest
 * node there: 99 % of places within 1.2 mm of where the skin really was, one bone's frame alone 13 mm.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { LayerBody } from '../layer-body.js';
import { type LayerModel, OWNERS } from '../layer-model.js';
import { blendedFrame, nodeRotation, SKIN_MATRIX, skinNode, TOUCHING } from '../skin/skinning.js';
import { setLocal, setTangents } from './find-touches.js';
import { addDent } from './meeting-body.js';
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
const DEEPEST = 3;

/** Farther outside than this share of the size, by the frame of one bone, is outside by any. */
export const FAR_OUTSIDE = 0.03;

/** Where a node of a body is without contact forces, dent included: at the start and at the end of the step, turned by Q. */
class PlacedNode {
  readonly end = new Float64Array(3);
  readonly start = new Float64Array(3);
  readonly rotation = new Float64Array(9);
  readonly #startRotation = new Float64Array(9);

  place(body: LayerBody, p: number, kept: number): void {
    const { model, state, free } = body;
    nodeRotation(model, free.quats, p, this.rotation, 0);
    skinNode(model, model.positions, body.freeMatrices, p, this.end, 0);
    skinNode(model, model.positions, body.startMatrices, p, this.start, 0);
    // nodes that cannot touch are dented as the one that stands for them
    const dented = model.standIn[p];
    if (body.isDented[dented] === 0) return;
    nodeRotation(model, state.poses.quats, p, this.#startRotation, 0);
    addDent(this.end, 0, this.rotation, state.dents, 3 * dented, kept);
    addDent(this.start, 0, this.#startRotation, state.dents, 3 * dented, 1);
  }
}

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
  readonly #rest = new Float64Array(3);
  readonly #frame = new Float64Array(12);
  readonly #inverse = new Float64Array(9);
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
    const q = this.#lookUp(B, bone, ends, e, margin + B.deepestDent);
    if (q < 0 || (a === b && !areApart(B.model, p, q))) return;
    const n = B.model.normals;
    const { dents } = B.state;
    const d = 3 * B.model.standIn[q];
    const along = dents[d] * n[3 * q] + dents[d + 1] * n[3 * q + 1] + dents[d + 2] * n[3 * q + 2];
    const undented = B.model.lookup.height(q, this.#rest);
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

  /**
   * The node of a body's skin nearest to the point at[o..o + 3), with `rest` where the point is in the rest shape; -1 where it is another bone's,
   * or farther outside than `margin`.
   */
  #lookUp({ model, freeMatrices: f }: LayerBody, bone: number, at: Float64Array, o: number, margin: number): number {
    const m = SKIN_MATRIX * bone;
    const { lookup } = model;
    const rest = this.#rest;
    const x = at[o] - f[m + 3];
    const y = at[o + 1] - f[m + 7];
    const z = at[o + 2] - f[m + 11];
    rest[0] = f[m] * x + f[m + 4] * y + f[m + 8] * z;
    rest[1] = f[m + 1] * x + f[m + 5] * y + f[m + 9] * z;
    rest[2] = f[m + 2] * x + f[m + 6] * y + f[m + 10] * z;
    const box = lookup.boxOf(rest);
    // where other bones carry too, one bone's frame is wrong by a little; what it says is far outside is outside
    const far = FAR_OUTSIDE * model.size;
    if (lookup.isFarOutside(box, rest, far)) return -1;
    let q = lookup.nodeOf(box);
    const share = shareOf(model, q, bone);
    if (share === 0 || (share === 1 && lookup.isFarOutside(box, rest, margin))) return -1;
    q = lookup.nearestFrom(q, rest);
    if (shareOf(model, q, bone) === 1) return lookup.height(q, rest) < margin ? q : -1;
    if (lookup.height(q, rest) > far) return -1;
    const frame = this.#frame;
    const i = this.#inverse;
    for (let round = 0; round < 2; round++) {
      blendedFrame(model, f, q, frame);
      if (!invertMat3(i, 0, frame, 0)) return -1;
      const dx = at[o] - frame[9];
      const dy = at[o + 1] - frame[10];
      const dz = at[o + 2] - frame[11];
      rest[0] = i[0] * dx + i[1] * dy + i[2] * dz;
      rest[1] = i[3] * dx + i[4] * dy + i[5] * dz;
      rest[2] = i[6] * dx + i[7] * dy + i[8] * dz;
      q = lookup.nearest(rest);
    }
    return model.owners[OWNERS * q] === bone ? q : -1;
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

/** Weight of a bone at a node. */
function shareOf({ owners, weights }: LayerModel, p: number, bone: number): number {
  for (let k = OWNERS * p; k < OWNERS * p + OWNERS; k++) if (owners[k] === bone) return weights[k];
  return 0;
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
