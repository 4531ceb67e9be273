/**
 * Whether a vertex and a triangle that are not near yet meet within the step, both moving steadily: as they do now, pushed by
 * another body on the way, or held up by the rest of their own. Seen from the triangle, the vertex goes through it, or ends near it. Planes across everything that
 * merely comes closer would stop what only passes by.
 */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { nearestOnTriangle } from '../surface/triangle-point.js';

/** Vertex and triangle face each other when the cosine between their normals is at most this. */
export const FACING = -0.2;
/** How far beside a triangle, as share of its weights, a hit still counts, and how far within it is at its edge. */
const HIT_EDGE = 0.1;

/** How the two meet. */
export type Meeting = 'through' | 'near' | 'none';

/** Tries pairs of vertex and triangle; owns its scratch. */
export class MeetingSearch {
  /** Weights of the triangle's corners where it is hit, and room for a distance. */
  readonly hit = new Float64Array(4);
  /** How far the vertex is above the triangle [m]; set before `find`. By reference: handed over, it would be boxed. */
  readonly height = new Float64Array(1);
  #h = 0;
  #margin = 0;
  /** How the two move: 1 for a vertex that is pushed, one that is held up, a triangle that is pushed, one that is held up. */
  readonly #way = new Float64Array(4);
  /** Vertex and triangle at the end of the step, or where they meet. */
  readonly #end = new Float64Array(3);
  readonly #corners = new Float64Array(9);
  readonly #heightAtEnd = new Float64Array(1);

  /** Steps of `h` [s] are looked at from now on; ends nearer than `margin` [m] count as meeting. */
  begin(h: number, margin: number): void {
    this.#h = h;
    this.#margin = margin;
  }

  /** Whether vertex i and triangle t, `height` below it, meet within the step. */
  find(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): Meeting {
    const way = this.#way;
    way.fill(0);
    let meeting = this.#try(points, solid, i, t);
    // pushed, or held up by the rest of its body: first the vertex, then the triangle
    for (let n = 0; n < 4 && meeting === 'none' && points !== solid; n++) {
      const body = n < 2 ? points : solid;
      if (n % 2 === 0 ? body.pushSpeed === 0 : !body.isFlung) continue;
      way.fill(0);
      way[n] = 1;
      meeting = this.#try(points, solid, i, t);
    }
    return meeting;
  }

  /** The same for one way to move. */
  #try(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): Meeting {
    const h = this.#h;
    const way = this.#way;
    const { triangles } = solid.surface;
    const end = this.#end;
    const corners = this.#corners;
    let heightAtEnd = 0;
    for (let k = 0; k < 3; k++) {
      const own = points.velocities[points.surface.vertices[i] * 3 + k];
      const speed = own + way[0] * points.push[k] + way[1] * (points.velocity[k] - own);
      end[k] = points.points[i * 3 + k] + h * speed;
      for (let c = 0; c < 3; c++) {
        const v = triangles[t * 3 + c] * 3 + k;
        const other = solid.velocities[v];
        const back = other + way[2] * solid.push[k] + way[3] * (solid.velocity[k] - other);
        corners[c * 3 + k] = solid.positions[v] + h * back;
      }
      heightAtEnd += solid.normals[t * 3 + k] * (end[k] - corners[k]);
    }
    this.#heightAtEnd[0] = heightAtEnd;
    if (this.height[0] > 0 && heightAtEnd < 0 && this.#goesThrough(points, solid, i, t)) return 'through';
    nearestOnTriangle(corners, 0, 3, 6, end, 0, this.hit);
    return this.hit[3] < this.#margin * this.#margin ? 'near' : 'none';
  }

  /** Whether the way of a vertex goes through a triangle; fills the weights of the corners there. */
  #goesThrough(points: SurfaceMotion, solid: SurfaceMotion, i: number, t: number): boolean {
    const { triangles } = solid.surface;
    const { positions } = solid;
    const share = this.height[0] / (this.height[0] - this.#heightAtEnd[0]);
    for (let k = 0; k < 3; k++) {
      this.#end[k] = points.points[i * 3 + k] + share * (this.#end[k] - points.points[i * 3 + k]);
      for (let c = 0; c < 3; c++) {
        const from = positions[triangles[t * 3 + c] * 3 + k];
        this.#corners[c * 3 + k] = from + share * (this.#corners[c * 3 + k] - from);
      }
    }
    planeWeights(this.#corners, this.#end, this.hit);
    const inner = Math.min(this.hit[0], this.hit[1], this.hit[2]);
    return inner >= HIT_EDGE || (inner >= -HIT_EDGE && mayHit(points, i, solid.normals, t * 3));
  }
}

/**
 * Whether vertex i can be what hits a wall whose normal is n[o..o + 3): only if that pushes it inwards. A vertex amid a floor does
 * not hit the front of a box that slides over it, though that ends right where the floor is: a box of 2 m/s lost 0.7 m/s at once.
 */
export function mayHit({ vertexNormals, crumpled }: SurfaceMotion, i: number, n: Float64Array, o: number): boolean {
  let facing = 0;
  for (let k = 0; k < 3; k++) facing += vertexNormals[i * 3 + k] * n[o + k];
  return facing <= FACING || crumpled[i] === 1;
}

/** Weights of a triangle's corners (x, 9 numbers) for a point in its plane. */
function planeWeights(x: Float64Array, p: Float64Array, out: Float64Array): void {
  let uu = 0;
  let uv = 0;
  let vv = 0;
  let up = 0;
  let vp = 0;
  for (let k = 0; k < 3; k++) {
    const u = x[3 + k] - x[k];
    const v = x[6 + k] - x[k];
    const w = p[k] - x[k];
    uu += u * u;
    uv += u * v;
    vv += v * v;
    up += u * w;
    vp += v * w;
  }
  const scale = 1 / (uu * vv - uv * uv);
  out[1] = (vv * up - uv * vp) * scale;
  out[2] = (uu * vp - uv * up) * scale;
  out[0] = 1 - out[1] - out[2];
}
