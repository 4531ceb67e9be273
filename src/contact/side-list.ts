/**
 * Where contacts touch one body. A side is a weighted mean of up to four vertices (a vertex, a point of an edge or of a
 * triangle) on which a contact pushes, or against which it pushes another body. W says how far each side moves when another is pushed.
 */

import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../kernels/memory.js';
import { NO_RESPONSE, SIDE_WORDS, type SideResponse } from './side-response.js';

/** Vertices a side is made of; sides of fewer repeat the first one with weight 0. */
export const SIDE_VERTICES = 4;

/** The sides of one body in one step, as flat arrays. */
export class SideList {
  readonly capacity: number;
  count = 0;
  /** Whether any of them meets another body. */
  meetsBodies = false;
  /** Contact each side belongs to. */
  readonly contact: Int32Array;
  /** 1 where the contact's force acts on this body, -1 where its reaction does. */
  readonly sign: Float64Array;
  /** Four vertices and their weights per side. */
  readonly vertices: Int32Array;
  readonly weights: Float64Array;
  /** Where each side is with the forces as they stand, 3 per side [m]. */
  position!: Float64Array;
  /** Force on each side, and what the last sweeps added to it, 3 per side [N]. */
  readonly force: Float64Array;
  readonly change: Float64Array;
  /** W: given by the solver of the body. */
  readonly response: SideResponse;
  /**
   * Sides whose W is wanted, in the order they were asked for, and how many of them have it. Only sides that push need it: what
   * is near and never touches costs next to nothing.
   */
  readonly wanted: Int32Array;
  wantedCount = 0;
  preparedCount = 0;
  readonly #isWanted: Uint8Array;
  /** Positions when the body was at its best so far. */
  readonly #kept: Float64Array;
  readonly #here = new Float64Array(3);
  readonly #position: Slot<Float64Array>;
  readonly #words: Slot<Int32Array>;

  constructor(plan: MemoryPlan, capacity: number, response: SideResponse = NO_RESPONSE) {
    this.#position = plan.f64(capacity * 3);
    this.#words = plan.i32(SIDE_WORDS);
    this.response = response;
    this.capacity = capacity;
    this.contact = new Int32Array(capacity);
    this.sign = new Float64Array(capacity);
    this.vertices = new Int32Array(capacity * SIDE_VERTICES);
    this.weights = new Float64Array(capacity * SIDE_VERTICES);
    this.force = new Float64Array(capacity * 3);
    this.change = new Float64Array(capacity * 3);
    this.#kept = new Float64Array(capacity * 3);
    this.wanted = new Int32Array(capacity);
    this.#isWanted = new Uint8Array(capacity);
  }

  /** Takes up the memory once it exists. */
  start(kernels?: KernelTable): void {
    this.position = this.#position.view;
    this.response.start(kernels);
    this.response.describe(this.#words.view, this.#position.address);
  }

  /** Address of what the kernel needs to know of this body, as it stands. */
  tellKernel(): number {
    this.response.refresh(this.#words.view);
    return this.#words.address;
  }

  /** Whether any contact is between two places of this body that both belong to bones, `boneOf` each vertex (-1: none). */
  hasPair(boneOf: ArrayLike<number>): boolean {
    for (let side = 1; side < this.count; side++) {
      if (this.contact[side] !== this.contact[side - 1]) continue;
      if (this.#isBone(side, boneOf) && this.#isBone(side - 1, boneOf)) return true;
    }
    return false;
  }

  #isBone(side: number, boneOf: ArrayLike<number>): boolean {
    for (let k = side * SIDE_VERTICES; k < (side + 1) * SIDE_VERTICES; k++) {
      if (this.weights[k] !== 0 && boneOf[this.vertices[k]] >= 0) return true;
    }
    return false;
  }

  /** Adds a side with the vertices and weights at `o`; returns its number. Call only where there is room. */
  add(contact: number, sign: number, vertices: Int32Array, weights: Float64Array, o: number): number {
    const side = this.count++;
    this.contact[side] = contact;
    this.sign[side] = sign;
    for (let k = 0; k < SIDE_VERTICES; k++) {
      this.vertices[side * SIDE_VERTICES + k] = vertices[o + k];
      this.weights[side * SIDE_VERTICES + k] = weights[o + k];
    }
    return side;
  }

  /** No side at all. */
  clear(): void {
    this.count = 0;
    this.meetsBodies = false;
    // a body that nothing touches any more is not asked again, and would count for how long contacts are swept
    this.restart();
  }

  /** No side has its W yet. */
  restart(): void {
    this.wantedCount = this.preparedCount = 0;
    this.#isWanted.fill(0, 0, this.count);
    this.response.clear(this.count);
  }

  /** Asks for the W of a side. */
  want(side: number): void {
    if (this.#isWanted[side] === 1) return;
    this.#isWanted[side] = 1;
    this.wanted[this.wantedCount++] = side;
  }

  /** Where a side is with the forces as they stand [m]; valid until the next call. */
  at(side: number): Float64Array {
    const here = this.#here;
    here[0] = this.position[side * 3];
    here[1] = this.position[side * 3 + 1];
    here[2] = this.position[side * 3 + 2];
    this.response.addPosition(side, here);
    return here;
  }

  /** Numbers one sweep over all sides changes. */
  get sweepWork(): number {
    return this.response.sweepWork(this.preparedCount);
  }

  /** out (3x3, row major) += scale times how far side i moves along each axis when side j is pushed along each axis. */
  addBlock(i: number, j: number, scale: number, out: Float64Array): void {
    this.response.addBlock(i, j, scale, out);
  }

  /** Takes the forces of the contacts (3 per contact) over and keeps what that changes. */
  readForces(contactForces: Float64Array): void {
    for (let side = 0; side < this.count; side++) {
      for (let k = 0; k < 3; k++) {
        const force = this.sign[side] * contactForces[this.contact[side] * 3 + k];
        this.change[side * 3 + k] = force - this.force[side * 3 + k];
        this.force[side * 3 + k] = force;
      }
    }
  }

  /** Whether the last `readForces` changed any force by more than a share of the largest one. */
  hasChanged(share: number): boolean {
    let change = 0;
    let largest = 0;
    for (let i = 0; i < this.count * 3; i++) {
      change = Math.max(change, Math.abs(this.change[i]));
      largest = Math.max(largest, Math.abs(this.force[i]));
    }
    return change > share * largest;
  }

  /** Work of the forces as they stand from the positions last kept to where the sides are now [J]. */
  workSinceKept(): number {
    let sum = 0;
    for (let i = 0; i < this.count * 3; i++) sum += this.force[i] * (this.position[i] - this.#kept[i]);
    return sum;
  }

  /** Remembers where the sides are. */
  keepPositions(): void {
    for (let i = 0; i < this.count * 3; i++) this.#kept[i] = this.position[i];
  }

  /** Whether any side is pushed. */
  get hasForce(): boolean {
    for (let i = 0; i < this.count * 3; i++) if (this.force[i] !== 0) return true;
    return false;
  }

  /** out += sum of the forces [N]. */
  addForces(out: Float64Array): void {
    for (let side = 0; side < this.count; side++) for (let k = 0; k < 3; k++) out[k] += this.force[side * 3 + k];
  }

  /** out (3x3) += scale Σ f (p − centre)ᵀ over the sides; contacts of the body with itself, whose two sides follow each other, have no moment. */
  addMoments(out: Float64Array, centre: ArrayLike<number>, scale: number): void {
    for (let side = 0; side < this.count; side++) {
      if (this.#isOwn(side)) continue;
      const here = this.at(side);
      for (let j = 0; j < 3; j++) here[j] -= centre[j];
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) out[i * 3 + j] += scale * this.force[side * 3 + i] * here[j];
      }
    }
  }

  #isOwn(side: number): boolean {
    const { contact, count } = this;
    return (
      (side > 0 && contact[side] === contact[side - 1]) || (side + 1 < count && contact[side] === contact[side + 1])
    );
  }
}
