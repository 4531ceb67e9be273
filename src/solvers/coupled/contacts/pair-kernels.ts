/** The narrow phase by kernels: asks for the points at which two bodies are near each other, and makes contacts of them. */

import type { SampledShape } from '../../../collision/rigid/sampled-shape.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import { addFaceSide, addVertexSide } from '../soft/add-sides.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import type { SoftSides } from '../soft/soft-sides.js';
import { Approach } from './approach.js';
import type { ContactList } from './contact-list.js';
import { PairList, RECORD } from './pair-list.js';
import { SearchMemory } from './search-memory.js';

/** Added to the keys of a soft pair's second way of touching. */
const SECOND = 65536;

/** Finds contacts of pairs that kernels know. */
export class PairKernels {
  readonly #memory: SearchMemory;
  readonly #list: PairList;
  /** What is far from touching is left out, where that is asked for. */
  readonly approach: Approach;
  /** Key of the first contact of the pair to be taken: by reference, because numbers handed over one by one are boxed. */
  readonly firstKey = new Float64Array(1);
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #sides: SoftSides;
  #records: Float64Array = new Float64Array(0);
  #words: Int32Array = new Int32Array(0);

  constructor(
    plan: MemoryPlan,
    rigid: RigidBodies,
    soft: SoftBodies,
    sides: SoftSides,
    shapes: readonly SampledShape[],
    mostPairs: number,
  ) {
    this.#memory = new SearchMemory(plan, rigid, soft, shapes);
    this.#list = new PairList(plan, this.#memory, mostPairs, soft.count);
    this.approach = new Approach(rigid, soft);
    this.#rigid = rigid;
    this.#soft = soft;
    this.#sides = sides;
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#memory.start();
    this.#list.start(kernels, threads);
    this.#records = this.#list.records;
    this.#words = this.#list.words;
  }

  /** Bodies are here now: boxes of all, longest sides of soft ones. */
  place(boxes: Float64Array, sizes: Float64Array): void {
    this.#memory.place(boxes, sizes);
    this.#list.count = 0;
  }

  /** Bodies a and b, of which b is the higher, are to be looked at; the number of the pair. */
  add(a: number, b: number, margin: Float64Array): number {
    const { count } = this.#rigid;
    if (a >= count) this.#memory.want(a - count);
    if (b >= count) this.#memory.want(b - count);
    return this.#list.add(a, b, margin);
  }

  /** Looks at all pairs that were added. */
  find(): void {
    this.#list.find();
  }

  /** Whether kernels know both bodies. */
  takes(a: number, b: number): boolean {
    return this.#memory.known[a] === 1 && this.#memory.known[b] === 1;
  }

  /** What was found of pair n; 0 for nothing. */
  foundOf(n: number): number {
    return this.#list.foundOf(n);
  }

  /** Contacts of pair n, which is bodies a and b; `firstKey` is set. */
  take(n: number, contacts: ContactList, a: number, b: number): void {
    const found = this.#list.foundOf(n);
    const from = this.#list.recordOf(n);
    const first = from + (found & 0xffff) * RECORD;
    const end = from + (found >>> 16) * RECORD;
    const { count } = this.#rigid;
    if (b < count) {
      for (let o = from; o < end; o += RECORD) this.#addRigid(contacts, a, b, o);
      return;
    }
    if (a < count) {
      for (let o = from; o < first; o += RECORD) this.#addInShape(contacts, b, a, o);
      this.firstKey[0] += SECOND;
      for (let o = first; o < end; o += RECORD) this.#addSample(contacts, a, b, o);
      return;
    }
    for (let o = from; o < first; o += RECORD) this.#addInFace(contacts, a, b, o);
    this.firstKey[0] += SECOND;
    for (let o = first; o < end; o += RECORD) this.#addInFace(contacts, b, a, o);
  }

  /** A point between two rigid bodies. */
  #addRigid(contacts: ContactList, a: number, b: number, o: number): void {
    const values = this.#records;
    const { x } = this.#rigid;
    if (this.approach.mayBeFar(values[o + 7])) {
      this.approach.rigidA(a, values, o + 1);
      this.approach.rigidB(b, values, o + 1);
      if (this.#isFar(o)) return;
    }
    const c = contacts.addUnnamed(a, b);
    if (c < 0) return;
    contacts.key[c] = this.firstKey[0] + values[o];
    this.#describe(contacts, c, o);
    const { armA, armB } = contacts;
    for (let k = 0; k < 3; k++) {
      armA[c * 3 + k] = values[o + 1 + k] - x[a * 3 + k];
      armB[c * 3 + k] = values[o + 1 + k] - x[b * 3 + k];
    }
  }

  /** Whether a record is of points that stay far from each other; their velocities are known. */
  #isFar(o: number): boolean {
    return this.approach.isFar(this.#records, o + 4);
  }

  /** Normal and gap of a record. */
  #describe(contacts: ContactList, c: number, o: number): void {
    const values = this.#records;
    for (let k = 0; k < 3; k++) contacts.normal[c * 3 + k] = values[o + 4 + k];
    contacts.gap[c] = values[o + 7];
  }

  /** A vertex of soft body b in the shape of rigid body a. */
  #addInShape(contacts: ContactList, b: number, a: number, o: number): void {
    const { x, firstVertex } = this.#soft;
    const vertex = firstVertex[b - this.#rigid.count] + this.#records[o];
    const i = vertex * 3;
    if (this.approach.mayBeFar(this.#records[o + 7])) {
      this.approach.vertexA(vertex);
      this.approach.rigidB(a, x, i);
      if (this.#isFar(o)) return;
    }
    const c = this.#addVertex(contacts, b, a, o);
    if (c < 0) return;
    for (let k = 0; k < 3; k++) contacts.armB[c * 3 + k] = x[i + k] - this.#rigid.x[a * 3 + k];
  }

  /** A vertex of soft body `from` near a face of soft body `into`. */
  #addInFace(contacts: ContactList, from: number, into: number, o: number): void {
    const { firstVertex } = this.#soft;
    const { count } = this.#rigid;
    if (this.approach.mayBeFar(this.#records[o + 7])) {
      this.approach.vertexA(firstVertex[from - count] + this.#records[o]);
      this.approach.faceB(firstVertex[into - count], this.#words, o * 2 + 16, this.#records, o + 10);
      if (this.#isFar(o)) return;
    }
    const side = this.#addFace(contacts, into, o);
    const c = side < 0 ? -1 : this.#addVertex(contacts, from, into, o);
    if (c >= 0) contacts.sideB[c] = side;
  }

  /** A sample of rigid body a near a face of soft body b: both are pushed at the point of the face. */
  #addSample(contacts: ContactList, a: number, b: number, o: number): void {
    if (this.approach.mayBeFar(this.#records[o + 7])) {
      this.approach.rigidA(a, this.#records, o + 1);
      this.approach.faceB(
        this.#soft.firstVertex[b - this.#rigid.count],
        this.#words,
        o * 2 + 16,
        this.#records,
        o + 10,
      );
      if (this.#isFar(o)) return;
    }
    const side = this.#addFace(contacts, b, o);
    const c = side < 0 ? -1 : contacts.addUnnamed(a, b);
    if (c < 0) return;
    contacts.key[c] = this.firstKey[0] + this.#records[o];
    contacts.sideB[c] = side;
    this.#describe(contacts, c, o);
    for (let k = 0; k < 3; k++) contacts.armA[c * 3 + k] = this.#records[o + 1 + k] - this.#rigid.x[a * 3 + k];
  }

  #addVertex(contacts: ContactList, from: number, into: number, o: number): number {
    const vertex = this.#records[o];
    const side = addVertexSide(this.#sides, from - this.#rigid.count, vertex);
    const c = side < 0 ? -1 : contacts.addUnnamed(from, into);
    if (side < 0) contacts.missed++;
    if (c < 0) return -1;
    contacts.key[c] = this.firstKey[0] + vertex;
    contacts.sideA[c] = side;
    this.#describe(contacts, c, o);
    return c;
  }

  /** A side at the face of a record; -1 where there is no room. */
  #addFace(contacts: ContactList, body: number, o: number): number {
    const words = this.#words;
    const values = this.#records;
    const w = o * 2 + 16;
    const s = body - this.#rigid.count;
    const side = addFaceSide(this.#sides, s, words, w, values, o + 10);
    if (side < 0) contacts.missed++;
    return side;
  }
}
