/**
 * The lattice solver beside the paper's own methods [McAdams2011, Figures 2 and 7]: what a linear V-cycle with damped Jacobi leaves of the
 * residual, and how fast Newton's method, with the definiteness fix, Zhu's and warped stiffness, and our descent find equilibrium.
 */
import { createRandom } from '../../src/math/random.js';
import { boxLattice, nodePositions } from '../../src/mesh/hexes/hex-lattice.js';
import { NewtonSolver } from '../../src/solvers/lattice/compare/newton.js';
import { PaperCycle } from '../../src/solvers/lattice/compare/paper-cycle.js';
import { Descent } from '../../src/solvers/lattice/descent.js';
import { buildLatticeBody, type LatticeBody, type LatticeFilling } from '../../src/solvers/lattice/lattice-body.js';
import { DoubleArithmetic } from '../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../src/solvers/lattice/numbers/quad-layout.js';
import { COLORS, type Figure } from './svg-plot.js';

/** Something that shrinks step by step, relative to its start. */
export interface ShrinkCurve {
  readonly name: string;
  readonly left: readonly number[];
}

/** Both plots. */
export interface LatticeCycles {
  readonly cycles: readonly ShrinkCurve[];
  readonly steps: readonly ShrinkCurve[];
}

const NU = 0.3;
const CYCLES = 14;
const STEPS = 40;
/** Below this everything is rounding. */
const FLOOR = 1e-10;

/** Clamped cubes and a bar, E = 1, the paper's stabilisation. */
export function measureLatticeCycles(): LatticeCycles {
  const cube = clamped(8, 8);
  const cycles = [2, 5, 10].map((sweeps) => ({ name: `${sweeps} sweeps`, left: runCycles(cube, sweeps) }));
  const bar = clamped(8, 4);
  const steps: ShrinkCurve[] = (['fixed', 'zhu', 'warped'] as const).map((kind) => {
    const x = stretched(bar);
    return { name: kind, left: relative(new NewtonSolver(bar).run(x, kind, 1e-13, STEPS)) };
  });
  return { cycles, steps: [...steps, { name: 'descent', left: runDescent(bar) }] };
}

/** A box of nx x n x n cells, E = 1, its x faces held unless told otherwise. */
export function clamped(nx: number, n: number, other: Partial<LatticeFilling> = {}): LatticeBody {
  const lattice = boxLattice(nx, n, n, 1 / n);
  const cells = lattice.cells.length / 3;
  const held = Uint8Array.from({ length: lattice.nodes.length / 3 }, (_, node) =>
    lattice.nodes[3 * node] % nx === 0 ? 1 : 0,
  );
  const mu = new Float64Array(cells).fill(1 / (2 * (1 + NU)));
  const lambda = new Float64Array(cells).fill(NU / ((1 + NU) * (1 - 2 * NU)));
  return buildLatticeBody(lattice, { mu, lambda, held, kappa: 1, volume: 'trace', ...other });
}

/** Rest places, x stretched to 2.4 times, free nodes shaken: a start without symmetry, which hides slow directions. */
export function stretched({ lattice, filling }: LatticeBody): Float64Array {
  const random = createRandom(2);
  return nodePositions(lattice).map((value, i) => {
    const shake = filling.held[Math.floor(i / 3)] ? 0 : random.range(-0.02, 0.02);
    return (i % 3 === 0 ? 2.4 * value : value) + shake;
  });
}

function runCycles(body: LatticeBody, sweeps: number): number[] {
  const cycle = new PaperCycle(body, 2);
  const random = createRandom(1);
  const x = Float64Array.from({ length: body.lattice.nodes.length }, (_, i) =>
    body.filling.held[Math.floor(i / 3)] ? 0 : random.range(-1, 1),
  );
  const b = new Float64Array(x.length);
  return relative(Array.from({ length: CYCLES }, () => cycle.run(b, x, sweeps)));
}

/** Length of the gradient before each iteration. */
function runDescent(body: LatticeBody): number[] {
  const arithmetic = new DoubleArithmetic(body);
  const descent = new Descent(arithmetic, body);
  const [x, gradient] = [arithmetic.vector(), arithmetic.vector()];
  const start = stretched(body);
  body.layout.placeOfNode.forEach((place, node) => {
    for (let k = 0; k < 3; k++) x.view[floatOfPlace(place, k)] = start[3 * node + k];
  });
  const lengths: number[] = [];
  const measure = (): boolean => {
    descent.evaluate(x, gradient);
    lengths.push(Math.sqrt(arithmetic.dot(gradient, gradient)));
    return false;
  };
  descent.run(x, { maxIterations: STEPS, tolerance: 0, refresh: measure });
  return relative(lengths);
}

/** Relative to the first, and not below what is rounding. */
export function relative(values: readonly number[]): number[] {
  return values.map((value) => Math.max(FLOOR, value / values[0]));
}

/** Draws it. */
export function plotLatticeCycles({ cycles, steps }: LatticeCycles): Figure {
  const colors = [COLORS.red, COLORS.orange, COLORS.green, COLORS.blue];
  const labels: Readonly<Record<string, string>> = {
    fixed: 'Newton, definiteness fix',
    zhu: 'Newton, without the turning term',
    warped: 'Newton, warped stiffness',
    descent: 'descent over the Laplacian',
  };
  const series = (curves: readonly ShrinkCurve[]) =>
    curves.map(({ name, left }, i) => ({
      x: left.map((_, n) => n),
      y: left.map((value) => Math.log10(value)),
      color: colors[i],
      label: labels[name] ?? name,
    }));
  return {
    description: 'Residual per V-cycle of the paper, and gradient per step of its Newton methods and of our descent.',
    panels: [
      {
        title: '(a) linear V-cycle, damped Jacobi',
        x: { label: 'cycles', range: [0, CYCLES - 1] },
        y: { label: 'log10 of the residual', range: [-8, 0.5] },
        series: series(cycles),
      },
      {
        title: '(b) a bar stretched to 2.4 times its length',
        x: { label: 'steps', range: [0, STEPS] },
        y: { label: 'log10 of the gradient', range: [-10, 5] },
        series: series(steps),
      },
    ],
  };
}

/** One line for the terminal. */
export function describeLatticeCycles({ cycles, steps }: LatticeCycles): string {
  const rates = cycles.map(({ name, left }) => `${name} ${((left[13] / left[5]) ** (1 / 8)).toFixed(2)}`);
  const counts = steps.map(({ name, left }) => {
    const enough = left.findIndex((value) => value < 1e-6);
    return `${name} ${enough < 0 ? 'never' : enough}`;
  });
  return `left per cycle: ${rates.join(', ')}; steps to 1e-6: ${counts.join(', ')}`;
}
