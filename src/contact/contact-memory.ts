/**
 * Contact forces from one step to the next. A contact that was there in the step before starts from its force of then, so that
 * what rests needs no searching; and what is left inside another body is known to have come from the side it was pushed to. This is
 * state: snapshots and hashes carry it.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';

/** Numbers per contact that name it: body, feature, other body, obstacle. */
const KEY = 4;
/** Two contacts of the same name are the same one if their normals agree at least this much. */
const SAME_NORMAL = 0.5;

/** The contacts of the last step that pushed, or were left closed too far. */
export class ContactMemory {
  /** How many there are. */
  readonly count = new Int32Array(1);
  readonly keys: Int32Array;
  readonly normals: Float64Array;
  readonly forces: Float64Array;
  /** How far the sides were apart after the step, negative where one was inside the other [m]. */
  readonly gaps: Float64Array;
  /** All of these: everything that is state. */
  readonly arrays: readonly (Int32Array | Float64Array)[];
  readonly #mask: number;
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #saved: readonly (Int32Array | Float64Array)[];

  constructor(capacity: number) {
    let buckets = 16;
    while (buckets < 2 * capacity) buckets *= 2;
    this.#mask = buckets - 1;
    this.#first = new Int32Array(buckets).fill(-1);
    this.#next = new Int32Array(capacity);
    this.keys = new Int32Array(capacity * KEY);
    this.normals = new Float64Array(capacity * 3);
    this.forces = new Float64Array(capacity * 3);
    this.gaps = new Float64Array(capacity);
    this.arrays = [this.count, this.keys, this.normals, this.forces, this.gaps];
    this.#saved = this.arrays.map((array) => array.slice());
  }

  /** Keeps a copy, for `restore`: of what is in use, which is little of the room there is. */
  save(): void {
    copyUsed(this.#saved, this.arrays);
  }

  restore(): void {
    copyUsed(this.arrays, this.#saved);
  }

  /** Nothing touched anything before. */
  forget(): void {
    for (const array of this.arrays) array.fill(0);
  }

  /** Whether any contact pushed in the last step. */
  get pushed(): boolean {
    for (let i = 0; i < this.count[0] * 3; i++) if (this.forces[i] !== 0) return true;
    return false;
  }

  /** Gives every contact that was there before the force it had. */
  recall(contacts: ContactBuffer): void {
    // backwards, so that chains run in the order the contacts had
    for (let i = this.count[0] - 1; i >= 0; i--) {
      const bucket = this.#bucket(this.keys[i * KEY], this.keys[i * KEY + 1]);
      this.#next[i] = this.#first[bucket];
      this.#first[bucket] = i;
    }
    for (let c = 0; c < contacts.count; c++) {
      const known = this.#find(contacts, c);
      for (let k = 0; known >= 0 && k < 3; k++) contacts.force[c * 3 + k] = this.forces[known * 3 + k];
    }
    // empty again: far fewer than there are
    for (let i = 0; i < this.count[0]; i++) this.#first[this.#bucket(this.keys[i * KEY], this.keys[i * KEY + 1])] = -1;
  }

  /** Keeps the contacts that push now, and those between bodies that have not kept them apart. Their gaps are measured. */
  remember(contacts: ContactBuffer, force: Float64Array): void {
    let n = 0;
    for (let c = 0; c < contacts.count; c++) {
      const o = c * 3;
      const isIdle = force[o] === 0 && force[o + 1] === 0 && force[o + 2] === 0;
      if (isIdle && (contacts.obstacle[c] >= 0 || contacts.gap[c] >= 0)) continue;
      this.keys[n * KEY] = contacts.body[c * 2];
      this.keys[n * KEY + 1] = contacts.feature[c];
      this.keys[n * KEY + 2] = contacts.body[c * 2 + 1];
      this.keys[n * KEY + 3] = contacts.obstacle[c];
      for (let k = 0; k < 3; k++) {
        this.normals[n * 3 + k] = contacts.normal[o + k];
        this.forces[n * 3 + k] = force[o + k];
      }
      this.gaps[n] = contacts.gap[c];
      n++;
    }
    // what is left of longer lists would be part of every hash
    this.keys.fill(0, n * KEY, this.count[0] * KEY);
    this.normals.fill(0, n * 3, this.count[0] * 3);
    this.forces.fill(0, n * 3, this.count[0] * 3);
    this.gaps.fill(0, n, this.count[0]);
    this.count[0] = n;
  }

  /** The contact of the same name whose normal agrees best; -1 for none. */
  #find(contacts: ContactBuffer, c: number): number {
    const body = contacts.body[c * 2];
    const feature = contacts.feature[c];
    const { normal } = contacts;
    let best = -1;
    let agreement = SAME_NORMAL;
    for (let i = this.#first[this.#bucket(body, feature)]; i >= 0; i = this.#next[i]) {
      if (this.keys[i * KEY] !== body || this.keys[i * KEY + 1] !== feature) continue;
      if (this.keys[i * KEY + 2] !== contacts.body[c * 2 + 1] || this.keys[i * KEY + 3] !== contacts.obstacle[c])
        continue;
      let dot = 0;
      for (let k = 0; k < 3; k++) dot += normal[c * 3 + k] * this.normals[i * 3 + k];
      if (dot <= agreement) continue;
      agreement = dot;
      best = i;
    }
    return best;
  }

  #bucket(body: number, feature: number): number {
    return (Math.imul(body + 1, 73856093) ^ Math.imul(feature, 19349663)) & this.#mask;
  }
}

/** Makes `to` the same as `from`: a count, and lists in which all behind that many entries is zero. */
function copyUsed(to: ContactMemory['arrays'], from: ContactMemory['arrays']): void {
  const capacity = from[from.length - 1].length;
  const used = Math.max(to[0][0], from[0][0]);
  for (let n = 1; n < from.length; n++) {
    const end = used * (from[n].length / Math.max(1, capacity));
    const source = from[n];
    const target = to[n];
    for (let i = 0; i < end; i++) target[i] = source[i];
  }
  to[0][0] = from[0][0];
}
