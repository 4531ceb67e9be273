/** Boxes around groups of triangles, and boxes around those: finds the nearest triangle. */

import { closestOnTriangle } from '../../mesh/surface/closest-on-triangle.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';

const LEAF_SIZE = 4;

/** A surface of at least one triangle, prepared for queries. */
export class NearestTriangles {
  readonly #mesh: TriangleMesh;
  /** Triangles, those of a leaf next to each other. */
  readonly #order: Int32Array;
  /** Lowest x,y,z, then highest, of every node. */
  readonly #boxes: Float64Array;
  /** Range of the order and second child (0 for a leaf) of every node; the first child comes right after its parent. */
  readonly #nodes: Int32Array;
  readonly #stack = new Int32Array(64);
  readonly #way = new Float64Array(3);

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    const count = mesh.triangles.length / 3;
    this.#order = Int32Array.from({ length: count }, (_, t) => t);
    const middles = new Float64Array(3 * count);
    for (let t = 0; t < count; t++) {
      for (let k = 0; k < 3; k++) {
        for (let c = 0; c < 3; c++) middles[3 * t + k] += mesh.positions[3 * mesh.triangles[3 * t + c] + k];
      }
    }
    const boxes: number[] = [];
    const nodes: number[] = [];
    this.#build(middles, 0, count, boxes, nodes);
    this.#boxes = Float64Array.from(boxes);
    this.#nodes = Int32Array.from(nodes);
  }

  #build(middles: Float64Array, from: number, to: number, boxes: number[], nodes: number[]): number {
    const { positions, triangles } = this.#mesh;
    const node = nodes.length / 3;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      for (let c = 0; c < 3; c++) {
        const vertex = 3 * triangles[3 * this.#order[i] + c];
        for (let k = 0; k < 3; k++) {
          box[k] = Math.min(box[k], positions[vertex + k]);
          box[3 + k] = Math.max(box[3 + k], positions[vertex + k]);
        }
      }
    }
    boxes.push(...box);
    nodes.push(from, to, 0);
    if (to - from <= LEAF_SIZE) return node;
    const axis = [0, 1, 2].reduce((best, k) => (box[3 + k] - box[k] > box[3 + best] - box[best] ? k : best), 0);
    this.#order.subarray(from, to).sort((a, b) => middles[3 * a + axis] - middles[3 * b + axis] || a - b);
    const middle = (from + to) >> 1;
    this.#build(middles, from, middle, boxes, nodes);
    nodes[3 * node + 2] = this.#build(middles, middle, to, boxes, nodes);
    return node;
  }

  /** The nearest triangle, -1 where none is within `reach` [m]. */
  find(x: number, y: number, z: number, reach: number): number {
    const stack = this.#stack;
    let nearest = -1;
    let best = reach * reach;
    let top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const node = stack[--top];
      if (this.#boxDistanceSq(node, x, y, z) >= best) continue;
      const second = this.#nodes[3 * node + 2];
      if (second === 0) {
        for (let i = this.#nodes[3 * node]; i < this.#nodes[3 * node + 1]; i++) {
          const found = this.distanceSq(this.#order[i], x, y, z, best);
          if (found >= best) continue;
          best = found;
          nearest = this.#order[i];
        }
        continue;
      }
      // the nearer one last, so that it is looked at first
      const secondFirst = this.#boxDistanceSq(second, x, y, z) < this.#boxDistanceSq(node + 1, x, y, z);
      stack[top++] = secondFirst ? node + 1 : second;
      stack[top++] = secondFirst ? second : node + 1;
    }
    return nearest;
  }

  /** Squared distance of triangle t, or `best` where that is less [m²]. */
  distanceSq(t: number, x: number, y: number, z: number, best: number): number {
    const { positions, triangles } = this.#mesh;
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    const c = triangles[3 * t + 2];
    return closestOnTriangle(positions, a, b, c, x, y, z, best, this.#way);
  }

  #boxDistanceSq(node: number, x: number, y: number, z: number): number {
    const boxes = this.#boxes;
    const b = 6 * node;
    const dx = Math.max(boxes[b] - x, 0, x - boxes[b + 3]);
    const dy = Math.max(boxes[b + 1] - y, 0, y - boxes[b + 4]);
    const dz = Math.max(boxes[b + 2] - z, 0, z - boxes[b + 5]);
    return dx * dx + dy * dy + dz * dz;
  }
}
