/**
 * The coarse levels of warped stiffness: built once per body, turned with it as often as wanted, without memory of their own for that. Their transfers are
 * those of the Laplacian's levels; the last level is factored, again after every turn.
 */
import { analyse, type CholeskyFactor, factor, refactor } from '../../../linalg/cholesky.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import { identityMat3 } from '../../../math/mat3.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import { type CoarseLattice, coarsenLattice } from '../../../mesh/hexes/coarsen-lattice.js';
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';
import { fillLaplacian, type LatticeBody } from '../lattice-body.js';
import { type CellMatrices, CHILD_WEIGHTS, childOf, firstCoarseMatrices, nextCoarseMatrices } from './cell-matrices.js';
import { findResidual, forEachColumn, type StiffnessLevel } from './stiffness-level.js';

/** A level and the way to it. */
export interface StiffnessStep {
  readonly level: StiffnessLevel;
  /** Cell that each cell of the level above is a part of. */
  readonly parentOfCell: Int32Array;
  /** Nodes that each node of the level above lies between, all with the same weight. */
  readonly parentStart: Int32Array;
  readonly parents: Int32Array;
  /** Largest eigenvalue of D⁻¹K at rest, a little above what power iterations found. */
  readonly reach: number;
}

/** Nodes at which a level is factored. */
const FACTORED_NODES = 200;
const POWER_ITERATIONS = 60;
/** Cells that are turned against each other reach a little farther than cells at rest. */
const POWER_MARGIN = 1.15;
/** Share of the diagonal added on the last level, against pieces that nothing holds. */
const LOOSE_STIFFNESS = 1e-5;

/** What the cells of a level hand down: gradients, and their weights V mu and V lambda. */
interface Means {
  readonly gradient: Float64Array;
  readonly moduli: Float64Array;
}

/** Builds the levels under a body, at rest. */
export function buildStiffnessLevels({ lattice, filling, law }: LatticeBody): StiffnessStep[] {
  const steps: StiffnessStep[] = [];
  let [above, means] = [lattice, finestMeans(lattice, filling)];
  let matrices: CellMatrices | undefined;
  for (;;) {
    const step = coarsenLattice(above);
    const held = steps.length === 0 ? filling.held : undefined;
    matrices = matrices
      ? nextCoarseMatrices(above, step, matrices)
      : firstCoarseMatrices(above, step, fillLaplacian(lattice, filling, law.kappa, 0));
    means = nextMeans(above, step, means, held);
    const level = makeLevel(step.lattice, matrices, means);
    const { parentOfCell, parentStart, parents } = step;
    steps.push({ level, parentOfCell, parentStart, parents, reach: findReach(level) });
    const nodes = step.lattice.nodes.length / 3;
    if (nodes <= FACTORED_NODES || nodes >= above.nodes.length / 3) return steps;
    above = step.lattice;
  }
}

function finestMeans(lattice: HexLattice, { mu, lambda }: LatticeBody['filling']): Means {
  const count = lattice.cells.length / 3;
  const volume = lattice.cellSize * lattice.cellSize * lattice.cellSize;
  const gradient = new Float64Array(24 * count);
  for (let at = 0; at < gradient.length; at++) {
    gradient[at] = ((Math.floor(at / 3) >> (at % 3)) & 1 ? 1 : -1) / (4 * lattice.cellSize);
  }
  const moduli = Float64Array.from({ length: 2 * count }, (_, n) => volume * (n & 1 ? lambda : mu)[n >> 1]);
  return { gradient, moduli };
}

/** Gradients weighted by V mu; corners that are held count as if they did not move. */
function nextMeans(fine: HexLattice, coarse: CoarseLattice, means: Means, held?: Uint8Array): Means {
  const count = coarse.lattice.cells.length / 3;
  const gradient = new Float64Array(24 * count);
  const moduli = new Float64Array(2 * count);
  coarse.parentOfCell.forEach((parent, cell) => {
    const weights = CHILD_WEIGHTS[childOf(fine, cell)];
    for (let n = 0; n < 2; n++) moduli[2 * parent + n] += means.moduli[2 * cell + n];
    for (let c = 0; c < 8; c++) {
      if (held?.[fine.corners[8 * cell + c]]) continue;
      for (let n = 0; n < 24; n++) {
        const weight = means.moduli[2 * cell] * weights[8 * c + Math.floor(n / 3)];
        gradient[24 * parent + n] += weight * means.gradient[24 * cell + 3 * c + (n % 3)];
      }
    }
  });
  for (let at = 0; at < gradient.length; at++) gradient[at] /= moduli[2 * Math.floor(at / 24)];
  return { gradient, moduli };
}

function makeLevel({ corners, nodes }: HexLattice, laplacian: CellMatrices, means: Means): StiffnessLevel {
  const { gradient, moduli } = means;
  const diagonal = new Float64Array(nodes.length / 3);
  const rotations = new Float64Array((9 * corners.length) / 8);
  for (let at = 0; at < rotations.length; at += 9) identityMat3(rotations, at);
  for (let at = 0; at < corners.length; at++) {
    const cell = at >> 3;
    const g = gradient.subarray(3 * at, 3 * at + 3);
    const turned = (moduli[2 * cell + 1] - 2 * moduli[2 * cell]) / 3;
    diagonal[corners[at]] += laplacian[64 * cell + 9 * (at & 7)] + turned * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  }
  const inverse = diagonal.map((value) => (value > 0 ? 1 / value : 0));
  const [b, x, r] = [0, 1, 2].map(() => new Float64Array(nodes.length));
  return { corners, laplacian, gradient, moduli, rotations, inverse, b, x, r };
}

/** Largest eigenvalue of D⁻¹K by power iterations. */
function findReach(level: StiffnessLevel): number {
  const { b, x, r, inverse } = level;
  b.fill(0);
  for (let i = 0; i < x.length; i++) x[i] = ((i * 7919) % 101) / 50 - 1;
  let reach = 1;
  for (let pass = 0; pass < POWER_ITERATIONS; pass++) {
    findResidual(level);
    let [norm, old] = [0, 0];
    for (let i = 0; i < x.length; i++) {
      r[i] *= inverse[Math.floor(i / 3)];
      norm += r[i] * r[i];
      old += x[i] * x[i];
    }
    reach = Math.sqrt(norm / old);
    for (let i = 0; i < x.length; i++) x[i] = -r[i] / Math.sqrt(norm);
  }
  return POWER_MARGIN * reach;
}

const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

/** Turns the cells of a level: the rotation closest to the sum of their children's, each with its weight. */
export function turnLevel(level: StiffnessLevel): void {
  const { rotations } = level;
  for (let at = 0; at < rotations.length; at += 9) polarRotation(rotations, at, rotations, at, scratch, 0);
}

/** Sums the rotations of a level's cells, by their weights, into those of their parents. */
export function sumRotations(
  { rotations, moduli }: StiffnessLevel,
  parentOfCell: Int32Array,
  into: Float64Array,
): void {
  into.fill(0);
  for (let cell = 0; cell < parentOfCell.length; cell++) {
    const o = 9 * parentOfCell[cell];
    for (let n = 0; n < 9; n++) into[o + n] += moduli[2 * cell] * rotations[9 * cell + n];
  }
}

/** The factor of the last level. */
export class LastStiffness {
  readonly factor: CholeskyFactor;
  readonly #level: StiffnessLevel;
  readonly #matrix: SparseMatrix;
  /** Where the numbers of each cell go: 576 each, by columns; and the diagonal. */
  readonly #slots: Int32Array;
  readonly #diagonal: Int32Array;

  constructor(level: StiffnessLevel) {
    this.#level = level;
    const { corners, inverse } = level;
    const unknownOf = (cell: number, n: number): number => 3 * corners[8 * cell + Math.floor(n / 3)] + (n % 3);
    const [rows, columns]: number[][] = [[], []];
    for (let at = 0; at < 72 * corners.length; at++) {
      const cell = Math.floor(at / 576);
      columns.push(unknownOf(cell, Math.floor((at % 576) / 24)));
      rows.push(unknownOf(cell, at % 24));
    }
    this.#matrix = sparseFromTriplets(3 * inverse.length, rows, columns, new Float64Array(rows.length).fill(1));
    this.#slots = Int32Array.from(rows, (row, n) => this.#slotOf(row, columns[n]));
    this.#diagonal = Int32Array.from({ length: 3 * inverse.length }, (_, row) => this.#slotOf(row, row));
    this.#fill();
    this.factor = factor(analyse(this.#matrix), this.#matrix);
  }

  #slotOf(row: number, column: number): number {
    const { rowStart, columns } = this.#matrix;
    return columns.indexOf(column, rowStart[row]);
  }

  /** Takes the rotations as they are. */
  refresh(): void {
    this.#fill();
    refactor(this.factor, this.#matrix);
  }

  #fill(): void {
    const { values } = this.#matrix;
    values.fill(0);
    forEachColumn(this.#level, this.#addColumn);
    for (const slot of this.#diagonal) values[slot] = values[slot] > 0 ? values[slot] * (1 + LOOSE_STIFFNESS) : 1;
  }

  readonly #addColumn = (cell: number, column: number, force: Float64Array): void => {
    for (let row = 0; row < 24; row++) this.#matrix.values[this.#slots[576 * cell + 24 * column + row]] += force[row];
  };
}
