/**
 * Contacts as printed in [Galoppo2007 §5.4, 5.5]: equality rows, impulses singled out by M_λ, bones from the condensed system with
 * their joints, the skin from theirs.
 */
import { condensedBones, type PublishedMatrices, type SkinSolve } from './published-layer.js';

/** A node that is to move along its normal by `speed` more than it does [m/s]. */
export interface PublishedRow {
  readonly node: number;
  readonly normal: readonly [number, number, number];
  readonly speed: number;
}

/** Change of bones' and skin's velocities, and impulses [N s]. */
export interface PublishedResponse {
  readonly bones: Float64Array;
  readonly skin: Float64Array;
  readonly impulses: Float64Array;
}

/** The response of bones and skin to contact rows (eqs. 12-15); rows of `joints` are kept as they are. */
export function publishedResponse(
  matrices: PublishedMatrices,
  solve: SkinSolve,
  rows: readonly PublishedRow[],
  joints: readonly Float64Array[] = [],
): PublishedResponse {
  const size = Math.sqrt(matrices.bones.length);
  const n = matrices.skin.size;
  const m = rows.length;
  const skinRows = rows.map((row) => skinRow(matrices, row));
  const pushed = skinRows.map((row) => {
    const out = new Float64Array(n);
    solve(row, out);
    return out;
  });
  // J_cond = J_b − J_s M̂_s⁻¹ M̃_bsᵀ
  const condensed = rows.map((row, i) => {
    const out = boneRow(matrices, row);
    for (let a = 0; a < size; a++) out[a] -= dot(matrices.coupling.subarray(a * n, (a + 1) * n), pushed[i]);
    return out;
  });
  const contact = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) contact[i * m + j] = dot(skinRows[i], pushed[j]);
  // M*_b = M̂_cond + J_condᵀ M_λ⁻¹ J_cond,   b*_b = J_condᵀ M_λ⁻¹ speed
  const whole = condensedBones(matrices, solve);
  const right = new Float64Array(size);
  const speeds = solveDense(
    contact,
    Float64Array.from(rows, ({ speed }) => speed),
  );
  for (let a = 0; a < size; a++) {
    const column = solveDense(
      contact,
      Float64Array.from(condensed, (row) => row[a]),
    );
    for (let i = 0; i < m; i++) {
      right[a] += condensed[i][a] * speeds[i];
      for (let b = 0; b < size; b++) whole[b * size + a] += condensed[i][b] * column[i];
    }
  }
  const bones = solveHeld(whole, joints, right);
  const impulses = solveDense(
    contact,
    Float64Array.from(rows, ({ speed }, i) => speed - dot(condensed[i], bones)),
  );
  const force = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < m; c++) force[i] += skinRows[c][i] * impulses[c];
    for (let a = 0; a < size; a++) force[i] -= matrices.coupling[a * n + i] * bones[a];
  }
  const skin = new Float64Array(n);
  solve(force, skin);
  return { bones, skin, impulses };
}

/** Impulses on a character whose bones are held: λ = M_λ⁻¹ speed. */
export function publishedImpulses(
  matrices: PublishedMatrices,
  solve: SkinSolve,
  rows: readonly PublishedRow[],
): Float64Array {
  const skinRows = rows.map((row) => skinRow(matrices, row));
  const contact = new Float64Array(rows.length * rows.length);
  const out = new Float64Array(matrices.skin.size);
  skinRows.forEach((row, j) => {
    solve(row, out);
    for (let i = 0; i < rows.length; i++) contact[i * rows.length + j] = dot(skinRows[i], out);
  });
  return solveDense(
    contact,
    Float64Array.from(rows, ({ speed }) => speed),
  );
}

/** J_s of a row: R_Wᵀ times the normal, at its node. */
export function skinRow({ turns, skin }: PublishedMatrices, { node, normal }: PublishedRow): Float64Array {
  const out = new Float64Array(skin.size);
  for (let k = 0; k < 3; k++) for (let j = 0; j < 3; j++) out[3 * node + k] += turns[9 * node + 3 * j + k] * normal[j];
  return out;
}

/** J_b of a row: the normal times L of its node. */
export function boneRow({ carried, bones }: PublishedMatrices, { node, normal }: PublishedRow): Float64Array {
  const size = Math.sqrt(bones.length);
  const out = new Float64Array(size);
  for (let a = 0; a < size; a++) {
    for (let k = 0; k < 3; k++) out[a] += normal[k] * carried[(3 * node + k) * size + a];
  }
  return out;
}

/** x of A x − Jᵀ μ = b with J x = 0, for the rows J of joints. */
export function solveHeld(matrix: Float64Array, joints: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const all = size + joints.length;
  const whole = new Float64Array(all * all);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < size; b++) whole[a * all + b] = matrix[a * size + b];
    joints.forEach((row, j) => {
      whole[a * all + size + j] = -row[a];
      whole[(size + j) * all + a] = -row[a];
    });
  }
  const wanted = new Float64Array(all);
  wanted.set(right);
  return solveDense(whole, wanted).slice(0, size);
}

/** x of A x = b by elimination with row exchange; small systems, not in any step. */
export function solveDense(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  const a = matrix.slice();
  const x = right.slice();
  for (let column = 0; column < n; column++) {
    let best = column;
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(a[row * n + column]) > Math.abs(a[best * n + column])) best = row;
    }
    for (let k = 0; k < n; k++) [a[column * n + k], a[best * n + k]] = [a[best * n + k], a[column * n + k]];
    [x[column], x[best]] = [x[best], x[column]];
    for (let row = column + 1; row < n; row++) {
      const share = a[row * n + column] / a[column * n + column];
      if (share === 0) continue;
      for (let k = column; k < n; k++) a[row * n + k] -= share * a[column * n + k];
      x[row] -= share * x[column];
    }
  }
  for (let row = n - 1; row >= 0; row--) {
    for (let k = row + 1; k < n; k++) x[row] -= a[row * n + k] * x[k];
    x[row] /= a[row * n + row];
  }
  return x;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
