/**
 * The constant matrix of the global step: assembled once, factored once per time step, laid out for the triangular solves.
 * Bones are eliminated last and not factored; what is left of them is the metric S of the bone problem.
 */
import type { Model } from '../../body/model.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import { analyse, type CholeskyFactor, factor, refactor, schurComplement } from '../../linalg/cholesky.js';
import { SolvePlan } from '../../linalg/solve-plan.js';
import type { SupernodalStructure } from '../../linalg/supernodes.js';
import type { ShapeTargets } from './compare/shape-targets.js';
import { partCountOf } from './flesh-rows.js';
import type { Layout } from './layout.js';
import { divideFlesh, type FleshRegions, undivided } from './regions/flesh-regions.js';
import { assembleSystem, diagonalEntry, type ProjectiveSystem, setInertia } from './system.js';

/** What a matrix is made for. */
export interface MatrixSettings {
  /** Flesh that is drawn to rigid copies of itself. */
  readonly shapes?: ShapeTargets | undefined;
  /** One over the square of the (integrator's) time step [1/s²]. */
  readonly inertia: number;
  /** Whether regions of flesh can turn by themselves. */
  readonly divided: boolean;
  /** Is told what share of the factorisation is done, 0 to 1. */
  readonly told?: ((share: number) => void) | undefined;
}

/** Matrix, factor and solves of one model. */
export class ConstantMatrix {
  readonly solve: SolvePlan;
  /** Schur complement of the flesh, 4m x 4m, row major: always that of the current time step. */
  readonly metric: Float64Array;
  /** The same with the rows of turning regions, three each, after those of the bones. */
  readonly wide: Float64Array;
  readonly regions: FleshRegions;
  /** One over the square of the (integrator's) time step [1/s²]. */
  inertia: number;
  /** Counts factorisations, so that those who depend on one notice the next. */
  version = 0;
  readonly #layout: Layout;
  readonly #shapes: ShapeTargets | undefined;
  readonly #system: ProjectiveSystem;
  readonly #factor: CholeskyFactor;
  #kernels: KernelTable | undefined;
  #threads!: ThreadPool;

  constructor(plan: MemoryPlan, model: Model, layout: Layout, settings: MatrixSettings) {
    const { shapes, inertia, divided, told } = settings;
    const regions = divided ? divideFlesh(model, layout) : undivided(model);
    this.#layout = layout;
    this.#shapes = shapes;
    this.inertia = inertia;
    this.regions = regions;
    this.#system = assembleSystem(model, layout, regions);
    this.#fill();
    const flesh = layout.fleshVertices.length;
    const bones = model.bones.count * 4;
    const last = Int32Array.from({ length: bones + regions.count * 3 }, (_, i) => flesh + i);
    const places = placesOf(model, layout);
    const structure = analyse(this.#system.matrix, { last, places, partCount: partCountOf(layout.tets.length) });
    // planned first: where there is no room for the factor it need not be made
    this.solve = new SolvePlan(plan, structure);
    this.#factor = factor(structure, this.#system.matrix, { stopAtLast: true, progress: told });
    this.wide = new Float64Array(last.length * last.length);
    this.metric = regions.count === 0 ? this.wide : new Float64Array(bones * bones);
  }

  get structure(): SupernodalStructure {
    return this.#factor.structure;
  }

  /** Packs the factor once the memory exists; the bodies that share the matrix may each ask for it. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    if (this.#kernels) return;
    this.#kernels = kernels;
    this.#threads = threads;
    this.#use();
  }

  /** Factors for another time step, unless it is the current one. */
  setInertia(inertia: number): void {
    if (inertia === this.inertia) return;
    this.inertia = inertia;
    this.#fill();
    refactor(this.#factor, this.#system.matrix, { stopAtLast: true });
    this.#use();
  }

  /** The next step factors anew, and whoever depends on the factorisation starts over. */
  forget(): void {
    this.inertia = Number.NaN;
  }

  #fill(): void {
    setInertia(this.#system, this.inertia);
    const { matrix } = this.#system;
    const entry = (vertex: number) => diagonalEntry(matrix, this.#layout.fleshOfVertex[vertex]);
    this.#shapes?.addToMatrix(matrix.values, entry, this.inertia);
  }

  #use(): void {
    if (this.wide.length > 0) schurComplement(this.#factor, this.wide);
    if (this.metric !== this.wide) this.#copyMetric();
    this.solve.pack(this.#factor.values, this.#kernels!, this.#threads);
    this.version++;
  }

  /** The bones' part of what the flesh leaves. */
  #copyMetric(): void {
    const width = Math.sqrt(this.wide.length);
    const rows = Math.sqrt(this.metric.length);
    for (let i = 0; i < rows; i++) this.metric.set(this.wide.subarray(i * width, i * width + rows), i * rows);
  }
}

/** Places of the flesh's unknowns at rest, 3 each [m]. */
function placesOf({ positions }: Model, { fleshVertices }: Layout): Float64Array {
  const places = new Float64Array(fleshVertices.length * 3);
  fleshVertices.forEach((v, i) => {
    for (let k = 0; k < 3; k++) places[i * 3 + k] = positions[v * 3 + k];
  });
  return places;
}
