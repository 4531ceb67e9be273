/** `tendon bench figures`: measures what the figures of docs/figures.md show and writes them as SVG. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from '../../cli/files/write-file.js';
import { TendonError } from '../../src/index.js';
import { describeJointError, measureJointError, plotJointError } from './joint-error.js';
import { describeLatticeCycles, measureLatticeCycles, plotLatticeCycles } from './lattice-cycles.js';
import { measureLatticeMethods } from './lattice-methods.js';
import { describeLatticeMethods, plotLatticeMethods } from './lattice-methods-plot.js';
import { describeLocking, measureLocking, plotLocking } from './locking.js';
import { describeObjective, measureObjective, plotObjective } from './objective.js';
import { describePendulum, measurePendulum, plotPendulum } from './pendulum.js';
import { describePressedTube, measurePressedTube, plotPressedTube } from './pressed-tube.js';
import { describeSpin, measureSpin, plotSpin } from './spin.js';
import { drawFigure, type Figure } from './svg-plot.js';

/** A figure ready to be written. */
interface Result {
  readonly figure: Figure;
  readonly summary: string;
}

/** Measures with one function, draws with the second and sums up with the third. */
function entry<Data>(
  measure: () => Data | Promise<Data>,
  plot: (data: Data) => Figure,
  describe: (data: Data) => string,
): () => Promise<Result> {
  return async () => {
    const data = await measure();
    return { figure: plot(data), summary: describe(data) };
  };
}

/** File name without ending -> how it is made, in the order of docs/figures.md. */
export const FIGURES: ReadonlyMap<string, () => Promise<Result>> = new Map([
  ['exact-against-published', entry(measureObjective, plotObjective, describeObjective)],
  ['locking', entry(measureLocking, plotLocking, describeLocking)],
  ['joint-error', entry(measureJointError, plotJointError, describeJointError)],
  ['pendulum', entry(measurePendulum, plotPendulum, describePendulum)],
  ['spin', entry(measureSpin, plotSpin, describeSpin)],
  ['lattice-cycles', entry(measureLatticeCycles, plotLatticeCycles, describeLatticeCycles)],
  ['lattice-methods', entry(measureLatticeMethods, plotLatticeMethods, describeLatticeMethods)],
  ['pressed-tube', entry(measurePressedTube, plotPressedTube, describePressedTube)],
]);

/** Writes every figure to `out` and prints a line for each. The same on every machine: nothing here is timed. */
export async function benchFigures(options: { readonly out: string }): Promise<void> {
  try {
    mkdirSync(options.out, { recursive: true });
  } catch (cause) {
    throw new TendonError('E_FORMAT', options.out, String(cause), 'the folder cannot be made');
  }
  for (const [name, make] of FIGURES) {
    const { figure, summary } = await make();
    const file = join(options.out, `${name}.svg`);
    writeOutput(file, drawFigure(figure));
    console.log(`${file}: ${summary}`);
  }
}
