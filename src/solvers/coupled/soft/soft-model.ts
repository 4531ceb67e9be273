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
import { extractSurface } from '../../../mesh/surface/surface.js';
import { fillInverse } from './soft-table.js';

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
    const { elements, first, second } = this;
    fillInverse(elements, elements.pinned, 0.5 * h * h, first.table);
    fillInverse(elements, elements.pinned, h * h, second.table);
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
