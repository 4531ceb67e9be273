/** The coupled solver as a kind that scenes can name: its options and the bodies it takes. */
import { requireInRange, requireType, TendonError } from '../../errors.js';
import type { GivenOptions, SolverKind } from '../solver.js';
import { CoupledSolver } from './coupled-solver.js';
import { COUPLED_DEFAULTS, COUPLED_STAGES, type CoupledOptions, completeOptions, isPublished } from './options.js';
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
/** Choices by name. */
const WAYS = {
  scheme: ['exact', 'published'],
  pushOutBy: ['rows', 'centralBody'],
  contactBy: ['rows', 'graph', 'shock'],
  jointsBy: ['rows', 'stabilisation'],
  velocityBy: ['rows', 'projection'],
};
const WHOLE = ['substeps', 'gradientRows'];

function readOptions(given: GivenOptions): CoupledOptions {
  const settings: Record<string, unknown> = {};
  for (const [name, [low, high]] of Object.entries(RANGES)) {
    if (given[name] === undefined) continue;
    settings[name] = requireInRange(given[name] as number, low, high, `options/${name}`);
    if (WHOLE.includes(name)) requireWhole(given[name] as number, `options/${name}`);
  }
  if (given.sweeps !== undefined) settings.sweeps = readSweeps(given.sweeps);
  for (const [name, ways] of Object.entries(WAYS)) {
    if (given[name] !== undefined) settings[name] = readWay(name, ways, given[name]);
  }
  for (const name of ['selfContact', 'edges']) {
    if (given[name] !== undefined) settings[name] = requireType(given[name], 'boolean', `options/${name}`);
  }
  if (given.incompressible !== undefined) settings.incompressible = readKept(given.incompressible);
  return refuseTogether(completeOptions(settings as Partial<CoupledOptions>));
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

function readWay(name: string, ways: readonly string[], given: unknown): string {
  if (ways.includes(given as string)) return given as string;
  throw new TendonError('E_RANGE', `options/${name}`, given, ways.map((way) => `'${way}'`).join(' or '));
}

/** What the published choices cannot do. */
function refuseTogether(options: CoupledOptions): CoupledOptions {
  const { sleepSpeed, incompressible, contactBy, velocityBy } = options;
  if (!isPublished(options)) return options;
  if (sleepSpeed > 0) {
    const advice = 'nothing sleeps where contact, joints or velocities are as published: leave it out';
    throw new TendonError('E_RANGE', 'options/sleepSpeed', sleepSpeed, advice);
  }
  const keeps = incompressible === true || (incompressible !== false && incompressible.length > 0);
  if (keeps && (contactBy !== 'rows' || velocityBy !== 'rows')) {
    const advice = 'volumes are kept in the metric of the rows: contactBy and velocityBy have to be rows';
    throw new TendonError('E_RANGE', 'options/incompressible', incompressible, advice);
  }
  return options;
}

function requireWhole(value: number, path: string): void {
  if (!Number.isInteger(value)) throw new TendonError('E_RANGE', path, value, 'a whole number is needed');
}
