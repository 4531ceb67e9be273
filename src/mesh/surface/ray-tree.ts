/** How far it is through a solid: rays against the triangles of its surface, by boxes around groups of them. Called when a model is built. */
import type { TriangleMesh } from './triangle-mesh.js';

const LEAF_SIZE = 4;
/** Longest path from the root: halving 2^31 triangles needs no more. */
const DEEPEST = 64;
/** Weight of a triangle's corner below zero that still counts as on it, so that rounding opens no cracks. */
const ROUNDING = 1e-9;

/** Triangles in a tree of boxes. */
export class RayTree {
  readonly #mesh: TriangleMesh;
  readonly #order: Int32Array;
  /** Lowest x, y, z, then highest, 6 per node. */
  readonly #boxes: number[] = [];
  /** First triangle in the order, number of them (0 for inner nodes), right child; the left one comes next. */
  readonly #nodes: number[] = [];
  readonly #stack = new Int32Array(2 * DEEPEST);

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    const count = mesh.triangles.length / 3;
    this.#order = Int32Array.from({ length: count }, (_, t) => t);
    const middles = new Float64Array(3 * count);
    for (let i = 0; i < mesh.triangles.length; i++) {
      for (let k = 0; k < 3; k++) middles[3 * Math.floor(i / 3) + k] += mesh.positions[3 * mesh.triangles[i] + k];
    }
    if (count > 0) this.#build(middles, 0, count);
  }

  /**
   * Distance from the point p[at..at + 3) along the unit direction d to where the surface is left (the side the triangle faces is
   * where the ray goes), beyond `from`; infinite where it is not.
   */
  leavesAfter(p: ArrayLike<number>, at: number, d: ArrayLike<number>, from: number): number {
    if (this.#nodes.length === 0) return Number.POSITIVE_INFINITY;
    let nearest = Number.POSITIVE_INFINITY;
    let top = 0;
    this.#stack[top++] = 0;
    while (top > 0) {
      const node = this.#stack[--top];
      if (!this.#meetsBox(node, p, at, d, nearest)) continue;
      const [first, count, right] = [this.#nodes[3 * node], this.#nodes[3 * node + 1], this.#nodes[3 * node + 2]];
      if (count === 0) {
        this.#stack[top++] = right;
        this.#stack[top++] = node + 1;
        continue;
      }
      for (let n = first; n < first + count; n++) {
        const way = this.#leaves(this.#order[n], p, at, d);
        if (way > from && way < nearest) nearest = way;
      }
    }
    return nearest;
  }

  #build(middles: Float64Array, from: number, to: number): number {
    const { positions, triangles } = this.#mesh;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let n = from; n < to; n++) {
      for (let corner = 0; corner < 3; corner++) {
        const v = 3 * triangles[3 * this.#order[n] + corner];
        for (let k = 0; k < 3; k++) {
          box[k] = Math.min(box[k], positions[v + k]);
          box[3 + k] = Math.max(box[3 + k], positions[v + k]);
        }
      }
    }
    const node = this.#nodes.length / 3;
    this.#boxes.push(...box);
    const leaf = to - from <= LEAF_SIZE;
    this.#nodes.push(from, leaf ? to - from : 0, 0);
    if (leaf) return node;
    const axis = [0, 1, 2].reduce((best, k) => (box[3 + k] - box[k] > box[3 + best] - box[best] ? k : best), 0);
    this.#order.subarray(from, to).sort((a, b) => middles[3 * a + axis] - middles[3 * b + axis] || a - b);
    const middle = (from + to) >> 1;
    this.#build(middles, from, middle);
    this.#nodes[3 * node + 2] = this.#build(middles, middle, to);
    return node;
  }

  #meetsBox(node: number, p: ArrayLike<number>, at: number, d: ArrayLike<number>, limit: number): boolean {
    let [near, far] = [0, limit];
    for (let k = 0; k < 3; k++) {
      const low = this.#boxes[6 * node + k] - p[at + k];
      const high = this.#boxes[6 * node + 3 + k] - p[at + k];
      if (d[k] === 0) {
        if (low > 0 || high < 0) return false;
        continue;
      }
      const [a, b] = d[k] > 0 ? [low / d[k], high / d[k]] : [high / d[k], low / d[k]];
      near = Math.max(near, a);
      far = Math.min(far, b);
    }
    return near <= far * (1 + 1e-12) + 1e-300;
  }

  /** Way to where the ray goes through triangle t from behind it to before it; NaN where it does not. */
  #leaves(t: number, p: ArrayLike<number>, at: number, d: ArrayLike<number>): number {
    const { positions: x, triangles } = this.#mesh;
    const [i, j, k] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
    const [ux, uy, uz] = [x[j] - x[i], x[j + 1] - x[i + 1], x[j + 2] - x[i + 2]];
    const [vx, vy, vz] = [x[k] - x[i], x[k + 1] - x[i + 1], x[k + 2] - x[i + 2]];
    const [sx, sy, sz] = [p[at] - x[i], p[at + 1] - x[i + 1], p[at + 2] - x[i + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const leaving = d[0] * nx + d[1] * ny + d[2] * nz;
    if (!(leaving > 0)) return Number.NaN;
    const [cx, cy, cz] = [sy * d[2] - sz * d[1], sz * d[0] - sx * d[2], sx * d[1] - sy * d[0]];
    const second = -(vx * cx + vy * cy + vz * cz) / leaving;
    const third = (ux * cx + uy * cy + uz * cz) / leaving;
    if (second < -ROUNDING || third < -ROUNDING || second + third > 1 + ROUNDING) return Number.NaN;
    return -(sx * nx + sy * ny + sz * nz) / leaving;
  }
}
