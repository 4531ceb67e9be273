/**
 * The constant matrix of a soft body, M + scale S, and its inverse as a dense table. Vertices that are held have no part in it: they go
 * where they are taken.
 */

import type { Sheet } from '../../../body/kinds/sheet.js';
import { analyse, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import type { SoftElements } from './soft-model.js';

/** table = the inverse of M + scale S over the vertices that are not held, by rows, and nothing elsewhere. */
export function fillInverse(elements: SoftElements, held: Uint8Array, scale: number, table: Float64Array): void {
  const size = elements.vertexCount;
  const unknown = new Int32Array(size).fill(-1);
  let count = 0;
  for (let v = 0; v < size; v++) if (held[v] === 0) unknown[v] = count++;
  table.fill(0);
  if (count === 0) return;
  const structure = assemble(elements, unknown, count, scale);
  const cholesky = factor(analyse(structure), structure);
  const column = new Float64Array(count);
  const scratch = new Float64Array(count);
  for (let v = 0; v < size; v++) {
    if (unknown[v] < 0) continue;
    column.fill(0);
    column[unknown[v]] = 1;
    solveOriginal(cholesky, column, column, scratch);
    for (let u = 0; u < size; u++) if (unknown[u] >= 0) table[v * size + u] = column[unknown[u]];
  }
  // a table of pushes and answers is symmetric to the last bit, or momentum would leak
  for (let v = 0; v < size; v++) {
    for (let u = 0; u < v; u++) {
      const mean = 0.5 * (table[v * size + u] + table[u * size + v]);
      table[v * size + u] = mean;
      table[u * size + v] = mean;
    }
  }
}

/** M + scale S over the vertices that have a number in `unknown`, which are `count`. */
export function assemble(elements: SoftElements, unknown: Int32Array, count: number, scale: number): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let v = 0; v < elements.vertexCount; v++) {
    if (unknown[v] < 0) continue;
    rows.push(unknown[v]);
    columns.push(unknown[v]);
    values.push(elements.masses[v]);
  }
  const add = (i: number, j: number, value: number) => {
    if (unknown[i] < 0 || unknown[j] < 0) return;
    rows.push(unknown[i]);
    columns.push(unknown[j]);
    values.push(value);
  };
  if (elements.sheet) assembleSheet(elements.sheet, scale, add);
  const g = new Float64Array(12);
  for (let t = 0; t < elements.tetCount; t++) {
    shapeGradients(elements, t, g);
    const k = scale * elements.weight[t] * elements.volumes[t];
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        const value = k * (g[i * 3] * g[j * 3] + g[i * 3 + 1] * g[j * 3 + 1] + g[i * 3 + 2] * g[j * 3 + 2]);
        add(elements.tets[t * 4 + i], elements.tets[t * 4 + j], value);
      }
    }
  }
  return sparseFromTriplets(count, rows, columns, values);
}

/** What a sheet adds to the matrix: its scalar stiffness in the plane, and bending as it is. */
function assembleSheet(sheet: Sheet, scale: number, add: (i: number, j: number, value: number) => void): void {
  const { triangles, areas, inverseRest, weight, bending } = sheet;
  for (let t = 0; t < areas.length; t++) {
    const [b00, b01, b10, b11] = inverseRest.subarray(t * 4, t * 4 + 4);
    const g = [-b00 - b10, -b01 - b11, b00, b01, b10, b11];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const value = scale * weight * areas[t] * (g[i * 2] * g[j * 2] + g[i * 2 + 1] * g[j * 2 + 1]);
        add(triangles[t * 3 + i], triangles[t * 3 + j], value);
      }
    }
  }
  for (let row = 0; row < bending.size; row++) {
    for (let n = bending.rowStart[row]; n < bending.rowStart[row + 1]; n++) {
      add(row, bending.columns[n], scale * bending.values[n]);
    }
  }
}

/** Gradients of the four shape functions of a tet, 3 each [1/m]. */
export function shapeGradients({ inverseRest }: SoftElements, t: number, g: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const o = t * 9 + k;
    g[3 + k] = inverseRest[o];
    g[6 + k] = inverseRest[o + 3];
    g[9 + k] = inverseRest[o + 6];
    g[k] = -(g[3 + k] + g[6 + k] + g[9 + k]);
  }
}
