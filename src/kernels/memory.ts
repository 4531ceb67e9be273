/**
 * One WebAssembly memory per world, laid out before it exists: first every array is planned, then the memory is made in
 * one piece of exactly the size needed, then the views are taken. It never grows, so no view is ever detached.
 */
import { TendonError } from '../errors.js';

/** Below this the kernels keep their own static data. */
const FIRST_ADDRESS = 4096;
/** Arrays start on cache lines. */
const ALIGNMENT = 64;
const PAGE_BYTES = 65536;
/** Most a world may take unless the user allows more: 1 GiB [bytes]. */
export const DEFAULT_MEMORY_LIMIT = 16384 * PAGE_BYTES;
/** Most a 32-bit WebAssembly memory can address: 4 GiB [bytes]. */
const HARD_MEMORY_LIMIT = 65536 * PAGE_BYTES;

/** A planned array: its address is known at once, its `view` from the moment the memory exists. */
export interface Slot<View> {
  /** Byte offset in the memory. */
  readonly address: number;
  /** Number of elements. */
  readonly length: number;
  /** The array itself. */
  view: View;
}

interface Planned {
  readonly slot: Slot<unknown>;
  readonly make: (buffer: ArrayBufferLike, address: number, length: number) => unknown;
}

/** Collects arrays, then makes the memory that holds them. */
export class MemoryPlan {
  #next = FIRST_ADDRESS;
  readonly #planned: Planned[] = [];
  readonly #limit: number;

  /** `limit`: bytes beyond which planning itself ends, before anything costly is made for memory that is not there. */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  f32(length: number): Slot<Float32Array> {
    return this.#add(length, 4, (buffer, address, count) => new Float32Array(buffer, address, count));
  }

  f64(length: number): Slot<Float64Array> {
    return this.#add(length, 8, (buffer, address, count) => new Float64Array(buffer, address, count));
  }

  i32(length: number): Slot<Int32Array> {
    return this.#add(length, 4, (buffer, address, count) => new Int32Array(buffer, address, count));
  }

  /** Elements [first, first + length) of an array as an array of its own. */
  partOf(whole: Slot<Float32Array>, first: number, length: number): Slot<Float32Array> {
    const slot = { address: whole.address + 4 * first, length, view: undefined as unknown as Float32Array };
    this.#planned.push({ slot, make: (buffer, address, count) => new Float32Array(buffer, address, count) });
    return slot;
  }

  /** Bytes the memory will have. */
  get byteLength(): number {
    return Math.ceil(this.#next / PAGE_BYTES) * PAGE_BYTES;
  }

  /** Makes the memory, all zero, and fills in every slot's view. */
  allocate(options: { readonly shared?: boolean; readonly limit?: number } = {}): WebAssembly.Memory {
    const limit = Math.min(options.limit ?? DEFAULT_MEMORY_LIMIT, HARD_MEMORY_LIMIT);
    const bytes = this.byteLength;
    if (bytes > limit) {
      throw new TendonError('E_MEM_LIMIT', 'memory', bytes, `the world needs ${bytes} bytes, ${limit} are allowed`);
    }
    const pages = bytes / PAGE_BYTES;
    let memory: WebAssembly.Memory;
    try {
      memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: options.shared ?? false });
    } catch (cause) {
      throw new TendonError('E_MEM_LIMIT', 'memory', bytes, `no memory of ${bytes} bytes can be had: ${String(cause)}`);
    }
    for (const { slot, make } of this.#planned) slot.view = make(memory.buffer, slot.address, slot.length);
    return memory;
  }

  #add<View>(
    length: number,
    elementBytes: number,
    make: (b: ArrayBufferLike, a: number, n: number) => View,
  ): Slot<View> {
    if (!Number.isInteger(length) || length < 0) {
      throw new TendonError('E_RANGE', 'memory/length', length, 'an array needs a whole, non-negative length');
    }
    const slot = { address: this.#next, length, view: undefined as unknown as View };
    this.#planned.push({ slot, make });
    this.#next = Math.ceil((this.#next + length * elementBytes) / ALIGNMENT) * ALIGNMENT;
    if (this.byteLength > this.#limit) {
      const advice = `the world needs at least ${this.byteLength} bytes, ${this.#limit} are allowed`;
      throw new TendonError('E_MEM_LIMIT', 'memory', this.byteLength, advice);
    }
    return slot;
  }
}
