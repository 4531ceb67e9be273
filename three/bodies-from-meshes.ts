/** Bodies from meshes of a three.js scene: what is solid becomes rigid, what is a sheet becomes cloth. They start where the meshes are. */
import { type Mesh, Vector3 } from 'three';
import type { AnyBodyDef } from '../src/body/kinds/any-body-def.js';
import type { ClothMaterialDef } from '../src/body/kinds/cloth-def.js';
import type { RigidShape } from '../src/body/kinds/rigid-def.js';
import { TendonError } from '../src/errors.js';
import type { PlacementDef } from '../src/scene/scene-def.js';
import { obstacleFromMesh } from './obstacles/obstacle-from-mesh.js';

/** What a mesh cannot say of a rigid body. */
export interface RigidOptions {
  readonly name?: string;
  /** [kg/m³]; default 1000. */
  readonly density?: number;
  /** Coulomb's coefficient; default 0.5. */
  readonly friction?: number;
}

/** What a mesh cannot say of cloth. */
export interface ClothOptions {
  readonly name?: string;
  /** [m] */
  readonly thickness: number;
  readonly material: ClothMaterialDef;
  /** Vertices of the mesh that stay where they are. */
  readonly pins?: readonly number[];
  /** Coulomb's coefficient; default 0.5. */
  readonly friction?: number;
}

/** A rigid body of a closed mesh, in the world's space. Boxes, balls, cylinders and capsules become such shapes. Throws `E_SURFACE` for what encloses nothing. */
export function rigidFromMesh(mesh: Mesh, options: RigidOptions = {}): PlacementDef<AnyBodyDef> {
  const { name, shape, position, rotation } = obstacleFromMesh(mesh, options.name ? { name: options.name } : {});
  if (shape.kind === 'plane' || shape.kind === 'heightField') {
    throw new TendonError('E_SURFACE', name, shape.kind, 'a rigid body needs a closed surface');
  }
  const density = options.density ?? 1000;
  return {
    body: { kind: 'rigid', name, parts: [{ name, shape: shape.kind === 'mesh' ? welded(shape) : shape, density }] },
    position,
    rotation,
    ...(options.friction !== undefined && { friction: options.friction }),
  };
}

/** Cloth of the triangles of a mesh, in the world's space; vertices at one place are one. */
export function clothFromMesh(mesh: Mesh, options: ClothOptions): PlacementDef<AnyBodyDef> {
  const name = options.name ?? (mesh.name || 'cloth');
  mesh.updateWorldMatrix(true, false);
  const given = mesh.geometry.getAttribute('position');
  if (!given) throw new TendonError('E_EMPTY', `${name}/positions`, undefined, 'the mesh has no positions');
  const point = new Vector3();
  const places = Array.from({ length: given.count }, (_, i) =>
    point.fromBufferAttribute(given, i).applyMatrix4(mesh.matrixWorld).toArray(),
  ).flat();
  const index = mesh.geometry.getIndex();
  const corners = index ? Array.from(index.array) : Array.from({ length: given.count }, (_, i) => i);
  const { positions, vertexOf } = weld(places);
  const triangles = corners.map((corner) => vertexOf[corner]);
  const { thickness, material, pins, friction } = options;
  return {
    body: {
      kind: 'cloth',
      name,
      positions,
      triangles,
      thickness,
      material,
      ...(pins && { pins: pins.map((v) => vertexOf[v]) }),
    },
    ...(friction !== undefined && { friction }),
  };
}

/** A surface whose seams are closed. */
function welded(shape: Extract<RigidShape, { kind: 'mesh' }>): RigidShape {
  const { positions, vertexOf } = weld(shape.positions);
  const triangles = Array.from(shape.triangles, (corner) => vertexOf[corner]);
  const kept = triangles.filter((_, i) => {
    const [a, b, c] = triangles.slice(i - (i % 3), i - (i % 3) + 3);
    return a !== b && b !== c && c !== a;
  });
  return { kind: 'mesh', positions, triangles: kept };
}

/** Vertices nearer than this share of the size are one: seams of textures and of turned surfaces. */
const SAME = 1e-6;

function weld(places: ArrayLike<number>): { positions: number[]; vertexOf: number[] } {
  const all = Array.from(places);
  const size = all.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const positions: number[] = [];
  const known = new Map<string, number>();
  const vertexOf = Array.from({ length: all.length / 3 }, (_, i) => {
    const place = all.slice(3 * i, 3 * i + 3);
    const key = place.map((value) => Math.round(value / (SAME * size))).join(' ');
    const vertex = known.get(key) ?? positions.length / 3;
    if (!known.has(key)) positions.push(...place);
    known.set(key, vertex);
    return vertex;
  });
  return { positions, vertexOf };
}
