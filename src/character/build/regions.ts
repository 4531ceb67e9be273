/**
 * What the flesh of a character is made of, place by place: regions by bone, by mesh, or by vertex group of the model, and a layer of
 * fat under the skin. Each tetrahedron has the material of the last wish that names it.
 */
import type { MaterialDef } from '../../body/body-def.js';
import { MATERIALS } from '../../body/materials.js';
import { NearestTriangles } from '../../collision/shapes/nearest-triangles.js';
import { TendonError } from '../../errors.js';
import { closestOnTriangle } from '../../mesh/surface/closest-on-triangle.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';
import type { BoneInfo, SkinSurface } from '../character.js';
import { chooseByName } from './match-names.js';

/** A material by name, or in full. */
export type MaterialWish = keyof typeof MATERIALS | MaterialDef;

/** Which part of the flesh is made of something else. Where several are named, all must hold; `*` stands for any letters. */
export interface RegionWish {
  /** Flesh around bones of this name, or bones that joints of this name became. */
  readonly bone?: string;
  /** Flesh under meshes of this name. */
  readonly mesh?: string;
  /** Flesh under vertices where this group, an attribute `_NAME` of the file, is above one half. */
  readonly group?: string;
  readonly material: MaterialWish;
}

/** What regions are found in. */
export interface RegionSite {
  readonly mesh: TetMesh;
  /** Bone each vertex of the mesh is nearest to. */
  readonly partOfVertex: Int32Array;
  readonly skeleton: readonly BoneInfo[];
  /** Vertices of each bone. */
  readonly boneVertices: readonly ArrayLike<number>[];
  /** The skin, welded and facing outward, the welded vertex of each vertex that is shown, and the pieces of these. */
  readonly outer: TriangleMesh;
  readonly vertexOf: Int32Array;
  readonly surfaces: readonly SkinSurface[];
  /** Groups of each piece, by name: one number per vertex. */
  readonly groups: readonly Readonly<Record<string, Float32Array>>[];
  /** Length of the body [m]. */
  readonly size: number;
}

/** Softness of a fat layer: it moves visibly at the speed of a walk, and keeps its shape under its own weight. */
export const FAT: MaterialDef = { ...MATERIALS.fat, model: 'stableNeoHookean' };
/** Depth of a fat layer where none is given, as a share of the body's size: 5 cm of a human. */
const FAT_DEPTH = 0.028;
/** A vertex belongs to a group from this weight on. */
const IN_GROUP = 0.5;

/** The material of a wish. */
export function resolveMaterial(wish: MaterialWish, place: string): MaterialDef {
  if (typeof wish !== 'string') return wish;
  if (Object.hasOwn(MATERIALS, wish)) return { ...MATERIALS[wish], model: 'stableNeoHookean' };
  throw new TendonError('E_UNKNOWN', place, wish, `use ${Object.keys(MATERIALS).join(', ')}, or a whole material`);
}

/** Materials and the region of each tetrahedron; no regions where there is only one material. `fat`: a layer, true or its depth [m]. */
export function assignRegions(
  base: MaterialDef,
  wishes: readonly RegionWish[],
  fat: boolean | number,
  site: RegionSite,
): { readonly materials: readonly MaterialDef[]; readonly regions?: Int32Array } {
  if (wishes.length === 0 && fat === false) return { materials: [base] };
  const { tets } = site.mesh;
  const near = nearestSkin(site);
  const regions = new Int32Array(tets.length / 4);
  const materials = [base];
  if (fat !== false) {
    const depth = fat === true ? FAT_DEPTH * site.size : fat;
    if (!(depth > 0)) throw new TendonError('E_RANGE', 'fat', fat, 'the depth of a fat layer is a positive number [m]');
    materials.push(FAT);
    const hard = hardVertices(site);
    for (let t = 0; t < regions.length; t++) if (near.depths[t] < depth && !touches(tets, t, hard)) regions[t] = 1;
  }
  wishes.forEach((wish, i) => {
    const place = `regions/${i}`;
    const holds = matcher(wish, site, near.vertices, place);
    materials.push(resolveMaterial(wish.material, `${place}/material`));
    let found = 0;
    for (let t = 0; t < regions.length; t++) {
      if (!holds(t)) continue;
      regions[t] = materials.length - 1;
      found++;
    }
    if (found === 0) throw new TendonError('E_EMPTY', place, 0, 'no flesh is in this region');
  });
  return { materials, regions };
}

/** A test of tetrahedra for a wish. */
function matcher(wish: RegionWish, site: RegionSite, nearest: Int32Array, place: string): (tet: number) => boolean {
  const { bone, mesh, group } = wish;
  if (bone === undefined && mesh === undefined && group === undefined) {
    throw new TendonError('E_EMPTY', place, undefined, 'name a bone, a mesh or a vertex group');
  }
  const tests: ((tet: number) => boolean)[] = [];
  if (bone !== undefined) {
    const names = site.skeleton.map(({ name, sources }) => [name, ...sources]);
    const chosen = chooseByName(bone, names, `${place}/bone`);
    tests.push((tet) => chosen.has(boneOfTet(site, tet)));
  }
  if (mesh !== undefined) {
    const chosen = chooseByName(
      mesh,
      site.surfaces.map(({ name }) => [name]),
      `${place}/mesh`,
    );
    tests.push((tet) => chosen.has(surfaceOf(site.surfaces, nearest[tet])));
  }
  if (group !== undefined) {
    const all = [...new Set(site.groups.flatMap((one) => Object.keys(one)))];
    if (!all.includes(group)) {
      throw new TendonError('E_UNKNOWN', `${place}/group`, group, `the groups are: ${all.join(', ') || 'none'}`);
    }
    tests.push((tet) => {
      const piece = surfaceOf(site.surfaces, nearest[tet]);
      const weights = site.groups[piece]?.[group];
      return weights !== undefined && weights[nearest[tet] - site.surfaces[piece].vertexStart] > IN_GROUP;
    });
  }
  return (tet) => tests.every((test) => test(tet));
}

/** The part most corners of a tetrahedron are nearest to. */
function boneOfTet({ mesh, partOfVertex }: RegionSite, tet: number): number {
  const parts = [0, 1, 2, 3].map((c) => partOfVertex[mesh.tets[4 * tet + c]]);
  return parts.reduce((best, part) => (count(parts, part) > count(parts, best) ? part : best), parts[0]);
}

function count(parts: readonly number[], part: number): number {
  return parts.filter((other) => other === part).length;
}

function surfaceOf(surfaces: readonly SkinSurface[], vertex: number): number {
  return surfaces.findIndex(
    ({ vertexStart, vertexCount }) => vertex >= vertexStart && vertex < vertexStart + vertexCount,
  );
}

/** Per tetrahedron: a vertex of the shown skin nearest to its middle, and how deep the middle is under the skin [m]. */
function nearestSkin({ mesh, outer, vertexOf }: RegionSite): { vertices: Int32Array; depths: Float64Array } {
  const shown = new Int32Array(outer.positions.length / 3).fill(-1);
  vertexOf.forEach((welded, v) => {
    if (shown[welded] < 0) shown[welded] = v;
  });
  const tree = new NearestTriangles(outer);
  const { positions, tets } = mesh;
  const vertices = new Int32Array(tets.length / 4);
  const depths = new Float64Array(tets.length / 4);
  const way = new Float64Array(3);
  for (let t = 0; t < vertices.length; t++) {
    const p = [0, 1, 2].map((k) => [0, 1, 2, 3].reduce((sum, c) => sum + positions[3 * tets[4 * t + c] + k] / 4, 0));
    const triangle = tree.find(p[0], p[1], p[2], Number.POSITIVE_INFINITY);
    const [a, b, c] = [0, 1, 2].map((k) => outer.triangles[3 * triangle + k]);
    const far = Number.POSITIVE_INFINITY;
    depths[t] = Math.sqrt(closestOnTriangle(outer.positions, a, b, c, p[0], p[1], p[2], far, way));
    const away = (v: number) => [0, 1, 2].reduce((sum, k) => sum + Math.abs(outer.positions[3 * v + k] - p[k]), 0);
    vertices[t] = shown[[b, c].reduce((best, v) => (away(v) < away(best) ? v : best), a)];
  }
  return { vertices, depths };
}

/** 1 for vertices of bones. */
function hardVertices({ mesh, boneVertices }: RegionSite): Uint8Array {
  const hard = new Uint8Array(mesh.positions.length / 3);
  for (const vertices of boneVertices) for (let i = 0; i < vertices.length; i++) hard[vertices[i]] = 1;
  return hard;
}

/** Whether most of a tetrahedron belongs to a bone. */
function touches(tets: Int32Array, t: number, hard: Uint8Array): boolean {
  return hard[tets[4 * t]] + hard[tets[4 * t + 1]] + hard[tets[4 * t + 2]] + hard[tets[4 * t + 3]] > 1;
}
