/** Which bodies of a world are incompressible, from the option that says so. */
import { requireOnly, TendonError } from '../../../errors.js';
import type { SolverBody } from '../../solver.js';
import type { CoupledOptions } from '../options.js';

/** Numbers of the soft bodies meant; softOf: number of each body of the world among them, -1 for what is not soft. */
export function keptBodies(
  option: CoupledOptions['incompressible'],
  bodies: readonly SolverBody[],
  softOf: Int32Array,
): number[] {
  if (option === false) return [];
  const isFlesh = (i: number) => bodies[i].model.kind === 'flesh';
  if (option === true)
    return Array.from(bodies.keys())
      .filter(isFlesh)
      .map((i) => softOf[i]);
  return option.map((name, n) => {
    const place = `options/incompressible/${n}`;
    const i = bodies.findIndex((body) => body.name === name);
    if (i < 0 || !isFlesh(i)) throw new TendonError('E_UNKNOWN', place, name, 'the name of a body of flesh is needed');
    if (option.indexOf(name) < n) throw new TendonError('E_DUPLICATE', place, name, 'it was named before');
    requireOnly(name, bodies, place);
    return softOf[i];
  });
}

/** Reads the option. */
export function readKept(given: unknown): boolean | readonly string[] {
  if (typeof given === 'boolean') return given;
  if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return given;
  throw new TendonError('E_RANGE', 'options/incompressible', given, 'true, false or names of bodies');
}
