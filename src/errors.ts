/**
 * The one error type of the library. Everything that can be wrong with an input has a code, the place where
 * it was found and the value that was found there, so that a program can react and a person can mend it.
 */

/** What went wrong. One code per kind of mistake; the place and the value say which one. */
export type TendonErrorCode =
  | 'E_NOT_FINITE' // a number is NaN or infinite
  | 'E_RANGE' // a number, count or index is outside what is allowed
  | 'E_EMPTY' // something that must have members has none
  | 'E_INDEX' // an index points past the array it indexes
  | 'E_DEGENERATE_TET' // a tetrahedron has no volume
  | 'E_EMPTY_BONE' // a bone has no vertices
  | 'E_SHARED_VERTEX' // a vertex belongs to two bones
  | 'E_JOINT' // a joint does not connect what it says it connects
  | 'E_DUPLICATE' // two things carry the same name
  | 'E_UNKNOWN' // a name that nothing carries
  | 'E_NOT_POSITIVE_DEFINITE' // a matrix that must be positive definite is not
  | 'E_WASM' // WebAssembly, or a feature of it that is needed, is missing
  | 'E_MEM_LIMIT' // more memory is needed than is allowed or can be had
  | 'E_THREAD' // a helper thread stopped answering
  | 'E_DIVERGED' // a step produced a state that is not finite
  | 'E_SNAPSHOT' // a snapshot is damaged or belongs to another world
  | 'E_FORMAT' // a file does not follow its format
  | 'E_SURFACE' // a surface is not the boundary of a solid, or lies where it must not
  | 'E_PROGRAM'; // an outside program is missing or has failed

/** An input that cannot be used, or a limit that was reached. Nothing has been changed when it is thrown. */
export class TendonError extends Error {
  /** Which kind of mistake. */
  readonly code: TendonErrorCode;
  /** Where it was found: a JSON pointer, an argument's name, or a line of a file. */
  readonly place: string;
  /** What was found there. */
  readonly value: unknown;

  constructor(code: TendonErrorCode, place: string, value: unknown, advice: string) {
    super(`${code} at ${place}: ${advice} (found ${describeValue(value)})`);
    this.name = 'TendonError';
    this.code = code;
    this.place = place;
    this.value = value;
  }
}

/** Throws unless every number of `values` is finite. */
export function requireFinite(values: ArrayLike<number>, place: string): void {
  requireList(values, place);
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new TendonError('E_NOT_FINITE', `${place}/${i}`, values[i], 'every number must be finite');
    }
  }
}

/** Throws unless there are `count` numbers, all finite. */
export function requireNumbers(values: ArrayLike<number>, count: number, place: string): void {
  const { length } = requireList(values, place);
  if (length !== count) throw new TendonError('E_RANGE', place, length, `${count} numbers are needed`);
  requireFinite(values, place);
}

/** Throws where something is missing that has to be there; returns it. */
export function requireGiven<T>(value: T, place: string): T {
  if (value === undefined || value === null) throw new TendonError('E_EMPTY', place, value, 'this is missing');
  return value;
}

/** Throws unless there is an array, of numbers or of anything; returns it. */
export function requireList<T extends ArrayLike<unknown>>(value: T, place: string): T {
  const given = requireGiven(value, place);
  if (Array.isArray(given) || ArrayBuffer.isView(given)) return given;
  throw new TendonError('E_RANGE', place, given, 'a list is needed');
}

/** Throws unless `value` is of this type; returns it. */
export function requireType<T>(value: T, type: 'boolean' | 'string' | 'function' | 'object', place: string): T {
  if (typeof requireGiven(value, place) === type) return value;
  throw new TendonError('E_RANGE', place, value, `a ${type} is needed`);
}

/** Throws where several of those that are `named` carry this name: which one is meant nobody can tell. */
export function requireOnly(name: string, named: readonly { readonly name: string }[], place: string): void {
  const count = named.filter((one) => one.name === name).length;
  if (count > 1) throw new TendonError('E_DUPLICATE', place, name, `${count} carry this name`);
}

/** Throws unless `value` is a finite number in [low, high]; returns it. */
export function requireInRange(value: number, low: number, high: number, place: string): number {
  if (!Number.isFinite(value)) throw new TendonError('E_NOT_FINITE', place, value, 'the number must be finite');
  if (value < low || value > high) {
    throw new TendonError('E_RANGE', place, value, `the number must lie between ${low} and ${high}`);
  }
  return value;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value === null || value === undefined) return String(value);
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return `an array of ${(value as ArrayLike<unknown>).length}`;
  return `a ${typeof value}`;
}
