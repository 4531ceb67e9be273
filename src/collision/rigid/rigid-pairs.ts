/**
 * Narrow phase between rigid bodies: the samples of each in the distance of the other. A contact's point lies midway between the two
 * surfaces, and both bodies are pushed at that one point.
 */
import { ShapeProbe } from '../shapes/shape.js';
import { BoxEdges } from './box-edges.js';
import { BoxOverlap } from './box-overlap.js';
import { areDeepRings, DeepPairs, radiusOf } from './deep-pairs.js';
import { CANDIDATE, Manifold } from './manifold.js';
import type { RigidFrames } from './rigid-frames.js';
import { areLongRods, RodCrossing } from './rod-crossing.js';
import { type AnyShape, probeFacing, SAMPLE, type SampledShape } from './sampled-shape.js';

/** Added to the keys of samples of the second body. */
export const SECOND = 32768;
/** And to those of edges. */
export const EDGES = 49152;
/** And to that of what is deep. */
const DEEP = 57344;
/** How much nearer than all samples edges, and axes of rods, must be to count, as a share of the smaller box or radius. */
const NEARER = 1e-3;
/** Share of their radii by which rods are so deep in each other that samples push them along each other. */
const ALONE = 0.5;
/** Most candidates of a pair. */
const MOST = 512;

/** Finds where two rigid bodies touch, or nearly. */
export class RigidPairs {
  readonly manifold = new Manifold(MOST);
  readonly #rigid: RigidFrames;
  readonly #shapes: readonly SampledShape[];
  readonly #probe = new ShapeProbe();
  readonly #facing = new Float64Array(3);
  /** Rotation and shift from the asking body's frame into the other's. */
  readonly #edges = new BoxEdges();
  readonly #overlap = new BoxOverlap();
  readonly #deep = new DeepPairs();
  readonly #rods = new RodCrossing();
  /** Deepest that was found [m]. */
  readonly #known = new Float64Array(1);
  readonly #turn = new Float64Array(9);
  readonly #shift = new Float64Array(3);

  constructor(rigid: RigidFrames, shapes: readonly SampledShape[]) {
    this.#rigid = rigid;
    this.#shapes = shapes;
  }

  /** Fills the manifold with what is nearer than `margin` [m]; normals point from b to a. */
  find(a: number, b: number, margin: number): void {
    this.manifold.clear();
    this.#ask(a, b, margin, 1, 0);
    this.#ask(b, a, margin, -1, SECOND);
    this.#askEdges(a, b, margin);
    this.#askRods(a, b, margin);
    this.#askDeep(a, b);
    this.manifold.reduce(margin);
  }

  /** How deep two bodies are in each other [m]; the manifold is filled with where. */
  deepest(a: number, b: number): number {
    const first = this.#shapes[a].shape;
    const second = this.#shapes[b].shape;
    this.find(a, b, 0);
    this.#measureKnown();
    const depth = this.#known[0];
    if (!isSolidBox(first) || !isSolidBox(second)) return depth;
    this.#overlap.measure(this.#rigid, a, first.halfExtents, b, second.halfExtents);
    return Math.max(depth, this.#overlap.depth[0]);
  }

  /** known = the deepest of what has been found. */
  #measureKnown(): void {
    const { values, count } = this.manifold;
    this.#known[0] = 0;
    for (let i = 0; i < count; i++) this.#known[0] = Math.max(this.#known[0], -values[i * CANDIDATE + 7]);
  }

  /** What is deeper in each other than samples and edges say: the shortest way out in place of all of them. */
  #askDeep(a: number, b: number): void {
    const first = this.#shapes[a];
    const second = this.#shapes[b];
    this.#measureKnown();
    const deep = this.#deep;
    if (!deep.find(this.#rigid, a, first, b, second, this.#known)) return;
    this.manifold.count = 0;
    this.#addWay(DEEP, deep.gap, deep.point, deep.normal);
  }

  /** Edges of two boxes, where they are nearer than any sample says. */
  #askEdges(a: number, b: number, margin: number): void {
    const first = this.#shapes[a].shape;
    const second = this.#shapes[b].shape;
    if (!isSolidBox(first) || !isSolidBox(second)) return;
    const { values } = this.manifold;
    let nearest = margin;
    for (let i = 0; i < this.manifold.count; i++) nearest = Math.min(nearest, values[i * CANDIDATE + 7]);
    const edges = this.#edges;
    const least = NEARER * Math.min(this.#shapes[a].reach, this.#shapes[b].reach);
    if (!edges.find(this.#rigid, a, first.halfExtents, b, second.halfExtents, nearest - least)) return;
    this.#addWay(EDGES + edges.pair, edges.gap, edges.point, edges.normal);
  }

  /** Long rods where they cross, if that is nearer than any sample says. */
  #askRods(a: number, b: number, margin: number): void {
    const first = this.#shapes[a];
    const second = this.#shapes[b];
    const rods = this.#rods;
    if (!rods.find(this.#rigid, a, first.shape, b, second.shape)) return;
    const { values } = this.manifold;
    let nearest = margin;
    for (let i = 0; i < this.manifold.count; i++) nearest = Math.min(nearest, values[i * CANDIDATE + 7]);
    const radius = radiusOf(first.shape);
    const other = radiusOf(second.shape);
    if (!(rods.gap[0] < nearest - NEARER * Math.min(radius, other))) return;
    if (rods.gap[0] < -ALONE * (radius + other)) this.manifold.count = 0;
    this.#addWay(EDGES, rods.gap, rods.point, rods.normal);
  }

  /** A candidate that is no sample. */
  #addWay(key: number, gap: Float64Array, point: Float64Array, normal: Float64Array): void {
    const { values } = this.manifold;
    if (this.manifold.count === this.manifold.capacity) return;
    const o = this.manifold.count++ * CANDIDATE;
    values[o] = key;
    values[o + 7] = gap[0];
    for (let k = 0; k < 3; k++) {
      values[o + 1 + k] = point[k];
      values[o + 4 + k] = normal[k];
    }
  }

  /** Samples of `from` in the distance of `into`. */
  #ask(from: number, into: number, margin: number, sign: number, firstKey: number): void {
    const asking = this.#shapes[from];
    const asked = this.#shapes[into];
    if (asking.count === 0) return;
    // of two balls one asks
    if (firstKey !== 0 && asking.shape.kind === 'sphere' && asked.shape.kind === 'sphere') return;
    this.#relate(from, into);
    const { samples } = asking;
    const { at, distance, normal, reach } = this.#probe;
    const turn = this.#turn;
    const shift = this.#shift;
    const facing = this.#facing;
    const { box } = asked;
    for (let s = 0; s < asking.count; s++) {
      const o = s * SAMPLE;
      const near = margin + samples[o + 3];
      let outside = false;
      for (let k = 0; k < 3; k++) {
        const r = k * 3;
        at[k] = turn[r] * samples[o] + turn[r + 1] * samples[o + 1] + turn[r + 2] * samples[o + 2] + shift[k];
        if (box && (at[k] > box[3 + k] + near || at[k] < box[k] - near)) outside = true;
      }
      if (outside) continue;
      for (let k = 0; k < 3; k++) {
        const r = k * 3;
        facing[k] = turn[r] * samples[o + 4] + turn[r + 1] * samples[o + 5] + turn[r + 2] * samples[o + 6];
      }
      reach[0] = near;
      if (!probeFacing(asked, this.#probe, facing)) continue;
      const gap = distance[0] - samples[o + 3];
      if (gap < margin) this.#add(into, firstKey + s, sign, samples[o + 3] + 0.5 * gap, gap, at, normal);
    }
  }

  /** turn = R_intoᵀ R_from, shift = R_intoᵀ (x_from − x_into). */
  #relate(from: number, into: number): void {
    const { rotation, x } = this.#rigid;
    const p = from * 9;
    const q = into * 9;
    const d0 = x[from * 3] - x[into * 3];
    const d1 = x[from * 3 + 1] - x[into * 3 + 1];
    const d2 = x[from * 3 + 2] - x[into * 3 + 2];
    for (let k = 0; k < 3; k++) {
      const r0 = rotation[q + k];
      const r1 = rotation[q + 3 + k];
      const r2 = rotation[q + 6 + k];
      this.#shift[k] = r0 * d0 + r1 * d1 + r2 * d2;
      for (let m = 0; m < 3; m++) {
        this.#turn[k * 3 + m] = r0 * rotation[p + m] + r1 * rotation[p + 3 + m] + r2 * rotation[p + 6 + m];
      }
    }
  }

  /** A candidate: `at` less `back` along the normal, both in the frame of `into`. */
  #add(
    into: number,
    key: number,
    sign: number,
    back: number,
    gap: number,
    at: Float64Array,
    normal: Float64Array,
  ): void {
    const { manifold } = this;
    if (manifold.count === manifold.capacity) return;
    const { rotation, x } = this.#rigid;
    const { values } = manifold;
    const o = manifold.count++ * CANDIDATE;
    values[o] = key;
    values[o + 7] = gap;
    const p0 = at[0] - back * normal[0];
    const p1 = at[1] - back * normal[1];
    const p2 = at[2] - back * normal[2];
    for (let k = 0; k < 3; k++) {
      const r = into * 9 + k * 3;
      values[o + 1 + k] = x[into * 3 + k] + rotation[r] * p0 + rotation[r + 1] * p1 + rotation[r + 2] * p2;
      const n = rotation[r] * normal[0] + rotation[r + 1] * normal[1] + rotation[r + 2] * normal[2];
      values[o + 4 + k] = sign * n;
    }
  }
}

/** Whether samples, which are all that kernels know, do not tell how two round bodies are to each other; false for what is not rigid. */
export function isBeyondSamples(
  frames: RigidFrames,
  shapes: readonly (SampledShape | undefined)[],
  a: number,
  b: number,
): boolean {
  const first = shapes[a]?.shape;
  const second = shapes[b]?.shape;
  if (!first || !second) return false;
  return areLongRods(first, second) || areDeepRings(frames, a, first, b, second);
}

type Box = Extract<AnyShape, { readonly kind: 'box' }>;

function isSolidBox(shape: AnyShape): shape is Box {
  return shape.kind === 'box' && !('container' in shape && shape.container);
}
