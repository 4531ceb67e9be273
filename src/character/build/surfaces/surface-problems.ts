/** What is wrong with the surfaces of a skin and its bones, as errors that name the triangles and say what to do. */
import { TendonError, type TendonErrorCode } from '../../../errors.js';
import { findSurfaceFaults, type SurfaceFaults } from '../../../mesh/surface/surface-faults.js';
import { trianglesCross } from '../../../mesh/surface/triangle-crossing.js';
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';
import { visitNearPairs } from '../../../mesh/surface/triangle-tree.js';

/** The skin, or the surface of a bone: corners joined, with the number of each triangle in its file. */
export interface NamedSurface extends TriangleMesh {
  /** 'skin', or 'bone NAME'. */
  readonly label: string;
  /** Number in the skin's or the skeleton's file, polygons counted as fans of triangles. */
  readonly facets: Int32Array;
}

/** Triangles listed by number in a message; all are in the error's value. */
const LISTED = 12;
/** Pairs that are looked for before the rest is left out. */
const MAX_PAIRS = 20_000;

/** Faults of one surface by itself, the most telling first. */
export function findFaults(surface: NamedSurface): TendonError[] {
  const faults = findSurfaceFaults(surface);
  const rows: [keyof SurfaceFaults, TendonErrorCode, string][] = [
    ['repeated', 'E_DUPLICATE', 'have the same corners as another: delete the copies'],
    ['flat', 'E_SURFACE', 'have no area: delete them and close the gap, or move a corner'],
    ['open', 'E_SURFACE', 'are at the rim of a hole: close the surface'],
    ['crowded', 'E_SURFACE', 'share an edge with two others or more: leave two triangles at each edge'],
    ['flipped', 'E_SURFACE', 'face the other way than their neighbours: flip them so that all face outward'],
  ];
  return rows
    .filter(([fault]) => faults[fault].length > 0)
    .map(([fault, code, advice]) => {
      const members = faults[fault];
      const numbers = members.map((t) => surface.facets[t]);
      const text = `${listFacets(numbers)} of the ${surface.label} ${advice}, ${placeOf(surface, members[0])}`;
      return new TendonError(code, surface.label, numbers, text);
    });
}

/** Where surfaces cross or touch themselves or each other. `tolerance` [m] counts as touching. */
export function findCrossings(surfaces: readonly NamedSurface[], tolerance: number): TendonError[] {
  const all = joinSurfaces(surfaces);
  const crossings = new Map<number, { first: Set<number>; second: Set<number> }>();
  let pairs = 0;
  visitNearPairs(all.mesh, tolerance, (a, b) => {
    const corners = (t: number) => [...all.mesh.triangles.subarray(3 * t, 3 * t + 3)];
    if (!trianglesCross(all.mesh.positions, corners(a), corners(b), tolerance)) return true;
    const [i, j] = [all.surfaceOf[a], all.surfaceOf[b]];
    const key = i * surfaces.length + j;
    const found = crossings.get(key) ?? { first: new Set(), second: new Set() };
    found.first.add(a);
    found.second.add(b);
    crossings.set(key, found);
    return ++pairs < MAX_PAIRS;
  });
  return [...crossings]
    .sort(([a], [b]) => a - b)
    .map(([key, { first, second }]) => {
      const i = Math.floor(key / surfaces.length);
      return crossingError(
        surfaces[i],
        surfaces[key % surfaces.length],
        all.starts,
        i,
        key,
        surfaces.length,
        first,
        second,
      );
    });
}

function crossingError(
  a: NamedSurface,
  b: NamedSurface,
  starts: readonly number[],
  i: number,
  key: number,
  count: number,
  first: ReadonlySet<number>,
  second: ReadonlySet<number>,
): TendonError {
  const numbers = (surface: NamedSurface, start: number, set: ReadonlySet<number>): number[] =>
    [...set].map((t) => surface.facets[t - start]).sort((x, y) => x - y);
  const [start, other] = [starts[i], starts[key % count]];
  const where = placeOf(a, Math.min(...first) - start);
  if (a === b) {
    const own = numbers(a, start, new Set([...first, ...second]));
    const advice = `${listFacets(own)} of the ${a.label} cross or touch each other: pull them apart, ${where}`;
    return new TendonError('E_SURFACE', a.label, own, advice);
  }
  const [own, theirs] = [numbers(a, start, first), numbers(b, other, second)];
  if (a.label === 'skin') {
    const advice = `${listFacets(theirs)} of the ${b.label} go through or touch ${listFacets(own)} of the skin: move or shrink the bone so that flesh is left around it, ${where}`;
    return new TendonError('E_SURFACE', b.label, theirs, advice);
  }
  const advice = `${listFacets(own)} of the ${a.label} and ${listFacets(theirs)} of the ${b.label} cross or touch: leave a gap between the bones and connect them by a joint, ${where}`;
  return new TendonError('E_SURFACE', `${a.label}, ${b.label}`, own, advice);
}

/** Throws the first problem, with how many more there are. */
export function throwFirst(problems: readonly TendonError[]): void {
  if (problems.length === 0) return;
  const [first, ...rest] = problems;
  if (rest.length > 0) {
    const others = rest.slice(0, 4).map(({ message }) => message);
    const left = rest.length > 4 ? [`and ${rest.length - 4} more`] : [];
    first.message = [`${first.message}`, ...others, ...left].join('\n');
  }
  throw first;
}

/** All triangles in one mesh, corners of different surfaces apart. */
export function joinSurfaces(surfaces: readonly TriangleMesh[]): {
  readonly mesh: TriangleMesh;
  /** Surface of each triangle. */
  readonly surfaceOf: Int32Array;
  /** First triangle of each surface. */
  readonly starts: readonly number[];
} {
  const vertexCount = surfaces.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const triangleCount = surfaces.reduce((sum, { triangles }) => sum + triangles.length / 3, 0);
  const positions = new Float64Array(3 * vertexCount);
  const triangles = new Int32Array(3 * triangleCount);
  const surfaceOf = new Int32Array(triangleCount);
  const starts: number[] = [];
  let vertex = 0;
  let triangle = 0;
  surfaces.forEach((surface, i) => {
    starts.push(triangle);
    positions.set(surface.positions, 3 * vertex);
    for (let n = 0; n < surface.triangles.length; n++) triangles[3 * triangle + n] = vertex + surface.triangles[n];
    surfaceOf.fill(i, triangle, triangle + surface.triangles.length / 3);
    vertex += surface.positions.length / 3;
    triangle += surface.triangles.length / 3;
  });
  return { mesh: { positions, triangles }, surfaceOf, starts };
}

/** 'triangles 3, 4 and 5', cut short where there are many. */
export function listFacets(numbers: readonly number[]): string {
  if (numbers.length === 1) return `triangle ${numbers[0]}`;
  const listed = numbers.slice(0, LISTED).join(', ');
  const left = numbers.length - LISTED;
  return `triangles ${listed}${left > 0 ? ` and ${left} more` : ''}`;
}

function placeOf({ positions: p, triangles }: TriangleMesh, t: number): string {
  const middle = [0, 1, 2].map(
    (k) => (p[3 * triangles[3 * t] + k] + p[3 * triangles[3 * t + 1] + k] + p[3 * triangles[3 * t + 2] + k]) / 3,
  );
  return `near ${middle.map((x) => x.toPrecision(4)).join(' ')}`;
}
