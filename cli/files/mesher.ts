/**
 * TetGen and Gmsh as outside programs: a `TwoSurfaces` goes in as a file, tetrahedra with regions come out. What they complain about
 * becomes a `TendonError` in terms of the user's own files. Both keep the given triangles and put points only inside, unless finer
 * tetrahedra are asked for than those triangles allow; then the triangles are cut where they lie.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_BONE_REGION, FLESH_REGION, type TwoSurfaces } from '../../src/character/build/surfaces/two-surface.js';
import { TendonError } from '../../src/errors.js';
import type { TetData } from '../../src/io/mesh-data.js';
import { readGmsh, writeGmsh } from '../../src/io/tets/gmsh.js';
import { writeSmesh } from '../../src/io/tets/smesh.js';
import { readTetgen } from '../../src/io/tets/tetgen.js';
import { refineSurface } from '../../src/mesh/surface/refine-surface.js';
import { inTemporaryFolder, type ProgramResult, runProgram } from '../run-program.js';
import { writeGmshScript } from './gmsh-script.js';

/** How to mesh. */
export interface MesherOptions {
  /** Largest tetrahedron of the flesh [m^3]; default: as the surfaces have it. */
  readonly maxVolume?: number;
  /** True: TetGen may cut the given triangles for tetrahedra of better shape. For finer flesh it always may. */
  readonly cut?: boolean;
  /** Time a run may take [s]; default 120. */
  readonly seconds?: number;
  /** Name or path of the program; default as installed. */
  readonly program?: string;
}

/** A mesher. Regions of the result are those of the `TwoSurfaces`. */
export type Mesher = (surfaces: TwoSurfaces, options?: MesherOptions) => Promise<TetData>;

const SECONDS = 120;
/** Largest file of a mesher that is read [bytes]. */
const MAX_FILE = 512 * 1024 * 1024;
/** More tetrahedra than this are not asked for. */
const MAX_TETS = 5e6;
const INSTALL_TETGEN = 'install it with "apt-get install tetgen", or build with --mesher lattice';
const INSTALL_GMSH = 'install it with "apt-get install gmsh", or build with --mesher lattice';

/** Radius-edge ratio, smallest and largest dihedral angle [degrees] that TetGen aims for. */
const TETGEN_QUALITY = 'q1.4/12o/150';

/** Edges of the surface may be this much longer than those inside: cutting makes them half as long. */
const LONGEST_EDGE = 1.4;

/** Meshes with TetGen. */
export const meshWithTetgen: Mesher = (surfaces, options = {}) => {
  requireReasonable(surfaces, options);
  return inTemporaryFolder(async (folder) => {
    const { maxVolume, cut = false } = options;
    const regionPoints = surfaces.smesh.regionPoints.map((entry) =>
      entry.region === FLESH_REGION && maxVolume !== undefined ? { ...entry, maxVolume } : entry,
    );
    writeFileSync(join(folder, 'body.smesh'), writeSmesh({ ...surfaces.smesh, regionPoints }));
    const switches = `-p${TETGEN_QUALITY}AF${maxVolume === undefined ? (cut ? '' : 'Y') : 'a'}`;
    const result = await runTetgen([switches, 'body.smesh'], folder, options);
    if (!result.ok) {
      const listing = await runTetgen(['-d', 'body.smesh'], folder, options);
      throw tetgenError(surfaces, result, listing.text);
    }
    const tets = readTetgen(readOutput(folder, 'body.1.node'), readOutput(folder, 'body.1.ele'));
    return { positions: tets.positions, tets: tets.tets, regions: nameRegions(surfaces, tets) };
  });
};

/** Meshes with Gmsh. */
export const meshWithGmsh: Mesher = (surfaces, options = {}) => {
  requireReasonable(surfaces, options);
  return inTemporaryFolder(async (folder) => {
    const { program = 'gmsh', seconds = SECONDS } = options;
    const edge = options.maxVolume === undefined ? Infinity : edgeOf(options.maxVolume);
    // Gmsh itself never cuts a given triangle, and makes tetrahedra of their size.
    const { positions, triangles, sources } = refineSurface(surfaces.smesh, LONGEST_EDGE * edge);
    const { script, surfaceOf } = writeGmshScript(surfaces, edge);
    const data = {
      positions,
      tets: new Int32Array(0),
      triangles,
      triangleRegions: sources.map((facet) => surfaceOf[facet]),
    };
    writeFileSync(join(folder, 'surface.msh'), writeGmsh(data, '2.2'));
    writeFileSync(join(folder, 'body.geo'), script);
    const args = ['body.geo', '-3', '-format', 'msh22', '-o', 'body.msh', '-nt', '1', '-v', '3'];
    const result = await runProgram({ program, args, folder, seconds, install: INSTALL_GMSH });
    const complaint = /^Error\s*:\s*(.*)$/m.exec(result.text)?.[1];
    if (!result.ok || complaint !== undefined) {
      throw new TendonError('E_PROGRAM', program, complaint ?? result.end, gmshAdvice(surfaces, result.text));
    }
    const tets = readGmsh(readOutput(folder, 'body.msh'));
    if (tets.tets.length === 0)
      throw new TendonError('E_PROGRAM', program, lastLine(result.text), 'it made no tetrahedra');
    return { positions: tets.positions, tets: tets.tets, regions: nameRegions(surfaces, tets) };
  });
};

/** Name on the command line -> mesher. */
export const MESHERS: ReadonlyMap<string, Mesher> = new Map([
  ['tetgen', meshWithTetgen],
  ['gmsh', meshWithGmsh],
]);

/** Without `stdbuf` Debian's TetGen loses what it had to say when it gives up; elsewhere there may be none. */
async function runTetgen(args: string[], folder: string, options: MesherOptions): Promise<ProgramResult> {
  const { program = 'tetgen', seconds = SECONDS } = options;
  const plain = { program, args, folder, seconds, install: INSTALL_TETGEN };
  try {
    const unbuffered = await runProgram({ ...plain, program: 'stdbuf', args: ['-o0', program, ...args] });
    // stdbuf's own way of saying that there is no such program
    if (!/^exit code 12[67]$/.test(unbuffered.end)) return unbuffered;
  } catch (error) {
    if (!(error instanceof TendonError && error.value === 'ENOENT')) throw error;
  }
  return runProgram(plain);
}

/** What TetGen says of itself, with the facets of `tetgen -d` under the names they have in the user's files. */
function tetgenError(surfaces: TwoSurfaces, result: ProgramResult, listing: string): TendonError {
  const facetOf = new Map<string, number>();
  const { triangles } = surfaces.smesh;
  const keyOf = (corners: readonly number[]): string => [...corners].sort((a, b) => a - b).join();
  for (let t = 0; t < triangles.length / 3; t++) facetOf.set(keyOf([...triangles.subarray(3 * t, 3 * t + 3)]), t);
  const named: string[] = [];
  const facets = new Set<number>();
  for (const match of listing.matchAll(/\(\s*(\d+),\s*(\d+),\s*(\d+)\) and \(\s*(\d+),\s*(\d+),\s*(\d+)\)/g)) {
    const corners = match.slice(1).map(Number);
    const pair = [facetOf.get(keyOf(corners.slice(0, 3))), facetOf.get(keyOf(corners.slice(3)))];
    if (pair[0] === undefined || pair[1] === undefined) continue;
    const text = `${surfaces.facetName(pair[0])} and ${surfaces.facetName(pair[1])}`;
    if (!named.includes(text)) named.push(text);
    for (const facet of pair) facets.add(facet as number);
  }
  if (named.length > 0) {
    const left = named.length > 6 ? `; and ${named.length - 6} more pairs` : '';
    const advice = `TetGen finds facets that intersect: ${named.slice(0, 6).join('; ')}${left}. Pull them apart`;
    return new TendonError('E_SURFACE', 'tetgen', [...facets], advice);
  }
  const advice = `TetGen gave up (${result.end}); simplify or remesh the surfaces, or build with --mesher gmsh or lattice`;
  return new TendonError('E_PROGRAM', 'tetgen', complaintOf(result.text), advice);
}

/** The last lines that are not about how long something took. */
function complaintOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => line !== '' && !/seconds|\.\.\.$|^Opening|terminate called/.test(line));
  return telling.slice(-3).join(' ') || 'nothing was said';
}

/** Edge of a regular tetrahedron. */
function edgeOf(volume: number): number {
  return Math.cbrt(6 * Math.SQRT2 * volume);
}

/** Gmsh names no facets, but points where some meet. */
function gmshAdvice(surfaces: TwoSurfaces, text: string): string {
  const place = /intersect(?:ion|s)?.*?at point \(?\s*([-\d.e+]+)[ ,]+([-\d.e+]+)[ ,]+([-\d.e+]+)/i.exec(text);
  const where = place ? `: facets meet near ${place.slice(1).join(' ')}` : '';
  const count = surfaces.smesh.triangles.length / 3;
  return `Gmsh could not fill the ${count} facets${where}; remesh the surfaces, or build with --mesher tetgen or lattice`;
}

/** Every region that is not a bone's is flesh: meshers number what has no point of its own as they like. */
function nameRegions(surfaces: TwoSurfaces, { tets, regions }: TetData): Int32Array {
  const last = surfaces.joints.bones.length - 1 + FIRST_BONE_REGION;
  return Int32Array.from({ length: tets.length / 4 }, (_, t) => {
    const region = regions?.[t] ?? FLESH_REGION;
    return region >= FIRST_BONE_REGION && region <= last ? region : FLESH_REGION;
  });
}

function requireReasonable({ volume }: TwoSurfaces, { maxVolume }: MesherOptions): void {
  if (maxVolume === undefined) return;
  if (!(maxVolume > 0)) throw new TendonError('E_RANGE', 'maxVolume', maxVolume, 'a volume must be positive');
  if (volume / maxVolume > MAX_TETS) {
    throw new TendonError('E_RANGE', 'maxVolume', maxVolume, `this would be more than ${MAX_TETS} tetrahedra`);
  }
}

function readOutput(folder: string, name: string): Uint8Array {
  const path = join(folder, name);
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE) throw new TendonError('E_RANGE', name, size, `the mesh is larger than ${MAX_FILE} bytes`);
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    if (error instanceof TendonError) throw error;
    throw new TendonError('E_PROGRAM', name, String((error as Error).message), 'the mesher left no mesh behind');
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
