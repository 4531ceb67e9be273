/**
 * The flesh's side of the acceleration: the last few moves of the iterations as f32 rows in the world's memory, and the two passes over
 * them, in parts like everything over rows. Called by acceleration.ts.
 */
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { JOB_DOTS, JOB_MIX } from '../../../kernels/part-jobs.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import type { FleshRows } from '../flesh-rows.js';

/** Where the arguments of the mix begin in their array; those of the dot products come first. */
const MIX_ARGS = 8;
const ARGUMENTS = 24;

/** Vectors of one body's flesh, `memory` of each kind. */
export class FleshHistory {
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #memory: number;
  /** Moves from one iterate to the next, and how far the ends of the iterations moved. */
  readonly #moves: Slot<Float32Array>;
  readonly #ends: Slot<Float32Array>;
  readonly #force: Slot<Float32Array>;
  readonly #mixed: Slot<Float32Array>;
  /** Sum of the moves of an iteration that takes several solves. */
  readonly #sum: Slot<Float32Array>;
  readonly #moveList: Slot<Int32Array>;
  readonly #endList: Slot<Int32Array>;
  readonly #shares: Slot<Float32Array>;
  readonly #out: Slot<Float64Array>;
  readonly #args: Slot<Int32Array>;
  readonly #width: number;
  /** Whether nothing is mixed in: then there is nothing to forget. */
  #isClear = true;
  #kernels!: KernelTable;
  #threads!: ThreadPool;

  constructor(plan: MemoryPlan, rows: FleshRows, solve: SolvePlan, memory: number) {
    this.#rows = rows;
    this.#solve = solve;
    this.#memory = memory;
    this.#width = rows.fleshCount * 4;
    this.#moves = plan.f32(this.#width * memory);
    this.#ends = plan.f32(this.#width * memory);
    this.#force = plan.f32(this.#width);
    this.#mixed = plan.f32(this.#width);
    this.#sum = plan.f32(this.#width);
    this.#moveList = plan.i32(memory);
    this.#endList = plan.i32(memory);
    this.#shares = plan.f32(memory);
    this.#out = plan.f64(memory * rows.partCount);
    this.#args = plan.i32(ARGUMENTS);
  }

  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#kernels = kernels;
    this.#threads = threads;
    for (let i = 0; i < this.#memory; i++) {
      this.#moveList.view[i] = this.#moves.address + i * this.#width * 4;
      this.#endList.view[i] = this.#ends.address + i * this.#width * 4;
    }
    const { rowBounds } = this.#rows;
    const y = this.#solve.y.address;
    const out = [this.#out.address, this.#memory * 8];
    this.#args.view.set([rowBounds, y, this.#force.address, 0, this.#moveList.address, 0, ...out]);
    const lists = [this.#endList.address, this.#shares.address, 0, 0];
    this.#args.view.set([rowBounds, y, this.#mixed.address, this.#force.address, 0, ...lists, y, 0, ...out], MIX_ARGS);
  }

  /** Forgets what was mixed in. */
  restart(): void {
    if (!this.#isClear) this.#mixed.view.fill(0);
    this.#isClear = true;
  }

  /** Adds the products of the right-hand side with the first `count` moves to `dots`; `more`: another solve of the same iteration. */
  addForces(dots: Float64Array, count: number, more: boolean): void {
    this.#args.view[3] = more ? 1 : 0;
    this.#args.view[5] = count;
    this.#threads.run(JOB_DOTS, this.#args.address, this.#rows.partCount, this.#rows.isSmall);
    for (let part = 0; part < this.#rows.partCount; part++) {
      for (let i = 0; i < count; i++) dots[i] += this.#out.view[part * this.#memory + i];
    }
  }

  /** Keeps the move in the solver's increments for a mix that comes later. */
  addMove(more: boolean): void {
    if (!more) this.#sum.view.fill(0);
    this.#kernels.addScaledRows(0, this.#rows.fleshCount, this.#sum.address, 1, this.#solve.y.address);
  }

  /**
   * Mixes: the end of the move goes to slot `newest` (-1: nowhere), the first `count` ends are mixed in with `shares`, the whole move
   * goes to slot `next`. The increments become the whole move, or the mix alone where the move was made before (`apart`). Returns the
   * work of the iteration's forces over the whole move [J].
   */
  mix(newest: number, count: number, shares: Float64Array, next: number, apart: boolean): number {
    const args = this.#args.view;
    for (let i = 0; i < count; i++) this.#shares.view[i] = shares[i];
    args[MIX_ARGS + 1] = apart ? this.#sum.address : this.#solve.y.address;
    args[MIX_ARGS + 4] = newest < 0 ? 0 : this.#endList.view[newest];
    args[MIX_ARGS + 7] = count;
    args[MIX_ARGS + 8] = this.#moveList.view[next];
    args[MIX_ARGS + 10] = apart ? 1 : 0;
    this.#isClear = count === 0;
    this.#threads.run(JOB_MIX, this.#args.address + MIX_ARGS * 4, this.#rows.partCount, this.#rows.isSmall);
    let work = 0;
    for (let part = 0; part < this.#rows.partCount; part++) work += this.#out.view[part * this.#memory];
    return work;
  }
}
