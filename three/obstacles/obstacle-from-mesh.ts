/** Obstacles from meshes of a three.js scene. */
import { Matrix4, type Mesh, Quaternion, Vector3 } from 'three';
import type { ObstacleDef, Quat, Vec3 } from '../protocol.js';
import { type PlacedShape, shapeFromGeometry } from './geometry-shape.js';

/** What a mesh cannot say of an obstacle. */
export interface ObstacleOptions {
  readonly name?: string;
  /** Coulomb's coefficient of friction; default 0.5. */
  readonly friction?: number;
  /** Share of the approach speed that is given back, 0 to 1; default 0. */
  readonly restitution?: number;
  /** Things are kept in instead of out; not for planes. */
  readonly container?: boolean;
  /** Cell of the distance field of a mesh that is none of the simple shapes [m]; default by its size. */
  readonly cell?: number;
}

/**
 * The obstacle a mesh stands for, in the world's space, or in that of `space` where one is given. Options may also lie in
 * `mesh.userData.obstacle`. Geometries of boxes, balls, cylinders, capsules and planes (everything behind them) become such
 * shapes; any other must be closed, or nearly so, and becomes a mesh. Throws `E_EMPTY` for one without triangles.
 */
export function obstacleFromMesh(mesh: Mesh, options: ObstacleOptions = {}, space?: Matrix4): ObstacleDef {
  return new ObstacleMesh(mesh, options, space).def;
}

/** A mesh that is an obstacle, and notices when it is moved. */
export class ObstacleMesh {
  readonly mesh: Mesh;
  readonly def: ObstacleDef;
  readonly #shape: PlacedShape;
  /** Where the mesh was at the start, and when last looked at. */
  readonly #first: Matrix4;
  readonly #matrix = new Matrix4();

  constructor(mesh: Mesh, options: ObstacleOptions = {}, space?: Matrix4) {
    this.mesh = mesh;
    const given: ObstacleOptions = { ...(mesh.userData.obstacle as ObstacleOptions | undefined), ...options };
    const { friction, restitution, container, name, cell } = given;
    const label = name ?? (mesh.name || mesh.geometry.type);
    relativeMatrix(mesh, space, this.#matrix);
    this.#first = this.#matrix.clone();
    const { scale } = takeApart(this.#matrix);
    this.#shape = shapeFromGeometry(mesh.geometry, scale, `obstacles/${label}`, cell);
    const { def } = this.#shape;
    this.def = {
      name: label,
      shape: container && def.kind !== 'plane' ? { ...def, container } : def,
      ...this.#pose(),
      ...(friction !== undefined && { friction }),
      ...(restitution !== undefined && { restitution }),
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
