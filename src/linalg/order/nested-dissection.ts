/**
 * Nested dissection of a symmetric pattern whose unknowns have places in space: the unknowns are cut in two halves along their longest extent, those of
 * one half that have neighbours in the other are eliminated last, and each half is cut again. Pieces that are small are left to minimum degree.
 * For large solid bodies the factor needs less room and far fewer operations than with minimum degree alone (docs/decisions/0014). Called once per system.
 *
 * A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10 (1973).
 */

import type { SparsePattern } from '../sparse.js';
import { orderAmd } from './amd.js';

/** Pieces of this many unknowns are not cut any more. */
const SMALLEST_CUT = 1500;

/**
 * Returns permutation[new] = old. `places`: three numbers per unknown that is not in `forcedLast`; those come last, in the given order, and are left
 * out of the graph.
 */
export function orderByPlaces(
  pattern: SparsePattern,
  places: Float64Array,
  forcedLast: ArrayLike<number> = [],
): Int32Array {
  const dissection = new Dissection(pattern, places);
  const left = new Uint8Array(pattern.size);
  for (let k = 0; k < forcedLast.length; k++) left[forcedLast[k]] = 1;
  const all = new Int32Array(pattern.size - forcedLast.length);
  let count = 0;
  for (let i = 0; i < pattern.size; i++) if (!left[i]) all[count++] = i;
  dissection.order(all);
  const permutation = new Int32Array(pattern.size);
  permutation.set(all);
  for (let k = 0; k < forcedLast.length; k++) permutation[count + k] = forcedLast[k];
  return permutation;
}

/** The state of one dissection: which piece every unknown is in by now. */
class Dissection {
  readonly #pattern: SparsePattern;
  readonly #places: Float64Array;
  /** Number of the piece of each unknown; 0 for those that are left out or separate pieces. */
  readonly #piece: Int32Array;
  /** Number of each unknown within the piece that minimum degree is asked about. */
  readonly #inner: Int32Array;
  #pieces = 0;

  constructor(pattern: SparsePattern, places: Float64Array) {
    this.#pattern = pattern;
    this.#places = places;
    this.#piece = new Int32Array(pattern.size);
    this.#inner = new Int32Array(pattern.size);
  }

  /** Puts a piece in the order of its elimination, in place. */
  order(piece: Int32Array): void {
    if (piece.length <= SMALLEST_CUT) {
      this.#orderSmall(piece);
      return;
    }
    const middle = this.#sortAlongLongest(piece);
    const low = ++this.#pieces;
    const high = ++this.#pieces;
    for (let i = 0; i < piece.length; i++) this.#piece[piece[i]] = i < middle ? low : high;
    const parts = this.#separate(piece, middle, high);
    this.order(piece.subarray(0, parts[0]));
    this.order(piece.subarray(parts[0], parts[1]));
  }

  /** Sorts a piece along the longest side of its box; returns where to cut it. Equal places keep together on one side, where there are not too many. */
  #sortAlongLongest(piece: Int32Array): number {
    const places = this.#places;
    let axis = 0;
    let longest = -1;
    for (let k = 0; k < 3; k++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < piece.length; i++) {
        const x = places[piece[i] * 3 + k];
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      if (high - low > longest) {
        longest = high - low;
        axis = k;
      }
    }
    const at = (i: number) => places[i * 3 + axis];
    piece.sort((a, b) => at(a) - at(b) || a - b);
    const half = piece.length >> 1;
    // layers of a lattice are not cut in the middle, as far as a tenth of the piece
    let middle = half;
    const most = half + Math.floor(piece.length / 10);
    while (middle < most && at(piece[middle]) === at(piece[middle - 1])) middle++;
    return middle < most ? middle : half;
  }

  /** Moves those of the low half that touch the high one behind both; returns the ends of the low and the high half. */
  #separate(piece: Int32Array, middle: number, high: number): readonly [number, number] {
    const { rowStart, columns } = this.#pattern;
    const separator: number[] = [];
    let low = 0;
    for (let i = 0; i < middle; i++) {
      const unknown = piece[i];
      let touches = false;
      for (let k = rowStart[unknown]; k < rowStart[unknown + 1] && !touches; k++) {
        touches = this.#piece[columns[k]] === high;
      }
      if (touches) {
        separator.push(unknown);
        this.#piece[unknown] = 0;
      } else piece[low++] = unknown;
    }
    piece.copyWithin(low, middle);
    const end = piece.length - separator.length;
    piece.set(separator, end);
    return [low, end];
  }

  /** Minimum degree among the unknowns of a piece alone. */
  #orderSmall(piece: Int32Array): void {
    const { rowStart, columns } = this.#pattern;
    const own = ++this.#pieces;
    // rows of a pattern ascend, and so do those of a part of it that ascends
    piece.sort();
    for (let i = 0; i < piece.length; i++) {
      this.#piece[piece[i]] = own;
      this.#inner[piece[i]] = i;
    }
    const innerStart = new Int32Array(piece.length + 1);
    const inner: number[] = [];
    for (let i = 0; i < piece.length; i++) {
      for (let k = rowStart[piece[i]]; k < rowStart[piece[i] + 1]; k++) {
        if (this.#piece[columns[k]] === own) inner.push(this.#inner[columns[k]]);
      }
      innerStart[i + 1] = inner.length;
    }
    const pattern = { size: piece.length, rowStart: innerStart, columns: Int32Array.from(inner) };
    const before = piece.slice();
    const order = orderAmd(pattern);
    for (let i = 0; i < piece.length; i++) piece[i] = before[order[i]];
  }
}
