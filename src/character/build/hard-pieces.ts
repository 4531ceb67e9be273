/**
 * Hard parts: pieces of the skin, connected to nothing else, all of whose vertices follow one bone (armour, machine parts,
 * glasses, eyes). They are carried by that bone itself, wherever the flesh around it goes.
 */
import type { Embedding } from '../../mesh/embedding.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';
import { listPieces } from './bones/split-bones.js';

/** Weight of a bone that makes a vertex all its own: what exporters leave of 1. */
const WHOLE = 0.98;

/** The bone each vertex of the skin is rigid with, -1 for flesh. `shareOf(v)`: the strongest bone of a vertex and its weight. */
export function findHardPieces(
  skin: TriangleMesh,
  shareOf: (vertex: number) => readonly [bone: number, weight: number],
): { readonly boneOf: Int32Array; readonly count: number } {
  const boneOf = new Int32Array(skin.positions.length / 3).fill(-1);
  const itself = Int32Array.from(boneOf, (_, v) => v);
  const pieces = listPieces(itself, skin.triangles);
  let count = 0;
  for (const facets of pieces) {
    const corners = Array.from(facets).flatMap((t) => Array.from(skin.triangles.subarray(3 * t, 3 * t + 3)));
    const [bone] = shareOf(corners[0]);
    const hard = corners.every((v) => {
      const [own, weight] = shareOf(v);
      return own === bone && weight >= WHOLE;
    });
    if (!hard) continue;
    count++;
    for (const v of corners) boneOf[v] = bone;
  }
  // a body in one piece is no armour, whatever its weights say
  if (count === pieces.length && count <= 1) return { boneOf: boneOf.fill(-1), count: 0 };
  return { boneOf, count };
}

/** Binds hard vertices to four vertices of their bone, as far apart as may be; `boneOf`: as found, for each point. */
export function bindHard(
  embedding: Embedding,
  mesh: TetMesh,
  points: Float32Array,
  boneOf: Int32Array,
  bones: readonly { readonly vertices: ArrayLike<number> }[],
): void {
  const frames = bones.map(({ vertices }) => spanOf(mesh.positions, vertices));
  for (let v = 0; v < boneOf.length; v++) {
    const frame = boneOf[v] < 0 ? undefined : frames[boneOf[v]];
    if (frame === undefined) continue;
    const weights = weightsIn(mesh.positions, frame, points, 3 * v);
    embedding.corners.set(frame, 4 * v);
    embedding.weights.set(weights, 4 * v);
  }
}

/** Four vertices that span as large a tetrahedron as greedy choice finds. */
function spanOf(p: Float64Array, vertices: ArrayLike<number>): [number, number, number, number] {
  const all = Array.from(vertices);
  const best = (measure: (v: number) => number): number =>
    all.reduce((top, v) => (measure(v) > measure(top) ? v : top), all[0]);
  const a = best((v) => lengthSq(minus(p, v, all[0])));
  const b = best((v) => lengthSq(minus(p, v, a)));
  const c = best((v) => lengthSq(cross(minus(p, b, a), minus(p, v, a))));
  const normal = cross(minus(p, b, a), minus(p, c, a));
  const d = best((v) => Math.abs(dot(normal, minus(p, v, a))));
  return [a, b, c, d];
}

/** Weights of the four vertices that add up to 1 and give the point. */
function weightsIn(p: Float64Array, [a, b, c, d]: readonly number[], points: Float32Array, i: number): number[] {
  const [u, v, w] = [minus(p, b, a), minus(p, c, a), minus(p, d, a)];
  const r = [0, 1, 2].map((k) => points[i + k] - p[3 * a + k]);
  const volume = dot(u, cross(v, w));
  const weights = [dot(r, cross(v, w)) / volume, dot(u, cross(r, w)) / volume, dot(u, cross(v, r)) / volume];
  return [1 - weights[0] - weights[1] - weights[2], ...weights];
}

function minus(p: Float64Array, a: number, b: number): number[] {
  return [0, 1, 2].map((k) => p[3 * a + k] - p[3 * b + k]);
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function lengthSq(a: readonly number[]): number {
  return dot(a, a);
}
