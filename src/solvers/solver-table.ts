/** All kinds of solver by name: the one place that knows them all. A new kind is one line here, or `addSolverKind` from outside. */
import { TendonError } from '../errors.js';
import { type AnyKind, addedKinds } from './added-kinds.js';
import { COUPLED } from './coupled/coupled-kind.js';
import { LATTICE } from './lattice/lattice-kind.js';
import { LAYERED } from './layered/layered-kind.js';
import { PROJECTIVE } from './projective/projective-kind.js';

const KINDS: ReadonlyMap<string, AnyKind> = new Map<string, AnyKind>([
  [PROJECTIVE.name, PROJECTIVE],
  [COUPLED.name, COUPLED],
  [LATTICE.name, LATTICE],
  [LAYERED.name, LAYERED],
]);

/** Solver of scenes that name none. */
export const DEFAULT_SOLVER = PROJECTIVE.name;

/** The kind of solver of that name; `E_UNKNOWN` lists the names there are. */
export function findSolverKind(name: string, path = 'scene/solver/kind'): AnyKind {
  const added = addedKinds();
  const kind = added.get(name) ?? KINDS.get(name);
  if (kind) return kind;
  const names = [...new Set([...KINDS.keys(), ...added.keys()])];
  throw new TendonError('E_UNKNOWN', path, name, `there is no such solver; use ${names.join(', ')}`);
}
