/**
 * Edges and triangles of a body's surface against one obstacle: the points of them that are deeper in it than their corners. A rail, a
 * pillar, the edge of a stair or a small ball is felt where no vertex is.
 */
import { canPokeFaces, DeepestPoint, isConvex } from '../shapes/deepest-point.js';
import { probeShape, ShapeProbe } from '../shapes/shape.js';
import type { ShapeDef } from '../shapes/shape-def.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { intoObstacle, type ObstacleSet } from './obstacle.js';

/** Depth, in margins, by which a point of a face must be deeper than its corners to be looked at. */
const NOTEWORTHY = 0.02;

/** Farthest any point of a triangle is from its nearest corner, in lengths of its longest side: 1/√3. */
const FROM_CORNER = 0.57736;

const ROUNDED = 1 + 1e-9;

/** Looks at one body and one obstacle at a time, both where they are now; owns its scratch. */
export class FaceSearch {
  /** The point found last: shares of the corners, and distance [m]. */
  readonly deepest = new DeepestPoint();
  /** For corners within reach. */
  readonly probe = new ShapeProbe();
  /** Place in the obstacle's frame, normal there and distance of each surface vertex that was asked for. */
  places = new Float64Array(0);
  normals = new Float64Array(0);
  distances = new Float64Array(0);
  #askedIn = new Int32Array(0);
  #stamp = 0;
  /** Distance of the lowest inner point of each edge that was looked at, or of its lower end [m]. */
  #edgeLows = new Float64Array(0);
  #edgeStamps = new Int32Array(0);
  /** Nearer than this to the obstacle edges and triangles count as near [m]. By reference, as what follows: numbers handed over or returned are boxed. */
  readonly near = new Float64Array(1);
  /** Length of the edge asked for last, and what a convex distance cannot fall below [m]. */
  readonly #length = new Float64Array(1);
  readonly #bound = new Float64Array(1);
  /** How much higher the tangent at one corner is at another, for up to six pairs [m]. */
  readonly #rises = new Float64Array(6);
  #body!: SurfaceMotion;
  #obstacles!: ObstacleSet;
  #shape!: ShapeDef;
  #obstacle = 0;
  /** Longest edge of the body [m]. */
  #longest = 0;

  /** Takes up a body and an obstacle; `reach`: what has no point within it need not be known better [m]. */
  begin(body: SurfaceMotion, obstacles: ObstacleSet, i: number, reach: number): void {
    const { vertices, allEdges } = body.surface;
    if (this.distances.length < vertices.length) {
      this.places = new Float64Array(vertices.length * 3);
      this.normals = new Float64Array(vertices.length * 3);
      this.distances = new Float64Array(vertices.length);
      this.#askedIn = new Int32Array(vertices.length);
    }
    if (this.#edgeLows.length < allEdges.length / 2) {
      this.#edgeLows = new Float64Array(allEdges.length / 2);
      this.#edgeStamps = new Int32Array(allEdges.length / 2);
    }
    this.#stamp++;
    this.#body = body;
    this.#obstacles = obstacles;
    this.#obstacle = i;
    this.#shape = obstacles.defs[i].shape;
    this.#longest = this.canPoke ? body.findLongestEdge() : 0;
    // an edge may be near where its ends are not
    this.probe.reach[0] = reach + this.#longest;
    this.deepest.tolerance[0] = 0.5 * NOTEWORTHY * body.margin;
  }

  /** Whether faces can be deeper in the obstacle than their corners. */
  get canPoke(): boolean {
    return canPokeFaces(this.#shape);
  }

  /** Whether a ball around a place of the world is all above the obstacle; known of planes alone. */
  isAbove(centre: Float64Array, radius: number): boolean {
    if (this.#shape.kind !== 'plane') return false;
    intoObstacle(this.#obstacles, this.#obstacle, centre, 0, this.probe.at);
    // a little more: rounding must not lose what just touches
    return this.probe.at[1] > ROUNDED * radius;
  }

  /** Fills place, normal and distance of surface vertex n. */
  ask(n: number): void {
    if (this.#askedIn[n] === this.#stamp) return;
    this.#askedIn[n] = this.#stamp;
    const { probe } = this;
    const { surface } = this.#body;
    this.askVertex(surface.vertices[n]);
    this.distances[n] = probe.distance[0];
    for (let k = 0; k < 3; k++) {
      this.places[n * 3 + k] = probe.at[k];
      this.normals[n * 3 + k] = probe.normal[k];
    }
  }

  /** Distance of the lowest vertex of the surface that can move [m]. */
  lowestVertex(): number {
    const { surface, model } = this.#body;
    let lowest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < surface.vertices.length; n++) {
      if (model.pinned[surface.vertices[n]]) continue;
      this.ask(n);
      lowest = Math.min(lowest, this.distances[n]);
    }
    return lowest;
  }

  /** Leaves distance [m], place and normal of any vertex of the body in `probe`: a number that is returned would be boxed. */
  askVertex(v: number): void {
    const { probe } = this;
    intoObstacle(this.#obstacles, this.#obstacle, this.#body.positions, v * 3, probe.at);
    probeShape(this.#shape, probe);
  }

  /** Whether any point of an edge can be near the obstacle. */
  isEdgeNear(e: number): boolean {
    const reach = this.near[0];
    const { allEdges } = this.#body.surface;
    const a = allEdges[e * 2];
    const b = allEdges[e * 2 + 1];
    this.ask(a);
    this.ask(b);
    // what is too far off needs no length
    if (this.distances[a] + this.distances[b] > 2 * reach + this.#longest) return false;
    // no distance changes faster than the place it is asked for
    this.#measureLength(a, b);
    return this.distances[a] + this.distances[b] - this.#length[0] < 2 * reach;
  }

  /** Whether any point of a triangle can be near the obstacle. */
  isTriangleNear(t: number): boolean {
    const reach = this.near[0];
    const { corners } = this.#body.surface;
    let nearest = Number.POSITIVE_INFINITY;
    let longest = 0;
    for (let k = 0; k < 3; k++) {
      const a = corners[t * 3 + k];
      this.ask(a);
      nearest = Math.min(nearest, this.distances[a]);
      // what is too far off needs no lengths
      if (k === 2 && nearest > reach + this.#longest) return false;
    }
    for (let k = 0; k < 3; k++) {
      this.#measureLength(corners[t * 3 + k], corners[t * 3 + ((k + 1) % 3)]);
      longest = Math.max(longest, this.#length[0]);
    }
    return nearest - FROM_CORNER * longest < reach;
  }

  /** Whether an inner point of an edge is deeper than its ends; if so, it is in `deepest`. */
  findOnEdge(e: number): boolean {
    const { allEdges } = this.#body.surface;
    const a = allEdges[e * 2];
    const b = allEdges[e * 2 + 1];
    const lower = Math.min(this.distances[a], this.distances[b]);
    const least = NOTEWORTHY * this.#body.margin;
    this.#edgeStamps[e] = this.#stamp;
    this.#edgeLows[e] = lower;
    if (isConvex(this.#shape)) {
      this.#tangentBound(a, b);
      if (this.#bound[0] > lower - least) return false;
    }
    this.deepest.onEdge(this.#shape, this.places, a * 3, b * 3, 0);
    if (this.deepest.distance[0] > lower - least) return false;
    this.#edgeLows[e] = this.deepest.distance[0];
    return true;
  }

  /**
   * Whether an inner point of an edge is farther than `least` below the line from the distance of one end to that of the other; if so, it is in
   * `deepest`. An edge that hangs over the edge of a box is held there before its ends come down.
   */
  findBelowEnds(e: number, least: number): boolean {
    const { allEdges } = this.#body.surface;
    const { distances, deepest } = this;
    const a = allEdges[e * 2];
    const b = allEdges[e * 2 + 1];
    const slope = distances[b] - distances[a];
    this.#edgeStamps[e] = this.#stamp;
    this.#edgeLows[e] = Math.min(distances[a], distances[b]);
    // a convex distance is at most as far below the line as the tangents at both ends
    if (isConvex(this.#shape)) {
      this.#rise(a, b, 0);
      this.#rise(b, a, 1);
      if (Math.max(this.#rises[0] - slope, slope + this.#rises[1]) > -least) return false;
    }
    deepest.onEdge(this.#shape, this.places, a * 3, b * 3, slope);
    if (deepest.distance[0] > distances[a] + slope * deepest.weights[1] - least) return false;
    this.#edgeLows[e] = Math.min(this.#edgeLows[e], deepest.distance[0]);
    return true;
  }

  /** Whether an inner point of a triangle is deeper than all of its edges, which were looked at before, by so many margins; if so, it is in `deepest`. */
  findInTriangle(t: number, margins = NOTEWORTHY): boolean {
    const { corners, edgesOf } = this.#body.surface;
    const { deepest } = this;
    const a = corners[t * 3];
    const b = corners[t * 3 + 1];
    const c = corners[t * 3 + 2];
    let boundary = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) {
      this.ask(corners[t * 3 + k]);
      boundary = Math.min(boundary, this.distances[corners[t * 3 + k]]);
      const e = edgesOf[t * 3 + k];
      if (this.#edgeStamps[e] === this.#stamp) boundary = Math.min(boundary, this.#edgeLows[e]);
    }
    const least = margins * this.#body.margin;
    if (isConvex(this.#shape)) {
      this.#tangentBoundOf(a, b, c);
      if (this.#bound[0] > boundary - least) return false;
    }
    deepest.inTriangle(this.#shape, this.places, a * 3, b * 3, c * 3);
    return deepest.distance[0] < boundary - least;
  }

  /** What a convex distance cannot fall below along an edge: where the tangents at its ends meet. */
  #tangentBound(a: number, b: number): void {
    this.#rise(a, b, 0);
    this.#rise(b, a, 1);
    const down = this.#rises[0];
    const up = -this.#rises[1];
    const { distances } = this;
    if (down >= 0 || up <= 0) this.#bound[0] = Math.min(distances[a], distances[b]);
    else this.#bound[0] = distances[a] + (down * (distances[b] - distances[a] - up)) / (down - up);
  }

  /** What a convex distance cannot fall below in a triangle: the highest of the tangents at its corners, each where it is lowest. */
  #tangentBoundOf(a: number, b: number, c: number): void {
    const { distances } = this;
    const rises = this.#rises;
    this.#rise(a, b, 0);
    this.#rise(a, c, 1);
    this.#rise(b, a, 2);
    this.#rise(b, c, 3);
    this.#rise(c, a, 4);
    this.#rise(c, b, 5);
    this.#bound[0] = Math.max(
      distances[a] + Math.min(0, rises[0], rises[1]),
      distances[b] + Math.min(0, rises[2], rises[3]),
      distances[c] + Math.min(0, rises[4], rises[5]),
    );
  }

  /** rises[pair] = how much higher the tangent at surface vertex a is at b than at a [m]. */
  #rise(a: number, b: number, pair: number): void {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += this.normals[a * 3 + k] * (this.places[b * 3 + k] - this.places[a * 3 + k]);
    this.#rises[pair] = sum;
  }

  #measureLength(a: number, b: number): void {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const d = this.places[b * 3 + k] - this.places[a * 3 + k];
      sum += d * d;
    }
    this.#length[0] = Math.sqrt(sum);
  }
}
