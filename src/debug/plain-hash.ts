/** Fingerprints of plain data: the same numbers have the same one, whatever kind of array they are in and in whatever order fields were written. */
import { Hash64 } from './hash64.js';

/** Fingerprint of numbers, texts, arrays and objects of these; what is undefined or a function is left out. */
export function hashPlain(value: unknown): string {
  const hash = new Hash64();
  addPlain(hash, value);
  return hash.toString();
}

function addPlain(hash: Hash64, value: unknown): void {
  if (typeof value === 'number' || typeof value === 'boolean') hash.add(Float64Array.of(1, Number(value) + 0));
  else if (typeof value === 'string') hash.add(Int32Array.from(value, (letter) => letter.codePointAt(0) ?? 0));
  else if (ArrayBuffer.isView(value)) addNumbers(hash, value as Float64Array);
  else if (Array.isArray(value)) addList(hash, value);
  else if (typeof value === 'object' && value !== null) addFields(hash, value as Record<string, unknown>);
}

function addNumbers(hash: Hash64, values: ArrayLike<number>): void {
  // minus zero is zero
  hash.add(Float64Array.from(values, (value) => value + 0));
}

function addList(hash: Hash64, values: readonly unknown[]): void {
  if (values.every((value) => typeof value === 'number')) {
    addNumbers(hash, values);
    return;
  }
  hash.add(Int32Array.of(2, values.length));
  for (const value of values) addPlain(hash, value);
}

function addFields(hash: Hash64, fields: Record<string, unknown>): void {
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] === undefined || typeof fields[key] === 'function') continue;
    addPlain(hash, key);
    addPlain(hash, fields[key]);
  }
}
