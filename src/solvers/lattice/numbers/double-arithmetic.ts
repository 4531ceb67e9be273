/** The lattice solver's operations in plain f64: their specification. See arithmetic.ts. */
import {
  elasticCells,
  type LatticeCells,
  laplacianCells,
  stiffnessCells,
  volumeCells,
} from '../../../kernels/reference/lattice-cells.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { multiplySparse } from '../../../linalg/sparse.js';
import { countGroups, fillCells, type LatticeBody } from '../lattice-body.js';
import type { Arithmetic, Vector, VolumeRatios } from './arithmetic.js';
import { floatOfPlace } from './quad-layout.js';

function makeVector(length: number): Vector {
  return { address: 0, length, view: new Float64Array(length) };
}

/** Operations on one body. */
export class DoubleArithmetic implements Arithmetic {
  readonly rounding = 1e-14;
  readonly coarse: { readonly b: Vector; readonly x: Vector; readonly r: Vector }[];
  readonly rotations: Vector;
  readonly cells: LatticeCells;
  readonly #body: LatticeBody;
  readonly #scratch: Float64Array;

  constructor(body: LatticeBody) {
    this.#body = body;
    const counts = countGroups(body.layout);
    this.rotations = makeVector(16 * counts.groups);
    const cells = {
      ...counts,
      rows: new Int32Array(body.layout.rows.length),
      loose: new Int32Array(body.layout.looseCorners.length),
      moduli: new Float64Array(8 * counts.groups),
      quats: this.rotations.view,
    };
    fillCells(body, cells);
    this.cells = cells;
    this.coarse = body.levels.coarse.map(({ matrix }) => ({
      b: makeVector(4 * matrix.size),
      x: makeVector(4 * matrix.size),
      r: makeVector(4 * matrix.size),
    }));
    this.#scratch = new Float64Array(Math.max(...this.coarse.map(({ b }) => b.length)));
  }

  vector(): Vector {
    return makeVector(this.#body.vectorLength);
  }

  elastic(x: Vector, gradient: Vector, withHeld = false): number {
    const { law } = this.#body;
    gradient.view.fill(0);
    const energy = elasticCells(0, this.cells.groups, this.cells, law, x.view, gradient.view);
    if (!withHeld) this.hold(gradient);
    return energy;
  }

  hold(gradient: Vector): void {
    const { layout, filling } = this.#body;
    layout.placeOfNode.forEach((place, node) => {
      if (filling.held[node]) for (let k = 0; k < 3; k++) gradient.view[floatOfPlace(place, k)] = 0;
    });
  }

  addInertia(x: Vector, target: Vector, gradient: Vector, scale: number): number {
    const { layout, nodeInertia } = this.#body;
    let energy = 0;
    layout.placeOfNode.forEach((place, node) => {
      if (nodeInertia === undefined) return;
      for (let k = 0; k < 3; k++) {
        const at = floatOfPlace(place, k);
        const away = x.view[at] - target.view[at];
        energy += ((scale * nodeInertia[node]) / 2) * away * away;
        gradient.view[at] += scale * nodeInertia[node] * away;
      }
    });
    return energy;
  }

  volumes(x: Vector): VolumeRatios {
    const { sum, least, inverted } = volumeCells(0, this.cells.groups, this.cells, this.#body.law, x.view);
    return { mean: sum / (this.#body.lattice.cells.length / 3), least, inverted };
  }

  residual(b: Vector, x: Vector, out: Vector): void {
    out.view.set(b.view);
    laplacianCells(0, this.cells.groups, this.cells, this.#body.law, x.view, out.view, -1);
    this.#subtractShift(x, out);
  }

  stiffnessResidual(b: Vector, x: Vector, out: Vector): void {
    out.view.set(b.view);
    stiffnessCells(0, this.cells.groups, this.cells, this.#body.law, x.view, out.view, -1);
    this.#subtractShift(x, out);
  }

  #subtractShift(x: Vector, out: Vector): void {
    const { layout, nodeShift } = this.#body;
    if (nodeShift === undefined) return;
    layout.placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) {
        const at = floatOfPlace(place, k);
        out.view[at] -= nodeShift[node] * x.view[at];
      }
    });
  }

  relax(z: Vector, r: Vector, factor: number, keep: 0 | 1): void {
    const { layout, inverseDiagonal } = this.#body;
    layout.placeOfNode.forEach((place, node) => {
      for (let k = 0; k < 3; k++) {
        const at = floatOfPlace(place, k);
        z.view[at] = keep * z.view[at] + factor * inverseDiagonal[node] * r.view[at];
      }
    });
  }

  coarseResidual(level: number, b: Vector, x: Vector, out: Vector): void {
    const { matrix } = this.#body.levels.coarse[level - 1];
    const product = this.#scratch.subarray(0, 4 * matrix.size);
    multiplySparse(matrix, x.view, product, 4);
    for (let i = 0; i < product.length; i++) out.view[i] = b.view[i] - product[i];
  }

  coarseRelax(level: number, z: Vector, r: Vector, factor: number, keep: 0 | 1): void {
    const { rowStart, columns, values, size } = this.#body.levels.coarse[level - 1].matrix;
    for (let i = 0; i < size; i++) {
      let inverse = 0;
      for (let n = rowStart[i]; n < rowStart[i + 1]; n++) if (columns[n] === i) inverse = 1 / values[n];
      for (let k = 0; k < 4; k++) z.view[4 * i + k] = keep * z.view[4 * i + k] + factor * inverse * r.view[4 * i + k];
    }
  }

  restrict(level: number, fine: Vector, coarse: Vector): void {
    coarse.view.fill(0);
    this.#forEachWeight(level, (at, row, weight) => {
      for (let k = 0; k < 3; k++) coarse.view[4 * row + k] += weight * fine.view[at + (level === 1 ? 4 * k : k)];
    });
  }

  prolong(level: number, coarse: Vector, fine: Vector): void {
    this.#forEachWeight(level, (at, row, weight) => {
      for (let k = 0; k < 3; k++) fine.view[at + (level === 1 ? 4 * k : k)] += weight * coarse.view[4 * row + k];
    });
  }

  solveLast(b: Vector, x: Vector): void {
    solveOriginal(this.#body.levels.factor, b.view, x.view as Float64Array, this.#scratch, 4);
  }

  dot(a: Vector, b: Vector): number {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a.view[i] * b.view[i];
    return sum;
  }

  addScaled(y: Vector, scale: number, x: Vector): void {
    for (let i = 0; i < y.length; i++) y.view[i] += scale * x.view[i];
  }

  copy(out: Vector, a: Vector): void {
    out.view.set(a.view);
  }

  move(out: Vector, x: Vector, scale: number, d: Vector): void {
    for (let i = 0; i < x.length; i++) out.view[i] = x.view[i] + scale * d.view[i];
  }

  moveAndDot(out: Vector, x: Vector, scale: number, d: Vector, other: Vector): number {
    this.move(out, x, scale, d);
    return this.dot(out, other);
  }

  tryStep(out: Vector, x: Vector, scale: number, d: Vector): number {
    this.move(out, x, scale, d);
    return this.largest(d);
  }

  keepStep(step: Vector, change: Vector, trial: Vector, x: Vector, after: Vector, before: Vector): number {
    this.move(step, trial, -1, x);
    this.move(change, after, -1, before);
    this.copy(x, trial);
    return this.dot(step, change);
  }

  largest(d: Vector): number {
    let most = 0;
    for (const place of this.#body.layout.placeOfNode) {
      const at = floatOfPlace(place, 0);
      const [x, y, z] = [d.view[at], d.view[at + 4], d.view[at + 8]];
      most = Math.max(most, x * x + y * y + z * z);
    }
    return Math.sqrt(most);
  }

  /** Visits the weights of P onto a level: where the fine node's numbers start, the coarse row, the weight. */
  #forEachWeight(level: number, visit: (at: number, row: number, weight: number) => void): void {
    const { layout, filling, levels } = this.#body;
    const { parentStart, parents } = levels.coarse[level - 1];
    for (let node = 0; node + 1 < parentStart.length; node++) {
      if (level === 1 && filling.held[node]) continue;
      const at = level === 1 ? floatOfPlace(layout.placeOfNode[node], 0) : 4 * node;
      const weight = 1 / (parentStart[node + 1] - parentStart[node]);
      for (let n = parentStart[node]; n < parentStart[node + 1]; n++) visit(at, parents[n], weight);
    }
  }
}
