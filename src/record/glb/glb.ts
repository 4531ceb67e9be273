/** An animated `.glb`: a character in the file it came from, or bodies with a skeleton and shapes of their own. */
import type { WholeFormat } from '../formats/bake-format.js';

export const GLB: WholeFormat = {
  kind: 'whole',
  async file(info, frames, options) {
    // the glTF library is only loaded by whoever writes one
    const { writeBakeGlb } = await import('./write-bake-glb.js');
    return writeBakeGlb(info, frames, options);
  },
};
