/**
 * Where a frame starts: every free node goes along with its bones by harmonic weights, `x ← Σ w T T_old⁻¹ x`, and, where there is no inertia to say
 * so, moves against them once more as it did in the frame before (`drift`): a motion that goes on takes its flesh on with it. Nodes of bones are
 * where their bone is, exactly. Called once per step.
 */
import type { LatticeBody } from '../lattice-body.js';
import type { Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { restTransforms, TRANSFORM, writeChange } from './bone-transforms.js';
import { BONES_PER_NODE, type BoneWeights } from './harmonic-weights.js';

/** Carries the nodes of one body. */
export class BoneCarry {
  readonly #rest: Float64Array;
  readonly #ofNode: Int32Array;
  readonly #held: Uint8Array;
  /** Where the first number of each node is. */
  readonly #at: Int32Array;
  /** How each bone moves, as a transform. */
  readonly #changes: Float64Array;
  readonly #boneCount: number;
  readonly #drift: Vector | undefined;
  /** Found once the memory exists. */
  weights!: BoneWeights;

  /** `drift`: a vector for how nodes moved against their bones; undefined where they are not to go on. */
  constructor(
    { layout, filling }: LatticeBody,
    rest: Float64Array,
    bones: { readonly count: number; readonly ofNode: Int32Array },
    drift: Vector | undefined,
  ) {
    this.#rest = rest;
    this.#ofNode = bones.ofNode;
    this.#boneCount = bones.count;
    this.#held = filling.held;
    this.#at = layout.placeOfNode.map((place) => floatOfPlace(place, 0));
    this.#changes = restTransforms(bones.count);
    this.#drift = drift;
  }

  /** Moves x as bones move from transforms `from` to `to`. */
  run(x: Vector, from: Float64Array, to: Float64Array): void {
    for (let bone = 0; bone < this.#boneCount; bone++) writeChange(this.#changes, to, from, bone);
    const held = this.#held;
    for (let node = 0; node < held.length; node++) if (held[node] !== 0) this.#place(x, to, node, this.#ofNode[node]);
    this.#carryFree(x.view);
  }

  /** Nothing has moved yet. */
  forget(): void {
    this.#drift?.view.fill(0);
  }

  /**
   * Moves free nodes by their bones, and on by their drift; minus where bones alone take them is left there, so that the place where they end need
   * only be added. One loop over all nodes with everything at hand: a call for each took as long again as the work.
   */
  #carryFree(x: Vector['view']): void {
    const { bones, weights } = this.weights;
    const drift = this.#drift?.view;
    const [places, held, d] = [this.#at, this.#held, this.#changes];
    for (let node = 0; node < places.length; node++) {
      const first = BONES_PER_NODE * node;
      // where no bone reaches nothing is carried
      if (held[node] !== 0 || !(weights[first] > 0)) continue;
      const at = places[node];
      const px = x[at];
      const py = x[at + 4];
      const pz = x[at + 8];
      const ax = drift === undefined ? 0 : drift[at];
      const ay = drift === undefined ? 0 : drift[at + 4];
      const az = drift === undefined ? 0 : drift[at + 8];
      let sx = 0;
      let sy = 0;
      let sz = 0;
      let tx = 0;
      let ty = 0;
      let tz = 0;
      // strongest first: the rest is zero after the first zero
      for (let n = first; n < first + BONES_PER_NODE; n++) {
        const weight = weights[n];
        if (!(weight > 0)) break;
        const o = TRANSFORM * bones[n];
        sx += weight * (d[o] * px + d[o + 1] * py + d[o + 2] * pz + d[o + 9]);
        sy += weight * (d[o + 3] * px + d[o + 4] * py + d[o + 5] * pz + d[o + 10]);
        sz += weight * (d[o + 6] * px + d[o + 7] * py + d[o + 8] * pz + d[o + 11]);
        tx += weight * (d[o] * ax + d[o + 1] * ay + d[o + 2] * az);
        ty += weight * (d[o + 3] * ax + d[o + 4] * ay + d[o + 5] * az);
        tz += weight * (d[o + 6] * ax + d[o + 7] * ay + d[o + 8] * az);
      }
      x[at] = sx + tx;
      x[at + 4] = sy + ty;
      x[at + 8] = sz + tz;
      if (drift === undefined) continue;
      drift[at] = -sx;
      drift[at + 4] = -sy;
      drift[at + 8] = -sz;
    }
  }

  /** Shortens drifts to `most` [m] and takes nodes back by as much. */
  holdBack({ view: x }: Vector, most: number): void {
    const drift = this.#drift?.view;
    if (drift === undefined) return;
    for (const at of this.#at) {
      const length = Math.sqrt(drift[at] * drift[at] + drift[at + 4] * drift[at + 4] + drift[at + 8] * drift[at + 8]);
      if (!(length > most)) continue;
      for (let k = at; k < at + 12; k += 4) {
        const kept = (most / length) * drift[k];
        x[k] += kept - drift[k];
        drift[k] = kept;
      }
    }
  }

  /** Puts nodes that no bone reaches where this transform takes them from rest. */
  placeLoose(x: Vector, to: Float64Array, transform: number): void {
    const { weights } = this.weights;
    for (let node = 0; node < this.#held.length; node++) {
      if (this.#held[node] === 0 && !(weights[BONES_PER_NODE * node] > 0)) this.#place(x, to, node, transform);
    }
  }

  #place({ view }: Vector, to: Float64Array, node: number, bone: number): void {
    const o = TRANSFORM * bone;
    const at = this.#at[node];
    for (let i = 0; i < 3; i++) {
      let sum = to[o + 9 + i];
      for (let j = 0; j < 3; j++) sum += to[o + 3 * i + j] * this.#rest[3 * node + j];
      view[at + 4 * i] = sum;
      if (this.#drift) this.#drift.view[at + 4 * i] = -sum;
    }
  }
}
