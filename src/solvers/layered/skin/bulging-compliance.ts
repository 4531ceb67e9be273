/**
 * Columns of the inverse of a skin's stiffness that bulges: how far every node goes, and where to, when one is pushed along each axis. As
 * `skin-compliance.ts` otherwise: made on first touch, kept for all characters of the model, cut off where it fades.
 */
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import type { SparseMatrix } from '../../../linalg/sparse.js';
import type { NodePatches } from '../touch/node-patches.js';
import type { Compliance, ComplianceColumn } from './skin-compliance.js';

/** Nodes that move by less than this share of the pushed one are left out. */
const CUT_OFF = 1e-3;

/** Columns of 3 x 3 blocks. */
export class BulgingCompliance implements Compliance {
  readonly #touching: Uint8Array;
  readonly #patches: NodePatches;
  readonly #meetings: NodePatches;
  readonly #factor: CholeskyFactor;
  readonly #columns: (ComplianceColumn | undefined)[];
  readonly #meetingColumns: (ComplianceColumn | undefined)[];
  readonly #push: Float64Array;
  readonly #solutions: readonly Float64Array[];
  readonly #scratch: Float64Array;

  /** As `SkinCompliance`, with a stiffness of 3 n. */
  constructor(stiffness: SparseMatrix, touching: Uint8Array, patches: NodePatches, meetings: NodePatches) {
    const { size } = stiffness;
    this.#touching = touching;
    this.#patches = patches;
    this.#meetings = meetings;
    this.#factor = factor(analyse(stiffness), stiffness);
    this.#columns = new Array(size / 3).fill(undefined);
    this.#meetingColumns = new Array(size / 3).fill(undefined);
    this.#push = new Float64Array(size);
    this.#solutions = [0, 1, 2].map(() => new Float64Array(size));
    this.#scratch = new Float64Array(size);
  }

  column(node: number): ComplianceColumn {
    const known = this.#columns[node];
    if (known !== undefined) return known;
    const made = this.#make(node, (axis) => this.#pushPatch(node, axis, 1));
    this.#columns[node] = made;
    return made;
  }

  meetingColumn(node: number): ComplianceColumn {
    const known = this.#meetingColumns[node];
    if (known !== undefined) return known;
    const { start, nodes, shares } = this.#meetings;
    const made = this.#make(node, (axis) => {
      for (let i = start[node]; i < start[node + 1]; i++) this.#pushPatch(nodes[i], axis, shares[i]);
    });
    this.#meetingColumns[node] = made;
    return made;
  }

  #pushPatch(node: number, axis: number, force: number): void {
    const { start, nodes, shares } = this.#patches;
    for (let i = start[node]; i < start[node + 1]; i++) this.#push[3 * nodes[i] + axis] += force * shares[i];
  }

  #make(node: number, push: (axis: number) => void): ComplianceColumn {
    for (let axis = 0; axis < 3; axis++) {
      push(axis);
      solveOriginal(this.#factor, this.#push, this.#solutions[axis], this.#scratch);
      this.#push.fill(0);
    }
    const least = CUT_OFF * this.#reach(node);
    const kept = [node];
    for (let i = 0; i < this.#touching.length; i++) if (i !== node && this.#reach(i) >= least) kept.push(i);
    const nodes = Int32Array.from(kept);
    const touching = nodes.filter((i) => i === node || this.#touching[i] === 1);
    const [blocks, touchingBlocks] = [this.#blocks(nodes), this.#blocks(touching)];
    return { nodes, values: means(blocks), blocks, touching, touchingValues: means(touchingBlocks), touchingBlocks };
  }

  /** Farthest a node goes along any axis. */
  #reach(node: number): number {
    let most = 0;
    for (let k = 0; k < 9; k++) most = Math.max(most, Math.abs(this.#solutions[Math.floor(k / 3)][3 * node + (k % 3)]));
    return most;
  }

  /** For each node nine numbers: where it goes (row) per push along an axis (column). */
  #blocks(nodes: Int32Array): Float64Array {
    const out = new Float64Array(9 * nodes.length);
    nodes.forEach((node, i) => {
      for (let k = 0; k < 9; k++) out[9 * i + k] = this.#solutions[k % 3][3 * node + Math.floor(k / 3)];
    });
    return out;
  }
}

/** Means of the blocks' diagonals. */
function means(blocks: Float64Array): Float64Array {
  return Float64Array.from({ length: blocks.length / 9 }, (_, i) => {
    return (blocks[9 * i] + blocks[9 * i + 4] + blocks[9 * i + 8]) / 3;
  });
}
