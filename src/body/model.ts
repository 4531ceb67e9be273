/**
 * The model of a body: what never changes once it is built, as flat frozen arrays. Several bodies of a world may share
 * one model, and with it one factorisation.
 */
import { requireFinite, requireGiven, requireList, TendonError } from '../errors.js';
import { determinantMat3 } from '../math/mat3.js';
import { invertMat3 } from '../math/mat3-inverse.js';
import { extractSurface, type Surface } from '../mesh/surface/surface.js';
import { type RepairReport, repairTetMesh } from '../mesh/tets/repair-tet-mesh.js';
import { largestExtent } from '../mesh/tets/tet-mesh.js';
import type { BodyDef } from './body-def.js';
import { type Bones, buildBones } from './bones.js';
import { buildJoints, type Joints } from './joints/joints.js';
import type { RigidShape } from './kinds/rigid-def.js';
import type { Sheet } from './kinds/sheet.js';
import { lameOf } from './materials.js';
import { buildMuscles, type Muscles } from './muscles.js';

/** What fills a body: flesh of tets, nothing that gives way, a sheet, a lattice of cells, or a layer of skin over bones. */
export type BodyKind = 'flesh' | 'rigid' | 'cloth' | 'lattice' | 'layer';

/** A rigid part: its shape, where the shape's frame is at rest [m], and how it is turned, unit quaternion x, y, z, w. */
export interface Solid {
  readonly shape: RigidShape;
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

/** What tells inside from outside: the tets of flesh, or the closed surface of each rigid part (offsets into the surface's triangles) and its shape. */
export type Interior =
  | { readonly kind: 'tets' }
  | { readonly kind: 'parts'; readonly triangleStart: Int32Array; readonly solids: readonly Solid[] };

/** What is known of a body before it moves. Vertices are those of the repaired mesh; `report` maps them to the given ones. */
export interface Model {
  readonly kind: BodyKind;
  readonly name: string;
  readonly vertexCount: number;
  /** Rest positions, 3 per vertex [m]. */
  readonly positions: Float64Array;
  /** Mass of each vertex, a quarter of that of the tets around it [kg]. */
  readonly masses: Float64Array;
  /** Sum of the masses [kg]. */
  readonly totalMass: number;
  /** Longest side of the box around the rest shape [m]; tolerances are relative to it. */
  readonly size: number;
  /** Tets, for flesh; the arrays of other kinds of body are empty. */
  readonly tetCount: number;
  /** Four vertices per tet. */
  readonly tets: Int32Array;
  /** Rest volume of each tet [m³]. */
  readonly volumes: Float64Array;
  /** Inverse of the rest edge matrix of each tet (columns are edges from its first vertex), 9 per tet, row major [1/m]. */
  readonly inverseRest: Float64Array;
  /** Lamé parameters of each tet [Pa]. */
  readonly mu: Float64Array;
  readonly lambda: Float64Array;
  /** Weight of |F - R|²/2 in the constant matrix, per tet [Pa]. */
  readonly weight: Float64Array;
  /** 1 where the material is stable neo-Hookean, 0 for the corotated family. */
  readonly neoHookean: Uint8Array;
  /** Rest shape and stiffness of a sheet, for cloth. */
  readonly sheet?: Sheet;
  readonly bones: Bones;
  readonly joints: Joints;
  /** Undefined where there are none. */
  readonly muscles?: Muscles;
  /** 1 for flesh vertices that never move. */
  readonly pinned: Uint8Array;
  /** The outside: triangles over vertices, anticlockwise from outside; closed, or a sheet. */
  readonly surface: Surface;
  /** How to tell whether a place is inside the body; undefined for what has no inside. */
  readonly interior: Interior | undefined;
  /** Vertex of the model for each vertex of the description, -1 for those that were left out. */
  readonly vertexMap: Int32Array;
  /** What had to be repaired, for flesh. */
  readonly report?: RepairReport;
}

/** What a model has of tets where it has none. */
export const NO_TETS = {
  tetCount: 0,
  tets: new Int32Array(0),
  volumes: new Float64Array(0),
  inverseRest: new Float64Array(0),
  mu: new Float64Array(0),
  lambda: new Float64Array(0),
  weight: new Float64Array(0),
  neoHookean: new Uint8Array(0),
};

/** Checks a description and builds the model, or throws a TendonError that names what is wrong. */
export function buildModel(def: BodyDef, place = 'body'): Model {
  requireGiven(def.positions, `${place}/positions`);
  requireGiven(def.tets, `${place}/tets`);
  requireList(def.materials, `${place}/materials`);
  const { mesh, report } = repairTetMesh(def, { place });
  const vertexCount = mesh.positions.length / 3;
  const tetCount = mesh.tets.length / 4;
  const material = materialsOfTets(def, report, tetCount, place);
  const volumes = new Float64Array(tetCount);
  const inverseRest = new Float64Array(tetCount * 9);
  const masses = new Float64Array(vertexCount);
  const shares = new Float64Array(vertexCount);
  const edges = new Float64Array(9);
  for (let tet = 0; tet < tetCount; tet++) {
    const corner = mesh.tets.subarray(tet * 4, tet * 4 + 4);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) {
        edges[i * 3 + k] = mesh.positions[corner[k + 1] * 3 + i] - mesh.positions[corner[0] * 3 + i];
      }
    }
    if (!invertMat3(inverseRest, tet * 9, edges, 0)) {
      throw new TendonError('E_DEGENERATE_TET', `${place}/tets/${tet * 4}`, tet, 'the tetrahedron has no volume');
    }
    volumes[tet] = determinantMat3(edges, 0) / 6;
    for (let k = 0; k < 4; k++) {
      masses[corner[k]] += (material.density[tet] * volumes[tet]) / 4;
      shares[corner[k]] += volumes[tet] / 4;
    }
  }
  requireFinite(masses, `${place}/masses`);
  const bones = buildBones(def.bones ?? [], report.vertexMap, mesh.positions, masses, `${place}/bones`, shares);
  const joints = buildJoints(def.joints ?? [], bones, `${place}/joints`);
  const muscles = def.muscles && buildMuscles(def.muscles, bones, joints, keptTets(def, report), `${place}/muscles`);
  return {
    kind: 'flesh',
    name: def.name,
    vertexCount,
    positions: mesh.positions,
    masses,
    totalMass: masses.reduce((sum, mass) => sum + mass, 0),
    size: largestExtent(mesh.positions),
    tetCount,
    tets: mesh.tets,
    volumes,
    inverseRest,
    mu: material.mu,
    lambda: material.lambda,
    weight: material.weight,
    neoHookean: material.neoHookean,
    bones,
    joints,
    ...(muscles && { muscles }),
    pinned: pinnedVertices(def, report, vertexCount, bones, place),
    surface: extractSurface(mesh),
    interior: { kind: 'tets' },
    vertexMap: report.vertexMap,
    report,
  };
}

/** Where the tets of the description are in the model: those that were left out move the others forward. */
function keptTets(def: BodyDef, report: RepairReport) {
  const dropped = new Set(report.droppedTets);
  const givenCount = def.tets.length / 4;
  const tets = new Int32Array(givenCount).fill(-1);
  for (let given = 0, tet = 0; given < givenCount; given++) if (!dropped.has(given)) tets[given] = tet++;
  return { givenCount, tetOf: (given: number) => tets[given] };
}

function materialsOfTets(def: BodyDef, report: RepairReport, tetCount: number, place: string) {
  if (def.materials.length === 0) {
    throw new TendonError('E_EMPTY', `${place}/materials`, 0, 'a body needs a material');
  }
  const lames = def.materials.map((material, i) => lameOf(material, `${place}/materials/${i}`));
  const mu = new Float64Array(tetCount);
  const lambda = new Float64Array(tetCount);
  const weight = new Float64Array(tetCount);
  const density = new Float64Array(tetCount);
  const neoHookean = new Uint8Array(tetCount);
  const dropped = new Set(report.droppedTets);
  const givenCount = def.tets.length / 4;
  if (def.regions && def.regions.length !== givenCount) {
    throw new TendonError('E_RANGE', `${place}/regions`, def.regions.length, `one region per tet: ${givenCount}`);
  }
  for (let given = 0, tet = 0; given < givenCount; given++) {
    if (dropped.has(given)) continue;
    const region = def.regions?.[given] ?? 0;
    if (!(region in lames)) {
      throw new TendonError('E_INDEX', `${place}/regions/${given}`, region, 'the body has no such material');
    }
    mu[tet] = lames[region].mu;
    lambda[tet] = lames[region].lambda;
    weight[tet] = lames[region].weight;
    density[tet] = def.materials[region].density;
    neoHookean[tet] = def.materials[region].model === 'stableNeoHookean' ? 1 : 0;
    tet++;
  }
  return { mu, lambda, weight, density, neoHookean };
}

function pinnedVertices(
  def: BodyDef,
  report: RepairReport,
  vertexCount: number,
  bones: Bones,
  place: string,
): Uint8Array {
  const pinned = new Uint8Array(vertexCount);
  const pins = requireList(def.pins ?? [], `${place}/pins`);
  for (let i = 0; i < pins.length; i++) {
    if (!(Number.isInteger(pins[i]) && pins[i] >= 0 && pins[i] < report.vertexMap.length)) {
      throw new TendonError('E_INDEX', `${place}/pins/${i}`, pins[i], 'the body has no such vertex');
    }
    const vertex = report.vertexMap[pins[i]];
    if (vertex < 0) continue;
    if (bones.ofVertex[vertex] >= 0) {
      const advice = `the vertex belongs to bone ${bones.names[bones.ofVertex[vertex]]}: pin the bone with a joint instead`;
      throw new TendonError('E_SHARED_VERTEX', `${place}/pins/${i}`, pins[i], advice);
    }
    pinned[vertex] = 1;
  }
  return pinned;
}
