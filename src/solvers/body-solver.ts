/** What solves one body of several that share their contacts: the part each of them has in the conversation of side-by-side.ts. */
import type { BodyState, PlannedState } from '../body/state.js';
import type { CollisionSurface } from '../collision/surface/collision-surface.js';
import type { GroupMember } from '../contact/free-groups.js';
import type { SideList } from '../contact/side-list.js';
import type { WholeBody } from '../contact/whole-bodies.js';
import type { WholeTurn } from '../contact/whole-turn.js';
import type { KernelTable } from '../kernels/kernel-table.js';
import type { ThreadPool } from '../kernels/thread-pool.js';
import type { BoneLead, HeldPoint } from './solver.js';
import type { StepReport } from './step-report.js';
import type { ContactsOfStep, StepTape } from './step-slopes.js';

/** A body as one piece, once its iterations are over. */
export interface WholePiece {
  /** Says what it is. */
  weigh(whole: WholeBody): void;
  /** Says what it adds to a group that is turned as one, once it has settled. */
  join(member: GroupMember): void;
  /** Is turned with its group. */
  turn(turn: WholeTurn): void;
  /** Says in the report what moment is left that nothing outside explains, once the body is where the step ends and its sides are placed. */
  measureMoment(report: StepReport): void;
}

/** Advances one body, side by side with the other bodies of its world. */
export interface BodySolver {
  readonly report: StepReport;
  readonly piece: WholePiece;
  /** Multiplier of each joint row in the last step [N]. */
  readonly jointMultipliers: Float64Array;
  /** Fills the memory once it exists. */
  start(kernels: KernelTable, threads: ThreadPool): void;
  /** Takes hold of these points of the body, and of no others, from the next step on. */
  hold(points: readonly HeldPoint[]): void;
  /** Leads a bone of the body from the next step on, or none any more. */
  lead(lead: BoneLead | undefined): void;
  /**
   * Starts a step of length `h` [s]; `ignoreHistory`: something pushes in it, and what was before says nothing of what comes; `plain`: iterations
   * are not to be accelerated.
   */
  begin(state: BodyState, gravity: ArrayLike<number>, h: number, ignoreHistory: boolean, plain?: boolean): void;
  /** Gets ready to answer contacts. */
  beginContacts(): void;
  /** Starts the step elsewhere than inertia leads, where that is what got it stuck; call once it has begun anew, contacts included. */
  startElsewhere(): void;
  /** One iteration; the last one closes every joint. */
  iterate(last: boolean): void;
  /** Says where the contacts' sides are. */
  placeContacts(): void;
  /** Makes the compliance of the contact sides that are wanted. */
  prepareContacts(): void;
  /** Moves the body as the change of the contact forces wants. */
  answerContacts(last: boolean): void;
  /** Whether another iteration would be one too many; asked before the last one, and after it, when it may turn out not to have been the last. */
  readonly isBalanced: boolean;
  /** Whether a step with a history is so far from its end that it should be taken without. */
  readonly isLost: boolean;
  /** Whether what the iterations have learned from each other has carried the step away from its end, the last time they were mixed. */
  readonly hasOvershot: boolean;
  /** Whether the iterations got nowhere, and flesh is drawn out so far that it would fly on in the steps to come. */
  readonly isStuck: boolean;
  /** Whether something held the body in the step before and nothing does in the next: what it was pulled by then is gone. */
  isReleased(state: BodyState): boolean;
  /** Whether the body has nothing but bones: without new forces an iteration hardly moves them. */
  readonly isRigid: boolean;
  /** Whether regions of its flesh turn as one in this step: contacts then move each other from far. */
  readonly turnsRegions: boolean;
  /** Whether it is a single bone that nothing touches or holds: the first iteration finds where it goes. */
  readonly isAlone: boolean;
  /** Whether the last correction of the contact forces left this body as good as where it was. */
  readonly isSettled: boolean;
  /** Writes where each vertex would end as the iterations stand [m]; false, with nothing written, where no flesh is turned inside out there. */
  readTurned(out: Float64Array): boolean;
  /** Ends the step and puts the momenta of the body right. False, with the state untouched, where the result is not finite or came out worse than what a last try may. */
  settle(isLastTry: boolean): boolean;
  /** Writes the result to the state; only where it has settled well. */
  commit(): void;
  /** Leaves a step that was begun, as if it had not been. */
  abandon(): void;
}

/** One of the bodies, before its memory exists. */
export interface SidePart {
  readonly solver: BodySolver;
  /** Its sides of contacts; room for none where nothing can touch. */
  readonly sides: SideList;
  readonly surface: CollisionSurface;
  readonly planned: PlannedState;
  /** Puts what this solver adds to a state to its start. */
  reset(state: BodyState): void;
  /** A step was ended in the middle, see solver.ts; solvers that leave nothing half done do without. */
  interrupted?(): void;
  /** A tape of the body's steps to come, see step-slopes.ts; not there where this solver cannot trace them. `body`: its number in its world. */
  tape?(state: BodyState, touching: ContactsOfStep, body: number): StepTape;
}

export function isRigid({ solver }: SidePart): boolean {
  return solver.isRigid;
}

export function isBalanced({ solver }: SidePart): boolean {
  return solver.isBalanced;
}

export function turnsRegions({ solver }: SidePart): boolean {
  return solver.turnsRegions;
}

export function isLost({ solver }: SidePart): boolean {
  return solver.isLost;
}

export function isStuck({ solver }: SidePart): boolean {
  return solver.isStuck;
}

export function hasOvershot({ solver }: SidePart): boolean {
  return solver.hasOvershot;
}

/** Of many contacts between bones, those at rest are right at once: forces start from those of the step before. */
export function isSettled({ solver }: SidePart): boolean {
  return solver.isRigid && solver.isSettled;
}
