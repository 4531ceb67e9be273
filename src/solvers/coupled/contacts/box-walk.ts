/** The walk of the broad phase: boxes side by side in the order along x, and those that overlap as pairs of bodies. By a kernel (assembly/box-sweep.ts) where there is one; the same in plain code is its specification. */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import { moveArrays } from '../../../kernels/move-arrays.js';

/** Numbers per box: lowest and highest x, lowest y and z, highest y and z, and two words: whether its body can move and has, and whose it is. */
const BOX = 8;
const MOVES = 12;
const WHO = 13;
/** Of a pair of which one can move and one has. */
const BOTH = 3;

/** Walks along boxes. */
export class BoxWalk {
  readonly capacity: number;
  /** Pairs as they are met, lower and higher body. */
  first: Int32Array;
  second: Int32Array;
  /** How many there are, those that found no room included. */
  found = 0;
  sides: Float64Array;
  /** The words among them. */
  #words: Int32Array;
  #kernels: KernelTable | undefined;

  constructor(count: number, capacity: number) {
    this.capacity = capacity;
    this.first = new Int32Array(capacity);
    this.second = new Int32Array(capacity);
    this.sides = new Float64Array(count * BOX);
    this.#words = new Int32Array(this.sides.buffer);
  }

  /** Plans the kernel; what is returned starts it. */
  plan(plan: MemoryPlan): (kernels: KernelTable) => void {
    const move = moveArrays<Pick<BoxWalk, 'sides' | 'first' | 'second'>>(plan, this, ['sides', 'first', 'second']);
    return (kernels) => {
      move();
      this.#words = new Int32Array(this.sides.buffer, this.sides.byteOffset, this.sides.length * 2);
      this.#kernels = kernels;
    };
  }

  /** Puts the box of body b at place n. `moves`: 1 where it can move, and 2 where it has. */
  put(n: number, boxes: Float64Array, b: number, moves: number): void {
    const { sides } = this;
    const o = n * BOX;
    const from = b * 6;
    sides[o] = boxes[from];
    sides[o + 1] = boxes[from + 3];
    sides[o + 2] = boxes[from + 1];
    sides[o + 3] = boxes[from + 2];
    sides[o + 4] = boxes[from + 4];
    sides[o + 5] = boxes[from + 5];
    this.#words[n * 2 * BOX + MOVES] = moves;
    this.#words[n * 2 * BOX + WHO] = b;
  }

  /** Notes the pairs among the first boxes. Those that both begin before `edge` along z are left to another strip. */
  run(count: number, edge: number): void {
    const { sides, first, second } = this;
    if (this.#kernels) {
      const { byteOffset } = sides;
      const lower = first.byteOffset;
      const higher = second.byteOffset;
      this.found = this.#kernels.sweepBoxes(byteOffset, count, edge, lower, higher, this.found, this.capacity);
      return;
    }
    for (let i = 0; i < count; i++) this.#walkFrom(i, count, edge);
  }

  #walkFrom(i: number, count: number, edge: number): void {
    const { sides } = this;
    const words = this.#words;
    const o = i * BOX;
    for (let j = i + 1; j < count; j++) {
      const p = j * BOX;
      if (sides[p] > sides[o + 1]) break;
      if (sides[p + 2] > sides[o + 4] || sides[p + 4] < sides[o + 2]) continue;
      if (sides[p + 3] > sides[o + 5] || sides[p + 5] < sides[o + 3]) continue;
      if ((words[2 * o + MOVES] | words[2 * p + MOVES]) !== BOTH || (sides[o + 3] < edge && sides[p + 3] < edge)) {
        continue;
      }
      this.#note(words[2 * o + WHO], words[2 * p + WHO]);
    }
  }

  #note(a: number, b: number): void {
    if (this.found < this.capacity) {
      this.first[this.found] = Math.min(a, b);
      this.second[this.found] = Math.max(a, b);
    }
    this.found++;
  }
}
