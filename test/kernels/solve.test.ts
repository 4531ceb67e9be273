/**
 * The triangular solves in f32 (SolvePlan and its kernels) against the f64 solves of linalg/cholesky-solve.ts with the
 * same factor.
 *
 * Tolerance: the standard bound for substitution (N. Higham, Accuracy and Stability, §8.2), evaluated per entry. Each row
 * of a computed solution solves a system whose entries are off by g, so
 *
 *     |dy| <= M^-1 g |L| |y|,   |dx| <= M^-T (|dy| + g |L^T| |x|),   M = L with -|l| off the diagonal.
 *
 * g is 8 u with u = 2^-24: one u for rounding L itself, one for the product and the division each, and sums whose errors
 * do not all point the same way (g would be as many u as a row has entries if they did). Measured: at most 0.45 of this,
 * for dense systems.
 */
import { describe, expect, it } from 'vitest';
import { type CholeskyFactor, schurComplement } from '../../src/linalg/cholesky.js';
import { solveBackward, solveForward } from '../../src/linalg/cholesky-solve.js';
import { type SparseMatrix, sparseFromTriplets } from '../../src/linalg/sparse.js';
import { createRandom } from '../../src/math/random.js';
import { makeSolveRig, randomSpd, type SolveRig, type SolveRigOptions } from '../support/solve-rig.js';
import { bodyLattice, latticeMatrix } from '../unit/linalg/body-lattice.js';

const G = 8 * 2 ** -24;

/** The factor with -|l| off the diagonal. */
function comparison(factor: CholeskyFactor): CholeskyFactor {
  const values = factor.values.map((value) => -Math.abs(value));
  const { lastStart, columnStart, rowStart, valueStart } = factor.structure;
  for (let s = 0; s < lastStart; s++) {
    const width = columnStart[s + 1] - columnStart[s];
    const lead = width + rowStart[s + 1] - rowStart[s];
    for (let j = 0; j < width; j++) values[valueStart[s] + j * (lead + 1)] *= -1;
  }
  return { ...factor, values };
}

/** out += g |L| |x|, or g |L^T| |x|, over the solved supernodes; rows of four. */
function addProduct(out: Float64Array, factor: CholeskyFactor, x: Float64Array, transposed: boolean): void {
  const { lastStart, columnStart, rowStart, rows, valueStart } = factor.structure;
  for (let s = 0; s < lastStart; s++) {
    const first = columnStart[s];
    const width = columnStart[s + 1] - first;
    const lead = width + rowStart[s + 1] - rowStart[s];
    for (let j = 0; j < width; j++) {
      for (let i = j; i < lead; i++) {
        const row = i < width ? first + i : rows[rowStart[s] + i - width];
        const [to, from] = transposed ? [first + j, row] : [row, first + j];
        const value = G * Math.abs(factor.values[valueStart[s] + j * lead + i]);
        for (let r = 0; r < 3; r++) out[4 * to + r] += value * Math.abs(x[4 * from + r]);
      }
    }
  }
}

/** Solves the dense symmetric positive definite system `a` for three right-hand sides in rows of four, in place. */
function solveDense(a: Float64Array, size: number, x: { [k: number]: number }, offset: number): void {
  const l = a.slice();
  for (let j = 0; j < size; j++) {
    for (let k = 0; k < j; k++) for (let i = j; i < size; i++) l[i * size + j] -= l[i * size + k] * l[j * size + k];
    const pivot = Math.sqrt(l[j * size + j]);
    for (let i = j; i < size; i++) l[i * size + j] /= pivot;
  }
  for (let r = 0; r < 3; r++) {
    const at = (i: number) => offset + 4 * i + r;
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < i; k++) x[at(i)] -= l[i * size + k] * x[at(k)];
      x[at(i)] /= l[i * size + i];
    }
    for (let i = size - 1; i >= 0; i--) {
      for (let k = i + 1; k < size; k++) x[at(i)] -= l[k * size + i] * x[at(k)];
      x[at(i)] /= l[i * size + i];
    }
  }
}

function fillRightHandSide(y: Float32Array, size: number, seed: number): void {
  const random = createRandom(seed);
  for (let at = 0; at < 4 * size; at++) y[at] = at % 4 === 3 ? 0 : random.range(-1, 1);
}

/** Forward, last block, backward, in place. */
function solveRows(rig: SolveRig): void {
  const { structure } = rig.factor;
  rig.plan.forward();
  const last = structure.size - structure.lastColumn;
  if (last > 0) solveDense(schurComplement(rig.factor), last, rig.y, 4 * structure.lastColumn);
  rig.plan.backward();
}

/** Solves in both precisions; returns the largest error in parts of its bound, for the forward sweep and for all. */
function measure(rig: SolveRig, seed: number): { forward: number; whole: number; relative: number } {
  const { factor, y } = rig;
  const { structure } = factor;
  const { size, lastColumn } = structure;
  const last = size - lastColumn;
  fillRightHandSide(y, size, seed);
  const x = Float64Array.from(y.subarray(0, 4 * size));
  const absolute = comparison(factor);

  rig.plan.forward();
  solveForward(factor, x, 4);
  const bound = new Float64Array(4 * size);
  addProduct(bound, factor, x, false);
  for (let at = 0; at < 4 * size; at++) bound[at] += G * Math.abs(x[at]);
  solveForward(absolute, bound, 4);
  let forward = 0;
  for (let at = 0; at < 4 * size; at++) {
    if (at % 4 !== 3) forward = Math.max(forward, Math.abs(y[at] - x[at]) / bound[at]);
  }

  if (last > 0) {
    // The bones are solved in f64 elsewhere: both continue from the same numbers, so their error starts at zero.
    solveDense(schurComplement(factor), last, x, 4 * lastColumn);
    for (let at = 4 * lastColumn; at < 4 * size; at++) {
      y[at] = x[at];
      x[at] = y[at];
      bound[at] = 0;
    }
  }
  rig.plan.backward();
  solveBackward(factor, x, 4);
  addProduct(bound, factor, x, true);
  solveBackward(absolute, bound, 4);
  let whole = 0;
  let error = 0;
  let largest = 0;
  for (let at = 0; at < 4 * lastColumn; at++) {
    if (at % 4 === 3) continue;
    whole = Math.max(whole, Math.abs(y[at] - x[at]) / bound[at]);
    error = Math.max(error, Math.abs(y[at] - x[at]));
    largest = Math.max(largest, Math.abs(x[at]));
  }
  return { forward, whole, relative: largest > 0 ? error / largest : 0 };
}

async function expectRight(name: string, matrix: SparseMatrix, options: SolveRigOptions = {}): Promise<SolveRig> {
  const rig = await makeSolveRig(matrix, options);
  for (let seed = 1; seed <= 3; seed++) {
    const worst = measure(rig, seed);
    if (process.env.TENDON_REPORT) console.log(name, JSON.stringify(worst));
    expect(worst.forward).toBeLessThanOrEqual(1);
    expect(worst.whole).toBeLessThanOrEqual(1);
    expectClean(rig);
  }
  return rig;
}

/** Spare row and copies are zero, and so is every pad. */
function expectClean(rig: SolveRig): void {
  const { size } = rig.factor.structure;
  expect(rig.y.subarray(4 * size).every((value) => value === 0)).toBe(true);
  for (let row = 0; row < size; row++) expect(rig.y[4 * row + 3]).toBe(0);
}

function widestSupernode(rig: SolveRig): number {
  const { columnStart, lastStart } = rig.factor.structure;
  let widest = 0;
  for (let s = 0; s < lastStart; s++) widest = Math.max(widest, columnStart[s + 1] - columnStart[s]);
  return widest;
}

const body = bodyLattice(0.08);
const bodyMatrix = latticeMatrix(body, 0.01);
const bodyLast = Int32Array.from({ length: 24 }, (_, k) => Math.floor((k * body.vertexCount) / 24));

describe('solve kernels', () => {
  it('solve 1 x 1 and diagonal systems', async () => {
    const one = await expectRight('1 x 1', sparseFromTriplets(1, [0], [0], [4]));
    one.y.set([2, 4, -8, 0]);
    solveRows(one);
    expect(Array.from(one.y.subarray(0, 3))).toEqual([0.5, 1, -2]);
    const ten = Array.from({ length: 10 }, (_, k) => k);
    await expectRight(
      'diagonal',
      sparseFromTriplets(
        10,
        ten,
        ten,
        ten.map((k) => 1 + k),
      ),
      { partCount: 4 },
    );
  });

  it.each([2, 3, 4, 5, 8, 9, 13, 16, 17, 31, 32, 33, 50, 100])('solve dense systems of %s unknowns', async (size) => {
    const rig = await expectRight(`dense ${size}`, randomSpd(size, 20 * size, size));
    // One supernode, cut into blocks of at most 16 columns.
    expect(widestSupernode(rig)).toBe(size);
  });

  it.each([
    [30, 3],
    [200, 4],
    [500, 3],
    [500, 10],
    [1000, 2],
  ])('solve random systems of %s unknowns, %s entries a row', async (size, degree) => {
    for (const partCount of [1, 2, 4]) {
      await expectRight(`random ${size} ${degree} ${partCount}`, randomSpd(size, degree, size + degree), { partCount });
    }
  });

  it.each([1, 2, 4, 8])('solve the system of a tet mesh in %s parts', async (partCount) => {
    const rig = await expectRight(`body ${partCount}`, bodyMatrix, { partCount });
    expect(widestSupernode(rig)).toBeGreaterThan(16);
  });

  it.each([1, 2, 4])('leave the forced-last block alone, %s parts', async (partCount) => {
    const rig = await expectRight(`body, last block, ${partCount}`, bodyMatrix, { partCount, last: bodyLast });
    const { size, lastColumn } = rig.factor.structure;
    expect(size - lastColumn).toBe(24);
    fillRightHandSide(rig.y, size, 9);
    rig.plan.forward();
    const before = rig.y.slice(4 * lastColumn, 4 * size);
    rig.plan.backward();
    expect(rig.y.subarray(4 * lastColumn, 4 * size)).toEqual(before);
  });

  it('solve when every unknown, or all but one, is in the last block', async () => {
    const matrix = randomSpd(6, 30, 5);
    for (const last of [
      [5, 4, 3, 2, 1, 0],
      [0, 1, 2, 3, 4],
    ]) {
      await expectRight('nearly all last', matrix, { last, partCount: 2 });
    }
  });

  it.each([2, 4])('give the same bits in whatever order the %s parts run', async (partCount) => {
    for (const last of [undefined, bodyLast]) {
      const solutions: Uint32Array[] = [];
      const orders = [
        (parts: number) => Array.from({ length: parts }, (_, p) => p),
        (parts: number) => Array.from({ length: parts }, (_, p) => parts - 1 - p),
        (parts: number) => Array.from({ length: parts }, (_, p) => (p + Math.floor(parts / 2)) % parts),
      ];
      for (const order of orders) {
        const rig = await makeSolveRig(bodyMatrix, { partCount, last, order });
        expect(rig.factor.structure.partStart[partCount]).toBeGreaterThan(partCount);
        fillRightHandSide(rig.y, rig.factor.structure.size, 11);
        solveRows(rig);
        solutions.push(new Uint32Array(rig.y.slice().buffer));
      }
      expect(solutions[1]).toEqual(solutions[0]);
      expect(solutions[2]).toEqual(solutions[0]);
    }
  });

  it('give the same bits again, whatever was left in the spare row', async () => {
    const rig = await makeSolveRig(bodyMatrix, { partCount: 4 });
    const { size } = rig.factor.structure;
    fillRightHandSide(rig.y, size, 12);
    solveRows(rig);
    const first = rig.y.slice(0, 4 * size);
    for (const rubbish of [1e30, -3, Number.NaN, Number.POSITIVE_INFINITY]) {
      fillRightHandSide(rig.y, size, 12);
      rig.y.fill(rubbish, 4 * size, 4 * size + 4);
      solveRows(rig);
      expect(rig.y.subarray(0, 4 * size)).toEqual(first);
    }
    // Between the sweeps only finite rubbish can be there.
    fillRightHandSide(rig.y, size, 12);
    rig.plan.forward();
    rig.y.fill(1e30, 4 * size, 4 * size + 4);
    rig.plan.backward();
    expect(rig.y.subarray(0, 4 * size)).toEqual(first);
  });

  it('solve good right-hand sides exactly as before after one that was not finite', async () => {
    const rig = await makeSolveRig(bodyMatrix, { partCount: 4 });
    const { size } = rig.factor.structure;
    fillRightHandSide(rig.y, size, 13);
    solveRows(rig);
    const first = rig.y.slice(0, 4 * size);
    fillRightHandSide(rig.y, size, 13);
    rig.y[400] = Number.NaN;
    rig.y[801] = Number.POSITIVE_INFINITY;
    solveRows(rig);
    expect(rig.y.subarray(0, 4 * size).some(Number.isNaN)).toBe(true);
    fillRightHandSide(rig.y, size, 13);
    solveRows(rig);
    expect(rig.y.subarray(0, 4 * size)).toEqual(first);
  });

  it('keep the three right-hand sides apart', async () => {
    const rig = await makeSolveRig(bodyMatrix, { partCount: 2 });
    const { size } = rig.factor.structure;
    fillRightHandSide(rig.y, size, 14);
    solveRows(rig);
    const all = rig.y.slice(0, 4 * size);
    for (let component = 0; component < 3; component++) {
      fillRightHandSide(rig.y, size, 14);
      for (let at = 0; at < 4 * size; at++) if (at % 4 !== component) rig.y[at] = 0;
      solveRows(rig);
      for (let at = 0; at < 4 * size; at++) expect(rig.y[at]).toBe(at % 4 === component ? all[at] : 0);
    }
  });

  // Padding lanes leave 0 * NaN in the spare row, and the padding of every other block reads it: both sweeps clear it.
  it('do not carry a right-hand side that is not finite into an unconnected system', async () => {
    const single = randomSpd(150, 4, 15);
    const twice = blockDiagonal(single, single);
    const rig = await makeSolveRig(twice, { partCount: 2 });
    const { inverse, size } = rig.factor.structure;
    fillRightHandSide(rig.y, size, 16);
    rig.y[4 * inverse[3]] = Number.NaN;
    solveRows(rig);
    for (let old = 150; old < 300; old++) expect(Number.isFinite(rig.y[4 * inverse[old]])).toBe(true);
    expect(Number.isNaN(rig.y[4 * inverse[3]])).toBe(true);
  });
});

function blockDiagonal(a: SparseMatrix, b: SparseMatrix): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  for (const [matrix, offset] of [
    [a, 0],
    [b, a.size],
  ] as const) {
    for (let i = 0; i < matrix.size; i++) {
      for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
        rows.push(i + offset);
        columns.push(matrix.columns[k] + offset);
      }
    }
  }
  return sparseFromTriplets(a.size + b.size, rows, columns, [...a.values, ...b.values]);
}
