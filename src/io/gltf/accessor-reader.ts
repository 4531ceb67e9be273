/** The numbers of accessors of a file that `readGltf` has accepted, without a copy of the whole file. */
import { listObjects } from '../text/json-fields.js';
import { resolveUri } from './gltf-container.js';
import type { JsonObject } from './gltf-model.js';
import type { GltfSource } from './gltf-source.js';

const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
/** Bytes, largest value for fractions, and how to read each type of number. */
const COMPONENTS: ReadonlyMap<unknown, readonly [number, number, (view: DataView, at: number) => number]> = new Map([
  [5120, [1, 127, (view: DataView, at: number) => view.getInt8(at)]],
  [5121, [1, 255, (view: DataView, at: number) => view.getUint8(at)]],
  [5122, [2, 32767, (view: DataView, at: number) => view.getInt16(at, true)]],
  [5123, [2, 65535, (view: DataView, at: number) => view.getUint16(at, true)]],
  [5125, [4, 1, (view: DataView, at: number) => view.getUint32(at, true)]],
  [5126, [4, 1, (view: DataView, at: number) => view.getFloat32(at, true)]],
]);

/** Reads accessors on demand. */
export class AccessorReader {
  readonly #accessors: readonly JsonObject[];
  readonly #views: readonly JsonObject[];
  readonly #source: GltfSource;
  readonly #buffers = new Map<number, Uint8Array | undefined>();

  constructor(source: GltfSource) {
    const root = { object: source.json, pointer: '' };
    this.#source = source;
    this.#accessors = listObjects(root, 'accessors').map(({ object }) => object);
    this.#views = listObjects(root, 'bufferViews').map(({ object }) => object);
  }

  /** All numbers of an accessor; undefined where they are packed, sparse or not there. */
  read(index: number): Float64Array | undefined {
    const accessor = this.#accessors[index];
    const view = this.#views[accessor?.bufferView as number];
    const component = COMPONENTS.get(accessor?.componentType);
    const width = WIDTHS[String(accessor?.type)];
    if (view === undefined || component === undefined || width === undefined) return undefined;
    if (accessor.sparse !== undefined || view.extensions !== undefined) return undefined;
    const bytes = this.buffer(Number(view.buffer));
    if (bytes === undefined) return undefined;
    const [size, most, get] = component;
    const scale = accessor.normalized === true ? most : 1;
    const stride = Number(view.byteStride ?? width * size);
    const start = Number(view.byteOffset ?? 0) + Number(accessor.byteOffset ?? 0);
    const count = Number(accessor.count);
    if (start + (count - 1) * stride + width * size > bytes.length) return undefined;
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const values = new Float64Array(width * count);
    for (let i = 0, o = 0; i < count; i++) {
      for (let k = 0; k < width; k++) values[o++] = get(data, start + i * stride + k * size) / scale;
    }
    return values;
  }

  /** The bytes of a buffer; undefined where it only stands for data that is packed elsewhere. */
  buffer(index: number): Uint8Array | undefined {
    if (this.#buffers.has(index)) return this.#buffers.get(index);
    const from = listObjects({ object: this.#source.json, pointer: '' }, 'buffers')[index];
    const isBin = index === 0 && from?.object.uri === undefined;
    const bytes = isBin
      ? this.#source.bin
      : from?.object.uri === undefined
        ? undefined
        : resolveUri(from, this.#source.resources, Infinity);
    this.#buffers.set(index, bytes);
    return bytes;
  }
}
