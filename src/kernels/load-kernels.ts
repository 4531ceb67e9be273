/** Compiles the kernels, from the copy embedded in the package or from where the user keeps the .wasm file. */
import { TendonError } from '../errors.js';
import type { KernelTable } from './kernel-table.js';
import { PLAIN_WASM, SHARED_WASM } from './wasm-binary.generated.js';

/** Where the .wasm comes from: nothing for the embedded one, else its address or its bytes. */
export interface KernelOptions {
  /** Address of (or bytes of) the build for plain memory. */
  readonly plain?: string | URL | BufferSource;
  /** Address of (or bytes of) the build for shared memory. */
  readonly shared?: string | URL | BufferSource;
}

/** A module with one SIMD instruction: its validity tells whether the engine has SIMD. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** Throws E_WASM, saying what is missing, where the kernels cannot run. */
export function requireWasm(): void {
  if (typeof WebAssembly !== 'object') {
    throw new TendonError('E_WASM', 'WebAssembly', undefined, 'this engine has no WebAssembly, or a policy blocks it');
  }
  if (!WebAssembly.validate(SIMD_PROBE)) {
    throw new TendonError(
      'E_WASM',
      'WebAssembly/simd',
      false,
      'this engine has no WebAssembly SIMD (all have it since 2023)',
    );
  }
}

/** Compiles the kernels for plain or shared memory; the embedded ones only once. */
export async function compileKernels(shared: boolean, options: KernelOptions = {}): Promise<WebAssembly.Module> {
  requireWasm();
  const source = shared ? options.shared : options.plain;
  if (source !== undefined) return compile(await bytesOf(source));
  const key = shared ? 'shared' : 'plain';
  let module = compiled.get(key);
  if (!module) {
    module = compile(decodeBase64(shared ? SHARED_WASM : PLAIN_WASM));
    compiled.set(key, module);
  }
  return module;
}

/** The kernels working on `memory`. */
export function instantiateKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelTable {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as KernelTable;
}

async function compile(bytes: BufferSource): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new TendonError(
      'E_WASM',
      'kernels',
      String(cause),
      'the kernels do not compile: wrong file, or blocked by a policy',
    );
  }
}

async function bytesOf(source: string | URL | BufferSource): Promise<BufferSource> {
  if (typeof source !== 'string' && !(source instanceof URL)) return source;
  const response = await fetch(source).catch((cause: unknown) => cause);
  if (!(response instanceof Response) || !response.ok) {
    throw new TendonError('E_WASM', 'kernels', String(source), `the kernels cannot be fetched: ${describe(response)}`);
  }
  return response.arrayBuffer();
}

function describe(outcome: unknown): string {
  return outcome instanceof Response ? `status ${outcome.status}` : String(outcome);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
