/**
 * What a list of contact sides is given by the solver of its body: how the sides move when one of them is pushed, which is that body's part of
 * the Delassus operator W = J M⁻¹ Jᵀ. The contact solver asks nothing else of a body.
 */
export interface SideResponse {
  /** Starts over for this many sides; none of them moves yet. */
  clear(sides: number): void;
  /** Moves all sides as a force on one of them wants [N]; `sign`: 1, or -1 for its reaction. May add to `positions` (3 per side) at once. */
  push(side: number, force: Float64Array, sign: number, positions: Float64Array): void;
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
  push: () => {},
  addPosition: () => {},
  addBlock: () => {},
  largestTurn: () => 0,
  sweepWork: () => 0,
};
