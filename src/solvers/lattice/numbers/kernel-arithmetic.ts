/**
 * The lattice solver's operations on a body by compiled kernels: vectors in f32, sums in f64, on any number of threads with the same
 * bits. Memory is planned when it is built, filled at `start`. Specified by double-arithmetic.ts.
 */
import { type KernelTable, LATTICE_OWN_BYTES } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { type Cut, RangeRunner } from '../../../kernels/range-runner.js';
import { CHUNK_ROWS } from '../../../kernels/reference/rows.js';
import type { ThreadPool } from '../../../kernels/thread-pool.js';
import { countGroups, fillCells, type LatticeBody } from '../lattice-body.js';
import { PatchKernels } from '../patch/patch-kernels.js';
import type { Arithmetic, Vector, VolumeRatios } from './arithmetic.js';
import { type CellCuts, CellKernels, type CellMemory, LEAST_CHUNKS, LEAST_QUADS, LEAST_ROWS } from './cell-kernels.js';
import { CoarseKernels } from './coarse-kernels.js';

/** Operations on one body. */
export class KernelArithmetic extends CellKernels implements Arithmetic {
  readonly coarse: CoarseKernels['vectors'];
  readonly #plan: MemoryPlan;
  readonly #body: LatticeBody;
  readonly #levels: CoarseKernels;
  /** The shift of the Laplacian itself, but where soft bones add to it. */
  readonly #inertia: Slot<Float32Array> | undefined;
  #parts: PatchKernels | undefined;

  constructor(plan: MemoryPlan, body: LatticeBody) {
    const runner = new RangeRunner(plan);
    const cuts = cutBody(runner, body);
    const memory = planBody(plan, runner, body, cuts);
    super(memory, cuts);
    this.#plan = plan;
    this.#body = body;
    this.quadGroups = countGroups(body.layout).quadGroups;
    this.rowCount = body.vectorLength / 4;
    const isSame = body.nodeShift === body.nodeInertia;
    this.#inertia = isSame ? memory.shift : body.nodeInertia && plan.f32(4 * body.layout.quadCount);
    this.#levels = new CoarseKernels(plan, body, runner);
    this.coarse = this.#levels.vectors;
  }

  get rotations(): Slot<Float32Array> {
    return this.memory.rotations;
  }

  /** Fills the memory once it exists. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    const { layout, inverseDiagonal, nodeInertia, nodeShift, law } = this.#body;
    const { runner, rows, loose, moduli, rotations, inverse, shift, numbers } = this.memory;
    runner.start(threads);
    fillCells(this.#body, { rows: rows.view, loose: loose.view, moduli: moduli.view, quats: rotations.view });
    layout.placeOfNode.forEach((place, node) => {
      inverse.view[place] = inverseDiagonal[node];
      if (shift && nodeShift) shift.view[place] = nodeShift[node];
      if (this.#inertia && nodeInertia) this.#inertia.view[place] = nodeInertia[node];
    });
    numbers.view.set([law.h, law.kappa, law.volume === 'determinant' ? 1 : 0, -1]);
    this.#levels.start(kernels, threads);
    this.#parts?.start();
  }

  lookAtParts(lent: readonly Vector[]): PatchKernels {
    this.#parts = new PatchKernels(this.#plan, this.#body, this.memory, lent);
    return this.#parts;
  }

  vector(): Vector {
    return this.#plan.f32(this.#body.vectorLength);
  }

  addInertia(x: Vector, target: Vector, gradient: Vector, scale: number): number {
    return this.#inertia ? this.addSprings(x, target, gradient, this.#inertia, scale) : 0;
  }

  volumes(x: Vector): VolumeRatios {
    const { runner, own, rows, loose, moduli, numbers } = this.memory;
    const { quadGroups } = this;
    let [sum, least, inverted] = [0, Infinity, 0];
    for (const cut of this.cuts.slabs) {
      const [from, row, corner, law] = [x.address, rows.address, loose.address, numbers.address];
      const stride = LATTICE_OWN_BYTES;
      runner.run('latticeVolumes', cut, own.address, stride, from, quadGroups, row, corner, moduli.address, law);
      for (let part = 0; part < cut.parts; part++) {
        const at = (part * stride) / 8;
        sum += own.view[at];
        least = Math.min(least, own.view[at + 1]);
        inverted += own.view[at + 2];
      }
    }
    return { mean: sum / (this.#body.lattice.cells.length / 3), least, inverted };
  }

  coarseResidual(level: number, b: Vector, x: Vector, out: Vector): void {
    this.#levels.residual(level, b, x, out);
  }

  coarseRelax(level: number, z: Vector, r: Vector, factor: number, keep: 0 | 1): void {
    this.#levels.relax(level, z, r, this.setNumbers(factor, keep));
  }

  restrict(level: number, fine: Vector, coarse: Vector): void {
    this.#levels.restrict(level, fine, coarse);
  }

  prolong(level: number, coarse: Vector, fine: Vector): void {
    this.#levels.prolong(level, coarse, fine);
  }

  solveLast(b: Vector, x: Vector): void {
    this.#levels.solveLast(b, x);
  }
}

function cutBody(runner: RangeRunner, { layout, vectorLength }: LatticeBody): CellCuts {
  const chunks = Math.ceil(vectorLength / 4 / CHUNK_ROWS);
  return {
    slabs: cutSlabs(runner, layout),
    quads: runner.cutEvenly(layout.quadCount, LEAST_QUADS),
    flat: runner.cutEvenly(vectorLength / 4, LEAST_ROWS),
    chunks: runner.cutEvenly(chunks, LEAST_CHUNKS),
  };
}

/** Even slabs, odd slabs, and what lies loose. Large slabs first: who is done early takes a small one. */
function cutSlabs(runner: RangeRunner, layout: LatticeBody['layout']): Cut[] {
  const { slabStart } = layout;
  const { groups, quadGroups } = countGroups(layout);
  const slabs = Array.from(slabStart.subarray(1), (end, slab) => [slabStart[slab], end]);
  const kinds = [0, 1].map((odd) => slabs.filter((_, slab) => slab % 2 === odd));
  for (const kind of kinds) kind.sort((a, b) => b[1] - b[0] - (a[1] - a[0]) || a[0] - b[0]);
  const loose = groups > quadGroups ? [quadGroups, groups] : [];
  return [...kinds.map((kind) => kind.flat()), loose].map((list) => runner.cutAt(list));
}

function planBody(plan: MemoryPlan, runner: RangeRunner, body: LatticeBody, cuts: CellCuts): CellMemory {
  const { layout } = body;
  const { groups } = countGroups(layout);
  const most = Math.max(8, ...cuts.slabs.map(({ parts }) => parts));
  return {
    runner,
    rows: plan.i32(layout.rows.length),
    loose: plan.i32(layout.looseCorners.length),
    moduli: plan.f32(8 * groups),
    rotations: plan.f32(16 * groups),
    inverse: plan.f32(4 * layout.quadCount),
    shift: body.nodeShift && plan.f32(4 * layout.quadCount),
    numbers: plan.f32(8),
    own: plan.f64((most * LATTICE_OWN_BYTES) / 8),
    sums: plan.f64(Math.ceil(body.vectorLength / 4 / CHUNK_ROWS)),
  };
}
