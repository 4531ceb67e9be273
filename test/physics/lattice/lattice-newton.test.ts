/**
 * The paper's own methods, for comparison: V20 (stiffness by central differences of the gradient), V31 (what the
 * definiteness fix must do), V32 (convergence of modified Newton methods, against values of an independent program), V33 (steps
 * of the fixed method), V34 (the rate of the paper's multigrid does not depend on the number of cells).
 */
import { describe, expect, it } from 'vitest';
import { compileKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { ThreadPool } from '../../../src/kernels/thread-pool.js';
import { createRandom } from '../../../src/math/random.js';
import { nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { KernelPaperCycle } from '../../../src/solvers/lattice/compare/kernel-paper-cycle.js';
import { modifiedNewtonRadius, NewtonSolver } from '../../../src/solvers/lattice/compare/newton.js';
import { type CoarseShare, PaperCycle } from '../../../src/solvers/lattice/compare/paper-cycle.js';
import { assembleStiffness, cellStiffness, turningStiffness } from '../../../src/solvers/lattice/compare/stiffness.js';
import type { LatticeBody } from '../../../src/solvers/lattice/lattice-body.js';
import { floatOfPlace } from '../../../src/solvers/lattice/numbers/quad-layout.js';
import { jacobiEigenvalues } from '../../support/checks/eigenvalues.js';
import { clampedBox, lame } from '../../support/models/lattice-cube.js';

/** A bar stretched along x, as an affine map of its rest shape. */
function stretched(body: ReturnType<typeof clampedBox>, s: number): Float64Array {
  return nodePositions(body.lattice).map((value, i) => (i % 3 === 0 ? s * value : value));
}

describe('stiffness of cells', () => {
  it('is the derivative of the gradient, and symmetric', () => {
    const body = clampedBox([2, 2, 2], { kappa: 0.25 });
    const newton = new NewtonSolver(body);
    const random = createRandom(11);
    const x = nodePositions(body.lattice).map((value) => value + random.range(-0.05, 0.05));
    const matrix = assembleStiffness(body, x, 'exact');
    const [above, below] = [new Float64Array(x.length), new Float64Array(x.length)];
    let most = 0;
    for (const value of matrix.values) most = Math.max(most, Math.abs(value));
    const entry = (i: number, j: number): number => {
      for (let n = matrix.rowStart[i]; n < matrix.rowStart[i + 1]; n++)
        if (matrix.columns[n] === j) return matrix.values[n];
      return 0;
    };
    for (let j = 0; j < x.length; j++) {
      if (body.filling.held[Math.floor(j / 3)]) continue;
      const value = x[j];
      x[j] = value + 1e-6;
      newton.gradient(x, above);
      x[j] = value - 1e-6;
      newton.gradient(x, below);
      x[j] = value;
      for (let i = 0; i < x.length; i++) {
        if (body.filling.held[Math.floor(i / 3)]) continue;
        expect(Math.abs((above[i] - below[i]) / 2e-6 - entry(i, j)) / most).toBeLessThan(1e-5);
        expect(Math.abs(entry(i, j) - entry(j, i)) / most).toBeLessThan(1e-12);
      }
    }
  });

  it('has the turning stiffness of a uniform squeeze, mu + (3 lambda (s - 1) - 2 mu) / 2 s with mu on top', () => {
    const { mu, lambda } = lame(0.3);
    const l = turningStiffness('exact', Float64Array.of(0.8, 0, 0, 0, 0.8, 0, 0, 0, 0.8), mu, lambda);
    expect(mu + l[0]).toBeCloseTo(-0.3125, 4);
    const fixed = turningStiffness('fixed', Float64Array.of(0.8, 0, 0, 0, 0.8, 0, 0, 0, 0.8), mu, lambda);
    expect(fixed[0]).toBeCloseTo(-mu, 12);
  });

  it('is never indefinite once fixed, for any state of a cell, inverted and flat ones included', () => {
    const random = createRandom(5);
    const { mu, lambda } = lame(0.3);
    for (let n = 0; n < 300; n++) {
      const size = n % 3 === 0 ? 0.1 : 1.5;
      const x = Float64Array.from(
        { length: 24 },
        (_, i) => ((i % 3 === 0 ? i / 3 : i % 3 === 1 ? i / 6 : i / 12) & 1) + random.range(-size, size),
      );
      const values = jacobiEigenvalues(cellStiffness('fixed', x, 1, 1, mu, lambda), 24);
      expect(Math.min(...values)).toBeGreaterThan(-1e-9 * Math.max(...values));
    }
  });
});

describe('modified Newton methods on a clamped bar stretched to 2.4', () => {
  it('converge, crawl and diverge as they should: fixed below 1e-4, Zhu 0.7465, warped 1.547', () => {
    const body = clampedBox([8, 4, 4]);
    const x = stretched(body, 2.4);
    const history = new NewtonSolver(body).run(x, 'fixed', 1e-12, 12);
    expect(history.length - 1).toBeLessThanOrEqual(6);
    expect(history[history.length - 1]).toBeLessThan(1e-12);
    expect(modifiedNewtonRadius(body, x, 'fixed', 30)).toBeLessThan(1e-4);
    expect(Math.abs(modifiedNewtonRadius(body, x, 'zhu') - 0.7465)).toBeLessThan(0.005);
    expect(Math.abs(modifiedNewtonRadius(body, x, 'warped') - 1.547)).toBeLessThan(0.005);
  });
});

describe("the paper's multigrid", () => {
  async function openCycle(body: LatticeBody, levels: number, share?: CoarseShare): Promise<KernelPaperCycle> {
    const plan = new MemoryPlan();
    const threads = new ThreadPool(plan);
    const cycle = new KernelPaperCycle(plan, body, levels, 0.5, share);
    cycle.start(threads.start(await compileKernels(false), plan.allocate({})), threads);
    return cycle;
  }

  /** Mean share of the largest residual that a cycle leaves, over cycles 4 to 12, and over the last six of 26: the solution is zero, so nothing is left to round. */
  async function rateOf(n: number, sweeps: number, share?: CoarseShare): Promise<[early: number, late: number]> {
    const body = clampedBox([n, n, n]);
    // four cells a side on the last level: a level of two is so much too stiff in bending that it slows the whole cycle down
    const cycle = await openCycle(body, Math.log2(n) - 1, share);
    const random = createRandom(1);
    body.layout.placeOfNode.forEach((place, node) => {
      if (body.filling.held[node]) return;
      for (let k = 0; k < 3; k++) cycle.finest.x.view[floatOfPlace(place, k)] = random.range(-1, 1);
    });
    const history: number[] = [];
    for (let pass = 0; pass < 26; pass++) history.push(cycle.run(sweeps));
    return [(history[12] / history[4]) ** (1 / 8), (history[25] / history[19]) ** (1 / 6)];
  }

  it('converges at a rate that does not depend on the number of cells, faster with more sweeps', async () => {
    // V34: at most 0.75 and a spread of at most 0.1; the paper reports 0.5 to 0.75
    const [two, five, late, matched]: number[][] = [[], [], [], []];
    for (const n of [8, 16, 32]) {
      two.push((await rateOf(n, 2))[0]);
      const [early, end] = await rateOf(n, 5);
      five.push(early);
      late.push(end);
      matched.push((await rateOf(n, 5, 'matched'))[1]);
    }
    const spread = (rates: readonly number[]): number => Math.max(...rates) - Math.min(...rates);
    expect(Math.max(...two, ...five, ...late)).toBeLessThan(0.75);
    expect(spread(two)).toBeLessThan(0.1);
    expect(spread(five)).toBeLessThan(0.1);
    // an independent program's, to 0.05 all six
    for (const [i, rate] of [0.61, 0.67, 0.66].entries()) expect(Math.abs(two[i] - rate)).toBeLessThan(0.05);
    for (const [i, rate] of [0.37, 0.42, 0.44].entries()) expect(Math.abs(five[i] - rate)).toBeLessThan(0.05);
    expect(five[2]).toBeLessThan(two[2]);
    // in the limit the printed levels, stabilised alike on all of them and each too stiff in bending, spread by more than is asked for; with the share of
    // the cells in them they do not, and are faster
    expect(spread(late)).toBeGreaterThan(0.1);
    expect(spread(matched)).toBeLessThan(0.1);
    expect(Math.max(...matched)).toBeLessThan(Math.max(...late) - 0.05);
  });

  it('is the same by the kernels, to f32', async () => {
    const body = clampedBox([8, 8, 8]);
    const fast = await openCycle(body, 2);
    const random = createRandom(3);
    const size = body.lattice.nodes.length;
    const b = Float64Array.from({ length: size }, (_, i) =>
      body.filling.held[Math.floor(i / 3)] ? 0 : Math.fround(random.range(-1, 1)),
    );
    const x = new Float64Array(size);
    new PaperCycle(body, 2).run(b, x, 5);
    const at = (i: number): number => floatOfPlace(body.layout.placeOfNode[Math.floor(i / 3)], i % 3);
    b.forEach((value, i) => {
      fast.finest.b.view[at(i)] = value;
    });
    fast.run(5);
    const most = x.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    x.forEach((value, i) => {
      expect(Math.abs(fast.finest.x.view[at(i)] - value)).toBeLessThan(2e-5 * most);
    });
  });
});
