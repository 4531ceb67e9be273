/**
 * Contacts of a world as flat arrays: between two bodies, at one point that both are pushed at (so that what one gains in angular
 * momentum the other loses), with the impulses of both tracks. Found at the end of a step; they serve its velocities and the
 * positions of the next one, so they are state.
 */

/** Contacts, in order of their keys. */
export class ContactList {
  readonly capacity: number;
  /** Number of contacts, as an array of one: it is state too. */
  readonly counts = new Int32Array(1);
  /** Contacts that found no room. */
  missed = 0;
  /** What tells a contact from every other, the same from step to step; ascending. */
  readonly key: Float64Array;
  /** The two bodies: the normal points from B to A. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** From the centre of mass of A and of B to the point, for rigid bodies [m]. */
  readonly armA: Float64Array;
  readonly armB: Float64Array;
  /** Sides of soft bodies, -1 for rigid ones; see `SoftSides`. */
  readonly sideA: Int32Array;
  readonly sideB: Int32Array;
  readonly normal: Float64Array;
  /** How far apart [m]; negative: how deep inside each other. */
  readonly gap: Float64Array;
  /** Coulomb's coefficient; infinite for bindings, which also pull. */
  readonly friction: Float64Array;
  readonly restitution: Float64Array;
  /** Impulses on A, of the position track and of the velocity track [N s]; 3 each. */
  readonly push: readonly [Float64Array, Float64Array];
  #oldCount = 0;
  readonly #oldKey: Float64Array;
  /** Normals of the contacts before, 3 each: which side of a sheet things were on. */
  readonly oldNormal: Float64Array;
  readonly #oldPush: readonly [Float64Array, Float64Array];

  constructor(capacity: number) {
    this.capacity = capacity;
    this.key = new Float64Array(capacity);
    this.a = new Int32Array(capacity);
    this.b = new Int32Array(capacity);
    this.armA = new Float64Array(capacity * 3);
    this.armB = new Float64Array(capacity * 3);
    this.sideA = new Int32Array(capacity);
    this.sideB = new Int32Array(capacity);
    this.normal = new Float64Array(capacity * 3);
    this.gap = new Float64Array(capacity);
    this.friction = new Float64Array(capacity);
    this.restitution = new Float64Array(capacity);
    this.push = [new Float64Array(capacity * 3), new Float64Array(capacity * 3)];
    this.#oldKey = new Float64Array(capacity);
    this.oldNormal = new Float64Array(capacity * 3);
    this.#oldPush = [new Float64Array(capacity * 3), new Float64Array(capacity * 3)];
  }

  get count(): number {
    return this.counts[0];
  }

  clear(): void {
    this.counts[0] = 0;
    this.missed = 0;
  }

  /** A new contact of no impulse; its number, or -1 where there is no room. */
  add(key: number, a: number, b: number): number {
    if (this.count === this.capacity) {
      this.missed++;
      return -1;
    }
    const c = this.counts[0]++;
    this.key[c] = key;
    this.a[c] = a;
    this.b[c] = b;
    this.sideA[c] = -1;
    this.sideB[c] = -1;
    for (let k = c * 3; k < c * 3 + 3; k++) {
      this.push[0][k] = 0;
      this.push[1][k] = 0;
    }
    return c;
  }

  /** Whether contact c holds a vertex to a rigid body, whichever way it is pulled. */
  isBinding(c: number): boolean {
    return this.friction[c] === Number.POSITIVE_INFINITY;
  }

  /** Puts the impulses of all contacts aside, for `inherit`. */
  remember(): void {
    this.#oldCount = this.count;
    this.#oldKey.set(this.key.subarray(0, this.count));
    this.oldNormal.set(this.normal.subarray(0, this.count * 3));
    for (let track = 0; track < 2; track++) this.#oldPush[track].set(this.push[track].subarray(0, this.count * 3));
  }

  /** Which of the contacts put aside has this key, -1 for none. */
  indexOfOld(key: number): number {
    let low = 0;
    let high = this.#oldCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#oldKey[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low < this.#oldCount && this.#oldKey[low] === key ? low : -1;
  }

  /** Warm start: takes over the impulses of contacts of the same key that were put aside. Keys are in order, then and now. */
  inherit(): void {
    let other = 0;
    for (let c = 0; c < this.count; c++) {
      while (other < this.#oldCount && this.#oldKey[other] < this.key[c]) other++;
      if (other === this.#oldCount) return;
      if (this.#oldKey[other] !== this.key[c]) continue;
      for (let k = 0; k < 3; k++) {
        this.push[0][c * 3 + k] = this.#oldPush[0][other * 3 + k];
        this.push[1][c * 3 + k] = this.#oldPush[1][other * 3 + k];
      }
    }
  }

  /** Everything that the next step reads, for snapshots. */
  get arrays(): readonly (Float64Array | Int32Array)[] {
    const { counts, key, a, b, armA, armB, sideA, sideB, normal, gap, friction, restitution, push } = this;
    return [counts, key, a, b, armA, armB, sideA, sideB, normal, gap, friction, restitution, push[0], push[1]];
  }
}
