/** The coarse levels in the kernels' memory: matrices, transfers up and down, and the factor of the last one. */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import { SolvePlan } from '../../../linalg/solve-plan.js';
import type { SparseMatrix } from '../../../linalg/sparse.js';
import { groupByKey } from '../../../mesh/group-by-key.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Vector } from './arithmetic.js';
import type { CoarseLevel } from './levels.js';
import { QUAD_FLOATS } from './quad-layout.js';
import type { Cut, RangeRunner } from './range-runner.js';

const ROW_BYTES = 16;

/** One level and the way to it. Entries are pairs of words: an offset, and a number as f32. */
interface LevelMemory {
  readonly level: CoarseLevel;
  /** Bytes between components in the vectors of the level above. */
  readonly step: number;
  readonly rows: Cut;
  readonly fineNodes: Cut;
  readonly rowStart: Slot<Int32Array>;
  readonly entries: Slot<Int32Array>;
  readonly inverse: Slot<Float32Array>;
  readonly childStart: Slot<Int32Array>;
  readonly children: Slot<Int32Array>;
  readonly parentStart: Slot<Int32Array>;
  readonly parents: Slot<Int32Array>;
  readonly places: Slot<Int32Array>;
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

  #plan(plan: MemoryPlan, level: CoarseLevel, first: boolean): LevelMemory {
    const { matrix, parentStart, parents } = level;
    const fine = parentStart.length - 1;
    return {
      level,
      step: first ? 16 : 4,
      rows: this.#runner.cutEvenly(matrix.size),
      fineNodes: this.#runner.cutEvenly(fine),
      rowStart: plan.i32(matrix.size + 1),
      entries: plan.i32(2 * matrix.columns.length),
      inverse: plan.f32(matrix.size),
      childStart: plan.i32(matrix.size + 1),
      children: plan.i32(2 * parents.length),
      parentStart: plan.i32(fine + 1),
      parents: plan.i32(parents.length),
      places: plan.i32(fine),
    };
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#levels.forEach((memory, n) => {
      this.#fillMatrix(memory, memory.level.matrix);
      this.#fillTransfers(memory, n === 0);
    });
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
  #fillTransfers(memory: LevelMemory, first: boolean): void {
    const { parentStart, parents, matrix } = memory.level;
    const { held } = this.#body.filling;
    const { placeOfNode } = this.#body.layout;
    const fine = parentStart.length - 1;
    const kept: number[] = [];
    const weights: number[] = [];
    const sources: number[] = [];
    for (let node = 0; node < fine; node++) {
      const place = placeOfNode[node];
      memory.places.view[node] = first ? 4 * (QUAD_FLOATS * (place >> 2) + (place & 3)) : ROW_BYTES * node;
      const isHeld = first && held[node] === 1;
      for (let n = parentStart[node]; n < parentStart[node + 1] && !isHeld; n++) {
        kept.push(parents[n]);
        sources.push(memory.places.view[node]);
        weights.push(1 / (parentStart[node + 1] - parentStart[node]));
      }
      memory.parentStart.view[node + 1] = kept.length;
    }
    const { starts, items } = groupByKey(kept, matrix.size);
    memory.childStart.view.set(starts);
    kept.forEach((parent, n) => {
      memory.parents.view[n] = ROW_BYTES * parent;
      memory.children.view[2 * n] = sources[items[n]];
      memory.children.view[2 * n + 1] = this.#asWord(weights[items[n]]);
    });
  }

  residual(level: number, b: Vector, x: Vector, out: Vector): void {
    const { rows, rowStart, entries } = this.#levels[level - 1];
    this.#runner.run('latticeSparse', rows, 0, 0, out.address, b.address, x.address, rowStart.address, entries.address);
  }

  relax(level: number, z: Vector, r: Vector, numbers: number): void {
    const { rows, inverse } = this.#levels[level - 1];
    this.#runner.run('latticeRelaxRows', rows, 0, 0, z.address, r.address, inverse.address, numbers);
  }

  restrict(level: number, fine: Vector, coarse: Vector): void {
    const { rows, childStart, children, step } = this.#levels[level - 1];
    const [starts, entries] = [childStart.address, children.address];
    this.#runner.run('latticeRestrict', rows, 0, 0, coarse.address, fine.address, starts, entries, step);
  }

  prolong(level: number, coarse: Vector, fine: Vector): void {
    const { fineNodes, parentStart, parents, places, step } = this.#levels[level - 1];
    const [starts, entries] = [parentStart.address, parents.address];
    const [to, from, at] = [fine.address, coarse.address, places.address];
    this.#runner.run('latticeProlong', fineNodes, 0, 0, to, from, starts, entries, at, step);
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
