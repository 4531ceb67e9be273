/** The box around a shape, in its own frame. */
import type { ShapeDef } from './shape-def.js';
import { fieldOf, heightFieldOf } from './shape-prepared.js';

/** How far down a box around a height field reaches, whose solid has no end [m]; more would cost digits when it is turned. */
const DEEP = 1e9;

/** out[0..6) = lowest, then highest corner [m]. Returns false, and writes nothing, for planes and containers: solid far away. */
export function shapeBox(shape: ShapeDef, out: Float64Array): boolean {
  if ('container' in shape && shape.container) return false;
  switch (shape.kind) {
    case 'plane':
      return false;
    case 'sphere':
      setBox(out, shape.radius, shape.radius, shape.radius);
      return true;
    case 'box':
      setBox(out, shape.halfExtents[0], shape.halfExtents[1], shape.halfExtents[2]);
      return true;
    case 'capsule':
      setBox(out, shape.radius, shape.radius + shape.halfLength, shape.radius);
      return true;
    case 'cylinder':
      setBox(out, shape.radius, shape.halfLength, shape.radius);
      return true;
    case 'heightField': {
      const field = heightFieldOf(shape);
      setBox(out, field.halfX, DEEP, field.halfZ);
      out[4] = field.highest;
      return true;
    }
    case 'mesh': {
      const { low, high } = fieldOf(shape);
      for (let k = 0; k < 3; k++) {
        out[k] = low[k];
        out[3 + k] = high[k];
      }
      return true;
    }
  }
}

function setBox(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = -x;
  out[1] = -y;
  out[2] = -z;
  out[3] = x;
  out[4] = y;
  out[5] = z;
}
