/**
 * The solid inside a skin as a graph: grid points inside it, joined to their neighbours unless there is air between them
 * or the skin of another part of the body. Parts thinner than the grid keep the points next to them. What the lattice
 * mesher cuts its cells by.
 */

import { markThin } from './surface/thin-skin.js';
import type { TriangleMesh } from './surface/triangle-mesh.js';
import { WindingTree } from './surface/winding-number.js';
import { findGridCrossings, type GridCrossings, type SampleGrid } from './tets/grid-crossings.js';

/** Which parts of the body the skin belongs to. */
export interface SkinParts {
  /** Part of each triangle. */
  readonly ofTriangle: Int32Array;
  /** How many joints lie between two parts: 0 for the same part, 1 for neighbours. */
  readonly distance: (a: number, b: number) => number;
}

/** Inside points and what connects them. */
export interface SolidSamples {
  readonly grid: SampleGrid;
  readonly count: number;
  /** Grid point of each sample, ascending. */
  readonly points: Int32Array;
  /** Part of the body each is nearest to, along the inside; 0 where there are no parts. */
  readonly parts: Int32Array;
  /** Pairs of samples that are connected. */
  readonly edges: Int32Array;
  /** A sample just inside each triangle, -1 where the triangle slips between the grid lines. */
  readonly sampleOfTriangle: Int32Array;
}

/** Points on both sides of a hole see about half a turn of skin; what is nearer to that is looked at point by point. */
const SURELY_OUT = 0.2;
const SURELY_IN = 0.8;
/** Points along the side of a block that is decided at once where no skin is in it. */
const BLOCK = 4;
/** Points a measured winding is carried on to where no skin is in between; measuring all took three times as long. */
const MAX_COPIES = 2;

/** Windings of all grid points, and the crossings they came with. */
export interface SolidField {
  readonly grid: SampleGrid;
  readonly crossings: GridCrossings;
  /** Times the skin goes around each point, rounded. */
  readonly windings: Int8Array;
  /** 1 for points inside, 2 for those next to skin that has no point inside it. */
  readonly inside: Uint8Array;
  /** The latter, and the triangle that asked for each. */
  readonly thinPoints: readonly number[];
  readonly thinTriangles: readonly number[];
}

/** Which grid points are inside. `closed`: the surface has no open edge, so counting crossings is enough. */
export function sampleField(grid: SampleGrid, mesh: TriangleMesh, closed: boolean): SolidField {
  const crossings = findGridCrossings(grid, mesh);
  const windings = closed ? countWindings(grid, crossings) : measureWindings(grid, crossings, mesh);
  const inside = new Uint8Array(windings.length);
  for (let i = 0; i < inside.length; i++) inside[i] = windings[i] > 0 ? 1 : 0;
  return { grid, crossings, windings, inside, ...markThin(grid, mesh, inside) };
}

/** The graph of the inside points. */
export function connectSamples(field: SolidField, triangleCount: number, skinParts?: SkinParts): SolidSamples {
  const { grid, crossings, windings, inside } = field;
  const points: number[] = [];
  const sampleOf = new Int32Array(inside.length).fill(-1);
  for (let i = 0; i < inside.length; i++) {
    if (inside[i] === 0) continue;
    sampleOf[i] = points.length;
    points.push(i);
  }
  const parts = new Int32Array(points.length).fill(skinParts === undefined ? 0 : -1);
  if (skinParts !== undefined) findParts({ field, sampleOf, points, parts, skinParts });
  const steps = [1, grid.counts[0], grid.counts[0] * grid.counts[1]];
  const edges: number[] = [];
  for (let s = 0; s < points.length; s++) {
    for (let axis = 0; axis < 3; axis++) {
      const other = points[s] + steps[axis];
      const t = other < sampleOf.length ? sampleOf[other] : -1;
      if (t < 0) continue;
      const first = crossings.firstOf.get(3 * points[s] + axis);
      const apart = skinParts === undefined ? 0 : skinParts.distance(parts[s], parts[t]);
      const thin = inside[points[s]] === 2 || inside[other] === 2;
      if (thin) {
        if (apart <= 1) edges.push(s, t);
        continue;
      }
      if (first !== undefined && passesAir(crossings, first, windings[points[s]])) continue;
      const overlapped = first !== undefined || windings[points[s]] > 1 || windings[other] > 1;
      if (apart < 2 || !overlapped) edges.push(s, t);
    }
  }
  return {
    grid,
    count: points.length,
    points: Int32Array.from(points),
    parts,
    edges: Int32Array.from(edges),
    sampleOfTriangle: samplesOfTriangles({ field, sampleOf }, triangleCount),
  };
}

/** True where a walk along the edge, from a point of this winding, leaves the solid on its way. */
function passesAir(crossings: GridCrossings, first: number, winding: number): boolean {
  let around = winding;
  for (let n = first; n < crossings.count && crossings.edges[n] === crossings.edges[first]; n++) {
    around += crossings.signs[n];
    if (around <= 0) return true;
  }
  return false;
}

/** Windings by adding up the crossings along the lines of the first axis. */
function countWindings(grid: SampleGrid, crossings: GridCrossings): Int8Array {
  const [nx] = grid.counts;
  const windings = new Int8Array(grid.counts[0] * grid.counts[1] * grid.counts[2]);
  for (let n = 0; n < crossings.count; n++) {
    if (crossings.edges[n] % 3 !== 0) continue;
    windings[crossings.edges[n] / 3 + 1] += crossings.signs[n];
  }
  for (let row = 0; row < windings.length; row += nx) {
    for (let i = 1; i < nx; i++) windings[row + i] += windings[row + i - 1];
  }
  return windings;
}

/** Windings by solid angles, block by block: one query where a block is far from the skin and clear of holes. */
function measureWindings(grid: SampleGrid, crossings: GridCrossings, mesh: TriangleMesh): Int8Array {
  const { counts, spacing, origin } = grid;
  const [nx, ny, nz] = counts;
  const tree = new WindingTree(mesh);
  const blocks = counts.map((count) => Math.ceil(count / BLOCK));
  const touched = new Uint8Array(blocks[0] * blocks[1] * blocks[2]);
  const steps = [1, nx, nx * ny];
  const blockOf = (point: number): number => {
    const i = Math.floor((point % nx) / BLOCK);
    const j = Math.floor((Math.floor(point / nx) % ny) / BLOCK);
    return i + blocks[0] * (j + blocks[1] * Math.floor(Math.floor(point / (nx * ny)) / BLOCK));
  };
  for (let n = 0; n < crossings.count; n++) {
    const axis = crossings.edges[n] % 3;
    const low = (crossings.edges[n] - axis) / 3;
    touched[blockOf(low)] = 1;
    touched[blockOf(low + steps[axis])] = 1;
  }
  const windings = new Int8Array(nx * ny * nz);
  // How many steps a point is away from one that was measured and clear; 0 where it is not known to be clear.
  const steadiness = new Uint8Array(nx * ny * nz);
  const at = (i: number, j: number, k: number): number =>
    tree.at(origin[0] + i * spacing, origin[1] + j * spacing, origin[2] + k * spacing);
  const isClear = (winding: number): boolean => !(winding > SURELY_OUT && winding < SURELY_IN);
  const copyNeighbour = (point: number): boolean => {
    for (let axis = 0; axis < 3; axis++) {
      const other = point - steps[axis];
      if (other < 0 || steadiness[other] === 0 || steadiness[other] > MAX_COPIES) continue;
      if (crossings.firstOf.has(3 * other + axis)) continue;
      windings[point] = windings[other];
      steadiness[point] = steadiness[other] + 1;
      return true;
    }
    return false;
  };
  let block = 0;
  for (let bk = 0; bk < nz; bk += BLOCK) {
    for (let bj = 0; bj < ny; bj += BLOCK) {
      for (let bi = 0; bi < nx; bi += BLOCK, block++) {
        const middle = at(bi + BLOCK / 2, bj + BLOCK / 2, bk + BLOCK / 2);
        const clear = touched[block] === 0 && isClear(middle);
        for (let k = bk; k < Math.min(nz, bk + BLOCK); k++) {
          for (let j = bj; j < Math.min(ny, bj + BLOCK); j++) {
            for (let i = bi; i < Math.min(nx, bi + BLOCK); i++) {
              const point = i + nx * (j + ny * k);
              if (!clear && copyNeighbour(point)) continue;
              const winding = clear ? middle : at(i, j, k);
              windings[point] = Math.round(winding);
              steadiness[point] = isClear(winding) ? 1 : 0;
            }
          }
        }
      }
    }
  }
  return windings;
}

/** What the parts of the samples are found from. */
interface PartSearch {
  readonly field: SolidField;
  readonly sampleOf: Int32Array;
  readonly points: readonly number[];
  readonly parts: Int32Array;
  readonly skinParts: SkinParts;
}

/** A sample just inside each triangle; thin ones last. */
function samplesOfTriangles(
  { field, sampleOf }: Pick<PartSearch, 'field' | 'sampleOf'>,
  triangleCount: number,
): Int32Array {
  const samples = new Int32Array(triangleCount).fill(-1);
  forEachInnerPoint(field, (point, triangle) => {
    if (samples[triangle] < 0) samples[triangle] = sampleOf[point];
  });
  const { thinPoints, thinTriangles } = field;
  for (let n = 0; n < thinPoints.length; n++) {
    if (samples[thinTriangles[n]] < 0) samples[thinTriangles[n]] = sampleOf[thinPoints[n]];
  }
  return samples;
}

/** Calls `visit` for each crossing with the point on the inner side of the skin, the one on its other side, and how far. */
function forEachInnerPoint(
  { grid, crossings, inside }: SolidField,
  visit: (point: number, triangle: number, away: number, outer: number) => void,
): void {
  const steps = [1, grid.counts[0], grid.counts[0] * grid.counts[1]];
  for (let n = 0; n < crossings.count; n++) {
    const axis = crossings.edges[n] % 3;
    const low = (crossings.edges[n] - axis) / 3;
    const high = low + steps[axis];
    const isFirst = n === 0 || crossings.edges[n - 1] !== crossings.edges[n];
    const isLast = n === crossings.count - 1 || crossings.edges[n + 1] !== crossings.edges[n];
    const share = crossings.shares[n];
    if (inside[low] === 1 && isFirst && crossings.signs[n] < 0) visit(low, crossings.triangles[n], share, high);
    if (inside[high] === 1 && isLast && crossings.signs[n] > 0) visit(high, crossings.triangles[n], 1 - share, low);
  }
}

/**
 * The part of every sample: at the skin that of the nearest triangle it is on the inner side of, farther in that of what it is
 * connected to. Where parts overlap, the skin of one inside another that is far along the skeleton does not count: the two
 * meet in the middle.
 */
function findParts(search: PartSearch): void {
  const { field, sampleOf, parts, skinParts } = search;
  const nearest = new Float64Array(parts.length).fill(Infinity);
  const offer = (point: number, triangle: number, away: number): void => {
    const sample = sampleOf[point];
    if (away >= nearest[sample]) return;
    nearest[sample] = away;
    parts[sample] = skinParts.ofTriangle[triangle];
  };
  forEachInnerPoint(field, (point, triangle, away) => {
    if (field.windings[point] <= 1) offer(point, triangle, away);
  });
  for (let n = 0; n < field.thinPoints.length; n++) offer(field.thinPoints[n], field.thinTriangles[n], 0);
  spreadParts(search, false);
  const known = parts.slice();
  forEachInnerPoint(field, (point, triangle, away, outer) => {
    if (field.windings[point] <= 1 || known[sampleOf[point]] >= 0) return;
    const beside = sampleOf[outer] < 0 ? -1 : known[sampleOf[outer]];
    if (beside < 0 || skinParts.distance(beside, skinParts.ofTriangle[triangle]) < 2) offer(point, triangle, away);
  });
  spreadParts(search, false);
  spreadParts(search, true);
  for (let s = 0; s < parts.length; s++) if (parts[s] < 0) parts[s] = 0;
}

/** Carries parts on to neighbours that have none, through the skin only where `throughSkin`. */
function spreadParts({ field, sampleOf, points, parts }: PartSearch, throughSkin: boolean): void {
  const { grid, crossings } = field;
  const steps = [1, grid.counts[0], grid.counts[0] * grid.counts[1]];
  const queue: number[] = [];
  for (let s = 0; s < parts.length; s++) if (parts[s] >= 0) queue.push(s);
  for (let head = 0; head < queue.length; head++) {
    const s = queue[head];
    for (let axis = 0; axis < 3; axis++) {
      for (const other of [points[s] + steps[axis], points[s] - steps[axis]]) {
        const t = other >= 0 && other < sampleOf.length ? sampleOf[other] : -1;
        if (t < 0 || parts[t] >= 0) continue;
        if (!throughSkin && crossings.firstOf.has(3 * Math.min(points[s], other) + axis)) continue;
        parts[t] = parts[s];
        queue.push(t);
      }
    }
  }
}
