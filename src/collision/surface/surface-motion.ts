/** A body's surface as it is at the start of a step: normals, the box around it, how fast it moves, and its vertices in a grid. */
import type { BonePoses } from '../../body/bone-poses.js';
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import { CONTACT_MARGIN } from '../../constants.js';
import { isSolid } from '../rigid/solid-shape.js';
import { FACING } from '../search/meeting-search.js';
import { NEARLY_FACING } from '../search/resting-surface.js';
import type { CollisionSurface } from './collision-surface.js';
import { FacingPoints } from './facing-points.js';
import { fitSpin } from './fit-spin.js';
import { PointGrid } from './point-grid.js';

/** A surrounding is crumpled when its triangles' mean normal, by area, is shorter than this: a sharp tip has about 0.3. */
const CRUMPLED = 0.2;
/** Cells of the grid, in mean edge lengths. */
const CELL = 1.2;

/** One body's surface in one step. */
export class SurfaceMotion {
  readonly model: Model;
  readonly surface: CollisionSurface;
  /** Vertices obstacles can push: those on the surface that can move. */
  readonly vertices: Int32Array;
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly poses: BonePoses;
  /** 1 for bones that go where they are sent. */
  readonly kinematic: ArrayLike<number>;
  /** Whether the body is one rigid part whose shape is known. */
  readonly isSolid: boolean;
  /** Then of a ball around the centre of mass that holds all of it [m]. */
  readonly reach: number;
  /** Coulomb's coefficient of friction against other bodies. */
  readonly friction: number;
  /** Distance within which things count as near whatever their speed [m]. */
  readonly margin: number;
  /** Width of the cells of the grid [m]. */
  readonly cell: number;
  /** Lowest x, y, z, then highest, of the surface [m]. */
  readonly box = new Float64Array(6);
  /** Mean velocity of the surface, and the most any vertex differs from it [m/s]. */
  readonly velocity = new Float64Array(3);
  spread = 0;
  /** Change of velocity the body may be given within the step by other bodies, and its size [m/s]. */
  readonly push = new Float64Array(3);
  pushSpeed = 0;
  /** Whether parts of the body move so fast against the whole that its elasticity may hold them up within the step. */
  isFlung = false;
  /** Middle of the surface's vertices [m]. */
  readonly centre = new Float64Array(3);
  /** Velocity of each surface vertex against the body's motion as a whole, 3 per vertex [m/s]. */
  readonly stray: Float64Array;
  /** Surface vertices, 3 numbers each, sorted into `grid`. */
  readonly points: Float64Array;
  readonly grid: PointGrid;
  /** The same vertices by the way they face. */
  readonly facing: FacingPoints;
  /** Longest side of any triangle [m]. */
  longestEdge = 0;
  /** Unit normals of triangles and of surface vertices, outward. */
  readonly normals: Float64Array;
  readonly vertexNormals: Float64Array;
  /** 1 for surface vertices whose surroundings are crumpled: their normals mean nothing. */
  readonly crumpled: Uint8Array;

  constructor(model: Model, surface: CollisionSurface, state: BodyState, friction: number) {
    this.model = model;
    this.surface = surface;
    this.vertices = surface.vertices.filter((v) => !model.pinned[v]);
    this.positions = state.positions;
    this.velocities = state.velocities;
    this.poses = state.poses;
    this.kinematic = state.kinematic;
    this.friction = friction;
    this.isSolid = isSolid(model);
    this.reach = this.isSolid ? reachOf(model, surface.vertices) : Number.POSITIVE_INFINITY;
    this.margin = CONTACT_MARGIN * model.size;
    this.cell = Math.max(CELL * surface.edgeLength, 2 * this.margin);
    const count = surface.vertices.length;
    this.points = new Float64Array(count * 3);
    this.stray = new Float64Array(count * 3);
    this.grid = new PointGrid(count);
    this.facing = new FacingPoints(this.grid, FACING, NEARLY_FACING);
    this.normals = new Float64Array(surface.triangles.length);
    this.vertexNormals = new Float64Array(count * 3);
    this.crumpled = new Uint8Array(count);
    this.#areas = new Float64Array(count);
  }

  /** Reads the state; the grid is filled by `sort`, for those who need it. */
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

  /** Fills normals, grid, `centre` and `stray`. */
  sort(): void {
    this.#findStray();
    this.#findNormals();
    const count = this.surface.vertices.length;
    this.grid.fill(this.points, count, this.cell, this.box);
    this.facing.fill(this.vertexNormals, this.crumpled, count);
  }

  /** Whether forces can move a vertex. */
  canMove(v: number): boolean {
    const bone = this.model.bones.ofVertex[v];
    return !this.model.pinned[v] && !(bone >= 0 && this.kinematic[bone]);
  }

  /** Longest edge of the surface as it is now [m]. */
  findLongestEdge(): number {
    const { allEdges, vertices } = this.surface;
    const p = this.positions;
    let longestSq = 0;
    for (let e = 0; e < allEdges.length; e += 2) {
      const a = vertices[allEdges[e]] * 3;
      const b = vertices[allEdges[e + 1]] * 3;
      const x = p[a] - p[b];
      const y = p[a + 1] - p[b + 1];
      const z = p[a + 2] - p[b + 2];
      longestSq = Math.max(longestSq, x * x + y * y + z * z);
    }
    return Math.sqrt(longestSq);
  }

  /** Shifting and turning as a whole brings no two parts of a body together: what counts is what is left without it. */
  #findStray(): void {
    const { vertices } = this.surface;
    const { points, velocity, velocities, stray } = this;
    fitSpin(points, vertices, velocities, velocity, this.centre, this.#spin);
    const c = this.centre;
    const w = this.#spin;
    for (let i = 0; i < vertices.length; i++) {
      const x = points[i * 3] - c[0];
      const y = points[i * 3 + 1] - c[1];
      const z = points[i * 3 + 2] - c[2];
      const v = vertices[i] * 3;
      stray[i * 3] = velocities[v] - velocity[0] - (w[1] * z - w[2] * y);
      stray[i * 3 + 1] = velocities[v + 1] - velocity[1] - (w[2] * x - w[0] * z);
      stray[i * 3 + 2] = velocities[v + 2] - velocity[2] - (w[0] * y - w[1] * x);
    }
  }

  readonly #areas: Float64Array;
  readonly #spin = new Float64Array(3);

  #findNormals(): void {
    const { corners } = this.surface;
    const { points: p, normals, vertexNormals } = this;
    const areas = this.#areas;
    let longestSq = 0;
    vertexNormals.fill(0);
    areas.fill(0);
    for (let t = 0; t < corners.length; t += 3) {
      const a = corners[t] * 3;
      const b = corners[t + 1] * 3;
      const c = corners[t + 2] * 3;
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a];
      const vy = p[c + 1] - p[a + 1];
      const vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy;
      const y = uz * vx - ux * vz;
      const z = ux * vy - uy * vx;
      const area = Math.sqrt(x * x + y * y + z * z);
      longestSq = Math.max(longestSq, ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
      for (let k = t; k < t + 3; k++) {
        const i = corners[k];
        areas[i] += area;
        vertexNormals[i * 3] += x;
        vertexNormals[i * 3 + 1] += y;
        vertexNormals[i * 3 + 2] += z;
      }
      normals[t] = x;
      normals[t + 1] = y;
      normals[t + 2] = z;
    }
    this.longestEdge = Math.sqrt(longestSq);
    for (let i = 0; i < areas.length; i++) {
      const x = vertexNormals[i * 3];
      const y = vertexNormals[i * 3 + 1];
      const z = vertexNormals[i * 3 + 2];
      this.crumpled[i] = x * x + y * y + z * z < CRUMPLED * CRUMPLED * areas[i] * areas[i] ? 1 : 0;
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

/** How far the farthest of some vertices is from the centre of the first bone [m]. */
function reachOf({ positions, bones: { centre } }: Model, vertices: Int32Array): number {
  let square = 0;
  for (const v of vertices) {
    const x = positions[v * 3] - centre[0];
    const y = positions[v * 3 + 1] - centre[1];
    const z = positions[v * 3 + 2] - centre[2];
    square = Math.max(square, x * x + y * y + z * z);
  }
  return Math.sqrt(square);
}
