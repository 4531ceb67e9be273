/**
 * Boxes, rods in boxes and rings far in each other: past the middle of what they are in, samples say nothing, or push to all sides at once. There one way out says where to: of boxes the shortest, exactly, of a rod that of its
 * axis, of rings about one middle that along both axes, or across them. One point is enough: it says so only until samples know better.
 */
import { BoxOverlap } from './box-overlap.js';
import type { RigidFrames } from './rigid-frames.js';
import type { AnyShape, SampledShape } from './sampled-shape.js';

/** Share of the least half side of boxes, and of the tubes of rings, that is deep. */
const DEEP = 0.5;
/** What samples have found of two boxes is true if it is this share of the depth, and no more than one over that. */
const KNOWN = 0.5;
/** Cosine above which rings lie flat on each other. */
const FLAT = Math.SQRT1_2;

/** Finds what is deep. */
export class DeepPairs {
  /** How deep as a gap, below 0 [m], the way from the second body to the first, and a point near the middle of the smaller one. */
  readonly gap = new Float64Array(1);
  readonly normal = new Float64Array(3);
  readonly point = new Float64Array(3);
  readonly #overlap = new BoxOverlap();

  /** Whether bodies a and b are in each other so that samples do not know it, who have found `known` [m]. */
  find(
    frames: RigidFrames,
    a: number,
    first: SampledShape,
    b: number,
    second: SampledShape,
    known: Float64Array,
  ): boolean {
    if (first.core && second.core) {
      if (!this.#findBoxes(frames, a, first, b, second, known)) return false;
    } else if (areDeepRings(frames, a, first.shape, b, second.shape)) this.#leadRings(frames, a, b);
    else return false;
    this.gap[0] -= radiusOf(first.shape) + radiusOf(second.shape);
    // near the middle of the smaller one, which so is hardly turned
    const share = (first.reach * first.reach) / (first.reach * first.reach + second.reach * second.reach);
    const { x } = frames;
    for (let k = 0; k < 3; k++) this.point[k] = x[a * 3 + k] + share * (x[b * 3 + k] - x[a * 3 + k]);
    return true;
  }

  /** Two boxes, or a box and a rod. Two rods are round: samples know them. */
  #findBoxes(
    frames: RigidFrames,
    a: number,
    first: SampledShape,
    b: number,
    second: SampledShape,
    known: Float64Array,
  ): boolean {
    const halfA = first.core as readonly number[];
    const halfB = second.core as readonly number[];
    const isRodA = first.shape.kind === 'capsule';
    const isRodB = second.shape.kind === 'capsule';
    if (isRodA && isRodB) return false;
    const overlap = this.#overlap;
    let thin = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) thin = Math.min(thin, isRodA ? thin : halfA[k], isRodB ? thin : halfB[k]);
    // samples of a rod push to all sides as soon as its axis is in the box
    overlap.least[0] = isRodA || isRodB ? 0 : DEEP * thin;
    overlap.measure(frames, a, halfA, b, halfB);
    const depth = overlap.depth[0];
    if (depth === 0) return false;
    if (!isRodA && !isRodB && known[0] >= KNOWN * depth && KNOWN * known[0] <= depth) return false;
    this.gap[0] = -depth;
    for (let k = 0; k < 3; k++) this.normal[k] = overlap.way[k];
    return true;
  }

  /** The way out of each other of rings about one middle: less than the radii of their tubes by what has been gone of it. */
  #leadRings({ x, rotation: r }: RigidFrames, a: number, b: number): void {
    const n = this.normal;
    const p = a * 9 + 1;
    const q = b * 9 + 1;
    const along = r[p] * r[q] + r[p + 3] * r[q + 3] + r[p + 6] * r[q + 6];
    const sign = along < 0 ? -1 : 1;
    if (sign * along > FLAT) for (let k = 0; k < 3; k++) n[k] = r[p + k * 3] + sign * r[q + k * 3];
    else {
      n[0] = r[p + 3] * r[q + 6] - r[p + 6] * r[q + 3];
      n[1] = r[p + 6] * r[q] - r[p] * r[q + 6];
      n[2] = r[p] * r[q + 3] - r[p + 3] * r[q];
    }
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    let gone = 0;
    for (let k = 0; k < 3; k++) gone += (n[k] / length) * (x[a * 3 + k] - x[b * 3 + k]);
    for (let k = 0; k < 3; k++) n[k] /= gone < 0 ? -length : length;
    this.gap[0] = Math.abs(gone);
  }
}

/** Whether two bodies are rings about nearly the same middle whose tubes are deep in each other. */
export function areDeepRings({ x }: RigidFrames, a: number, first: AnyShape, b: number, second: AnyShape): boolean {
  if (first.kind !== 'torus' || second.kind !== 'torus') return false;
  const deep = DEEP * (first.tubeRadius + second.tubeRadius);
  if (Math.abs(first.radius - second.radius) > deep) return false;
  const d0 = x[a * 3] - x[b * 3];
  const d1 = x[a * 3 + 1] - x[b * 3 + 1];
  const d2 = x[a * 3 + 2] - x[b * 3 + 2];
  return d0 * d0 + d1 * d1 + d2 * d2 < deep * deep;
}

/** Radius of a rod or of the tube of a ring, 0 for everything else. */
export function radiusOf(shape: AnyShape): number {
  return shape.kind === 'capsule' ? shape.radius : shape.kind === 'torus' ? shape.tubeRadius : 0;
}
