import { expect } from 'vitest';
import { TendonError } from '../../../src/errors.js';

/** Runs `action`, which must throw a TendonError, and returns it. */
export function caught(action: () => unknown): TendonError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(TendonError);
    return error as TendonError;
  }
  throw new Error('nothing was thrown');
}
