/** The plot of `tendon bench contact`: time for contact, by number of contacts and by number of vertices. */
import type { ContactRow } from './contact-slab.js';
import { COLORS, type Figure } from './figures/svg-plot.js';

/** Draws a curve for each slab. */
export function plotContactCost(rows: readonly ContactRow[]): Figure {
  const slabs = [...new Set(rows.map(({ vertices }) => vertices))];
  const colors = [COLORS.blue, COLORS.green, COLORS.red];
  const series = slabs.map((vertices, i) => {
    const own = rows.filter((row) => row.vertices === vertices).sort((a, b) => a.contacts - b.contacts);
    return {
      label: `${vertices.toLocaleString('en')} vertices`,
      x: own.map(({ contacts }) => contacts),
      y: own.map(({ contactMs }) => contactMs.min),
      color: colors[i % colors.length],
      markers: true,
    };
  });
  const most = (of: (row: ContactRow) => number) => Math.max(...rows.map(of));
  return {
    description:
      'Milliseconds per step for contact against the number of contacts, for soft slabs of three thicknesses.',
    panels: [
      {
        title: 'finding and answering contacts',
        x: { label: 'contacts', range: [0, roundUp(most(({ contacts }) => contacts))] },
        y: { label: 'milliseconds per step', range: [0, roundUp(most(({ contactMs }) => contactMs.min))] },
        series,
        legend: 'topLeft',
      },
    ],
  };
}

/** The next number with one digit. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-3)));
  return Math.ceil(value / unit) * unit;
}
