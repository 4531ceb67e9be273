/**
 * A Cholesky factor laid out for the triangular-solve kernels: f32, cut into blocks of at most `BLOCK_COLUMNS` columns,
 * panels of eight rows. The layout is described in assembly/solve.ts. Solving is forward, then whatever has to happen in
 * between (the bones), then backward; each runs the parts of the tree first or last and the top on the caller's thread.
 */
import { ROWS_FOR_THREADS } from '../constants.js';
import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../kernels/memory.js';
import { JOB_BACKWARD, JOB_FORWARD } from '../kernels/part-jobs.js';
import type { ThreadPool } from '../kernels/thread-pool.js';
import type { SupernodalStructure } from './supernodes.js';

/** Wider supernodes are cut: the triangle of a block is solved row by row, the rest in panels, which is faster. */
const BLOCK_COLUMNS = 16;
const RECORD_WORDS = 8;

/** One block of columns: where it lies in its supernode. */
interface Block {
  readonly supernode: number;
  /** First column within the supernode. */
  readonly from: number;
  readonly width: number;
  /** Rows below, the rest of the supernode's own columns included. */
  readonly below: number;
}

/** Solves with a factor whose structure is known now and whose values are packed once the memory exists. */
export class SolvePlan {
  /** Right-hand sides in, solution out: rows of 4 f32 in elimination order, then spare rows. */
  readonly y: Slot<Float32Array>;
  readonly #structure: SupernodalStructure;
  readonly #blocks: Block[] = [];
  /** Block number at which each part, then the top, then the end of the top begins. */
  readonly #partBlocks: number[] = [];
  readonly #parts: number;
  readonly #topColumn: number;
  readonly #records: Slot<Int32Array>;
  readonly #diagonals: Slot<Float32Array>;
  readonly #panels: Slot<Float32Array>;
  readonly #forwardRows: Slot<Int32Array>;
  readonly #backwardRows: Slot<Int32Array>;
  readonly #bounds: Slot<Int32Array>;
  readonly #args: Slot<Int32Array>;
  readonly #scratch: Slot<Float32Array>;
  readonly #scratchBytes: number;
  #kernels!: KernelTable;
  #threads!: ThreadPool;

  constructor(plan: MemoryPlan, structure: SupernodalStructure) {
    this.#structure = structure;
    this.#parts = structure.partStart.length - 1;
    this.#topColumn = structure.columnStart[structure.partStart[this.#parts]];
    this.#cutBlocks();
    let diagonal = 0;
    let panel = 0;
    let rows = 0;
    let mostRows = 0;
    for (const { width, below } of this.#blocks) {
      const padded = Math.ceil(below / 4) * 4;
      diagonal += (width * (width + 1)) / 2;
      panel += padded * width;
      rows += padded;
      mostRows = Math.max(mostRows, padded);
    }
    const top = structure.size - this.#topColumn;
    this.y = plan.f32((structure.size + 1 + this.#parts * top) * 4);
    this.#records = plan.i32(this.#blocks.length * RECORD_WORDS);
    this.#diagonals = plan.f32(diagonal);
    this.#panels = plan.f32(panel);
    this.#forwardRows = plan.i32(rows);
    this.#backwardRows = plan.i32(rows);
    this.#bounds = plan.i32(this.#parts + 2);
    this.#args = plan.i32(8);
    this.#scratchBytes = Math.ceil((mostRows * 12) / 64) * 64;
    this.#scratch = plan.f32((this.#scratchBytes / 4) * Math.max(1, this.#parts));
  }

  /** Fills the memory with the factor (values in f64, panels as `structure` says). Call again after refactoring. */
  pack(values: Float64Array, kernels: KernelTable, threads: ThreadPool): void {
    this.#kernels = kernels;
    this.#threads = threads;
    const at = { diagonal: 0, panel: 0, row: 0 };
    this.#blocks.forEach((block, number) => {
      const part = this.#partBlocks.findIndex((start, p) => number >= start && number < this.#partBlocks[p + 1]);
      this.#packRecord(number, block, at);
      this.#packDiagonal(block, values, at);
      this.#packPanels(block, values, at, part < this.#parts ? part : -1);
    });
    this.#bounds.view.set(this.#partBlocks);
    this.#args.view.set([
      this.#bounds.address,
      this.#records.address,
      this.y.address,
      this.#scratch.address,
      this.#scratchBytes,
    ]);
  }

  /** y ← L⁻¹ y; rows of the forced-last block receive what the others take from them. */
  forward(): void {
    const { size } = this.#structure;
    this.#clearSpareRow();
    this.#threads.run(JOB_FORWARD, this.#args.address, this.#parts, this.#isSmall);
    const top = size - this.#topColumn;
    const out = this.y.address + this.#topColumn * 16;
    if (this.#parts > 0)
      this.#kernels.sumCopies(0, top, out, this.y.address + (size + 1) * 16, this.#parts, top * 16, 1);
    this.#kernels.solveForward(this.#topStart, this.#topEnd, this.#records.address, this.y.address);
  }

  /** y ← L⁻ᵀ y, with the rows of the forced-last block already solved. */
  backward(): void {
    this.#clearSpareRow();
    this.#kernels.solveBackward(
      this.#topStart,
      this.#topEnd,
      this.#records.address,
      this.y.address,
      this.#scratch.address,
    );
    this.#threads.run(JOB_BACKWARD, this.#args.address, this.#parts, this.#isSmall);
  }

  /** Padding lanes read and write this row; 0 times a NaN must not stay in it. */
  #clearSpareRow(): void {
    const spare = this.#structure.size * 4;
    this.y.view.fill(0, spare, spare + 4);
  }

  /** Blocks of the top of the tree. */
  get #topStart(): number {
    return this.#partBlocks[this.#parts];
  }

  /** Whether several threads would be no faster. */
  get #isSmall(): boolean {
    return this.#structure.size < ROWS_FOR_THREADS;
  }

  get #topEnd(): number {
    return this.#partBlocks[this.#parts + 1];
  }

  #cutBlocks(): void {
    const { columnStart, rowStart, partStart, lastStart } = this.#structure;
    for (let s = 0; s < lastStart; s++) {
      while (this.#partBlocks.length <= this.#parts && s === partStart[this.#partBlocks.length]) {
        this.#partBlocks.push(this.#blocks.length);
      }
      const width = columnStart[s + 1] - columnStart[s];
      const rows = rowStart[s + 1] - rowStart[s];
      // equal pieces: a cut of 17 columns into 16 and 1 would waste a panel
      const pieces = Math.ceil(width / BLOCK_COLUMNS);
      for (let piece = 0; piece < pieces; piece++) {
        const from = Math.floor((width * piece) / pieces);
        const to = Math.floor((width * (piece + 1)) / pieces);
        this.#blocks.push({ supernode: s, from, width: to - from, below: width - to + rows });
      }
    }
    while (this.#partBlocks.length <= this.#parts + 1) this.#partBlocks.push(this.#blocks.length);
  }

  #packRecord(number: number, block: Block, at: { diagonal: number; panel: number; row: number }): void {
    const column = this.#structure.columnStart[block.supernode] + block.from;
    const quads = Math.ceil(block.below / 4);
    this.#records.view.set(
      [
        column * 16,
        block.width,
        quads >> 1,
        quads & 1,
        this.#diagonals.address + at.diagonal * 4,
        this.#panels.address + at.panel * 4,
        this.#forwardRows.address + at.row * 4,
        this.#backwardRows.address + at.row * 4,
      ],
      number * RECORD_WORDS,
    );
  }

  #packDiagonal(block: Block, values: Float64Array, at: { diagonal: number }): void {
    const { columnStart, rowStart, valueStart } = this.#structure;
    const s = block.supernode;
    const stride = columnStart[s + 1] - columnStart[s] + rowStart[s + 1] - rowStart[s];
    const out = this.#diagonals.view;
    for (let i = 0; i < block.width; i++) {
      const row = valueStart[s] + block.from + i;
      for (let j = 0; j < i; j++) out[at.diagonal++] = values[row + (block.from + j) * stride];
      out[at.diagonal++] = 1 / values[row + (block.from + i) * stride];
    }
  }

  #packPanels(block: Block, values: Float64Array, at: { panel: number; row: number }, part: number): void {
    const { size, columnStart, rowStart, rows, valueStart } = this.#structure;
    const s = block.supernode;
    const width = columnStart[s + 1] - columnStart[s];
    const stride = width + rowStart[s + 1] - rowStart[s];
    const start = block.from + block.width;
    const top = size - this.#topColumn;
    const panels = this.#panels.view;
    for (let done = 0; done < block.below; ) {
      const lanes = block.below - done > 4 ? 8 : 4;
      for (let j = 0; j < block.width; j++) {
        const column = valueStart[s] + (block.from + j) * stride + start;
        for (let lane = 0; lane < lanes; lane++) {
          const row = done + lane;
          panels[at.panel++] = row < block.below ? values[column + row] : 0;
        }
      }
      for (let lane = 0; lane < lanes; lane++) {
        const inSupernode = start + done + lane;
        let row = size;
        if (done + lane < block.below) {
          row = inSupernode < width ? columnStart[s] + inSupernode : rows[rowStart[s] + inSupernode - width];
        }
        this.#backwardRows.view[at.row] = row * 16;
        const toCopy = part >= 0 && row >= this.#topColumn && row < size;
        this.#forwardRows.view[at.row++] = (toCopy ? size + 1 + part * top + row - this.#topColumn : row) * 16;
      }
      done += lanes;
    }
  }
}
