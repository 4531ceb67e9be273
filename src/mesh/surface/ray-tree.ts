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
  readonly #boxes: Float64Array;
  /** First triangle in the order, number of them (0 for inner nodes), right child; the left one comes next. */
  readonly #nodes: Int32Array;
  #count = 0;
  readonly #stack = new Int32Array(2 * DEEPEST);

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    const count = mesh.triangles.length / 3;
    this.#order = Int32Array.from({ length: count }, (_, t) => t);
    const middles = new Float64Array(3 * count);
    for (let i = 0; i < mesh.triangles.length; i++) {
      for (let k = 0; k < 3; k++) middles[3 * Math.floor(i / 3) + k] += mesh.positions[3 * mesh.triangles[i] + k];
    }
    // a leaf is half of five triangles or more, so that there are no more nodes than triangles
    this.#boxes = new Float64Array(6 * count);
    this.#nodes = new Int32Array(3 * count);
    if (count > 0) this.#build(middles, 0, count);
  }

  /**
   * Distance from the point p[at..at + 3) along the unit direction d to where the surface is left (the side the triangle faces is
   * where the ray goes), beyond `from`; infinite where it is not.
   */
  leavesAfter(p: ArrayLike<number>, at: number, d: ArrayLike<number>, from: number): number {
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    let nearest = Number.POSITIVE_INFINITY;
    let top = 0;
    this.#stack[top++] = 0;
    while (top > 0) {
      const node = this.#stack[--top];
      if (!this.#meetsBox(node, p, at, d, nearest)) continue;
      const first = this.#nodes[3 * node];
      const count = this.#nodes[3 * node + 1];
      if (count === 0) {
        this.#stack[top++] = this.#nodes[3 * node + 2];
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
    const node = this.#count++;
    const axis = this.#surround(node, from, to);
    const isLeaf = to - from <= LEAF_SIZE;
    this.#nodes[3 * node] = from;
    this.#nodes[3 * node + 1] = isLeaf ? to - from : 0;
    if (isLeaf) return node;
    const middle = (from + to) >> 1;
    halve(this.#order, middles, axis, from, middle, to);
    this.#build(middles, from, middle);
    this.#nodes[3 * node + 2] = this.#build(middles, middle, to);
    return node;
  }

  /** The box of a node around its triangles; returns its longest side. */
  #surround(node: number, from: number, to: number): number {
    const { positions, triangles } = this.#mesh;
    let [longest, axis] = [Number.NEGATIVE_INFINITY, 0];
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let n = from; n < to; n++) {
        for (let i = 3 * this.#order[n], end = i + 3; i < end; i++) {
          const at = positions[3 * triangles[i] + k];
          if (at < low) low = at;
          if (at > high) high = at;
        }
      }
      this.#boxes[6 * node + k] = low;
      this.#boxes[6 * node + 3 + k] = high;
      if (high - low > longest) [longest, axis] = [high - low, k];
    }
    return axis;
  }

  #meetsBox(node: number, p: ArrayLike<number>, at: number, d: ArrayLike<number>, limit: number): boolean {
    let near = 0;
    let far = limit;
    for (let k = 0; k < 3; k++) {
      const low = this.#boxes[6 * node + k] - p[at + k];
      const high = this.#boxes[6 * node + 3 + k] - p[at + k];
      const along = d[k];
      if (along === 0) {
        if (low > 0 || high < 0) return false;
        continue;
      }
      const enters = (along > 0 ? low : high) / along;
      const leaves = (along > 0 ? high : low) / along;
      if (enters > near) near = enters;
      if (leaves < far) far = leaves;
    }
    return near <= far * (1 + 1e-12) + 1e-300;
  }

  /** Way to where the ray goes through triangle t from behind it to before it; NaN where it does not. */
  #leaves(t: number, p: ArrayLike<number>, at: number, d: ArrayLike<number>): number {
    const { positions: x, triangles } = this.#mesh;
    const i = 3 * triangles[3 * t];
    const j = 3 * triangles[3 * t + 1];
    const k = 3 * triangles[3 * t + 2];
    const ux = x[j] - x[i];
    const uy = x[j + 1] - x[i + 1];
    const uz = x[j + 2] - x[i + 2];
    const vx = x[k] - x[i];
    const vy = x[k + 1] - x[i + 1];
    const vz = x[k + 2] - x[i + 2];
    const sx = p[at] - x[i];
    const sy = p[at + 1] - x[i + 1];
    const sz = p[at + 2] - x[i + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const leaving = d[0] * nx + d[1] * ny + d[2] * nz;
    if (!(leaving > 0)) return Number.NaN;
    const cx = sy * d[2] - sz * d[1];
    const cy = sz * d[0] - sx * d[2];
    const cz = sx * d[1] - sy * d[0];
    const second = -(vx * cx + vy * cy + vz * cz) / leaving;
    const third = (ux * cx + uy * cy + uz * cz) / leaving;
    if (second < -ROUNDING || third < -ROUNDING || second + third > 1 + ROUNDING) return Number.NaN;
    return -(sx * nx + sy * ny + sz * nz) / leaving;
  }
}

/** Moves those of order[from..to) that lie lower along an axis before order[middle], the others after it: all it takes to halve them, without sorting. */
function halve(order: Int32Array, middles: Float64Array, axis: number, from: number, middle: number, to: number): void {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const pivot = middles[3 * order[(low + high) >> 1] + axis];
    let i = low;
    let j = high;
    while (i <= j) {
      while (middles[3 * order[i] + axis] < pivot) i++;
      while (middles[3 * order[j] + axis] > pivot) j--;
      if (i > j) break;
      const moved = order[i];
      order[i++] = order[j];
      order[j--] = moved;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}
