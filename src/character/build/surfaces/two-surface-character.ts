/** From the tetrahedra that a mesher made of a skin and a skeleton to a character. */
import type { BodyDef } from '../../../body/body-def.js';
import type { TetData } from '../../../io/mesh-data.js';
import { type SeamedSurface, splitAtSeams } from '../../../io/surfaces/surface-model.js';
import { power } from '../../../math/powers.js';
import { type Embedding, embedPoints } from '../../../mesh/embedding.js';
import { weldVertices } from '../../../mesh/surface/triangle-mesh.js';
import { improveTets } from '../../../mesh/tets/improve-tets.js';
import { dihedralAngles } from '../../../mesh/tets/quality.js';
import { findSlivers } from '../../../mesh/tets/slivers.js';
import { meshVolume, type TetMesh, tetVolume } from '../../../mesh/tets/tet-mesh.js';
import type { Character, CharacterSkin } from '../../character.js';
import { fillNormals } from '../../skin-normals.js';
import { type BuildOptions, LIVING_FLESH } from '../rigged.js';
import { buildFromTets } from './plain.js';
import { FLESH_REGION, type TwoSurfaces } from './two-surface.js';

/** Dihedral angles outside of these are poor [rad]: 5 and 170 degrees. */
const POOR_ANGLES = [(5 * Math.PI) / 180, (170 * Math.PI) / 180];

/**
 * The character: tetrahedra in a bone's region are that bone, all others are flesh. They share no strains unless that is asked for: meshers
 * leave one tetrahedron between bone and skin, and those turn inside out where a joint folds. Badly shaped tetrahedra are mended by moving their
 * corners a little, the few that stay flat are left out, and both are noted; the skin to show is the given one, wherever those corners went.
 */
export function buildTwoSurfaceCharacter(
  surfaces: TwoSurfaces,
  meshed: TetData,
  options: Pick<BuildOptions, 'name' | 'material' | 'smoothed'> = {},
): Character {
  const notes = [...surfaces.notes];
  const mesh = mendTets(meshed, notes);
  const { material = LIVING_FLESH, smoothed = false } = options;
  const character = buildFromTets(mesh, { ...options, material, smoothed }, surfaces.joints);
  const shown = splitAtSeams(surfaces.skin);
  const skin = makeSkin(shown, character);
  const volume = meshVolume(mesh);
  const report = {
    ...character.report,
    notes: [...notes, ...character.report.notes],
    // the side of a regular tetrahedron of the mean volume
    cell: power((6 * Math.SQRT2 * volume) / (mesh.tets.length / 4), 1 / 3),
    skinVolume: surfaces.volume,
  };
  return { ...character, skin, embedding: bindSkin(mesh, meshed.positions, skin.positions, shown), report };
}

/** How many tetrahedra of a character's flesh, those with a corner outside the bones, have an angle under 5 or over 170 degrees. */
export function countPoorFlesh({ positions, tets, bones = [] }: BodyDef): number {
  const rigid = new Uint8Array(positions.length / 3);
  for (const { vertices } of bones) for (let i = 0; i < vertices.length; i++) rigid[vertices[i]] = 1;
  const angles = dihedralAngles({ positions, tets });
  let count = 0;
  for (let t = 0; t < tets.length / 4; t++) {
    if (tets.subarray(4 * t, 4 * t + 4).every((vertex) => rigid[vertex] === 1)) continue;
    if (angles.subarray(6 * t, 6 * t + 6).some((angle) => angle < POOR_ANGLES[0] || angle > POOR_ANGLES[1])) count++;
  }
  return count;
}

/** Turned right way round where they are not, mended, without slivers in the flesh. */
function mendTets(meshed: TetData, notes: string[]): TetData {
  const tets = meshed.tets.slice();
  for (let t = 0; t < tets.length; t += 4) {
    if (tetVolume(meshed, t / 4) >= 0) continue;
    tets[t + 2] = meshed.tets[t + 3];
    tets[t + 3] = meshed.tets[t + 2];
  }
  const improved = improveTets({ positions: meshed.positions, tets });
  let moved = 0;
  for (let i = 0; i < improved.positions.length; i += 3) {
    if ([0, 1, 2].some((k) => improved.positions[i + k] !== meshed.positions[i + k])) moved++;
  }
  if (moved > 0) notes.push(`${moved} vertices were moved a little to give tetrahedra a better shape`);
  const isFlesh = (tet: number): boolean => (meshed.regions?.[tet] ?? FLESH_REGION) === FLESH_REGION;
  const slivers = new Set(findSlivers(improved, isFlesh));
  if (slivers.size === 0) return { ...improved, regions: meshed.regions };
  notes.push(`${slivers.size} flat tetrahedra of the flesh were left out`);
  return {
    positions: improved.positions,
    tets: improved.tets.filter((_, i) => !slivers.has(i >> 2)),
    regions: meshed.regions?.filter((_, tet) => !slivers.has(tet)),
  };
}

function makeSkin({ positions, triangles, uvs }: SeamedSurface, character: Character): CharacterSkin {
  const count = positions.length / 3;
  const shown = Float32Array.from(positions);
  const corners = Uint32Array.from(triangles);
  const { vertexOf } = weldVertices(positions, triangles);
  const [surface] = character.skin.surfaces;
  return {
    ...character.skin,
    positions: shown,
    normals: fillNormals(new Float32Array(positions.length), shown, corners, vertexOf),
    triangles: corners,
    bones: new Uint16Array(4 * count),
    boneWeights: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    surfaces: [{ ...surface, vertexCount: count, indexCount: triangles.length, uvs: uvs === undefined ? [] : [uvs] }],
  };
}

/** Meshers keep the corners of the skin, so that each finds a tetrahedron of its own; others take the nearest. */
function bindSkin(mesh: TetMesh, meshed: Float64Array, shown: Float32Array, skin: SeamedSurface): Embedding {
  const tetOfVertex = new Int32Array(meshed.length / 3).fill(-1);
  for (let i = 0; i < mesh.tets.length; i++) tetOfVertex[mesh.tets[i]] = i >> 2;
  const vertexAt = new Map<string, number>();
  for (let v = 0; v < tetOfVertex.length; v++) vertexAt.set(placeKey(meshed, v), v);
  const starts = Int32Array.from({ length: skin.positions.length / 3 }, (_, v) => {
    const vertex = vertexAt.get(placeKey(skin.positions, v));
    return vertex === undefined ? -1 : tetOfVertex[vertex];
  });
  return embedPoints(mesh, shown, starts);
}

/** Ten digits: what programs write and read again may differ in the last ones. */
function placeKey(positions: Float64Array, v: number): string {
  return [0, 1, 2].map((k) => (positions[3 * v + k] + 0).toPrecision(10)).join();
}
