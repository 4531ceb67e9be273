/**
 * The way of [Li2019 §4]: the closed surface of a skin and those of the bones in it are checked and put into one `.smesh`, which an
 * outside program fills with tetrahedra that keep to all of these surfaces. `two-surface-character.ts` makes a character of those.
 */
import { requireFinite, TendonError } from '../../../errors.js';
import type { JointFile } from '../../../io/joint-file.js';
import type { SurfaceData } from '../../../io/mesh-data.js';
import type { ObjPart } from '../../../io/surfaces/obj.js';
import type { TexturedSurface } from '../../../io/surfaces/surface-model.js';
import type { SmeshData, SmeshRegion } from '../../../io/tets/smesh.js';
import { surfaceVolume } from '../../../mesh/surface/surface.js';
import { type TriangleMesh, weldVertices } from '../../../mesh/surface/triangle-mesh.js';
import { WindingTree } from '../../../mesh/surface/winding-number.js';
import { largestExtent } from '../../../mesh/tets/tet-mesh.js';
import { listPieces, splitBones } from '../bones/split-bones.js';
import { findInteriorPoint } from './interior-point.js';
import { findCrossings, findFaults, joinSurfaces, type NamedSurface, throwFirst } from './surface-problems.js';

/** Region of the flesh; bone i of the joint file is region `i + FIRST_BONE_REGION`. */
export const FLESH_REGION = 1;
export const FIRST_BONE_REGION = 2;

/** Nearer than this share of the size counts as touching: no mesher makes anything sound of such a gap. */
const TOUCH_SHARE = 1e-9;

/** A skeleton file: its objects and groups name the bones. */
export type SkeletonData = SurfaceData & { readonly parts?: readonly ObjPart[] };

/** Surfaces that passed all checks, ready for a mesher. */
export interface TwoSurfaces {
  /** All facets with their surface as marker (0 skin, then bones), points in holes and regions. */
  readonly smesh: SmeshData;
  /** The joint file with the regions the bones get. */
  readonly joints: JointFile;
  /** The skin as given, for show. */
  readonly skin: TexturedSurface;
  /** Volume inside the skin, cavities left out [m^3]. */
  readonly volume: number;
  /** What was odd and how it was taken. */
  readonly notes: readonly string[];
  /** Facet of `smesh` -> what it is called in its file: 'triangle 12 of the skin'. */
  readonly facetName: (facet: number) => string;
}

/**
 * Checks a skin and a skeleton and prepares them for a mesher. Throws a `TendonError` that names the triangles where a surface is open,
 * crosses itself or another, faces both ways, or where a bone is not inside the flesh. `joints` may be left out: every named part of the
 * skeleton is a bone then.
 */
export function prepareTwoSurfaces(skin: TexturedSurface, skeleton?: SkeletonData, joints?: JointFile): TwoSurfaces {
  const notes: string[] = [];
  const bones = skeleton === undefined ? [] : splitBones(skeleton, joints);
  if (skeleton === undefined && joints !== undefined && joints.bones.length > 0) {
    throw new TendonError('E_EMPTY', 'skeleton', 0, 'the joint file has bones: give their surfaces with --skeleton');
  }
  const all = Int32Array.from({ length: skin.triangles.length / 3 }, (_, i) => i);
  const surfaces = [
    prepareSurface('skin', skin, all, notes),
    ...bones.map(({ name, facets }) => prepareSurface(`bone ${name}`, skeleton!, facets, notes)),
  ];
  throwFirst(surfaces.flatMap(findFaults));
  const tolerance = TOUCH_SHARE * largestExtent(surfaces[0].positions);
  throwFirst(findCrossings(surfaces, tolerance));
  const turned = surfaces.map((surface, i) => (i === 0 ? turnSkin(surface, notes) : turnBone(surface, notes)));
  throwFirst(findMisplaced(turned));
  const { mesh, surfaceOf, starts } = joinSurfaces(turned);
  const { holes, regionPoints } = placePoints(mesh, turned, starts);
  const entries = bones.map(({ name, kinematic }, i) => ({
    name,
    regions: [i + FIRST_BONE_REGION],
    ...(kinematic && { kinematic }),
  }));
  noteAnchors(turned[0], joints, notes);
  return {
    smesh: { ...mesh, regions: surfaceOf, holes, regionPoints },
    joints: { regions: [{ region: FLESH_REGION, name: 'flesh' }], bones: entries, joints: joints?.joints ?? [] },
    skin,
    volume: surfaceVolume(turned[0].triangles, turned[0].positions),
    notes,
    facetName: (facet) => {
      const surface = turned[surfaceOf[facet]];
      return `triangle ${surface.facets[facet - starts[surfaceOf[facet]]]} of the ${surface.label}`;
    },
  };
}

/** Joins corners at one place and leaves out what that makes of triangles without area, and vertices no triangle has. */
function prepareSurface(label: string, data: SurfaceData, facets: Int32Array, notes: string[]): NamedSurface {
  if (facets.length === 0) throw new TendonError('E_EMPTY', label, 0, 'a surface needs triangles');
  const corners = new Int32Array(3 * facets.length);
  const compactOf = new Map<number, number>();
  const positions: number[] = [];
  facets.forEach((facet, t) => {
    for (let k = 0; k < 3; k++) {
      const vertex = data.triangles[3 * facet + k];
      let compact = compactOf.get(vertex);
      if (compact === undefined) {
        compact = positions.length / 3;
        compactOf.set(vertex, compact);
        positions.push(data.positions[3 * vertex], data.positions[3 * vertex + 1], data.positions[3 * vertex + 2]);
      }
      corners[3 * t + k] = compact;
    }
  });
  requireFinite(positions, `${label}, coordinates`);
  const welded = weldVertices(positions, []);
  const triangles: number[] = [];
  const kept: number[] = [];
  for (let t = 0; t < facets.length; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => welded.vertexOf[corners[3 * t + k]]);
    if (a === b || b === c || c === a) continue;
    triangles.push(a, b, c);
    kept.push(facets[t]);
  }
  const lost = facets.length - kept.length;
  if (lost > 0) notes.push(`${lost} triangle(s) of the ${label} had two corners at one place and were left out`);
  return { label, positions: welded.positions, triangles: Int32Array.from(triangles), facets: Int32Array.from(kept) };
}

/** Pieces of a surface, and the volume each encloses: negative where it faces inward. */
function measurePieces(surface: NamedSurface): { facets: Int32Array; volume: number }[] {
  const same = Int32Array.from({ length: surface.positions.length / 3 }, (_, i) => i);
  return listPieces(same, surface.triangles).map((facets) => ({
    facets,
    volume: surfaceVolume(cornersOf(surface, facets), surface.positions),
  }));
}

function turnBone(surface: NamedSurface, notes: string[]): NamedSurface {
  const inward = measurePieces(surface).filter(({ volume }) => volume < 0);
  if (inward.length > 0) notes.push(`the ${surface.label} faced inward and was turned`);
  return turnFacets(
    surface,
    inward.map(({ facets }) => facets),
  );
}

/** Inward pieces inside an outward one are cavities; all others are turned outward. */
function turnSkin(surface: NamedSurface, notes: string[]): NamedSurface {
  const pieces = measurePieces(surface);
  const inward = pieces.filter(({ volume }) => volume < 0);
  const outward = pieces.filter(({ volume }) => volume >= 0).flatMap(({ facets }) => [...facets]);
  const tree = new WindingTree({ positions: surface.positions, triangles: cornersOf(surface, outward) });
  const wrong = inward.filter(({ facets }) => windingAt(tree, surface, facets[0]) < 0.5);
  if (wrong.length > 0) notes.push(`${wrong.length} piece(s) of the skin faced inward and were turned`);
  if (inward.length > wrong.length) notes.push(`the skin has ${inward.length - wrong.length} cavity(s) inside`);
  if (pieces.length > inward.length + 1) notes.push(`the skin has ${pieces.length - inward.length} separate pieces`);
  return turnFacets(
    surface,
    wrong.map(({ facets }) => facets),
  );
}

/** Bones, or pieces of them, that are outside the flesh or inside one another. Crossings have been ruled out. */
function findMisplaced(surfaces: readonly NamedSurface[]): TendonError[] {
  const [skin, ...bones] = surfaces;
  const problems: TendonError[] = [];
  const skinTree = new WindingTree(skin);
  const trees = bones.map((bone) => new WindingTree(bone));
  for (const bone of bones) {
    const pieces = measurePieces(bone);
    for (const piece of pieces) {
      const at = piece.facets[0];
      const numbers = Array.from(piece.facets, (t) => bone.facets[t]);
      const what = `the piece of the ${bone.label} with triangle ${numbers[0]}`;
      if (windingAt(skinTree, bone, at) < 0.5) {
        const advice = `${what} is outside the skin, or in a cavity of it: move it into the flesh`;
        problems.push(new TendonError('E_SURFACE', bone.label, numbers, advice));
      }
      const around = bones.find((other, i) => {
        if (other !== bone) return windingAt(trees[i], bone, at) > 0.5;
        const rest = pieces.filter((one) => one !== piece).flatMap(({ facets }) => [...facets]);
        return windingAt(new WindingTree({ ...bone, triangles: cornersOf(bone, rest) }), bone, at) > 0.5;
      });
      if (around === undefined) continue;
      const advice = `${what} is inside the ${around.label}: delete the inner one`;
      problems.push(new TendonError('E_SURFACE', bone.label, numbers, advice));
    }
  }
  return problems;
}

/** A point in every piece of every bone and of the flesh; cavities are holes. */
function placePoints(mesh: TriangleMesh, surfaces: readonly NamedSurface[], starts: readonly number[]) {
  const holes: number[] = [];
  const regionPoints: SmeshRegion[] = [];
  surfaces.forEach((surface, i) => {
    for (const { facets, volume } of measurePieces(surface)) {
      // Bones have nothing inside them; the skin has.
      const isHole = volume < 0;
      const { point, clearance } =
        i === 0
          ? findInteriorPoint(
              mesh,
              facets.map((t) => t + starts[0]),
              isHole ? -1 : 1,
            )
          : findInteriorPoint(surface, facets);
      if (!(clearance > 0)) {
        const numbers = Array.from(facets, (t) => surface.facets[t]);
        throw new TendonError('E_SURFACE', surface.label, numbers, `this piece of the ${surface.label} has no inside`);
      }
      if (isHole) holes.push(...point);
      else regionPoints.push({ point, region: i === 0 ? FLESH_REGION : i - 1 + FIRST_BONE_REGION });
    }
  });
  return { holes: Float64Array.from(holes), regionPoints };
}

function noteAnchors(skin: NamedSurface, joints: JointFile | undefined, notes: string[]): void {
  const tree = new WindingTree(skin);
  for (const { name, anchor } of joints?.joints ?? []) {
    if (tree.at(anchor[0], anchor[1], anchor[2]) < 0.5) notes.push(`the anchor of joint ${name} is outside the skin`);
  }
}

function windingAt(tree: WindingTree, { positions, triangles }: TriangleMesh, t: number): number {
  const [x, y, z] = [0, 1, 2].map((k) => positions[3 * triangles[3 * t] + k]);
  return tree.at(x, y, z);
}

function cornersOf({ triangles }: TriangleMesh, facets: ArrayLike<number>): Int32Array {
  return Int32Array.from({ length: 3 * facets.length }, (_, i) => triangles[3 * facets[Math.floor(i / 3)] + (i % 3)]);
}

function turnFacets(surface: NamedSurface, pieces: readonly Int32Array[]): NamedSurface {
  const triangles = surface.triangles.slice();
  for (const t of pieces.flatMap((facets) => [...facets])) {
    triangles[3 * t + 1] = surface.triangles[3 * t + 2];
    triangles[3 * t + 2] = surface.triangles[3 * t + 1];
  }
  return { ...surface, triangles };
}
