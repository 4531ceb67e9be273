/**
 * Looks for skin behind skin: which points of a body's skin lie inside cells that are far from them at rest, and behind which other
 * point of the skin. A point is taken back to the rest shape of the cell it lies in, where inside and outside are known.
 */

import type { LatticeBody } from '../lattice-body.js';
import type { Reals } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { CellBins } from './cell-bins.js';
import { CellFrame } from './cell-frame.js';
import type { SkinProxies } from './skin-proxies.js';

/** Nearer at rest than this is squeezed flesh, not contact; deeper than this is on the way through. In cells. */
const NEAREST = 2.5;
const DEEPEST = 2.5;
/** How far from its middle a point may be to count as inside a cell, in cells. */
const EDGE = 0.51;

/** Searches one body. */
export class SkinSearch {
  readonly #body: LatticeBody;
  readonly #proxies: SkinProxies;
  readonly #bins: CellBins;
  readonly #corners: Int32Array;
  /** Lowest and highest corner of the box around each near cell. */
  readonly #boxes: Float64Array;
  /** Where the points of the skin are, 3 numbers each [m]. */
  readonly #x: Float64Array;
  readonly #frame: CellFrame;
  readonly #place = new Float64Array(3);
  /** 1 for points that nothing can push. */
  readonly #driven: Uint8Array;

  /** `x`: where the points of the skin are, kept up to date by whoever asks. `driven`: 1 for points that nothing can push; two of them cannot be parted. */
  constructor(body: LatticeBody, proxies: SkinProxies, x: Float64Array, driven: Uint8Array) {
    const { lattice, layout } = body;
    this.#body = body;
    this.#proxies = proxies;
    this.#x = x;
    this.#driven = driven;
    this.#frame = new CellFrame(lattice.cellSize);
    this.#bins = new CellBins(proxies.cells.length, lattice.cellSize);
    this.#boxes = new Float64Array(6 * proxies.cells.length);
    this.#corners = new Int32Array(8 * proxies.cells.length);
    proxies.cells.forEach((cell, n) => {
      for (let c = 0; c < 8; c++) {
        this.#corners[8 * n + c] = floatOfPlace(layout.placeOfNode[lattice.corners[8 * cell + c]], 0);
      }
    });
  }

  /** Sorts the cells by where they are now. */
  fill(x: Reals): void {
    this.#bins.clear();
    for (let n = 0; n < this.#proxies.cells.length; n++) {
      let lowX = Infinity;
      let lowY = Infinity;
      let lowZ = Infinity;
      let highX = -Infinity;
      let highY = -Infinity;
      let highZ = -Infinity;
      for (let c = 8 * n; c < 8 * n + 8; c++) {
        const at = this.#corners[c];
        lowX = Math.min(lowX, x[at]);
        lowY = Math.min(lowY, x[at + 4]);
        lowZ = Math.min(lowZ, x[at + 8]);
        highX = Math.max(highX, x[at]);
        highY = Math.max(highY, x[at + 4]);
        highZ = Math.max(highZ, x[at + 8]);
      }
      this.#bins.add(n, lowX, lowY, lowZ, highX, highY, highZ);
      const box = 6 * n;
      this.#boxes[box] = lowX;
      this.#boxes[box + 1] = lowY;
      this.#boxes[box + 2] = lowZ;
      this.#boxes[box + 3] = highX;
      this.#boxes[box + 4] = highY;
      this.#boxes[box + 5] = highZ;
    }
  }

  /** The point whose skin this one is least deep behind, -1 where it is inside nothing that it could touch. */
  partnerOf(point: number, x: Reals): number {
    const { cellSize } = this.#body.lattice;
    const { nearStart, near, places, normals } = this.#proxies;
    const p = this.#x;
    let best = -1;
    let least = DEEPEST * cellSize;
    let entry = this.#bins.first(p[3 * point], p[3 * point + 1], p[3 * point + 2]);
    for (; entry >= 0; entry = this.#bins.after(entry)) {
      const n = this.#bins.cellAt(entry);
      if (!this.#mayHold(n, point) || this.#isNear(point, n) || !this.#toRest(point, n, x)) continue;
      let partner = -1;
      let nearest = Infinity;
      for (let m = nearStart[n]; m < nearStart[n + 1]; m++) {
        const away = this.#awaySq(near[m]);
        if (away < nearest) {
          nearest = away;
          partner = near[m];
        }
      }
      if (this.#driven[point] && this.#driven[partner]) continue;
      let depth = 0;
      for (let k = 0; k < 3; k++) depth += normals[3 * partner + k] * (places[3 * partner + k] - this.#place[k]);
      if (depth > 0 && depth < least) {
        least = depth;
        best = partner;
      }
    }
    return best;
  }

  /** Whether a point is in the box around a cell. */
  #mayHold(n: number, point: number): boolean {
    const b = this.#boxes;
    const p = this.#x;
    const [i, o] = [3 * point, 6 * n];
    if (p[i] < b[o] || p[i + 1] < b[o + 1] || p[i + 2] < b[o + 2]) return false;
    return p[i] <= b[o + 3] && p[i + 1] <= b[o + 4] && p[i + 2] <= b[o + 5];
  }

  /** Squared distance, at rest, of a point from the place at hand. */
  #awaySq(point: number): number {
    const { places } = this.#proxies;
    const dx = places[3 * point] - this.#place[0];
    const dy = places[3 * point + 1] - this.#place[1];
    const dz = places[3 * point + 2] - this.#place[2];
    return dx * dx + dy * dy + dz * dz;
  }

  /** Whether a cell is so near to a point at rest that they never touch. */
  #isNear(point: number, n: number): boolean {
    const { cells, origin, cellSize } = this.#body.lattice;
    const cell = this.#proxies.cells[n];
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const away = this.#proxies.places[3 * point + k] - origin[k] - (cells[3 * cell + k] + 0.5) * cellSize;
      sum += away * away;
    }
    return sum < NEAREST * NEAREST * cellSize * cellSize;
  }

  /** Where a point would be at rest if it belonged to a cell, to `place`; false where it is not inside that cell. */
  #toRest(point: number, n: number, x: Reals): boolean {
    const { cells, origin, cellSize } = this.#body.lattice;
    const { f, middle } = this.#frame;
    this.#frame.read(this.#corners, 8 * n, x);
    const dx = this.#x[3 * point] - middle[0];
    const dy = this.#x[3 * point + 1] - middle[1];
    const dz = this.#x[3 * point + 2] - middle[2];
    const det =
      f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
    if (!(det > 0)) return false;
    // columns of the cofactor matrix over the determinant are the rows of the inverse
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      const cx = f[3 + i] * f[6 + j] - f[3 + j] * f[6 + i];
      const cy = f[6 + i] * f[j] - f[6 + j] * f[i];
      const cz = f[i] * f[3 + j] - f[j] * f[3 + i];
      const along = (cx * dx + cy * dy + cz * dz) / det;
      if (!(Math.abs(along) < EDGE * cellSize)) return false;
      this.#place[k] = origin[k] + (cells[3 * this.#proxies.cells[n] + k] + 0.5) * cellSize + along;
    }
    return true;
  }
}
