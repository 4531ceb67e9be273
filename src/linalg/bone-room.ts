/**
 * Where the numbers of a tree of bones are: all arrays of `bone-fronts.ts` and `bone-mobility.ts` one after the other, so that a kernel finds
 * them by one address and the number of bones (assembly/bone-fronts.ts has the same places). In the world's memory, or in one of its own.
 */

/** Numbers per bone. */
export const BONE_NUMBERS = 132;

/** Whole numbers of a tree: parents, axes, held roots, bones that take part, the walk through the tree, the first row of each joint. */
export function boneWholeNumbers(count: number): number {
  return 7 * count + 1;
}

/** Hands out the arrays of a tree in their order. */
export class BoneRoom {
  readonly count: number;
  readonly numbers: Float64Array;
  readonly whole: Int32Array;
  #next = 0;
  #nextWhole = 0;

  constructor(
    count: number,
    numbers: Float64Array = new Float64Array(BONE_NUMBERS * count),
    whole: Int32Array = new Int32Array(boneWholeNumbers(count)),
  ) {
    this.count = count;
    this.numbers = numbers;
    this.whole = whole;
  }

  /** The next array, of so many numbers per bone. */
  take(perBone: number): Float64Array {
    const from = this.#next;
    this.#next += perBone * this.count;
    return this.numbers.subarray(from, this.#next);
  }

  /** The next array of whole numbers, of so many per bone and `more`. */
  takeWhole(perBone: number, more = 0): Int32Array {
    const from = this.#nextWhole;
    this.#nextWhole += perBone * this.count + more;
    return this.whole.subarray(from, this.#nextWhole);
  }
}
