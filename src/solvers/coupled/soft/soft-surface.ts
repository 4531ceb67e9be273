/**
 * The surfaces of soft bodies where they are now: the nearest point of a surface to a place, and on which side of it the place is.
 * Triangles go in clusters of eight with a box around them; boxes are made when a body is first asked in a search.
 */
import { nearestOnTriangle } from '../../../collision/surface/triangle-point.js';
import { CLUSTER, FeatureBoxes } from './feature-boxes.js';
import type { SoftBodies } from './soft-bodies.js';

/** Squared distances this close, as a share, are of the same point: of the triangles around it the one that faces the place decides. */
const SAME = 1e-9;

/** A shorter way to the surface has no direction [m]. */
const NO_WAY = 1e-7;

/** Surfaces of all soft bodies, and the answer to the last question. */
export class SoftSurface {
  /** The nearest triangle (its corners, numbered within the body), weights of its corners, signed distance [m] and outward normal. */
  readonly corner = new Int32Array(3);
  readonly weight = new Float64Array(3);
  readonly distance = new Float64Array(1);
  readonly normal = new Float64Array(3);
  readonly #soft: SoftBodies;
  readonly #clusters: FeatureBoxes;
  /** Normals of vertices, 3 each, made with the boxes. */
  readonly #vertexNormals: Float64Array;
  /** Triangles are passed over that look more than `#most` this way. */
  readonly #facing = new Float64Array(3);
  #most = Number.POSITIVE_INFINITY;
  readonly #out = new Float64Array(4);
  /** Squared distance of the nearest point so far [m²], and how far the place is over the plane of its triangle [m]. */
  readonly #best = new Float64Array(2);
  #found = false;
  /** Squared distances of the boxes of the body at hand [m²]. */
  readonly #away: Float64Array;
  readonly #n = new Float64Array(3);
  /** How far the place is over the plane of the triangle asked for last [m]. */
  readonly #over = new Float64Array(1);

  constructor(soft: SoftBodies) {
    this.#soft = soft;
    const triangles = soft.models.map((model) => model.triangles);
    this.#clusters = new FeatureBoxes(soft, triangles, 3);
    this.#vertexNormals = new Float64Array(soft.vertexCount * 3);
    this.#away = new Float64Array(Math.max(0, ...triangles.map(({ length }) => Math.ceil(length / 3 / CLUSTER))));
  }

  /** The bodies have moved: boxes are out of date. */
  begin(): void {
    this.#clusters.begin();
  }

  /** out = which way is out at a vertex of body s: a unit vector, or nothing where the surface has no direction. */
  facing(s: number, vertex: number, out: Float64Array): void {
    this.#refresh(s);
    const o = (this.#soft.firstVertex[s] + vertex) * 3;
    const n = this.#vertexNormals;
    const length = Math.sqrt(n[o] * n[o] + n[o + 1] * n[o + 1] + n[o + 2] * n[o + 2]);
    for (let k = 0; k < 3; k++) out[k] = length > 0 ? n[o + k] / length : 0;
  }

  /**
   * Finds the point of body s nearest to p, if it is nearer than `reach[0]`, or than `reach[1]` where p is outside; the answer is in the fields
   * above. What is away from all boxes and in front of the nearest is outside.
   */
  ask(s: number, p: Float64Array, reach: Float64Array): boolean {
    this.#search(s, p, reach);
    if (this.#found) this.#direct(s, p);
    return this.#found;
  }

  /**
   * The same among the triangles whose normals are less than `most` along `facing`, by their planes: how deep p is under the nearest of them, if it
   * is over or under the triangle itself, or at most `beside` it.
   */
  askFacing(
    s: number,
    p: Float64Array,
    reach: Float64Array,
    facing: Float64Array,
    most: number,
    beside: number,
  ): boolean {
    this.#most = most;
    this.#facing.set(facing);
    this.#search(s, p, reach);
    this.#most = Number.POSITIVE_INFINITY;
    const square = this.#best[0];
    const over = this.#best[1];
    this.distance[0] = over;
    return this.#found && square - over * over <= beside * beside;
  }

  #search(s: number, p: Float64Array, reach: Float64Array): void {
    this.#refresh(s);
    const near = reach[1];
    const { boxes } = this.#clusters;
    const first = this.#clusters.first[s];
    const last = this.#clusters.first[s + 1];
    const best = this.#best;
    best[0] = reach[0] * reach[0];
    best[1] = 0;
    this.#found = false;
    // the nearest box first: what it holds rules most others out
    let lead = first;
    let least = Number.POSITIVE_INFINITY;
    for (let cluster = first; cluster < last; cluster++) {
      const square = boxDistanceSq(boxes, cluster * 6, p);
      this.#away[cluster - first] = square;
      if (square < least) {
        least = square;
        lead = cluster;
      }
    }
    if (least > best[0]) return;
    this.#askCluster(s, lead, p);
    if (least > near * near && (!this.#found || best[1] >= 0)) {
      this.#found = false;
      return;
    }
    for (let cluster = first; cluster < last; cluster++) {
      if (cluster !== lead && this.#away[cluster - first] <= best[0]) this.#askCluster(s, cluster, p);
    }
  }

  /** Looks through the triangles of a cluster. */
  #askCluster(s: number, cluster: number, p: Float64Array): void {
    const { x, firstVertex, models } = this.#soft;
    const { triangles } = models[s];
    const first = firstVertex[s];
    const out = this.#out;
    const best = this.#best;
    const start = (cluster - this.#clusters.first[s]) * CLUSTER;
    const end = Math.min(triangles.length / 3, start + CLUSTER);
    for (let t = start; t < end; t++) {
      const a = (first + triangles[t * 3]) * 3;
      const b = (first + triangles[t * 3 + 1]) * 3;
      const c = (first + triangles[t * 3 + 2]) * 3;
      nearestOnTriangle(x, a, b, c, p, 0, out);
      if (out[3] > best[0] * (1 + SAME)) continue;
      this.#measureOver(a, b, c, p);
      const towards = this.#over[0];
      if (this.#isPassedOver()) continue;
      if (this.#found && out[3] > best[0] * (1 - SAME) && Math.abs(towards) <= Math.abs(best[1])) continue;
      this.#found = true;
      best[0] = Math.min(best[0], out[3]);
      best[1] = towards;
      for (let k = 0; k < 3; k++) {
        this.corner[k] = triangles[t * 3 + k];
        this.weight[k] = out[k];
        this.normal[k] = this.#n[k];
      }
    }
  }

  #isPassedOver(): boolean {
    if (this.#most === Number.POSITIVE_INFINITY) return false;
    const n = this.#n;
    const f = this.#facing;
    return n[0] * f[0] + n[1] * f[1] + n[2] * f[2] >= this.#most;
  }

  /** n = normal of a triangle; over = how far p is over its plane [m]. */
  #measureOver(a: number, b: number, c: number, p: Float64Array): void {
    const { x } = this.#soft;
    const n = this.#n;
    crossOf(x, a, b, c, n);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const scale = length > 0 ? 1 / length : 0;
    for (let k = 0; k < 3; k++) n[k] *= scale;
    this.#over[0] = n[0] * (p[0] - x[a]) + n[1] * (p[1] - x[a + 1]) + n[2] * (p[2] - x[a + 2]);
  }

  /** Signed distance and normal: the way to the surface where it is long enough to have a direction, else the triangle's own. */
  #direct(s: number, p: Float64Array): void {
    const { x, firstVertex } = this.#soft;
    const facing = this.#best[1];
    const length = Math.sqrt(this.#best[0]);
    const sign = facing < 0 ? -1 : 1;
    this.distance[0] = sign * length;
    // over a face the way is its normal; only beside it, and where it is more than rounding, the way says more
    if (length - Math.abs(facing) < 1e-6 * length || length < NO_WAY) return;
    const first = firstVertex[s];
    for (let k = 0; k < 3; k++) {
      let at = 0;
      for (let m = 0; m < 3; m++) at += this.weight[m] * x[(first + this.corner[m]) * 3 + k];
      this.normal[k] = (sign * (p[k] - at)) / length;
    }
  }

  #refresh(s: number): void {
    if (!this.#clusters.refresh(s)) return;
    const { x, firstVertex, models } = this.#soft;
    const { triangles } = models[s];
    const first = firstVertex[s];
    const normals = this.#vertexNormals;
    const n = this.#n;
    normals.fill(0, first * 3, firstVertex[s + 1] * 3);
    for (let i = 0; i < triangles.length; i += 3) {
      const a = (first + triangles[i]) * 3;
      const b = (first + triangles[i + 1]) * 3;
      const c = (first + triangles[i + 2]) * 3;
      crossOf(x, a, b, c, n);
      for (let k = 0; k < 3; k++) {
        normals[a + k] += n[k];
        normals[b + k] += n[k];
        normals[c + k] += n[k];
      }
    }
  }
}

/** n = (b − a) × (c − a), of points x[a..], x[b..], x[c..]. */
export function crossOf(x: Float64Array, a: number, b: number, c: number, n: Float64Array): void {
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  n[0] = uy * vz - uz * vy;
  n[1] = uz * vx - ux * vz;
  n[2] = ux * vy - uy * vx;
}

function boxDistanceSq(boxes: Float64Array, o: number, p: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const away = Math.max(boxes[o + k] - p[k], p[k] - boxes[o + 3 + k], 0);
    sum += away * away;
  }
  return sum;
}
