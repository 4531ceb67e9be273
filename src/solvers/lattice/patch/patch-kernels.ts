/**
 * A part of a lattice by itself, in memory of its own: its quads and groups of cells one after another, so that the kernels run over them
 * as over a whole body, on one thread. Nodes at its edge are held. The room for its vectors is lent by the descent.
 */
import { type KernelTable, LATTICE_OWN_BYTES } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import { CHUNK_ROWS } from '../../../kernels/reference/rows.js';
import { countGroups, type LatticeBody } from '../lattice-body.js';
import type { DescentArithmetic, Vector } from '../numbers/arithmetic.js';
import { QUAD_FLOATS } from '../numbers/quad-layout.js';
import { PatchChoice } from './patch-choice.js';

/** What a part is copied from. */
export interface PatchSources {
  readonly moduli: Slot<Float32Array>;
  readonly rotations: Slot<Float32Array>;
  readonly inverse: Slot<Float32Array>;
  readonly shift: Slot<Float32Array> | undefined;
  readonly numbers: Slot<Float32Array>;
}

/** Largest part, as a share of the body; so many vectors of it fit into one of the body. */
const PIECES = 3;
/** Parts smaller than this are always possible. */
const LEAST_GROUPS = 64;
const QUAD_BYTES = 4 * QUAD_FLOATS;

/** One part at a time of one body. */
export class PatchKernels implements DescentArithmetic {
  readonly rounding = 1e-7;
  readonly #choice: PatchChoice;
  readonly #sources: PatchSources;
  readonly #body: LatticeBody;
  readonly #room: Slot<Float32Array>[] = [];
  readonly #rows: Slot<Int32Array>;
  readonly #loose: Slot<Int32Array>;
  readonly #moduli: Slot<Float32Array>;
  readonly #rotations: Slot<Float32Array>;
  readonly #inverse: Slot<Float32Array>;
  readonly #shift: Slot<Float32Array> | undefined;
  readonly #numbers: Slot<Float32Array>;
  readonly #own: Slot<Float64Array>;
  readonly #sums: Slot<Float64Array>;
  /** Number of each quad of the body in the part. */
  readonly #localQuad: Int32Array;
  #kernels!: KernelTable;
  #quadGroups = 0;

  /** `lent`: vectors of the body that may be overwritten while a part is looked at. */
  constructor(plan: MemoryPlan, body: LatticeBody, sources: PatchSources, lent: readonly Vector[]) {
    const { layout } = body;
    const { groups } = countGroups(layout);
    const mostQuads = Math.floor(layout.quadCount / PIECES);
    const mostGroups = Math.min(groups, Math.max(LEAST_GROUPS, Math.ceil(groups / PIECES)));
    this.#body = body;
    this.#sources = sources;
    this.#choice = new PatchChoice(layout, mostQuads, mostGroups);
    for (const vector of lent) {
      const whole = vector as Slot<Float32Array>;
      for (let n = 0; n < PIECES; n++) {
        this.#room.push(plan.partOf(whole, n * mostQuads * QUAD_FLOATS, mostQuads * QUAD_FLOATS));
      }
    }
    this.#rows = plan.i32(4 * mostGroups);
    this.#loose = plan.i32(32 * Math.min(mostGroups, layout.looseCorners.length / 32));
    this.#moduli = plan.f32(8 * mostGroups);
    this.#rotations = plan.f32(16 * mostGroups);
    this.#inverse = plan.f32(4 * mostQuads);
    this.#shift = sources.shift && plan.f32(4 * mostQuads);
    this.#numbers = plan.f32(8);
    this.#own = plan.f64(LATTICE_OWN_BYTES / 8);
    this.#sums = plan.f64(Math.ceil((3 * mostQuads) / CHUNK_ROWS));
    this.#localQuad = new Int32Array(layout.quadCount);
  }

  start(kernels: KernelTable): void {
    this.#kernels = kernels;
    this.#numbers.view.set(this.#sources.numbers.view);
  }

  /** Quads of the part, and their numbers in the body. */
  get quadCount(): number {
    return this.#choice.quadCount;
  }

  get quads(): Int32Array {
    return this.#choice.quads;
  }

  /** What inertia and ties add to the diagonal, four numbers per quad; undefined for nothing. */
  get shift(): Float32Array | undefined {
    return this.#shift?.view;
  }

  /** Takes the part that is farthest from rest; false where there is none. */
  choose(gradient: Vector): boolean {
    const choice = this.#choice;
    if (!choice.choose(gradient.view, this.#sources.inverse.view)) return false;
    for (let n = 0; n < choice.quadCount; n++) {
      const quad = choice.quads[n];
      this.#localQuad[quad] = n;
      for (let lane = 0; lane < 4; lane++) {
        const place = 4 * quad + lane;
        this.#inverse.view[4 * n + lane] = (choice.free[quad] >> lane) & 1 ? this.#sources.inverse.view[place] : 0;
        if (this.#shift) this.#shift.view[4 * n + lane] = this.#sources.shift!.view[place];
      }
    }
    this.#takeGroups();
    return true;
  }

  #takeGroups(): void {
    const { rows, looseCorners } = this.#body.layout;
    const { groups, groupCount } = this.#choice;
    const all = rows.length / 4;
    this.#quadGroups = 0;
    for (let n = 0; n < groupCount; n++) {
      const group = groups[n];
      copyNumbers(this.#moduli.view, 8 * n, this.#sources.moduli.view, 8 * group, 8);
      copyNumbers(this.#rotations.view, 16 * n, this.#sources.rotations.view, 16 * group, 16);
      if (group < all) {
        this.#quadGroups = n + 1;
        for (let k = 0; k < 4; k++) this.#rows.view[4 * n + k] = QUAD_BYTES * this.#localQuad[rows[4 * group + k]];
        continue;
      }
      for (let k = 0; k < 32; k++) {
        const place = looseCorners[32 * (group - all) + k];
        const at = QUAD_BYTES * this.#localQuad[place >> 2] + 4 * (place & 3);
        this.#loose.view[32 * (n - this.#quadGroups) + k] = at;
      }
    }
  }

  /** local = the part's share of a vector of the body. */
  gather(whole: Vector, local: Vector): void {
    for (let n = 0; n < this.quadCount; n++) copyNumbers(local.view, 12 * n, whole.view, 12 * this.quads[n], 12);
  }

  /** The other way: writes the part's share into a vector of the body. */
  scatter(local: Vector, whole: Vector): void {
    for (let n = 0; n < this.quadCount; n++) copyNumbers(whole.view, 12 * this.quads[n], local.view, 12 * n, 12);
  }

  /** The body goes on with the rotations found here. */
  keepRotations(): void {
    const { groups, groupCount } = this.#choice;
    for (let n = 0; n < groupCount; n++) {
      copyNumbers(this.#sources.rotations.view, 16 * groups[n], this.#rotations.view, 16 * n, 16);
    }
  }

  vector(): Vector {
    return this.#room.pop()!;
  }

  elastic(x: Vector, gradient: Vector): number {
    const { groupCount, quadCount } = this.#choice;
    gradient.view.fill(0, 0, QUAD_FLOATS * quadCount);
    this.#kernels.latticeElastic(
      0,
      groupCount,
      this.#own.address,
      x.address,
      gradient.address,
      this.#quadGroups,
      this.#rows.address,
      this.#loose.address,
      this.#moduli.address,
      this.#rotations.address,
      this.#numbers.address,
    );
    this.hold(gradient);
    return this.#own.view[0];
  }

  hold(gradient: Vector): void {
    this.#kernels.latticeHold(0, this.quadCount, 0, gradient.address, this.#inverse.address);
  }

  /** out = b - A x, A the Laplacian. */
  residual(b: Vector, x: Vector, out: Vector): void {
    this.copy(out, b);
    this.#kernels.latticeLaplacian(
      0,
      this.#choice.groupCount,
      this.#own.address,
      x.address,
      out.address,
      this.#quadGroups,
      this.#rows.address,
      this.#loose.address,
      this.#moduli.address,
      this.#numbers.address,
    );
    if (!this.#shift) return;
    const numbers = this.#setNumbers(-1, 0);
    this.#kernels.latticeWeigh(0, this.quadCount, 0, out.address, this.#shift.address, x.address, numbers);
  }

  /** z = keep z + factor D⁻¹ r. */
  relax(z: Vector, r: Vector, factor: number, keep: number): void {
    const numbers = this.#setNumbers(factor, keep);
    this.#kernels.latticeRelax(0, this.quadCount, 0, z.address, r.address, this.#inverse.address, numbers);
  }

  dot(a: Vector, b: Vector): number {
    const rows = 3 * this.quadCount;
    const chunks = Math.ceil(rows / CHUNK_ROWS);
    this.#kernels.dotRows(0, chunks, rows, a.address, b.address, this.#sums.address);
    let sum = 0;
    for (let chunk = 0; chunk < chunks; chunk++) sum += this.#sums.view[chunk];
    return sum;
  }

  addScaled(y: Vector, scale: number, x: Vector): void {
    this.move(y, y, scale, x);
  }

  copy(out: Vector, a: Vector): void {
    this.move(out, a, 0, a);
  }

  move(out: Vector, x: Vector, scale: number, d: Vector): void {
    const numbers = this.#setNumbers(scale, 0);
    this.#kernels.latticeMove(0, 3 * this.quadCount, 0, out.address, x.address, d.address, numbers);
  }

  largest(d: Vector): number {
    this.#kernels.latticeLargest(0, this.quadCount, this.#own.address, d.address);
    return Math.sqrt(this.#own.view[0]);
  }

  #setNumbers(first: number, second: number): number {
    this.#numbers.view[4] = first;
    this.#numbers.view[5] = second;
    return this.#numbers.address + 16;
  }
}

/** Copies without making anything: pieces are short and many. */
function copyNumbers(out: Vector['view'], to: number, from: Vector['view'], first: number, count: number): void {
  for (let n = 0; n < count; n++) out[to + n] = from[first + n];
}
