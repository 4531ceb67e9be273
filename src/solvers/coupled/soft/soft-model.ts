/**
 * What soft bodies of one model share: masses, elements and, per track and step length, the inverse of its constant matrix as a
 * dense table:
 *
 *     A = M + s S        s = h²/2 in the position track, h² in the velocity track        S: constant scalar stiffness
 *
 * The same A for x, y and z, so a table of n × n numbers is all there is to know of how vertices move each other: the global step is
 * a product with it, and how a contact gives way is read off.
 */

import type { Sheet } from '../../../body/kinds/sheet.js';
import type { Model } from '../../../body/model.js';
import { TendonError } from '../../../errors.js';
import { analyse, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { sparseFromTriplets } from '../../../linalg/sparse.js';
import { extractSurface } from '../../../mesh/surface/surface.js';

/** Most vertices of a soft body: a table of 2,000 takes 32 MB. */
export const MAX_SOFT_VERTICES = 2000;

/** The parts of a model that the coupled solver reads: elements with a constant stiffness between their corners. */
export interface SoftElements {
  readonly name: string;
  readonly vertexCount: number;
  readonly positions: Float64Array;
  readonly masses: Float64Array;
  readonly pinned: Uint8Array;
  readonly tetCount: number;
  readonly tets: Int32Array;
  readonly volumes: Float64Array;
  readonly inverseRest: Float64Array;
  readonly mu: Float64Array;
  readonly lambda: Float64Array;
  readonly weight: Float64Array;
  readonly neoHookean: Uint8Array;
  /** Triangles with bending, in place of tets, where the body is a sheet. */
  readonly sheet?: Sheet;
}

/** How vertices answer pushes on each other [1/kg], by rows. */
export interface SoftTable {
  readonly table: Float64Array;
  readonly size: number;
}

/** A model with its tables. */
export class SoftModel {
  readonly elements: SoftElements;
  readonly size: number;
  /** Inverse of A, of the position and of the velocity track [1/kg]. */
  readonly first: SoftTable;
  readonly second: SoftTable;
  /** Vertices on the surface, ascending, and its triangles over them. */
  readonly surfaceVertices: Int32Array;
  readonly triangles: Int32Array;
  /** Half the thickness of a sheet, whose surface is touched from both sides [m]; 0 for flesh. */
  readonly radius: number;
  readonly isSheet: boolean;
  /** Half the longest side of the box around it at rest [m]. */
  readonly reach: number;
  /** Step the tables are made for [s]. */
  #h = 0;

  constructor(elements: SoftElements | Model, place = 'body') {
    this.elements = elements;
    this.size = elements.vertexCount;
    if (this.size > MAX_SOFT_VERTICES) {
      const advice = `the coupled solver takes soft bodies of at most ${MAX_SOFT_VERTICES} vertices: use a coarser mesh`;
      throw new TendonError('E_RANGE', `${place}/positions`, this.size, advice);
    }
    const { sheet } = elements;
    this.isSheet = sheet !== undefined;
    this.radius = sheet ? 0.5 * sheet.thickness : 0;
    this.reach = halfLength(elements.positions);
    const surface = extractSurface({ positions: elements.positions, tets: elements.tets });
    this.surfaceVertices = sheet ? Int32Array.from({ length: this.size }, (_, v) => v) : surface.vertices;
    this.triangles = sheet?.triangles ?? Int32Array.from(surface.triangles, (v) => surface.vertices[v]);
    this.first = { table: new Float64Array(this.size * this.size), size: this.size };
    this.second = { table: new Float64Array(this.size * this.size), size: this.size };
  }

  /** Makes the tables for steps of h [s], if they are not. */
  prepare(h: number): void {
    if (h === this.#h) return;
    this.#h = h;
    this.#fill(this.first.table, 0.5 * h * h);
    this.#fill(this.second.table, h * h);
  }

  #fill(table: Float64Array, scale: number): void {
    const { elements, size } = this;
    const unknown = new Int32Array(size).fill(-1);
    let count = 0;
    for (let v = 0; v < size; v++) if (elements.pinned[v] === 0) unknown[v] = count++;
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
}

function halfLength(positions: Float64Array): number {
  let longest = 0;
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = k; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    longest = Math.max(longest, high - low);
  }
  return 0.5 * longest;
}

/** M + scale S over the vertices that can move. */
function assemble(elements: SoftElements, unknown: Int32Array, count: number, scale: number) {
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
