/** An OBJ file for every frame. */
import { writeObj } from '../../io/surfaces/obj.js';
import type { SequenceFormat } from './bake-format.js';

export const OBJ_SEQUENCE: SequenceFormat = {
  kind: 'sequence',
  file: ({ triangles }, { positions }) =>
    writeObj({ positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) }),
};
