/** Obstacles from meshes of a three.js scene: boxes, balls, cylinders, capsules, and planes as everything behind them. */
import { type BufferGeometry, Matrix4, type Mesh, Quaternion, Vector3 } from 'three';
import { TendonError } from '../src/errors.js';
import type { ObstacleDef, Quat, Vec3 } from './protocol.js';

/** Shares of a size by which things may differ and still count as the same. */
const SAME = 1e-3;
/** A round shape of few segments does not reach its own radius. */
const ROUND = 0.25;

/** What a mesh cannot say of an obstacle. */
export interface ObstacleOptions {
  readonly name?: string;
  /** Coulomb's coefficient of friction; default 0.5. */
  readonly friction?: number;
  /** Things are kept in instead of out; not for planes. */
  readonly container?: boolean;
}

/**
 * The obstacle a mesh stands for, in the world's space, or in that of `space` where one is given. Options may also lie in
 * `mesh.userData.obstacle`. Throws `E_UNKNOWN` for geometries that are not among the simple ones.
 */
export function obstacleFromMesh(mesh: Mesh, options: ObstacleOptions = {}, space?: Matrix4): ObstacleDef {
  return new ObstacleMesh(mesh, options, space).def;
}

/** A mesh that is an obstacle, and notices when it is moved. */
export class ObstacleMesh {
  readonly mesh: Mesh;
  readonly def: ObstacleDef;
  readonly #shape: Placed;
  /** Where the mesh was at the start, and when last looked at. */
  readonly #first: Matrix4;
  readonly #matrix = new Matrix4();

  constructor(mesh: Mesh, options: ObstacleOptions = {}, space?: Matrix4) {
    this.mesh = mesh;
    const { friction, container, name } = { ...(mesh.userData.obstacle as ObstacleOptions | undefined), ...options };
    const label = name ?? (mesh.name || mesh.geometry.type);
    relativeMatrix(mesh, space, this.#matrix);
    this.#first = this.#matrix.clone();
    const { scale } = takeApart(this.#matrix);
    this.#shape = shapeOf(mesh.geometry, scale, `obstacles/${label}`);
    const { def } = this.#shape;
    this.def = {
      name: label,
      shape: container && def.kind !== 'plane' ? { ...def, container } : def,
      ...this.#pose(),
      ...(friction !== undefined && { friction }),
    };
  }

  /** Where the obstacle is now in `space`; undefined where it has not moved since the last call. */
  moved(space?: Matrix4): { readonly position: Vec3; readonly rotation: Quat } | undefined {
    const now = relativeMatrix(this.mesh, space, scratch);
    if (now.equals(this.#matrix)) return undefined;
    this.#matrix.copy(now);
    return this.#pose();
  }

  /** Where the obstacle is now in `space`; undefined where that is where it was at the start. */
  displaced(space?: Matrix4): { readonly position: Vec3; readonly rotation: Quat } | undefined {
    relativeMatrix(this.mesh, space, this.#matrix);
    return this.#matrix.equals(this.#first) ? undefined : this.#pose();
  }

  #pose(): { readonly position: Vec3; readonly rotation: Quat } {
    const { position, rotation, scale } = takeApart(this.#matrix);
    const centre = this.#shape.centre.clone().multiply(scale).applyQuaternion(rotation).add(position);
    return {
      position: centre.toArray(),
      rotation: rotation.multiply(this.#shape.turn).toArray() as unknown as Quat,
    };
  }
}

const scratch = new Matrix4();

/** The mesh's transform in the world, or in another space. */
function relativeMatrix(mesh: Mesh, space: Matrix4 | undefined, out: Matrix4): Matrix4 {
  mesh.updateWorldMatrix(true, false);
  if (space) out.copy(space).invert().multiply(mesh.matrixWorld);
  else out.copy(mesh.matrixWorld);
  return out;
}

function takeApart(matrix: Matrix4): { position: Vector3; rotation: Quaternion; scale: Vector3 } {
  const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  matrix.decompose(position, rotation, scale);
  return { position, rotation, scale };
}

interface Placed {
  readonly def: ObstacleDef['shape'];
  /** Middle of the shape in the geometry's space, before scaling. */
  readonly centre: Vector3;
  /** From the shape's frame, y up, to the geometry's. */
  readonly turn: Quaternion;
}

function shapeOf(geometry: BufferGeometry, scale: Vector3, place: string): Placed {
  const given = (geometry as { parameters?: Readonly<Record<string, number>> }).parameters ?? {};
  const [sx, sy, sz] = scale.toArray().map(Math.abs);
  const upright = new Quaternion();
  const centre = (size: Vec3, slack: number): Vector3 => requireSize(geometry, size, slack, place);
  switch (geometry.type) {
    case 'BoxGeometry': {
      const { width, height, depth } = given;
      const half: Vec3 = [(width * sx) / 2, (height * sy) / 2, (depth * sz) / 2];
      return {
        def: { kind: 'box', halfExtents: half },
        centre: centre([width, height, depth], SAME),
        turn: upright,
      };
    }
    case 'SphereGeometry': {
      requireWhole(given.phiLength, 2 * Math.PI, place);
      requireWhole(given.thetaLength, Math.PI, place);
      const size = 2 * given.radius;
      const radius = given.radius * requireEven([sx, sy, sz], place);
      return { def: { kind: 'sphere', radius }, centre: centre([size, size, size], ROUND), turn: upright };
    }
    case 'CylinderGeometry': {
      requireWhole(given.thetaLength, 2 * Math.PI, place);
      if (given.radiusTop !== given.radiusBottom) unsupported(place, 'a cone');
      const radius = given.radiusTop * requireEven([sx, sz], place);
      const size = 2 * given.radiusTop;
      const def = { kind: 'cylinder' as const, radius, halfLength: (given.height * sy) / 2 };
      return { def, centre: centre([size, given.height, size], ROUND), turn: upright };
    }
    case 'CapsuleGeometry': {
      const even = requireEven([sx, sy, sz], place);
      const size = 2 * given.radius;
      // `length` before three r173
      const length = given.height ?? given.length;
      const def = { kind: 'capsule' as const, radius: given.radius * even, halfLength: (length * even) / 2 };
      return { def, centre: centre([size, length + size, size], ROUND), turn: upright };
    }
    case 'PlaneGeometry': {
      // the way it faces is read from the geometry itself, which is often turned to lie flat
      const normal = new Vector3().fromBufferAttribute(geometry.getAttribute('normal'), 0).normalize();
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal);
      return { def: { kind: 'plane' }, centre: boxOf(geometry).getCenter(new Vector3()), turn };
    }
    default:
      return unsupported(place, geometry.type);
  }
}

function boxOf(geometry: BufferGeometry) {
  geometry.computeBoundingBox();
  return geometry.boundingBox!;
}

/** The middle of a geometry, which may have been moved but must not have been turned or scaled. */
function requireSize(geometry: BufferGeometry, size: Vec3, slack: number, place: string): Vector3 {
  const box = boxOf(geometry);
  const found = box.getSize(new Vector3()).toArray();
  for (let k = 0; k < 3; k++) {
    if (found[k] <= size[k] * (1 + SAME) && found[k] >= size[k] * (1 - slack)) continue;
    const advice = 'the geometry was turned or scaled: turn or scale the mesh instead';
    throw new TendonError('E_RANGE', `${place}/geometry`, found[k], advice);
  }
  return box.getCenter(new Vector3());
}

function requireEven(scales: readonly number[], place: string): number {
  for (const scale of scales) {
    if (Math.abs(scale - scales[0]) <= SAME * scales[0]) continue;
    throw new TendonError('E_RANGE', `${place}/scale`, scale, 'a round shape must be scaled evenly');
  }
  return scales[0];
}

function requireWhole(found: number, whole: number, place: string): void {
  if (found < whole * (1 - SAME)) unsupported(place, 'a part of a round shape');
}

function unsupported(place: string, what: string): never {
  const advice =
    'mesh obstacles are not supported yet: use a BoxGeometry, SphereGeometry, CylinderGeometry, CapsuleGeometry or PlaneGeometry';
  throw new TendonError('E_UNKNOWN', `${place}/geometry`, what, advice);
}
