/**
 * A part of a lattice by itself, in memory of its own: its quads and groups of cells one after another, so that the kernels run over them
 * as over a whole body. Nodes at its edge are held. The room for its vectors is lent by the descent.
 */
import { LATTICE_OWN_BYTES } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { MovingCut } from '../../../kernels/range-runner.js';
import { CHUNK_ROWS } from '../../../kernels/reference/rows.js';
import { countGroups, type LatticeBody } from '../lattice-body.js';
import type { Vector } from '../numbers/arithmetic.js';
import { CellKernels, type CellMemory, LEAST_CHUNKS, LEAST_QUADS, LEAST_ROWS } from '../numbers/cell-kernels.js';
import { QUAD_FLOATS } from '../numbers/quad-layout.js';
import { PatchChoice } from './patch-choice.js';

/** Vectors of a part that fit into one of the body: nodes of the largest part. Its cells are a little fewer than that share of all. */
const PIECES = 3;
const CELL_SHARE = 0.3;
/** Parts smaller than this are always possible. */
const LEAST_GROUPS = 64;
/** Even slabs at most, and as many odd ones; a slab has so many groups at least. */
const SLABS = 8;
const SLAB_GROUPS = 48;
/** Parts with fewer groups than this are faster on one thread: a pass over their cells takes 10 to 60 microseconds, telling another thread of it up to 10. */
const SHARED_GROUPS = 640;
const QUAD_BYTES = 4 * QUAD_FLOATS;

/** One part at a time of one body. */
export class PatchKernels extends CellKernels {
  declare protected readonly cuts: {
    readonly slabs: readonly MovingCut[];
    readonly quads: MovingCut;
    readonly flat: MovingCut;
    readonly chunks: MovingCut;
  };
  readonly #choice: PatchChoice;
  readonly #whole: CellMemory;
  readonly #body: LatticeBody;
  readonly #room: Slot<Float32Array>[] = [];
  /** Number of each quad of the body in the part. */
  readonly #localQuad: Int32Array;

  /** `whole`: the body's memory; `lent`: vectors of the body that may be overwritten while a part is looked at. */
  constructor(plan: MemoryPlan, body: LatticeBody, whole: CellMemory, lent: readonly Vector[]) {
    const { layout } = body;
    const { groups } = countGroups(layout);
    const mostQuads = Math.floor(layout.quadCount / PIECES);
    const mostGroups = Math.min(groups, Math.max(LEAST_GROUPS, Math.ceil(CELL_SHARE * groups)));
    const looseGroups = Math.min(mostGroups, layout.looseCorners.length / 32);
    super(planPart(plan, whole, mostQuads, mostGroups, looseGroups), {
      slabs: [whole.runner.cutLater(SLABS), whole.runner.cutLater(SLABS), whole.runner.cutLater(1)],
      quads: whole.runner.cutLater(SLABS),
      flat: whole.runner.cutLater(SLABS),
      chunks: whole.runner.cutLater(SLABS),
    });
    this.#body = body;
    this.#whole = whole;
    this.#choice = new PatchChoice(layout, mostQuads, mostGroups);
    for (const vector of lent) {
      const room = vector as Slot<Float32Array>;
      for (let n = 0; n < PIECES; n++) {
        this.#room.push(plan.partOf(room, n * mostQuads * QUAD_FLOATS, mostQuads * QUAD_FLOATS));
      }
    }
    this.#localQuad = new Int32Array(layout.quadCount);
  }

  start(): void {
    this.memory.numbers.view.set(this.#whole.numbers.view);
  }

  /** Quads of the part, and their numbers in the body. */
  get quadCount(): number {
    return this.#choice.quadCount;
  }

  get quads(): Int32Array {
    return this.#choice.quads;
  }

  /** Takes the part that is farthest from rest; false where there is none. */
  choose(gradient: Vector): boolean {
    const choice = this.#choice;
    const { inverse, shift } = this.memory;
    if (!choice.choose(gradient.view, this.#whole.inverse.view)) return false;
    for (let n = 0; n < choice.quadCount; n++) {
      const quad = choice.quads[n];
      this.#localQuad[quad] = n;
      for (let lane = 0; lane < 4; lane++) {
        const place = 4 * quad + lane;
        inverse.view[4 * n + lane] = (choice.free[quad] >> lane) & 1 ? this.#whole.inverse.view[place] : 0;
        if (shift) shift.view[4 * n + lane] = this.#whole.shift!.view[place];
      }
    }
    this.#takeGroups();
    this.#cut();
    return true;
  }

  #takeGroups(): void {
    const { rows, looseCorners } = this.#body.layout;
    const { groups, groupCount } = this.#choice;
    const [own, whole] = [this.memory, this.#whole];
    const all = rows.length / 4;
    this.quadGroups = 0;
    for (let n = 0; n < groupCount; n++) {
      const group = groups[n];
      copyNumbers(own.moduli.view, 8 * n, whole.moduli.view, 8 * group, 8);
      copyNumbers(own.rotations.view, 16 * n, whole.rotations.view, 16 * group, 16);
      if (group < all) {
        this.quadGroups = n + 1;
        for (let k = 0; k < 4; k++) own.rows.view[4 * n + k] = QUAD_BYTES * this.#localQuad[rows[4 * group + k]];
        continue;
      }
      for (let k = 0; k < 32; k++) {
        const place = looseCorners[32 * (group - all) + k];
        const at = QUAD_BYTES * this.#localQuad[place >> 2] + 4 * (place & 3);
        own.loose.view[32 * (n - this.quadGroups) + k] = at;
      }
    }
  }

  /** Cuts the jobs over the part. */
  #cut(): void {
    const { runner } = this.memory;
    const { quads, flat, chunks, slabs } = this.cuts;
    this.rowCount = 3 * this.quadCount;
    runner.cutAgain(quads, this.quadCount, LEAST_QUADS);
    runner.cutAgain(flat, this.rowCount, LEAST_ROWS);
    runner.cutAgain(chunks, Math.ceil(this.rowCount / CHUNK_ROWS), LEAST_CHUNKS);
    this.#cutSlabs();
    const { groupCount } = this.#choice;
    slabs[2].parts = groupCount > this.quadGroups ? 1 : 0;
    slabs[2].bounds.view[0] = this.quadGroups;
    slabs[2].bounds.view[1] = groupCount;
  }

  /** Slabs of whole layers, even and odd in turn: between two of a kind lies one of the other, so that they share no node. */
  #cutSlabs(): void {
    const { layers } = this.#body.layout;
    const { groups } = this.#choice;
    const [even, odd] = this.cuts.slabs;
    const share = Math.max(SLAB_GROUPS, this.quadGroups / (2 * SLABS));
    even.parts = 0;
    odd.parts = 0;
    even.isSmall = this.quadGroups < SHARED_GROUPS;
    odd.isSmall = even.isSmall;
    let from = 0;
    for (let n = 1; n <= this.quadGroups; n++) {
      const isEnd = n === this.quadGroups;
      if (!isEnd && (n - from < share || layers[groups[n]] === layers[groups[n - 1]])) continue;
      const cut = even.parts > odd.parts ? odd : even;
      cut.bounds.view[2 * cut.parts] = from;
      cut.bounds.view[2 * cut.parts + 1] = n;
      cut.parts++;
      from = n;
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

  /** What inertia and ties add where the part moves from where it was: the diagonal is all there is to them. */
  addShift(x: Vector, from: Vector, gradient: Vector): number {
    const { shift } = this.memory;
    return shift ? this.addSprings(x, from, gradient, shift, 1) : 0;
  }

  /** The body goes on with the rotations found here. */
  keepRotations(): void {
    const { groups, groupCount } = this.#choice;
    for (let n = 0; n < groupCount; n++) {
      copyNumbers(this.#whole.rotations.view, 16 * groups[n], this.memory.rotations.view, 16 * n, 16);
    }
  }

  vector(): Vector {
    return this.#room.pop()!;
  }
}

function planPart(plan: MemoryPlan, whole: CellMemory, quads: number, groups: number, loose: number): CellMemory {
  return {
    runner: whole.runner,
    rows: plan.i32(4 * groups),
    loose: plan.i32(32 * loose),
    moduli: plan.f32(8 * groups),
    rotations: plan.f32(16 * groups),
    inverse: plan.f32(4 * quads),
    shift: whole.shift && plan.f32(4 * quads),
    numbers: plan.f32(8),
    own: plan.f64((SLABS * LATTICE_OWN_BYTES) / 8),
    sums: plan.f64(Math.ceil((3 * quads) / CHUNK_ROWS)),
  };
}

/** Copies without making anything: pieces are short and many. */
function copyNumbers(out: Vector['view'], to: number, from: Vector['view'], first: number, count: number): void {
  for (let n = 0; n < count; n++) out[to + n] = from[first + n];
}
