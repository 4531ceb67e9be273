/**
 * A fine surface carried by a coarse tetrahedral mesh: each of its vertices follows one tetrahedron by barycentric weights.
 * Weights of a vertex outside its tetrahedron are negative or above one, so that the rest shape comes out exactly
 * wherever the vertex lies. Built with a character; updated after each step by whoever shows it.
 */
import { TendonError } from '../errors.js';
import { square } from '../math/powers.js';
import { type TetMesh, writeTetEdges } from './tets/tet-mesh.js';
import { findTetNeighbours } from './tets/tet-neighbours.js';

/** Which tetrahedron vertices each surface vertex follows. */
export interface Embedding {
  /** Four vertices of the mesh per surface vertex. */
  readonly corners: Int32Array;
  /** Their weights, adding up to 1. */
  readonly weights: Float64Array;
}

/** How far from its tetrahedron a vertex may be bound, as a barycentric weight; a nearer one is looked for beyond. */
const ENOUGH = -1e-9;
/** Tetrahedra looked at without coming nearer before a search ends. */
const PATIENCE = 24;

/** Edges of the tetrahedron that is looked at. */
const EDGES = new Float64Array(9);

/**
 * Binds `points` (x,y,z each) to a mesh. `starts`: a tetrahedron near each point that it is connected to, from where the
 * search walks through the mesh and so never jumps to a part that just happens to be near; -1: the nearest of all.
 */
export function embedPoints(mesh: TetMesh, points: ArrayLike<number>, starts?: ArrayLike<number>): Embedding {
  if (mesh.tets.length === 0) throw new TendonError('E_EMPTY', 'mesh/tets', 0, 'nothing to bind points to');
  const count = points.length / 3;
  const neighbours = findTetNeighbours(mesh.tets, mesh.positions.length / 3);
  const corners = new Int32Array(4 * count);
  const weights = new Float64Array(4 * count);
  const centres = tetCentres(mesh);
  const scratch = new Float64Array(4);
  for (let i = 0; i < count; i++) {
    const x = points[3 * i];
    const y = points[3 * i + 1];
    const z = points[3 * i + 2];
    let start = starts === undefined ? -1 : starts[i];
    if (!(start >= 0)) start = nearestTet(centres, x, y, z);
    const tet = findTet(mesh, neighbours, centres, start, x, y, z, scratch);
    barycentric(mesh, tet, x, y, z, scratch);
    for (let k = 0; k < 4; k++) {
      corners[4 * i + k] = mesh.tets[4 * tet + k];
      weights[4 * i + k] = scratch[k];
    }
  }
  return { corners, weights };
}

/** Writes where the surface vertices are, x,y,z each, for mesh vertices at `positions`. No allocation. */
export function updateEmbedding(
  embedding: Embedding,
  positions: ArrayLike<number>,
  out: Float32Array | Float64Array,
): void {
  const { corners, weights } = embedding;
  for (let i = 0, o = 0; i < corners.length; i += 4, o += 3) {
    const a = 3 * corners[i];
    const b = 3 * corners[i + 1];
    const c = 3 * corners[i + 2];
    const d = 3 * corners[i + 3];
    const wa = weights[i];
    const wb = weights[i + 1];
    const wc = weights[i + 2];
    const wd = weights[i + 3];
    out[o] = wa * positions[a] + wb * positions[b] + wc * positions[c] + wd * positions[d];
    out[o + 1] = wa * positions[a + 1] + wb * positions[b + 1] + wc * positions[c + 1] + wd * positions[d + 1];
    out[o + 2] = wa * positions[a + 2] + wb * positions[b + 2] + wc * positions[c + 2] + wd * positions[d + 2];
  }
}

/**
 * Searches from `start` through neighbours, those nearest to the point first, for the tetrahedron the point is in or least
 * outside of.
 */
function findTet(
  mesh: TetMesh,
  neighbours: Int32Array,
  centres: Float64Array,
  start: number,
  x: number,
  y: number,
  z: number,
  scratch: Float64Array,
): number {
  const away = (tet: number): number =>
    square(centres[3 * tet] - x) + square(centres[3 * tet + 1] - y) + square(centres[3 * tet + 2] - z);
  const seen = new Set<number>([start]);
  const open: [tet: number, distanceSq: number][] = [[start, away(start)]];
  let best = start;
  let bestWeight = -Infinity;
  let nearest = Infinity;
  for (let patience = PATIENCE; patience > 0 && open.length > 0; patience--) {
    let next = 0;
    for (let i = 1; i < open.length; i++) if (open[i][1] < open[next][1]) next = i;
    const [tet, distanceSq] = open[next];
    open[next] = open[open.length - 1];
    open.pop();
    if (distanceSq < nearest) {
      nearest = distanceSq;
      patience = PATIENCE;
    }
    const weight = lowestWeight(mesh, tet, x, y, z, scratch);
    if (weight > bestWeight) {
      best = tet;
      bestWeight = weight;
    }
    if (bestWeight >= ENOUGH) break;
    for (let k = 0; k < 4; k++) {
      const neighbour = neighbours[4 * tet + k];
      if (neighbour < 0 || seen.has(neighbour)) continue;
      seen.add(neighbour);
      open.push([neighbour, away(neighbour)]);
    }
  }
  return best;
}

function lowestWeight(mesh: TetMesh, tet: number, x: number, y: number, z: number, scratch: Float64Array): number {
  barycentric(mesh, tet, x, y, z, scratch);
  return Math.min(scratch[0], scratch[1], scratch[2], scratch[3]);
}

/** The four weights of a point in a tetrahedron. */
function barycentric(mesh: TetMesh, tet: number, x: number, y: number, z: number, out: Float64Array): void {
  const { positions: p, tets } = mesh;
  const a = 3 * tets[4 * tet];
  writeTetEdges(mesh, tet, EDGES);
  const { 0: ux, 1: uy, 2: uz, 3: vx, 4: vy, 5: vz, 6: wx, 7: wy, 8: wz } = EDGES;
  const rx = x - p[a];
  const ry = y - p[a + 1];
  const rz = z - p[a + 2];
  const volume = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
  out[1] = (rx * (vy * wz - vz * wy) + ry * (vz * wx - vx * wz) + rz * (vx * wy - vy * wx)) / volume;
  out[2] = (ux * (ry * wz - rz * wy) + uy * (rz * wx - rx * wz) + uz * (rx * wy - ry * wx)) / volume;
  out[3] = (ux * (vy * rz - vz * ry) + uy * (vz * rx - vx * rz) + uz * (vx * ry - vy * rx)) / volume;
  out[0] = 1 - out[1] - out[2] - out[3];
}

function tetCentres({ positions: p, tets }: TetMesh): Float64Array {
  const centres = new Float64Array((3 * tets.length) / 4);
  for (let t = 0; t < tets.length; t += 4) {
    for (let k = 0; k < 3; k++) {
      for (let c = 0; c < 4; c++) centres[(t / 4) * 3 + k] += p[3 * tets[t + c] + k] / 4;
    }
  }
  return centres;
}

function nearestTet(centres: Float64Array, x: number, y: number, z: number): number {
  let best = 0;
  let bestSq = Infinity;
  for (let i = 0; i < centres.length; i += 3) {
    const sq = square(centres[i] - x) + square(centres[i + 1] - y) + square(centres[i + 2] - z);
    if (sq < bestSq) {
      bestSq = sq;
      best = i / 3;
    }
  }
  return best;
}
