/**
 * The constant matrix A = Bᵀ(aM + L)B of the global step [Li2019 eq. 12], where a is one over the squared time step (or
 * 9/4 of that for BDF2). Stiffness and mass are kept apart so that another time step needs no new assembly.
 */
import type { Model } from '../../body/model.js';
import { TendonError } from '../../errors.js';
import { type SparseMatrix, sparseFromTriplets } from '../../linalg/sparse.js';
import { fibreStiffness } from './fibres.js';
import type { Layout } from './layout.js';
import type { FleshRegions } from './regions/flesh-regions.js';

/** The parts of the matrix. */
export interface ProjectiveSystem {
  /** Pattern, and the values for the factor that was set last. */
  readonly matrix: SparseMatrix;
  readonly stiffness: Float64Array;
  /** Mass at the same entries, mostly zero. */
  readonly mass: Float64Array;
}

/** Share of a tet's resistance that is against what the turn of its region leaves of its change; the rest is against all of it. */
const TURNS_ALONG = 0.95;

/** Assembles stiffness and mass of a model; regions that turn have three rows each, after those of the bones. */
export function assembleSystem(model: Model, layout: Layout, regions?: FleshRegions): ProjectiveSystem {
  const flesh = layout.fleshVertices.length;
  // a body whose every vertex is pinned has no unknowns: one that nothing refers to keeps the factorisation from being empty
  const idle = flesh + model.bones.count === 0;
  const size = idle ? 1 : flesh + model.bones.count * 4 + (regions?.count ?? 0) * 3;
  const stiff = new Triplets(layout.tets.length * 16 + size + model.bones.count * 16);
  const corners = new CornerWeights(model, layout);
  const gradient = new Float64Array(12);
  const fibres = fibreStiffness(model);
  for (const tet of layout.tets) {
    cornerGradients(model, tet, gradient);
    const scale = model.weight[tet] * model.volumes[tet];
    for (let a = 0; a < 4; a++) corners.load(a, model.tets[tet * 4 + a]);
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < 4; b++) {
        const value = scale * dot(gradient, a * 3, gradient, b * 3) + (fibres.get(tet)?.[a * 4 + b] ?? 0);
        for (let i = 0; i < corners.count[a]; i++) {
          for (let j = 0; j < corners.count[b]; j++) {
            const weight = corners.weight[a * 4 + i] * corners.weight[b * 4 + j];
            stiff.add(corners.unknown[a * 4 + i], corners.unknown[b * 4 + j], value * weight);
          }
        }
      }
    }
    const region = regions?.ofTet[tet] ?? -1;
    if (region < 0) continue;
    addTurningRows(stiff, corners, gradient, TURNS_ALONG * scale, flesh + model.bones.count * 4 + region * 3);
  }
  // every entry the mass needs exists, even where there is no stiffness
  for (let i = 0; i < flesh; i++) stiff.add(i, i, 0);
  for (let bone = 0; bone < model.bones.count; bone++) {
    for (let p = 0; p < 16; p++) stiff.add(flesh + bone * 4 + (p >> 2), flesh + bone * 4 + (p & 3), 0);
  }
  if (idle) stiff.add(0, 0, 1);
  const matrix = stiff.toMatrix(size);
  return { matrix, stiffness: matrix.values.slice(), mass: massValues(model, layout, matrix) };
}

/** What ½ scale |δF − δX|² has beyond ½ scale |δF|², the columns of δX being the unknowns from `first` on. */
function addTurningRows(
  stiff: Triplets,
  corners: CornerWeights,
  gradient: Float64Array,
  scale: number,
  first: number,
): void {
  for (let j = 0; j < 3; j++) {
    for (let a = 0; a < 4; a++) {
      for (let i = a * 4; i < a * 4 + corners.count[a]; i++) {
        const value = -scale * gradient[a * 3 + j] * corners.weight[i];
        stiff.add(first + j, corners.unknown[i], value);
        stiff.add(corners.unknown[i], first + j, value);
      }
    }
    stiff.add(first + j, first + j, scale);
  }
}

/** Sets the matrix to stiffness + factor · mass; `factor` is one over a time squared [1/s²]. */
export function setInertia(system: ProjectiveSystem, factor: number): void {
  const { values } = system.matrix;
  for (let k = 0; k < values.length; k++) values[k] = system.stiffness[k] + factor * system.mass[k];
}

/** Index of the diagonal entry of a row in the matrix's values. */
export function diagonalEntry(matrix: SparseMatrix, row: number): number {
  for (let k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; k++) if (matrix.columns[k] === row) return k;
  throw new TendonError('E_INDEX', `matrix/${row}`, row, 'the row has no diagonal entry');
}

/** Entry (i, j) of a bone's 4x4 mass about its centre of mass: second moments, then the mass itself [kg m², kg]. */
export function boneMass(model: Model, bone: number, i: number, j: number): number {
  if (i < 3 && j < 3) return model.bones.secondMoment[bone * 9 + i * 3 + j];
  return i === 3 && j === 3 ? model.bones.mass[bone] : 0;
}

function massValues(model: Model, layout: Layout, matrix: SparseMatrix): Float64Array {
  const mass = new Float64Array(matrix.values.length);
  const flesh = layout.fleshVertices.length;
  const unknowns = flesh + model.bones.count * 4;
  for (let i = 0; i < unknowns; i++) {
    for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
      const j = matrix.columns[k];
      if (i < flesh) {
        if (i === j) mass[k] = model.masses[layout.fleshVertices[i]];
      } else if (j >= flesh) {
        const bone = (i - flesh) >> 2;
        if ((j - flesh) >> 2 === bone) mass[k] = boneMass(model, bone, (i - flesh) & 3, (j - flesh) & 3);
      }
    }
  }
  return mass;
}

/** Gradients of the four corners' shape functions: rows of the inverse rest matrix, and minus their sum. */
export function cornerGradients(model: Model, tet: number, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const value = model.inverseRest[tet * 9 + k * 3 + i];
      out[(k + 1) * 3 + i] = value;
      sum += value;
    }
    out[i] = -sum;
  }
}

/** What unknowns a corner depends on: itself, or the four rows of its bone, or nothing where it is pinned. */
class CornerWeights {
  readonly count = new Int32Array(4);
  readonly unknown = new Int32Array(16);
  readonly weight = new Float64Array(16);
  readonly #model: Model;
  readonly #layout: Layout;

  constructor(model: Model, layout: Layout) {
    this.#model = model;
    this.#layout = layout;
  }

  load(corner: number, vertex: number): void {
    const { bones, positions } = this.#model;
    const flesh = this.#layout.fleshOfVertex[vertex];
    const bone = bones.ofVertex[vertex];
    if (flesh >= 0) {
      this.count[corner] = 1;
      this.unknown[corner * 4] = flesh;
      this.weight[corner * 4] = 1;
    } else if (bone >= 0) {
      this.count[corner] = 4;
      for (let p = 0; p < 4; p++) {
        this.unknown[corner * 4 + p] = this.#layout.fleshVertices.length + bone * 4 + p;
        this.weight[corner * 4 + p] = p < 3 ? positions[vertex * 3 + p] - bones.centre[bone * 3 + p] : 1;
      }
    } else {
      this.count[corner] = 0;
    }
  }
}

/** Growing arrays of (row, column, value). */
class Triplets {
  #rows: Int32Array;
  #columns: Int32Array;
  #values: Float64Array;
  #count = 0;

  constructor(capacity: number) {
    this.#rows = new Int32Array(capacity);
    this.#columns = new Int32Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  add(row: number, column: number, value: number): void {
    if (this.#count === this.#rows.length) this.#grow();
    this.#rows[this.#count] = row;
    this.#columns[this.#count] = column;
    this.#values[this.#count++] = value;
  }

  toMatrix(size: number): SparseMatrix {
    const n = this.#count;
    return sparseFromTriplets(
      size,
      this.#rows.subarray(0, n),
      this.#columns.subarray(0, n),
      this.#values.subarray(0, n),
    );
  }

  #grow(): void {
    const rows = this.#rows;
    const columns = this.#columns;
    const values = this.#values;
    const capacity = rows.length * 2 + 64;
    this.#rows = new Int32Array(capacity);
    this.#columns = new Int32Array(capacity);
    this.#values = new Float64Array(capacity);
    this.#rows.set(rows);
    this.#columns.set(columns);
    this.#values.set(values);
  }
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}
