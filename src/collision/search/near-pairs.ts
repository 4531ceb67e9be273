/** Which bodies are near enough to each other to be compared at all: their boxes, grown by the most anything can move within a step, overlap. */
import type { SurfaceMotion } from '../surface/surface-motion.js';

/** The pairs of a step: of body a those with `others[starts[a]..starts[a + 1])`, ascending, without a itself. */
export class NearPairs {
  readonly starts: Int32Array;
  others = new Int32Array(64);
  /** Bodies by the lowest x of their grown boxes; nearly the same from step to step. */
  readonly #order: Int32Array;
  /** Grown boxes: lowest x, y, z, then highest. */
  readonly #boxes: Float64Array;
  /** Pairs as found, two numbers each, lower body first. */
  #found = new Int32Array(64);
  #count = 0;

  constructor(bodyCount: number) {
    this.starts = new Int32Array(bodyCount + 1);
    this.#order = Int32Array.from({ length: bodyCount }, (_, i) => i);
    this.#boxes = new Float64Array(bodyCount * 6);
  }

  /** Finds all pairs that `canMeet` of push-chain.ts can say yes to, whatever bodies do to each other's velocities within the step. */
  find(bodies: readonly SurfaceMotion[], h: number, pull: number): void {
    this.#growBoxes(bodies, h, pull);
    this.#sort();
    const boxes = this.#boxes;
    const order = this.#order;
    this.#count = 0;
    for (let m = 0; m < order.length; m++) {
      const a = order[m] * 6;
      for (let n = m + 1; n < order.length && boxes[order[n] * 6] <= boxes[a + 3]; n++) {
        const b = order[n] * 6;
        if (boxes[a + 1] > boxes[b + 4] || boxes[b + 1] > boxes[a + 4]) continue;
        if (boxes[a + 2] > boxes[b + 5] || boxes[b + 2] > boxes[a + 5]) continue;
        this.#add(Math.min(order[m], order[n]), Math.max(order[m], order[n]));
      }
    }
    this.#list();
  }

  /**
   * Half of what `canMeet` allows for each of the two. Pushes lead a body's velocity at most to that of another one, so that on each axis no two come
   * together faster than twice the range of all velocities.
   */
  #growBoxes(bodies: readonly SurfaceMotion[], h: number, pull: number): void {
    const boxes = this.#boxes;
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < bodies.length; i++) {
        low = Math.min(low, bodies[i].velocity[k]);
        high = Math.max(high, bodies[i].velocity[k]);
      }
      for (let i = 0; i < bodies.length; i++) {
        const { margin, spread, box } = bodies[i];
        const grow = margin + h * (spread + 0.5 * h * pull + (high - low));
        boxes[i * 6 + k] = box[k] - grow;
        boxes[i * 6 + 3 + k] = box[3 + k] + grow;
      }
    }
  }

  /** By insertion: little has changed since the last step. */
  #sort(): void {
    const order = this.#order;
    const boxes = this.#boxes;
    for (let m = 1; m < order.length; m++) {
      const body = order[m];
      const low = boxes[body * 6];
      let n = m - 1;
      for (; n >= 0 && boxes[order[n] * 6] > low; n--) order[n + 1] = order[n];
      order[n + 1] = body;
    }
  }

  #add(a: number, b: number): void {
    if (this.#count * 2 === this.#found.length) {
      const more = new Int32Array(this.#found.length * 2);
      more.set(this.#found);
      this.#found = more;
      this.others = new Int32Array(more.length);
    }
    this.#found[this.#count * 2] = a;
    this.#found[this.#count * 2 + 1] = b;
    this.#count++;
  }

  /** Lists the pairs both ways round, by their first body. */
  #list(): void {
    const { starts, others } = this;
    const found = this.#found;
    starts.fill(0);
    for (let i = 0; i < this.#count * 2; i++) starts[found[i] + 1]++;
    for (let a = 1; a < starts.length; a++) starts[a] += starts[a - 1];
    for (let i = 0; i < this.#count; i++) {
      others[starts[found[i * 2]]++] = found[i * 2 + 1];
      others[starts[found[i * 2 + 1]]++] = found[i * 2];
    }
    for (let a = starts.length - 1; a > 0; a--) starts[a] = starts[a - 1];
    starts[0] = 0;
    for (let a = 0; a + 1 < starts.length; a++) ascend(others, starts[a], starts[a + 1]);
  }
}

/** Sorts a short list by insertion. */
function ascend(list: Int32Array, from: number, to: number): void {
  for (let m = from + 1; m < to; m++) {
    const value = list[m];
    let n = m - 1;
    for (; n >= from && list[n] > value; n--) list[n + 1] = list[n];
    list[n + 1] = value;
  }
}
