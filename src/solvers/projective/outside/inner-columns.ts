/**
 * How vertices inside a body move the rest when they are pushed, and are moved by it. They touch only where flesh is pressed flat, so
 * there is room for a limited number of whole columns, which the vertices that push at present share; W is symmetric, so
 * these columns also say how a push on the surface moves them.
 */
import type { Model } from '../../../body/model.js';
import type { CollisionSurface } from '../../../collision/surface/collision-surface.js';
import type { ConstantMatrix } from '../constant-matrix.js';
import type { SurfaceRegions } from './surface-regions.js';
import { LANES, type UnitPushes } from './unit-pushes.js';

/** Numbers all columns together may take, and columns there are at least. */
const MOST_NUMBERS = 1 << 22;
const FEWEST_COLUMNS = 64;

/** Columns for inner vertices of a model; shared by its bodies. */
export class InnerColumns {
  readonly #model: Model;
  readonly #pushes: UnitPushes;
  readonly #regions: SurfaceRegions;
  readonly #vertices: Int32Array;
  /** Region each vertex of the body moves with: that of the surface nearest to it along the edges. */
  readonly #regionOf: Int32Array;
  /** Column of each vertex, -1 without; the vertex of each column, and the last request that wanted it. */
  readonly #columnOf: Int32Array;
  readonly #vertexIn: Int32Array;
  readonly #wantedIn: Int32Array;
  #request = 0;
  #cursor = 0;
  /** Values at all vertices, means over regions and q of each column; made when first needed. */
  #values = new Float32Array(0);
  #means = new Float32Array(0);
  #q = new Float32Array(0);
  readonly #pending = new Int32Array(LANES);
  #pendingCount = 0;
  #version = -1;

  constructor(model: Model, pushes: UnitPushes, surface: CollisionSurface, regions: SurfaceRegions) {
    this.#model = model;
    this.#pushes = pushes;
    this.#regions = regions;
    this.#vertices = surface.vertices;
    this.#regionOf = spreadRegions(model, surface, regions);
    this.#columnOf = new Int32Array(model.vertexCount).fill(-1);
    const inner = model.vertexCount - surface.vertices.length;
    const affordable = Math.max(FEWEST_COLUMNS, Math.floor(MOST_NUMBERS / model.vertexCount));
    this.#vertexIn = new Int32Array(Math.min(inner, affordable)).fill(-1);
    this.#wantedIn = new Int32Array(this.#vertexIn.length);
  }

  useMatrix({ version }: ConstantMatrix): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#columnOf.fill(-1);
    this.#vertexIn.fill(-1);
    this.#pendingCount = 0;
  }

  regionOf(vertex: number): number {
    return this.#regionOf[vertex];
  }

  /** Begins a request: columns of earlier ones may be given away. */
  begin(): void {
    this.#request++;
  }

  /** Asks for the column of a vertex; where there is no room left it gets none. Uses the solver's right-hand side, which is left empty. */
  want(vertex: number): void {
    const known = this.#columnOf[vertex];
    if (known >= 0) {
      this.#wantedIn[known] = this.#request;
      return;
    }
    for (let n = 0; n < this.#vertexIn.length; n++) {
      const column = this.#cursor;
      this.#cursor = (this.#cursor + 1) % this.#vertexIn.length;
      if (this.#wantedIn[column] === this.#request) continue;
      if (this.#vertexIn[column] >= 0) this.#columnOf[this.#vertexIn[column]] = -1;
      this.#vertexIn[column] = vertex;
      this.#wantedIn[column] = this.#request;
      this.#columnOf[vertex] = column;
      this.#pending[this.#pendingCount++] = vertex;
      if (this.#pendingCount === LANES) this.solveWanted();
      return;
    }
  }

  /** Whether a vertex got a column in this request; what is left of earlier ones does not count, so that the past decides nothing. */
  hasColumn(vertex: number): boolean {
    const column = this.#columnOf[vertex];
    return column >= 0 && this.#wantedIn[column] === this.#request;
  }

  /** Makes the columns asked for. */
  solveWanted(): void {
    if (this.#pendingCount === 0) return;
    const { vertexCount } = this.#model;
    if (this.#values.length === 0) {
      this.#values = new Float32Array(this.#vertexIn.length * vertexCount);
      this.#means = new Float32Array(this.#vertexIn.length * this.#regions.count);
      this.#q = new Float32Array(this.#vertexIn.length * this.#pushes.width);
    }
    this.#pushes.push(this.#pending, this.#pendingCount);
    for (let lane = 0; lane < this.#pendingCount; lane++) this.#keep(this.#pending[lane], lane);
    this.#pushes.clear();
    this.#pendingCount = 0;
  }

  /** How far a vertex moves when an inner one with a column is pushed, or the other way round, beyond the mean of its region [m/N]. */
  beyondMean(inner: number, vertex: number, region: number): number {
    const column = this.#columnOf[inner];
    return this.valueOf(inner, vertex) - this.#means[column * this.#regions.count + region];
  }

  /** How far a vertex moves when an inner one with a column is pushed, or the other way round [m/N]. */
  valueOf(inner: number, vertex: number): number {
    return this.#values[this.#columnOf[inner] * this.#model.vertexCount + vertex];
  }

  /** How far a region as a whole moves when an inner vertex with a column is pushed [m/N]. */
  meanOf(inner: number, region: number): number {
    return this.#means[this.#columnOf[inner] * this.#regions.count + region];
  }

  /** Adds q of an inner vertex with a column: how it moves with the four rows of a bone's transform. */
  addWithBone(inner: number, bone: number, weight: number, out: Float64Array): void {
    const from = this.#columnOf[inner] * this.#pushes.width + bone * 4;
    for (let i = 0; i < 4; i++) out[i] += weight * this.#q[from + i];
  }

  /** The same for the three rows of a region that can turn. */
  addWithRegion(inner: number, region: number, weight: number, out: Float64Array): void {
    const from = this.#columnOf[inner] * this.#pushes.width + this.#model.bones.count * 4 + region * 3;
    for (let i = 0; i < 3; i++) out[i] += weight * this.#q[from + i];
  }

  #keep(vertex: number, lane: number): void {
    const { vertexCount } = this.#model;
    const { of, sizes, count, loose } = this.#regions;
    const { width, q } = this.#pushes;
    const column = this.#columnOf[vertex];
    for (let i = 0; i < width; i++) this.#q[column * width + i] = q[lane * width + i];
    for (let v = 0; v < vertexCount; v++) this.#values[column * vertexCount + v] = this.#pushes.valueAt(v, lane);
    const means = column * count;
    this.#means.fill(0, means, means + count);
    for (let n = 0; n < of.length; n++) {
      if (of[n] !== loose) this.#means[means + of[n]] += this.#pushes.valueAt(this.#vertices[n], lane) / sizes[of[n]];
    }
  }
}

/** Regions of all vertices of a body: from the surface inward, from neighbour to neighbour. */
function spreadRegions({ vertexCount }: Model, surface: CollisionSurface, { of }: SurfaceRegions): Int32Array {
  const regionOf = new Int32Array(vertexCount).fill(-1);
  const queue = Array.from(surface.vertices);
  queue.forEach((vertex, n) => {
    regionOf[vertex] = of[n];
  });
  for (let n = 0; n < queue.length; n++) {
    const v = queue[n];
    for (let k = surface.innerStart[v]; k < surface.innerStart[v + 1]; k++) {
      const inner = surface.inner[k];
      if (regionOf[inner] >= 0) continue;
      regionOf[inner] = regionOf[v];
      queue.push(inner);
    }
  }
  return regionOf;
}
