/**
 * Bodies deep in each other, as scenes may start. The way out of each vertex alone contradicts that of the next, and together they
 * throw bodies apart or hold them fast. So all go one way, the same for both bodies: the one that lessens the volume they share the
 * fastest, which is along the sum of the normals of what is inside. And they go slowly.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import { leavesBy } from '../surface/line-through-triangle.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import type { InsideSearch } from './inside-search.js';
import { addVertexOnTriangle } from './vertex-on-triangle.js';

/** Depth from which bodies count as deep in each other, as share of the smaller one's size. */
const DEEP = 0.1;
/** Speed at which they come apart, in sizes of the smaller one per second. */
const APART = 2;
/** Normals that sum up to less than this share of them all say nothing: one body is all inside the other. */
const NO_DIRECTION = 0.1;
/** Most pairs of vertex and triangle looked at in a step. */
const MOST_PAIRS = 4_000_000;

/** Whether bodies that were this deep in each other [m] are to be treated so. */
export function isDeep(a: SurfaceMotion, b: SurfaceMotion, depth: number): boolean {
  return depth > DEEP * Math.min(a.model.size, b.model.size);
}

/** Leads bodies out of each other; owns its scratch. */
export class DeepOverlap {
  readonly #inside: InsideSearch;
  /** Surface vertices of the two bodies that are inside the other. */
  #lists = [new Int32Array(0), new Int32Array(0)];
  readonly #counts = new Int32Array(2);
  /** Direction in which the first body is to go. */
  readonly #way = new Float64Array(3);
  /** Direction in which the body at hand goes. */
  readonly #heading = new Float64Array(3);
  readonly #weights = new Float64Array(3);
  #budget = 0;

  constructor(inside: InsideSearch) {
    this.#inside = inside;
  }

  /** Makes room for the vertices of a body. */
  prepare({ surface }: SurfaceMotion): void {
    if (this.#lists[0].length >= surface.vertices.length) return;
    this.#lists = this.#lists.map(() => new Int32Array(surface.vertices.length));
  }

  /** A new step begins. */
  begin(): void {
    this.#budget = MOST_PAIRS;
  }

  /** Adds contacts that lead bodies `a` and `b` apart; false where neither has vertices in the other. `h`: step [s]. */
  find(first: SurfaceMotion, a: number, second: SurfaceMotion, b: number, h: number, out: ContactBuffer): boolean {
    this.#way.fill(0);
    this.#gather(first, second, 0, -1);
    this.#gather(second, first, 1, 1);
    if (this.#counts[0] + this.#counts[1] === 0) return false;
    this.#chooseWay(first, second);
    const step = h * APART * Math.min(first.model.size, second.model.size);
    this.#lead(first, a, second, b, 0, 1, step, out);
    this.#lead(second, b, first, a, 1, -1, step, out);
    return true;
  }

  /** Lists the vertices of one body inside the other and adds their normals, as areas, to the way. */
  #gather(points: SurfaceMotion, solid: SurfaceMotion, which: number, sign: number): void {
    const inside = this.#inside;
    const area = sign * points.surface.edgeLength * points.surface.edgeLength;
    let count = 0;
    inside.search(points, solid);
    for (let i = 0; i < points.surface.vertices.length; i++) {
      if (inside.tets[i] < 0) continue;
      this.#lists[which][count++] = i;
      for (let k = 0; k < 3; k++) this.#way[k] += area * points.vertexNormals[i * 3 + k];
    }
    this.#counts[which] = count;
  }

  #chooseWay(first: SurfaceMotion, second: SurfaceMotion): void {
    const way = this.#way;
    const areaA = first.surface.edgeLength * first.surface.edgeLength;
    const areaB = second.surface.edgeLength * second.surface.edgeLength;
    const all = this.#counts[0] * areaA + this.#counts[1] * areaB;
    if (!(lengthOf(way) > NO_DIRECTION * all)) {
      for (let k = 0; k < 3; k++) way[k] = first.box[k] + first.box[3 + k] - second.box[k] - second.box[3 + k];
    }
    const length = lengthOf(way);
    if (!(length > 0)) way[1] = 1;
    for (let k = 0; k < 3 && length > 0; k++) way[k] /= length;
  }

  /** Adds a contact for every listed vertex, with the place where it gets out when it goes along the way (`sign` 1) or back. */
  #lead(
    points: SurfaceMotion,
    a: number,
    solid: SurfaceMotion,
    b: number,
    which: number,
    sign: number,
    step: number,
    out: ContactBuffer,
  ): void {
    const { triangles } = solid.surface;
    for (let k = 0; k < 3; k++) this.#heading[k] = sign * this.#way[k];
    for (let n = 0; n < this.#counts[which]; n++) {
      const i = this.#lists[which][n];
      if (this.#budget < 0) {
        out.unswept++;
        continue;
      }
      this.#budget -= triangles.length / 3;
      let exit = -1;
      let depth = Number.POSITIVE_INFINITY;
      for (let t = 0; t < triangles.length; t += 3) {
        const way = this.#wayThrough(points, i, solid, t);
        if (!(way >= 0 && way < depth)) continue;
        depth = way;
        exit = t;
      }
      if (exit >= 0) this.#add(points, a, i, solid, b, exit, depth, step, out);
    }
  }

  /** How far vertex i has to go until it gets out by the triangle at t [m]; NaN where it does not. Fills the weights. */
  #wayThrough(points: SurfaceMotion, i: number, solid: SurfaceMotion, t: number): number {
    return leavesBy(points.points, i * 3, this.#heading, solid.positions, solid.surface.triangles, t, this.#weights);
  }

  #add(
    points: SurfaceMotion,
    a: number,
    i: number,
    solid: SurfaceMotion,
    b: number,
    t: number,
    depth: number,
    step: number,
    out: ContactBuffer,
  ): void {
    this.#wayThrough(points, i, solid, t);
    const c = addVertexOnTriangle(points, a, i, solid, b, t / 3, this.#weights, 0, out);
    if (c < 0) return;
    for (let k = 0; k < 3; k++) out.normal[c * 3 + k] = this.#heading[k];
    // what is to come out must not be held back
    out.friction[c] = 0;
    out.gap[c] = -depth;
    out.offset[c] = Math.min(0, step - depth);
  }
}

function lengthOf(v: Float64Array): number {
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
