/** A glTF that is being added to: its JSON, open, and one buffer that grows. Used by whatever writes into a given file. */
import { TendonError } from '../../errors.js';
import { listObjects, wholeOf } from '../text/json-fields.js';
import { dataUriType, resolveUri } from './gltf-container.js';
import type { JsonObject } from './gltf-model.js';
import { packGlb } from './gltf-pack.js';
import type { GltfSource } from './gltf-source.js';

/** JSON that may be changed. */
export interface OpenObject {
  [key: string]: OpenValue | undefined;
}
export type OpenValue = null | boolean | number | string | OpenValue[] | OpenObject;

/** Numbers as accessors keep them. */
export type AccessorArray = Float32Array | Uint32Array | Uint16Array | Uint8Array | Int16Array | Int8Array;

/** How an accessor is written. */
export interface AccessorOptions {
  /** Integers stand for fractions. */
  readonly normalized?: boolean;
  /** 34962 for vertices, 34963 for triangles. */
  readonly target?: number;
  /** Smallest and largest values are written, as positions and times need them. */
  readonly bounds?: boolean;
}

export const VERTICES = 34962;
export const TRIANGLES = 34963;
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as const;
/** glTF's numbers for the types. */
const COMPONENTS = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);

/** Adds to a file. Indices of what was there stay as they are. */
export class GltfEdit {
  readonly json: OpenObject;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(source: GltfSource) {
    this.json = structuredClone(source.json) as OpenObject;
    this.#gatherBuffers(source);
    this.#gatherImages(source);
  }

  /** The objects of a list at the root, which is made where there is none. */
  list(key: string): OpenObject[] {
    this.json[key] ??= [];
    return this.json[key] as OpenObject[];
  }

  /** Appends to a list at the root; the number of what was added. */
  add(key: string, object: OpenObject): number {
    return this.list(key).push(object) - 1;
  }

  /** Adds bytes to the buffer; the number of their view. */
  addView(bytes: Uint8Array, more: OpenObject = {}): number {
    const byteOffset = this.#addPiece(bytes);
    return this.add('bufferViews', { buffer: 0, byteOffset, byteLength: bytes.length, ...more });
  }

  /** Adds numbers; the number of their accessor. Vertices of less than four bytes each are padded, as glTF asks. */
  addAccessor(array: AccessorArray, type: keyof typeof WIDTHS, options: AccessorOptions = {}): number {
    const width = WIDTHS[type];
    const count = array.length / width;
    if (!(count >= 1)) throw new TendonError('E_EMPTY', 'accessor', array.length, 'an accessor needs numbers');
    const size = width * array.BYTES_PER_ELEMENT;
    const stride = options.target === VERTICES ? size + (-size & 3) : size;
    const bytes = stride === size ? bytesOf(array) : padded(array, width, stride);
    const bufferView = this.addView(bytes, {
      ...(stride !== size && { byteStride: stride }),
      ...(options.target !== undefined && { target: options.target }),
    });
    return this.add('accessors', {
      bufferView,
      componentType: COMPONENTS.get(array.constructor)!,
      count,
      type,
      ...(options.normalized && { normalized: true }),
      ...(options.bounds && boundsOf(array, width)),
    });
  }

  /** Notes that an extension is used, and whether a reader must know it. */
  useExtension(name: string, required = false): void {
    for (const key of required ? ['extensionsUsed', 'extensionsRequired'] : ['extensionsUsed']) {
      const names = (this.json[key] ?? []) as string[];
      if (!names.includes(name)) this.json[key] = [...names, name].sort();
    }
  }

  /** The bytes of the file, a `.glb`. */
  pack(): Uint8Array {
    return packGlb(this.json as JsonObject, this.#pieces);
  }

  /** All buffers become one; those that only stand for data unpacked from elsewhere have no bytes and stay. */
  #gatherBuffers({ json, bin, resources }: GltfSource): void {
    const root = { object: json, pointer: '' };
    const starts: number[] = [];
    const others: OpenObject[] = [];
    listObjects(root, 'buffers').forEach((from, i) => {
      if (from.object.uri === undefined && !(i === 0 && bin !== undefined)) {
        starts.push(-1 - others.push(structuredClone(from.object) as OpenObject));
        return;
      }
      const bytes = i === 0 && from.object.uri === undefined ? bin! : resolveUri(from, resources, Infinity);
      starts.push(this.#addPiece(bytes.subarray(0, wholeOf(from, 'byteLength'))));
    });
    this.json.buffers = [{ byteLength: 0 }, ...others];
    const move = (place: OpenObject): void => {
      const start = starts[place.buffer as number] ?? 0;
      // numbers below -1 lead to the buffers without bytes, which come after the first
      place.buffer = start < 0 ? -1 - start : 0;
      if (start > 0) place.byteOffset = start + ((place.byteOffset as number | undefined) ?? 0);
    };
    for (const view of (this.json.bufferViews ?? []) as OpenObject[]) {
      move(view);
      for (const packed of Object.values((view.extensions ?? {}) as OpenObject)) {
        if (typeof (packed as OpenObject | null)?.buffer === 'number') move(packed as OpenObject);
      }
    }
  }

  /** Pictures in files beside this one are taken into it. */
  #gatherImages({ json, resources }: GltfSource): void {
    listObjects({ object: json, pointer: '' }, 'images').forEach((from, i) => {
      const { uri } = from.object;
      if (typeof uri !== 'string') return;
      const bytes = resolveUri(from, resources, Infinity);
      const image = this.list('images')[i];
      delete image.uri;
      image.bufferView = this.addView(bytes);
      image.mimeType ??= dataUriType(uri) || (/\.jpe?g$/i.test(uri) ? 'image/jpeg' : 'image/png');
    });
  }

  #addPiece(bytes: Uint8Array): number {
    const at = this.#length;
    this.#pieces.push(bytes);
    this.#length += bytes.length + (-bytes.length & 3);
    return at;
  }
}

function bytesOf(array: AccessorArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice();
}

function padded(array: AccessorArray, width: number, stride: number): Uint8Array {
  const from = bytesOf(array);
  const size = width * array.BYTES_PER_ELEMENT;
  const out = new Uint8Array((from.length / size) * stride);
  for (let i = 0; i < from.length / size; i++) out.set(from.subarray(i * size, (i + 1) * size), i * stride);
  return out;
}

function boundsOf(array: AccessorArray, width: number): { min: number[]; max: number[] } {
  const min = new Array<number>(width).fill(Infinity);
  const max = new Array<number>(width).fill(-Infinity);
  for (let i = 0; i < array.length; i++) {
    min[i % width] = Math.min(min[i % width], array[i]);
    max[i % width] = Math.max(max[i % width], array[i]);
  }
  return { min, max };
}
