/** The plot of `tendon bench truth`. */
import { COLORS, type Figure, type Series } from '../figures/svg-plot.js';
import type { TruthRow } from './truth.js';

/** Error against time, a curve for each scene, a dot for each number of iterations. */
export function plotTruth(rows: readonly TruthRow[], iterations: readonly number[]): Figure {
  const colors = [COLORS.black, COLORS.red, COLORS.blue, COLORS.orange, COLORS.green, COLORS.purple];
  const decades = (values: readonly number[]) =>
    [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))] as const;
  const series = [...new Set(rows.map(({ scene }) => scene))].map((scene, i): Series => {
    const own = rows.filter((row) => row.scene === scene);
    const [x, y] = [own.map(({ ms }) => ms), own.map(({ error }) => 100 * error)];
    return { label: scene, x, y, color: colors[i % colors.length], markers: true };
  });
  const x = { label: 'milliseconds per step', range: decades(rows.map(({ ms }) => ms)), scale: 'log' } as const;
  const y = { label: 'error [%]', range: decades(rows.map(({ error }) => 100 * error)), scale: 'log' } as const;
  const description = `Distance from the converged step against time, after ${iterations.join(', ')} iterations.`;
  return { description, panels: [{ title: `after ${iterations.join(', ')} iterations`, x, y, series }] };
}
