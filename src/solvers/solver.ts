/** What every solver is to the world: it advances the state of a body by one step and says how well it did. */

import type { BodyState } from '../body/state.js';

/** How exact a step was, and what it cost. One per body; the world's is the worst of them. */
export interface StepReport {
  /** Largest gap of any joint after the step [m]. */
  jointGap: number;
  /** Largest deviation of a bone's rotation from orthonormal, |RᵀR − I|. */
  rigidity: number;
  /** Change of linear momentum that no outside force explains [kg m/s]; 0 for bodies that are held. */
  momentumDrift: number;
  /** Force that was still unbalanced when the last iteration began [N], an upper bound for what is left. */
  residual: number;
  /** Iterations taken: all that are allowed, or fewer with a tolerance. */
  iterations: number;
  /** Tets turned inside out. */
  inverted: number;
  /** Redundant joint rows that were left out. */
  redundantRows: number;
  /** Tets whose rotation needed the full SVD. */
  repairedRotations: number;
  /** Kinematic bones whose move was cut short because it was too long for one step. */
  clampedBones: number;
  /** Vertices that touched, or nearly touched, an obstacle. */
  contacts: number;
  /** Deepest anything is inside an obstacle, another body or its own after the step [m]. */
  penetration: number;
  /** Contacts beyond what a body has room for, and therefore not answered. */
  droppedContacts: number;
  /** Triangles too fast, and too many, to look at all they might have hit, and contacts that came deeper than foreseen: things may have passed through. */
  unswept: number;
  /** Milliseconds per stage. */
  readonly ms: StageTimes;
}

/** Milliseconds from any fixed moment; the step itself never looks at a clock. */
export type Clock = () => number;

/** Milliseconds spent in each stage of a step. */
export interface StageTimes {
  predict: number;
  local: number;
  global: number;
  bones: number;
  /** Finding contacts and answering them. */
  contact: number;
  finish: number;
}

/** Advances one body, side by side with the other bodies of its world. */
export interface Solver {
  readonly report: StepReport;
  /** Starts a step of length `h` [s]; `touching`: something pushes in it, and what was before says nothing of what comes. */
  begin(state: BodyState, gravity: ArrayLike<number>, h: number, touching: boolean): void;
  /** Gets ready to answer contacts. */
  beginContacts(): void;
  /** One iteration; the last one closes every joint. */
  iterate(last: boolean): void;
  /** Makes the compliance of the contact sides that are wanted. */
  prepareContacts(): void;
  /** Says where the contacts' sides are. */
  placeContacts(): void;
  /** Moves the body as the change of the contact forces wants. */
  answerContacts(last: boolean): void;
  /** Whether another iteration would be one too many. */
  readonly isBalanced: boolean;
  /** Writes the result to the state. False, with the state untouched, where it is not finite. */
  finish(): boolean;
  /** Leaves a step that was begun, as if it had not been. */
  abandon(): void;
}

/** A report with nothing in it yet. */
export function createReport(): StepReport {
  return {
    jointGap: 0,
    rigidity: 0,
    momentumDrift: 0,
    residual: 0,
    iterations: 0,
    inverted: 0,
    redundantRows: 0,
    repairedRotations: 0,
    clampedBones: 0,
    contacts: 0,
    penetration: 0,
    droppedContacts: 0,
    unswept: 0,
    ms: { predict: 0, local: 0, global: 0, bones: 0, contact: 0, finish: 0 },
  };
}
