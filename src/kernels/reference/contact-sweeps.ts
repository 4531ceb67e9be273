/**
 * Specification of the kernel `solveContacts` (assembly/contact-solve.ts): contact forces with Coulomb friction, by sweeps over the contacts (projected
 * Gauss-Seidel). Each body knows how far one of its sides moves when another is pushed, so each contact has a closed-form solution: the force that brings it to its plane and
 * keeps it where it stuck, cut to what may push (not pull) and to the friction cone.
 */
import { ConjugateContacts } from './conjugate-contacts.js';
import { type ContactProblem, dot3 } from './contact-problem.js';

/** Sides that give way no further are as good as obstacles [m/N]. */
const UNMOVABLE = 1e-15;
/** Sweeps before the first and after each round of conjugate gradients. */
const SWEEPS = 2;
/** Steps of one round, at most and at least, and the share of what is left at which it ends. */
const ROUND = 60;
const WORTHWHILE = 3;
const ROUND_ENOUGH = 1e-3;

/** Sweeps, with rounds of conjugate gradients between them where that can be afforded, until the forces are settled. */
export function solveContacts(problem: ContactProblem, sweeps: number, settled: number): void {
  const conjugate = new ConjugateContacts(problem);
  for (let used = 0; used < sweeps; ) {
    for (let n = 0; n < SWEEPS; n++, used++) if (sweepContacts(problem) <= settled) return;
    const steps = Math.min(ROUND, sweeps - used - SWEEPS);
    if (steps > WORTHWHILE) used += conjugate.run(steps, ROUND_ENOUGH);
  }
}

/** One sweep; the places of the sides follow the forces. Returns the largest change of a force, times the precision it needs, as a share of the largest force. */
function sweepContacts(problem: ContactProblem): number {
  const { force } = problem;
  let change = 0;
  let largest = 0;
  for (let c = 0; c < problem.count; c++) {
    // between things nothing can move no force is of use, and none is right; one may have had a force while it could be moved
    if (problem.normalCompliance[c] <= UNMOVABLE) {
      force.fill(0, c * 3, c * 3 + 3);
      continue;
    }
    change = Math.max(change, problem.precision[c] * relax(problem, c));
    for (let k = c * 3; k < c * 3 + 3; k++) largest = Math.max(largest, Math.abs(force[k]));
  }
  return largest > 0 ? change / largest : 0;
}

const here = new Float64Array(3);
const change = new Float64Array(3);

/** Solves one contact for itself; returns how much its force changed [N]. */
function relax(problem: ContactProblem, c: number): number {
  const { normal, force, stuck } = problem;
  const o = c * 3;
  problem.place(c, here);
  // force that would bring the contact onto its plane, next to where it stuck
  const gap = dot3(normal, o, here, 0) - problem.offset[c];
  for (let k = 0; k < 3; k++) here[k] -= stuck[o + k];
  const along = dot3(normal, o, here, 0);
  const pushed = dot3(normal, o, force, o);
  const soft = problem.softness[c];
  const push = Math.max(0, pushed - (gap / problem.normalCompliance[c] + soft * pushed) / (1 + soft));
  for (let k = 0; k < 3; k++) {
    const n = normal[o + k];
    change[k] = force[o + k] - pushed * n - (here[k] - along * n) / problem.tangentCompliance[c];
  }
  const most = problem.friction[c] * push;
  const drag = Math.sqrt(dot3(change, 0, change, 0));
  if (drag > most) {
    const scale = drag > 0 ? most / drag : 0;
    for (let k = 0; k < 3; k++) change[k] *= scale;
  }
  for (let k = 0; k < 3; k++) change[k] = push * normal[o + k] + change[k] - force[o + k];
  if (change[0] === 0 && change[1] === 0 && change[2] === 0) return 0;
  for (let k = 0; k < 3; k++) force[o + k] += change[k];
  problem.move(c, change);
  return Math.sqrt(dot3(change, 0, change, 0));
}
