/** Writes output files whole or not at all: into a temporary neighbour first, then renamed. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { TendonError } from '../../src/errors.js';

/** Writes `data` to `path`; refuses to overwrite unless `force`. */
export function writeOutput(path: string, data: string | Uint8Array, force = true): void {
  if (!force && existsSync(path))
    throw new TendonError('E_DUPLICATE', path, path, 'the file exists: use --force to replace it');
  const temporary = `${path}.${process.pid}.part`;
  try {
    const file = openSync(temporary, 'w');
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new TendonError('E_FORMAT', path, String(cause), 'the file cannot be written');
  }
}
