/**
 * Which part of a lattice is farthest from rest: the nodes that their own stiffness alone would move most, and everything within a few
 * cells of them. Where a crease buckles that is a small part of the body. Called every third iteration of a descent that is not at rest.
 */
import type { Reals } from '../numbers/arithmetic.js';
import type { QuadLayout } from '../numbers/quad-layout.js';

/** A node belongs to it that wants to move by this share of what the one that wants most does. */
const SHARE = 0.2;
/** Cells around such nodes that move along. */
const MARGIN = 3;
/** How often the share is doubled where the part is too large. */
const TRIES = 3;

/** Chooses parts of one lattice. */
export class PatchChoice {
  /** Quads and groups of cells of the part, in order; the first `quadCount` and `groupCount` count. */
  readonly quads: Int32Array;
  readonly groups: Int32Array;
  quadCount = 0;
  groupCount = 0;
  /** 1 for places of nodes that may move. */
  readonly free: Uint8Array;
  readonly #layout: QuadLayout;
  readonly #quadGroups: number;
  /** Squared lengths that nodes want to move [m²]. */
  readonly #wishes: Float32Array;
  /** 1 for quads with a free node, and for quads that cells of the part touch. */
  readonly #moving: Uint8Array;
  readonly #touched: Uint8Array;
  readonly #grown: Int32Array;

  constructor(layout: QuadLayout, mostQuads: number, mostGroups: number) {
    this.#layout = layout;
    this.#quadGroups = layout.rows.length / 4;
    this.quads = new Int32Array(mostQuads);
    this.groups = new Int32Array(mostGroups);
    this.free = new Uint8Array(4 * layout.quadCount);
    this.#wishes = new Float32Array(4 * layout.quadCount);
    this.#moving = new Uint8Array(layout.quadCount);
    this.#touched = new Uint8Array(layout.quadCount);
    this.#grown = new Int32Array(layout.cellOfLane.length);
  }

  /** Chooses by gradient and inverse diagonal; false where nothing wants to move or the part would be too large. */
  choose(gradient: Reals, inverse: Reals): boolean {
    let most = 0;
    for (let place = 0; place < this.#wishes.length; place++) {
      const at = 12 * (place >> 2) + (place & 3);
      const [gx, gy, gz, d] = [gradient[at], gradient[at + 4], gradient[at + 8], inverse[place]];
      this.#wishes[place] = d * d * (gx * gx + gy * gy + gz * gz);
      most = Math.max(most, this.#wishes[place]);
    }
    if (!(most > 0)) return false;
    for (let share = SHARE * SHARE, n = 0; n < TRIES; n++, share *= 4) if (this.#fits(share * most)) return true;
    return false;
  }

  #fits(least: number): boolean {
    this.#moving.fill(0);
    for (let place = 0; place < this.#wishes.length; place++) {
      const wants = this.#wishes[place] > least;
      this.free[place] = wants ? 1 : 0;
      if (wants) this.#moving[place >> 2] = 1;
    }
    for (let n = 0; n < MARGIN; n++) this.#grow();
    return this.#list();
  }

  /** All corners of all cells that have a free corner become free. */
  #grow(): void {
    const { cellOfLane } = this.#layout;
    let count = 0;
    for (let group = 0; 4 * group < cellOfLane.length; group++) {
      if (!this.#isNear(group)) continue;
      for (let lane = 4 * group; lane < 4 * group + 4; lane++) if (this.#hasFree(lane)) this.#grown[count++] = lane;
    }
    for (let n = 0; n < count; n++) {
      for (let c = 0; c < 8; c++) {
        const place = this.#cornerOf(this.#grown[n], c);
        this.free[place] = 1;
        this.#moving[place >> 2] = 1;
      }
    }
  }

  /** Lists the groups with a cell that has a free corner, and the quads they touch; false where there is no room. */
  #list(): boolean {
    const { cellOfLane, rows, looseCorners } = this.#layout;
    this.#touched.fill(0);
    this.groupCount = 0;
    for (let group = 0; 4 * group < cellOfLane.length; group++) {
      if (!this.#isNear(group)) continue;
      const lane = 4 * group;
      if (![0, 1, 2, 3].some((n) => this.#hasFree(lane + n))) continue;
      if (this.groupCount === this.groups.length) return false;
      this.groups[this.groupCount++] = group;
      if (group < this.#quadGroups) {
        // right corners of the last lane lie in the next quad
        for (let n = 4 * group; n < 4 * group + 4; n++) this.#touched.fill(1, rows[n], rows[n] + 2);
      } else {
        const first = 32 * (group - this.#quadGroups);
        for (let n = first; n < first + 32; n++) this.#touched[looseCorners[n] >> 2] = 1;
      }
    }
    this.quadCount = 0;
    for (let quad = 0; quad < this.#touched.length; quad++) {
      if (this.#touched[quad] === 0) continue;
      if (this.quadCount === this.quads.length) return false;
      this.quads[this.quadCount++] = quad;
    }
    return this.groupCount > 0;
  }

  /** Whether a group touches a quad with a free node. */
  #isNear(group: number): boolean {
    const { rows, looseCorners } = this.#layout;
    const moving = this.#moving;
    if (group < this.#quadGroups) {
      for (let n = 4 * group; n < 4 * group + 4; n++) if (moving[rows[n]] || moving[rows[n] + 1]) return true;
      return false;
    }
    const first = 32 * (group - this.#quadGroups);
    for (let n = first; n < first + 32; n++) if (moving[looseCorners[n] >> 2]) return true;
    return false;
  }

  #hasFree(lane: number): boolean {
    if (this.#layout.cellOfLane[lane] < 0) return false;
    for (let c = 0; c < 8; c++) if (this.free[this.#cornerOf(lane, c)]) return true;
    return false;
  }

  /** Place of corner c of the cell in a lane. */
  #cornerOf(lane: number, c: number): number {
    const { rows, looseCorners } = this.#layout;
    const group = lane >> 2;
    if (group < this.#quadGroups) return 4 * rows[4 * group + (c >> 1)] + (lane & 3) + (c & 1);
    return looseCorners[32 * (group - this.#quadGroups) + 4 * c + (lane & 3)];
  }
}
