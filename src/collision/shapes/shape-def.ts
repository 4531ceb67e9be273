/** What a user writes down about a shape, and whether it makes sense. */
import { requireFinite, requireGiven, requireInRange, requireNumbers, TendonError } from '../../errors.js';
import { checkSurface } from './close-surface.js';

/** What an obstacle looks like, in its own frame. Lengths in metres. */
export type ShapeDef =
  /** Everything below y = 0 is solid. */
  | { readonly kind: 'plane' }
  | { readonly kind: 'sphere'; readonly radius: number; readonly container?: boolean }
  /** Sides 2·halfExtents. */
  | { readonly kind: 'box'; readonly halfExtents: readonly [number, number, number]; readonly container?: boolean }
  /** A segment along y from -halfLength to halfLength, with a radius. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly halfLength: number; readonly container?: boolean }
  /** Axis along y, flat ends. */
  | { readonly kind: 'cylinder'; readonly radius: number; readonly halfLength: number; readonly container?: boolean }
  | HeightFieldShape
  | MeshShape;

/**
 * A grid of heights over a rectangle around the origin, everything below solid. Squares are cut into two triangles from the
 * corner of lowest x and z to the opposite one.
 */
export interface HeightFieldShape {
  readonly kind: 'heightField';
  /** Heights [m]: `columns` of them along x, then the next row along z. */
  readonly heights: ArrayLike<number>;
  readonly rows: number;
  readonly columns: number;
  /** From one column and one row to the next [m]. */
  readonly cell: readonly [number, number];
}

/** The inside of a closed triangle surface, through a signed distance field that is made once. */
export interface MeshShape {
  readonly kind: 'mesh';
  /** x,y,z per vertex [m]. */
  readonly positions: ArrayLike<number>;
  /** Three vertices each, all seen counter-clockwise from outside, or all from inside. */
  readonly triangles: ArrayLike<number>;
  /** Cell of the distance field [m]; default a 48th of the longest side, less for thin walls. */
  readonly cell?: number;
  readonly container?: boolean;
}

/** Most heights of a height field: 30 MB with what is worked out from them. */
const MAX_HEIGHTS = 1 << 20;

/** Throws unless the shape is known and its lengths are sensible. */
export function checkShape(shape: ShapeDef, place: string): void {
  const length = (value: number, name: string) => requireInRange(value, 1e-6, 1e6, `${place}/${name}`);
  requireGiven(shape, place);
  switch (shape.kind) {
    case 'plane':
      return;
    case 'sphere':
      length(shape.radius, 'radius');
      return;
    case 'box':
      requireNumbers(shape.halfExtents, 3, `${place}/halfExtents`);
      shape.halfExtents.forEach((value, k) => {
        length(value, `halfExtents/${k}`);
      });
      return;
    case 'capsule':
    case 'cylinder':
      length(shape.radius, 'radius');
      length(shape.halfLength, 'halfLength');
      return;
    case 'heightField':
      checkHeightField(shape, place);
      return;
    case 'mesh':
      checkSurface(shape.positions, shape.triangles, place);
      if (shape.cell !== undefined) length(shape.cell, 'cell');
      return;
    default:
      throw new TendonError('E_UNKNOWN', `${place}/kind`, (shape as { kind: unknown }).kind, 'no such shape');
  }
}

function checkHeightField({ heights, rows, columns, cell }: HeightFieldShape, place: string): void {
  for (const [name, count] of Object.entries({ rows, columns })) {
    requireInRange(count, 2, MAX_HEIGHTS / 2, `${place}/${name}`);
    if (!Number.isInteger(count))
      throw new TendonError('E_RANGE', `${place}/${name}`, count, 'a whole number is needed');
  }
  if (rows * columns > MAX_HEIGHTS) {
    throw new TendonError('E_MEM_LIMIT', `${place}/heights`, rows * columns, `at most ${MAX_HEIGHTS} heights`);
  }
  if (heights?.length !== rows * columns) {
    const advice = `rows times columns: ${rows * columns} heights are needed`;
    throw new TendonError('E_RANGE', `${place}/heights`, heights?.length, advice);
  }
  requireFinite(heights, `${place}/heights`);
  [0, 1].forEach((k) => {
    requireInRange(cell?.[k], 1e-6, 1e6, `${place}/cell/${k}`);
  });
}
