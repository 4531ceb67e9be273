/** Triangle surfaces as they come out of files: welded where corners coincide, split into pieces, turned outward. */

import { DisjointSets } from '../disjoint-sets.js';
import { largestExtent } from '../tets/tet-mesh.js';
import { doubleArea, sixVolume } from './triangle-algebra.js';
import { WeldCells } from './weld-cells.js';

/** A triangle surface, closed or not. */
export interface TriangleMesh {
  /** x,y,z per vertex [m]. */
  readonly positions: Float64Array;
  /** Three vertices each, seen counter-clockwise from outside. */
  readonly triangles: Int32Array;
}

/** A welded surface and where the given vertices went. */
export interface WeldedMesh extends TriangleMesh {
  /** Welded vertex of each given one. */
  readonly vertexOf: Int32Array;
}

/** Corners nearer than this share of the size are one vertex: exporters write copies with the same bits or nearly so. */
const WELD_SHARE = 1e-6;

/** Makes one vertex of coinciding ones; triangles that lose their area by it are left out. */
export function weldVertices(positions: ArrayLike<number>, triangles: ArrayLike<number>): WeldedMesh {
  const count = positions.length / 3;
  const cells = new WeldCells(count, Math.max(largestExtent(positions) * WELD_SHARE, Number.MIN_VALUE));
  const vertexOf = new Int32Array(count);
  for (let v = 0; v < count; v++) {
    vertexOf[v] = cells.find(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  }
  const sides: number[] = [];
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const a = vertexOf[triangles[t]];
    const b = vertexOf[triangles[t + 1]];
    const c = vertexOf[triangles[t + 2]];
    if (a !== b && b !== c && c !== a) sides.push(a, b, c);
  }
  return { positions: cells.positions(), triangles: Int32Array.from(sides), vertexOf };
}

/** How many directed edges lack their twin: 0 for a closed surface. */
export function countOpenEdges({ positions, triangles }: TriangleMesh): number {
  const vertexCount = positions.length / 3;
  const balance = new Map<number, number>();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  let open = 0;
  for (const value of balance.values()) open += Math.abs(value);
  return open;
}

/** A copy in which every piece that encloses a negative volume is turned inside out, and how many were. */
export function turnOutward(mesh: TriangleMesh): { mesh: TriangleMesh; turned: number } {
  const { positions, triangles } = mesh;
  const { volumes, pieceOf } = measurePieces(mesh);
  const outward = triangles.slice();
  for (let t = 0; t < triangles.length; t += 3) {
    if (volumes.get(pieceOf(triangles[t]))! >= 0) continue;
    outward[t + 1] = triangles[t + 2];
    outward[t + 2] = triangles[t + 1];
  }
  const turned = [...volumes.values()].filter((value) => value < 0).length;
  return { mesh: { positions, triangles: outward }, turned };
}

/** Twice the volume over the area [m]: how thick a plate of the same volume and area is. 0 for a flat sheet. */
export function meanThickness(mesh: TriangleMesh): number {
  let area = 0;
  const { positions, triangles } = mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    area += doubleArea(positions, triangles[t], triangles[t + 1], triangles[t + 2]) / 2;
  }
  let volume = 0;
  for (const piece of measurePieces(mesh).volumes.values()) volume += Math.abs(piece);
  return area > 0 ? (2 * volume) / area : 0;
}

/** Volume that each piece encloses [m^3], about a point of its own, so that an open piece is judged by its shape. */
function measurePieces({ positions: p, triangles }: TriangleMesh): {
  volumes: Map<number, number>;
  pieceOf: (vertex: number) => number;
} {
  const pieces = new DisjointSets(p.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    pieces.unite(triangles[t], triangles[t + 1]);
    pieces.unite(triangles[t], triangles[t + 2]);
  }
  const volumes = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    const root = pieces.find(triangles[t]);
    const six = sixVolume(p, root, triangles[t], triangles[t + 1], triangles[t + 2]);
    volumes.set(root, (volumes.get(root) ?? 0) + six / 6);
  }
  return { volumes, pieceOf: (vertex) => pieces.find(vertex) };
}
