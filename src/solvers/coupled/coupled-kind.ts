/** The coupled solver as a kind that scenes can name: its options and the bodies it takes. */
import { requireInRange, requireType, TendonError } from '../../errors.js';
import type { GivenOptions, SolverKind } from '../solver.js';
import { CoupledSolver } from './coupled-solver.js';
import { COUPLED_DEFAULTS, COUPLED_STAGES, type CoupledOptions } from './options.js';
import { readKept } from './volume/kept-bodies.js';

export const COUPLED: SolverKind<CoupledOptions> = {
  name: 'coupled',
  takes: ['flesh', 'rigid', 'cloth'],
  bounces: ['rigid'],
  attaches: true,
  stages: COUPLED_STAGES,
  options: Object.keys(COUPLED_DEFAULTS),
  readOptions,
  create: (site, plan, options) => new CoupledSolver(site, plan, options),
};

/** Least and most of each number. */
const RANGES = {
  substeps: [1, 64],
  gradientRows: [0, 100_000],
  pushOut: [0, 1],
  pushOutSpeed: [0, 1e6],
  touching: [0, 1],
  bounceSpeed: [0, 1e6],
  spinDamping: [0, 1e6],
  damping: [0, 1e6],
  sleepSpeed: [0, 1e3],
} as const;
const WHOLE = ['substeps', 'gradientRows'];

function readOptions(given: GivenOptions): CoupledOptions {
  const settings: Record<string, unknown> = { ...COUPLED_DEFAULTS };
  for (const [name, [low, high]] of Object.entries(RANGES)) {
    if (given[name] === undefined) continue;
    settings[name] = requireInRange(given[name] as number, low, high, `options/${name}`);
    if (WHOLE.includes(name)) requireWhole(given[name] as number, `options/${name}`);
  }
  if (given.sweeps !== undefined) settings.sweeps = readSweeps(given.sweeps);
  if (given.pushOutBy !== undefined) settings.pushOutBy = readWay(given.pushOutBy);
  for (const name of ['selfContact', 'edges']) {
    if (given[name] !== undefined) settings[name] = requireType(given[name], 'boolean', `options/${name}`);
  }
  if (given.incompressible !== undefined) settings.incompressible = readKept(given.incompressible);
  return settings as unknown as CoupledOptions;
}

function readSweeps(given: unknown): readonly [number, number] {
  if (!Array.isArray(given) || given.length !== 2) {
    throw new TendonError('E_RANGE', 'options/sweeps', given, 'two numbers: of the position and of the velocity track');
  }
  given.forEach((sweeps, i) => {
    requireWhole(requireInRange(sweeps, 0, 10_000, `options/sweeps/${i}`), `options/sweeps/${i}`);
  });
  return [given[0], given[1]];
}

function readWay(given: unknown): CoupledOptions['pushOutBy'] {
  if (given === 'rows' || given === 'centralBody') return given;
  throw new TendonError('E_RANGE', 'options/pushOutBy', given, "'rows' or 'centralBody'");
}

function requireWhole(value: number, path: string): void {
  if (!Number.isInteger(value)) throw new TendonError('E_RANGE', path, value, 'a whole number is needed');
}
