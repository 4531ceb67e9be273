/** Errors on their way between threads: what is posted keeps no class. */
import { TendonError } from '../../src/errors.js';
import type { ErrorData } from './protocol.js';

/** What can be posted of an error. */
export function packError(error: unknown): ErrorData {
  if (!(error instanceof TendonError)) return { message: error instanceof Error ? error.message : String(error) };
  return { message: error.message, code: error.code, place: error.place, value: String(error.value) };
}

/** The error again. */
export function unpackError({ message, code, place, value }: ErrorData): Error {
  if (code === undefined || place === undefined) return new Error(message);
  const error = new TendonError(code, place, value, '');
  error.message = message;
  return error;
}
