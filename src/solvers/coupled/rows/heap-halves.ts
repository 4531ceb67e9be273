/**
 * Cuts a heap in two by an upright plane through the middle of its bodies: rows within one half see nothing of the other, so that two threads can
 * sweep them side by side; rows across come after both. Where bodies are decides, never how many threads there are.
 */
import type { Islands } from './islands.js';
import type { RowSystem } from './row-system.js';

/** The half of bodies that nothing moves: they belong to both. */
const NEITHER = 2;
/** Rows across the plane. */
export const ACROSS = 2;

/** Which half each body of a heap is in. */
export class HeapHalves {
  readonly #system: RowSystem;
  readonly #half: Uint8Array;
  /** Middle of each body of the heap, 3 each. */
  readonly #middle: Float64Array;

  constructor(system: RowSystem, bodyCount: number) {
    this.#system = system;
    this.#half = new Uint8Array(bodyCount).fill(NEITHER);
    this.#middle = new Float64Array(bodyCount * 3);
  }

  /** Cuts an island. The plane is upright, across the longer side. */
  cut({ body, bodyStart }: Islands, island: number, up: Float64Array): void {
    const middle = this.#middle;
    const from = bodyStart[island];
    const to = bodyStart[island + 1];
    let axis = 0;
    let widest = -1;
    let mean = 0;
    for (let n = from; n < to; n++) this.#measure(body[n]);
    for (let k = 0; k < 3; k++) {
      if (Math.abs(up[k]) >= Math.max(Math.abs(up[0]), Math.abs(up[1]), Math.abs(up[2])) && up[k] !== 0) continue;
      let sum = 0;
      let squares = 0;
      for (let n = from; n < to; n++) {
        const at = middle[body[n] * 3 + k] - middle[body[from] * 3 + k];
        sum += at;
        squares += at * at;
      }
      const spread = squares - (sum * sum) / (to - from);
      if (spread <= widest) continue;
      widest = spread;
      axis = k;
      mean = sum / (to - from) + middle[body[from] * 3 + k];
    }
    for (let n = from; n < to; n++) this.#half[body[n]] = middle[body[n] * 3 + axis] < mean ? 0 : 1;
  }

  /** The island is done with: its bodies are in no half. */
  clear({ body, bodyStart }: Islands, island: number): void {
    for (let n = bodyStart[island]; n < bodyStart[island + 1]; n++) this.#half[body[n]] = NEITHER;
  }

  /** 0 or 1 for a row within a half, else `ACROSS`. */
  ofRow(a: number, b: number): number {
    const first = this.#half[a];
    const second = this.#half[b];
    if (first === second || second === NEITHER) return first;
    return first === NEITHER ? second : ACROSS;
  }

  #measure(b: number): void {
    const { rigid, soft } = this.#system;
    const middle = this.#middle;
    const s = b - rigid.count;
    for (let k = 0; k < 3; k++) {
      if (s < 0) {
        middle[b * 3 + k] = rigid.x[b * 3 + k];
        continue;
      }
      const { x, firstVertex } = soft.bodies;
      let sum = 0;
      for (let i = firstVertex[s] * 3; i < firstVertex[s + 1] * 3; i += 3) sum += x[i + k];
      middle[b * 3 + k] = sum / (firstVertex[s + 1] - firstVertex[s]);
    }
  }
}
