/**
 * One contact at a time: how far it yields, how far impulses have moved it, and the impulse that makes it right while all others are
 * held. Called by `touch-solver.ts` in the order of its walk.
 */
import type { LayerBody } from '../layer-body.js';
import type { SkinLinks } from '../skin/skin-links.js';
import { addTurned } from '../skin/skin-step.js';
import {
  ARM,
  CORE_GAP,
  FRICTION,
  GAP,
  GAP_AFTER,
  HELD,
  IMPULSE_1,
  IMPULSE_2,
  IMPULSE_CORE,
  IMPULSE_N,
  LOCAL,
  SIDE,
  SLIP_1,
  SLIP_2,
  TOUCH,
  type TouchList,
  WAY,
  YIELD_1,
  YIELD_2,
  YIELD_N,
  YIELD_SKIN,
  YIELD_SKIN_1,
  YIELD_SKIN_2,
} from './touch-list.js';
import { yieldAlong, yieldOf } from './yield-along.js';

/** How much the core gives way between characters, as a share of what the skin does. */
const CORE_GIVE = 0.2;

/** Changes of a gap below this share of the body's size are not made: a tenth of what ends the sweeps. */
const UNMOVED = 1e-8;

/** Contacts of a step with what they act on. */
export class TouchForces {
  #links!: SkinLinks;
  #list!: TouchList;
  #bodies: readonly LayerBody[] = [];
  #h = 0;
  /** s / h of each body: how far the skin goes per impulse and compliance. */
  #skinShare: Float64Array = new Float64Array(0);
  /** Largest change of a gap since it was last set to zero, relative to the size of its body. */
  moved = 0;

  readonly #equalities: boolean;

  constructor(equalities: boolean) {
    this.#equalities = equalities;
  }

  /** Compliances, and the impulses that contacts begin with; bones' compliances must be there. */
  begin(list: TouchList, links: SkinLinks, bodies: readonly LayerBody[], skinShare: Float64Array, h: number): void {
    this.#list = list;
    this.#links = links;
    this.#bodies = bodies;
    this.#skinShare = skinShare;
    this.#h = h;
    const { data } = list;
    for (let c = 0; c < list.count; c++) {
      this.#findYield(c);
      const o = TOUCH * c;
      const n = data[o + IMPULSE_N];
      const first = data[o + IMPULSE_1];
      const second = data[o + IMPULSE_2];
      const core = data[o + IMPULSE_CORE];
      if (n === 0 && first === 0 && second === 0 && core === 0) continue;
      data[o + IMPULSE_N] = 0;
      data[o + IMPULSE_1] = 0;
      data[o + IMPULSE_2] = 0;
      this.#apply(c, n, first, second, core);
    }
  }

  /** Writes how far apart the sides of every contact are after all impulses. */
  end(): void {
    const { data, count } = this.#list;
    for (let c = 0; c < count; c++) {
      this.#readWays(c);
      data[TOUCH * c + GAP_AFTER] = data[TOUCH * c + GAP] + WAYS[0];
    }
  }

  /** How far a contact yields per impulse, by bones along its three directions and by skin. */
  #findYield(c: number): void {
    const { data, sides, bodies, bones } = this.#list;
    const o = TOUCH * c;
    for (let s = 2 * c; s < 2 * c + 2; s++) {
      if (bodies[s] < 0) continue;
      const body = this.#bodies[bodies[s]];
      const { compliance } = body.mobility;
      for (let axis = 0; axis < 3; axis++) {
        data[o + YIELD_N + axis] +=
          this.#h * yieldAlong(compliance, 36 * bones[s], sides, SIDE * s + ARM, data, o + 3 * axis);
      }
      this.#addSkinYield(s, o);
    }
  }

  /** By the entry of a side for itself: its node's own comes first, shared by all sides there. */
  #addSkinYield(s: number, o: number): void {
    const { data, sides, bodies } = this.#list;
    const { start, values, blocks, isFull } = this.#links;
    const share = this.#skinShare[bodies[s]];
    for (let axis = 0; axis < 3; axis++) {
      const at = axis === 0 ? YIELD_SKIN : axis === 1 ? YIELD_SKIN_1 : YIELD_SKIN_2;
      const l = SIDE * s + LOCAL + 3 * axis;
      data[o + at] += share * (isFull ? yieldOf(blocks, 9 * start[s], sides, l) : values[start[s]]);
    }
  }

  /** Makes a pin right: no bounds, and no core. */
  #hold(c: number): void {
    const { data } = this.#list;
    const o = TOUCH * c;
    this.#readWays(c);
    const skin = data[o + YIELD_SKIN];
    const n = -(data[o + GAP] + WAYS[0]) / (data[o + YIELD_N] + skin);
    const first = -(data[o + SLIP_1] + WAYS[1]) / (data[o + YIELD_1] + data[o + YIELD_SKIN_1]);
    const second = -(data[o + SLIP_2] + WAYS[2]) / (data[o + YIELD_2] + data[o + YIELD_SKIN_2]);
    const moved = Math.abs(data[o + GAP] + WAYS[0]) / this.#bodies[this.#list.bodies[2 * c]].model.size;
    if (moved > this.moved) this.moved = moved;
    this.#apply(c, n, first, second, 0);
  }

  /** An equality along the normal, where the node would be inside: as published. */
  #equal(c: number): void {
    const { data } = this.#list;
    const o = TOUCH * c;
    if (data[o + GAP] >= 0) return;
    this.#readWays(c);
    const gap = data[o + GAP] + WAYS[0];
    this.moved = Math.max(this.moved, Math.abs(gap) / this.#bodies[this.#list.bodies[2 * c]].model.size);
    this.#apply(c, -gap / (data[o + YIELD_N] + data[o + YIELD_SKIN]), 0, 0, 0);
  }

  /** Makes one contact right, all others held. */
  relax(c: number): void {
    const { data } = this.#list;
    const o = TOUCH * c;
    if (data[o + HELD] === 1) {
      this.#hold(c);
      return;
    }
    if (this.#equalities) {
      this.#equal(c);
      return;
    }
    this.#readWays(c);
    const skin = data[o + YIELD_SKIN];
    const yieldN = data[o + YIELD_N];
    const oldN = data[o + IMPULSE_N];
    const oldCore = data[o + IMPULSE_CORE];
    const newN = Math.max(0, oldN - (data[o + GAP] + WAYS[0]) / (yieldN + skin));
    const changeN = newN - oldN;
    // cores of characters give way a little: limbs between each other can ask for what no motion of bones can do
    const give = this.#list.obstacles[c] < 0 ? CORE_GIVE * skin : 0;
    const coreGap = data[o + CORE_GAP] + WAYS[3] + yieldN * changeN + give * oldCore;
    // what is held exactly does not yield: nothing to solve for
    const newCore = yieldN + give > 0 ? Math.max(0, oldCore - coreGap / (yieldN + give)) : 0;
    const changeCore = newCore - oldCore;
    if (newN === 0 && oldN === 0 && newCore === 0 && oldCore === 0) return;
    const old1 = data[o + IMPULSE_1];
    const old2 = data[o + IMPULSE_2];
    let new1 = old1 - (data[o + SLIP_1] + WAYS[1]) / (data[o + YIELD_1] + data[o + YIELD_SKIN_1]);
    let new2 = old2 - (data[o + SLIP_2] + WAYS[2]) / (data[o + YIELD_2] + data[o + YIELD_SKIN_2]);
    const most = data[o + FRICTION] * (newN + newCore);
    const length = Math.sqrt(new1 * new1 + new2 * new2);
    if (length > most) {
      new1 *= most / length;
      new2 *= most / length;
    }
    const size = this.#bodies[this.#list.bodies[2 * c]].model.size;
    const moved = (Math.abs(changeN) * (yieldN + skin) + Math.abs(changeCore) * yieldN) / size;
    if (moved > this.moved) this.moved = moved;
    const slid =
      (Math.abs(new1 - old1) * (data[o + YIELD_1] + data[o + YIELD_SKIN_1]) +
        Math.abs(new2 - old2) * (data[o + YIELD_2] + data[o + YIELD_SKIN_2])) /
      size;
    // what would move less than is worth another sweep stays as it is
    if (moved + slid < UNMOVED) return;
    data[o + IMPULSE_CORE] = newCore;
    this.#apply(c, changeN, new1 - old1, new2 - old2, changeCore);
  }

  /** WAYS = how far impulses have moved a contact along its normal and tangents, and along its normal by bones alone [m]. */
  #readWays(c: number): void {
    const { data, sides, bodies, bones } = this.#list;
    const o = TOUCH * c;
    let n = 0;
    let first = 0;
    let second = 0;
    let core = 0;
    for (let s = 2 * c, sign = 1; s < 2 * c + 2; s++, sign = -1) {
      if (bodies[s] < 0) break;
      const { change } = this.#bodies[bodies[s]].mobility;
      const v = 6 * bones[s];
      const a = SIDE * s;
      const ax = sides[a];
      const ay = sides[a + 1];
      const az = sides[a + 2];
      const scale = sign * this.#h;
      const x = scale * (change[v + 3] + change[v + 1] * az - change[v + 2] * ay);
      const y = scale * (change[v + 4] + change[v + 2] * ax - change[v] * az);
      const z = scale * (change[v + 5] + change[v] * ay - change[v + 1] * ax);
      const ux = sides[a + WAY];
      const uy = sides[a + WAY + 1];
      const uz = sides[a + WAY + 2];
      const byBones = data[o] * x + data[o + 1] * y + data[o + 2] * z;
      const l = a + LOCAL;
      core += byBones;
      n += byBones + sign * (sides[l] * ux + sides[l + 1] * uy + sides[l + 2] * uz);
      first += data[o + 3] * x + data[o + 4] * y + data[o + 5] * z;
      first += sign * (sides[l + 3] * ux + sides[l + 4] * uy + sides[l + 5] * uz);
      second += data[o + 6] * x + data[o + 7] * y + data[o + 8] * z;
      second += sign * (sides[l + 6] * ux + sides[l + 7] * uy + sides[l + 8] * uz);
    }
    WAYS[0] = n;
    WAYS[1] = first;
    WAYS[2] = second;
    WAYS[3] = core;
  }

  /** Adds impulses to a contact: on skins the first three, on bones all. */
  #apply(c: number, n: number, first: number, second: number, core: number): void {
    const { data, sides, bodies, bones } = this.#list;
    const { start, ways, values, blocks, isFull } = this.#links;
    const o = TOUCH * c;
    data[o + IMPULSE_N] += n;
    data[o + IMPULSE_1] += first;
    data[o + IMPULSE_2] += second;
    const along = n + core;
    const fx = data[o] * along + data[o + 3] * first + data[o + 6] * second;
    const fy = data[o + 1] * along + data[o + 4] * first + data[o + 7] * second;
    const fz = data[o + 2] * along + data[o + 5] * first + data[o + 8] * second;
    for (let s = 2 * c, sign = 1; s < 2 * c + 2; s++, sign = -1) {
      if (bodies[s] < 0) break;
      const body = this.#bodies[bodies[s]];
      const a = SIDE * s;
      const ax = sign * sides[a];
      const ay = sign * sides[a + 1];
      const az = sign * sides[a + 2];
      const tx = ay * fz - az * fy;
      const ty = az * fx - ax * fz;
      const tz = ax * fy - ay * fx;
      body.mobility.push(bones[s], tx, ty, tz, sign * fx, sign * fy, sign * fz);
      const share = sign * this.#skinShare[bodies[s]];
      const l = a + LOCAL;
      const ux = share * (sides[l] * n + sides[l + 3] * first + sides[l + 6] * second);
      const uy = share * (sides[l + 1] * n + sides[l + 4] * first + sides[l + 7] * second);
      const uz = share * (sides[l + 2] * n + sides[l + 5] * first + sides[l + 8] * second);
      const to = start[s + 1];
      for (let i = start[s]; isFull && i < to; i++) addTurned(sides, ways[i], blocks, 9 * i, ux, uy, uz);
      for (let i = start[s]; !isFull && i < to; i++) {
        const w = values[i];
        const at = ways[i];
        sides[at] += w * ux;
        sides[at + 1] += w * uy;
        sides[at + 2] += w * uz;
      }
    }
  }
}

const WAYS = new Float64Array(4);
