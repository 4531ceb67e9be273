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
  /** How the lowest distance on the line at hand changes towards the last corner, and the gradient it follows from. */
  readonly #climb = new Float64Array(1);
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
    this.distance[0] = this.#ask(this.weights[1]) + slope * this.weights[1];
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
    for (let n = 0; n <= samples; n++)
      lines.sample(n / samples, this.#askLine(n / samples), this.#climb[0], this.#slant);
    while (lines.wantsMore(this.tolerance[0])) lines.take(this.#askLine(lines.next[0]), this.#climb[0], this.#slant);
    // the search along the best line was not the last one
    const height = lines.best[0];
    this.distance[0] = this.#askLine(height);
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

  /** Lowest distance on the line a share of the way from the first side to the last corner; `#climb` is how that changes along the way. */
  #askLine(height: number): number {
    for (let k = 0; k < 3; k++) {
      this.#from[k] = this.#corner[k] + height * this.#up[k];
      this.#along[k] = (1 - height) * this.#across[k];
    }
    this.#searchLine();
    const place = this.#line.best[0];
    const distance = this.#ask(place);
    const slant = this.#slant;
    slant.set(this.#probe.normal);
    // at a kink along the line, neither of the two slopes says what happens beside it
    const isBetween = this.#line.blend(slant);
    const up = slant[0] * this.#up[0] + slant[1] * this.#up[1] + slant[2] * this.#up[2];
    const across = slant[0] * this.#across[0] + slant[1] * this.#across[1] + slant[2] * this.#across[2];
    // at the far end the way goes on along the third side; at the last corner along the one that falls from there
    if (height === 1) this.#climb[0] = Math.max(up, up - across);
    else this.#climb[0] = !isBetween && place > 0.5 ? up - across : up;
    return distance;
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
    for (let n = 0; n <= samples; n++) line.sample(n / samples, this.#ask(n / samples), this.#rise(), normal);
    while (line.wantsMore(this.tolerance[0])) line.take(this.#ask(line.next[0]), this.#rise(), normal);
  }

  /** Distance at a place of the line at hand. */
  #ask(place: number): number {
    const { at, distance } = this.#probe;
    for (let k = 0; k < 3; k++) at[k] = this.#from[k] + place * this.#along[k];
    probeShape(this.#shape, this.#probe);
    return distance[0] - this.#tilt[0] * place;
  }

  /** How the distance changes along the line where it was asked last. */
  #rise(): number {
    const { normal } = this.#probe;
    return normal[0] * this.#along[0] + normal[1] * this.#along[1] + normal[2] * this.#along[2] - this.#tilt[0];
  }
}
