/** Boxes around clusters of features (triangles or edges) of soft bodies, made when a body is first asked in a search. */
import type { SoftBodies } from './soft-bodies.js';

/** Features per cluster. */
export const CLUSTER = 8;

/** Boxes of all soft bodies. */
export class FeatureBoxes {
  /** First cluster of each body; six numbers per box. */
  readonly first: Int32Array;
  readonly boxes: Float64Array;
  readonly #soft: SoftBodies;
  readonly #features: readonly ArrayLike<number>[];
  readonly #corners: number;
  readonly #fresh: Uint8Array;

  /** features: of each body, `corners` vertices each. */
  constructor(soft: SoftBodies, features: readonly ArrayLike<number>[], corners: number) {
    this.#soft = soft;
    this.#features = features;
    this.#corners = corners;
    this.first = new Int32Array(soft.count + 1);
    features.forEach((list, s) => {
      this.first[s + 1] = this.first[s] + Math.ceil(list.length / corners / CLUSTER);
    });
    this.boxes = new Float64Array(this.first[soft.count] * 6);
    this.#fresh = new Uint8Array(soft.count);
  }

  /** The bodies have moved. */
  begin(): void {
    this.#fresh.fill(0);
  }

  /** Makes the boxes of body s, if they are not; whether they were not. */
  refresh(s: number): boolean {
    if (this.#fresh[s] === 1) return false;
    this.#fresh[s] = 1;
    const { x, firstVertex } = this.#soft;
    const list = this.#features[s];
    const wide = CLUSTER * this.#corners;
    for (let cluster = this.first[s]; cluster < this.first[s + 1]; cluster++) {
      const o = cluster * 6;
      for (let k = 0; k < 3; k++) {
        this.boxes[o + k] = Number.POSITIVE_INFINITY;
        this.boxes[o + 3 + k] = Number.NEGATIVE_INFINITY;
      }
      const from = (cluster - this.first[s]) * wide;
      for (let i = from; i < Math.min(list.length, from + wide); i++) {
        const at = (firstVertex[s] + list[i]) * 3;
        for (let k = 0; k < 3; k++) {
          this.boxes[o + k] = Math.min(this.boxes[o + k], x[at + k]);
          this.boxes[o + 3 + k] = Math.max(this.boxes[o + 3 + k], x[at + k]);
        }
      }
    }
    return true;
  }

  /** Whether a cluster is farther than `reach` from the box between the points x[i..] and x[j..]. */
  isBeyond(cluster: number, x: Float64Array, i: number, j: number, reach: number): boolean {
    const o = cluster * 6;
    for (let k = 0; k < 3; k++) {
      if (Math.min(x[i + k], x[j + k]) > this.boxes[o + 3 + k] + reach) return true;
      if (Math.max(x[i + k], x[j + k]) < this.boxes[o + k] - reach) return true;
    }
    return false;
  }
}
