/** The last word on contact forces before bodies are committed: so that free bodies can be turned until no moment is left, without leaving or entering what they touch. */
import type { ContactSolver } from '../contact/contact-solver.js';
import type { WholeBodies } from '../contact/whole-bodies.js';
import type { SidePart } from './body-solver.js';

/** Corrects the forces for bodies as whole pieces, where iterations may have left one of them with a moment that nothing explains. */
export function balanceWhole(parts: readonly SidePart[], contactSolver: ContactSolver, whole: WholeBodies): void {
  let isAnyLeft = false;
  for (let i = 0; i < parts.length; i++) {
    const body = whole.bodies[i];
    parts[i].solver.weigh(body);
    body.isBalanced = false;
    isAnyLeft ||= body.isLeft;
  }
  whole.keepFound();
  if (!isAnyLeft) return;
  for (let i = 0; i < parts.length; i++) parts[i].solver.placeContacts();
  whole.correct(contactSolver.near);
  contactSolver.handOut();
}
