/**
 * Columns of the inverse W = K⁻¹ of a skin's stiffness: how far every node goes when one is pushed. A column is solved for when
 * its node is first touched and kept for all characters of the model; it depends on no other, so the order in which nodes are
 * touched changes no bits. Called by the contact solve.
 *
 * A node that can touch stands for a patch of skin, and a push on it is one on the patch; one where characters meet for a wider
 * patch of such nodes.
 *
 * A dent fades within about its depth, so what is below a thousandth of the pushed node's own motion is left out and the rest
 * scaled so that the column's sum, the stiffness against a broad push, is that of the full one.
 */
import { analyse, type CholeskyFactor, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import type { SparseMatrix } from '../../../linalg/sparse.js';
import type { NodePatches } from '../touch/node-patches.js';

/** Entries below this share of the diagonal are left out. */
const CUT_OFF = 1e-3;
/** Range of the factor that makes up for what was left out. */
const LEAST_RESCALE = 0.7;
const MOST_RESCALE = 2;

/** A column: the nodes that move, the pushed one first, and how far [m/N]; and the same for nodes that can touch alone. */
export interface ComplianceColumn {
  readonly nodes: Int32Array;
  readonly values: Float64Array;
  readonly touching: Int32Array;
  readonly touchingValues: Float64Array;
  /** Skins that bulge: nine numbers for each node, where it goes (row) per push along an axis (column); values are then their mean diagonals. */
  readonly blocks?: Float64Array;
  readonly touchingBlocks?: Float64Array;
}

/** How nodes of a skin yield to pushes on their patch; `meetingColumn` on the wider one where characters meet. */
export interface Compliance {
  column(node: number): ComplianceColumn;
  meetingColumn(node: number): ComplianceColumn;
}

/** The columns of W, made on first touch. */
export class SkinCompliance implements Compliance {
  readonly nodeCount: number;
  readonly #touching: Uint8Array;
  readonly #patches: NodePatches;
  readonly #meetings: NodePatches;
  readonly #factor: CholeskyFactor;
  readonly #columns: (ComplianceColumn | undefined)[];
  readonly #meetingColumns: (ComplianceColumn | undefined)[];
  readonly #push: Float64Array;
  readonly #solution: Float64Array;
  readonly #scratch: Float64Array;

  /** `touching`: 1 for nodes that can touch; their patches, and those of the nodes where characters meet, made of them. */
  constructor(stiffness: SparseMatrix, touching: Uint8Array, patches: NodePatches, meetings: NodePatches) {
    this.nodeCount = stiffness.size;
    this.#touching = touching;
    this.#patches = patches;
    this.#meetings = meetings;
    this.#factor = factor(analyse(stiffness), stiffness);
    this.#columns = new Array(stiffness.size).fill(undefined);
    this.#meetingColumns = new Array(stiffness.size).fill(undefined);
    this.#push = new Float64Array(stiffness.size);
    this.#solution = new Float64Array(stiffness.size);
    this.#scratch = new Float64Array(stiffness.size);
  }

  /** Number of columns that have been made. */
  get madeColumns(): number {
    return this.#columns.reduce((sum, column) => sum + (column === undefined ? 0 : 1), 0);
  }

  /** out = K⁻¹ right */
  solve(right: Float64Array, out: Float64Array): void {
    solveOriginal(this.#factor, right, out, this.#scratch);
  }

  /** The column of a node: how the skin moves when its patch is pushed. */
  column(node: number): ComplianceColumn {
    const known = this.#columns[node];
    if (known !== undefined) return known;
    this.#pushPatch(node, 1);
    const made = this.#make(node);
    this.#columns[node] = made;
    return made;
  }

  /** The same where characters meet: the patches of all nodes that this one stands for are pushed. */
  meetingColumn(node: number): ComplianceColumn {
    const known = this.#meetingColumns[node];
    if (known !== undefined) return known;
    const { start, nodes, shares } = this.#meetings;
    for (let i = start[node]; i < start[node + 1]; i++) this.#pushPatch(nodes[i], shares[i]);
    const made = this.#make(node);
    this.#meetingColumns[node] = made;
    return made;
  }

  #pushPatch(node: number, force: number): void {
    const { start, nodes, shares } = this.#patches;
    for (let i = start[node]; i < start[node + 1]; i++) this.#push[nodes[i]] += force * shares[i];
  }

  #make(node: number): ComplianceColumn {
    const w = this.#solution;
    solveOriginal(this.#factor, this.#push, w, this.#scratch);
    this.#push.fill(0);
    const least = CUT_OFF * w[node];
    let [full, sum, count] = [0, 0, 0];
    for (let i = 0; i < w.length; i++) {
      full += w[i];
      if (w[i] < least) continue;
      sum += w[i];
      count++;
    }
    const rescale = Math.min(MOST_RESCALE, Math.max(LEAST_RESCALE, full / sum));
    const nodes = new Int32Array(count);
    const values = new Float64Array(count);
    nodes[0] = node;
    values[0] = w[node] * rescale;
    for (let i = 0, at = 1; i < w.length; i++) {
      if (i === node || w[i] < least) continue;
      nodes[at] = i;
      values[at++] = w[i] * rescale;
    }
    const kept = Int32Array.from(nodes.keys()).filter((i) => i === 0 || this.#touching[nodes[i]] === 1);
    return {
      nodes,
      values,
      touching: kept.map((i) => nodes[i]),
      touchingValues: Float64Array.from(kept, (i) => values[i]),
    };
  }
}
