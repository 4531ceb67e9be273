/**
 * Short chains and loops of ball joints, solved at once: how each point answers a push at every other is a matrix of three rows per joint,
 * and its Cholesky factor takes less than the first few steps of conjugate gradients. Chains whose joints say the same thing twice have no such
 * factor and are left to the gradients.
 */
import type { Islands } from '../rows/islands.js';
import type { RowSystem } from '../rows/row-system.js';
import type { ChainKernel } from './chain-kernel.js';
import { HOLD, POINT } from './joint-blocks.js';

/** Blocks of the longest chain that is solved here. */
const MOST = 12;
const ROWS = 3 * MOST;
/** What eliminating others may leave of a row's own answer, as a share of it, before the row counts as one of them. */
const SAME = 1e-9;

/** Solves islands of a few point blocks exactly: what sweeps would come near to in a hundred rounds. */
export class ChainSolve {
  readonly #system: RowSystem;
  /** The matrix, and then its factor, row by row. */
  readonly #matrix = new Float64Array(ROWS * ROWS);
  readonly #push = new Float64Array(ROWS);
  /** First column of each row that is not zero: of a loop only the last joint knows the first. */
  readonly #start = new Int32Array(ROWS);
  readonly #u = new Float64Array(3);
  /** Solves them many at a time, where there is one. */
  kernel: ChainKernel | undefined;
  /** Number of each island on the list of the kernel, -1 for none. */
  readonly #number: Int32Array;

  constructor(system: RowSystem, bodyCount: number) {
    this.#system = system;
    this.#number = new Int32Array(bodyCount).fill(-1);
  }

  /** Solves what it can by the kernel. */
  solveAll(islands: Islands): void {
    const { kernel } = this;
    if (!kernel) return;
    kernel.begin();
    for (let i = 0; i < islands.count; i++) this.#number[i] = this.#takes(islands, i) ? kernel.add(islands, i) : -1;
    kernel.solve(this.#system.jointPush);
  }

  /** Solves an island; false, with nothing changed, where it is not one for this. Impulses of before do not count: bodies must not have been pushed with them. */
  solve(islands: Islands, island: number): boolean {
    if (this.kernel) return this.#number[island] >= 0 && this.kernel.isSolved(this.#number[island]);
    if (!this.#takes(islands, island)) return false;
    const { block, blockStart } = islands;
    const from = blockStart[island];
    const count = blockStart[island + 1] - from;
    this.#fill(block, from, count);
    if (!this.#factor(3 * count)) return false;
    const push = this.#push;
    const u = this.#u;
    for (let n = 0; n < count; n++) {
      this.#system.blockLeft(block[from + n], u);
      for (let k = 0; k < 3; k++) push[n * 3 + k] = u[k];
    }
    this.#substitute(3 * count);
    for (let n = 0; n < count; n++) {
      const i = block[from + n];
      for (let k = 0; k < 3; k++) {
        u[k] = push[n * 3 + k];
        this.#system.jointPush[i * 3 + k] = u[k];
      }
      this.#system.pushBlock(i, u);
    }
    return true;
  }

  /** Whether an island is a short chain of points held together that touches nothing. */
  #takes({ block, blockStart, contactStart }: Islands, island: number): boolean {
    const from = blockStart[island];
    const count = blockStart[island + 1] - from;
    if (count === 0 || count > MOST || contactStart[island + 1] > contactStart[island]) return false;
    return this.#areHeldPoints(block, from, count);
  }

  #areHeldPoints(block: Int32Array, from: number, count: number): boolean {
    const { kind, role, compliance, gives } = this.#system.joints;
    for (let n = from; n < from + count; n++) {
      const i = block[n];
      if (kind[i] !== POINT || role[i] !== HOLD || compliance[i] !== 0 || gives[i] !== 0) return false;
    }
    return true;
  }

  /** The lower half of the matrix. */
  #fill(block: Int32Array, from: number, count: number): void {
    const { a, b, armA, armB } = this.#system.joints;
    this.#matrix.fill(0, 0, 3 * count * ROWS);
    for (let n = 0; n < count; n++) {
      const i = block[from + n];
      let first = n;
      for (let m = n; m >= 0; m--) {
        const j = block[from + m];
        if (a[i] !== a[j] && b[i] !== b[j] && a[i] !== b[j] && b[i] !== a[j]) continue;
        first = m;
        if (a[i] === a[j]) this.#addAnswer(a[i], armA, i, armA, j, n, m, 1);
        if (b[i] === b[j]) this.#addAnswer(b[i], armB, i, armB, j, n, m, 1);
        if (a[i] === b[j]) this.#addAnswer(a[i], armA, i, armB, j, n, m, -1);
        if (b[i] === a[j]) this.#addAnswer(b[i], armB, i, armA, j, n, m, -1);
      }
      for (let k = 0; k < 3; k++) this.#start[n * 3 + k] = first * 3;
    }
  }

  /** Adds how the point of block i moves when its body is pushed at that of block j: 1/m − rᵢ* I⁻¹ rⱼ*. */
  #addAnswer(
    body: number,
    armI: Float64Array,
    i: number,
    armJ: Float64Array,
    j: number,
    n: number,
    m: number,
    sign: number,
  ): void {
    const { inverseMass, inverseInertia: w } = this.#system.rigid;
    if (inverseMass[body] === 0) return;
    const out = this.#matrix;
    const x = armI[i * 3];
    const y = armI[i * 3 + 1];
    const z = armI[i * 3 + 2];
    const o = body * 9;
    for (let c = 0; c < 3; c++) {
      // rⱼ × e, turned into a spin
      const t0 = c === 1 ? -armJ[j * 3 + 2] : c === 2 ? armJ[j * 3 + 1] : 0;
      const t1 = c === 0 ? armJ[j * 3 + 2] : c === 2 ? -armJ[j * 3] : 0;
      const t2 = c === 0 ? -armJ[j * 3 + 1] : c === 1 ? armJ[j * 3] : 0;
      const s0 = w[o] * t0 + w[o + 1] * t1 + w[o + 2] * t2;
      const s1 = w[o + 3] * t0 + w[o + 4] * t1 + w[o + 5] * t2;
      const s2 = w[o + 6] * t0 + w[o + 7] * t1 + w[o + 8] * t2;
      const at = n * 3 * ROWS + m * 3 + c;
      out[at] += sign * (s1 * z - s2 * y);
      out[at + ROWS] += sign * (s2 * x - s0 * z);
      out[at + 2 * ROWS] += sign * (s0 * y - s1 * x);
      out[at + c * ROWS] += sign * inverseMass[body];
    }
  }

  /** The Cholesky factor, in place; false where a row is the same as others. */
  #factor(rows: number): boolean {
    const l = this.#matrix;
    const start = this.#start;
    for (let i = 0; i < rows; i++) {
      const r = i * ROWS;
      const first = start[i];
      for (let j = first; j < i; j++) {
        let sum = l[r + j];
        for (let k = Math.max(first, start[j]); k < j; k++) sum -= l[r + k] * l[j * ROWS + k];
        l[r + j] = sum / l[j * ROWS + j];
      }
      let rest = l[r + i];
      for (let k = first; k < i; k++) rest -= l[r + k] * l[r + k];
      if (!(rest > SAME * l[r + i])) return false;
      l[r + i] = Math.sqrt(rest);
    }
    return true;
  }

  /** push = the impulses that bring the rows what they lack. */
  #substitute(rows: number): void {
    const l = this.#matrix;
    const p = this.#push;
    const start = this.#start;
    for (let i = 0; i < rows; i++) {
      let sum = p[i];
      for (let k = start[i]; k < i; k++) sum -= l[i * ROWS + k] * p[k];
      p[i] = sum / l[i * ROWS + i];
    }
    for (let i = rows - 1; i >= 0; i--) {
      let sum = p[i];
      for (let k = i + 1; k < rows; k++) if (start[k] <= i) sum -= l[k * ROWS + i] * p[k];
      p[i] = sum / l[i * ROWS + i];
    }
  }
}
