/**
 * The condensed dynamics of [Galoppo2007 §5] as printed, for comparison: a skin with inertia, its implicit mass taken out of that of
 * the bones, and contacts as equalities. No step calls it; tests and figures show what it gives.
 *
 *     M̃_s = M_s + h² K,   M̂_cond = M̃_b − M̃_bs M̂_s⁻¹ M̃_bsᵀ,   J_cond = J_b − J_s M̂_s⁻¹ M̃_bsᵀ,   M_λ = J_s M̂_s⁻¹ J_sᵀ      (eqs. 10-15)
 *
 * M̂_s is the block diagonal of M̃_s, as printed, or M̃_s itself, for which all of it is exact. Where the printed formulas contradict
 * each other the corrected ones are taken: L of a node is [w I, −w [r]×] bone by bone, R_W = Σ w R, M_s = m R_Wᵀ R_W.
 */
import { analyse, factor } from '../../../linalg/cholesky.js';
import { solveOriginal } from '../../../linalg/cholesky-solve.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { LayerBody } from '../layer-body.js';
import { OWNERS } from '../layer-model.js';

/** Inertia of a character as the paper has it. */
export interface PublishedMatrices {
  /** M̃_b, (6 k)², row by row; each bone is (ċ, ω). */
  readonly bones: Float64Array;
  /** M̃_bs, 6 k rows of 3 n. */
  readonly coupling: Float64Array;
  /** M̃_s of 3 n. */
  readonly skin: SparseMatrix;
  /** L, 3 n rows of 6 k: how bones move nodes. */
  readonly carried: Float64Array;
  /** R_W of each node, 9 numbers. */
  readonly turns: Float64Array;
}

/** M̂_s⁻¹ times a vector of 3 n. */
export type SkinSolve = (right: Float64Array, out: Float64Array) => void;

/** Matrices of a body in its pose, with the stiffness K of its skin (n x n) and the mass of each node [kg]. */
export function publishedMatrices(
  body: LayerBody,
  stiffness: SparseMatrix,
  masses: Float64Array,
  h: number,
): PublishedMatrices {
  const { bones, nodeCount } = body.model;
  const size = 6 * bones.count;
  const carried = carry(body);
  const turns = blendTurns(body);
  const all = new Float64Array(size * size);
  const coupling = new Float64Array(size * 3 * nodeCount);
  addLinks(body, all, size);
  for (let row = 0; row < 3 * nodeCount; row++) {
    const p = Math.floor(row / 3);
    for (let a = 0; a < size; a++) {
      const value = masses[p] * carried[row * size + a];
      if (value === 0) continue;
      for (let b = 0; b < size; b++) all[a * size + b] += value * carried[row * size + b];
      for (let k = 0; k < 3; k++) {
        coupling[a * 3 * nodeCount + 3 * p + k] += value * turns[9 * p + 3 * (row % 3) + k];
      }
    }
  }
  return { bones: all, coupling, skin: implicitSkin(turns, stiffness, masses, h), carried, turns };
}

/** The inverse of the blocks on the diagonal of M̃_s alone, as printed. */
export function blockSolve({ skin }: PublishedMatrices): SkinSolve {
  const blocks = new Float64Array(3 * skin.size);
  for (let row = 0; row < skin.size; row++) {
    for (let i = skin.rowStart[row]; i < skin.rowStart[row + 1]; i++) {
      const column = skin.columns[i];
      if (Math.floor(column / 3) === Math.floor(row / 3)) blocks[3 * row + (column % 3)] = skin.values[i];
    }
  }
  for (let o = 0; o < blocks.length; o += 9) invertMat3(blocks, o, blocks, o);
  return (right, out) => {
    for (let row = 0; row < skin.size; row++) {
      const o = row - (row % 3);
      out[row] = blocks[3 * row] * right[o] + blocks[3 * row + 1] * right[o + 1] + blocks[3 * row + 2] * right[o + 2];
    }
  };
}

/** The inverse of all of M̃_s. */
export function fullSolve({ skin }: PublishedMatrices): SkinSolve {
  const factored = factor(analyse(skin), skin);
  const scratch = new Float64Array(skin.size);
  return (right, out) => solveOriginal(factored, right, out, scratch);
}

/** M̂_cond = M̃_b − M̃_bs M̂_s⁻¹ M̃_bsᵀ, row by row. */
export function condensedBones({ bones, coupling, skin }: PublishedMatrices, solve: SkinSolve): Float64Array {
  const size = Math.sqrt(bones.length);
  const n = skin.size;
  const result = bones.slice();
  const solved = new Float64Array(n);
  for (let a = 0; a < size; a++) {
    solve(coupling.subarray(a * n, (a + 1) * n), solved);
    for (let b = 0; b < size; b++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += coupling[b * n + i] * solved[i];
      result[b * size + a] -= sum;
    }
  }
  return result;
}

/** L of every node: Σ w (ċ + ω × r) with r from the bone's centre, at the pose of the body. */
function carry({ model, state }: LayerBody): Float64Array {
  const size = 6 * model.bones.count;
  const out = new Float64Array(3 * model.nodeCount * size);
  const { rotations: r } = state.poses;
  for (let i = 0; i < OWNERS * model.nodeCount; i++) {
    const p = Math.floor(i / OWNERS);
    const w = model.weights[i];
    const bone = model.owners[i];
    const arm = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      for (let j = 0; j < 3; j++) {
        arm[k] += r[9 * bone + 3 * k + j] * (model.positions[3 * p + j] - model.bones.centre[3 * bone + j]);
      }
    }
    const at = (row: number, column: number): number => (3 * p + row) * size + 6 * bone + column;
    for (let k = 0; k < 3; k++) {
      const [next, last] = [(k + 1) % 3, (k + 2) % 3];
      out[at(k, k)] += w;
      // ω × r: row k has ω_next r_last − ω_last r_next
      out[at(k, 3 + next)] += w * arm[last];
      out[at(k, 3 + last)] -= w * arm[next];
    }
  }
  return out;
}

/** R_W = Σ w R of every node. */
function blendTurns({ model, state }: LayerBody): Float64Array {
  const out = new Float64Array(9 * model.nodeCount);
  for (let i = 0; i < OWNERS * model.nodeCount; i++) {
    const p = Math.floor(i / OWNERS);
    for (let k = 0; k < 9; k++) out[9 * p + k] += model.weights[i] * state.poses.rotations[9 * model.owners[i] + k];
  }
  return out;
}

/** Masses and inertia of the bones themselves. */
function addLinks({ model, state }: LayerBody, out: Float64Array, size: number): void {
  const { mass, inertia, count } = model.bones;
  const { rotations: r } = state.poses;
  for (let bone = 0; bone < count; bone++) {
    const o = 9 * bone;
    for (let i = 0; i < 3; i++) {
      out[(6 * bone + i) * size + 6 * bone + i] += mass[bone];
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 9; k++) sum += r[o + 3 * i + Math.floor(k / 3)] * inertia[o + k] * r[o + 3 * j + (k % 3)];
        out[(6 * bone + 3 + i) * size + 6 * bone + 3 + j] += sum;
      }
    }
  }
}

/** M̃_s = m R_Wᵀ R_W + h² K, K the same along all three axes. */
function implicitSkin(turns: Float64Array, stiffness: SparseMatrix, masses: Float64Array, h: number): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const add = (row: number, column: number, value: number): void => {
    rows.push(row);
    columns.push(column);
    values.push(value);
  };
  for (let p = 0; p < stiffness.size; p++) {
    for (let i = stiffness.rowStart[p]; i < stiffness.rowStart[p + 1]; i++) {
      for (let k = 0; k < 3; k++) add(3 * p + k, 3 * stiffness.columns[i] + k, h * h * stiffness.values[i]);
    }
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += turns[9 * p + 3 * k + a] * turns[9 * p + 3 * k + b];
        add(3 * p + a, 3 * p + b, masses[p] * sum);
      }
    }
  }
  return sparseFromTriplets(3 * stiffness.size, rows, columns, values);
}
