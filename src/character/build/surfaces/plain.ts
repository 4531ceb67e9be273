/**
 * Characters from files without a rig: a skin alone, a skin with a surface for each bone and a list of joints (the way of
 * [Li2019 §4], but filled by our own mesher), or a mesh of tetrahedra whose regions are the bones.
 */
import type { BodyDef, BoneDef, Vec3 } from '../../../body/body-def.js';
import { TendonError } from '../../../errors.js';
import type { JointEntry, JointFile } from '../../../io/joint-file.js';
import type { SurfaceData, TetData } from '../../../io/mesh-data.js';
import type { ObjPart } from '../../../io/surfaces/obj.js';
import { surfaceModel, type TexturedSurface } from '../../../io/surfaces/surface-model.js';
import { embedPoints } from '../../../mesh/embedding.js';
import { computeVertexNormals, extractSurface, gatherSurfacePositions } from '../../../mesh/surface/surface.js';
import { distanceToSurface } from '../../../mesh/surface/triangle-distance.js';
import { turnOutward, weldVertices } from '../../../mesh/surface/triangle-mesh.js';
import { largestExtent, meshVolume } from '../../../mesh/tets/tet-mesh.js';
import type { Character } from '../../character.js';
import { pickBoneVertices } from '../bones/pick-bone-vertices.js';
import { splitBones } from '../bones/split-bones.js';
import { withBones } from '../bones/with-bones.js';
import { FLESH } from '../flesh.js';
import { resolveMaterial } from '../regions.js';
import { type BuildOptions, buildRigged } from '../rigged.js';

/** The surface of a bone. */
export interface BoneSurface extends SurfaceData {
  readonly name: string;
  readonly kinematic?: boolean;
}

const NO_LOOK = { materials: [], textures: [], samplers: [], images: [] };

/** A character from a skin, and bones and joints where there are any. */
export function buildFromSkin(
  skin: TexturedSurface,
  options: BuildOptions = {},
  skeleton: readonly BoneSurface[] = [],
  joints: readonly JointEntry[] = [],
): Character {
  const character = buildRigged(surfaceModel(skin, 'skin'), options);
  if (skeleton.length === 0) {
    if (joints.length > 0) throw new TendonError('E_EMPTY', 'skeleton', 0, 'joints need the bones they connect');
    return character;
  }
  const { body, report } = character;
  const taken = new Uint8Array(body.positions.length / 3);
  const scale = report.unitScale;
  const bones = skeleton.map((surface) => {
    const welded = weldVertices(
      surface.positions.map((x) => x * scale),
      surface.triangles,
    );
    const distance = distanceToSurface(turnOutward(welded).mesh);
    const shape = { distance, low: [0, 0, 0] as const, high: [0, 0, 0] as const };
    const vertices = pickBoneVertices(body.positions, shape, taken, report.cell);
    return { name: surface.name, vertices, ...(surface.kinematic && { kinematic: true }) };
  });
  const scaled = joints.map((joint) => ({ ...joint, anchor: joint.anchor.map((x) => x * scale) as unknown as Vec3 }));
  return withBones(character, { ...body, bones }, scaled);
}

/** A character from tetrahedra: regions that the joint file calls bones are rigid, the rest is flesh. */
export function buildFromTets(tets: TetData, options: BuildOptions = {}, file?: JointFile): Character {
  const surface = extractSurface(tets);
  const places = new Float64Array(3 * surface.vertices.length);
  gatherSurfacePositions(surface, tets.positions, places);
  const normals = new Float32Array(places.length);
  computeVertexNormals(surface.triangles, places, normals);
  const count = places.length / 3;
  const volume = meshVolume(tets);
  const material = resolveMaterial(options.material ?? FLESH, 'material');
  const body: BodyDef = {
    name: options.name ?? 'character',
    positions: tets.positions,
    tets: tets.tets,
    bones: [],
    joints: [],
    materials: [material],
  };
  const character: Character = {
    body,
    skeleton: [],
    limits: [],
    skin: {
      positions: Float32Array.from(places),
      normals,
      triangles: Uint32Array.from(surface.triangles),
      bones: new Uint16Array(4 * count),
      boneWeights: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
      surfaces: [
        {
          name: body.name,
          vertexStart: 0,
          vertexCount: count,
          indexStart: 0,
          indexCount: surface.triangles.length,
          uvs: [],
        },
      ],
      look: NO_LOOK,
    },
    embedding: embedPoints(tets, Float32Array.from(places)),
    clips: [],
    report: {
      notes: [],
      unitScale: 1,
      cell: largestExtent(tets.positions) / 20,
      skinVolume: volume,
      mass: volume * material.density,
      mergedJoints: [],
    },
    smoothed: options.smoothed ?? true,
  };
  if (file === undefined || file.bones.length === 0) return character;
  return withBones(character, { ...body, bones: bonesOfRegions(tets, file) }, file.joints);
}

/** The bones that a joint file makes of regions; a vertex of two regions belongs to the first. */
function bonesOfRegions(tets: TetData, file: JointFile): BoneDef[] {
  const taken = new Uint8Array(tets.positions.length / 3);
  return file.bones.map(({ name, regions, kinematic }) => {
    const vertices: number[] = [];
    for (let t = 0; t < tets.tets.length; t++) {
      const vertex = tets.tets[t];
      if (!regions.includes(tets.regions?.[t >> 2] ?? 0) || taken[vertex] === 1) continue;
      taken[vertex] = 1;
      vertices.push(vertex);
    }
    const list = Int32Array.from(vertices).sort();
    return kinematic ? { name, vertices: list, kinematic } : { name, vertices: list };
  });
}

/** Cuts a skeleton file into bones: see `splitBones`. */
export function splitSkeleton(surface: SurfaceData, parts: readonly ObjPart[] = [], file?: JointFile): BoneSurface[] {
  const { positions, triangles } = surface;
  return splitBones({ positions, triangles, parts }, file).map(({ name, facets, kinematic }) => ({
    name,
    positions,
    triangles: Int32Array.from(
      { length: 3 * facets.length },
      (_, i) => triangles[3 * facets[Math.floor(i / 3)] + (i % 3)],
    ),
    ...(kinematic && { kinematic }),
  }));
}
