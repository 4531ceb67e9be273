/** Boxes around groups of triangles, and boxes around those: finds the pairs that may touch. Called when a character is built. */
import type { TriangleMesh } from './triangle-mesh.js';

const LEAF_SIZE = 6;

/** Calls `visit` once for every pair of triangles (first < second) whose boxes, grown by `margin`, overlap; stops at false. */
export function visitNearPairs(
  mesh: TriangleMesh,
  margin: number,
  visit: (first: number, second: number) => boolean,
): void {
  const count = mesh.triangles.length / 3;
  const boxes = triangleBoxes(mesh, margin);
  const order = Int32Array.from({ length: count }, (_, i) => i);
  const nodes: Node[] = [];
  if (count > 0) buildNode(boxes, order, 0, count, nodes);
  const stack: number[] = [];
  for (let first = 0; first < count; first++) {
    stack.length = 0;
    stack.push(0);
    while (stack.length > 0) {
      const node = nodes[stack.pop()!];
      if (!overlap(boxes, 6 * first, node.box, 0)) continue;
      if (node.right > 0) {
        stack.push(node.left, node.right);
        continue;
      }
      for (let i = node.from; i < node.to; i++) {
        const second = order[i];
        if (second > first && overlap(boxes, 6 * first, boxes, 6 * second) && !visit(first, second)) return;
      }
    }
  }
}

interface Node {
  /** Lowest x,y,z, then highest. */
  readonly box: Float64Array;
  /** Range of the order. */
  readonly from: number;
  readonly to: number;
  /** Children; 0 for none. */
  left: number;
  right: number;
}

function triangleBoxes({ positions, triangles }: TriangleMesh, margin: number): Float64Array {
  const boxes = new Float64Array(2 * triangles.length);
  for (let t = 0; t < triangles.length / 3; t++) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [0, 1, 2].map((corner) => positions[3 * triangles[3 * t + corner] + k]);
      boxes[6 * t + k] = Math.min(a, b, c) - margin;
      boxes[6 * t + 3 + k] = Math.max(a, b, c) + margin;
    }
  }
  return boxes;
}

function buildNode(boxes: Float64Array, order: Int32Array, from: number, to: number, nodes: Node[]): number {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = from; i < to; i++) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], boxes[6 * order[i] + k]);
      box[3 + k] = Math.max(box[3 + k], boxes[6 * order[i] + 3 + k]);
    }
  }
  const node: Node = { box, from, to, left: 0, right: 0 };
  const index = nodes.push(node) - 1;
  if (to - from <= LEAF_SIZE) return index;
  const axis = [0, 1, 2].reduce((best, k) => (box[3 + k] - box[k] > box[3 + best] - box[best] ? k : best), 0);
  const middleOf = (t: number): number => boxes[6 * t + axis] + boxes[6 * t + 3 + axis];
  order.subarray(from, to).sort((a, b) => middleOf(a) - middleOf(b) || a - b);
  const middle = (from + to) >> 1;
  node.left = buildNode(boxes, order, from, middle, nodes);
  node.right = buildNode(boxes, order, middle, to, nodes);
  return index;
}

function overlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) if (a[i + k] > b[j + 3 + k] || b[j + k] > a[i + 3 + k]) return false;
  return true;
}
