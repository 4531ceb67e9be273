/** `tendon build SKIN --skeleton f --joints f --mesher tetgen|gmsh`: files in, character out [Li2019 §4]. */

import {
  prepareTwoSurfaces,
  type SkeletonData,
  type TwoSurfaces,
} from '../../src/character/build/surfaces/two-surface.js';
import { buildTwoSurfaceCharacter, countPoorFlesh } from '../../src/character/build/surfaces/two-surface-character.js';
import type { Character } from '../../src/character/character.js';
import { TendonError } from '../../src/errors.js';
import { readJointFile } from '../../src/io/joint-file.js';
import type { SurfaceData, TetData } from '../../src/io/mesh-data.js';
import { readMesh } from '../../src/io/read-mesh.js';
import { readObj } from '../../src/io/surfaces/obj.js';
import { MESHERS, type Mesher } from './mesher.js';
import { readInput } from './read-input.js';

/** Files and wishes. */
export interface SurfaceBuild {
  /** Path of the skin. */
  readonly skin: string;
  /** Path of the bones' surfaces; without it the body is all flesh. */
  readonly skeleton?: string;
  /** Path of the `.joint` file. */
  readonly joints?: string;
  /** 'tetgen' or 'gmsh'. */
  readonly mesher: string;
  /** Length of edges inside the flesh [m]; default: as the surfaces have it. */
  readonly cell?: number;
  /** Tetrahedra to aim for, bones included. */
  readonly tets?: number;
  readonly name?: string;
  /** Whether tetrahedra share strains; default false. */
  readonly smoothed?: boolean;
  /** Time a run of the mesher may take [s]; default 120. */
  readonly seconds?: number;
  readonly progress?: (stage: string, share: number) => void;
}

/** Runs of the mesher until the number of tetrahedra is near enough, and how near that is. */
const MAX_RUNS = 5;
const NEAR_ENOUGH = 0.1;

/** Reads, checks, meshes, builds. */
export async function buildFromSurfaces(build: SurfaceBuild): Promise<Character> {
  const mesher = MESHERS.get(build.mesher);
  if (mesher === undefined) {
    throw new TendonError('E_UNKNOWN', '--mesher', build.mesher, `use lattice, ${[...MESHERS.keys()].join(' or ')}`);
  }
  const progress = build.progress ?? (() => {});
  progress('reading', 0);
  const skin = await readSurface(build.skin, 'INPUT');
  const skeleton = build.skeleton === undefined ? undefined : await readSkeleton(build.skeleton);
  const joints = build.joints === undefined ? undefined : readJointFile(readInput(build.joints).bytes);
  progress('checking the surfaces', 0.1);
  const surfaces = prepareTwoSurfaces(skin, skeleton, joints);
  progress('meshing', 0.3);
  const character = await meshAndFinish(mesher, surfaces, build, progress);
  progress('done', 1);
  return character;
}

/** Meshes, and meshes again where the given triangles make poor tetrahedra. */
async function meshAndFinish(
  mesher: Mesher,
  surfaces: TwoSurfaces,
  build: SurfaceBuild,
  progress: (stage: string, share: number) => void,
): Promise<Character> {
  const name = build.name ?? stemOf(build.skin);
  const { smoothed } = build;
  const notes: string[] = [];
  const tets = await meshToSize(mesher, surfaces, build, notes);
  progress('building the body', 0.7);
  const finish = (meshed: TetData): Character =>
    buildTwoSurfaceCharacter({ ...surfaces, notes: [...surfaces.notes, ...notes] }, meshed, { name, smoothed });
  const character = finish(tets);
  const poor = countPoorFlesh(character.body);
  if (poor === 0) return character;
  if (build.mesher === 'tetgen' && build.cell === undefined && build.tets === undefined) {
    // Long thin triangles make poor tetrahedra; the given skin is shown all the same when they are cut.
    progress('meshing again', 0.8);
    notes.push(`triangles of the surfaces were cut: as given they make ${poor} poorly shaped tetrahedra`);
    const again = finish(await mesher(surfaces, { seconds: build.seconds, cut: true }));
    if (countPoorFlesh(again.body) < poor) return again;
    notes.pop();
  }
  notes.push(
    `${poor} tetrahedra of the flesh have an angle under 5 or over 170 degrees: remesh thin triangles, or use --cell`,
  );
  return finish(tets);
}

/** One run, or as many as it takes to come near the wished number of tetrahedra. */
async function meshToSize(
  mesher: Mesher,
  surfaces: TwoSurfaces,
  { cell, tets: wished, seconds }: SurfaceBuild,
  notes: string[],
): Promise<TetData> {
  if (cell !== undefined) return mesher(surfaces, { seconds, maxVolume: cell ** 3 / (6 * Math.SQRT2) });
  let best = await mesher(surfaces, { seconds });
  if (wished === undefined) return best;
  const fewest = countOf(best);
  let maxVolume = surfaces.volume / wished;
  for (let run = 1; run < MAX_RUNS && fewest < wished && off(best, wished) > NEAR_ENOUGH; run++) {
    const next = await mesher(surfaces, { seconds, maxVolume });
    // the surfaces' own tetrahedra are there whatever the volume
    const more = Math.max(1, countOf(next) - fewest);
    maxVolume *= Math.min(8, Math.max(1 / 8, more / (wished - fewest)));
    if (off(next, wished) < off(best, wished)) best = next;
  }
  if (fewest > wished * (1 + NEAR_ENOUGH)) {
    notes.push(`the surfaces alone make ${fewest} tetrahedra, more than ${wished}: simplify them for fewer`);
  }
  return best;
}

function countOf({ tets }: TetData): number {
  return tets.length / 4;
}

function off(tets: TetData, wished: number): number {
  return Math.abs(countOf(tets) - wished) / wished;
}

async function readSurface(path: string, place: string): Promise<SurfaceData> {
  const file = readInput(path);
  const mesh = await readMesh(file.name, file.bytes, { resources: file.resources });
  if (mesh.kind !== 'surface') throw new TendonError('E_FORMAT', place, path, 'a surface was expected, not tetrahedra');
  return mesh.surface;
}

async function readSkeleton(path: string): Promise<SkeletonData> {
  const file = readInput(path);
  return file.ending === '.obj' ? readObj(file.bytes) : readSurface(path, '--skeleton');
}

function stemOf(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
}
