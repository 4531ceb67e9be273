/**
 * What a list of contact sides is given by the solver of its body: how the sides move when one of them is pushed, which is that body's part of
 * the Delassus operator W = J M⁻¹ Jᵀ. The contact solver asks nothing else of a body.
 */
import type { KernelTable } from '../kernels/kernel-table.js';

/** Words that tell the kernel `solveContacts` where everything of a body is (assembly/contact-sides.ts), and the one that changes from step to step. */
export const SIDE_WORDS = 21;
export const FELT_BONES = 13;

export interface SideResponse {
  /** Takes up the memory once it exists. */
  start(kernels?: KernelTable): void;
  /** Writes where everything is, the positions of the sides at the address `positions`. */
  describe(words: Int32Array, positions: number): void;
  /** Writes what has changed since. */
  refresh(words: Int32Array): void;
  /** Starts over for this many sides; none of them moves yet. */
  clear(sides: number): void;
  /** out += how far the pushes moved a side beyond what was added to its position already [m]. */
  addPosition(side: number, out: Float64Array): void;
  /** out (3x3, row major) += scale times how far side i moves along each axis when side j is pushed along each axis [m/N]. */
  addBlock(i: number, j: number, scale: number, out: Float64Array): void;
  /** The farthest any rigid part turns about an axis as the forces stand [rad]. */
  largestTurn(): number;
  /** Numbers that pushing each of this many sides once changes. */
  sweepWork(sides: number): number;
}

/** Of a body that nothing touches. */
export const NO_RESPONSE: SideResponse = {
  clear: () => {},
  start: () => {},
  describe: () => {},
  refresh: () => {},
  addPosition: () => {},
  addBlock: () => {},
  largestTurn: () => 0,
  sweepWork: () => 0,
};
