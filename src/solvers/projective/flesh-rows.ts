/**
 * The rows the kernels work on: positions of flesh (in elimination order) and of carried vertices, residuals, and the
 * packed tets. One set serves all bodies of a model, because it is filled from a body's state at the start of each step.
 *
 * Row numbers: flesh 0..f-1, then the bones' unknowns (no positions there), then carried vertices from `carriedRow` on.
 */
import type { Model } from '../../body/model.js';
import { MAX_PARTS, TETS_FOR_THREADS, TETS_PER_PART } from '../../constants.js';
import { type KernelTable, LOCAL_SCRATCH_BYTES } from '../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../kernels/memory.js';
import { JOB_ENERGY, JOB_LOCAL, JOB_MOVE, JOB_SUM } from '../../kernels/part-jobs.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { SupernodalStructure } from '../../linalg/supernodes.js';
import { Fibres } from './fibres.js';
import type { Layout } from './layout.js';
import { PackedMeans } from './packed-means.js';
import { PackedTets } from './packed-tets.js';
import type { ProjectiveState } from './projective-state.js';

/** Where the arguments of the jobs begin in their array; those of the local step come first. */
const MOVE_ARGS = 16;
const SUM_ARGS = 24;

/** Parts a body's work is cut into: a matter of its size, never of the threads. */
export function partCountOf(tetCount: number): number {
  return Math.max(1, Math.min(MAX_PARTS, Math.floor(tetCount / TETS_PER_PART)));
}

/** Buffers and kernel calls for one model. */
export class FleshRows {
  readonly fleshCount: number;
  readonly carriedRow: number;
  readonly tets: PackedTets;
  /** True where some tets are not of the projective form, and steps must be watched for going downhill. */
  readonly guarded: boolean;
  /** Row of each vertex, -1 inside bones. */
  readonly rowOfVertex: Int32Array;
  /** Current positions, 4 f64 per flesh row [m]. */
  readonly x: Slot<Float64Array>;
  /** Where inertia alone would take the flesh, 4 f64 per row [m]. */
  readonly target: Slot<Float64Array>;
  /** Mass times inertia factor of each flesh row [kg/s²]. */
  readonly weights: Slot<Float64Array>;
  /** Positions relative to `origin`, 4 f32 per row, carried rows included. */
  readonly x32: Slot<Float32Array>;
  /** Point near the body that f32 positions are relative to [m]. */
  readonly origin: Slot<Float64Array>;
  /** Elastic force on carried vertices, 4 f32 per carried vertex [N]. */
  readonly carriedForce: Slot<Float32Array>;
  /** What tets share through their vertices, where they do. */
  readonly #means: PackedMeans | undefined;
  /** Muscle fibres in the tets, where there are any. */
  readonly fibres: Fibres | undefined;
  readonly #model: Model;
  readonly #layout: Layout;
  readonly #energies: Slot<Float64Array>;
  readonly #parts: number;
  /** Whether several threads would be no faster. */
  readonly isSmall: boolean;
  readonly #rowCount: number;
  readonly #copies: Slot<Float32Array>;
  readonly #scratch: Slot<Float64Array>;
  readonly #rowBounds: Slot<Int32Array>;
  readonly #args: Slot<Int32Array>;
  readonly #solve: SolvePlan;
  #kernels!: KernelTable;
  #threads!: ThreadPool;

  /** `smoothed`: tets share strains, see nodal-strain.ts. */
  constructor(
    plan: MemoryPlan,
    model: Model,
    layout: Layout,
    structure: SupernodalStructure,
    solve: SolvePlan,
    smoothed = false,
  ) {
    this.#model = model;
    this.#layout = layout;
    this.#solve = solve;
    this.fleshCount = layout.fleshVertices.length;
    this.carriedRow = structure.size;
    this.#rowCount = structure.size + layout.carriedVertices.length;
    this.#parts = partCountOf(layout.tets.length);
    this.isSmall = layout.tets.length < TETS_FOR_THREADS;
    this.rowOfVertex = new Int32Array(model.vertexCount).fill(-1);
    layout.fleshVertices.forEach((vertex, i) => {
      this.rowOfVertex[vertex] = structure.inverse[i];
    });
    layout.carriedVertices.forEach((vertex, i) => {
      this.rowOfVertex[vertex] = this.carriedRow + i;
    });
    this.#means = smoothed ? new PackedMeans(plan, model, layout, this.rowOfVertex, this.#parts) : undefined;
    this.fibres = model.muscles && new Fibres(model, layout, model.muscles);
    this.tets = new PackedTets(plan, model, layout, this.rowOfVertex, this.#parts, smoothed);
    this.guarded = this.tets.hasNeoHookean;
    this.x = plan.f64(this.fleshCount * 4);
    this.target = plan.f64(this.fleshCount * 4);
    this.weights = plan.f64(this.fleshCount);
    this.x32 = plan.f32(this.#rowCount * 4);
    this.origin = plan.f64(4);
    this.carriedForce = plan.f32(layout.carriedVertices.length * 4);
    this.#copies = plan.f32(this.#parts * this.#rowCount * 4);
    this.#scratch = plan.f64((this.#parts * LOCAL_SCRATCH_BYTES) / 8);
    this.#energies = plan.f64(this.#parts);
    this.#rowBounds = plan.i32(this.#parts + 1);
    this.#args = plan.i32(32);
  }

  /** Whether tets share strains. */
  get sharesStrains(): boolean {
    return this.#means !== undefined;
  }

  /** f32 numbers the rotations of the body's tets take, and those of means behind them. */
  get quatCount(): number {
    return (this.tets.groupCount + (this.#means?.groupCount ?? 0)) * 16;
  }

  /** Weights of the rows: their masses times `inertia`, one over a time squared [1/s²]. */
  setInertia(inertia: number): void {
    const { view } = this.weights;
    this.#layout.fleshVertices.forEach((vertex) => {
      view[this.rowOfVertex[vertex]] = this.#model.masses[vertex] * inertia;
    });
  }

  /** Fills the memory: packed tets, bounds and the arguments of the jobs. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    this.#kernels = kernels;
    this.#threads = threads;
    this.tets.start();
    this.#means?.start();
    for (let part = 0; part <= this.#parts; part++) {
      this.#rowBounds.view[part] = Math.floor((this.fleshCount * part) / this.#parts);
    }
    const copyBytes = this.#rowCount * 16;
    const rows = this.rowBounds;
    const y = this.#solve.y.address;
    // local: quats (indices 3 and 12) belong to a body and are set by `localStep`
    this.#args.view.set([
      this.tets.bounds.address,
      this.x32.address,
      this.tets.groups.address,
      0,
      this.#copies.address,
      copyBytes,
    ]);
    this.#args.view.set([this.#scratch.address, LOCAL_SCRATCH_BYTES, this.#energies.address], 6);
    const means = this.#means;
    if (means) this.#args.view.set([means.bounds.address, means.groups.address, means.entries.address], 9);
    const move = [rows, this.x.address, y, this.target.address, this.weights.address, this.origin.address];
    this.#args.view.set([...move, this.x32.address, this.#copies.address], MOVE_ARGS);
    this.#args.view.set([rows, y, this.#copies.address, this.#parts, copyBytes, 0], SUM_ARGS);
  }

  /** Empties the right-hand side of everything that is not flesh: bones and turning regions. */
  clearLast(): void {
    this.#solve.y.view.fill(0, this.fleshCount * 4, this.carriedRow * 4);
  }

  /** Parts that work over flesh rows is cut into, and the address of their boundaries. */
  get partCount(): number {
    return this.#parts;
  }

  get rowBounds(): number {
    return this.#rowBounds.address;
  }

  /** Adds the increments in the solver's right-hand side to the positions and restarts the residual from inertia. */
  move(): void {
    this.#threads.run(JOB_MOVE, this.#args.address + MOVE_ARGS * 4, this.#parts, this.isSmall);
  }

  /** Elastic forces at the current positions, added to the residual; returns how many tets took the SVD path. */
  localStep(state: ProjectiveState): number {
    this.#energies.view.fill(0);
    this.#args.view[3] = state.quats.byteOffset;
    this.#args.view[12] = state.quats.byteOffset + this.tets.groupCount * 64;
    return this.#threads.run(JOB_LOCAL, this.#args.address, this.#parts, this.isSmall);
  }

  /** Elastic energy at the positions and rotations of the local step just done [J]. */
  elasticEnergy(): number {
    this.#threads.run(JOB_ENERGY, this.#args.address, this.#parts, this.isSmall);
    let sum = 0;
    for (let part = 0; part < this.#parts; part++) sum += this.#energies.view[part];
    return sum + (this.fibres?.energy(this) ?? 0);
  }

  /** Residual of flesh into the solver's right-hand side, of carried vertices into `carriedForce`. */
  collectResidual(): void {
    this.#threads.run(JOB_SUM, this.#args.address + SUM_ARGS * 4, this.#parts, this.isSmall);
    const { address } = this.carriedForce;
    const stride = this.#rowCount * 16;
    const out = address - this.carriedRow * 16;
    this.#kernels.sumCopies(this.carriedRow, this.#rowCount, out, this.#copies.address, this.#parts, stride, 0);
    this.fibres?.addForces(this, this.#solve.y.view);
  }

  /** Tets turned inside out at the current positions. */
  countInverted(): number {
    return this.#kernels.countInverted(0, this.tets.groupCount, this.x32.address, this.tets.groups.address);
  }

  /** Where each vertex of the body is by now, as closely as the kernels know it [m]; false, with nothing written, where no tet is inside out. */
  readTurned(out: Float64Array): boolean {
    if (this.countInverted() === 0) return false;
    const x = this.x32.view;
    const origin = this.origin.view;
    for (let v = 0; v < this.rowOfVertex.length; v++) {
      const row = this.rowOfVertex[v] * 4;
      for (let k = 0; k < 3; k++) out[v * 3 + k] = x[row + k] + origin[k];
    }
    return true;
  }

  /** Lets all flesh be corotated flesh that is as stiff at rest and shares no strains, or what it is. */
  setCorotated(isCorotated: boolean): void {
    this.tets.setCorotated(isCorotated);
    this.#means?.setIdle(isCorotated);
  }

  /** Forgets residuals that were never collected, so that nothing of a failed step is left. */
  clear(): void {
    this.#copies.view.fill(0);
  }
}
