/**
 * Specification of the kernels of the acceleration (assembly/mix.ts) over rows (x, y, z, 0), written to be read. The arithmetic is
 * f64; the kernels sum in f32 within blocks of 64 rows.
 */
import type { MutableNumbers } from '../../math/vec3.js';

/** Returns a · others[i] over rows [first, last); kept ← a, or kept + a. */
export function dotOthers(
  first: number,
  last: number,
  a: ArrayLike<number>,
  kept: MutableNumbers,
  accumulate: boolean,
  others: readonly ArrayLike<number>[],
): number[] {
  for (let at = first * 4; at < last * 4; at++) kept[at] = accumulate ? kept[at] + a[at] : a[at];
  return others.map((other) => {
    let sum = 0;
    for (let at = first * 4; at < last * 4; at++) sum += a[at] * other[at];
    return sum;
  });
}

/** The vectors `mixRows` works on. */
export interface MixedRows {
  /** What the iteration moved by. */
  readonly move: ArrayLike<number>;
  /** What was mixed in before; out: what is mixed in now. */
  readonly mixed: MutableNumbers;
  readonly force: ArrayLike<number>;
  /** Out, usually one of `others`: the change of where iterations lead. */
  readonly newest: MutableNumbers | undefined;
  readonly others: readonly ArrayLike<number>[];
  readonly shares: readonly number[];
  /** Out: move and mix together. */
  readonly next: MutableNumbers;
  /** Out: the same, or the mix alone. */
  readonly y: MutableNumbers;
}

/** newest ← mixed + move; mixed ← −Σ shares[i] others[i]; next ← move + mixed; returns next · force. */
export function mixRows(first: number, last: number, rows: MixedRows, apart: boolean): number {
  const { move, mixed, force, newest, others, shares, next, y } = rows;
  let work = 0;
  for (let at = first * 4; at < last * 4; at++) {
    const moved = move[at];
    if (newest) newest[at] = mixed[at] + moved;
    let mix = 0;
    others.forEach((other, i) => {
      mix -= shares[i] * other[at];
    });
    mixed[at] = mix;
    next[at] = moved + mix;
    y[at] = apart ? mix : moved + mix;
    work += next[at] * force[at];
  }
  return work;
}
