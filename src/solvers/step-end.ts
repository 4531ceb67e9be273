/**
 * The end of a step, once the iterations are over: what free bodies owe to nobody but gravity, contacts and the user's forces is put right, their momenta, without leaving or entering
 * what they touch; then all bodies are committed, or none.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { ContactSolver } from '../contact/contact-solver.js';
import { FreeGroups } from '../contact/free-groups.js';
import { WholeBodies } from '../contact/whole-bodies.js';
import type { SidePart } from './body-solver.js';

/** Ends the steps of one world. */
export class StepEnd {
  readonly #parts: readonly SidePart[];
  readonly #contactSolver: ContactSolver;
  readonly #whole: WholeBodies;
  readonly #groups: FreeGroups;
  /** Angular momentum that a group gains from nobody [kg m²/s]. */
  readonly #left = new Float64Array(1);

  constructor(parts: readonly SidePart[], contacts: ContactBuffer, contactSolver: ContactSolver) {
    this.#parts = parts;
    this.#contactSolver = contactSolver;
    const sides = parts.map((part) => part.sides);
    this.#whole = new WholeBodies(contacts, sides, contactSolver.sideOf);
    this.#groups = new FreeGroups(contacts, sides, contactSolver.sideOf);
  }

  /** Contact forces as iterations found them, which the next step starts from. */
  get found(): Float64Array {
    return this.#whole.found;
  }

  /** Commits every body. Returns the first that cannot be, -1 where all were. */
  run(isLastTry: boolean): number {
    const parts = this.#parts;
    this.#balanceWhole();
    let bad = -1;
    for (let i = parts.length - 1; i >= 0; i--) if (!parts[i].solver.settle(isLastTry)) bad = i;
    if (bad >= 0) return bad;
    this.#turnGroups();
    this.#measureMoments();
    for (let i = 0; i < parts.length; i++) parts[i].solver.commit();
    return -1;
  }

  /** Corrects the forces for bodies as whole pieces, where iterations may have left one of them with a moment that nothing explains. */
  #balanceWhole(): void {
    const parts = this.#parts;
    let isAnyLeft = false;
    for (let i = 0; i < parts.length; i++) {
      const body = this.#whole.bodies[i];
      parts[i].solver.piece.weigh(body);
      body.isBalanced = false;
      isAnyLeft ||= body.isLeft;
    }
    this.#whole.keepFound();
    if (!isAnyLeft) return;
    for (let i = 0; i < parts.length; i++) parts[i].solver.placeContacts();
    this.#whole.correct(this.#contactSolver.near);
    this.#contactSolver.handOut();
  }

  /** Turns groups of bodies that push nothing but each other until they have no moment left, and hands out the forces that this takes. */
  #turnGroups(): void {
    const { groupOf } = this.#groups;
    this.#groups.find(this.#whole.bodies);
    let isAny = false;
    for (let group = 0; group < groupOf.length; group++) {
      if (groupOf[group] === group && this.#turnGroup(group)) isAny = true;
    }
    if (isAny) this.#contactSolver.handOut();
  }

  #turnGroup(group: number): boolean {
    const parts = this.#parts;
    const { groupOf, turn } = this.#groups;
    this.#join(group);
    for (let b = group; b < parts.length; b++) if (groupOf[b] === group) parts[b].solver.placeContacts();
    if (!this.#groups.findTurn(group) || this.#groups.enters(group)) return false;
    for (let b = group; b < parts.length; b++) if (groupOf[b] === group) parts[b].solver.piece.turn(turn);
    this.#groups.addForces(group);
    return true;
  }

  #join(group: number): void {
    const { groupOf, members } = this.#groups;
    for (let b = group; b < members.length; b++) {
      if (groupOf[b] === group) this.#parts[b].solver.piece.join(members[b]);
    }
  }

  /** What moments are left, of single bodies, and of groups: where in a group is not known. */
  #measureMoments(): void {
    const parts = this.#parts;
    const { groupOf } = this.#groups;
    for (let i = 0; i < parts.length; i++) {
      const { solver, sides } = parts[i];
      if (groupOf[i] < 0) {
        if (sides.hasForce) solver.placeContacts();
        solver.piece.measureMoment(solver.report);
        continue;
      }
      // a group is known by its first body
      if (groupOf[i] === i) {
        this.#join(i);
        this.#groups.measure(i, this.#left);
      }
      solver.report.angularDrift = groupOf[i] === i ? this.#left[0] : parts[groupOf[i]].solver.report.angularDrift;
    }
  }
}
