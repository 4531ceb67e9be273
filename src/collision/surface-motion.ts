/** A body's surface as it is at the start of a step: normals, the box around it, how fast it moves, and its vertices in a hash. */
import type { Model } from '../body/model.js';
import type { BodyState } from '../body/state.js';
import { CONTACT_MARGIN } from '../constants.js';
import type { CollisionSurface } from './collision-surface.js';
import { PointHash } from './point-hash.js';

/** Cells of the hash, in mean edge lengths. */
const CELL = 1.2;

/** One body's surface in one step. */
export class SurfaceMotion {
  readonly model: Model;
  readonly surface: CollisionSurface;
  /** Vertices obstacles can push: those on the surface that can move. */
  readonly vertices: Int32Array;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** Coulomb's coefficient of friction against other bodies. */
  readonly friction: number;
  /** Distance within which things count as near whatever their speed [m]. */
  readonly margin: number;
  /** Width of the cells of the hash [m]. */
  readonly cell: number;
  /** Lowest x, y, z, then highest, of the surface [m]. */
  readonly box = new Float64Array(6);
  /** Mean velocity of the surface, and the most any vertex differs from it [m/s]. */
  readonly velocity = new Float64Array(3);
  spread = 0;
  /** Surface vertices, 3 numbers each, sorted into `hash`. */
  readonly points: Float64Array;
  readonly hash: PointHash;
  /** Unit normals of triangles and of surface vertices, outward. */
  readonly normals: Float64Array;
  readonly vertexNormals: Float64Array;

  constructor(model: Model, surface: CollisionSurface, state: BodyState, friction: number) {
    this.model = model;
    this.surface = surface;
    this.vertices = surface.vertices.filter((v) => !model.pinned[v]);
    this.positions = state.positions;
    this.velocities = state.velocities;
    this.friction = friction;
    this.margin = CONTACT_MARGIN * model.size;
    this.cell = Math.max(CELL * surface.edgeLength, 2 * this.margin);
    const count = surface.vertices.length;
    this.points = new Float64Array(count * 3);
    this.hash = new PointHash(count);
    this.normals = new Float64Array(surface.triangles.length);
    this.vertexNormals = new Float64Array(count * 3);
  }

  /** Reads the state; the hash is filled by `sort`, for those who need it. */
  update(): void {
    const { vertices } = this.surface;
    const { box, velocity, points } = this;
    box.fill(Number.POSITIVE_INFINITY, 0, 3);
    box.fill(Number.NEGATIVE_INFINITY, 3, 6);
    velocity.fill(0);
    for (let i = 0; i < vertices.length; i++) {
      for (let k = 0; k < 3; k++) {
        const x = this.positions[vertices[i] * 3 + k];
        points[i * 3 + k] = x;
        box[k] = Math.min(box[k], x);
        box[3 + k] = Math.max(box[3 + k], x);
        velocity[k] += this.velocities[vertices[i] * 3 + k];
      }
    }
    for (let k = 0; k < 3; k++) velocity[k] /= Math.max(1, vertices.length);
    let most = 0;
    for (let i = 0; i < vertices.length; i++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const d = this.velocities[vertices[i] * 3 + k] - velocity[k];
        sum += d * d;
      }
      most = Math.max(most, sum);
    }
    this.spread = Math.sqrt(most);
  }

  /** Fills normals and hash. */
  sort(): void {
    this.#findNormals();
    this.hash.fill(this.points, this.surface.vertices.length, this.cell, this.box);
  }

  #findNormals(): void {
    const { triangles, surfaceOf } = this.surface;
    const p = this.positions;
    const { normals, vertexNormals } = this;
    vertexNormals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = triangles[t] * 3;
      const b = triangles[t + 1] * 3;
      const c = triangles[t + 2] * 3;
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a];
      const vy = p[c + 1] - p[a + 1];
      const vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy;
      const y = uz * vx - ux * vz;
      const z = ux * vy - uy * vx;
      for (let k = 0; k < 3; k++) {
        const o = surfaceOf[triangles[t + k]] * 3;
        vertexNormals[o] += x;
        vertexNormals[o + 1] += y;
        vertexNormals[o + 2] += z;
      }
      normals[t] = x;
      normals[t + 1] = y;
      normals[t + 2] = z;
    }
    normalise(normals);
    normalise(vertexNormals);
  }
}

function normalise(vectors: Float64Array): void {
  for (let i = 0; i < vectors.length; i += 3) {
    const lengthSq = vectors[i] * vectors[i] + vectors[i + 1] * vectors[i + 1] + vectors[i + 2] * vectors[i + 2];
    const scale = lengthSq > 0 ? 1 / Math.sqrt(lengthSq) : 0;
    vectors[i] *= scale;
    vectors[i + 1] *= scale;
    vectors[i + 2] *= scale;
  }
}
