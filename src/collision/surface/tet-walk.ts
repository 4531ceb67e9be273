/**
 * Whether a point is inside a body, by walking from tet to tet towards it, starting at the skin it may have come through. A
 * walk that leaves the body says no. Cheap, because what has come in is never far behind the skin. And the way out of it along a line.
 */
import type { Model } from '../../body/model.js';
import type { CollisionSurface } from './collision-surface.js';
import { tetWeights } from './tet-weights.js';

const MOST_STEPS = 64;

/** The tets of a model, with who is beside whom. */
export class TetWalk {
  /** Barycentric coordinates of the point last found inside. */
  readonly bary = new Float64Array(4);
  readonly #tets: Int32Array;
  /** Tet beyond the face opposite each corner; outside -2 - t, with t the triangle of the surface that the face is, -1 where it is none; 4 per tet. */
  readonly #beyond: Int32Array;
  /** Tet each triangle of the surface belongs to. */
  readonly #tetOfTriangle: Int32Array;
  /** Where `leave` comes out [m]. */
  readonly exit = new Float64Array(3);
  readonly #end = new Float64Array(3);
  readonly #endWeights = new Float64Array(4);

  constructor(model: Model, surface: CollisionSurface) {
    const { tets, vertexCount } = model;
    this.#tets = tets;
    this.#beyond = new Int32Array(tets.length).fill(-1);
    const open = new Map<number, number>();
    for (let face = 0; face < tets.length; face++) {
      const key = faceKey(tets, face, vertexCount);
      const other = open.get(key);
      if (other === undefined) {
        open.set(key, face);
        continue;
      }
      this.#beyond[face] = other >> 2;
      this.#beyond[other] = face >> 2;
      open.delete(key);
    }
    const { triangles } = surface;
    this.#tetOfTriangle = new Int32Array(triangles.length / 3);
    for (let t = 0; t < triangles.length / 3; t++) {
      const face = open.get(tripleKey(triangles[t * 3], triangles[t * 3 + 1], triangles[t * 3 + 2], vertexCount));
      this.#tetOfTriangle[t] = (face ?? 0) >> 2;
      if (face !== undefined) this.#beyond[face] = -2 - t;
    }
  }

  /** Tet that holds the point p[at..at + 3), looked for from triangle t of the surface inwards; -1 for none. */
  findFrom(t: number, positions: Float64Array, p: Float64Array, at: number): number {
    return this.#walk(this.#tetOfTriangle[t], positions, p, at);
  }

  /**
   * Triangle of the surface through which the line from the point p[at..at + 3), in tet `from`, along `way` (as long as the body at least) comes out, at `exit`; -1 where flesh on
   * the way is inside out.
   */
  leave(from: number, positions: Float64Array, p: Float64Array, at: number, way: Float64Array): number {
    const end = this.#end;
    for (let k = 0; k < 3; k++) end[k] = p[at + k] + way[k];
    let tet = from;
    for (let step = 0; step < MOST_STEPS && tet >= 0; step++) {
      if (this.outermost(tet, positions, p, at) === 4) return -1;
      tetWeights(positions, this.#tets, tet * 4, end, 0, this.#endWeights);
      const corner = this.#firstFace();
      tet = corner < 0 ? -1 : this.#beyond[tet * 4 + corner];
      if (tet >= -1) continue;
      const share = this.bary[corner] / (this.bary[corner] - this.#endWeights[corner]);
      for (let k = 0; k < 3; k++) this.exit[k] = p[at + k] + share * way[k];
      return -2 - tet;
    }
    return -1;
  }

  /** Of the tet last looked at: the corner opposite the face that the line leaves it by; -1 for none. Straight on, the lines of all tets on the way have one length. */
  #firstFace(): number {
    const from = this.bary;
    const to = this.#endWeights;
    let least = Number.POSITIVE_INFINITY;
    let best = -1;
    for (let k = 0; k < 4; k++) {
      const fall = from[k] - to[k];
      if (!(fall > 0) || from[k] / fall >= least) continue;
      least = from[k] / fall;
      best = k;
    }
    return best;
  }

  #walk(from: number, positions: Float64Array, p: Float64Array, at: number): number {
    let tet = from;
    for (let step = 0; step < MOST_STEPS && tet >= 0; step++) {
      const corner = this.outermost(tet, positions, p, at);
      if (corner < 0) return tet;
      if (corner > 3) return -1;
      tet = this.#beyond[tet * 4 + corner];
    }
    return -1;
  }

  /** Corner the point is farthest beyond the opposite face of; -1 where it is inside, 4 where the tet is inside out. */
  outermost(tet: number, x: Float64Array, p: Float64Array, at: number): number {
    return tetWeights(x, this.#tets, tet * 4, p, at, this.bary);
  }
}

/** A number for the three vertices of the face opposite corner `face % 4` of tet `face / 4`, in any order. */
function faceKey(tets: Int32Array, face: number, vertexCount: number): number {
  const tet = face & ~3;
  const k = face & 3;
  return tripleKey(tets[tet + ((k + 1) & 3)], tets[tet + ((k + 2) & 3)], tets[tet + ((k + 3) & 3)], vertexCount);
}

function tripleKey(a: number, b: number, c: number, vertexCount: number): number {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  return (low * vertexCount + (a + b + c - low - high)) * vertexCount + high;
}
