/**
 * Characters from files without a rig: a skin alone, a skin with a surface for each bone and a list of joints (the way of
 * [Li2019 §4], but filled by our own mesher), or a mesh of tetrahedra whose regions are the bones.
 */
import type { BodyDef, JointDef, Vec3 } from '../body/body-def.js';
import { TendonError } from '../errors.js';
import type { GltfModel } from '../io/gltf-model.js';
import type { JointEntry, JointFile } from '../io/joint-file.js';
import type { SurfaceData, TetData } from '../io/mesh-data.js';
import { DisjointSets } from '../mesh/disjoint-sets.js';
import { embedPoints } from '../mesh/embedding.js';
import { computeVertexNormals, extractSurface, gatherSurfacePositions } from '../mesh/surface.js';
import { largestExtent, meshVolume } from '../mesh/tet-mesh.js';
import { distanceToSurface } from '../mesh/triangle-distance.js';
import { turnOutward, weldVertices } from '../mesh/triangle-mesh.js';
import type { BoneInfo, Character, JointLimit } from './character.js';
import { FLESH } from './flesh.js';
import { pickBoneVertices } from './pick-bone-vertices.js';
import { type BuildOptions, buildRigged } from './rigged.js';

/** The surface of a bone. */
export interface BoneSurface extends SurfaceData {
  readonly name: string;
}

const NO_LOOK = { materials: [], textures: [], samplers: [], images: [] };

/** A character from a skin, and bones and joints where there are any. */
export function buildFromSkin(
  skin: SurfaceData,
  options: BuildOptions = {},
  skeleton: readonly BoneSurface[] = [],
  joints: readonly JointEntry[] = [],
): Character {
  const character = buildRigged(modelOfSurface(skin), options);
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
    return { name: surface.name, vertices: pickBoneVertices(body.positions, shape, taken, report.cell) };
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
  const material = options.material ?? FLESH;
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
  };
  if (file === undefined || file.bones.length === 0) return character;
  const taken = new Uint8Array(tets.positions.length / 3);
  const bones = file.bones.map(({ name, regions, kinematic }) => {
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
  return withBones(character, { ...body, bones }, file.joints);
}

/** Cuts a skeleton file into bones: by the names of its groups where `groups` has them, else by connected pieces. */
export function splitSkeleton(
  surface: SurfaceData,
  parts: readonly {
    readonly object: string;
    readonly group: string;
    readonly start: number;
    readonly count: number;
  }[] = [],
  file?: JointFile,
): BoneSurface[] {
  const named = parts.filter(({ object, group }) => object !== '' || group !== '');
  const wanted = file?.bones.filter(({ group }) => group !== undefined) ?? [];
  if (named.length > 0 && (wanted.length > 0 || file === undefined)) {
    const names =
      wanted.length > 0 ? wanted.map(({ name, group }) => ({ name, group: group as string })) : distinct(named);
    return names.map(({ name, group }) => {
      const own = named.filter((part) => part.object === group || part.group === group);
      if (own.length === 0)
        throw new TendonError('E_UNKNOWN', 'skeleton', group, `no group has the name of bone ${name}`);
      const triangles = own.flatMap(({ start, count }) => [
        ...surface.triangles.subarray(3 * start, 3 * (start + count)),
      ]);
      return { name, positions: surface.positions, triangles: Int32Array.from(triangles) };
    });
  }
  const pieces = splitPieces(surface);
  const given = file?.bones.map(({ name }) => name) ?? [];
  if (given.length > 0 && given.length !== pieces.length) {
    const advice = `the joint file names ${given.length} bones: give them groups, or as many pieces`;
    throw new TendonError('E_RANGE', 'skeleton', pieces.length, advice);
  }
  return pieces.map((triangles, i) => ({ name: given[i] ?? `bone ${i}`, positions: surface.positions, triangles }));
}

function distinct(
  parts: readonly { readonly object: string; readonly group: string }[],
): { name: string; group: string }[] {
  const names = [...new Set(parts.map(({ object, group }) => group || object))];
  return names.map((name) => ({ name, group: name }));
}

/** Connected pieces, in the order of their first triangles. */
function splitPieces(surface: SurfaceData): Int32Array[] {
  const { vertexOf } = weldVertices(surface.positions, surface.triangles);
  const sets = new DisjointSets(surface.positions.length / 3);
  const { triangles } = surface;
  for (let t = 0; t < triangles.length; t++) sets.unite(vertexOf[triangles[t - (t % 3)]], vertexOf[triangles[t]]);
  const pieces = new Map<number, number[]>();
  for (let t = 0; t < triangles.length; t += 3) {
    const root = sets.find(vertexOf[triangles[t]]);
    const piece = pieces.get(root) ?? [];
    piece.push(triangles[t], triangles[t + 1], triangles[t + 2]);
    pieces.set(root, piece);
  }
  return [...pieces.values()].map((piece) => Int32Array.from(piece));
}

/** The character with these bones, ordered from the first one outward along the joints. */
function withBones(character: Character, body: BodyDef, entries: readonly JointEntry[]): Character {
  const bones = body.bones ?? [];
  const indexOf = new Map(bones.map(({ name }, i) => [name, i]));
  const order: number[] = [];
  const parentOf = new Map<number, { parent: number; anchor: Vec3 }>();
  for (let start = 0; start < bones.length; start++) {
    if (order.includes(start)) continue;
    const head = order.length;
    order.push(start);
    for (let n = head; n < order.length; n++) {
      for (const entry of entries) {
        if (!entry.bones.includes(bones[order[n]].name)) continue;
        for (const name of entry.bones) {
          const other = indexOf.get(name);
          if (other === undefined || order.includes(other)) continue;
          parentOf.set(other, { parent: order[n], anchor: entry.anchor });
          order.push(other);
        }
      }
    }
  }
  const skeleton = order.map((bone, i): BoneInfo => {
    const middle = middleOf(body.positions, bones[bone].vertices);
    const link = parentOf.get(bone);
    const place = link?.anchor ?? middle;
    const tip = [0, 1, 2].map((k) => 2 * middle[k] - place[k]) as unknown as Vec3;
    const parent = link === undefined ? (i === 0 ? -1 : 0) : order.indexOf(link.parent);
    return { name: bones[bone].name, parent, place, tip, sources: [bones[bone].name] };
  });
  const joints = entries.map(({ limit: _a, secondLimit: _b, cone: _c, twist: _d, ...joint }): JointDef => joint);
  const limits = entries.flatMap((entry) => limitOf(entry));
  return { ...character, body: { ...body, bones: order.map((bone) => bones[bone]), joints }, skeleton, limits };
}

function limitOf({ name, limit, cone, twist }: JointEntry): JointLimit[] {
  if (limit !== undefined) return [{ joint: name, min: limit[0], max: limit[1], from: 'file' }];
  if (cone === undefined && twist === undefined) return [];
  const most = twist === undefined ? undefined : Math.max(Math.abs(twist[0]), Math.abs(twist[1]));
  return [
    {
      joint: name,
      ...(cone !== undefined && { swing: cone }),
      ...(most !== undefined && { twist: most }),
      from: 'file',
    },
  ];
}

function middleOf(positions: Float64Array, vertices: ArrayLike<number>): Vec3 {
  const sum = [0, 0, 0];
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) sum[k] += positions[3 * vertices[i] + k] / vertices.length;
  }
  return [sum[0], sum[1], sum[2]];
}

/** A model with nothing but one mesh. */
function modelOfSurface({ positions, triangles }: SurfaceData): GltfModel {
  const primitive = {
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(triangles),
    uvs: [],
    influenceCount: 0,
  };
  const node = {
    name: 'skin',
    parent: -1,
    children: new Uint32Array(0),
    translation: new Float64Array(3),
    rotation: Float64Array.of(0, 0, 0, 1),
    scale: Float64Array.of(1, 1, 1),
    mesh: 0,
  };
  return {
    meshes: [{ name: 'skin', primitives: [primitive] }],
    skins: [],
    nodes: [node],
    nodeOrder: Uint32Array.of(0),
    scenes: [{ name: '', nodes: Uint32Array.of(0) }],
    scene: 0,
    clips: [],
    look: NO_LOOK,
    extensions: [],
    asset: {},
    warnings: [],
  };
}
