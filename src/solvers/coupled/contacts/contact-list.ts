/**
 * Contacts of a world as flat arrays: between two bodies, at one point that both are pushed at (so that what one gains in angular
 * momentum the other loses), with the impulses of both tracks. Found at the end of a step; they serve its velocities and the
 * positions of the next one, so they are state.
 */
import type { OldSides } from '../soft/old-sides.js';

type Numbers = Float64Array | Int32Array;
/** An array, its copy, and how many numbers of it belong to each contact. */
type Field<T> = readonly [T, T, number];

/** Arrays of contacts. */
class ContactFields {
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
  /** 1 between bodies that sleep: these contacts are kept as they are. */
  readonly frozen: Int32Array;

  constructor(capacity: number) {
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
    this.frozen = new Int32Array(capacity);
  }

  /** All of them: 1 number per contact each, then 3. */
  get singles(): readonly Numbers[] {
    const { key, a, b, sideA, sideB, gap, friction, restitution, frozen } = this;
    return [key, a, b, sideA, sideB, gap, friction, restitution, frozen];
  }

  get triples(): readonly Float64Array[] {
    return [this.armA, this.armB, this.normal, this.push[0], this.push[1]];
  }
}

/** Contacts, in order of their keys. */
export class ContactList extends ContactFields {
  readonly capacity: number;
  /** Number of contacts, as an array of one: it is state too. */
  readonly counts = new Int32Array(1);
  /** Most contacts there have been since they were last saved: nothing behind these has been written to. */
  most: number;
  /** Contacts that found no room. */
  missed = 0;
  /** Contacts put aside, and how many. Their normals tell which side of a sheet things were on. */
  readonly #old: ContactFields;
  #oldCount = 0;
  /** First contact put aside that may belong to the next pair. */
  #nextOld = 0;
  /** Whether any of the contacts, and of those put aside, are frozen. */
  #hasFrozen = false;
  #hadFrozen = false;
  #fields: readonly Field<Float64Array>[] = [];
  #words: readonly Field<Int32Array>[] = [];

  constructor(capacity: number) {
    super(capacity);
    this.capacity = capacity;
    this.most = capacity;
    this.#old = new ContactFields(capacity);
    this.renew();
  }

  /** The arrays are others than they were. */
  renew(): void {
    const all: readonly Field<Numbers>[] = [
      ...this.singles.map((array, n) => [array, this.#old.singles[n], 1] as const),
      ...this.triples.map((array, n) => [array, this.#old.triples[n], 3] as const),
    ];
    // apart from each other: a loop that copies arrays of both kinds takes three times as long
    this.#fields = all.filter((field): field is Field<Float64Array> => field[0] instanceof Float64Array);
    this.#words = all.filter((field): field is Field<Int32Array> => field[0] instanceof Int32Array);
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
    const c = this.addUnnamed(a, b);
    if (c >= 0) this.key[c] = key;
    return c;
  }

  /** The same without a key, which is to be set: handed over as a number, it would be boxed. */
  addUnnamed(a: number, b: number): number {
    if (this.count === this.capacity) {
      this.missed++;
      return -1;
    }
    const c = this.counts[0]++;
    if (c >= this.most) this.most = c + 1;
    this.a[c] = a;
    this.b[c] = b;
    this.sideA[c] = -1;
    this.sideB[c] = -1;
    const first = this.push[0];
    const second = this.push[1];
    for (let k = c * 3; k < c * 3 + 3; k++) {
      first[k] = 0;
      second[k] = 0;
    }
    return c;
  }

  /** Whether contact c holds a vertex to a rigid body, whichever way it is pulled. */
  isBinding(c: number): boolean {
    return this.friction[c] === Number.POSITIVE_INFINITY;
  }

  /** Normals of the contacts put aside, 3 each. */
  get oldNormal(): Float64Array {
    return this.#old.normal;
  }

  /** Puts all contacts aside, for `inherit` and `addOld`. */
  remember(): void {
    this.#oldCount = this.count;
    this.#nextOld = 0;
    this.#hadFrozen = this.#hasFrozen;
    for (const [now, old, size] of this.#fields) copyNumbers(now, old, this.count * size);
    for (const [now, old, size] of this.#words) copyWords(now, old, this.count * size);
  }

  /** Which of the contacts put aside has this key, -1 for none. */
  indexOfOld(key: number): number {
    const { key: keys } = this.#old;
    let low = 0;
    let high = this.#oldCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low < this.#oldCount && keys[low] === key ? low : -1;
  }

  /** Marks the contacts between bodies of which neither can move. */
  markFrozen(movable: Uint8Array): void {
    this.#hasFrozen = false;
    for (let c = 0; c < this.count; c++) {
      const isFrozen = movable[this.a[c]] === 0 && movable[this.b[c]] === 0;
      this.frozen[c] = isFrozen ? 1 : 0;
      if (isFrozen) this.#hasFrozen = true;
    }
  }

  /** Adds those of the contacts put aside once more whose keys are below `to[0]` and that are frozen, or between bodies of which neither moved. To be called with ascending keys. */
  addKept(to: Float64Array, sides: OldSides, moved?: Uint8Array): void {
    if (!this.#hadFrozen && !moved) return;
    const old = this.#old;
    for (; this.#nextOld < this.#oldCount && old.key[this.#nextOld] < to[0]; this.#nextOld++) {
      const j = this.#nextOld;
      // bindings are made anew, and contacts of a body with itself
      if (old.key[j] < 0) continue;
      const isKept = moved && moved[old.a[j]] === 0 && moved[old.b[j]] === 0 && old.a[j] !== old.b[j];
      if (isKept || old.frozen[j] === 1) this.#addOne(j, sides);
    }
  }

  /** Adds `count` keys' contacts of those put aside once more, from the key from[0] on. To be called with ascending keys. */
  addOld(from: Float64Array, count: number, sides: OldSides): void {
    const old = this.#old;
    const to = from[0] + count;
    while (this.#nextOld < this.#oldCount && old.key[this.#nextOld] < from[0]) this.#nextOld++;
    for (; this.#nextOld < this.#oldCount && old.key[this.#nextOld] < to; this.#nextOld++) {
      this.#addOne(this.#nextOld, sides);
    }
  }

  #addOne(j: number, sides: OldSides): void {
    const old = this.#old;
    const c = this.addUnnamed(old.a[j], old.b[j]);
    if (c < 0) return;
    this.key[c] = old.key[j];
    for (let k = 0; k < 2; k++) {
      const side = k === 0 ? old.sideA[j] : old.sideB[j];
      if (side < 0) continue;
      const found = sides.add(side);
      if (found < 0) {
        // flesh whose side found no room would pass for a rigid body
        this.counts[0]--;
        this.missed++;
        return;
      }
      (k === 0 ? this.sideA : this.sideB)[c] = found;
    }
    this.gap[c] = old.gap[j];
    this.friction[c] = old.friction[j];
    this.restitution[c] = old.restitution[j];
    for (let k = 0; k < 3; k++) {
      this.armA[c * 3 + k] = old.armA[j * 3 + k];
      this.armB[c * 3 + k] = old.armB[j * 3 + k];
      this.normal[c * 3 + k] = old.normal[j * 3 + k];
    }
  }

  /** Warm start: takes over the impulses of contacts of the same key that were put aside. Keys are in order, then and now. */
  inherit(): void {
    const { key: oldKey, push: oldPush } = this.#old;
    const { key, count } = this;
    const oldCount = this.#oldCount;
    let other = 0;
    for (let c = 0; c < count; c++) {
      while (other < oldCount && oldKey[other] < key[c]) other++;
      if (other === oldCount) return;
      if (oldKey[other] !== key[c]) continue;
      copyThree(oldPush[0], other * 3, this.push[0], c * 3);
      copyThree(oldPush[1], other * 3, this.push[1], c * 3);
    }
  }

  /** Everything that the next step reads, for snapshots. */
  get arrays(): readonly (Float64Array | Int32Array)[] {
    return [this.counts, ...this.listed];
  }

  /** Of these, what has numbers for every contact. */
  get listed(): readonly (Float64Array | Int32Array)[] {
    const { key, a, b, armA, armB, sideA, sideB, normal, gap, friction, restitution, push } = this;
    return [key, a, b, armA, armB, sideA, sideB, normal, gap, friction, restitution, push[0], push[1]];
  }
}

function copyThree(from: Float64Array, i: number, to: Float64Array, o: number): void {
  to[o] = from[i];
  to[o + 1] = from[i + 1];
  to[o + 2] = from[i + 2];
}

/** to = from, the first `count` of them. */
export function copyNumbers(from: Float64Array, to: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}

export function copyWords(from: Int32Array, to: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) to[i] = from[i];
}
