/** What the contact kernels are specified on: contacts with plain arrays, and bodies that know where their sides are and how these move. */

/** Contacts between sides of bodies, numbers as in assembly/contact-records.ts. */
export interface ContactProblem {
  readonly count: number;
  /** Three per contact: direction of the push, where it sticks [m], and its force [N], which is changed. */
  readonly normal: Float64Array;
  readonly stuck: Float64Array;
  readonly force: Float64Array;
  /** One per contact: n·r must be at least `offset` [m]; compliances [m/N]; how much it gives way, and how closely its force must be known. */
  readonly offset: Float64Array;
  readonly friction: Float64Array;
  readonly normalCompliance: Float64Array;
  readonly tangentCompliance: Float64Array;
  readonly softness: Float64Array;
  readonly precision: Float64Array;
  /** out = where the first side of contact c is, seen from the second or from the origin [m]. */
  place(c: number, out: Float64Array): void;
  /** Moves all sides as a force at contact c wants. */
  move(c: number, force: Float64Array): void;
}

/** Three numbers at i of one array times three at j of another. */
export function dot3(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}
