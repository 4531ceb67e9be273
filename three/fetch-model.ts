/** Gets the bytes of a model, and of the files a `.gltf` refers to. */
import { TendonError } from '../src/errors.js';

/** A model and what it needs. */
export interface FetchedModel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Outside files by the address the model has for them. */
  readonly resources: ReadonlyMap<string, Uint8Array>;
  /** Where outside files are looked for. */
  readonly path: string;
}

/** Fetches a model, or takes the bytes that are given, which then must need no other files. */
export async function fetchModel(source: string | URL | ArrayBuffer | Uint8Array): Promise<FetchedModel> {
  if (source instanceof ArrayBuffer) return { bytes: new Uint8Array(source), resources: new Map(), path: '' };
  if (source instanceof Uint8Array) return { bytes: source.slice(), resources: new Map(), path: '' };
  const address = new URL(source, globalThis.document?.baseURI);
  const bytes = await fetchBytes(address);
  const resources = new Map<string, Uint8Array>();
  if (isBinary(bytes)) return { bytes, resources, path: new URL('.', address).href };
  // the reader is large, and only a `.gltf` needs it here
  const { listOutsideFiles } = await import('../src/io/gltf/gltf.js');
  for (const file of listOutsideFiles(bytes)) resources.set(file, await fetchBytes(new URL(file, address)));
  return { bytes, resources, path: new URL('.', address).href };
}

/** True for a `.glb`, which begins with 'glTF' and keeps everything in itself. */
function isBinary(bytes: Uint8Array): boolean {
  return [0x67, 0x6c, 0x54, 0x46].every((byte, i) => bytes[i] === byte);
}

async function fetchBytes(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address).catch((cause: unknown) => String(cause));
  if (typeof response === 'string' || !response.ok) {
    const why = typeof response === 'string' ? response : `status ${response.status}`;
    throw new TendonError('E_FORMAT', 'url', String(address), `the file cannot be fetched: ${why}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
