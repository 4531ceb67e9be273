/** The layered solver as a kind that scenes can name: its options and the bodies it takes. */
import { requireInRange, TendonError } from '../../errors.js';
import type { GivenOptions, SceneFacts, SolverKind } from '../solver.js';
import { buildLayeredModel } from './layered-model.js';
import { LayeredSolver } from './layered-solver.js';
import { LAYERED_DEFAULTS, type LayeredOptions } from './options.js';
import { LAYERED_STAGES } from './stages.js';

/** Bodies up to which characters touch themselves unless said otherwise: it costs as much again as everything else. */
const MOST_SELF_TOUCHING = 8;
/** What is allowed of each number. */
const RANGES: Readonly<Record<Exclude<keyof LayeredOptions, 'selfContact' | 'contact'>, readonly [number, number]>> = {
  sweeps: [1, 1000],
  limpFrequency: [0, 100],
  limpDamping: [0, 10],
  driveFrequency: [0, 1000],
  driveDamping: [0, 10],
  driveStrength: [0, 1e6],
  coreShare: [0.01, 10],
  gripFrequency: [0, 100],
};

export const LAYERED: SolverKind<LayeredOptions> = {
  name: 'layered',
  takes: ['layer'],
  stages: LAYERED_STAGES,
  options: Object.keys(LAYERED_DEFAULTS),
  readOptions,
  models: { layer: buildLayeredModel },
  create: (site, plan, options) => new LayeredSolver(site, plan, options),
};

function readOptions(given: GivenOptions, { bodyCount }: SceneFacts): LayeredOptions {
  const numbers = Object.fromEntries(
    Object.entries(RANGES).map(([name, [low, high]]) => {
      const value = given[name] ?? LAYERED_DEFAULTS[name as keyof typeof RANGES];
      if (typeof value !== 'number') throw new TendonError('E_RANGE', `options/${name}`, value, 'a number is needed');
      return [name, requireInRange(value, low, high, `options/${name}`)];
    }),
  );
  const selfContact = given.selfContact ?? bodyCount <= MOST_SELF_TOUCHING;
  if (typeof selfContact !== 'boolean') {
    throw new TendonError('E_RANGE', 'options/selfContact', selfContact, 'true or false is needed');
  }
  return { ...LAYERED_DEFAULTS, ...numbers, selfContact, contact: readContact(given.contact) };
}

/** What scenes of all solvers call implicit is the exact contact here. */
function readContact(given: unknown): LayeredOptions['contact'] {
  if (given === undefined || given === 'implicit' || given === 'exact') return 'exact';
  if (given === 'printed') return 'printed';
  throw new TendonError('E_RANGE', 'options/contact', given, "use 'exact' or 'printed'");
}
