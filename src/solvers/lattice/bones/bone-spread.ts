/**
 * How moves of bones spread through flesh: a change of a bone's transform (four rows of three numbers, δA e_p and δt) moves a node by
 *
 *     Σ w_k (δA_k (X − C_k) + δt_k)
 *
 * with the harmonic weights w, one on the bone's own nodes: the extension of Schur's complement, to what the weights leave of it. Built once per
 * body; used by free-bones.ts.
 */
import type { LatticeBody } from '../lattice-body.js';
import type { Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { BONES_PER_NODE, type BoneWeights } from './harmonic-weights.js';

/** Numbers of a transform. */
export const AFFINE = 12;

/** Spreads the moves of the first `count` bones. */
export class BoneSpread {
  readonly count: number;
  readonly #places: Int32Array;
  /** 1 for nodes that bones or the world hold: they are moved by whoever holds them. */
  readonly #held: Uint8Array;
  readonly #ofNode: Int32Array;
  readonly #rest: Float64Array;
  readonly #centres: Float64Array;
  readonly #weights: BoneWeights;

  constructor(
    { layout, filling }: LatticeBody,
    count: number,
    ofNode: Int32Array,
    rest: Float64Array,
    centres: Float64Array,
    weights: BoneWeights,
  ) {
    this.count = count;
    this.#places = layout.placeOfNode.map((place) => floatOfPlace(place, 0));
    this.#held = filling.held;
    this.#ofNode = ofNode;
    this.#rest = rest;
    this.#centres = centres;
    this.#weights = weights;
  }

  /** pull = Qᵀ q over free nodes. */
  gather(q: Vector, pull: Float64Array): void {
    const { bones, weights } = this.#weights;
    for (let node = 0; node < this.#places.length; node++) {
      if (this.#held[node]) continue;
      for (let n = BONES_PER_NODE * node; n < BONES_PER_NODE * (node + 1) && weights[n] > 0; n++) {
        if (bones[n] < this.count) this.#gatherOne(node, bones[n], weights[n], q, pull);
      }
    }
  }

  /** Adds what pulls on the nodes that bones hold to the pull on their bones. */
  gatherHeld(gradient: Vector, pull: Float64Array): void {
    for (let node = 0; node < this.#places.length; node++) {
      const bone = this.#ofNode[node];
      if (bone >= 0 && bone < this.count) this.#gatherOne(node, bone, 1, gradient, pull);
    }
  }

  #gatherOne(node: number, bone: number, weight: number, { view }: Vector, pull: Float64Array): void {
    const at = this.#places[node];
    const o = AFFINE * bone;
    const [gx, gy, gz] = [weight * view[at], weight * view[at + 4], weight * view[at + 8]];
    for (let p = 0; p < 3; p++) {
      const arm = this.#rest[3 * node + p] - this.#centres[3 * bone + p];
      pull[o + 3 * p] += arm * gx;
      pull[o + 3 * p + 1] += arm * gy;
      pull[o + 3 * p + 2] += arm * gz;
    }
    pull[o + 9] += gx;
    pull[o + 10] += gy;
    pull[o + 11] += gz;
  }

  /** d += Q move at free nodes. */
  scatter(move: Float64Array, d: Vector): void {
    const { bones, weights } = this.#weights;
    for (let node = 0; node < this.#places.length; node++) {
      if (this.#held[node]) continue;
      for (let n = BONES_PER_NODE * node; n < BONES_PER_NODE * (node + 1) && weights[n] > 0; n++) {
        if (bones[n] < this.count) this.#scatterOne(node, bones[n], weights[n], move, d);
      }
    }
  }

  #scatterOne(node: number, bone: number, weight: number, move: Float64Array, { view }: Vector): void {
    const at = this.#places[node];
    const o = AFFINE * bone;
    const a = this.#rest[3 * node] - this.#centres[3 * bone];
    const b = this.#rest[3 * node + 1] - this.#centres[3 * bone + 1];
    const c = this.#rest[3 * node + 2] - this.#centres[3 * bone + 2];
    for (let k = 0; k < 3; k++) {
      view[at + 4 * k] += weight * (a * move[o + k] + b * move[o + 3 + k] + c * move[o + 6 + k] + move[o + 9 + k]);
    }
  }

  /** Puts the nodes of bones that are not fixed where transforms take them: `affine` has the columns of a rotation, then the place of the centre. */
  place(fixed: Uint8Array, affine: Float64Array, x: Vector): void {
    for (let node = 0; node < this.#places.length; node++) {
      const bone = this.#ofNode[node];
      if (bone < 0 || bone >= this.count || fixed[bone]) continue;
      const at = this.#places[node];
      for (let k = 0; k < 3; k++) x.view[at + 4 * k] = 0;
      this.#scatterOne(node, bone, 1, affine, x);
    }
  }

  /** Qᵀ M Q for masses of nodes, 4 count rows of 4 count numbers: what moves of bones cost where flesh comes along. Held nodes count with their bone. */
  inertiaMetric(masses: ArrayLike<number>): Float64Array {
    const size = 4 * this.count;
    const metric = new Float64Array(size * size);
    const { bones, weights } = this.#weights;
    const one = { bones: [0], weights: [1] };
    for (let node = 0; node < this.#places.length; node++) {
      const isHeld = this.#held[node] === 1;
      const first = isHeld ? 0 : BONES_PER_NODE * node;
      const list = isHeld ? one : { bones, weights };
      one.bones[0] = this.#ofNode[node];
      const end = isHeld ? 1 : first + BONES_PER_NODE;
      for (let a = first; a < end; a++) {
        for (let b = first; b < end; b++) {
          const [j, k] = [list.bones[a], list.bones[b]];
          if (j < 0 || j >= this.count || k < 0 || k >= this.count) continue;
          this.#addProduct(metric, node, j, k, masses[node] * list.weights[a] * list.weights[b]);
        }
      }
    }
    return metric;
  }

  /** Adds weight (X − C_j, 1)(X − C_k, 1)ᵀ to block j, k. */
  #addProduct(metric: Float64Array, node: number, j: number, k: number, weight: number): void {
    const size = 4 * this.count;
    for (let p = 0; p < 4; p++) {
      const a = p < 3 ? this.#rest[3 * node + p] - this.#centres[3 * j + p] : 1;
      for (let q = 0; q < 4; q++) {
        const b = q < 3 ? this.#rest[3 * node + q] - this.#centres[3 * k + q] : 1;
        metric[(4 * j + p) * size + 4 * k + q] += weight * a * b;
      }
    }
  }
}
