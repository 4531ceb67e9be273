/** What makes large systems affordable: cutting them in space, and dense sums over packed rows. */
import { describe, expect, it } from 'vitest';
import { factor } from '../../../src/linalg/cholesky.js';
import { solveOriginal } from '../../../src/linalg/cholesky-solve.js';
import { subtractOuterProduct } from '../../../src/linalg/dense-panel.js';
import { orderAmd } from '../../../src/linalg/order/amd.js';
import { orderByPlaces } from '../../../src/linalg/order/nested-dissection.js';
import { sparseFromTriplets } from '../../../src/linalg/sparse.js';
import { buildSupernodes } from '../../../src/linalg/supernodes.js';
import { maxDifference, randomNumbers } from './reference.js';

/** A cube of n³ unknowns, each with its 26 neighbours: the Laplacian plus one. */
function cube(n: number) {
  const places = new Float64Array(n * n * n * 3);
  const [rows, columns, values]: number[][] = [[], [], []];
  for (let i = 0; i < n * n * n; i++) {
    const at = [Math.floor(i / (n * n)), Math.floor(i / n) % n, i % n];
    places.set(at, i * 3);
    for (let d = 0; d < 27; d++) {
      const other = [at[0] + Math.floor(d / 9) - 1, at[1] + (Math.floor(d / 3) % 3) - 1, at[2] + (d % 3) - 1];
      if (other.some((x) => x < 0 || x >= n)) continue;
      rows.push(i);
      columns.push((other[0] * n + other[1]) * n + other[2]);
      values.push(d === 13 ? 27 : -1);
    }
  }
  return { places, matrix: sparseFromTriplets(n * n * n, rows, columns, values) };
}

describe('nested dissection', () => {
  const { places, matrix } = cube(18);

  it('orders every unknown once, with those that are forced last at the end', () => {
    const last = [17, 4000, 3];
    const order = orderByPlaces(matrix, places, last);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from(order, (_, i) => i));
    expect([...order.slice(-3)]).toEqual(last);
  });

  it('takes fewer operations than minimum degree for a solid cube, and solves as well', () => {
    const work = (order: Int32Array) => {
      const { count, columnStart, rowStart } = buildSupernodes(matrix, order, 0, 1);
      let sum = 0;
      for (let s = 0; s < count; s++) {
        const width = columnStart[s + 1] - columnStart[s];
        sum += width * (width + rowStart[s + 1] - rowStart[s]) ** 2;
      }
      return sum;
    };
    const order = orderByPlaces(matrix, places);
    expect(work(order)).toBeLessThan(work(orderAmd(matrix)));
    const x = Float64Array.from(places.subarray(0, matrix.size), (value, i) => value - (i % 7));
    const b = new Float64Array(matrix.size);
    for (let i = 0; i < matrix.size; i++) {
      for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) b[i] += matrix.values[k] * x[matrix.columns[k]];
    }
    const shares: number[] = [];
    const progress = (share: number) => shares.push(share);
    const made = factor(buildSupernodes(matrix, order, 0, 4), matrix, { progress });
    solveOriginal(made, b, b, new Float64Array(b.length));
    expect(maxDifference(b, x)).toBeLessThan(1e-11);
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual([...shares].sort((p, q) => p - q));
    expect(shares[shares.length - 1]).toBe(1);
  });
});

describe('sums over packed rows', () => {
  it.each([
    [24, 48, 1],
    [24, 50, 8],
    [37, 101, 33],
    [64, 75, 75],
    [23, 60, 9],
  ])('%i wide, %i rows, %i columns: bit for bit those of three plain loops', (width, rowCount, columnCount) => {
    const random = randomNumbers(width);
    const lead = rowCount + 3;
    const size = rowCount * 2;
    const index = Int32Array.from({ length: rowCount }, (_, i) => 2 * i + (i % 2));
    const values = Float64Array.from({ length: lead * width + size * size }, () => random() - 0.5);
    const expected = values.slice();
    const target = lead * width;
    for (let j = 0; j < columnCount; j++) {
      for (let i = j; i < rowCount; i++) {
        let sum = 0;
        for (let c = 0; c < width; c++) sum += expected[i + c * lead] * expected[j + c * lead];
        expected[target + index[j] * size + index[i]] -= sum;
      }
    }
    subtractOuterProduct(values, 0, lead, width, rowCount, columnCount, index, target, size);
    expect(values).toEqual(expected);
  });
});
