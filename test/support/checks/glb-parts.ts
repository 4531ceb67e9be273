/** Puts a `.glb` together number by number, so that a test can lay it out in any way the format allows. */
import { packGlb } from '../../../src/io/gltf/gltf-pack.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = Record<string, any>;
type Numbers = Float32Array | Int16Array | Uint8Array | Uint16Array | Uint32Array;

const COMPONENTS = new Map<string, number>([
  ['Int16Array', 5122],
  ['Uint8Array', 5121],
  ['Uint16Array', 5123],
  ['Uint32Array', 5125],
  ['Float32Array', 5126],
]);
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** A file in the making: add numbers, fill in `json`, `finish`. */
export class GlbParts {
  readonly json: Json = { asset: { version: '2.0' }, bufferViews: [], accessors: [] };
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** Adds bytes as a buffer view. */
  view(data: ArrayBufferView, more: Json = {}): number {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.json.bufferViews.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length, ...more });
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.#pieces.push(padded);
    this.#length += padded.length;
    return this.json.bufferViews.length - 1;
  }

  /** Adds numbers as an accessor. Rows of bytes and shorts are padded to four bytes, as the format asks for. */
  numbers(values: Numbers, type: keyof typeof WIDTHS, more: Json = {}): number {
    const width = WIDTHS[type];
    const count = values.length / width;
    const rowBytes = width * values.BYTES_PER_ELEMENT;
    const stride = Math.ceil(rowBytes / 4) * 4;
    const componentType = COMPONENTS.get(values.constructor.name);
    if (type === 'SCALAR' || stride === rowBytes) {
      return this.#accessor({ bufferView: this.view(values), componentType, count, type, ...more });
    }
    const rows = new Uint8Array(stride * count);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    for (let i = 0; i < count; i++) rows.set(bytes.subarray(i * rowBytes, (i + 1) * rowBytes), i * stride);
    return this.#accessor({
      bufferView: this.view(rows, { byteStride: stride }),
      componentType,
      count,
      type,
      ...more,
    });
  }

  /** Positions and normals in turn in one view. */
  interleaved(positions: Float32Array, normals: Float32Array): { POSITION: number; NORMAL: number } {
    const count = positions.length / 3;
    const rows = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) {
      rows.set(positions.subarray(3 * i, 3 * i + 3), 6 * i);
      rows.set(normals.subarray(3 * i, 3 * i + 3), 6 * i + 3);
    }
    const bufferView = this.view(rows, { byteStride: 24 });
    const one = { bufferView, componentType: 5126, count, type: 'VEC3' };
    return { POSITION: this.#accessor(one), NORMAL: this.#accessor({ ...one, byteOffset: 12 }) };
  }

  /** Positions of which only those that are not zero are written. */
  sparse(positions: Float32Array): number {
    const indices: number[] = [];
    for (let i = 0; i < positions.length; i += 3) {
      if (positions[i] !== 0 || positions[i + 1] !== 0 || positions[i + 2] !== 0) indices.push(i / 3);
    }
    const values = Float32Array.from(indices.flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]));
    return this.#accessor({
      componentType: 5126,
      count: positions.length / 3,
      type: 'VEC3',
      sparse: {
        count: indices.length,
        indices: { bufferView: this.view(Uint16Array.from(indices)), componentType: 5123 },
        values: { bufferView: this.view(values) },
      },
    });
  }

  /** The file. */
  finish(): Uint8Array {
    return packGlb({ ...this.json, buffers: [{ byteLength: this.#length }] }, this.#pieces);
  }

  #accessor(accessor: Json): number {
    this.json.accessors.push(accessor);
    return this.json.accessors.length - 1;
  }
}
