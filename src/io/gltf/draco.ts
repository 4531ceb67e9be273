/** Meshes packed by Draco, through the decoder module of its makers. Part of `unpackGltf`. */
import { failAt } from '../text/json-fields.js';

/** What is used of Draco's decoder module. */
export interface DracoModule {
  readonly Decoder: new () => DracoDecoder;
  readonly DecoderBuffer: new () => DracoBuffer;
  readonly Mesh: new () => DracoMesh;
  readonly HEAPU8: Uint8Array;
  readonly DT_INT8: number;
  readonly DT_UINT8: number;
  readonly DT_INT16: number;
  readonly DT_UINT16: number;
  readonly DT_UINT32: number;
  readonly DT_FLOAT32: number;
  _malloc(size: number): number;
  _free(pointer: number): void;
  destroy(object: object): void;
}

interface DracoBuffer {
  Init(bytes: Int8Array, length: number): void;
}

interface DracoMesh {
  num_faces(): number;
  num_points(): number;
}

interface DracoAttribute {
  readonly ptr: number;
  num_components(): number;
}

interface DracoDecoder {
  DecodeBufferToMesh(buffer: DracoBuffer, mesh: DracoMesh): { ok(): boolean; error_msg(): string };
  GetTrianglesUInt32Array(mesh: DracoMesh, size: number, pointer: number): boolean;
  GetAttributeByUniqueId(mesh: DracoMesh, id: number): DracoAttribute;
  GetAttributeDataArrayForAllPoints(
    mesh: DracoMesh,
    attribute: DracoAttribute,
    type: number,
    size: number,
    pointer: number,
  ): boolean;
}

/** An attribute that is wanted, with the type of its numbers in glTF. */
export interface DracoWish {
  readonly name: string;
  readonly id: number;
  readonly componentType: number;
}

/** Tightly packed data. */
export interface DracoMeshData {
  /** u32, three per triangle. */
  readonly indices: Uint8Array;
  readonly attributes: readonly { readonly name: string; readonly data: Uint8Array; readonly count: number }[];
}

const TYPES: ReadonlyMap<number, readonly [keyof DracoModule, number]> = new Map([
  [5120, ['DT_INT8', 1]],
  [5121, ['DT_UINT8', 1]],
  [5122, ['DT_INT16', 2]],
  [5123, ['DT_UINT16', 2]],
  [5125, ['DT_UINT32', 4]],
  [5126, ['DT_FLOAT32', 4]],
]);

/** Decodes one mesh. */
export function decodeDraco(
  draco: DracoModule,
  bytes: Uint8Array,
  wanted: readonly DracoWish[],
  place: string,
  maxBytes: number,
): DracoMeshData {
  const decoder = new draco.Decoder();
  const buffer = new draco.DecoderBuffer();
  const mesh = new draco.Mesh();
  try {
    buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
    const status = decoder.DecodeBufferToMesh(buffer, mesh);
    if (!status.ok()) failAt(place, status.error_msg(), 'the packed mesh is damaged');
    const count = mesh.num_points();
    const copy = (size: number, write: (pointer: number) => boolean): Uint8Array => {
      if (!(size <= maxBytes)) failAt(place, size, `at most ${maxBytes} bytes may be unpacked`, 'E_RANGE');
      const pointer = draco._malloc(size);
      const done = write(pointer);
      const data = draco.HEAPU8.slice(pointer, pointer + size);
      draco._free(pointer);
      return done ? data : failAt(place, size, 'the packed mesh is damaged');
    };
    const size = 12 * mesh.num_faces();
    const indices = copy(size, (pointer) => decoder.GetTrianglesUInt32Array(mesh, size, pointer));
    const attributes = wanted.map(({ name, id, componentType }) => {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      const type = TYPES.get(componentType);
      if (!attribute.ptr || type === undefined) failAt(place, name, 'the packed mesh does not have it');
      const length = count * attribute.num_components() * type[1];
      const data = copy(length, (pointer) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[type[0]] as number, length, pointer),
      );
      return { name, data, count };
    });
    return { indices, attributes };
  } finally {
    for (const object of [mesh, buffer, decoder]) draco.destroy(object);
  }
}
