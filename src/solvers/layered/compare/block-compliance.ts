/**
 * The compliance of a skin by the block-diagonal condensation of [Galoppo2007 §5.4]: every node yields by 1/K_pp to its own push and to no
 * other. In a skin without inertia that is all that is left of M̂_s. For comparison: `contact: 'printed'`.
 */
import type { SparseMatrix } from '../../../linalg/sparse.js';
import type { Compliance, ComplianceColumn } from '../skin/skin-compliance.js';

/** Columns with one entry each. */
export class BlockCompliance implements Compliance {
  readonly #columns: readonly ComplianceColumn[];

  constructor({ size, rowStart, columns, values }: SparseMatrix) {
    this.#columns = Array.from({ length: size }, (_, node) => {
      let stiffness = 0;
      for (let i = rowStart[node]; i < rowStart[node + 1]; i++) if (columns[i] === node) stiffness += values[i];
      const nodes = Int32Array.of(node);
      const own = Float64Array.of(1 / stiffness);
      return { nodes, values: own, touching: nodes, touchingValues: own };
    });
  }

  column(node: number): ComplianceColumn {
    return this.#columns[node];
  }

  meetingColumn(node: number): ComplianceColumn {
    return this.#columns[node];
  }
}
