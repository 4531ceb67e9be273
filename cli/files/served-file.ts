/** From the path of a request to a file of the viewer, or to the reason why not. Reads nothing outside the root. */
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** Longest address that is looked at [bytes]. */
const MAX_ADDRESS = 8 * 1024;

/** The only kinds of file that are served. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.wasm', 'application/wasm'],
  ['.glb', 'model/gltf-binary'],
]);

/** A file, or the status that says why there is none. */
export type ServedFile =
  | { readonly status: 200; readonly type: string; readonly body: Buffer }
  | { readonly status: 400 | 404 | 414 };

/** Finds the file for the target of a request (its path and query). */
export async function findServedFile(root: string, target: string): Promise<ServedFile> {
  if (Buffer.byteLength(target) > MAX_ADDRESS) return { status: 414 };
  const segments = readPath(target);
  if (!segments) return { status: 400 };
  if (segments.some((segment) => segment.startsWith('.'))) return { status: 404 };
  const names = segments.length === 0 ? ['index.html'] : segments;
  const type = TYPES.get(extname(names[names.length - 1]).toLowerCase());
  if (type === undefined) return { status: 404 };
  try {
    const base = await realpath(root);
    const file = await realpath(join(base, ...names));
    if (!file.startsWith(base + sep)) return { status: 404 };
    return { status: 200, type, body: await readFile(file) };
  } catch {
    return { status: 404 };
  }
}

/** The path in segments, decoded once; undefined where it is not a path that could mean a file. */
function readPath(target: string): string[] | undefined {
  const [path] = target.split(/[?#]/, 1);
  if (!path.startsWith('/')) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  // Control characters, backslashes and colons mean something to one file system or another.
  for (const character of decoded) {
    if (character < ' ' || character === '\x7f' || character === '\\' || character === ':') return undefined;
  }
  const segments = decoded.slice(1).split('/');
  if (segments.length === 1 && segments[0] === '') return [];
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return undefined;
  return segments;
}
