/**
 * The paper's methods and ours [McAdams2011, Figures 3, 4 and 7]: residuals per cycle and per iteration of conjugate gradients, the least
 * eigenvalue of a squeezed bar's matrix, hourglass modes, and what is left of a gradient against work. Work is counted, not timed.
 */
import { multiplySparse, type SparseMatrix } from '../../src/linalg/sparse.js';
import { createRandom } from '../../src/math/random.js';
import { boxLattice, nodePositions } from '../../src/mesh/hexes/hex-lattice.js';
import { FasCycle } from '../../src/solvers/lattice/compare/fas-cycle.js';
import { NewtonSolver } from '../../src/solvers/lattice/compare/newton.js';
import { PaperCycle } from '../../src/solvers/lattice/compare/paper-cycle.js';
import { assembleStiffness, type StiffnessKind } from '../../src/solvers/lattice/compare/stiffness.js';
import { WarpedCycle } from '../../src/solvers/lattice/compare/warped-cycle.js';
import { Descent } from '../../src/solvers/lattice/descent.js';
import type { LatticeBody } from '../../src/solvers/lattice/lattice-body.js';
import { DoubleArithmetic } from '../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../src/solvers/lattice/numbers/quad-layout.js';
import { clamped, relative, stretched } from './lattice-cycles.js';

/** One curve of the figure. */
export interface MethodCurve {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** All panels. */
export interface LatticeMethods {
  readonly residuals: readonly MethodCurve[];
  readonly eigenvalues: readonly MethodCurve[];
  readonly hourglass: MethodCurve;
  readonly work: readonly MethodCurve[];
}

/** What our kernels take per cell on one thread: energy, stiffness times a vector, a cycle of the Laplacian, an operation on vectors [ns]. */
const COST = { state: 26, product: 14, cycle: 32, vector: 0.6 };
const CYCLES = 12;

/** Measures all of it. */
export function measureLatticeMethods(): LatticeMethods {
  return {
    residuals: [
      residualsOf('V-cycle, 8 cells', runCycles(clamped(8, 8), 2)),
      residualsOf('V-cycle, 12 cells', runCycles(clamped(12, 12), 2)),
      residualsOf('CG, 8 cells', runGradients(clamped(8, 8))),
      residualsOf('CG, 12 cells', runGradients(clamped(12, 12))),
    ],
    eigenvalues: (['exact', 'fixed'] as const).map((kind) => leastEigenvalues(kind)),
    hourglass: measureHourglass(),
    work: measureWork(),
  };
}

function residualsOf(name: string, left: readonly number[]): MethodCurve {
  return { name, x: left.map((_, n) => n), y: relative(left) };
}

/** An error of all frequencies, zero where nodes are held. */
function anyError({ lattice, filling }: LatticeBody): Float64Array {
  const random = createRandom(1);
  return Float64Array.from({ length: lattice.nodes.length }, (_, i) =>
    filling.held[Math.floor(i / 3)] ? 0 : random.range(-1, 1),
  );
}

function runCycles(body: LatticeBody, levels: number): number[] {
  const cycle = new PaperCycle(body, levels);
  const x = anyError(body);
  const b = new Float64Array(x.length);
  return Array.from({ length: CYCLES }, () => cycle.run(b, x, 5));
}

/** The largest residual before each iteration of plain conjugate gradients. */
function runGradients(body: LatticeBody): number[] {
  const matrix = assembleStiffness(body, nodePositions(body.lattice), 'warped');
  const x = anyError(body);
  const r = new Float64Array(x.length);
  multiplySparse(matrix, x, r);
  const most: number[] = [];
  solveGradients(matrix, r, CYCLES - 1, 0, (left) => most.push(largest(left)));
  return [largest(r), ...most];
}

/** d = about K⁻¹ b by conjugate gradients; `visit`: the residual after each iteration. */
function solveGradients(
  matrix: SparseMatrix,
  b: Float64Array,
  most: number,
  enough: number,
  visit: (r: Float64Array) => void,
): Float64Array {
  const [d, r, p, q] = [new Float64Array(b.length), b.slice(), b.slice(), new Float64Array(b.length)];
  let rr = dot(r, r);
  const end = enough * enough * rr;
  for (let n = 0; n < most && rr > end; n++) {
    multiplySparse(matrix, p, q);
    const alpha = rr / dot(p, q);
    for (let i = 0; i < d.length; i++) {
      d[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    visit(r);
    const next = dot(r, r);
    for (let i = 0; i < d.length; i++) p[i] = r[i] + (next / rr) * p[i];
    rr = next;
  }
  return d;
}

/** Least over largest eigenvalue of M + dt² K for bars squeezed to half of their length, by cells through their thickness. */
function leastEigenvalues(kind: StiffnessKind): MethodCurve {
  const sizes = [2, 3, 4, 5, 6];
  const y = sizes.map((n) => {
    const body = clamped(2 * n, n);
    const x = nodePositions(body.lattice).map((value, i) => (i % 3 === 0 ? 0.5 * value : value));
    const matrix = assembleStiffness(body, x, kind);
    // a bar of density 1 and Young's modulus 1, a step of 1: nodal masses shrink with the cells
    const mass = 1 / (n * n * n);
    const high = power(matrix, mass, 0, body);
    return (high - power(matrix, mass, high, body)) / high;
  });
  return { name: kind, x: sizes, y };
}

/** Largest eigenvalue of M + K, or of `shift` less it, by power iterations over the free nodes. */
function power(matrix: SparseMatrix, mass: number, shift: number, body: LatticeBody): number {
  let x: Float64Array = anyError(body);
  let y: Float64Array = new Float64Array(x.length);
  let value = 0;
  for (let pass = 0; pass < 400; pass++) {
    multiplySparse(matrix, x, y);
    for (let i = 0; i < x.length; i++) {
      const own = y[i] + mass * x[i];
      const moved = shift > 0 ? shift * x[i] - own : own;
      y[i] = body.filling.held[Math.floor(i / 3)] ? 0 : moved;
    }
    value = Math.sqrt(dot(y, y) / dot(x, x));
    const scale = 1 / Math.sqrt(dot(y, y));
    for (let i = 0; i < y.length; i++) y[i] *= scale;
    [x, y] = [y, x];
  }
  return value;
}

/** Share of the hourglass modes in how cells of a cube pulled at four of its corners move, by stabilisation. */
function measureHourglass(): MethodCurve {
  const shares = [0.001, 0.01, 0.1, 0.25, 1];
  return { name: 'hourglass', x: shares.map(Math.log10), y: shares.map((kappa) => hourglassShare(kappa)) };
}

function hourglassShare(kappa: number): number {
  const n = 8;
  const lattice = boxLattice(n, n, n, 1 / n);
  const isCorner = (node: number): boolean => [0, 1, 2].every((k) => lattice.nodes[3 * node + k] % n === 0);
  const held = Uint8Array.from({ length: lattice.nodes.length / 3 }, (_, node) => (isCorner(node) ? 1 : 0));
  const body = clamped(n, n, { held, kappa });
  const { x } = descend(body, (X) => X.map((value, k) => (k < 2 ? 1.5 * value : value)), 200);
  let [modes, gradients] = [0, 0];
  for (let cell = 0; cell < n * n * n; cell++) {
    for (let k = 0; k < 3; k++) {
      for (let s = 1; s < 8; s++) {
        let sum = 0;
        for (let c = 0; c < 8; c++) sum += signOf(s, c) * x[3 * lattice.corners[8 * cell + c] + k];
        if (s === 1 || s === 2 || s === 4) gradients += sum * sum;
        else modes += sum * sum;
      }
    }
  }
  return Math.sqrt(modes / gradients);
}

function signOf(s: number, corner: number): number {
  let sign = 1;
  for (let bit = 1; bit < 8; bit *= 2) if (s & bit && !(corner & bit)) sign = -sign;
  return sign;
}

/** Goes downhill in f64; where the nodes end, and the gradient's length before each iteration. */
function descend(body: LatticeBody, place: (X: number[]) => number[], iterations: number, warped?: WarpedCycle) {
  const arithmetic = new DoubleArithmetic(body);
  const descent = warped ? new Descent(arithmetic, body, warped, 5) : new Descent(arithmetic, body);
  const [x, gradient] = [arithmetic.vector(), arithmetic.vector()];
  const rest = nodePositions(body.lattice);
  body.layout.placeOfNode.forEach((at, node) => {
    const to = place([...rest.subarray(3 * node, 3 * node + 3)]);
    for (let k = 0; k < 3; k++) x.view[floatOfPlace(at, k)] = to[k];
  });
  const lengths: number[] = [];
  const refresh = (): boolean => {
    descent.evaluate(x, gradient);
    lengths.push(Math.sqrt(arithmetic.dot(gradient, gradient)));
    warped?.refresh(x);
    return false;
  };
  descent.run(x, { maxIterations: iterations, tolerance: 0, refresh });
  const end = new Float64Array(rest.length);
  body.layout.placeOfNode.forEach((at, node) => {
    for (let k = 0; k < 3; k++) end[3 * node + k] = x.view[floatOfPlace(at, k)];
  });
  return { x: end, lengths };
}

/** Gradients of the descent over the Laplacian, and over the warped stiffness, on a bar stretched to 2.4 times its length. */
export function compareFirstMatrices(bar: LatticeBody, iterations: number): { laplacian: number[]; warped: number[] } {
  const start = stretched(bar);
  const [laplacian, warped] = [undefined, new WarpedCycle(bar)].map((first) => {
    let node = 0;
    return descend(bar, () => [...start.subarray(3 * node, 3 * ++node)], iterations, first).lengths;
  });
  return { laplacian, warped };
}

/** A bar stretched to 2.4 times its length, shaken: the gradient against counted work [ns per cell]. */
function measureWork(): MethodCurve[] {
  const bar = clamped(8, 4);
  const start = stretched(bar);
  const { laplacian, warped } = compareFirstMatrices(bar, 24);
  const pairs = COST.state + COST.cycle + 18 * COST.vector;
  // two sweeps down and up, and what is left between: five products on every level
  const cycle = COST.state + (5 * (COST.product + 2 * COST.vector) * 8) / 7 + 26 * COST.vector;
  return [
    { name: 'descent', x: laplacian.map((_, n) => n * pairs), y: relative(laplacian) },
    { name: 'warped', x: warped.map((_, n) => n * cycle), y: relative(warped) },
    newtonWork(bar, start.slice()),
    fasWork(bar, start.slice()),
  ];
}

/** Newton's method with the definiteness fix, each step by conjugate gradients to a tenth. */
function newtonWork(bar: LatticeBody, x: Float64Array): MethodCurve {
  const solver = new NewtonSolver(bar);
  const g = new Float64Array(x.length);
  const lengths: number[] = [];
  const works: number[] = [];
  let work = 0;
  for (let step = 0; step < 12; step++) {
    lengths.push(solver.gradient(x, g));
    works.push(work);
    const d = solveGradients(assembleStiffness(bar, x, 'fixed'), g, 200, 0.1, () => {
      work += COST.product + 5 * COST.vector;
    });
    work += COST.state;
    for (let i = 0; i < x.length; i++) x[i] -= d[i];
  }
  return { name: 'newton', x: works, y: relative(lengths) };
}

/** The nonlinear cycle: a gradient for each sweep, on all levels. */
function fasWork(bar: LatticeBody, x: Float64Array): MethodCurve {
  const cycle = new FasCycle(bar, 2);
  const sweeps = 5;
  const lengths = Array.from({ length: 8 }, () => cycle.run(x, sweeps));
  const work = ((2 * sweeps + 1) * (COST.state + COST.vector) * 8) / 7;
  return { name: 'fas', x: lengths.map((_, n) => n * work), y: relative(lengths) };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function largest(a: Float64Array): number {
  return a.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
