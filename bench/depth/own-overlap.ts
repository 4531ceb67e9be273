/**
 * How deep a body is in itself, measured apart from the contacts found: surface vertices in tets they are no corner of, and their way to the nearest triangle they are
 * no corner of. Written without anything the search for contacts uses.
 */
import type { WorldBody } from '../../src/index.js';
import { trianglesOf } from './body-triangles.js';
import { boxOf, TetGrid } from './tet-grid.js';

type Point = readonly [number, number, number];

/** Deepest vertex whose own tets are all right side out, and deepest one of flesh that is inside out, for which the way back counts too [m]. */
export function ownOverlap({ model, state: { positions: x } }: WorldBody): { crease: number; turned: number } {
  const { tets } = model;
  const triangles = trianglesOf(model);
  const at = (v: number): Point => [x[v * 3], x[v * 3 + 1], x[v * 3 + 2]];
  const cornersOf = (t: number) => [at(tets[t]), at(tets[t + 1]), at(tets[t + 2]), at(tets[t + 3])];
  const backOf = waysBack(tets, cornersOf);
  const grid = new TetGrid(tets, x, boxOf(x));
  const result = { crease: 0, turned: 0 };
  for (const v of new Set(triangles)) {
    const p = at(v);
    const isInside = grid.around(p).some((t) => !hasCorner(tets, t, v) && isBetween(p, cornersOf(t)));
    if (!isInside) continue;
    let out = Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      if (a !== v && b !== v && c !== v) out = Math.min(out, distance(p, at(a), at(b), at(c)));
    }
    const back = backOf.get(v);
    if (back === undefined) result.crease = Math.max(result.crease, out);
    else result.turned = Math.max(result.turned, Math.min(out, back));
  }
  return result;
}

/** Longest way of each corner of a tet that is inside out back through the face opposite to it. */
function waysBack(tets: Int32Array, cornersOf: (t: number) => readonly Point[]): Map<number, number> {
  const ways = new Map<number, number>();
  for (let t = 0; t < tets.length; t += 4) {
    const corners = cornersOf(t);
    if (!(volume(corners[0], corners[1], corners[2], corners[3]) < 0)) continue;
    for (let k = 0; k < 4; k++) ways.set(tets[t + k], Math.max(ways.get(tets[t + k]) ?? 0, height(corners, k)));
  }
  return ways;
}

function hasCorner(tets: Int32Array, t: number, v: number): boolean {
  return tets[t] === v || tets[t + 1] === v || tets[t + 2] === v || tets[t + 3] === v;
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Six times the signed volume of a tet. */
function volume(a: Point, b: Point, c: Point, d: Point): number {
  return dot(cross(minus(b, a), minus(c, a)), minus(d, a));
}

/** Whether a tet that is right side out holds a point. */
function isBetween(p: Point, corners: readonly Point[]): boolean {
  for (let k = 0; k < 3; k++) {
    if (corners.every((corner) => corner[k] < p[k]) || corners.every((corner) => corner[k] > p[k])) return false;
  }
  const [a, b, c, d] = corners;
  return volume(p, b, c, d) > 0 && volume(a, p, c, d) > 0 && volume(a, b, p, d) > 0 && volume(a, b, c, p) > 0;
}

/** Distance of a corner of a tet from the plane of the other three. */
function height(corners: readonly Point[], k: number): number {
  const [a, b, c] = corners.filter((_, i) => i !== k);
  const n = cross(minus(b, a), minus(c, a));
  return Math.abs(dot(n, minus(corners[k], a))) / Math.hypot(...n);
}

/** Distance of a point from a triangle: from its plane over the face, else from its sides. */
function distance(p: Point, a: Point, b: Point, c: Point): number {
  const n = cross(minus(b, a), minus(c, a));
  const sides = [
    [a, b],
    [b, c],
    [c, a],
  ] as const;
  if (sides.every(([from, to]) => dot(cross(minus(to, from), minus(p, from)), n) >= 0)) {
    return Math.abs(dot(minus(p, a), n)) / Math.hypot(...n);
  }
  return Math.min(
    ...sides.map(([from, to]) => {
      const along = minus(to, from);
      const share = Math.min(1, Math.max(0, dot(minus(p, from), along) / dot(along, along)));
      return Math.hypot(...[0, 1, 2].map((k) => p[k] - from[k] - share * along[k]));
    }),
  );
}
