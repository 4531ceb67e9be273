/** What obstacles look like: triangles for every shape, made without a graphics library. Used by exporters. */
import { heightFieldSurface } from '../../collision/shapes/height-field-surface.js';
import type { ShapeDef } from '../../collision/shapes/shape-def.js';
import { boxSurface, capsuleSurface, cylinderSurface, sphereSurface } from '../../mesh/surface/solid-surfaces.js';

/** Half the side of the square that stands for a plane without end [m]. */
const PLANE = 5;

/** Triangles of a shape in its own frame, seen counter-clockwise from outside. */
export function shapeSurface(shape: ShapeDef): { positions: ArrayLike<number>; triangles: ArrayLike<number> } {
  switch (shape.kind) {
    case 'plane':
      return {
        positions: [-PLANE, 0, -PLANE, -PLANE, 0, PLANE, PLANE, 0, PLANE, PLANE, 0, -PLANE],
        triangles: [0, 1, 2, 0, 2, 3],
      };
    case 'sphere':
      return sphereSurface(shape.radius);
    case 'box':
      return boxSurface(shape.halfExtents);
    case 'capsule':
      return capsuleSurface(shape.radius, shape.halfLength);
    case 'cylinder':
      return cylinderSurface(shape.radius, shape.halfLength);
    case 'heightField':
      return heightFieldSurface(shape);
    case 'mesh':
      return shape;
  }
}
