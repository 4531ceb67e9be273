/**
 * The boxes in which vertices are looked for that the triangles of a body can meet within a step. They are made corner by corner:
 * a corner belongs to about six triangles, and the box of a triangle is that around the boxes of its three corners.
 */
import type { CellFrame } from '../surface/cell-frame.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { deepest } from './wall-search.js';

/** Way in one step, in mean edge lengths, that counts as slow. */
const SLOW = 0.25;

/** Boxes of one body's triangles against one other body, or the same; owns its scratch. */
export class SweptBoxes {
  /** Box of the triangle last measured: lowest x, y, z, then highest [m]. */
  readonly box = new Float64Array(6);
  /** Cells, in the grid of the other body, of the triangle last taken: lowest x, y, z, then highest. */
  readonly cells = new Int32Array(6);
  /** See `widen`. */
  readonly #wide = new Int32Array(6);
  /** Box of each surface vertex, and the sides of the other body's box it is wholly beyond, one bit each. */
  #corners = new Float64Array(0);
  #beyond = new Uint8Array(0);
  /** Cells each of these boxes reaches from and to, 6 per surface vertex. */
  #cornerCells = new Int32Array(0);
  /** How far a box reaches beyond the corner on its way, down and up: 6 numbers [m]. */
  readonly #push = new Float64Array(6);

  /** Makes room for the vertices of a body. */
  prepare(vertexCount: number): void {
    if (this.#beyond.length >= vertexCount) return;
    this.#corners = new Float64Array(vertexCount * 6);
    this.#beyond = new Uint8Array(vertexCount);
    this.#cornerCells = new Int32Array(vertexCount * 6);
  }

  /**
   * Boxes around where each corner of `solid` is and where it goes within `h` [s], seen from the body of the points. What moves
   * fast looks far; what moves slowly is found by the triangles of what moves fast, so that a whole body pays for the speed of a
   * hand only where the hand is. `pull`: acceleration that one of the two may be held against [m/s²].
   */
  fill(solid: SurfaceMotion, points: SurfaceMotion, h: number, pull: number): void {
    const { vertices, edgeLength } = solid.surface;
    const margin = Math.max(points.margin, solid.margin);
    const grow = Math.max(deepest(points, solid), margin + h * h * pull + SLOW * edgeLength);
    const self = points === solid;
    const push = this.#push;
    const corners = this.#corners;
    const beyond = this.#beyond;
    const cells = this.#cornerCells;
    const { frame } = points.grid;
    // as far as one of the two may be pushed towards the other
    for (let k = 0; k < 3; k++) {
      push[k] = self ? 0 : Math.min(0, h * solid.push[k], -h * points.push[k]);
      push[3 + k] = self ? 0 : Math.max(0, h * solid.push[k], -h * points.push[k]);
    }
    beyond.fill(0, 0, vertices.length);
    for (let k = 0; k < 3; k++) {
      const lowest = points.box[k];
      const highest = points.box[3 + k];
      const down = push[k];
      const up = push[3 + k];
      const mean = points.velocity[k];
      for (let i = 0; i < vertices.length; i++) {
        const x = solid.points[i * 3 + k];
        const end = x + h * (self ? solid.stray[i * 3 + k] : solid.velocities[vertices[i] * 3 + k] - mean);
        const low = Math.min(x, end) - grow + down;
        const high = Math.max(x, end) + grow + up;
        corners[i * 6 + k] = low;
        corners[i * 6 + 3 + k] = high;
        cells[i * 6 + k] = frame.column(low, k);
        cells[i * 6 + 3 + k] = frame.column(high, k);
        beyond[i] |= (low > highest ? 1 << k : 0) | (high < lowest ? 8 << k : 0);
      }
    }
  }

  /** Writes the cells around three corners (surface numbers) to `cells`; false where no vertex can be in them. */
  take(a: number, b: number, c: number): boolean {
    const beyond = this.#beyond;
    if ((beyond[a] & beyond[b] & beyond[c]) !== 0) return false;
    const { cells } = this;
    const corners = this.#cornerCells;
    const i = a * 6;
    const j = b * 6;
    const k = c * 6;
    cells[0] = Math.min(corners[i], corners[j], corners[k]);
    cells[1] = Math.min(corners[i + 1], corners[j + 1], corners[k + 1]);
    cells[2] = Math.min(corners[i + 2], corners[j + 2], corners[k + 2]);
    cells[3] = Math.max(corners[i + 3], corners[j + 3], corners[k + 3]);
    cells[4] = Math.max(corners[i + 4], corners[j + 4], corners[k + 4]);
    cells[5] = Math.max(corners[i + 5], corners[j + 5], corners[k + 5]);
    return true;
  }

  /** The cells last taken, and those next to them. */
  widen({ counts }: CellFrame): Int32Array {
    const { cells } = this;
    const wide = this.#wide;
    for (let k = 0; k < 3; k++) {
      wide[k] = Math.max(0, cells[k] - 1);
      wide[3 + k] = Math.min(counts[k] - 1, cells[3 + k] + 1);
    }
    return wide;
  }

  /** Writes the box around three corners (surface numbers) to `box`, with some `room` on each side [m]. */
  measure(a: number, b: number, c: number, room = 0): void {
    const { box } = this;
    const corners = this.#corners;
    const i = a * 6;
    const j = b * 6;
    const k = c * 6;
    box[0] = Math.min(corners[i], corners[j], corners[k]) - room;
    box[1] = Math.min(corners[i + 1], corners[j + 1], corners[k + 1]) - room;
    box[2] = Math.min(corners[i + 2], corners[j + 2], corners[k + 2]) - room;
    box[3] = Math.max(corners[i + 3], corners[j + 3], corners[k + 3]) + room;
    box[4] = Math.max(corners[i + 4], corners[j + 4], corners[k + 4]) + room;
    box[5] = Math.max(corners[i + 5], corners[j + 5], corners[k + 5]) + room;
  }
}
