/** All kinds of solver by name: the one place that knows them all. A new kind is one line here, or `addSolverKind` from outside. */
import { TendonError } from '../errors.js';
import { COUPLED } from './coupled/coupled-kind.js';
import { LATTICE } from './lattice/lattice-kind.js';
import { LAYERED } from './layered/layered-kind.js';
import { PROJECTIVE } from './projective/projective-kind.js';
import type { SolverKind } from './solver.js';

// biome-ignore lint/suspicious/noExplicitAny: each kind has options of its own, which only it reads
type AnyKind = SolverKind<any>;

const KINDS = new Map<string, AnyKind>([
  [PROJECTIVE.name, PROJECTIVE],
  [COUPLED.name, COUPLED],
  [LATTICE.name, LATTICE],
  [LAYERED.name, LAYERED],
]);

/** Solver of scenes that name none. */
export const DEFAULT_SOLVER = PROJECTIVE.name;

/** The kind of solver of that name; `E_UNKNOWN` lists the names there are. */
export function findSolverKind(name: string, path = 'scene/solver/kind'): AnyKind {
  const kind = KINDS.get(name);
  if (kind) return kind;
  throw new TendonError('E_UNKNOWN', path, name, `there is no such solver; use ${[...KINDS.keys()].join(', ')}`);
}

/** Makes a solver known to scenes by its name; one of that name that was there before is replaced. */
export function addSolverKind(kind: AnyKind): void {
  KINDS.set(kind.name, kind);
}
