/**
 * Mends the few badly shaped tetrahedra of a mesh by moving their vertices a little: inner vertices anywhere, surface
 * vertices only towards or away from their neighbours on the surface, so that the shape stays. Greedy and deterministic;
 * a move is kept only when the worst tetrahedron around the vertex gets better. Called when a character is built.
 */
import { extractSurface } from '../surface/surface.js';
import { type TetMesh, writeTetEdges } from './tet-mesh.js';

/** A tetrahedron is left alone when every dihedral angle has at least this sine: between 12 and 168 degrees. */
const GOOD_SINE = 0.208;
/** Shares of the way to a neighbour that are tried. */
const STEPS = [0.08, -0.08, 0.2, -0.2];
const MAX_PASSES = 6;

/** Edges of the tetrahedron that is looked at. */
const EDGES = new Float64Array(9);

/** A copy of the mesh with better positions, same tetrahedra. The worst dihedral sine never gets smaller. */
export function improveTets(mesh: TetMesh): TetMesh {
  const improved = { positions: mesh.positions.slice(), tets: mesh.tets };
  const tetsOf = groupTets(mesh);
  const onSurface = new Uint8Array(mesh.positions.length / 3);
  for (const vertex of extractSurface(mesh).vertices) onSurface[vertex] = 1;
  let bad: number[] = [];
  for (let tet = 0; tet < mesh.tets.length / 4; tet++) if (smallestSine(improved, tet) < GOOD_SINE) bad.push(tet);
  for (let pass = 0; pass < MAX_PASSES && bad.length > 0; pass++) {
    const vertices = new Set<number>();
    for (const tet of bad) for (let k = 0; k < 4; k++) vertices.add(mesh.tets[4 * tet + k]);
    const touched = new Set<number>();
    for (const vertex of vertices) {
      moveVertex(improved, vertex, tetsOf(vertex), onSurface);
      for (const tet of tetsOf(vertex)) touched.add(tet);
    }
    bad = [...touched].filter((tet) => smallestSine(improved, tet) < GOOD_SINE);
  }
  return improved;
}

/** Tries all moves of one vertex and keeps the best, if it is better than to stay. */
function moveVertex(mesh: TetMesh, vertex: number, tets: Int32Array, onSurface: Uint8Array): void {
  const p = mesh.positions;
  const start = p.slice(3 * vertex, 3 * vertex + 3);
  let best = worstAround(mesh, tets, -Infinity);
  if (best >= GOOD_SINE) return;
  let place = start;
  for (const neighbour of neighboursOf(mesh, vertex, tets)) {
    if (onSurface[vertex] === 1 && onSurface[neighbour] === 0) continue;
    for (const share of STEPS) {
      for (let k = 0; k < 3; k++) p[3 * vertex + k] = start[k] + share * (p[3 * neighbour + k] - start[k]);
      const worst = worstAround(mesh, tets, best);
      if (worst <= best) continue;
      best = worst;
      place = p.slice(3 * vertex, 3 * vertex + 3);
    }
  }
  p.set(place, 3 * vertex);
}

function neighboursOf(mesh: TetMesh, vertex: number, tets: Int32Array): Set<number> {
  const neighbours = new Set<number>();
  for (const tet of tets) for (let k = 0; k < 4; k++) neighbours.add(mesh.tets[4 * tet + k]);
  neighbours.delete(vertex);
  return neighbours;
}

/** The smallest sine around a vertex, or anything not above `enough` as soon as it cannot exceed that. */
function worstAround(mesh: TetMesh, tets: Int32Array, enough: number): number {
  let worst = 1;
  for (let i = 0; i < tets.length && worst > enough; i++) worst = Math.min(worst, smallestSine(mesh, tets[i]));
  return worst;
}

/** The tetrahedra around each vertex, as slices of one array. */
function groupTets(mesh: TetMesh): (vertex: number) => Int32Array {
  const starts = new Int32Array(mesh.positions.length / 3 + 1);
  for (const vertex of mesh.tets) starts[vertex + 1]++;
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const next = starts.slice();
  const members = new Int32Array(mesh.tets.length);
  for (let i = 0; i < mesh.tets.length; i++) members[next[mesh.tets[i]]++] = i >> 2;
  return (vertex) => members.subarray(starts[vertex], starts[vertex + 1]);
}

/** Sine of the dihedral angle that is nearest to 0 or a half turn; negative volume makes it negative. */
function smallestSine(mesh: TetMesh, tet: number): number {
  writeTetEdges(mesh, tet, EDGES);
  const { 0: ux, 1: uy, 2: uz, 3: vx, 4: vy, 5: vz, 6: wx, 7: wy, 8: wz } = EDGES;
  // Twice the area vectors of the faces opposite d, b, c and, their negative sum, a.
  const dx = uy * vz - uz * vy;
  const dy = uz * vx - ux * vz;
  const dz = ux * vy - uy * vx;
  const bx = vy * wz - vz * wy;
  const by = vz * wx - vx * wz;
  const bz = vx * wy - vy * wx;
  const cx = wy * uz - wz * uy;
  const cy = wz * ux - wx * uz;
  const cz = wx * uy - wy * ux;
  const volume = dx * wx + dy * wy + dz * wz;
  const areaA = length(bx + cx + dx, by + cy + dy, bz + cz + dz);
  const areaB = length(bx, by, bz);
  const areaC = length(cx, cy, cz);
  const areaD = length(dx, dy, dz);
  // With these, sine = volume * edge / (product of the areas of the two faces at the edge).
  const ab = length(ux, uy, uz) / (areaC * areaD);
  const ac = length(vx, vy, vz) / (areaB * areaD);
  const ad = length(wx, wy, wz) / (areaB * areaC);
  const bc = length(vx - ux, vy - uy, vz - uz) / (areaA * areaD);
  const bd = length(wx - ux, wy - uy, wz - uz) / (areaA * areaC);
  const cd = length(wx - vx, wy - vy, wz - vz) / (areaA * areaB);
  // Of a positive tetrahedron the smallest ratio counts; of an inverted one any is negative.
  return volume * Math.min(ab, ac, ad, bc, bd, cd);
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}
