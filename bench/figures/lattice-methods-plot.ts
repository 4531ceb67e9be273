/** Draws lattice-methods.ts, and says it in a line. */
import type { LatticeMethods, MethodCurve } from './lattice-methods.js';
import { COLORS, type Figure, type Series } from './svg-plot.js';

const LABELS: Readonly<Record<string, string>> = {
  exact: 'as it is',
  fixed: 'with the definiteness fix',
  descent: 'descent over the Laplacian',
  warped: 'descent over warped stiffness',
  newton: 'Newton, fix, CG',
  fas: 'nonlinear cycle (FAS)',
};
const PALETTE = [COLORS.red, COLORS.orange, COLORS.green, COLORS.blue];

function lines(curves: readonly MethodCurve[], isLog: boolean): Series[] {
  return curves.map(({ name, x, y }, i) => ({
    x,
    y: isLog ? y.map((value) => Math.log10(value)) : y,
    color: PALETTE[i],
    label: LABELS[name] ?? name,
    markers: x.length < 10,
  }));
}

/** Four panels. */
export function plotLatticeMethods({ residuals, eigenvalues, hourglass, work }: LatticeMethods): Figure {
  return {
    description:
      "The paper's methods and ours: residual per cycle, least eigenvalue of a squeezed bar, hourglass modes, gradient against work.",
    panels: [
      {
        title: '(a) linear systems',
        x: { label: 'cycles, or iterations of CG', range: [0, 11] },
        y: { label: 'log10 of the residual', range: [-6, 0.5] },
        series: lines(residuals, true),
        legend: 'bottomLeft',
      },
      {
        title: '(b) squeezed bar, backward Euler',
        x: { label: 'cells through its thickness', range: [2, 6] },
        y: { label: 'least over largest eigenvalue', range: [-0.06, 0.12] },
        series: lines(eigenvalues, false),
      },
      {
        title: '(c) cube pulled at its corners',
        x: { label: 'log10 of the stabilisation', range: [-3, 0] },
        y: { label: 'hourglass modes over gradients', range: [0, 0.6] },
        series: [{ x: hourglass.x, y: hourglass.y, color: COLORS.red, markers: true }],
        legend: 'none',
      },
      {
        title: '(d) bar stretched to 2.4 times',
        x: { label: 'work, ns per cell', range: [0, 3000] },
        y: { label: 'log10 of the gradient', range: [-8, 1] },
        series: lines(work, true),
      },
    ],
  };
}

/** One line for the terminal. */
export function describeLatticeMethods({ residuals, eigenvalues, hourglass, work }: LatticeMethods): string {
  const rates = residuals.map(({ name, y }) => `${name} ${((y[10] / y[4]) ** (1 / 6)).toFixed(2)}`);
  const least = eigenvalues.map(({ name, y }) => `${LABELS[name]} ${y.map((value) => value.toFixed(3)).join(' ')}`);
  const enough = work.map(({ name, x, y }) => {
    const at = y.findIndex((value) => value < 1e-4);
    return `${LABELS[name]} ${at < 0 ? 'never' : Math.round(x[at])}`;
  });
  return (
    `left per cycle or iteration: ${rates.join(', ')}; least eigenvalue: ${least.join(', ')}; ` +
    `hourglass ${hourglass.y.map((value) => value.toFixed(3)).join(' ')}; ns per cell to 1e-4: ${enough.join(', ')}`
  );
}
