/** The coarse levels in the kernels' memory: matrices, transfers up and down, and the factor of the last one. */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { Cut, RangeRunner } from '../../../kernels/range-runner.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import { SolvePlan } from '../../../linalg/solve-plan.js';
import type { SparseMatrix } from '../../../linalg/sparse.js';
import { groupByKey } from '../../../mesh/group-by-key.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Vector } from './arithmetic.js';
import type { CoarseLevel } from './levels.js';
import { floatOfPlace } from './quad-layout.js';

const ROW_BYTES = 16;
/** Rows that are worth a part of their own: where each has up to 27 entries, and where it has one. */
const LEAST_ROWS = 512;
const LEAST_LIGHT_ROWS = 4096;

/** One level and the way to it. Entries are pairs of words: an offset, and a number as f32. */
interface LevelMemory {
  readonly level: CoarseLevel;
  /** The level above is the lattice itself: its vectors are in quads, not in rows. */
  readonly isFirst: boolean;
  readonly rows: Cut;
  /** The same in fewer parts, for passes that do little per row. */
  readonly lightRows: Cut;
  /** Quads, or rows, of the level above. */
  readonly above: Cut;
  readonly rowStart: Slot<Int32Array>;
  readonly entries: Slot<Int32Array>;
  readonly inverse: Slot<Float32Array>;
  readonly childStart: Slot<Int32Array>;
  readonly children: Slot<Int32Array>;
  readonly parentStart: Slot<Int32Array>;
  readonly parents: Slot<Int32Array>;
}

/** Operations on the coarse levels of one body. */
export class CoarseKernels {
  readonly vectors: readonly { readonly b: Vector; readonly x: Vector; readonly r: Vector }[];
  readonly #levels: readonly LevelMemory[];
  readonly #runner: RangeRunner;
  readonly #body: LatticeBody;
  readonly #solve: SolvePlan;
  readonly #bits = new Float32Array(1);
  readonly #bitWords = new Int32Array(this.#bits.buffer);

  constructor(plan: MemoryPlan, body: LatticeBody, runner: RangeRunner) {
    this.#body = body;
    this.#runner = runner;
    const { coarse, factor } = body.levels;
    this.vectors = coarse.map(({ matrix }) => ({
      b: plan.f32(4 * matrix.size),
      x: plan.f32(4 * matrix.size),
      r: plan.f32(4 * matrix.size),
    }));
    this.#levels = coarse.map((level, n) => this.#plan(plan, level, n === 0));
    this.#solve = new SolvePlan(plan, factor.structure);
  }

  #plan(plan: MemoryPlan, level: CoarseLevel, isFirst: boolean): LevelMemory {
    const { matrix, parentStart, parents } = level;
    const { quadCount } = this.#body.layout;
    const fine = isFirst ? 4 * quadCount : parentStart.length - 1;
    return {
      level,
      isFirst,
      rows: this.#runner.cutEvenly(matrix.size, LEAST_ROWS),
      lightRows: this.#runner.cutEvenly(matrix.size, LEAST_LIGHT_ROWS),
      above: this.#runner.cutEvenly(isFirst ? quadCount : fine, LEAST_ROWS),
      rowStart: plan.i32(matrix.size + 1),
      entries: plan.i32(2 * matrix.columns.length),
      inverse: plan.f32(matrix.size),
      childStart: plan.i32(matrix.size + 1),
      children: plan.i32(2 * parents.length),
      parentStart: plan.i32(fine + 1),
      parents: plan.i32(parents.length),
    };
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    for (const memory of this.#levels) {
      this.#fillMatrix(memory, memory.level.matrix);
      this.#fillTransfers(memory);
    }
    this.#solve.pack(this.#body.levels.factor.values, kernels, threads);
  }

  #fillMatrix({ rowStart, entries, inverse }: LevelMemory, matrix: SparseMatrix): void {
    rowStart.view.set(matrix.rowStart);
    for (let row = 0; row < matrix.size; row++) {
      for (let n = matrix.rowStart[row]; n < matrix.rowStart[row + 1]; n++) {
        entries.view[2 * n] = ROW_BYTES * matrix.columns[n];
        entries.view[2 * n + 1] = this.#asWord(matrix.values[n]);
        if (matrix.columns[n] === row) inverse.view[row] = 1 / matrix.values[n];
      }
    }
  }

  /** Held nodes of the finest level have no parents here: nothing is restricted from them or prolonged to them. */
  #fillTransfers(memory: LevelMemory): void {
    const { isFirst, level } = memory;
    const { parentStart, parents, matrix } = level;
    const nodes = isFirst ? this.#nodesByPlace() : Int32Array.from({ length: parentStart.length - 1 }, (_, row) => row);
    const kept: number[] = [];
    const weights: number[] = [];
    const sources: number[] = [];
    nodes.forEach((node, place) => {
      for (let n = parentStart[node]; node >= 0 && n < parentStart[node + 1]; n++) {
        kept.push(parents[n]);
        sources.push(isFirst ? 4 * floatOfPlace(place, 0) : ROW_BYTES * place);
        weights.push(1 / (parentStart[node + 1] - parentStart[node]));
      }
      memory.parentStart.view[place + 1] = kept.length;
    });
    const { starts, items } = groupByKey(kept, matrix.size);
    memory.childStart.view.set(starts);
    kept.forEach((parent, n) => {
      memory.parents.view[n] = ROW_BYTES * parent;
      memory.children.view[2 * n] = sources[items[n]];
      memory.children.view[2 * n + 1] = this.#asWord(weights[items[n]]);
    });
  }

  /** Free node at each place of the quads, -1 for none. */
  #nodesByPlace(): Int32Array {
    const { placeOfNode, quadCount } = this.#body.layout;
    const nodes = new Int32Array(4 * quadCount).fill(-1);
    placeOfNode.forEach((place, node) => {
      if (this.#body.filling.held[node] === 0) nodes[place] = node;
    });
    return nodes;
  }

  residual(level: number, b: Vector, x: Vector, out: Vector): void {
    const { rows, rowStart, entries } = this.#levels[level - 1];
    this.#runner.run('latticeSparse', rows, 0, 0, out.address, b.address, x.address, rowStart.address, entries.address);
  }

  relax(level: number, z: Vector, r: Vector, numbers: number): void {
    const { lightRows, inverse } = this.#levels[level - 1];
    this.#runner.run('latticeRelaxRows', lightRows, 0, 0, z.address, r.address, inverse.address, numbers);
  }

  restrict(level: number, fine: Vector, coarse: Vector): void {
    const { isFirst, rows, childStart, children } = this.#levels[level - 1];
    const kernel = isFirst ? 'latticeRestrict' : 'latticeRestrictRows';
    this.#runner.run(kernel, rows, 0, 0, coarse.address, fine.address, childStart.address, children.address);
  }

  prolong(level: number, coarse: Vector, fine: Vector): void {
    const { isFirst, above, parentStart, parents } = this.#levels[level - 1];
    const kernel = isFirst ? 'latticeProlong' : 'latticeProlongRows';
    this.#runner.run(kernel, above, 0, 0, fine.address, coarse.address, parentStart.address, parents.address);
  }

  solveLast(b: Vector, x: Vector): void {
    const { size, permutation } = this.#body.levels.factor.structure;
    const y = this.#solve.y.view;
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < 4; k++) y[4 * i + k] = b.view[4 * permutation[i] + k];
    }
    this.#solve.forward();
    this.#solve.backward();
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < 4; k++) x.view[4 * permutation[i] + k] = y[4 * i + k];
    }
  }

  #asWord(value: number): number {
    this.#bits[0] = value;
    return this.#bitWords[0];
  }
}
