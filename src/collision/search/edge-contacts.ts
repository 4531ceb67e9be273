/**
 * Contacts between sharp edges of two bodies, which meet where no vertex is near: a wedge across a wedge, a bar on the rim of
 * a box. Only edges that are sharp and convex at rest are looked at; smooth skins have none, and their vertices are enough.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { ledOut } from './wall-search.js';

/** Edges meet as edges when the sine of the angle between them is at least this: vertices see to parallel ones. */
const CROSSING = 0.1;
/** Each edge must face the other's side by at least this cosine. */
const FACING = 0.1;
/**
 * How far beyond its end an edge still counts, as a share of its length: a corner just beside a triangle and just short of its edge
 * must not fall through between the two.
 */
const BEYOND = 0.01;
/** Depth, in margins, down to which edges that cross are taken for touching. */
const DEEP = 1.5;
/** Most pairs of edges tried in a step. */
const MOST_PAIRS = 400_000;

/** Finds contacts of edges; owns its scratch. */
export class EdgeContacts {
  /** Edges of the second body that can meet the first. */
  #near = new Int32Array(0);
  #budget = 0;
  readonly #normal = new Float64Array(3);
  /** Place along the two edges, 0 to 1. */
  readonly #along = new Float64Array(2);

  /** Makes room for the edges of a body. */
  prepare(body: SurfaceMotion): void {
    const count = body.surface.edges.length / 2;
    if (this.#near.length < count) this.#near = new Int32Array(count);
  }

  /** A new step begins. */
  begin(): void {
    this.#budget = MOST_PAIRS;
  }

  /** Adds contacts of the edges of body `a` with those of body `b`, another one. `h`: step [s]; `pull`: see SurfaceContacts. */
  find(
    first: SurfaceMotion,
    a: number,
    second: SurfaceMotion,
    b: number,
    h: number,
    pull: number,
    out: ContactBuffer,
  ): void {
    const margin = Math.max(first.margin, second.margin);
    const push = Math.max(first.pushSpeed, second.pushSpeed);
    const reach = margin + h * (first.spread + second.spread + relativeSpeed(first, second) + push + h * pull);
    let count = 0;
    for (let e = 0; e < second.surface.edges.length / 2; e++) {
      if (isNearBox(second, e, first.box, reach)) this.#near[count++] = e;
    }
    for (let e = 0; count > 0 && e < first.surface.edges.length / 2; e++) {
      if (!isNearBox(first, e, second.box, reach)) continue;
      if (this.#budget < 0) {
        out.unswept++;
        continue;
      }
      this.#budget -= count;
      for (let n = 0; n < count; n++) this.#try(first, a, e, second, b, this.#near[n], h, pull, out);
    }
  }

  #try(
    first: SurfaceMotion,
    a: number,
    e: number,
    second: SurfaceMotion,
    b: number,
    f: number,
    h: number,
    pull: number,
    out: ContactBuffer,
  ): void {
    if (!this.#cross(first, e, second, f)) return;
    const normal = this.#normal;
    let facingFirst = 0;
    let facingSecond = 0;
    for (let k = 0; k < 3; k++) {
      facingFirst += normal[k] * edgeNormal(first, e, k);
      facingSecond += normal[k] * edgeNormal(second, f, k);
    }
    // the normal points from the second body to the first
    const sign = facingSecond - facingFirst > 0 ? 1 : -1;
    if (sign * facingSecond < FACING || sign * facingFirst > -FACING) return;
    let gap = 0;
    let closing = 0;
    let pushed = 0;
    let pushedBack = 0;
    for (let k = 0; k < 3; k++) {
      normal[k] *= sign;
      const apart =
        at(first, first.positions, e, this.#along[0], k) - at(second, second.positions, f, this.#along[1], k);
      gap += normal[k] * apart;
      const v = at(first, first.velocities, e, this.#along[0], k) - at(second, second.velocities, f, this.#along[1], k);
      closing -= normal[k] * v;
      pushed -= normal[k] * first.push[k];
      pushedBack += normal[k] * second.push[k];
    }
    closing += Math.max(0, pushed, pushedBack);
    const margin = Math.max(first.margin, second.margin);
    // deeper than that, two edges that pass each other inside the bodies look the same
    if (gap < -DEEP * margin || gap > margin + h * (Math.max(0, closing) + h * pull)) return;
    this.#add(first, a, e, second, b, f, gap, out);
  }

  /** Where two edges are nearest to each other and the direction across both; false where that is not within both. */
  #cross(first: SurfaceMotion, e: number, second: SurfaceMotion, f: number): boolean {
    const p = first.positions;
    const q = second.positions;
    const a = first.surface.edges[e * 2] * 3;
    const b = first.surface.edges[e * 2 + 1] * 3;
    const c = second.surface.edges[f * 2] * 3;
    const d = second.surface.edges[f * 2 + 1] * 3;
    let uu = 0;
    let vv = 0;
    let uv = 0;
    let uw = 0;
    let vw = 0;
    for (let k = 0; k < 3; k++) {
      const u = p[b + k] - p[a + k];
      const v = q[d + k] - q[c + k];
      const w = p[a + k] - q[c + k];
      uu += u * u;
      vv += v * v;
      uv += u * v;
      uw += u * w;
      vw += v * w;
    }
    const determinant = uu * vv - uv * uv;
    if (!(determinant > CROSSING * CROSSING * uu * vv)) return false;
    const s = (uv * vw - vv * uw) / determinant;
    const t = (uu * vw - uv * uw) / determinant;
    if (!(s > -BEYOND && s < 1 + BEYOND && t > -BEYOND && t < 1 + BEYOND)) return false;
    this.#along[0] = Math.max(0, Math.min(1, s));
    this.#along[1] = Math.max(0, Math.min(1, t));
    const scale = 1 / Math.sqrt(determinant);
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3;
      const j = (k + 2) % 3;
      this.#normal[k] =
        scale * ((p[b + i] - p[a + i]) * (q[d + j] - q[c + j]) - (p[b + j] - p[a + j]) * (q[d + i] - q[c + i]));
    }
    return true;
  }

  #add(
    first: SurfaceMotion,
    a: number,
    e: number,
    second: SurfaceMotion,
    b: number,
    f: number,
    gap: number,
    out: ContactBuffer,
  ): void {
    // a name for the pair of edges, below the names of vertices
    const c = out.add(a, -1 - (e * (second.surface.edges.length / 2) + f), b, -1);
    if (c < 0) return;
    const s = this.#along[0];
    const t = this.#along[1];
    out.setVertex(c, 0, 0, first.surface.edges[e * 2], 1 - s);
    out.setVertex(c, 0, 1, first.surface.edges[e * 2 + 1], s);
    out.setVertex(c, 1, 0, second.surface.edges[f * 2], 1 - t);
    out.setVertex(c, 1, 1, second.surface.edges[f * 2 + 1], t);
    out.friction[c] = Math.sqrt(first.friction * second.friction);
    out.gap[c] = gap;
    out.offset[c] = ledOut(gap, Math.max(first.margin, second.margin));
    for (let k = 0; k < 3; k++) {
      out.normal[c * 3 + k] = this.#normal[k];
      out.stuck[c * 3 + k] = at(first, first.positions, e, s, k) - at(second, second.positions, f, t, k);
    }
  }
}

/** Coordinate k of a quantity at a place along an edge. */
function at({ surface }: SurfaceMotion, values: Float64Array, e: number, along: number, k: number): number {
  const a = surface.edges[e * 2] * 3 + k;
  const b = surface.edges[e * 2 + 1] * 3 + k;
  return (1 - along) * values[a] + along * values[b];
}

/** Coordinate k of the mean normal of the triangles beside an edge. */
function edgeNormal({ surface, normals }: SurfaceMotion, e: number, k: number): number {
  const { edgeTriangles } = surface;
  return 0.5 * (normals[edgeTriangles[e * 2] * 3 + k] + normals[edgeTriangles[e * 2 + 1] * 3 + k]);
}

/** Whether an edge comes within `reach` of a box. */
function isNearBox({ surface, positions }: SurfaceMotion, e: number, box: Float64Array, reach: number): boolean {
  const a = surface.edges[e * 2] * 3;
  const b = surface.edges[e * 2 + 1] * 3;
  for (let k = 0; k < 3; k++) {
    if (Math.max(positions[a + k], positions[b + k]) < box[k] - reach) return false;
    if (Math.min(positions[a + k], positions[b + k]) > box[3 + k] + reach) return false;
  }
  return true;
}

function relativeSpeed(a: SurfaceMotion, b: SurfaceMotion): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (a.velocity[k] - b.velocity[k]) * (a.velocity[k] - b.velocity[k]);
  return Math.sqrt(sum);
}
