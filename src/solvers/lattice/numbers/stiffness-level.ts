/**
 * One coarse level of warped stiffness in f64. A coarse cell has what its children have on average: the Galerkin Laplacian of mu, exact; one
 * deformation gradient, the mean of theirs; and one rotation, the closest to the mean of theirs. With V the volume of its cells, G its gradient, R its rotation:
 *
 *     K x = L x + V Gᵀ R [ lambda tr(A) I − mu (A − Aᵀ) ],   A = Rᵀ (G x)
 *
 * which is positive wherever L is the Laplacian of mu or more. Only L and G depend on where cells lie, so that a change of shape costs nothing but rotations.
 */

/** Numbers of a level that stay, and those that turn with the body. */
export interface StiffnessLevel {
  /** Eight nodes per cell. */
  readonly corners: Int32Array;
  /** L: 64 numbers per cell, row major [N/m]. */
  readonly laplacian: Float64Array;
  /** G: 24 numbers per cell, those of a corner together [1/m]. */
  readonly gradient: Float64Array;
  /** V mu and V lambda per cell [N m]. */
  readonly moduli: Float64Array;
  /** R of each cell, row major. */
  readonly rotations: Float64Array;
  /** Of each node: what it smooths with, the inverse of its diagonal's mean over all rotations. */
  readonly inverse: Float64Array;
  readonly b: Float64Array;
  readonly x: Float64Array;
  readonly r: Float64Array;
}

const place = new Float64Array(24);
const force = new Float64Array(24);
const stretch = new Float64Array(9);
const turned = new Float64Array(9);
const inner = new Float64Array(9);

/** r = b − K x. */
export function findResidual(level: StiffnessLevel): void {
  const { corners, b, x, r } = level;
  r.set(b);
  for (let o = 0; o < corners.length; o += 8) {
    for (let c = 0; c < 8; c++) {
      const at = 3 * corners[o + c];
      place[3 * c] = x[at];
      place[3 * c + 1] = x[at + 1];
      place[3 * c + 2] = x[at + 2];
    }
    multiplyCell(level, o >> 3);
    for (let c = 0; c < 8; c++) {
      const at = 3 * corners[o + c];
      r[at] -= force[3 * c];
      r[at + 1] -= force[3 * c + 1];
      r[at + 2] -= force[3 * c + 2];
    }
  }
}

/** x = keep x + share D⁻¹ r. */
export function smooth({ inverse, x, r }: StiffnessLevel, share: number, keep: 0 | 1): void {
  for (let node = 0; node < inverse.length; node++) {
    const weight = share * inverse[node];
    const at = 3 * node;
    x[at] = keep * x[at] + weight * r[at];
    x[at + 1] = keep * x[at + 1] + weight * r[at + 1];
    x[at + 2] = keep * x[at + 2] + weight * r[at + 2];
  }
}

/** Visits the stiffness of each cell by columns: what a unit move of corner `column / 3` along `column % 3` does to all corners. */
export function forEachColumn(
  level: StiffnessLevel,
  visit: (cell: number, column: number, force: Float64Array) => void,
): void {
  for (let cell = 0; cell < level.corners.length / 8; cell++) {
    for (let column = 0; column < 24; column++) {
      place.fill(0);
      place[column] = 1;
      multiplyCell(level, cell);
      visit(cell, column, force);
    }
  }
}

/** force = K place, of one cell. */
function multiplyCell({ laplacian, gradient, moduli, rotations }: StiffnessLevel, cell: number): void {
  for (let c = 0; c < 8; c++) {
    let fx = 0;
    let fy = 0;
    let fz = 0;
    const row = 64 * cell + 8 * c;
    for (let d = 0; d < 8; d++) {
      const value = laplacian[row + d];
      fx += value * place[3 * d];
      fy += value * place[3 * d + 1];
      fz += value * place[3 * d + 2];
    }
    force[3 * c] = fx;
    force[3 * c + 1] = fy;
    force[3 * c + 2] = fz;
  }
  const g = 24 * cell;
  stretch.fill(0);
  for (let c = 0; c < 24; c += 3) {
    for (let k = 0; k < 3; k++) {
      stretch[3 * k] += place[c + k] * gradient[g + c];
      stretch[3 * k + 1] += place[c + k] * gradient[g + c + 1];
      stretch[3 * k + 2] += place[c + k] * gradient[g + c + 2];
    }
  }
  turnStress(rotations, moduli, cell);
  for (let c = 0; c < 24; c += 3) {
    for (let k = 0; k < 3; k++) {
      force[c + k] +=
        stretch[3 * k] * gradient[g + c] +
        stretch[3 * k + 1] * gradient[g + c + 1] +
        stretch[3 * k + 2] * gradient[g + c + 2];
    }
  }
}

/** stretch = R [ lambda tr(A) I − mu (A − Aᵀ) ], A = Rᵀ stretch. */
function turnStress(r: Float64Array, moduli: Float64Array, cell: number): void {
  const mu = moduli[2 * cell];
  const lambda = moduli[2 * cell + 1];
  const o = 9 * cell;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      turned[3 * i + j] = r[o + i] * stretch[j] + r[o + 3 + i] * stretch[3 + j] + r[o + 6 + i] * stretch[6 + j];
    }
  }
  const trace = lambda * (turned[0] + turned[4] + turned[8]);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) inner[3 * i + j] = mu * (turned[3 * j + i] - turned[3 * i + j]);
    inner[4 * i] += trace;
  }
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      stretch[i + j] = r[o + i] * inner[j] + r[o + i + 1] * inner[3 + j] + r[o + i + 2] * inner[6 + j];
    }
  }
}
