/**
 * Mends a tetrahedral mesh so that a solver can use it: turns inverted tetrahedra, drops flat ones, leaves out vertices
 * that belong to none (they would have no mass and make the system singular). Every repair is counted in the report;
 * `strict` turns each of them into an error. Called when a body is built.
 */
import { TendonError } from '../../errors.js';
import { doubleArea } from '../surface/triangle-algebra.js';
import { checkTetMesh, type TetMesh, tetVolume } from './tet-mesh.js';

/** How to repair. */
export interface RepairOptions {
  /** True: throw where a repair would be needed. Default false. */
  readonly strict?: boolean;
  /** Prefix under which errors name what they found; default 'mesh'. */
  readonly place?: string;
}

/** What was repaired. */
export interface RepairReport {
  /** Tetrahedra whose volume was negative and two of whose vertices were swapped. */
  readonly invertedCount: number;
  /** Indices, in the given mesh, of the flat tetrahedra that were dropped. */
  readonly droppedTets: Int32Array;
  /** Indices, in the given mesh, of the vertices no tetrahedron uses. */
  readonly unreferencedVertices: Int32Array;
  /** For each vertex of the given mesh its index in the repaired one, or -1. */
  readonly vertexMap: Int32Array;
  /** For each vertex of the repaired mesh its index in the given one. */
  readonly vertexSource: Int32Array;
}

/** A volume below this times the cube of the longest edge is no volume: rounding alone can make it up. */
const FLAT_VOLUME_RATIO = 1e-12;
/** A dihedral angle whose sine is below this cannot be inverted to better than half the digits of a double. */
const FLAT_DIHEDRAL_SINE = 1e-6;

/**
 * Checks `mesh` and returns a copy that has only tetrahedra of positive volume and only vertices they use, with a report.
 * A flat tetrahedron is dropped when sound ones hold all its vertices; otherwise `E_DEGENERATE_TET` names it.
 */
export function repairTetMesh(mesh: TetMesh, options: RepairOptions = {}): { mesh: TetMesh; report: RepairReport } {
  const { strict = false, place = 'mesh' } = options;
  checkTetMesh(mesh, place);
  const tetCount = mesh.tets.length / 4;
  const tets = mesh.tets.slice();
  const flat = new Uint8Array(tetCount);
  const covered = new Uint8Array(mesh.positions.length / 3);
  let invertedCount = 0;
  for (let tet = 0; tet < tetCount; tet++) {
    if (isFlat(mesh, tet)) {
      flat[tet] = 1;
      continue;
    }
    for (let i = 0; i < 4; i++) covered[tets[4 * tet + i]] = 1;
    const volume = tetVolume(mesh, tet);
    if (volume > 0) continue;
    if (strict) throw new TendonError('E_RANGE', `${place}/tets/${4 * tet}`, volume, `tetrahedron ${tet} is inverted`);
    const swapped = tets[4 * tet + 2];
    tets[4 * tet + 2] = tets[4 * tet + 3];
    tets[4 * tet + 3] = swapped;
    invertedCount++;
  }
  const droppedTets = listFlat(mesh, flat, covered, strict, place);
  const unreferencedVertices = indicesOf(referencedBy(mesh), 0);
  if (strict && unreferencedVertices.length > 0) {
    const vertex = unreferencedVertices[0];
    throw new TendonError('E_RANGE', `${place}/positions/${3 * vertex}`, vertex, 'a vertex belongs to no tetrahedron');
  }
  const { vertexMap, vertexSource } = mapCovered(covered);
  const repaired = compact(mesh.positions, tets, flat, vertexMap, vertexSource);
  return { mesh: repaired, report: { invertedCount, droppedTets, unreferencedVertices, vertexMap, vertexSource } };
}

/** The flat tetrahedra; throws for the first that may not be dropped. */
function listFlat(mesh: TetMesh, flat: Uint8Array, covered: Uint8Array, strict: boolean, place: string): Int32Array {
  const dropped = indicesOf(flat, 1);
  for (const tet of dropped) {
    const corners = mesh.tets.subarray(4 * tet, 4 * tet + 4);
    if (!strict && corners.every((vertex) => covered[vertex] === 1)) continue;
    const advice = strict
      ? `tetrahedron ${tet} has no volume`
      : `tetrahedron ${tet} has no volume and cannot be dropped: no sound tetrahedron holds all its vertices`;
    throw new TendonError('E_DEGENERATE_TET', `${place}/tets/${4 * tet}`, tetVolume(mesh, tet), advice);
  }
  return dropped;
}

/** True when the tetrahedron's volume or one of its dihedral angles is too near zero (or a half turn) to work with. */
function isFlat(mesh: TetMesh, tet: number): boolean {
  const { positions, tets } = mesh;
  const corners = [0, 1, 2, 3].map((i) => tets[4 * tet + i]);
  const length = (i: number, j: number): number => {
    const a = 3 * corners[i];
    const b = 3 * corners[j];
    const dx = positions[b] - positions[a];
    const dy = positions[b + 1] - positions[a + 1];
    const dz = positions[b + 2] - positions[a + 2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  };
  const volume = Math.abs(tetVolume(mesh, tet));
  // of the faces opposite the corners
  const areas = corners.map((_, i) => {
    const [a, b, c] = corners.filter((_, corner) => corner !== i);
    return doubleArea(positions, a, b, c) / 2;
  });
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      const edge = length(i, j);
      if (!(volume >= FLAT_VOLUME_RATIO * edge * edge * edge) || volume === 0) return true;
      // The two faces that meet in edge ij are those opposite the other two corners; V = 2 A B sin / (3 edge).
      const [k, l] = [0, 1, 2, 3].filter((corner) => corner !== i && corner !== j);
      if (!(3 * volume * edge >= FLAT_DIHEDRAL_SINE * 2 * areas[k] * areas[l])) return true;
    }
  }
  return false;
}

function referencedBy(mesh: TetMesh): Uint8Array {
  const referenced = new Uint8Array(mesh.positions.length / 3);
  for (const vertex of mesh.tets) referenced[vertex] = 1;
  return referenced;
}

function indicesOf(flags: Uint8Array, flag: number): Int32Array {
  let count = 0;
  for (const value of flags) if (value === flag) count++;
  const indices = new Int32Array(count);
  for (let i = 0, next = 0; i < flags.length; i++) if (flags[i] === flag) indices[next++] = i;
  return indices;
}

function mapCovered(covered: Uint8Array): { vertexMap: Int32Array; vertexSource: Int32Array } {
  const vertexSource = indicesOf(covered, 1);
  const vertexMap = new Int32Array(covered.length).fill(-1);
  for (let i = 0; i < vertexSource.length; i++) vertexMap[vertexSource[i]] = i;
  return { vertexMap, vertexSource };
}

function compact(
  positions: Float64Array,
  tets: Int32Array,
  flat: Uint8Array,
  vertexMap: Int32Array,
  vertexSource: Int32Array,
): TetMesh {
  const sound = indicesOf(flat, 0);
  const keptTets = new Int32Array(4 * sound.length);
  for (let i = 0; i < sound.length; i++) {
    for (let k = 0; k < 4; k++) keptTets[4 * i + k] = vertexMap[tets[4 * sound[i] + k]];
  }
  const keptPositions = new Float64Array(3 * vertexSource.length);
  for (let i = 0; i < vertexSource.length; i++) {
    for (let k = 0; k < 3; k++) keptPositions[3 * i + k] = positions[3 * vertexSource[i] + k];
  }
  return { positions: keptPositions, tets: keptTets };
}
