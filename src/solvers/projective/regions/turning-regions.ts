/**
 * Regions of flesh that turn as one. The constant matrix resists every turn of a tet as it does a strain, because the rotations of the local step
 * are held while it is solved: what swings as a whole, a head, a hand, the flesh around a bone, converges slowly for that reason alone. Here the
 * rotations of each region follow a turn Ω that is found together with flesh and bones. A region has three rows in the matrix, the
 * columns r_j of its rotation, which move by Ω × r_j. With S the Schur complement of the flesh, bones' rows δ and regions' rows,
 *
 *     min ½⟨δ, S δ⟩ + Ω·Cᵀδ + ½ Ω·H Ω − ⟨b, δ⟩ − t·Ω        Ω = H⁻¹(t − Cᵀδ),   (S − C H⁻¹Cᵀ) δ = b − C H⁻¹ t
 *
 * Cᵀδ = Σ u × δ over the bones' rows. H, C and what they take off the bones' metric are those of the step's start; called by the global step.
 */
import type { Model } from '../../../body/model.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import type { ConstantMatrix } from '../constant-matrix.js';
import type { Layout } from '../layout.js';
import { easedColumns } from './eased-columns.js';
import { RegionFrames } from './region-frames.js';
import { RegionMatrices } from './region-matrices.js';

/**
 * How much a region resists turning per disorder of its tets: to a tet that is turned by θ against its region, the region's turn is a change of volume of sin θ,
 * and the matrix must not resist that less than the tet does.
 */
const DISORDERED = 3;

/**
 * How far a bone may turn before what regions take off its metric is made anew, as a change of its rotation. What is left of the metric is little more than
 * inertia, a tenth or less of what is taken off: taken off askew it leaves less than nothing, and a dog that landed on its feet flew apart.
 */
const TURNED = 0.05;
/** The same for bones that are points or lines: next to nothing holds them from spinning, so they go that far in any solve, and where they are small next to nothing is left of their metric. */
const THIN_TURNED = 0;

/** Finds how the regions of a body turn. */
export class TurningRegions {
  /** The three columns of each region's rotation at the start of the step, one after the other. */
  readonly columns: Float64Array;
  /** Change of the regions' rows in the last solve, three rows of three per region. */
  readonly change: Float64Array;
  readonly count: number;
  readonly matrices: RegionMatrices;
  /** Rotations of the bones that what they feel of regions was made for. */
  readonly #easedFor: Float64Array;
  /** How far each bone may turn from those. */
  readonly #mostTurned: Float64Array;
  readonly #matrix: ConstantMatrix;
  readonly #frames: RegionFrames;
  /** Rows of bones. */
  readonly #rows: number;
  /** u of each bone row and region. */
  readonly #arms: Float64Array;
  readonly #block = new Float64Array(9);

  constructor(plan: MemoryPlan, model: Model, layout: Layout, matrix: ConstantMatrix) {
    const { count } = matrix.regions;
    this.#matrix = matrix;
    this.#frames = new RegionFrames(model, layout, matrix.regions);
    this.count = count;
    this.columns = this.#frames.columns;
    this.#rows = model.bones.count * 4;
    this.change = new Float64Array(count * 9);
    this.matrices = new RegionMatrices(plan, count, model.bones.count);
    this.#easedFor = new Float64Array(model.bones.count * 9);
    this.#mostTurned = Float64Array.from(model.bones.rank, (rank) => (rank < 2 ? THIN_TURNED : TURNED));
    this.#arms = new Float64Array(this.#rows * count * 3);
  }

  /** Takes up the memory once it exists. */
  start(kernels: KernelTable): void {
    this.matrices.start(kernels);
  }

  /** A step begins at these positions and rotations of the bones. */
  begin(positions: Float64Array, rotations: Float64Array): void {
    this.#frames.read(positions);
    this.#assemble();
    this.matrices.invert();
    if (this.#rows === 0) return;
    this.#readArms();
    this.easeFor(rotations);
  }

  /** What their turning takes off the metric of bones that are turned like this by now, six rows and columns per bone, in the bones' axes. */
  easedAt(rotations: Float64Array): Float64Array {
    for (let bone = 0; bone < this.#mostTurned.length; bone++) {
      if (!this.#hasTurned(rotations, bone)) continue;
      this.easeFor(rotations);
      break;
    }
    return this.matrices.eased.view;
  }

  #hasTurned(rotations: Float64Array, bone: number): boolean {
    const most = this.#mostTurned[bone];
    for (let i = bone * 9; i < bone * 9 + 9; i++) {
      if (Math.abs(rotations[i] - this.#easedFor[i]) > most) return true;
    }
    return false;
  }

  /** Makes it for these rotations. */
  easeFor(rotations: Float64Array): void {
    this.#easedFor.set(rotations.subarray(0, this.#easedFor.length));
    easedColumns(this.matrices.columns.view, this.#rows / 4, this.#arms, this.count, rotations);
    this.matrices.ease();
  }

  /** H = Σ S_ij (r_i·r_j 1 − r_j r_iᵀ) for each pair of regions, and what holds a region back. */
  #assemble(): void {
    const { values, origin } = this.matrices.resisting;
    const { disorder, stiffness } = this.#frames;
    const block = this.#block;
    for (let a = 0; a < this.count; a++) {
      for (let b = 0; b <= a; b++) {
        this.#turnBlock(a, b);
        const trace = block[0] + block[4] + block[8];
        for (let p = 0; p < 3; p++) {
          const at = origin[a * 3 + p] + b * 3;
          for (let q = 0; q < (a === b ? p + 1 : 3); q++) values[at + q] = (p === q ? trace : 0) - block[p * 3 + q];
          if (a === b) values[at + p] += DISORDERED * disorder[a] * stiffness[a];
        }
      }
    }
  }

  /** Σ S_ij r_j r_iᵀ, i of region a and j of region b. */
  #turnBlock(a: number, b: number): void {
    const { wide } = this.#matrix;
    const { columns } = this.#frames;
    const block = this.#block;
    const width = this.#rows + this.count * 3;
    const s = (this.#rows + a * 3) * width + this.#rows + b * 3;
    for (let p = 0; p < 3; p++) {
      const o = b * 9 + p;
      const x = columns[o];
      const y = columns[o + 3];
      const z = columns[o + 6];
      const first = wide[s] * x + wide[s + 1] * y + wide[s + 2] * z;
      const second = wide[s + width] * x + wide[s + width + 1] * y + wide[s + width + 2] * z;
      const third = wide[s + 2 * width] * x + wide[s + 2 * width + 1] * y + wide[s + 2 * width + 2] * z;
      for (let q = 0; q < 3; q++) {
        const r = a * 9 + q;
        block[p * 3 + q] = first * columns[r] + second * columns[r + 3] + third * columns[r + 6];
      }
    }
  }

  /** u = Σ S_ij r_j for each row i of the bones, j over the rows of a region. */
  #readArms(): void {
    const { wide } = this.#matrix;
    const { columns } = this.#frames;
    const width = this.#rows + this.count * 3;
    for (let i = 0; i < this.#rows; i++) {
      for (let a = 0; a < this.count; a++) {
        const s = i * width + this.#rows + a * 3;
        const to = (i * this.count + a) * 3;
        for (let k = 0; k < 3; k++) {
          const o = a * 9 + k;
          this.#arms[to + k] = wide[s] * columns[o] + wide[s + 1] * columns[o + 3] + wide[s + 2] * columns[o + 6];
        }
        this.matrices.setArm(i, a, this.#arms[to], this.#arms[to + 1], this.#arms[to + 2]);
      }
    }
  }

  /** pull −= C H⁻¹ t, t being what the forward sweep left in the regions' rows of y, which begin after the bones' at `first`. */
  takeTurns(pull: Float64Array, y: Float32Array, first: number): void {
    this.#readMoments(y, first);
    this.matrices.turn();
    this.addPush(pull);
  }

  /** pull += C H⁻¹ Cᵀ δ for a change δ of the bones' rows. */
  easePull(pull: Float64Array, change: Float64Array): void {
    this.matrices.moments.view.fill(0);
    this.#subtractFelt(change);
    this.matrices.turn();
    this.addPush(pull);
  }

  /** Finds the turns once the bones have changed, y and `first` as above; fills `change`. */
  solve(y: Float32Array, first: number, bones: Float64Array): void {
    this.#readMoments(y, first);
    if (this.#rows > 0) this.#subtractFelt(bones);
    this.matrices.turn();
    const out = this.change;
    const turns = this.matrices.turns.view;
    const { columns } = this.#frames;
    for (let a = 0; a < this.count; a++) {
      const x = turns[a * 3];
      const u = turns[a * 3 + 1];
      const v = turns[a * 3 + 2];
      for (let o = a * 9; o < a * 9 + 9; o += 3) {
        out[o] = u * columns[o + 2] - v * columns[o + 1];
        out[o + 1] = v * columns[o] - x * columns[o + 2];
        out[o + 2] = x * columns[o + 1] - u * columns[o];
      }
    }
  }

  /** The regions stay as they are. */
  hold(): void {
    this.change.fill(0);
  }

  /** out −= what the turns last found push the bones' rows with. */
  addPush(out: Float64Array): void {
    this.matrices.pushBones();
    const push = this.matrices.push.view;
    for (let i = 0; i < push.length; i++) out[i] -= push[i];
  }

  /** moments −= Cᵀ δ. */
  #subtractFelt(change: Float64Array): void {
    const { matrices } = this;
    matrices.change.view.set(change);
    matrices.feelBones();
    const moments = matrices.moments.view;
    const turns = matrices.turns.view;
    for (let i = 0; i < moments.length; i++) moments[i] -= turns[i];
  }

  /** t: what y turns each region with. */
  #readMoments(y: Float32Array, first: number): void {
    const { columns } = this.#frames;
    const moments = this.matrices.moments.view;
    moments.fill(0);
    for (let a = 0; a < this.count * 3; a += 3) {
      for (let i = a; i < a + 3; i++) {
        const row = (first + this.#rows + i) * 4;
        const o = i * 3;
        moments[a] += columns[o + 1] * y[row + 2] - columns[o + 2] * y[row + 1];
        moments[a + 1] += columns[o + 2] * y[row] - columns[o] * y[row + 2];
        moments[a + 2] += columns[o] * y[row + 1] - columns[o + 1] * y[row];
      }
    }
  }
}
