/** The model of a sheet: vertices with a third of the mass of the triangles around them, both sides of the triangles as its outside, no tets. */
import { MAX_POISSON_RATIO } from '../../constants.js';
import { requireFinite, requireInRange, requireList, TendonError } from '../../errors.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import { type Bones, buildBones } from '../bones.js';
import { buildJoints } from '../joints/joints.js';
import { type Model, NO_TETS } from '../model.js';
import type { ClothDef } from './cloth-def.js';
import { buildSheet, type Sheet } from './sheet.js';

/** Checks a description and builds the model, or throws a TendonError that names what is wrong. */
export function buildClothModel(def: ClothDef, place = 'body'): Model {
  const positions = readPositions(def, place);
  const vertexCount = positions.length / 3;
  const triangles = readTriangles(def, vertexCount, place);
  requireThickness(def, largestExtent(positions), place);
  requireInRange(def.material?.youngModulus, 1e-3, 1e12, `${place}/material/youngModulus`);
  requireInRange(def.material.poissonRatio, 0, MAX_POISSON_RATIO, `${place}/material/poissonRatio`);
  requireInRange(def.material.density, 1e-6, 1e6, `${place}/material/density`);
  if (def.material.bendingStiffness !== undefined) {
    requireInRange(def.material.bendingStiffness, 0, 1e12, `${place}/material/bendingStiffness`);
  }
  const sheet = buildSheet(def, positions, triangles, place);
  const masses = massesOf(sheet, vertexCount, def.material.density);
  const all = Int32Array.from({ length: vertexCount }, (_, v) => v);
  const bones = buildBones(def.bones ?? [], all, positions, masses, `${place}/bones`);
  return {
    kind: 'cloth',
    name: def.name,
    vertexCount,
    positions,
    masses,
    totalMass: masses.reduce((sum, mass) => sum + mass, 0),
    size: largestExtent(positions),
    ...NO_TETS,
    sheet,
    bones,
    joints: buildJoints(def.joints ?? [], bones, `${place}/joints`),
    pinned: readPins(def, vertexCount, bones, place),
    surface: { triangles, vertices: all },
    interior: undefined,
    vertexMap: all,
  };
}

function readPositions(def: ClothDef, place: string): Float64Array {
  if (!def.positions?.length) throw new TendonError('E_EMPTY', `${place}/positions`, 0, 'a sheet needs vertices');
  requireFinite(def.positions, `${place}/positions`);
  if (def.positions.length % 3 !== 0) {
    throw new TendonError('E_RANGE', `${place}/positions`, def.positions.length, 'three numbers per vertex');
  }
  return Float64Array.from(def.positions);
}

/** The triangles; every vertex must be in one, or it would weigh nothing. */
function readTriangles(def: ClothDef, vertexCount: number, place: string): Int32Array {
  if (!def.triangles?.length) throw new TendonError('E_EMPTY', `${place}/triangles`, 0, 'a sheet needs triangles');
  if (def.triangles.length % 3 !== 0) {
    throw new TendonError('E_RANGE', `${place}/triangles`, def.triangles.length, 'three vertices per triangle');
  }
  const used = new Uint8Array(vertexCount);
  for (let i = 0; i < def.triangles.length; i++) {
    const vertex = def.triangles[i];
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < vertexCount)) {
      throw new TendonError('E_INDEX', `${place}/triangles/${i}`, vertex, `the sheet has ${vertexCount} vertices`);
    }
    used[vertex] = 1;
  }
  const loose = used.indexOf(0);
  if (loose >= 0) {
    throw new TendonError('E_SURFACE', `${place}/positions/${loose * 3}`, loose, 'the vertex is in no triangle');
  }
  return Int32Array.from(def.triangles);
}

function requireThickness(def: ClothDef, size: number, place: string): void {
  if (typeof def.thickness === 'number' && def.thickness > 0) {
    requireInRange(def.thickness, 1e-7, size, `${place}/thickness`);
    return;
  }
  const advice = 'a sheet needs a thickness [m]: mass, stiffness and the distance things stop at follow from it';
  throw new TendonError('E_RANGE', `${place}/thickness`, def.thickness, advice);
}

function massesOf({ triangles, areas, thickness }: Sheet, vertexCount: number, density: number): Float64Array {
  const masses = new Float64Array(vertexCount);
  for (let i = 0; i < triangles.length; i++) {
    masses[triangles[i]] += (density * thickness * areas[Math.floor(i / 3)]) / 3;
  }
  return masses;
}

function readPins(def: ClothDef, vertexCount: number, bones: Bones, place: string): Uint8Array {
  const pinned = new Uint8Array(vertexCount);
  const pins = requireList(def.pins ?? [], `${place}/pins`);
  for (let i = 0; i < pins.length; i++) {
    if (!(Number.isInteger(pins[i]) && pins[i] >= 0 && pins[i] < vertexCount)) {
      throw new TendonError('E_INDEX', `${place}/pins/${i}`, pins[i], 'the sheet has no such vertex');
    }
    if (bones.ofVertex[pins[i]] >= 0) {
      const advice = `the vertex belongs to bone ${bones.names[bones.ofVertex[pins[i]]]}: pin the bone with a joint instead`;
      throw new TendonError('E_SHARED_VERTEX', `${place}/pins/${i}`, pins[i], advice);
    }
    pinned[pins[i]] = 1;
  }
  return pinned;
}
