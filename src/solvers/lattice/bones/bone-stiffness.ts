/**
 * How flesh between bones resists their moves, where flesh is now: the elastic part of Schur's complement, in turns and shifts of the bones (own
 * axes, six numbers each). Only cells that follow several bones count, and of these at most a few hundred, evenly chosen. The strain of a move is
 *
 *     sym(Fᵀ dF),   energy V (2 μ |strain|² + λ tr² strain) / 2
 *
 * which knows that turning everything costs nothing. The Laplacian, which does not, makes bones turn through honey: a pendulum of stiff flesh
 * swung four times too slowly. Filled once per step; used by free-bones.ts.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { LatticeBody } from '../lattice-body.js';
import type { Reals } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { BONES_PER_NODE, type BoneWeights } from './harmonic-weights.js';

/** Cells that are looked at, at most: what more of them tell is not worth their time. */
const MOST_CELLS = 400;
/** A cell follows one bone alone where its weight is above this at all corners. */
const ALONE = 0.999;
/** Bones of a cell, at most: four per corner, of which most are the same. */
const BONES_PER_CELL = 8;
/** Numbers of a strain: three along the axes, three across. */
const STRAIN = 6;

/** The flesh of one body. */
export class BoneStiffness {
  readonly #count: number;
  readonly #cells: readonly number[];
  /** Cells that each of them stands for. */
  readonly #stride: number;
  readonly #body: LatticeBody;
  readonly #weights: BoneWeights;
  readonly #ofNode: Int32Array;
  readonly #bones = new Int32Array(BONES_PER_CELL);
  readonly #corner = new Float64Array(8 * BONES_PER_CELL);
  readonly #x = new Float64Array(24);
  readonly #f = new Float64Array(9);
  readonly #df = new Float64Array(9);
  readonly #strains = new Float64Array(6 * BONES_PER_CELL * STRAIN);

  constructor(body: LatticeBody, count: number, ofNode: Int32Array, weights: BoneWeights) {
    this.#body = body;
    this.#count = count;
    this.#ofNode = ofNode;
    this.#weights = weights;
    const mixed: number[] = [];
    for (let cell = 0; 3 * cell < body.lattice.cells.length; cell++) if (this.#readWeights(cell) > 1) mixed.push(cell);
    this.#stride = Math.max(1, Math.ceil(mixed.length / MOST_CELLS));
    this.#cells = mixed.filter((_, n) => n % this.#stride === 0);
  }

  /** Adds to `metric`, 6 count rows of 6 count numbers, for nodes at x and bones at these poses. */
  add(x: Reals, poses: BonePoses, metric: Float64Array): void {
    const { lattice, filling } = this.#body;
    const volume = this.#stride * lattice.cellSize * lattice.cellSize * lattice.cellSize;
    for (const cell of this.#cells) {
      const bones = this.#readWeights(cell);
      this.#readCorners(cell, x);
      for (let n = 0; n < bones; n++) {
        if (this.#bones[n] < this.#count) for (let k = 0; k < 6; k++) this.#strainOf(n, k, poses);
      }
      this.#addProducts(bones, 2 * volume * filling.mu[cell], volume * filling.lambda[cell], metric);
    }
  }

  /** Bones of a cell and their weights at its corners; returns how many, 1 where one of them leads all corners. */
  #readWeights(cell: number): number {
    const { corners } = this.#body.lattice;
    const { bones, weights } = this.#weights;
    const { held } = this.#body.filling;
    let [count, least] = [0, 1];
    this.#corner.fill(0);
    for (let a = 0; a < 8; a++) {
      const node = corners[8 * cell + a];
      const isHeld = held[node] === 1;
      for (let n = 0; n < (isHeld ? 1 : BONES_PER_NODE); n++) {
        const bone = isHeld ? this.#ofNode[node] : bones[BONES_PER_NODE * node + n];
        const weight = isHeld ? 1 : weights[BONES_PER_NODE * node + n];
        if (!(weight > 0)) break;
        let at = 0;
        while (at < count && this.#bones[at] !== bone) at++;
        if (at === BONES_PER_CELL) continue;
        if (at === count) this.#bones[count++] = bone;
        this.#corner[8 * at + a] = weight;
      }
      least = Math.min(least, this.#corner[a]);
    }
    return count > 1 && least > ALONE ? 1 : count;
  }

  /** Places of the corners, and F. */
  #readCorners(cell: number, x: Reals): void {
    const { lattice, layout } = this.#body;
    for (let a = 0; a < 8; a++) {
      const at = floatOfPlace(layout.placeOfNode[lattice.corners[8 * cell + a]], 0);
      for (let k = 0; k < 3; k++) this.#x[3 * a + k] = x[at + 4 * k];
    }
    this.#f.fill(0);
    for (let a = 0; a < 8; a++) for (let k = 0; k < 3; k++) this.#spread(this.#f, a, k, this.#x[3 * a + k]);
  }

  /** Adds what component k of corner a gives to a deformation gradient (row major). */
  #spread(f: Float64Array, a: number, k: number, value: number): void {
    const share = value / (4 * this.#body.lattice.cellSize);
    for (let axis = 0; axis < 3; axis++) f[3 * k + axis] += (a >> axis) & 1 ? share : -share;
  }

  /** Strain of the k-th move of the n-th bone: turns about its own axes, then shifts along them. */
  #strainOf(n: number, k: number, { rotations, translations }: BonePoses): void {
    const bone = this.#bones[n];
    const axis = k % 3;
    const [ex, ey, ez] = [rotations[9 * bone + axis], rotations[9 * bone + 3 + axis], rotations[9 * bone + 6 + axis]];
    const df = this.#df.fill(0);
    for (let a = 0; a < 8; a++) {
      const weight = this.#corner[8 * n + a];
      if (weight === 0) continue;
      const rx = this.#x[3 * a] - translations[3 * bone];
      const ry = this.#x[3 * a + 1] - translations[3 * bone + 1];
      const rz = this.#x[3 * a + 2] - translations[3 * bone + 2];
      this.#spread(df, a, 0, weight * (k < 3 ? ey * rz - ez * ry : ex));
      this.#spread(df, a, 1, weight * (k < 3 ? ez * rx - ex * rz : ey));
      this.#spread(df, a, 2, weight * (k < 3 ? ex * ry - ey * rx : ez));
    }
    const o = STRAIN * (6 * n + k);
    for (let i = 0; i < 3; i++) {
      for (let j = i; j < 3; j++) {
        let sum = 0;
        for (let r = 0; r < 3; r++) sum += this.#f[3 * r + i] * df[3 * r + j] + this.#f[3 * r + j] * df[3 * r + i];
        // across counts twice in the norm
        this.#strains[o + (i === j ? i : i + j + 2)] = i === j ? sum / 2 : sum * Math.SQRT1_2;
      }
    }
  }

  #addProducts(bones: number, shear: number, bulk: number, metric: Float64Array): void {
    const size = 6 * this.#count;
    const s = this.#strains;
    for (let i = 0; i < 6 * bones; i++) {
      const [j, k] = [this.#bones[Math.floor(i / 6)], i % 6];
      if (j >= this.#count) continue;
      const a = STRAIN * i;
      const trace = bulk * (s[a] + s[a + 1] + s[a + 2]);
      for (let n = 0; n < 6 * bones; n++) {
        const other = this.#bones[Math.floor(n / 6)];
        if (other >= this.#count) continue;
        const b = STRAIN * n;
        let sum = trace * (s[b] + s[b + 1] + s[b + 2]);
        for (let m = 0; m < STRAIN; m++) sum += shear * s[a + m] * s[b + m];
        metric[(6 * j + k) * size + 6 * other + (n % 6)] += sum;
      }
    }
  }
}
