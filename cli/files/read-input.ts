/** Files that commands read: the file itself and those beside it that it asks for, never outside its folder. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { TendonError } from '../../src/errors.js';
import { listOutsideFiles } from '../../src/io/gltf/gltf.js';

/** A file and its companions. */
export interface InputFile {
  readonly name: string;
  /** Ending in lower case, with its dot. */
  readonly ending: string;
  readonly bytes: Uint8Array;
  /** Companions by the name the file knows them under. */
  readonly resources: Map<string, Uint8Array>;
}

/** Reads a file; `E_FORMAT` where it cannot be read. */
export function readInput(path: string): InputFile {
  const name = basename(path);
  const ending = extname(path).toLowerCase();
  const bytes = readBytes(path);
  const resources = new Map<string, Uint8Array>();
  const folder = dirname(path);
  const stem = name.slice(0, name.length - ending.length);
  if (ending === '.gltf') {
    for (const uri of listOutsideFiles(bytes)) {
      const target = resolve(folder, decodeURIComponent(uri));
      const inside = relative(resolve(folder), target);
      if (inside === '' || inside.startsWith('..') || resolve(inside) === inside) {
        throw new TendonError('E_FORMAT', path, uri, 'the model asks for a file outside its folder');
      }
      resources.set(uri, readBytes(target));
    }
  } else if (ending === '.node' || ending === '.ele') {
    for (const other of ['.node', '.ele', '.face']) {
      const companion = join(folder, stem + other);
      if (other !== ending && existsSync(companion)) resources.set(stem + other, readBytes(companion));
    }
  }
  return { name, ending, bytes, resources };
}

/** A file's bytes; `E_FORMAT` where it cannot be read. */
export function readBytes(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (cause) {
    throw new TendonError('E_FORMAT', path, String((cause as Error).message), 'the file cannot be read');
  }
}
