/**
 * Of many candidate points between two bodies the few that matter: at most four per direction of the normal. One direction is not
 * enough (a ball in a ring is held from all around), and more than four points of one plane only repeat each other.
 */

/** Numbers per candidate: key within the pair, point (3), normal (3), gap. */
export const CANDIDATE = 8;
const PER_DIRECTION = 4;
/** Cosine above which two normals are one direction. */
const SAME = 0.9;
/** How much farther, and (as a share of the margin) how much deeper, a later point must be to be chosen over an earlier one: else points that are as good take turns, and impulses find no contact to be kept by. */
const FARTHER = 0.02;
const DEEPER = 0.02;
/** Distance that a height above the deepest point is worth: what lies on an edge is held by both ends of it, not by one and by what is high above the other. */
const STEEP = 4;

/** Candidates of the pair at hand. */
export class Manifold {
  readonly capacity: number;
  count = 0;
  readonly values: Float64Array;
  /** 1 for the candidates that are kept. */
  readonly kept: Uint8Array;
  readonly #group: Int32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.values = new Float64Array(capacity * CANDIDATE);
    this.kept = new Uint8Array(capacity);
    this.#group = new Int32Array(capacity);
  }

  clear(): void {
    this.count = 0;
  }

  /** Marks those to keep; `margin`: how far ahead they were looked for [m]. */
  reduce(margin: number): void {
    const { values, kept } = this;
    const group = this.#group;
    if (this.count <= PER_DIRECTION) {
      kept.fill(1, 0, this.count);
      return;
    }
    kept.fill(0, 0, this.count);
    group.fill(-1, 0, this.count);
    for (let g = 0; g < this.count; g++) {
      // the deepest that is in no group yet leads the next one
      const lead = this.#deepest(DEEPER * margin);
      if (lead < 0) return;
      const o = lead * CANDIDATE;
      for (let i = 0; i < this.count; i++) {
        const p = i * CANDIDATE;
        const same =
          values[o + 4] * values[p + 4] + values[o + 5] * values[p + 5] + values[o + 6] * values[p + 6] > SAME;
        if (group[i] < 0 && same) group[i] = g;
      }
      kept[lead] = 1;
      group[lead] = g;
      this.#spread(lead, g);
    }
  }

  #deepest(more: number): number {
    let best = -1;
    for (let i = 0; i < this.count; i++) {
      if (this.#group[i] >= 0) continue;
      if (best < 0 || this.values[i * CANDIDATE + 7] < this.values[best * CANDIDATE + 7] - more) best = i;
    }
    return best;
  }

  /** Keeps, beside its lead, the point of group g farthest from it, and the two farthest from their line, one to each side. What is farther above the lead counts as nearer by that much more. */
  #spread(lead: number, g: number): void {
    const { values } = this;
    const o = lead * CANDIDATE;
    const second = this.#farthest(lead, g);
    if (second < 0) return;
    this.kept[second] = 1;
    const s = second * CANDIDATE;
    const e0 = values[s + 1] - values[o + 1];
    const e1 = values[s + 2] - values[o + 2];
    const e2 = values[s + 3] - values[o + 3];
    // along the plane and across the line: normal × line
    const a0 = values[o + 5] * e2 - values[o + 6] * e1;
    const a1 = values[o + 6] * e0 - values[o + 4] * e2;
    const a2 = values[o + 4] * e1 - values[o + 5] * e0;
    const left = this.#beside(lead, g, a0, a1, a2);
    const right = this.#beside(lead, g, -a0, -a1, -a2);
    if (left >= 0) this.kept[left] = 1;
    if (right >= 0) this.kept[right] = 1;
  }

  /** The point of group g that is farthest to the side (a0, a1, a2) of its lead and the second one. */
  #beside(lead: number, g: number, a0: number, a1: number, a2: number): number {
    const { values } = this;
    const o = lead * CANDIDATE;
    const square = a0 * a0 + a1 * a1 + a2 * a2;
    const steep = STEEP * Math.sqrt(square);
    let best = -1;
    let most = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.#group[i] !== g || this.kept[i] === 1) continue;
      const p = i * CANDIDATE;
      const side =
        a0 * (values[p + 1] - values[o + 1]) +
        a1 * (values[p + 2] - values[o + 2]) +
        a2 * (values[p + 3] - values[o + 3]);
      const far = side - steep * Math.max(0, values[p + 7] - values[o + 7]);
      if (side > 1e-9 * square && (best < 0 || far > most + FARTHER * Math.abs(most))) {
        most = far;
        best = i;
      }
    }
    return best;
  }

  #farthest(lead: number, g: number): number {
    const { values } = this;
    const o = lead * CANDIDATE;
    let best = -1;
    let most = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.#group[i] !== g || i === lead) continue;
      const p = i * CANDIDATE;
      let square = 0;
      for (let k = 1; k < 4; k++) square += (values[p + k] - values[o + k]) * (values[p + k] - values[o + k]);
      const far = Math.sqrt(square) - STEEP * Math.max(0, values[p + 7] - values[o + 7]);
      if (best < 0 || far > most + FARTHER * Math.abs(most)) {
        most = far;
        best = i;
      }
    }
    return best;
  }
}
