/**
 * Typed access to the members of JSON objects from strangers. Every function names the member by its JSON pointer when
 * it is not what it should be, so that readers can copy what they need field by field.
 */
import { TendonError, type TendonErrorCode } from '../../errors.js';
import type { JsonObject, JsonValue } from '../gltf/gltf-model.js';
import { isObject } from './safe-json.js';

/** A JSON object and where it stands in the file, as a JSON pointer. */
export interface JsonPlace {
  readonly object: JsonObject;
  readonly pointer: string;
}

/** Throws a `TendonError` about a place in a JSON text. */
export function failAt(pointer: string, value: unknown, advice: string, code: TendonErrorCode = 'E_FORMAT'): never {
  throw new TendonError(code, pointer, value, advice);
}

/** The objects of the list `key`; none where the member is absent. */
export function listObjects(from: JsonPlace, key: string): JsonPlace[] {
  const list = from.object[key];
  if (list === undefined) return [];
  const pointer = `${from.pointer}/${key}`;
  if (!Array.isArray(list)) failAt(pointer, list, 'a list was expected');
  return (list as readonly JsonValue[]).map((value, i) => {
    if (!isObject(value)) failAt(`${pointer}/${i}`, value, 'an object was expected');
    return { object: value, pointer: `${pointer}/${i}` };
  });
}

/** The object `key`, if there is one. */
export function optionalObject(from: JsonPlace, key: string): JsonPlace | undefined {
  const value = from.object[key];
  if (value === undefined) return undefined;
  if (!isObject(value)) failAt(`${from.pointer}/${key}`, value, 'an object was expected');
  return { object: value, pointer: `${from.pointer}/${key}` };
}

/** The text `key`; empty where it is absent. */
export function textOf(from: JsonPlace, key: string): string {
  const value = from.object[key];
  if (value === undefined) return '';
  if (typeof value !== 'string') failAt(`${from.pointer}/${key}`, value, 'a text was expected');
  return value;
}

/** True or false. */
export function flagOf(from: JsonPlace, key: string): boolean {
  const value = from.object[key];
  if (typeof value !== 'boolean') failAt(`${from.pointer}/${key}`, value, 'expected true or false');
  return value;
}

/** The whole number `key` from 0 on; `fallback` where it is absent and there is one. */
export function wholeOf(from: JsonPlace, key: string, fallback?: number): number {
  const value = from.object[key];
  const pointer = `${from.pointer}/${key}`;
  if (value === undefined) {
    if (fallback === undefined) failAt(pointer, value, 'a whole number is missing');
    return fallback;
  }
  return requireWhole(value, pointer);
}

/** The index `key` into a list of `count`; undefined where it is absent. */
export function optionalIndex(from: JsonPlace, key: string, count: number): number | undefined {
  const value = from.object[key];
  return value === undefined ? undefined : requireIndex(value, count, `${from.pointer}/${key}`);
}

/** The list of indices `key` into a list of `count`; empty where it is absent. */
export function listIndices(from: JsonPlace, key: string, count: number): Uint32Array {
  const list = from.object[key];
  if (list === undefined) return new Uint32Array(0);
  const pointer = `${from.pointer}/${key}`;
  if (!Array.isArray(list)) failAt(pointer, list, 'a list was expected');
  return Uint32Array.from(list as readonly JsonValue[], (value, i) => requireIndex(value, count, `${pointer}/${i}`));
}

/** The `length` finite numbers of the list `key`; undefined where it is absent. */
export function optionalNumbers(from: JsonPlace, key: string, length: number): Float64Array | undefined {
  const list = from.object[key];
  if (list === undefined) return undefined;
  const pointer = `${from.pointer}/${key}`;
  if (!Array.isArray(list) || list.length !== length) failAt(pointer, list, `${length} numbers were expected`);
  return Float64Array.from(list as readonly JsonValue[], (value, i) => {
    if (typeof value !== 'number') failAt(`${pointer}/${i}`, value, 'a number was expected');
    if (!Number.isFinite(value)) failAt(`${pointer}/${i}`, value, 'the number must be finite', 'E_NOT_FINITE');
    // Not -0: JSON writers drop its sign, and what is read must not depend on who wrote it.
    return value + 0;
  });
}

/** `value` as an index into a list of `count`. */
export function requireIndex(value: JsonValue | undefined, count: number, pointer: string): number {
  const index = requireWhole(value, pointer);
  if (index >= count) failAt(pointer, index, `there are only ${count} to point at`, 'E_INDEX');
  return index;
}

function requireWhole(value: JsonValue | undefined, pointer: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) failAt(pointer, value, 'a whole number was expected');
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) failAt(pointer, value, 'the number is out of range', 'E_RANGE');
  return value;
}
