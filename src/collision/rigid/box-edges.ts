/**
 * Edges of two boxes across each other, exactly: of the 144 pairs the one that is deepest, among those whose nearest points lie between the ends of both and whose way leads
 * out of both boxes, or into both. Samples along edges miss what crosses between them.
 */
import type { RigidFrames } from './rigid-frames.js';

/** Edges of a box, and how deep they are found in another, as a share of the smaller box's least half side. */
export const BOX_EDGES = 12;
const DEEPEST = 0.5;
/** Share of an edge at its ends that is left to corners, and squared sine below which edges are parallel. */
const END = 1e-3;
const PARALLEL = 1e-4;
/** A shorter way has no direction, as a share of the smaller half side. */
const NO_WAY = 1e-6;

/** The crossing found last. */
export class BoxEdges {
  /** Which pair: edge of the first box times 12 plus edge of the second. */
  pair = -1;
  readonly gap = new Float64Array(1);
  /** Midway between the two edges, and from the second box to the first; world axes. */
  readonly point = new Float64Array(3);
  readonly normal = new Float64Array(3);
  /** Of the edge at hand of each box: middle, half of the edge, normals of the faces beside it. */
  readonly #first = new Float64Array(12);
  #second = new Float64Array(12);
  readonly #others = Array.from({ length: BOX_EDGES }, () => new Float64Array(12));
  readonly #way = new Float64Array(5);

  /** Looks for the deepest crossing nearer than `margin` [m] of boxes a and b; false where there is none. */
  find(
    rigid: RigidFrames,
    a: number,
    halfA: readonly number[],
    b: number,
    halfB: readonly number[],
    margin: number,
  ): boolean {
    const least = Math.min(halfA[0], halfA[1], halfA[2], halfB[0], halfB[1], halfB[2]);
    this.pair = -1;
    this.gap[0] = margin;
    for (let j = 0; j < BOX_EDGES; j++) placeEdge(rigid, b, halfB, j, this.#others[j]);
    for (let i = 0; i < BOX_EDGES; i++) {
      placeEdge(rigid, a, halfA, i, this.#first);
      for (let j = 0; j < BOX_EDGES; j++) {
        this.#second = this.#others[j];
        if (this.#cross()) this.#judge(i * BOX_EDGES + j, least);
      }
    }
    return this.pair >= 0;
  }

  /** way = how far along both edges (−1 to 1), and from the second to the first; false where they do not cross. */
  #cross(): boolean {
    const f = this.#first;
    const s = this.#second;
    let uu = 0;
    let vv = 0;
    let uv = 0;
    let uw = 0;
    let vw = 0;
    for (let k = 0; k < 3; k++) {
      const w = f[k] - s[k];
      uu += f[3 + k] * f[3 + k];
      vv += s[3 + k] * s[3 + k];
      uv += f[3 + k] * s[3 + k];
      uw += f[3 + k] * w;
      vw += s[3 + k] * w;
    }
    const det = uu * vv - uv * uv;
    if (!(det > PARALLEL * uu * vv)) return false;
    const p = (uv * vw - vv * uw) / det;
    const q = (uu * vw - uv * uw) / det;
    if (!(Math.abs(p) < 1 - END && Math.abs(q) < 1 - END)) return false;
    this.#way[0] = p;
    this.#way[1] = q;
    for (let k = 0; k < 3; k++) this.#way[2 + k] = f[k] - s[k] + p * f[3 + k] - q * s[3 + k];
    return true;
  }

  /** Takes the crossing at hand if it is one, and deeper than those before. */
  #judge(pair: number, least: number): void {
    const way = this.#way;
    const f = this.#first;
    const s = this.#second;
    const length = Math.sqrt(way[2] * way[2] + way[3] * way[3] + way[4] * way[4]);
    if (!(length > NO_WAY * least)) return;
    const side = sideOf(way, s, 1);
    if (side === 0 || side !== sideOf(way, f, -1)) return;
    const gap = side * length;
    if (gap >= this.gap[0] || gap < -DEEPEST * least) return;
    this.pair = pair;
    this.gap[0] = gap;
    for (let k = 0; k < 3; k++) {
      this.normal[k] = (side * way[2 + k]) / length;
      this.point[k] = 0.5 * (f[k] + way[0] * f[3 + k] + s[k] + way[1] * s[3 + k]);
    }
  }
}

/** 1 where sign times the way leads out past both faces beside an edge, -1 where it leads in past both, 0 else. */
function sideOf(way: Float64Array, edge: Float64Array, sign: number): number {
  const along = sign * (edge[6] * way[2] + edge[7] * way[3] + edge[8] * way[4]);
  const across = sign * (edge[9] * way[2] + edge[10] * way[3] + edge[11] * way[4]);
  return along > 0 && across > 0 ? 1 : along < 0 && across < 0 ? -1 : 0;
}

/** Edge n of a box: along axis n / 4, at the signs that the two lowest bits give for the other two axes. */
function placeEdge(
  { x, rotation }: RigidFrames,
  body: number,
  half: readonly number[],
  n: number,
  out: Float64Array,
): void {
  const axis = n >> 2;
  const p = (axis + 1) % 3;
  const q = (axis + 2) % 3;
  const sp = n & 1 ? 1 : -1;
  const sq = n & 2 ? 1 : -1;
  for (let k = 0; k < 3; k++) {
    const r = body * 9 + k * 3;
    out[k] = x[body * 3 + k] + sp * half[p] * rotation[r + p] + sq * half[q] * rotation[r + q];
    out[3 + k] = half[axis] * rotation[r + axis];
    out[6 + k] = sp * rotation[r + p];
    out[9 + k] = sq * rotation[r + q];
  }
}
