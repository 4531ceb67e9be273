/**
 * What keeps a triangle surface from being the boundary of a solid, triangle by triangle: no area, repeated, at an open edge, at an
 * edge of three or more, or facing the other way than its neighbours. Called when a character is built.
 */

import { square } from '../../math/powers.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Triangles with each fault, ascending. All empty: closed, and each piece faces one way. */
export interface SurfaceFaults {
  /** Without area, or with a corner twice. */
  readonly flat: readonly number[];
  /** With the same corners as an earlier one, whichever way round. */
  readonly repeated: readonly number[];
  /** With an edge that no other triangle has. */
  readonly open: readonly number[];
  /** With an edge that more than two triangles have. */
  readonly crowded: readonly number[];
  /** Facing the other way than most of the piece they belong to. */
  readonly flipped: readonly number[];
}

/** Height over the longest side below which a triangle has no area to speak of. */
const FLAT_RATIO = 1e-9;

/** Looks for faults. Corners at the same place must be one vertex (`weldVertices`). */
export function findSurfaceFaults(mesh: TriangleMesh): SurfaceFaults {
  const count = mesh.triangles.length / 3;
  const flat: number[] = [];
  const repeated: number[] = [];
  const known = new Set<string>();
  const sound: number[] = [];
  for (let t = 0; t < count; t++) {
    const corners = [...mesh.triangles.subarray(3 * t, 3 * t + 3)];
    if (isFlat(mesh, corners)) flat.push(t);
    const key = corners.sort((a, b) => a - b).join();
    if (known.has(key)) {
      repeated.push(t);
      continue;
    }
    known.add(key);
    sound.push(t);
  }
  const edges = listEdgeUses(mesh, sound);
  const open = new Set<number>();
  const crowded = new Set<number>();
  const links = new Map<number, { other: number; same: boolean }[]>();
  for (const uses of edges.values()) {
    if (uses.length === 1) open.add(uses[0].triangle);
    if (uses.length > 2) for (const { triangle } of uses) crowded.add(triangle);
    if (uses.length !== 2) continue;
    const same = uses[0].forward !== uses[1].forward;
    pushTo(links, uses[0].triangle, { other: uses[1].triangle, same });
    pushTo(links, uses[1].triangle, { other: uses[0].triangle, same });
  }
  return {
    flat,
    repeated,
    open: ascending(open),
    crowded: ascending(crowded),
    flipped: findFlipped(mesh, sound, links),
  };
}

function isFlat({ positions: p }: TriangleMesh, [i, j, k]: readonly number[]): boolean {
  const edge = (a: number, b: number) => [0, 1, 2].map((n) => p[3 * b + n] - p[3 * a + n]);
  const [u, v, w] = [edge(i, j), edge(i, k), edge(j, k)];
  const longestSq = Math.max(...[u, v, w].map((e) => square(e[0]) + square(e[1]) + square(e[2])));
  return !(twiceArea(u, v) > FLAT_RATIO * longestSq);
}

function twiceArea(u: readonly number[], v: readonly number[]): number {
  return Math.sqrt(
    square(u[1] * v[2] - u[2] * v[1]) + square(u[2] * v[0] - u[0] * v[2]) + square(u[0] * v[1] - u[1] * v[0]),
  );
}

interface EdgeUse {
  readonly triangle: number;
  /** From the lower vertex to the higher. */
  readonly forward: boolean;
}

function listEdgeUses({ positions, triangles }: TriangleMesh, members: readonly number[]): Map<number, EdgeUse[]> {
  const vertexCount = positions.length / 3;
  const edges = new Map<number, EdgeUse[]>();
  for (const triangle of members) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[3 * triangle + k];
      const b = triangles[3 * triangle + ((k + 1) % 3)];
      if (a === b) continue;
      pushTo(edges, Math.min(a, b) * vertexCount + Math.max(a, b), { triangle, forward: a < b });
    }
  }
  return edges;
}

/** Gives every piece two sides, going from neighbour to neighbour, and names the smaller one by area. */
function findFlipped(
  mesh: TriangleMesh,
  members: readonly number[],
  links: ReadonlyMap<number, readonly { other: number; same: boolean }[]>,
): number[] {
  const sideOf = new Int8Array(mesh.triangles.length / 3);
  const flipped: number[] = [];
  for (const start of members) {
    if (sideOf[start] !== 0) continue;
    sideOf[start] = 1;
    const piece = [start];
    for (let n = 0; n < piece.length; n++) {
      for (const { other, same } of links.get(piece[n]) ?? []) {
        if (sideOf[other] !== 0) continue;
        sideOf[other] = same ? sideOf[piece[n]] : -sideOf[piece[n]];
        piece.push(other);
      }
    }
    const balance = piece.reduce((sum, t) => sum + sideOf[t] * areaOf(mesh, t), 0);
    const lesser = balance >= 0 ? -1 : 1;
    flipped.push(...piece.filter((t) => sideOf[t] === lesser));
  }
  return flipped.sort((a, b) => a - b);
}

function areaOf({ positions: p, triangles }: TriangleMesh, t: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
  const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
  const v = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
  return twiceArea(u, v);
}

function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function ascending(set: ReadonlySet<number>): number[] {
  return [...set].sort((a, b) => a - b);
}
