/**
 * A straight bar along x: soft, with a rigid piece at either end and a ball joint in the middle, as in
 * [Li2019, Fig. 6]; or soft all through and held at one end. Its mesh is a box of cells, so everything about it is known
 * in closed form.
 */
import type { BodyDef, MaterialDef } from '../../src/body/body-def.js';
import { FLESH } from '../../src/character/build/flesh.js';
import { requireInRange, TendonError } from '../../src/errors.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';

/** How to build a bar. */
export interface BarOptions {
  /** Cells along x (the bar's length), y and z; default 34 x 6 x 6, the size of the bar in [Li2019, Table 1]. */
  readonly cells?: readonly [number, number, number];
  /** Side of a cell [m]; default 0.03. */
  readonly cell?: number;
  /** Layers of vertices in each bone; default 7. 0: no bones and no joint. */
  readonly boneLayers?: number;
  /** Layers of vertices at the low end that are pinned; default 0. Only without bones. */
  readonly pinLayers?: number;
  /** Default `FLESH`. */
  readonly material?: MaterialDef;
}

/** Builds the bar, centred on the x axis, from x = 0. Bones `left` (low x) and `right`, joint `middle`. */
export function buildBar(options: BarOptions = {}): BodyDef {
  const { cells = [34, 6, 6], cell = 0.03, boneLayers = 7, pinLayers = 0, material = FLESH } = options;
  requireInRange(boneLayers, 0, (cells[0] + 1) / 2, 'boneLayers');
  requireInRange(pinLayers, 0, cells[0], 'pinLayers');
  if (boneLayers === 1) throw new TendonError('E_RANGE', 'boneLayers', 1, 'one layer of vertices is flat, not a bone');
  if (boneLayers > 0 && pinLayers > 0) {
    throw new TendonError('E_RANGE', 'pinLayers', pinLayers, 'the end is a bone already and cannot be pinned too');
  }
  const origin = [0, (-cells[1] * cell) / 2, (-cells[2] * cell) / 2] as const;
  const { positions, tets } = buildLattice({ cells, cellSize: cell, origin, split: 'six' });
  const pickLayers = (first: number, count: number): Int32Array => {
    const picked: number[] = [];
    const rowLength = cells[0] + 1;
    for (let vertex = 0; vertex < positions.length / 3; vertex++) {
      const layer = vertex % rowLength;
      if (layer >= first && layer < first + count) picked.push(vertex);
    }
    return Int32Array.from(picked);
  };
  const body = { name: 'bar', positions, tets, materials: [material] };
  if (boneLayers === 0) return pinLayers === 0 ? body : { ...body, pins: pickLayers(0, pinLayers) };
  return {
    ...body,
    bones: [
      { name: 'left', vertices: pickLayers(0, boneLayers) },
      { name: 'right', vertices: pickLayers(cells[0] + 1 - boneLayers, boneLayers) },
    ],
    joints: [{ name: 'middle', type: 'ball', bones: ['left', 'right'], anchor: [(cells[0] * cell) / 2, 0, 0] }],
  };
}
