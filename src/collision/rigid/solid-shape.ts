/**
 * The shape of a rigid body of one part, with a signed distance, and how a place of the body is told by its vertices: any place of a body that cannot give way is a
 * weighted mean of four of them.
 */
import type { Model } from '../../body/model.js';
import { quatToMat3 } from '../../math/quat.js';
import type { CollisionSurface } from '../surface/collision-surface.js';
import { type SampledShape, sampleShape } from './sampled-shape.js';

/** Points that carry the mass of a rigid part, the last of its vertices. */
export const MASS_POINTS = 4;

/** Shapes whose samples miss nothing; the round sides of crossing cylinders and the faces of meshes lie between theirs. */
const SAMPLED = ['sphere', 'capsule', 'torus', 'box'];

/** Whether a body is one rigid part that is known by its shape. */
export function isSolid({ interior }: Model): boolean {
  if (interior?.kind !== 'parts' || interior.solids.length > 1) return false;
  return SAMPLED.includes(interior.solids[0].shape.kind);
}

/** Half of what a body known by its shape measures where it is thinnest [m]; infinite for all others. */
export function halfThickness(model: Model): number {
  if (!isSolid(model) || model.interior?.kind !== 'parts') return Number.POSITIVE_INFINITY;
  const { shape } = model.interior.solids[0];
  if (shape.kind === 'box') return Math.min(...shape.halfExtents);
  if (shape.kind === 'torus') return shape.tubeRadius;
  return shape.kind === 'sphere' || shape.kind === 'capsule' ? shape.radius : Number.POSITIVE_INFINITY;
}

/** What is shared by all bodies of a model. */
export class SolidShape {
  readonly sampled: SampledShape;
  /** Four vertices of the surface that all places are told by, and the four that carry the mass. */
  readonly carriers: Int32Array;
  readonly masses: Int32Array;
  /** Where the shape's frame is at rest, from the centre of mass [m], and how it is turned, row major. */
  readonly shift = new Float64Array(3);
  readonly turn = new Float64Array(9);
  /** Farthest any point of the shape is from the centre of mass [m]. */
  readonly reach: number;
  /** Half of what it measures where it is thinnest [m]. */
  readonly halfThickness: number;
  /** Inverse of the matrix whose columns lead from the first carrier to the others, row major [1/m]. */
  readonly #inverse = new Float64Array(9);
  /** From the centre of mass to the first carrier [m]. */
  readonly #first = new Float64Array(3);

  constructor(model: Model, surface: CollisionSurface) {
    const solid = model.interior?.kind === 'parts' ? model.interior.solids[0] : undefined;
    if (!solid) throw new Error('not a rigid part');
    this.sampled = sampleShape(solid.shape);
    this.halfThickness = halfThickness(model);
    const { positions, bones, vertexCount } = model;
    this.masses = Int32Array.from({ length: MASS_POINTS }, (_, n) => vertexCount - MASS_POINTS + n);
    this.carriers = findCorners(positions, surface.vertices);
    quatToMat3(this.turn, 0, Float64Array.from(solid.rotation), 0);
    let shiftSq = 0;
    for (let k = 0; k < 3; k++) {
      this.shift[k] = solid.position[k] - bones.centre[k];
      shiftSq += this.shift[k] * this.shift[k];
      this.#first[k] = positions[this.carriers[0] * 3 + k] - bones.centre[k];
    }
    this.reach = this.sampled.reach + Math.sqrt(shiftSq);
    this.#invertEdges(positions);
  }

  /** Weights of the four carriers for a place of the body at rest, from the centre of mass. */
  weigh(place: Float64Array, out: Float64Array): void {
    const inverse = this.#inverse;
    const x = place[0] - this.#first[0];
    const y = place[1] - this.#first[1];
    const z = place[2] - this.#first[2];
    out[0] = 1;
    for (let n = 0; n < 3; n++) {
      out[n + 1] = inverse[n * 3] * x + inverse[n * 3 + 1] * y + inverse[n * 3 + 2] * z;
      out[0] -= out[n + 1];
    }
  }

  /** By Cramer's rule. */
  #invertEdges(positions: Float64Array): void {
    const [first, ...others] = Array.from(this.carriers, (v) => positions.slice(v * 3, v * 3 + 3));
    const edges = others.map((point) => point.map((x, k) => x - first[k]));
    const across = [0, 1, 2].map((n) => cross(edges[(n + 1) % 3], edges[(n + 2) % 3]));
    const volume = edges[0].reduce((sum, x, k) => sum + x * across[0][k], 0);
    across.forEach((row, n) => {
      for (let k = 0; k < 3; k++) this.#inverse[n * 3 + k] = row[k] / volume;
    });
  }
}

/** Four of the vertices that are far from each other: from the first, from a line, from a plane. A solid has a volume, so that they have one. */
function findCorners(positions: Float64Array, vertices: Int32Array): Int32Array {
  const at = (v: number) => positions.slice(v * 3, v * 3 + 3);
  const best = (score: (point: Float64Array) => number) =>
    vertices.reduce((chosen, v) => (score(at(v)) > score(at(chosen)) * (1 + 1e-9) ? v : chosen), vertices[0]);
  const first = at(vertices[0]);
  const from = (point: Float64Array) => point.map((x, k) => x - first[k]);
  const square = (v: ArrayLike<number>) => v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const second = best((point) => square(from(point)));
  const line = from(at(second));
  const third = best((point) => square(cross(line, from(point))));
  const plane = cross(line, from(at(third)));
  const fourth = best((point) => Math.abs(from(point).reduce((sum, x, k) => sum + x * plane[k], 0)));
  return Int32Array.of(vertices[0], second, third, fourth);
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
