/** PC2, the point cache that Blender's Mesh Cache and 3ds Max read: a header of 32 bytes, then x,y,z as f32, little-endian. */
import { type BakeInfo, NO_BYTES, type StreamFormat } from './bake-format.js';

const HEADER_BYTES = 32;

export const PC2: StreamFormat = {
  kind: 'stream',
  header({ vertexCount, firstFrame }: BakeInfo, times) {
    const bytes = new Uint8Array(HEADER_BYTES);
    const view = new DataView(bytes.buffer);
    bytes.set(Array.from('POINTCACHE2\0', (letter) => letter.charCodeAt(0)));
    view.setInt32(12, 1, true);
    view.setInt32(16, vertexCount, true);
    view.setFloat32(20, firstFrame, true);
    // one sample per frame
    view.setFloat32(24, 1, true);
    view.setInt32(28, times.length, true);
    return bytes;
  },
  frame: ({ vertexCount }, { positions }) => floats(positions, 3 * vertexCount, true),
  footer: () => NO_BYTES,
};

/** Numbers as f32 bytes. */
export function floats(values: ArrayLike<number>, count: number, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(4 * count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) view.setFloat32(4 * i, values[i], littleEndian);
  return bytes;
}
