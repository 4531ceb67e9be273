/**
 * Buffers, buffer views and accessors of a glTF, checked before glTF-Transform decodes them: that library trusts its
 * input (a count is an allocation, an offset is a slice), so it is handed a document in which every range is known to
 * lie inside bytes that are there. Only accessors that something uses are checked, copied and decoded.
 */
import { Document, type GLTF, type JSONDocument, MathUtils, WebIO } from '@gltf-transform/core';
import { resolveUri } from './gltf-container.js';
import type { JsonValue } from './gltf-model.js';
import type { IoLimits } from './io-limits.js';
import { failAt, type JsonPlace, listObjects, optionalObject, requireIndex, textOf, wholeOf } from './json-fields.js';

/** Bytes per component, by glTF's component type. */
const COMPONENT_SIZE = new Map([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
]);
const COMPONENTS = new Map([
  ['SCALAR', 1],
  ['VEC2', 2],
  ['VEC3', 3],
  ['VEC4', 4],
  ['MAT4', 16],
]);
const FLOAT = 5126;

/** What a use of an accessor expects of it. */
export interface AccessorUse {
  readonly type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4';
  /** `float`: floats, or integers that stand for them. `whole`: unsigned integers. */
  readonly kind: 'float' | 'whole';
  /** Largest count. */
  readonly maxCount: number;
}

/** A checked accessor: where it will be in the decoded list, and how long it is. */
export interface AccessorSlot {
  readonly slot: number;
  readonly count: number;
}

/** Collects the accessors of one file; `decode` then gives their numbers. */
export class AccessorTable {
  private readonly buffers: JsonPlace[];
  private readonly bufferBytes = new Map<number, Uint8Array>();
  private readonly views: JsonPlace[];
  private readonly accessors: JsonPlace[];
  private readonly slots = new Map<string, AccessorSlot>();
  private readonly checked: GLTF.IAccessor[] = [];
  private readonly checkedViews: GLTF.IBufferView[] = [];
  private decodedBytes = 0;

  constructor(
    root: JsonPlace,
    private readonly bin: Uint8Array | undefined,
    private readonly resources: ReadonlyMap<string, Uint8Array>,
    private readonly limits: Required<IoLimits>,
  ) {
    this.buffers = listObjects(root, 'buffers');
    this.views = listObjects(root, 'bufferViews');
    this.accessors = listObjects(root, 'accessors');
  }
}
