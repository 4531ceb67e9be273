/** Numbers that change with time: from their description to a function, checked once. */
import { requireFinite, requireInRange, TendonError } from '../errors.js';
import { setQuat } from '../math/quat.js';
import { cos, sin } from '../math/trig.js';
import type { SignalDef } from '../scene/drive-def.js';

/** Value at a time [s]. */
export type Signal = (time: number) => number;

/** Makes a signal of its description, or throws a TendonError that names what is wrong. */
export function makeSignal(def: SignalDef, path: string): Signal {
  if (typeof def === 'number') {
    requireFinite([def], path);
    return () => def;
  }
  if (def?.kind === 'wave') {
    const { from, to, period, phase = 0 } = def;
    requireFinite([from, to, phase], path);
    requireInRange(period, 1e-6, 1e9, `${path}/period`);
    return (time) => from + ((1 - cos((2 * Math.PI * (time - phase * period)) / period)) / 2) * (to - from);
  }
  if (def?.kind === 'keys') {
    const { times, values, loop = false } = def;
    checkTimes(times, path);
    requireFinite(values, `${path}/values`);
    requireLength(values, times.length, `${path}/values`);
    return (time) => {
      const { key, share } = findKey(times, time, loop);
      return values[key] + share * ((values[key + 1] ?? values[key]) - values[key]);
    };
  }
  throw new TendonError('E_UNKNOWN', `${path}/kind`, (def as { kind?: unknown })?.kind, 'a number, wave or keys');
}

/** Throws unless there is a time, and each is later than the one before. */
export function checkTimes(times: readonly number[], path: string): void {
  if (!(times?.length > 0)) throw new TendonError('E_EMPTY', `${path}/times`, 0, 'at least one time is needed');
  requireFinite(times, `${path}/times`);
  times.forEach((time, i) => {
    if (i > 0 && !(time > times[i - 1])) throw new TendonError('E_RANGE', `${path}/times/${i}`, time, 'times ascend');
  });
}

/** Throws unless there is one value per time. */
export function requireLength(values: ArrayLike<unknown>, count: number, path: string): void {
  if (values.length !== count) throw new TendonError('E_RANGE', path, values.length, `one per time: ${count}`);
}

/** The last key at or before a time, and the share of the way to the next one; stays at the ends unless it starts over. */
export function findKey(times: readonly number[], time: number, loop: boolean): { key: number; share: number } {
  const last = times.length - 1;
  const length = times[last] - times[0];
  let at = time;
  if (loop && length > 0) at -= Math.floor((time - times[0]) / length) * length;
  if (at >= times[last]) return { key: last, share: 0 };
  if (at <= times[0]) return { key: 0, share: 0 };
  let key = 0;
  while (times[key + 1] <= at) key++;
  return { key, share: (at - times[key]) / (times[key + 1] - times[key]) };
}

/** out = the quaternion of a rotation vector [rad]. */
export function writeTurn(out: Float64Array, o: number, way: Float64Array): void {
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  const factor = length > 1e-12 ? sin(length / 2) / length : 0.5;
  setQuat(out, o, factor * way[0], factor * way[1], factor * way[2], cos(length / 2));
}
