/** The lattice solver as a kind that scenes can name: its options, and the bodies it takes [McAdams2011]. */
import { requireInRange, TendonError } from '../../errors.js';
import type { GivenOptions, SceneFacts, SolverKind } from '../solver.js';
import { buildLatticeModel } from './lattice-model.js';
import { LatticeSolver } from './lattice-solver.js';
import { LATTICE_DEFAULTS, LATTICE_STAGES, type LatticeOptions, POSED_ITERATIONS } from './options.js';

export const LATTICE: SolverKind<LatticeOptions> = {
  name: 'lattice',
  takes: ['flesh', 'lattice'],
  stages: LATTICE_STAGES,
  options: Object.keys(LATTICE_DEFAULTS),
  readOptions,
  models: { lattice: buildLatticeModel },
  create: (site, plan, options) => new LatticeSolver(site, plan, options),
};

function readOptions(given: GivenOptions, scene: SceneFacts): LatticeOptions {
  const wanted = given as Partial<Record<keyof LatticeOptions, never>>;
  const crowded = scene.obstacleCount > 0 || scene.bodyCount > 1;
  const settings: LatticeOptions = { ...LATTICE_DEFAULTS, selfContact: crowded };
  for (const key of Object.keys(LATTICE_DEFAULTS) as (keyof LatticeOptions)[]) {
    if (wanted[key] !== undefined) Object.assign(settings, { [key]: wanted[key] });
  }
  // scenes written for other solvers say how they want contact; here there is one way
  if (settings.contact !== 'none') Object.assign(settings, { contact: 'penalty' });
  // what a crease leaves is taken up by the next frames: a converged one may jump, and takes a hundred iterations
  if (wanted.iterations === undefined && settings.mode === 'quasistatic')
    Object.assign(settings, { iterations: POSED_ITERATIONS });
  requireInRange(settings.cells, 8, 4e6, 'options/cells');
  requireInRange(settings.cell, 0, 1e6, 'options/cell');
  requireInRange(settings.kappa, 1e-3, 10, 'options/kappa');
  requireInRange(settings.tolerance, 0, 1, 'options/tolerance');
  requireInRange(settings.iterations, 1, 10_000, 'options/iterations');
  requireOneOf(['quasistatic', 'dynamic'], settings.mode, 'options/mode');
  requireOneOf(['exact', 'soft', 'sliding'], settings.bones, 'options/bones');
  requireOneOf(['laplacian', 'warped'], settings.preconditioner, 'options/preconditioner');
  requireOneOf(['trace', 'determinant'], settings.volume, 'options/volume');
  return settings;
}

function requireOneOf(known: readonly string[], value: string, path: string): void {
  if (!known.includes(value)) throw new TendonError('E_UNKNOWN', path, value, `use ${known.join(' or ')}`);
}
