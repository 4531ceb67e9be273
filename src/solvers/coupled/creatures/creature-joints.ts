/**
 * Joints and motors of a creature, solved together with its bones: G ΔV + c π = what they lack. With S = G H⁻¹ Gᵀ + c = R Rᵀ and X = R⁻¹ G H⁻¹, bones that are held answer pushes by H⁻¹ − Xᵀ X.
 * Joints that say what others say already do nothing.
 */
import { CONTROL, HOLD, type JointBlocks, LIMIT, POINT } from '../rigid/joint-blocks.js';
import type { RowSystem } from '../rows/row-system.js';
import { addSquare, factorLower, mirror } from './dense.js';
import { addMotor } from './skeleton-matrix.js';

const U = new Float64Array(3);

/** A joint block: its number, and which bones its bodies are, -1 for what nothing moves. */
export interface CreatureBlock {
  readonly block: number;
  readonly p: number;
  readonly q: number;
}

/** Whether block i is solved with the bones: limits push one way only, and capped motors only so far. */
export function isSolvedWithBones({ role, most, active }: JointBlocks, i: number): boolean {
  return active[i] === 1 && role[i] !== LIMIT && most[i] === Number.POSITIVE_INFINITY;
}

/** The joint blocks of one creature. */
export class CreatureJoints {
  readonly #blocks: readonly CreatureBlock[];
  /** Numbers per row: 6 for each bone. */
  readonly #n: number;
  /** Blocks that hold, and what all blocks lack, 3 each. */
  #holdCount = 0;
  readonly #holds: CreatureBlock[];
  readonly #lack: Float64Array;
  /** Rows of G and of X, the factor R, R⁻¹ of what is lacked, and a vector. */
  readonly #g: Float64Array;
  readonly #x: Float64Array;
  readonly #factor: Float64Array;
  readonly #y: Float64Array;
  readonly #z: Float64Array;

  constructor(blocks: readonly CreatureBlock[], n: number) {
    const rows = blocks.length * 3;
    this.#blocks = blocks;
    this.#n = n;
    this.#holds = blocks.slice();
    this.#lack = new Float64Array(rows);
    this.#g = new Float64Array(rows * n);
    this.#x = new Float64Array(rows * n);
    this.#factor = new Float64Array(rows * rows);
    this.#y = new Float64Array(rows);
    this.#z = new Float64Array(rows);
  }

  /** Finds out what blocks lack where bones have the velocities of before; motors join the matrix of the bones and what pushes them. */
  begin(system: RowSystem, matrix: Float64Array, wrench: Float64Array): void {
    const { joints, jointPush } = system;
    this.#holdCount = 0;
    for (let m = 0; m < this.#blocks.length; m++) {
      const one = this.#blocks[m];
      const i = one.block;
      if (!isSolvedWithBones(joints, i)) continue;
      for (let k = 0; k < 3; k++) jointPush[i * 3 + k] = 0;
      system.blockLeft(i, U);
      if (joints.role[i] === HOLD) {
        for (let k = 0; k < 3; k++) this.#y[this.#holdCount * 3 + k] = U[k];
        this.#holds[this.#holdCount++] = one;
        continue;
      }
      for (let k = 0; k < 3; k++) this.#lack[m * 3 + k] = U[k];
      addMotor(joints, i, one.p, one.q, matrix, this.#n);
      for (let k = 0; k < 3; k++) {
        const push = U[k] / joints.compliance[i];
        if (one.p >= 0) wrench[one.p * 6 + 3 + k] += push;
        if (one.q >= 0) wrench[one.q * 6 + 3 + k] -= push;
      }
    }
  }

  /** answer = how bones answer pushes when they are held, from how they do when they are not. */
  hold(joints: JointBlocks, answer: Float64Array): void {
    const n = this.#n;
    const rows = this.#holdCount * 3;
    if (rows === 0) return;
    this.#g.fill(0, 0, rows * n);
    for (let m = 0; m < this.#holdCount; m++) this.#fillRows(joints, this.#holds[m], m * 3);
    this.#reachBones(answer, rows);
    this.#fillFactor(joints, rows);
    factorLower(this.#factor, rows);
    const x = this.#x;
    for (let i = 0; i < rows; i++) {
      const to = i * n;
      for (let j = 0; j < i; j++) {
        const f = this.#factor[i * rows + j];
        if (f === 0) continue;
        for (let k = 0; k < n; k++) x[to + k] -= f * x[j * n + k];
        this.#y[i] -= f * this.#y[j];
      }
      const d = 1 / this.#factor[i * rows + i];
      for (let k = 0; k < n; k++) x[to + k] *= d;
      this.#y[i] *= d;
    }
    addSquare(x, rows, n, false, -1, answer);
    mirror(answer, n);
  }

  /** Three rows of G: the velocity of A against B at the points, or of rotation, of what is held. */
  #fillRows({ kind, armA, armB, projector }: JointBlocks, { block, p, q }: CreatureBlock, row: number): void {
    const isPoint = kind[block] === POINT;
    for (let side = 0; side < 2; side++) {
      const bone = side === 0 ? p : q;
      if (bone < 0) continue;
      const sign = side === 0 ? 1 : -1;
      const arm = side === 0 ? armA : armB;
      for (let r = 0; r < 3; r++) {
        const at = (row + r) * this.#n + bone * 6;
        if (!isPoint) {
          for (let k = 0; k < 3; k++) this.#g[at + 3 + k] = sign * projector[block * 9 + r * 3 + k];
          continue;
        }
        this.#g[at + r] = sign;
        const next = (r + 1) % 3;
        const last = (r + 2) % 3;
        this.#g[at + 3 + next] = sign * arm[block * 3 + last];
        this.#g[at + 3 + last] = -sign * arm[block * 3 + next];
      }
    }
  }

  /** x = G H⁻¹. */
  #reachBones(answer: Float64Array, rows: number): void {
    const n = this.#n;
    const x = this.#x;
    x.fill(0, 0, rows * n);
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < n; i++) {
        const f = this.#g[r * n + i];
        if (f === 0) continue;
        for (let k = 0; k < n; k++) x[r * n + k] += f * answer[i * n + k];
      }
    }
  }

  /** The lower half of S; beyond what rotations are held in, numbers that can be factored. */
  #fillFactor({ kind, projector, compliance }: JointBlocks, rows: number): void {
    const n = this.#n;
    const s = this.#factor;
    s.fill(0, 0, rows * rows);
    for (let c = 0; c < rows; c++) {
      for (let i = 0; i < n; i++) {
        const f = this.#g[c * n + i];
        if (f === 0) continue;
        for (let r = c; r < rows; r++) s[r * rows + c] += f * this.#x[r * n + i];
      }
    }
    for (let m = 0; m < this.#holdCount; m++) {
      const { block } = this.#holds[m];
      const at = m * 3 * rows + m * 3;
      const scale = kind[block] === POINT ? 0 : s[at] + s[at + rows + 1] + s[at + 2 * rows + 2];
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c <= r; c++) {
          const own = r === c ? 1 : 0;
          const p = projector[block * 9 + r * 3 + c];
          s[at + r * rows + c] += compliance[block] * p + scale * (own - p);
        }
      }
    }
  }

  /** motion += what the impulses that bring the joints what they lack make of the bones. */
  addStart(motion: Float64Array): void {
    const n = this.#n;
    for (let r = 0; r < this.#holdCount * 3; r++) {
      for (let k = 0; k < n; k++) motion[k] += this.#y[r] * this.#x[r * n + k];
    }
  }

  /** Impulses of all blocks, when these pushes on the bones make them move so. */
  finish({ joints, jointPush }: RowSystem, wrench: Float64Array, motion: Float64Array): void {
    const n = this.#n;
    const rows = this.#holdCount * 3;
    const z = this.#z;
    for (let r = rows - 1; r >= 0; r--) {
      let sum = this.#y[r];
      for (let k = 0; k < n; k++) sum -= this.#x[r * n + k] * wrench[k];
      for (let i = r + 1; i < rows; i++) sum -= this.#factor[i * rows + r] * z[i];
      z[r] = sum / this.#factor[r * rows + r];
    }
    for (let m = 0; m < this.#holdCount; m++) {
      for (let k = 0; k < 3; k++) jointPush[this.#holds[m].block * 3 + k] = z[m * 3 + k];
    }
    for (let m = 0; m < this.#blocks.length; m++) {
      const { block, p, q } = this.#blocks[m];
      if (joints.role[block] !== CONTROL || !isSolvedWithBones(joints, block)) continue;
      for (let k = 0; k < 3; k++) {
        U[k] = 0;
        if (p >= 0) U[k] += motion[p * 6 + 3 + k];
        if (q >= 0) U[k] -= motion[q * 6 + 3 + k];
      }
      for (let k = 0; k < 3; k++) {
        const o = block * 9 + k * 3;
        const along = joints.projector[o] * U[0] + joints.projector[o + 1] * U[1] + joints.projector[o + 2] * U[2];
        jointPush[block * 3 + k] = (this.#lack[m * 3 + k] - along) / joints.compliance[block];
      }
    }
  }
}
