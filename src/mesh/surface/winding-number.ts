/**
 * Generalised winding numbers: how often a triangle surface goes around a point, about 1 inside and 0 outside also where
 * the surface has holes, overlaps or comes in pieces [Jacobson2013]. Groups of triangles far from the point count as one
 * dipole, so that a query takes logarithmic time [Barill2018]. Called when a character is built.
 */

import { square } from '../../math/powers.js';
import { atan2 } from '../../math/trig.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** A group farther away than this many of its radii is a dipole: errors stay below a twentieth, and the answer is rounded. */
const FAR = 2.3;
const LEAF_SIZE = 8;
/** x, y, z of the centre, area-weighted normal x, y, z, squared far distance, first triangle, count, right child. */
const STRIDE = 10;

/** A surface prepared for queries. */
export class WindingTree {
  readonly #positions: Float64Array;
  readonly #triangles: Int32Array;
  readonly #nodes: Float64Array;
  readonly #stack = new Int32Array(128);
  /** Half the solid angle of all triangles looked at so far: angle of the complex number [0] + i [1], plus [2] whole turns. */
  readonly #turned = new Float64Array(3);

  constructor(mesh: TriangleMesh) {
    this.#positions = mesh.positions;
    const count = mesh.triangles.length / 3;
    const order = Int32Array.from({ length: count }, (_, i) => i);
    const centres = new Float64Array(3 * count);
    for (let t = 0; t < count; t++) {
      for (let k = 0; k < 3; k++) {
        for (let c = 0; c < 3; c++) centres[3 * t + k] += mesh.positions[3 * mesh.triangles[3 * t + c] + k] / 3;
      }
    }
    const nodes: number[] = [];
    this.#triangles = mesh.triangles.slice();
    if (count > 0) this.#build(mesh, order, centres, 0, count, nodes);
    this.#nodes = Float64Array.from(nodes);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) this.#triangles[3 * i + k] = mesh.triangles[3 * order[i] + k];
    }
  }

  #build(mesh: TriangleMesh, order: Int32Array, centres: Float64Array, from: number, to: number, nodes: number[]) {
    const at = nodes.length;
    for (let k = 0; k < STRIDE; k++) nodes.push(0);
    const p = mesh.positions;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const centre = [0, 0, 0];
    const normal = [0, 0, 0];
    let total = 0;
    for (let i = from; i < to; i++) {
      const t = order[i];
      const [a, b, c] = [0, 1, 2].map((k) => 3 * mesh.triangles[3 * t + k]);
      const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
      const v = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
      total += area;
      for (let k = 0; k < 3; k++) {
        normal[k] += n[k] / 2;
        centre[k] += area * centres[3 * t + k];
        low[k] = Math.min(low[k], centres[3 * t + k]);
        high[k] = Math.max(high[k], centres[3 * t + k]);
      }
    }
    let radiusSq = 0;
    for (let k = 0; k < 3; k++) centre[k] = total > 0 ? centre[k] / total : centres[3 * order[from] + k];
    for (let i = from; i < to; i++) {
      for (let c = 0; c < 3; c++) {
        const q = 3 * mesh.triangles[3 * order[i] + c];
        const away = square(p[q] - centre[0]) + square(p[q + 1] - centre[1]) + square(p[q + 2] - centre[2]);
        radiusSq = Math.max(radiusSq, away);
      }
    }
    for (let k = 0; k < 3; k++) {
      nodes[at + k] = centre[k];
      nodes[at + 3 + k] = normal[k];
    }
    nodes[at + 6] = FAR * FAR * radiusSq;
    nodes[at + 7] = from;
    nodes[at + 8] = to - from;
    if (to - from <= LEAF_SIZE) return;
    const axis = [0, 1, 2].reduce((best, k) => (high[k] - low[k] > high[best] - low[best] ? k : best), 0);
    order.subarray(from, to).sort((a, b) => centres[3 * a + axis] - centres[3 * b + axis] || a - b);
    const middle = (from + to) >> 1;
    this.#build(mesh, order, centres, from, middle, nodes);
    nodes[at + 9] = nodes.length;
    this.#build(mesh, order, centres, middle, to, nodes);
  }

  /** The winding number at a point. */
  at(x: number, y: number, z: number): number {
    const nodes = this.#nodes;
    const stack = this.#stack;
    if (nodes.length === 0) return 0;
    const turned = this.#turned;
    turned[0] = 1;
    turned[1] = turned[2] = 0;
    let sum = 0;
    let top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const n = stack[--top];
      const dx = nodes[n] - x;
      const dy = nodes[n + 1] - y;
      const dz = nodes[n + 2] - z;
      const distanceSq = dx * dx + dy * dy + dz * dz;
      if (distanceSq > nodes[n + 6]) {
        const dipole = nodes[n + 3] * dx + nodes[n + 4] * dy + nodes[n + 5] * dz;
        sum += dipole / (distanceSq * Math.sqrt(distanceSq));
      } else if (nodes[n + 9] === 0) {
        for (let i = nodes[n + 7]; i < nodes[n + 7] + nodes[n + 8]; i++) this.#addSolidAngle(3 * i, x, y, z);
        // scaled, so that long products stay in range
        const length = Math.sqrt(turned[0] * turned[0] + turned[1] * turned[1]) || 1;
        turned[0] /= length;
        turned[1] /= length;
      } else {
        stack[top++] = nodes[n + 9];
        stack[top++] = n + STRIDE;
      }
    }
    const triangles = 2 * (atan2(turned[1], turned[0]) + 2 * Math.PI * turned[2]);
    return (sum + triangles) / (4 * Math.PI);
  }

  /**
   * Adds the signed solid angle of a triangle seen from a point, twice the angle of a complex number [Oosterom1983]. Angles add
   * up by multiplying these numbers, which takes one arc tangent for all of them.
   */
  #addSolidAngle(t: number, x: number, y: number, z: number): void {
    const p = this.#positions;
    const i = 3 * this.#triangles[t];
    const j = 3 * this.#triangles[t + 1];
    const k = 3 * this.#triangles[t + 2];
    const ax = p[i] - x;
    const ay = p[i + 1] - y;
    const az = p[i + 2] - z;
    const bx = p[j] - x;
    const by = p[j + 1] - y;
    const bz = p[j + 2] - z;
    const cx = p[k] - x;
    const cy = p[k + 1] - y;
    const cz = p[k + 2] - z;
    const a = Math.sqrt(ax * ax + ay * ay + az * az);
    const b = Math.sqrt(bx * bx + by * by + bz * bz);
    const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const triple = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    const cosine = a * b * c + ab * c + bc * a + ca * b;
    // a point on the triangle itself sees nothing of it
    if (cosine === 0 && triple === 0) return;
    const turned = this.#turned;
    const im = turned[0] * triple + turned[1] * cosine;
    if (turned[1] >= 0 && triple >= 0 && im < 0) turned[2]++;
    else if (turned[1] < 0 && triple < 0 && im >= 0) turned[2]--;
    turned[0] = turned[0] * cosine - turned[1] * triple;
    turned[1] = im;
  }
}
