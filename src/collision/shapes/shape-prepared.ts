/** What is worked out from a shape once, when it is first needed, and kept as long as the shape itself. */
import { buildDistanceField } from './build-distance-field.js';
import type { DistanceField } from './distance-field.js';
import { HeightField } from './height-field.js';
import type { HeightFieldShape, MeshShape, ShapeDef } from './shape-def.js';

const fields = new WeakMap<MeshShape, DistanceField>();
const heightFields = new WeakMap<HeightFieldShape, HeightField>();

/** The distance field of a mesh: every user of the same shape object gets the same one. */
export function fieldOf(shape: MeshShape, place = 'shape'): DistanceField {
  let field = fields.get(shape);
  if (!field) {
    field = buildDistanceField(shape.positions, shape.triangles, shape.cell, place);
    fields.set(shape, field);
  }
  return field;
}

/** The same for a height field. */
export function heightFieldOf(shape: HeightFieldShape): HeightField {
  let field = heightFields.get(shape);
  if (!field) {
    field = new HeightField(shape);
    heightFields.set(shape, field);
  }
  return field;
}

/** Does now what would otherwise be done at the first query. */
export function prepareShape(shape: ShapeDef, place: string): void {
  if (shape.kind === 'mesh') fieldOf(shape, place);
  if (shape.kind === 'heightField') heightFieldOf(shape);
}
