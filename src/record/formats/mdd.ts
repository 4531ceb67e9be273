/** MDD, the point cache of Lightwave that most programs read: counts, times, then x,y,z as f32, all big-endian. */
import { NO_BYTES, type StreamFormat } from './bake-format.js';
import { floats } from './pc2.js';

export const MDD: StreamFormat = {
  kind: 'stream',
  header({ vertexCount }, times) {
    const bytes = new Uint8Array(8 + 4 * times.length);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, times.length, false);
    view.setInt32(4, vertexCount, false);
    times.forEach((time, i) => {
      view.setFloat32(8 + 4 * i, time, false);
    });
    return bytes;
  },
  frame: ({ vertexCount }, { positions }) => floats(positions, 3 * vertexCount, false),
  footer: () => NO_BYTES,
};
