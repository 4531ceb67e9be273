/**
 * Obstacles that a skin cannot enter, as part of the energy of a posed lattice: a point of the skin inside one is pushed to its surface by a
 * one-sided spring, and held across by friction [McAdams2011 §7]. Looked for before every third iteration. For whoever poses a lattice
 * without a world; worlds have contacts of their own.
 */
import { intoObstacleAtEnd, type ObstacleSet, outOfObstacle } from '../../../collision/obstacles/obstacle.js';
import { probeShape, ShapeProbe } from '../../../collision/shapes/shape.js';
import type { HexEmbedding } from '../../../mesh/hexes/hex-embedding.js';
import type { EnergyTerm } from '../descent-terms.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Reals, Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { addRub } from '../rub.js';

/** Stiffness of a point that stands for the face of a cell, in shear modulus times cell side. */
const STIFFNESS = 32;
/** How near a point must be to be listed, in cells: what comes in before the next look is pushed too. */
const NEAR = 0.5;

/** Obstacles around one body. */
export class SkinObstacles implements EnergyTerm {
  /** Points that are inside, and how deep the deepest was when the energy was last asked for [m]. */
  count = 0;
  depth = 0;
  readonly obstacles: ObstacleSet;
  readonly #embedding: HexEmbedding;
  readonly #sources: Int32Array;
  readonly #held: Uint8Array;
  readonly #stiffness: Float64Array;
  readonly #reach: number;
  /** Points at hand: which, the direction out, how far out they must be along it, what friction holds, and where to. */
  readonly #points: Int32Array;
  readonly #normals: Float64Array;
  readonly #offsets: Float64Array;
  readonly #hold: Float64Array;
  readonly #anchors: Float64Array;
  #listed = 0;
  /** Obstacle that each point is inside, -1 for none, and where on it it came in, in the frame of the obstacle. */
  readonly #inside: Int32Array;
  readonly #entry: Float64Array;
  readonly #probe = new ShapeProbe();
  readonly #place = new Float64Array(3);
  readonly #gradient = new Float64Array(3);

  constructor({ lattice, layout, filling }: LatticeBody, embedding: HexEmbedding, obstacles: ObstacleSet) {
    const points = embedding.cells.length;
    this.obstacles = obstacles;
    this.#embedding = embedding;
    this.#sources = embedding.nodes.map((node) => floatOfPlace(layout.placeOfNode[node], 0));
    this.#held = filling.held;
    this.#stiffness = Float64Array.from(embedding.cells, (cell) => STIFFNESS * filling.mu[cell] * lattice.cellSize);
    this.#reach = NEAR * lattice.cellSize;
    this.#points = new Int32Array(points);
    this.#normals = new Float64Array(3 * points);
    this.#offsets = new Float64Array(points);
    this.#hold = new Float64Array(points);
    this.#anchors = new Float64Array(3 * points);
    this.#inside = new Int32Array(points).fill(-1);
    this.#entry = new Float64Array(3 * points);
  }

  /** Looks for points that are inside or near; true where there are any, or were. */
  refresh(x: Vector): boolean {
    const before = this.#listed;
    this.#listed = 0;
    for (let point = 0; point < this.#inside.length; point++) {
      this.#placeOf(point, x.view);
      this.#look(point);
    }
    return before > 0 || this.#listed > 0;
  }

  /** Lists a point by the obstacle it is deepest in. */
  #look(point: number): void {
    const { obstacles } = this;
    const probe = this.#probe;
    let [deepest, least] = [-1, this.#reach];
    for (let i = 0; i < obstacles.count; i++) {
      if (!obstacles.has(i)) continue;
      intoObstacleAtEnd(obstacles, i, this.#place, 0, probe.at);
      probeShape(obstacles.defs[i].shape, probe);
      if (!(probe.distance[0] < least)) continue;
      [deepest, least] = [i, probe.distance[0]];
    }
    if (deepest < 0 || least >= 0) this.#inside[point] = -1;
    if (deepest < 0) return;
    const n = this.#listed++;
    intoObstacleAtEnd(obstacles, deepest, this.#place, 0, probe.at);
    probeShape(obstacles.defs[deepest].shape, probe);
    if (least < 0 && this.#inside[point] !== deepest) {
      this.#inside[point] = deepest;
      this.#entry.set(probe.at, 3 * point);
    }
    outOfObstacle(obstacles, deepest, probe.normal, false, this.#normals, 3 * n);
    this.#points[n] = point;
    this.#offsets[n] = -least;
    for (let k = 0; k < 3; k++) {
      this.#offsets[n] += this.#normals[3 * n + k] * this.#place[k];
      probe.at[k] = this.#entry[3 * point + k];
    }
    outOfObstacle(obstacles, deepest, probe.at, true, this.#anchors, 3 * n);
    this.#hold[n] = least < 0 ? -obstacles.friction[deepest] * this.#stiffness[point] * least : 0;
  }

  add(x: Vector, gradient: Vector): number {
    let energy = 0;
    [this.count, this.depth] = [0, 0];
    for (let n = 0; n < this.#listed; n++) {
      const point = this.#points[n];
      this.#placeOf(point, x.view);
      const p = this.#place;
      const [nx, ny, nz] = [this.#normals[3 * n], this.#normals[3 * n + 1], this.#normals[3 * n + 2]];
      const depth = Math.max(0, this.#offsets[n] - (nx * p[0] + ny * p[1] + nz * p[2]));
      const k = this.#stiffness[point];
      if (depth > 0) this.count++;
      this.depth = Math.max(this.depth, depth);
      this.#gradient[0] = -k * depth * nx;
      this.#gradient[1] = -k * depth * ny;
      this.#gradient[2] = -k * depth * nz;
      energy += (k / 2) * depth * depth;
      energy += addRub(p, 0, this.#anchors, 3 * n, this.#normals, 3 * n, k, this.#hold[n], this.#gradient);
      this.#push(point, gradient.view);
    }
    return energy;
  }

  #placeOf(point: number, x: Reals): void {
    const { weights } = this.#embedding;
    this.#place.fill(0);
    for (let n = 8 * point; n < 8 * point + 8; n++) {
      for (let k = 0; k < 3; k++) this.#place[k] += weights[n] * x[this.#sources[n] + 4 * k];
    }
  }

  /** Adds the gradient at a point to its nodes; what bones hold feels nothing. */
  #push(point: number, gradient: Reals): void {
    const { weights, nodes } = this.#embedding;
    for (let n = 8 * point; n < 8 * point + 8; n++) {
      if (this.#held[nodes[n]]) continue;
      for (let k = 0; k < 3; k++) gradient[this.#sources[n] + 4 * k] += weights[n] * this.#gradient[k];
    }
  }
}
