/** Sheets for tests: rectangles in the xz plane, from the origin on. */
import { buildSheet } from '../../../scenes/cast/coupled-bodies.js';
import type { ClothDef, ClothMaterialDef } from '../../../src/body/kinds/cloth-def.js';

/** A sheet of `cells` × `across` cells, `length` along x and `width` along z [m]. */
export function sheetDef(
  cells: readonly [number, number],
  size: readonly [number, number],
  thickness: number,
  material: ClothMaterialDef,
  extra: Partial<ClothDef> = {},
): ClothDef {
  const def = buildSheet('sheet', cells, size, thickness, material);
  const positions = Float64Array.from(def.positions, (value, i) => value + [0.5 * size[0], 0, 0.5 * size[1]][i % 3]);
  return { ...def, positions, ...extra };
}
