/** The plot of `tendon bench contact`: time for contact by number of contacts, a curve for each slab. */

import { COLORS, type Figure, type Panel } from '../figures/svg-plot.js';
import { type ContactRow, LONGER, type SlabCells, THICKER } from './contact-slab.js';

const CURVES = [COLORS.blue, COLORS.green, COLORS.red];

/** Draws longer slabs on the left and thicker ones on the right. */
export function plotContactCost(rows: readonly ContactRow[]): Figure {
  const most = (of: (row: ContactRow) => number) => roundUp(Math.max(...rows.map(of)));
  const x = { label: 'contacts', range: [0, most(({ contacts }) => contacts)] } as const;
  // with room for the legend above the curves
  const y = { label: 'milliseconds per step', range: [0, most(({ contactMs }) => 1.4 * contactMs.min)] } as const;
  const panel = (title: string, slabs: readonly SlabCells[]): Panel => ({
    title,
    x,
    y,
    series: slabs.map((cells, i) => {
      const own = rows.filter((row) => String(row.cells) === String(cells)).sort((a, b) => a.contacts - b.contacts);
      return {
        label: `${cells.join(' × ')} cells, ${own[0]?.vertices.toLocaleString('en')} vertices`,
        x: own.map(({ contacts }) => contacts),
        y: own.map(({ contactMs }) => contactMs.min),
        color: CURVES[i % CURVES.length],
        markers: true,
      };
    }),
    legend: 'topLeft',
  });
  return {
    description: 'Milliseconds per step for contact against the number of contacts, for soft slabs of different sizes.',
    panels: [panel('(a) longer slabs', LONGER), panel('(b) thicker slabs', THICKER)],
  };
}

/** The next number with two digits. */
function roundUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(Math.max(value, 1e-3))) - 1);
  return Math.ceil(value / (5 * unit)) * 5 * unit;
}
