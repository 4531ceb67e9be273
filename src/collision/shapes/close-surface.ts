/**
 * Makes a closed surface of one that is nearly so: corners that coincide become one, every hole gets a fan of triangles
 * around the middle of its rim, and the whole is turned outward.
 */
import { requireFinite, TendonError } from '../../errors.js';
import { DisjointSets } from '../../mesh/disjoint-sets.js';
import { surfaceArea, surfaceVolume } from '../../mesh/surface/surface.js';
import { type TriangleMesh, weldVertices } from '../../mesh/surface/triangle-mesh.js';

/** Most triangles of a surface: trees over them are built in seconds. */
const MAX_TRIANGLES = 1 << 19;
/** Fans larger than this share of the given surface are guesses, not repairs: an open sheet has 1, half a ball 0.5. */
const MAX_FAN_SHARE = 0.7;

/** A closed surface, and how many holes it had. */
export interface ClosedSurface {
  readonly mesh: TriangleMesh;
  readonly holes: number;
}

/** Throws unless numbers are finite, vertices exist, and there are not too many of either. */
export function checkSurface(positions: ArrayLike<number>, triangles: ArrayLike<number>, place: string): void {
  for (const [name, values] of Object.entries({ triangles, positions })) {
    if (!(values?.length > 0)) throw new TendonError('E_EMPTY', `${place}/${name}`, 0, 'a surface needs them');
  }
  requireTriples(positions, `${place}/positions`);
  requireTriples(triangles, `${place}/triangles`);
  if (triangles.length > 3 * MAX_TRIANGLES) {
    throw new TendonError('E_MEM_LIMIT', `${place}/triangles`, triangles.length / 3, `at most ${MAX_TRIANGLES}`);
  }
  requireFinite(positions, `${place}/positions`);
  const vertexCount = positions.length / 3;
  for (let i = 0; i < triangles.length; i++) {
    if (Number.isInteger(triangles[i]) && triangles[i] >= 0 && triangles[i] < vertexCount) continue;
    throw new TendonError('E_INDEX', `${place}/triangles/${i}`, triangles[i], `there are ${vertexCount} vertices`);
  }
}

function requireTriples(values: ArrayLike<number>, place: string): void {
  if (values.length % 3 !== 0) throw new TendonError('E_RANGE', place, values.length, 'numbers come in threes');
}

/** Throws E_RANGE where the surface is too open, or encloses nothing. */
export function closeSurface(positions: ArrayLike<number>, triangles: ArrayLike<number>, place: string): ClosedSurface {
  const welded = weldVertices(positions, triangles);
  const { mesh, holes } = fillHoles(welded);
  const area = surfaceArea(welded.triangles, welded.positions);
  const fans = surfaceArea(mesh.triangles.subarray(welded.triangles.length), mesh.positions);
  if (fans > MAX_FAN_SHARE * area) {
    throw new TendonError('E_RANGE', `${place}/triangles`, holes, 'the surface is open: close its holes');
  }
  const volume = surfaceVolume(mesh.triangles, mesh.positions);
  // a cube of the same area has (area/6)^1.5
  const cube = (area / 6) * Math.sqrt(area / 6);
  if (!(Math.abs(volume) > 1e-9 * cube)) {
    throw new TendonError('E_RANGE', `${place}/triangles`, volume, 'the surface encloses nothing');
  }
  return { mesh: volume < 0 ? turned(mesh) : mesh, holes };
}

/** Open edges of all rims, each as the two vertices in the order its triangle has them. */
function openEdges({ positions, triangles }: TriangleMesh): number[] {
  const vertexCount = positions.length / 3;
  const balance = new Map<number, number>();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  const open: number[] = [];
  for (const [key, excess] of balance) {
    const low = Math.floor(key / vertexCount);
    const high = key % vertexCount;
    for (let n = 0; n < Math.abs(excess); n++) open.push(...(excess > 0 ? [low, high] : [high, low]));
  }
  return open;
}

/** As many open edges lead into a vertex as out of it, so fans over connected ones leave no edge open. */
function fillHoles(mesh: TriangleMesh): ClosedSurface {
  const open = openEdges(mesh);
  const rims = new DisjointSets(mesh.positions.length / 3);
  for (let e = 0; e < open.length; e += 2) rims.unite(open[e], open[e + 1]);
  const middles = new Map<number, { vertex: number; sum: [number, number, number]; edges: number }>();
  const triangles = [...mesh.triangles];
  for (let e = 0; e < open.length; e += 2) {
    const rim = rims.find(open[e]);
    const known = middles.get(rim);
    const middle = known ?? { vertex: mesh.positions.length / 3 + middles.size, sum: [0, 0, 0], edges: 0 };
    if (!known) middles.set(rim, middle);
    for (let k = 0; k < 3; k++) middle.sum[k] += mesh.positions[3 * open[e] + k];
    middle.edges++;
    triangles.push(open[e + 1], open[e], middle.vertex);
  }
  const positions = [...mesh.positions];
  for (const { sum, edges } of middles.values()) positions.push(...sum.map((value) => value / edges));
  return {
    mesh: { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) },
    holes: middles.size,
  };
}

function turned({ positions, triangles }: TriangleMesh): TriangleMesh {
  const outward = triangles.slice();
  for (let t = 0; t < triangles.length; t += 3) {
    outward[t + 1] = triangles[t + 2];
    outward[t + 2] = triangles[t + 1];
  }
  return { positions, triangles: outward };
}
