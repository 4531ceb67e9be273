/**
 * The point of an edge or of a triangle that is deepest in a shape, or nearest to it. The signed distance of balls, boxes and all that is
 * convex is itself convex: between two places where it falls towards each other there is one lowest point, and the tangents
 * at both say how low it can be. Where a shape is not convex a few places along the way are asked first.
 */
import { LowestPlace } from './lowest-place.js';
import { probeShape, ShapeProbe } from './shape.js';
import type { ShapeDef } from './shape-def.js';

/** Cosine between the way out of a shape and its normal, at least: farther away than three times its depth nothing is sent. */
const LEAST_ALONG = 1 / 3;
/** Share of a corner below which a point of a triangle is on the opposite side. */
const SIDE = 1e-6;
/** Places asked along an edge over a shape that is not convex. */
const SAMPLES = 4;

/** Whether any inner point of a flat triangle can be deeper than its corners: not in a half-space, nor outside of a container's convex shape. */
export function canPokeFaces(shape: ShapeDef): boolean {
  if (shape.kind === 'plane') return false;
  return shape.kind === 'mesh' || !('container' in shape && shape.container);
}

/** Whether the signed distance may have several lowest points along an edge. */
export function isConvex(shape: ShapeDef): boolean {
  return shape.kind !== 'mesh' && shape.kind !== 'heightField';
}

/** Whether the signed distance has no kinks. */
function isSmooth({ kind }: ShapeDef): boolean {
  return kind === 'sphere' || kind === 'capsule';
}

/** Searches; owns its scratch. Points are given as places in flat arrays, in the shape's frame. */
export class DeepestPoint {
  /** Shares of the two or three corners in the point found. */
  readonly weights = new Float64Array(3);
  /** Distance of the point found [m]. */
  readonly distance = new Float64Array(1);
  /**
   * Direction in which the edge or triangle gets away, across it: at the edge of a box that is none of its normals. And how far it
   * must go that way to be on the surface [m].
   */
  readonly normal = new Float64Array(3);
  readonly away = new Float64Array(1);
  /** How close to the lowest the answer is wanted [m]. */
  readonly tolerance = new Float64Array(1);
  readonly #probe = new ShapeProbe();
  readonly #line = new LowestPlace();
  readonly #lines = new LowestPlace();
  #shape!: ShapeDef;
  /** Start and direction of the line at hand; first corner of the triangle at hand, and its sides from there. */
  readonly #from = new Float64Array(3);
  readonly #along = new Float64Array(3);
  readonly #corner = new Float64Array(3);
  readonly #across = new Float64Array(3);
  readonly #up = new Float64Array(3);
  /** What is taken off the distance from one end of the line at hand to the other [m]. */
  readonly #tilt = new Float64Array(1);
  /** The gradient from which it follows how the lowest distance on the line at hand changes towards the last corner. */
  readonly #slant = new Float64Array(3);

  /**
   * Fills `weights` and `distance` for the edge from p[a..a+3) to p[b..b+3). `slope`: of the line, in metres from one end to the other, below which the
   * point is farthest; 0 for the deepest.
   */
  onEdge(shape: ShapeDef, p: Float64Array, a: number, b: number, slope: number): void {
    this.#shape = shape;
    this.#tilt[0] = slope;
    for (let k = 0; k < 3; k++) {
      this.#from[k] = p[a + k];
      this.#along[k] = p[b + k] - p[a + k];
    }
    this.#searchLine();
    this.weights[1] = this.#line.best[0];
    this.weights[0] = 1 - this.weights[1];
    this.weights[2] = 0;
    const { asked } = this.#line;
    asked[0] = this.weights[1];
    this.#ask();
    this.distance[0] = asked[1] + slope * this.weights[1];
    this.normal.set(this.#probe.normal);
    // a mean of gradients far apart would lie between them, not on the arc that they lie on
    if (!isSmooth(shape) && this.#line.blend(this.normal)) this.#direct();
    this.#measureAway();
  }

  /** The same for a triangle: a search from its first side to its last corner, over searches along lines parallel to that side. */
  inTriangle(shape: ShapeDef, p: Float64Array, a: number, b: number, c: number): void {
    this.#shape = shape;
    this.#tilt[0] = 0;
    for (let k = 0; k < 3; k++) {
      this.#corner[k] = p[a + k];
      this.#across[k] = p[b + k] - p[a + k];
      this.#up[k] = p[c + k] - p[a + k];
    }
    const lines = this.#lines;
    lines.begin();
    const samples = isConvex(shape) ? 1 : SAMPLES;
    for (let n = 0; n <= samples; n++) {
      lines.asked[0] = n / samples;
      this.#askLine();
      lines.sample(this.#slant);
    }
    while (lines.wantsMore(this.tolerance)) {
      lines.asked[0] = lines.next[0];
      this.#askLine();
      lines.take(this.#slant);
    }
    // the search along the best line was not the last one
    const height = lines.best[0];
    lines.asked[0] = height;
    this.#askLine();
    this.distance[0] = lines.asked[1];
    this.weights[2] = height;
    this.weights[1] = this.#line.best[0] * (1 - height);
    this.weights[0] = 1 - this.weights[1] - height;
    // on a side, where the distance falls on beyond it, the triangle does not get away across itself
    if (this.#isOnSide()) this.normal.set(this.#probe.normal);
    else this.#setAcross();
    this.#measureAway();
  }

  #isOnSide(): boolean {
    const { weights } = this;
    return Math.min(weights[0], weights[1], weights[2]) < SIDE;
  }

  /** The normal across the triangle at hand. */
  #setAcross(): void {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      this.normal[k] = this.#across[i] * this.#up[j] - this.#across[j] * this.#up[i];
    }
    this.#direct();
  }

  /** Lowest distance on the line that share of the way from the first side to the last corner that `#lines` ask for, and how that changes along the way. */
  #askLine(): void {
    const { asked } = this.#lines;
    const height = asked[0];
    for (let k = 0; k < 3; k++) {
      this.#from[k] = this.#corner[k] + height * this.#up[k];
      this.#along[k] = (1 - height) * this.#across[k];
    }
    this.#searchLine();
    const place = this.#line.best[0];
    this.#line.asked[0] = place;
    this.#ask();
    const slant = this.#slant;
    slant.set(this.#probe.normal);
    // at a kink along the line, neither of the two slopes says what happens beside it
    const isBetween = this.#line.blend(slant);
    const up = slant[0] * this.#up[0] + slant[1] * this.#up[1] + slant[2] * this.#up[2];
    const across = slant[0] * this.#across[0] + slant[1] * this.#across[1] + slant[2] * this.#across[2];
    // at the far end the way goes on along the third side; at the last corner along the one that falls from there
    if (height === 1) asked[2] = Math.max(up, up - across);
    else asked[2] = !isBetween && place > 0.5 ? up - across : up;
    asked[1] = this.#line.asked[1];
  }

  /** Brings the normal to unit length, out of the shape. */
  #direct(): void {
    const { normal } = this;
    const outward = this.#probe.normal;
    const along = normal[0] * outward[0] + normal[1] * outward[1] + normal[2] * outward[2];
    const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0)) normal.set(outward);
    else for (let k = 0; k < 3; k++) normal[k] *= (along < 0 ? -1 : 1) / length;
  }

  #measureAway(): void {
    const { normal } = this;
    const outward = this.#probe.normal;
    const along = normal[0] * outward[0] + normal[1] * outward[1] + normal[2] * outward[2];
    this.away[0] = this.distance[0] / Math.max(LEAST_ALONG, along);
  }

  /** Lowest point on the line at hand. */
  #searchLine(): void {
    const line = this.#line;
    line.begin();
    const samples = isConvex(this.#shape) ? 1 : SAMPLES;
    const { normal } = this.#probe;
    for (let n = 0; n <= samples; n++) {
      line.asked[0] = n / samples;
      this.#ask();
      line.sample(normal);
    }
    while (line.wantsMore(this.tolerance)) {
      line.asked[0] = line.next[0];
      this.#ask();
      line.take(normal);
    }
  }

  /** Distance at the place of the line at hand that it asks for, and how it changes along the line there. */
  #ask(): void {
    const { asked } = this.#line;
    const { at, distance, normal } = this.#probe;
    const along = this.#along;
    const tilt = this.#tilt[0];
    for (let k = 0; k < 3; k++) at[k] = this.#from[k] + asked[0] * along[k];
    probeShape(this.#shape, this.#probe);
    asked[1] = distance[0] - tilt * asked[0];
    asked[2] = normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2] - tilt;
  }
}
