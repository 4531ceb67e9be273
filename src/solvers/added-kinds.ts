/**
 * Kinds of solver that were added from outside. A module of its own, with nothing in it but this one table: the simulations of `tendon/three` are bundled
 * with a library of their own, but this file they share with `tendon`, so that what is added there is known here.
 */
import type { SolverKind } from './solver.js';

// biome-ignore lint/suspicious/noExplicitAny: each kind has options of its own, which only it reads
export type AnyKind = SolverKind<any>;

const ADDED = new Map<string, AnyKind>();

/** Makes a solver known to scenes by its name; one of that name that was there before is replaced. A worker has a table of its own: see docs/solvers.md. */
export function addSolverKind(kind: AnyKind): void {
  ADDED.set(kind.name, kind);
}

/** All that were added, by name. */
export function addedKinds(): ReadonlyMap<string, AnyKind> {
  return ADDED;
}
