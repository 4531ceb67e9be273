/**
 * Points of a skin that stand for it where a body touches itself: one per cell that the skin passes through, each with the
 * normal of its triangle at rest [McAdams2011 §6]. Cells near the skin know the points nearest to them. Built once per body.
 */
import { square } from '../../../math/powers.js';
import { groupByKey } from '../../../mesh/group-by-key.js';
import { facePairsOf } from '../../../mesh/hexes/cell-neighbours.js';
import { embedInCells, type HexEmbedding } from '../../../mesh/hexes/hex-embedding.js';
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';

/** A skin over a lattice. */
export interface CarriedSkin {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  /** Cell of each vertex. */
  readonly cells: ArrayLike<number>;
}

/** The points. */
export interface SkinProxies {
  readonly embedding: HexEmbedding;
  /** Rest place and outward normal of each, 3 numbers. */
  readonly places: Float64Array;
  readonly normals: Float64Array;
  /** Cells near the skin, and the points near each: `near[nearStart[n]..nearStart[n + 1])` for cell `cells[n]`. */
  readonly cells: Int32Array;
  readonly nearStart: Int32Array;
  readonly near: Int32Array;
}

/** Rings of neighbours around a cell of the skin that count as near to it, and points that a cell keeps. */
const RINGS = 2;
const MOST_NEAR = 6;
/** Parts of a triangle's side, at most, that it is sampled in. */
const MOST_PARTS = 64;

/** Finds the points. */
export function findProxies(lattice: HexLattice, skin: CarriedSkin): SkinProxies {
  const pairs = facePairsOf(lattice);
  const { points, normals, starts } = sampleTriangles(lattice.cellSize, skin);
  const { cells } = embedInCells(lattice, pairs, points, starts);
  const chosen = chooseByCell(lattice, points, cells);
  const pick = (list: ArrayLike<number>): Float64Array =>
    Float64Array.from({ length: 3 * chosen.length }, (_, i) => list[3 * chosen[Math.floor(i / 3)] + (i % 3)]);
  const places = pick(points);
  const embedding = embedInCells(
    lattice,
    pairs,
    places,
    chosen.map((sample) => cells[sample]),
  );
  return { embedding, places, normals: pick(normals), ...spreadPoints(lattice, pairs, places, embedding.cells) };
}

/** Points on every triangle, no farther apart than a cell; one at least. */
function sampleTriangles(spacing: number, { positions: p, triangles, cells }: CarriedSkin) {
  const [points, normals, starts]: number[][] = [[], [], []];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
    const v = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(square(n[0]) + square(n[1]) + square(n[2]));
    if (!(length > 0)) continue;
    const longest = Math.sqrt(Math.max(sizeSq(u), sizeSq(v), sizeSq([u[0] - v[0], u[1] - v[1], u[2] - v[2]])));
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(longest / spacing)));
    for (let i = 0; i < parts; i++) {
      for (let j = 0; i + j < parts; j++) {
        const [s, w] = [(i + 1 / 3) / parts, (j + 1 / 3) / parts];
        for (let k = 0; k < 3; k++) {
          points.push(p[3 * a + k] + s * u[k] + w * v[k]);
          normals.push(n[k] / length);
        }
        starts.push(cells[s > w ? b : w > 1 / 3 ? c : a]);
      }
    }
  }
  return { points, normals, starts };
}

function sizeSq(v: readonly number[]): number {
  return square(v[0]) + square(v[1]) + square(v[2]);
}

/** Of the points in each cell the one nearest to its middle. */
function chooseByCell(
  { cells, origin, cellSize }: HexLattice,
  points: readonly number[],
  cellOf: Int32Array,
): number[] {
  const best = new Map<number, { sample: number; away: number }>();
  cellOf.forEach((cell, sample) => {
    let away = 0;
    for (let k = 0; k < 3; k++) {
      away += square(points[3 * sample + k] - origin[k] - (cells[3 * cell + k] + 0.5) * cellSize);
    }
    const known = best.get(cell);
    if (known === undefined || away < known.away) best.set(cell, { sample, away });
  });
  return [...best.values()].map(({ sample }) => sample).sort((a, b) => a - b);
}

/** Carries every point to the cells around its own, through faces; each cell keeps the nearest. */
function spreadPoints(lattice: HexLattice, pairs: Int32Array, places: Float64Array, cellOf: Int32Array) {
  const neighbours = groupByKey(pairs, lattice.cells.length / 3);
  const found = new Map<number, number[]>();
  cellOf.forEach((start, point) => {
    let edge = [start];
    const seen = new Set(edge);
    for (let ring = 0; ring <= RINGS; ring++) {
      const next: number[] = [];
      for (const cell of edge) {
        const list = found.get(cell) ?? [];
        list.push(point);
        found.set(cell, list);
        for (let n = neighbours.starts[cell]; n < neighbours.starts[cell + 1]; n++) {
          const other = pairs[neighbours.items[n] ^ 1];
          if (!seen.has(other)) next.push(other);
          seen.add(other);
        }
      }
      edge = next;
    }
  });
  const cells = [...found.keys()].sort((a, b) => a - b);
  const nearStart = new Int32Array(cells.length + 1);
  const near: number[] = [];
  cells.forEach((cell, i) => {
    const away = (point: number): number => {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        sum += square(
          places[3 * point + k] - lattice.origin[k] - (lattice.cells[3 * cell + k] + 0.5) * lattice.cellSize,
        );
      }
      return sum;
    };
    const sorted = [...found.get(cell)!].sort((a, b) => away(a) - away(b) || a - b);
    near.push(...sorted.slice(0, MOST_NEAR));
    nearStart[i + 1] = near.length;
  });
  return { cells: Int32Array.from(cells), nearStart, near: Int32Array.from(near) };
}
