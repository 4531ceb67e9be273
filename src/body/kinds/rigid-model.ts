/** The model of a rigid body: one bone per part, surfaces to touch with, mass and inertia exact for the shapes, and no tets. */
import { requireFinite, requireInRange, requireList, requireNumbers, TendonError } from '../../errors.js';
import { eigenSymmetricMat3 } from '../../math/eigen3.js';
import { rotateVec3 } from '../../math/quat.js';
import {
  boxMassProperties,
  capsuleMassProperties,
  cylinderMassProperties,
  type MassProperties,
  meshMassProperties,
  torusMassProperties,
} from '../../mesh/mass-properties.js';
import {
  boxSurface,
  capsuleSurface,
  cylinderSurface,
  sphereSurface,
  torusSurface,
} from '../../mesh/surface/solid-surfaces.js';
import { countOpenEdges, type TriangleMesh, turnOutward } from '../../mesh/surface/triangle-mesh.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import { buildBones } from '../bones.js';
import { buildJoints } from '../joints/joints.js';
import { type Model, NO_TETS, type Solid } from '../model.js';
import { buildMuscles, NO_KEPT_TETS } from '../muscles.js';
import type { RigidBodyDef, RigidPartDef, RigidShape } from './rigid-def.js';

/** Density of parts that have none [kg/m³]: water's. */
const DEFAULT_DENSITY = 1000;
/**
 * Signs of four points that stand for a solid's mass: a quarter each, at the centroid plus or minus the root mean square extent
 * along each principal axis. Total, centre and second moment are those of the solid, so its motion is too.
 */
const MASS_POINTS = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];

/** Checks a description and builds the model, or throws a TendonError that names what is wrong. */
export function buildRigidModel(def: RigidBodyDef, path = 'body'): Model {
  if (requireList(def.parts, `${path}/parts`).length === 0)
    throw new TendonError('E_EMPTY', `${path}/parts`, 0, 'a rigid body needs a part');
  const positions: number[] = [];
  const masses: number[] = [];
  const triangles: number[] = [];
  const triangleStart = new Int32Array(def.parts.length + 1);
  const solids: Solid[] = [];
  const bones = def.parts.map((part, i) => {
    const first = masses.length;
    solids[i] = addPart(part, `${path}/parts/${i}`, positions, masses, triangles);
    triangleStart[i + 1] = triangles.length / 3;
    const vertices = Array.from({ length: masses.length - first }, (_, n) => first + n);
    return { name: part.name, vertices, kinematic: part.kinematic };
  });
  const rest = Float64Array.from(positions);
  const vertexCount = masses.length;
  const all = Int32Array.from({ length: vertexCount }, (_, v) => v);
  const built = buildBones(bones, all, rest, Float64Array.from(masses), `${path}/parts`);
  const joints = buildJoints(def.joints ?? [], built, `${path}/joints`);
  const muscles = def.muscles && buildMuscles(def.muscles, built, joints, NO_KEPT_TETS, `${path}/muscles`);
  return {
    kind: 'rigid',
    name: def.name,
    vertexCount,
    positions: rest,
    masses: Float64Array.from(masses),
    totalMass: masses.reduce((sum, mass) => sum + mass, 0),
    size: largestExtent(rest),
    ...NO_TETS,
    bones: built,
    joints,
    ...(muscles && { muscles }),
    pinned: new Uint8Array(vertexCount),
    surface: compactSurface(triangles, vertexCount),
    interior: { kind: 'parts', triangleStart, solids },
    vertexMap: all,
  };
}

/** Appends the surface of a part, which weighs nothing, and the four points that carry its mass; returns the part as it stands. */
function addPart(part: RigidPartDef, path: string, positions: number[], masses: number[], triangles: number[]): Solid {
  const { mesh, spread } = solidOf(part.shape, `${path}/shape`);
  const place = part.position ?? [0, 0, 0];
  requireNumbers(place, 3, `${path}/position`);
  const turn = part.rotation ?? [0, 0, 0, 1];
  requireNumbers(turn, 4, `${path}/rotation`);
  const length = Math.sqrt(turn.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 1e-6)) throw new TendonError('E_RANGE', `${path}/rotation`, length, 'a quaternion needs a length');
  const unit = turn.map((value) => value / length);
  const first = masses.length;
  const moved = new Float64Array(3);
  const append = (point: ArrayLike<number>, at: number, mass: number) => {
    rotateVec3(moved, 0, unit, 0, point, at);
    positions.push(moved[0] + place[0], moved[1] + place[1], moved[2] + place[2]);
    masses.push(mass);
  };
  for (let v = 0; v < mesh.positions.length; v += 3) append(mesh.positions, v, 0);
  for (const corner of mesh.triangles) triangles.push(first + corner);
  const mass =
    part.mass === undefined
      ? spread.volume * requireInRange(part.density ?? DEFAULT_DENSITY, 1e-6, 1e9, `${path}/density`)
      : requireInRange(part.mass, 1e-12, 1e12, `${path}/mass`);
  const points = massPoints(spread);
  for (let n = 0; n < 4; n++) append(points, n * 3, mass / 4);
  return { shape: part.shape, position: place, rotation: unit };
}

/** Four points that are spread as the solid is. */
function massPoints({ volume, centre, secondMoment }: MassProperties): Float64Array {
  const values = new Float64Array(3);
  const vectors = new Float64Array(9);
  eigenSymmetricMat3(values, 0, vectors, 0, secondMoment, 0);
  const points = new Float64Array(12);
  for (let n = 0; n < 4; n++) {
    for (let k = 0; k < 3; k++) {
      points[n * 3 + k] = centre[k];
      for (let e = 0; e < 3; e++) {
        const extent = Math.sqrt(Math.max(0, values[e]) / volume);
        points[n * 3 + k] += MASS_POINTS[n * 3 + e] * extent * vectors[k * 3 + e];
      }
    }
  }
  return points;
}

/** Surface and mass of a shape. Round shapes weigh what the smooth ones do, not what their triangles enclose. */
function solidOf(shape: RigidShape, path: string): { mesh: TriangleMesh; spread: MassProperties } {
  const length = (value: number, name: string) => requireInRange(value, 1e-6, 1e6, `${path}/${name}`);
  switch (shape?.kind) {
    case 'sphere': {
      const radius = length(shape.radius, 'radius');
      return { mesh: sphereSurface(radius), spread: capsuleMassProperties(radius, 0) };
    }
    case 'box': {
      const [x, y, z] = [0, 1, 2].map((k) => length(shape.halfExtents?.[k], `halfExtents/${k}`));
      return { mesh: boxSurface([x, y, z]), spread: boxMassProperties([x, y, z]) };
    }
    case 'capsule':
    case 'cylinder': {
      const [radius, half] = [length(shape.radius, 'radius'), length(shape.halfLength, 'halfLength')];
      return shape.kind === 'capsule'
        ? { mesh: capsuleSurface(radius, half), spread: capsuleMassProperties(radius, half) }
        : { mesh: cylinderSurface(radius, half), spread: cylinderMassProperties(radius, half) };
    }
    case 'torus': {
      const tube = length(shape.tubeRadius, 'tubeRadius');
      const radius = requireInRange(shape.radius, tube, 1e6, `${path}/radius`);
      return { mesh: torusSurface(radius, tube), spread: torusMassProperties(radius, tube) };
    }
    case 'mesh':
      return closedMesh(shape, path);
    default:
      throw new TendonError('E_UNKNOWN', `${path}/kind`, (shape as { kind?: unknown })?.kind, 'no such shape');
  }
}

/** A surface given as triangles: it must be closed; pieces that face inwards are turned. */
function closedMesh(
  shape: { readonly positions: ArrayLike<number>; readonly triangles: ArrayLike<number> },
  path: string,
): { mesh: TriangleMesh; spread: MassProperties } {
  requireFinite(shape.positions, `${path}/positions`);
  requireList(shape.triangles, `${path}/triangles`);
  const count = shape.positions.length / 3;
  const isUsed = new Uint8Array(count);
  for (let i = 0; i < shape.triangles.length; i++) {
    const vertex = shape.triangles[i];
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < count))
      throw new TendonError('E_INDEX', `${path}/triangles/${i}`, vertex, `the surface has ${count} vertices`);
    isUsed[vertex] = 1;
  }
  const loose = isUsed.indexOf(0);
  if (loose >= 0 && shape.triangles.length > 0)
    throw new TendonError('E_SURFACE', `${path}/positions/${loose * 3}`, loose, 'the vertex is in no triangle');
  const given = { positions: Float64Array.from(shape.positions), triangles: Int32Array.from(shape.triangles) };
  const open = countOpenEdges(given);
  if (open > 0)
    throw new TendonError('E_SURFACE', `${path}/triangles`, open, 'edges with one triangle: close the surface');
  const { mesh } = turnOutward(given);
  const spread = meshMassProperties(mesh);
  if (!(spread.volume > 0)) throw new TendonError('E_SURFACE', path, spread.volume, 'the surface encloses nothing');
  return { mesh, spread };
}

/** Vertices that triangles use, renumbered. */
function compactSurface(triangles: readonly number[], vertexCount: number): Model['surface'] {
  const used = new Uint8Array(vertexCount);
  for (const vertex of triangles) used[vertex] = 1;
  const vertices = Int32Array.from(used.keys()).filter((vertex) => used[vertex] === 1);
  const compactOf = new Int32Array(vertexCount);
  vertices.forEach((vertex, i) => {
    compactOf[vertex] = i;
  });
  return { triangles: Int32Array.from(triangles, (vertex) => compactOf[vertex]), vertices };
}
