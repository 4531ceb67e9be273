/**
 * Which part of a lattice is farthest from rest: the nodes that their own stiffness alone would move most, and everything within a few
 * cells of them. Where a crease buckles that is a small part of the body. Called every third iteration of a descent that is not at rest.
 */
import { groupByKey } from '../../../mesh/group-by-key.js';
import type { Reals } from '../numbers/arithmetic.js';
import type { QuadLayout } from '../numbers/quad-layout.js';

/** A node belongs to it that wants to move by this share of what the one that wants most does. */
const SHARE = 0.2;
/** Cells around such nodes that move along. */
const MARGIN = 3;
/** How often the share is doubled where the part is too large. */
const TRIES = 3;

/** Chooses parts of one lattice. Only looks at what is near the part, but for the wishes; four nodes or cells at a time, a bit each. */
export class PatchChoice {
  /** Quads and groups of cells of the part, in order; the first `quadCount` and `groupCount` count. */
  readonly quads: Int32Array;
  readonly groups: Int32Array;
  quadCount = 0;
  groupCount = 0;
  /** Nodes of each quad that may move. */
  readonly free: Uint8Array;
  readonly #layout: QuadLayout;
  readonly #quadGroups: number;
  /** Groups that touch each quad: `#groupsAt[#groupStart[quad]..#groupStart[quad + 1])`. */
  readonly #groupStart: Int32Array;
  readonly #groupsAt: Int32Array;
  /** Cells that each group has, and those of them that have a free corner. */
  readonly #cells: Uint8Array;
  readonly #loosened: Uint8Array;
  /** Squared lengths that nodes want to move [m²]. */
  readonly #wishes: Float32Array;
  /** 1 for groups that touch a quad with a free node, and for quads that cells of the part touch. */
  readonly #near: Uint8Array;
  readonly #touched: Uint8Array;
  /** The groups that are near, as they were found. */
  readonly #nearList: Int32Array;
  #nearCount = 0;

  constructor(layout: QuadLayout, mostQuads: number, mostGroups: number) {
    const groups = layout.cellOfLane.length / 4;
    this.#layout = layout;
    this.#quadGroups = layout.rows.length / 4;
    this.quads = new Int32Array(mostQuads);
    this.groups = new Int32Array(mostGroups);
    this.free = new Uint8Array(layout.quadCount);
    this.#wishes = new Float32Array(4 * layout.quadCount);
    this.#touched = new Uint8Array(layout.quadCount);
    this.#near = new Uint8Array(groups);
    this.#nearList = new Int32Array(groups);
    this.#loosened = new Uint8Array(groups);
    this.#cells = new Uint8Array(groups);
    layout.cellOfLane.forEach((cell, lane) => {
      if (cell >= 0) this.#cells[lane >> 2] |= 1 << (lane & 3);
    });
    const touching = groupsByQuad(layout);
    this.#groupStart = touching.starts;
    this.#groupsAt = touching.groups;
  }

  /** Chooses by gradient and inverse diagonal; false where nothing wants to move or the part would be too large. */
  choose(gradient: Reals, inverse: Reals): boolean {
    const wishes = this.#wishes;
    let most = 0;
    for (let place = 0; place < wishes.length; place++) {
      const at = 12 * (place >> 2) + (place & 3);
      const gx = gradient[at];
      const gy = gradient[at + 4];
      const gz = gradient[at + 8];
      wishes[place] = inverse[place] * inverse[place] * (gx * gx + gy * gy + gz * gz);
      if (wishes[place] > most) most = wishes[place];
    }
    if (!(most > 0)) return false;
    for (let share = SHARE * SHARE, n = 0; n < TRIES; n++, share *= 4) if (this.#fits(share * most)) return true;
    return false;
  }

  #fits(least: number): boolean {
    this.free.fill(0);
    this.#near.fill(0);
    this.#nearCount = 0;
    const wishes = this.#wishes;
    for (let place = 0; place < wishes.length; place++) {
      if (wishes[place] > least) this.#release(place >> 2, 1 << (place & 3));
    }
    for (let n = 0; n < MARGIN; n++) this.#grow();
    return this.#list();
  }

  /** Lets nodes of a quad go; the groups that touch it are near from now on. */
  #release(quad: number, nodes: number): void {
    const had = this.free[quad];
    this.free[quad] = had | nodes;
    if (had !== 0 || nodes === 0) return;
    for (let n = this.#groupStart[quad]; n < this.#groupStart[quad + 1]; n++) {
      const group = this.#groupsAt[n];
      if (this.#near[group] !== 0) continue;
      this.#near[group] = 1;
      this.#nearList[this.#nearCount++] = group;
    }
  }

  /** All corners of all cells that have a free corner become free. */
  #grow(): void {
    const count = this.#nearCount;
    for (let n = 0; n < count; n++) this.#loosened[this.#nearList[n]] = this.#loosenedOf(this.#nearList[n]);
    for (let n = 0; n < count; n++) this.#releaseCells(this.#nearList[n]);
  }

  /** Lets all corners of the loosened cells of a group go. */
  #releaseCells(group: number): void {
    const { rows, looseCorners } = this.#layout;
    const lanes = this.#loosened[group];
    if (lanes === 0) return;
    if (group < this.#quadGroups) {
      // the right corner of a cell is the next node; that of the last one lies in the next quad
      const nodes = lanes | (lanes << 1);
      for (let n = 4 * group; n < 4 * group + 4; n++) {
        this.#release(rows[n], nodes & 15);
        this.#release(rows[n] + 1, nodes >> 4);
      }
      return;
    }
    const first = 32 * (group - this.#quadGroups);
    for (let n = first; n < first + 32; n++) {
      if ((lanes >> (n & 3)) & 1) this.#release(looseCorners[n] >> 2, 1 << (looseCorners[n] & 3));
    }
  }

  /** Cells of a group that have a free corner. */
  #loosenedOf(group: number): number {
    const { rows, looseCorners } = this.#layout;
    let lanes = 0;
    if (group < this.#quadGroups) {
      for (let n = 4 * group; n < 4 * group + 4; n++) {
        const nodes = this.free[rows[n]] | ((this.free[rows[n] + 1] & 1) << 4);
        lanes |= nodes | (nodes >> 1);
      }
    } else {
      const first = 32 * (group - this.#quadGroups);
      for (let n = first; n < first + 32; n++) {
        const place = looseCorners[n];
        lanes |= ((this.free[place >> 2] >> (place & 3)) & 1) << (n & 3);
      }
    }
    return lanes & this.#cells[group];
  }

  /** Lists the groups with a cell that has a free corner, and the quads they touch; false where there is no room. */
  #list(): boolean {
    const { rows, looseCorners } = this.#layout;
    const touched = this.#touched.fill(0);
    this.groupCount = 0;
    for (let group = 0; group < this.#near.length; group++) {
      if (this.#near[group] === 0 || this.#loosenedOf(group) === 0) continue;
      if (this.groupCount === this.groups.length) return false;
      this.groups[this.groupCount++] = group;
      if (group < this.#quadGroups) {
        for (let n = 4 * group; n < 4 * group + 4; n++) {
          touched[rows[n]] = 1;
          touched[rows[n] + 1] = 1;
        }
      } else {
        const first = 32 * (group - this.#quadGroups);
        for (let n = first; n < first + 32; n++) touched[looseCorners[n] >> 2] = 1;
      }
    }
    this.quadCount = 0;
    for (let quad = 0; quad < touched.length; quad++) {
      if (touched[quad] === 0) continue;
      if (this.quadCount === this.quads.length) return false;
      this.quads[this.quadCount++] = quad;
    }
    return this.groupCount > 0;
  }
}

/** The groups that touch each quad; a group that touches one twice is listed twice. */
function groupsByQuad({ rows, looseCorners, quadCount }: QuadLayout): { starts: Int32Array; groups: Int32Array } {
  const inQuads = 2 * rows.length;
  const quads = new Int32Array(inQuads + looseCorners.length);
  // right corners of the last lane lie in the next quad
  for (let n = 0; n < inQuads; n++) quads[n] = rows[n >> 1] + (n & 1);
  for (let n = 0; n < looseCorners.length; n++) quads[inQuads + n] = looseCorners[n] >> 2;
  const { starts, items } = groupByKey(quads, quadCount);
  return { starts, groups: items.map((n) => (n < inQuads ? n >> 3 : rows.length / 4 + ((n - inQuads) >> 5))) };
}
