/** Gets the bytes of a model, and of the files a `.gltf` refers to. */
import { TendonError } from '../src/errors.js';
import { listGltfUris, openGltf } from '../src/io/gltf/gltf-container.js';
import { openGltfSource } from '../src/io/gltf/gltf-source.js';
import { type GltfDecoders, unpackGltf } from '../src/io/gltf/gltf-unpack.js';
import { resolveLimits } from '../src/io/text/io-limits.js';

/** A model and what it needs. */
export interface FetchedModel {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Outside files by the address the model has for them. */
  readonly resources: ReadonlyMap<string, Uint8Array>;
  /** Where outside files are looked for. */
  readonly path: string;
}

/** How a model is fetched. */
export interface FetchOptions {
  /** Ends the fetching. */
  readonly signal?: AbortSignal;
  /** Called with what is being done and how much of it is done, 0 to 1. */
  readonly onProgress?: (stage: string, share: number) => void;
  /** For models that the worker cannot unpack. */
  readonly decoders?: GltfDecoders;
}

/** Fetches a model, or takes the bytes that are given, which then must need no other files; unpacks it where there are decoders. */
export async function fetchModel(
  source: string | URL | ArrayBuffer | Uint8Array,
  options: FetchOptions = {},
): Promise<FetchedModel> {
  const model = await fetchFiles(source, options);
  if (!options.decoders) return model;
  const plain = await unpackGltf(openGltfSource(model.bytes, model), options.decoders, resolveLimits({}).maxBytes);
  return plain ? { ...model, bytes: plain as Uint8Array<ArrayBuffer>, resources: new Map() } : model;
}

async function fetchFiles(
  source: string | URL | ArrayBuffer | Uint8Array,
  options: FetchOptions,
): Promise<FetchedModel> {
  if (source instanceof ArrayBuffer) return { bytes: new Uint8Array(source), resources: new Map(), path: '' };
  if (source instanceof Uint8Array) return { bytes: source.slice(), resources: new Map(), path: '' };
  const address = new URL(source, globalThis.document?.baseURI);
  const bytes = await fetchBytes(address, options);
  const resources = new Map<string, Uint8Array>();
  if (isBinary(bytes)) return { bytes, resources, path: new URL('.', address).href };
  const { json } = openGltf(bytes, resolveLimits({}));
  for (const file of listGltfUris(json)) resources.set(file, await fetchBytes(new URL(file, address), options));
  return { bytes, resources, path: new URL('.', address).href };
}

/** True for a `.glb`, which begins with 'glTF' and keeps everything in itself. */
function isBinary(bytes: Uint8Array): boolean {
  return [0x67, 0x6c, 0x54, 0x46].every((byte, i) => bytes[i] === byte);
}

async function fetchBytes(address: URL, { signal, onProgress }: FetchOptions): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address, signal && { signal }).catch((cause: unknown) => String(cause));
  signal?.throwIfAborted();
  if (typeof response === 'string' || !response.ok) {
    const why = typeof response === 'string' ? response : `status ${response.status}`;
    throw new TendonError('E_FORMAT', 'url', String(address), `the file cannot be fetched: ${why}`);
  }
  if (!response.body || !onProgress) return new Uint8Array(await response.arrayBuffer());
  // unknown where it is sent compressed, or bit by bit
  const expected = Number(response.headers.get('Content-Length')) || Number.POSITIVE_INFINITY;
  let received = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, queue) {
      received += part.length;
      onProgress('fetching', Math.min(1, received / expected));
      queue.enqueue(part);
    },
  });
  return new Uint8Array(await new Response(response.body.pipeThrough(counter)).arrayBuffer());
}
