/**
 * Accessors of a glTF, checked before glTF-Transform decodes them: that library trusts its input (a count is an
 * allocation, an offset a slice), so it is handed a document in which every range lies inside bytes that are there.
 * Only accessors that something uses are checked, copied and decoded, and each of them once.
 */
import { type Accessor, type GLTF, Logger, MathUtils, WebIO } from '@gltf-transform/core';
import type { IoLimits } from '../text/io-limits.js';
import {
  failAt,
  type JsonPlace,
  listObjects,
  optionalObject,
  requireIndex,
  textOf,
  wholeOf,
} from '../text/json-fields.js';
import type { BufferViews, CheckedView } from './gltf-buffers.js';
import type { JsonValue } from './gltf-model.js';

/** Bytes per component, by glTF's number for the type. */
const COMPONENT_SIZES = new Map([5120, 5121, 5122, 5123, 5125, 5126].map((type, i) => [type, [1, 1, 2, 2, 4, 4][i]]));
const COMPONENT_COUNTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as const;
const UNSIGNED = [5121, 5123, 5125];
const FLOAT = 5126;
/** Elements per given one of an accessor that is otherwise zero: what a few bytes may unfold to. */
const MAX_SPARSENESS = 1024;

/** What a use of an accessor expects of it. */
export interface AccessorUse {
  readonly type: keyof typeof COMPONENT_COUNTS;
  /** Unsigned whole numbers rather than floats or numbers that stand for them. */
  readonly whole?: boolean;
  /** Largest count. */
  readonly maxCount: number;
  /** Exact count, where the use asks for one. */
  readonly count?: number;
}

/** A checked accessor: its place in the decoded list and its length in elements. */
export interface AccessorSlot {
  readonly slot: number;
  readonly count: number;
}

/** The accessors of one file: first every `use`, then one `decode`. */
export class AccessorTable {
  private readonly accessors: readonly JsonPlace[];
  private readonly views: BufferViews;
  private readonly limits: Required<IoLimits>;
  private readonly slots = new Map<number, AccessorSlot & { type: string; whole: boolean }>();
  private readonly json: Required<Pick<GLTF.IGLTF, 'accessors' | 'bufferViews' | 'buffers'>> = {
    accessors: [],
    bufferViews: [],
    buffers: [],
  };
  private readonly resources: Record<string, Uint8Array<ArrayBuffer>> = Object.create(null);
  private decodedBytes = 0;

  constructor(root: JsonPlace, views: BufferViews, limits: Required<IoLimits>) {
    this.accessors = listObjects(root, 'accessors');
    this.views = views;
    this.limits = limits;
  }

  /** Checks the accessor that `value`, found at `pointer`, points at. */
  use(value: JsonValue | undefined, pointer: string, use: AccessorUse): AccessorSlot {
    const index = requireIndex(value, this.accessors.length, pointer);
    const slot = this.slots.get(index) ?? this.check(index, use);
    if (slot.type !== use.type) failAt(pointer, slot.type, `the accessor must be of type ${use.type}`);
    if (use.whole && !slot.whole) failAt(pointer, index, 'the accessor must hold unsigned whole numbers');
    if (slot.count > use.maxCount) failAt(pointer, slot.count, `at most ${use.maxCount} are allowed`, 'E_RANGE');
    if (use.count !== undefined && slot.count !== use.count) {
      failAt(pointer, slot.count, `the accessor must have ${use.count} elements`);
    }
    return slot;
  }

  /** The numbers of every used accessor, by slot; integers that stand for fractions are turned into them. */
  async decode(): Promise<(Float32Array | Uint8Array | Uint16Array | Uint32Array)[]> {
    const json: GLTF.IGLTF = { asset: { version: '2.0' }, ...this.json };
    const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const asset = await io.readJSON({ json, resources: this.resources });
    return asset.getRoot().listAccessors().map(toNumbers);
  }

  private check(index: number, use: AccessorUse): AccessorSlot & { type: string; whole: boolean } {
    const from = this.accessors[index];
    const type = textOf(from, 'type');
    if (type !== use.type) failAt(`${from.pointer}/type`, type, `the type must be ${use.type}`);
    const componentType = wholeOf(from, 'componentType');
    const size = COMPONENT_SIZES.get(componentType);
    if (size === undefined) failAt(`${from.pointer}/componentType`, componentType, 'no such type of number');
    const count = wholeOf(from, 'count');
    const elementSize = COMPONENT_COUNTS[use.type] * size;
    // Before anything of this size is made.
    if (count < 1 || count > use.maxCount) {
      failAt(`${from.pointer}/count`, count, `the count must be from 1 to ${use.maxCount}`, 'E_RANGE');
    }
    this.decodedBytes += count * COMPONENT_COUNTS[use.type] * 4;
    if (this.decodedBytes > this.limits.maxBytes) {
      failAt(from.pointer, this.decodedBytes, `at most ${this.limits.maxBytes} bytes may be unpacked`, 'E_RANGE');
    }
    const accessor: GLTF.IAccessor = { type: use.type, componentType: componentType as never, count, byteOffset: 0 };
    if (from.object.normalized === true && componentType !== FLOAT) accessor.normalized = true;
    if (from.object.bufferView !== undefined) {
      const view = this.views.view(from.object.bufferView, `${from.pointer}/bufferView`);
      accessor.bufferView = this.addRange(view, { from, elementSize, count });
    }
    const sparse = optionalObject(from, 'sparse');
    if (sparse !== undefined) accessor.sparse = this.checkSparse(sparse, count, elementSize);
    if (accessor.bufferView === undefined && (accessor.sparse?.count ?? 0) * MAX_SPARSENESS < count) {
      failAt(`${from.pointer}/bufferView`, undefined, 'the accessor has no data');
    }
    const slot = { slot: this.json.accessors.length, count, type, whole: UNSIGNED.includes(componentType) };
    this.json.accessors.push(accessor);
    this.slots.set(index, slot);
    return slot;
  }

  /** Exceptions to an accessor's values: indices, and as many values. */
  private checkSparse(sparse: JsonPlace, accessorCount: number, elementSize: number): GLTF.IAccessorSparse {
    const count = wholeOf(sparse, 'count');
    if (count < 1 || count > accessorCount) {
      failAt(`${sparse.pointer}/count`, count, `the count must be from 1 to ${accessorCount}`, 'E_RANGE');
    }
    const indices = optionalObject(sparse, 'indices');
    const values = optionalObject(sparse, 'values');
    if (!indices || !values) failAt(sparse.pointer, undefined, 'indices and values are both needed');
    const componentType = wholeOf(indices, 'componentType');
    if (!UNSIGNED.includes(componentType)) {
      failAt(`${indices.pointer}/componentType`, componentType, 'indices must be unsigned whole numbers');
    }
    const size = COMPONENT_SIZES.get(componentType)!;
    const indexView = this.views.view(indices.object.bufferView, `${indices.pointer}/bufferView`);
    const valueView = this.views.view(values.object.bufferView, `${values.pointer}/bufferView`);
    const indexRange = this.addRange(indexView, { from: indices, elementSize: size, count });
    const data = this.resources[`range${indexRange}`];
    let last = -1;
    for (let i = 0; i < count; i++) {
      let at = 0;
      for (let b = size - 1; b >= 0; b--) at = at * 256 + data[i * size + b];
      if (at <= last || at >= accessorCount) {
        failAt(indices.pointer, at, `indices must increase and stay below ${accessorCount}`, 'E_INDEX');
      }
      last = at;
    }
    return {
      count,
      indices: { bufferView: indexRange, byteOffset: 0, componentType: componentType as never },
      values: { bufferView: this.addRange(valueView, { from: values, elementSize, count }), byteOffset: 0 },
    };
  }

  /** Copies exactly the elements of an accessor into a buffer and view of their own; returns the view's number. */
  private addRange(view: CheckedView, range: { from: JsonPlace; elementSize: number; count: number }): number {
    const { from, elementSize, count } = range;
    const byteOffset = wholeOf(from, 'byteOffset', 0);
    const stride = view.byteStride ?? elementSize;
    if (stride < elementSize) failAt(from.pointer, stride, `an element has ${elementSize} bytes`, 'E_RANGE');
    if (byteOffset + (count - 1) * stride + elementSize > view.bytes.length) {
      failAt(from.pointer, count, `the data ends after ${view.bytes.length} bytes`, 'E_INDEX');
    }
    const bytes = new Uint8Array(count * elementSize);
    if (stride === elementSize) bytes.set(view.bytes.subarray(byteOffset, byteOffset + bytes.length));
    else {
      for (let i = 0, at = byteOffset; i < bytes.length; i += elementSize, at += stride) {
        for (let b = 0; b < elementSize; b++) bytes[i + b] = view.bytes[at + b];
      }
    }
    const index = this.json.buffers.length;
    this.json.buffers.push({ uri: `range${index}`, byteLength: bytes.length });
    this.json.bufferViews.push({ buffer: index, byteOffset: 0, byteLength: bytes.length });
    this.resources[`range${index}`] = bytes;
    return index;
  }
}

/** Integers that stand for fractions become floats; other integers stay what they are. */
function toNumbers(accessor: Accessor): Float32Array | Uint8Array | Uint16Array | Uint32Array {
  const array = accessor.getArray()!;
  if (array instanceof Float32Array) return array;
  const isUnsigned = array instanceof Uint8Array || array instanceof Uint16Array || array instanceof Uint32Array;
  if (!accessor.getNormalized()) return isUnsigned ? array : Float32Array.from(array);
  const type = accessor.getComponentType();
  return Float32Array.from(array as ArrayLike<number>, (value) => MathUtils.decodeNormalizedInt(value, type));
}
