/**
 * The lattice solver's operations by compiled kernels: vectors in f32, sums in f64, on any number of threads with the same
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
import { CoarseKernels } from './coarse-kernels.js';

/** Operations on one body. */
export class KernelArithmetic implements Arithmetic {
  readonly rounding = 1e-7;
  readonly coarse: CoarseKernels['vectors'];
  readonly rotations: Slot<Float32Array>;
  readonly #plan: MemoryPlan;
  readonly #body: LatticeBody;
  readonly #runner: RangeRunner;
  readonly #levels: CoarseKernels;
  readonly #quadGroups: number;
  readonly #rows: Slot<Int32Array>;
  readonly #loose: Slot<Int32Array>;
  readonly #moduli: Slot<Float32Array>;
  readonly #inverse: Slot<Float32Array>;
  readonly #inertia: Slot<Float32Array> | undefined;
  /** What the Laplacian has beside its cells: the inertia itself, but where soft bones add to it. */
  readonly #shift: Slot<Float32Array> | undefined;
  readonly #numbers: Slot<Float32Array>;
  readonly #own: Slot<Float64Array>;
  readonly #sums: Slot<Float64Array>;
  readonly #slabs: readonly Cut[];
  readonly #quads: Cut;
  readonly #flat: Cut;
  readonly #chunks: Cut;
  #parts: PatchKernels | undefined;

  constructor(plan: MemoryPlan, body: LatticeBody) {
    this.#plan = plan;
    this.#body = body;
    const { layout } = body;
    const { groups, quadGroups } = countGroups(layout);
    this.#quadGroups = quadGroups;
    this.#runner = new RangeRunner(plan);
    this.#rows = plan.i32(layout.rows.length);
    this.#loose = plan.i32(layout.looseCorners.length);
    this.#moduli = plan.f32(8 * groups);
    this.rotations = plan.f32(16 * groups);
    this.#inverse = plan.f32(4 * layout.quadCount);
    this.#inertia = body.nodeInertia && plan.f32(4 * layout.quadCount);
    this.#shift = body.nodeShift === body.nodeInertia ? this.#inertia : plan.f32(4 * layout.quadCount);
    this.#numbers = plan.f32(8);
    this.#slabs = this.#cutSlabs(groups);
    const most = Math.max(8, ...this.#slabs.map(({ parts }) => parts));
    this.#own = plan.f64((most * LATTICE_OWN_BYTES) / 8);
    this.#quads = this.#runner.cutEvenly(layout.quadCount);
    this.#flat = this.#runner.cutEvenly(body.vectorLength / 4);
    const chunks = Math.ceil(body.vectorLength / 4 / CHUNK_ROWS);
    this.#chunks = this.#runner.cutAt(Array.from({ length: chunks }, (_, c) => [c, c + 1]).flat());
    this.#sums = plan.f64(chunks);
    this.#levels = new CoarseKernels(plan, body, this.#runner);
    this.coarse = this.#levels.vectors;
  }

  /** Even slabs, odd slabs, and what lies loose: each free of conflicts within itself. */
  #cutSlabs(groups: number): Cut[] {
    const { slabStart } = this.#body.layout;
    const pairs: number[][] = [[], []];
    for (let slab = 0; slab + 1 < slabStart.length; slab++) pairs[slab & 1].push(slabStart[slab], slabStart[slab + 1]);
    pairs.push(groups > this.#quadGroups ? [this.#quadGroups, groups] : []);
    return pairs.map((list) => this.#runner.cutAt(list));
  }

  /** Fills the memory once it exists. */
  start(kernels: KernelTable, threads: ThreadPool): void {
    const { layout, inverseDiagonal, nodeInertia, nodeShift, law } = this.#body;
    this.#runner.start(threads);
    fillCells(this.#body, {
      rows: this.#rows.view,
      loose: this.#loose.view,
      moduli: this.#moduli.view,
      quats: this.rotations.view,
    });
    layout.placeOfNode.forEach((place, node) => {
      this.#inverse.view[place] = inverseDiagonal[node];
      if (this.#shift && nodeShift) this.#shift.view[place] = nodeShift[node];
      if (this.#inertia && nodeInertia) this.#inertia.view[place] = nodeInertia[node];
    });
    this.#numbers.view.set([law.h, law.kappa, law.volume === 'determinant' ? 1 : 0, -1]);
    this.#levels.start(kernels, threads);
    this.#parts?.start(kernels);
  }

  lookAtParts(lent: readonly Vector[]): PatchKernels {
    const sources = {
      moduli: this.#moduli,
      rotations: this.rotations,
      inverse: this.#inverse,
      shift: this.#shift,
      numbers: this.#numbers,
    };
    this.#parts = new PatchKernels(this.#plan, this.#body, sources, lent);
    return this.#parts;
  }

  vector(): Vector {
    return this.#plan.f32(this.#body.vectorLength);
  }

  elastic(x: Vector, gradient: Vector, withHeld = false): number {
    gradient.view.fill(0);
    let energy = 0;
    for (const cut of this.#slabs) {
      this.#runner.run(
        'latticeElastic',
        cut,
        this.#own.address,
        LATTICE_OWN_BYTES,
        x.address,
        gradient.address,
        this.#quadGroups,
        this.#rows.address,
        this.#loose.address,
        this.#moduli.address,
        this.rotations.address,
        this.#numbers.address,
      );
      for (let part = 0; part < cut.parts; part++) energy += this.#own.view[(part * LATTICE_OWN_BYTES) / 8];
    }
    if (!withHeld) this.hold(gradient);
    return energy;
  }

  hold(gradient: Vector): void {
    this.#runner.run('latticeHold', this.#quads, 0, 0, gradient.address, this.#inverse.address);
  }

  addInertia(x: Vector, target: Vector, gradient: Vector, scale: number): number {
    if (!this.#inertia) return 0;
    const [own, weights] = [this.#own.address, this.#inertia.address];
    const cut = this.#quads;
    const numbers = this.#setNumbers(scale, 0);
    const [from, to, out] = [x.address, target.address, gradient.address];
    this.#runner.run('latticeInertia', cut, own, LATTICE_OWN_BYTES, from, to, out, weights, numbers);
    let energy = 0;
    for (let part = 0; part < cut.parts; part++) energy += this.#own.view[(part * LATTICE_OWN_BYTES) / 8];
    return energy;
  }

  volumes(x: Vector): VolumeRatios {
    let [sum, least, inverted] = [0, Infinity, 0];
    for (const cut of this.#slabs) {
      const [own, rows, loose] = [this.#own.address, this.#rows.address, this.#loose.address];
      const [moduli, law] = [this.#moduli.address, this.#numbers.address];
      this.#runner.run(
        'latticeVolumes',
        cut,
        own,
        LATTICE_OWN_BYTES,
        x.address,
        this.#quadGroups,
        rows,
        loose,
        moduli,
        law,
      );
      for (let part = 0; part < cut.parts; part++) {
        const at = (part * LATTICE_OWN_BYTES) / 8;
        sum += this.#own.view[at];
        least = Math.min(least, this.#own.view[at + 1]);
        inverted += this.#own.view[at + 2];
      }
    }
    return { mean: sum / (this.#body.lattice.cells.length / 3), least, inverted };
  }

  residual(b: Vector, x: Vector, out: Vector): void {
    out.view.set(b.view);
    for (const cut of this.#slabs) {
      this.#runner.run(
        'latticeLaplacian',
        cut,
        this.#own.address,
        LATTICE_OWN_BYTES,
        x.address,
        out.address,
        this.#quadGroups,
        this.#rows.address,
        this.#loose.address,
        this.#moduli.address,
        this.#numbers.address,
      );
    }
    if (this.#shift) this.#weigh(out, this.#shift, -1, x);
  }

  /** out = b - K x, K the warped stiffness at the rotations as they are; for the cycles of the paper. */
  stiffnessResidual(b: Vector, x: Vector, out: Vector): void {
    out.view.set(b.view);
    for (const cut of this.#slabs) {
      this.#runner.run(
        'latticeStiffness',
        cut,
        this.#own.address,
        LATTICE_OWN_BYTES,
        x.address,
        out.address,
        this.#quadGroups,
        this.#rows.address,
        this.#loose.address,
        this.#moduli.address,
        this.rotations.address,
        this.#numbers.address,
      );
    }
  }

  relax(z: Vector, r: Vector, factor: number, keep: 0 | 1): void {
    const numbers = this.#setNumbers(factor, keep);
    this.#runner.run('latticeRelax', this.#quads, 0, 0, z.address, r.address, this.#inverse.address, numbers);
  }

  coarseResidual(level: number, b: Vector, x: Vector, out: Vector): void {
    this.#levels.residual(level, b, x, out);
  }

  coarseRelax(level: number, z: Vector, r: Vector, factor: number, keep: 0 | 1): void {
    this.#levels.relax(level, z, r, this.#setNumbers(factor, keep));
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

  dot(a: Vector, b: Vector): number {
    const rows = this.#body.vectorLength / 4;
    this.#runner.run('dotRows', this.#chunks, rows, 0, a.address, b.address, this.#sums.address);
    let sum = 0;
    for (let chunk = 0; chunk < this.#sums.length; chunk++) sum += this.#sums.view[chunk];
    return sum;
  }

  addScaled(y: Vector, scale: number, x: Vector): void {
    this.move(y, y, scale, x);
  }

  copy(out: Vector, a: Vector): void {
    out.view.set(a.view);
  }

  move(out: Vector, x: Vector, scale: number, d: Vector): void {
    this.#runner.run('latticeMove', this.#flat, 0, 0, out.address, x.address, d.address, this.#setNumbers(scale, 0));
  }

  largest(d: Vector): number {
    this.#runner.run('latticeLargest', this.#quads, this.#own.address, LATTICE_OWN_BYTES, d.address);
    let most = 0;
    for (let part = 0; part < this.#quads.parts; part++) {
      most = Math.max(most, this.#own.view[(part * LATTICE_OWN_BYTES) / 8]);
    }
    return Math.sqrt(most);
  }

  #weigh(out: Vector, weights: Slot<Float32Array>, scale: number, x: Vector): void {
    const numbers = this.#setNumbers(scale, 0);
    this.#runner.run('latticeWeigh', this.#quads, 0, 0, out.address, weights.address, x.address, numbers);
  }

  /** Puts scalars where kernels read them; behind the law of the cells. */
  #setNumbers(first: number, second: number): number {
    this.#numbers.view[4] = first;
    this.#numbers.view[5] = second;
    return this.#numbers.address + 16;
  }
}
