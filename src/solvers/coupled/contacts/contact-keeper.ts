/**
 * What a step that fails goes back to, of contacts and of the sides of soft bodies: only as many as there are. There is room for many times more, and copies of all of
 * it took a thirtieth of a frame of a heap.
 */
import type { StateKeeper } from '../../../body/state-backup.js';
import type { SoftSides } from '../soft/soft-sides.js';
import { type ContactList, copyNumbers, copyWords } from './contact-list.js';

type Numbers = Float64Array | Int32Array;

/** An array, its copy, and how many numbers of it belong to each contact or side. */
type Kept = readonly [Numbers, Numbers, number];

/** Remembers contacts and sides. */
export class ContactKeeper implements StateKeeper {
  readonly arrays: readonly Numbers[];
  readonly #contacts: ContactList;
  readonly #sides: SoftSides;
  readonly #ofContacts: readonly Kept[];
  readonly #ofSides: readonly Kept[];
  /** How many there were. */
  #contactCount = 0;
  #sideCount = 0;

  constructor(contacts: ContactList, sides: SoftSides) {
    this.#contacts = contacts;
    this.#sides = sides;
    const keep = (array: Numbers, capacity: number): Kept => [array, array.slice(), array.length / capacity];
    this.#ofContacts = contacts.listed.map((array) => keep(array, contacts.capacity));
    this.#ofSides = sides.listed.map((array) => keep(array, sides.capacity));
    this.arrays = [contacts.counts, sides.counts, ...contacts.listed, ...sides.listed];
  }

  save(): void {
    const contacts = this.#contacts;
    const sides = this.#sides;
    this.#contactCount = contacts.counts[0];
    this.#sideCount = sides.counts[0];
    for (let n = 0; n < this.#ofContacts.length; n++) keepFirst(this.#ofContacts[n], contacts.most);
    for (let n = 0; n < this.#ofSides.length; n++) keepFirst(this.#ofSides[n], sides.most);
    contacts.most = this.#contactCount;
    sides.most = this.#sideCount;
  }

  restore(): void {
    const contacts = this.#contacts;
    const sides = this.#sides;
    for (let n = 0; n < this.#ofContacts.length; n++) returnFirst(this.#ofContacts[n], contacts.most);
    for (let n = 0; n < this.#ofSides.length; n++) returnFirst(this.#ofSides[n], sides.most);
    contacts.counts[0] = this.#contactCount;
    sides.counts[0] = this.#sideCount;
    contacts.most = this.#contactCount;
    sides.most = this.#sideCount;
  }

  /** The arrays were written to as a whole. */
  written(): void {
    this.#contacts.most = this.#contacts.capacity;
    this.#sides.most = this.#sides.capacity;
  }
}

function keepFirst(kept: Kept, count: number): void {
  copyFirst(kept[0], kept[1], kept[2] * count);
}

function returnFirst(kept: Kept, count: number): void {
  copyFirst(kept[1], kept[0], kept[2] * count);
}

function copyFirst(from: Numbers, to: Numbers, count: number): void {
  if (from instanceof Float64Array) copyNumbers(from, to as Float64Array, count);
  else copyWords(from, to as Int32Array, count);
}
