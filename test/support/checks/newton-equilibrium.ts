/**
 * Equilibrium of a body under gravity by Newton's method in f64, with its own energies and its own Hessian (central differences of
 * the forces of each tet): shares nothing with the step but the model. Flesh, pinned vertices, fixed bones, and bones that turn about a
 * fixed axis. Load in parts; dense elimination with pivoting, so for a few hundred unknowns.
 */
import type { Model } from '../../../src/body/model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../src/math/polar3.js';

/** A bone that turns about a fixed axis through a fixed point; bones without an entry stay where they are at rest. */
export interface Turning {
  readonly bone: number;
  readonly point: readonly [number, number, number];
  readonly axis: readonly [number, number, number];
}

const LOADS = 10;
const MOST_ITERATIONS = 60;

/** Positions of all vertices at equilibrium [m]. Throws where Newton does not converge to 1e-9 of the weight. */
export function newtonEquilibrium(
  model: Model,
  gravity: readonly [number, number, number],
  turning: readonly Turning[] = [],
): Float64Array {
  const x = Float64Array.from(model.positions);
  const unknowns: number[] = [];
  for (let v = 0; v < model.vertexCount; v++) {
    if (model.pinned[v] || model.bones.ofVertex[v] >= 0) continue;
    unknowns.push(v * 3, v * 3 + 1, v * 3 + 2);
  }
  const weight = model.totalMass * Math.hypot(...gravity);
  for (let load = 1; load <= LOADS; load++) {
    const pull = gravity.map((g) => (g * load) / LOADS);
    for (let n = 0; ; n++) {
      if (n === MOST_ITERATIONS) throw new Error(`Newton did not converge at load ${load}`);
      const forces = forcesAt(model, x, pull);
      const columns = moves(model, x, unknowns, turning);
      const right = columns.map((column) => [...column].reduce((sum, [i, value]) => sum + value * forces[i], 0));
      if (Math.hypot(...right) < 1e-9 * weight) break;
      const step = solveDense(reducedStiffness(model, x, forces, columns, turning), right);
      // no coordinate moves more than a tenth of the size at once
      const longest = Math.max(...step.map(Math.abs));
      const share = Math.min(1, (0.1 * model.size) / longest);
      unknowns.forEach((i, k) => {
        x[i] += share * step[k];
      });
      turning.forEach((turn, k) => {
        turnBone(model, x, turn, share * step[unknowns.length + k]);
      });
    }
  }
  return x;
}

/** First Piola-Kirchhoff stress of one tet from its F: the formulas of docs/the-step.md, written down once more. */
function stress(model: Model, tet: number, f: Float64Array, p: Float64Array): void {
  const mu = model.mu[tet];
  const lambda = model.lambda[tet];
  if (model.neoHookean[tet]) {
    const cofactor = [
      [1, 2],
      [2, 0],
      [0, 1],
    ];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const [r, s] = cofactor[i];
        const [c, d] = cofactor[j];
        p[i * 3 + j] = f[r * 3 + c] * f[s * 3 + d] - f[r * 3 + d] * f[s * 3 + c];
      }
    }
    const grown = f[0] * p[0] + f[1] * p[1] + f[2] * p[2] - 1;
    // small strains: Lamé's mu and lambda; the bulk term counts from mu, as without it the rest shape would not be at rest
    for (let k = 0; k < 9; k++) p[k] = mu * f[k] + ((lambda + mu) * grown - mu) * p[k];
    return;
  }
  polarRotation(ROTATION, 0, f, 0, SCRATCH, 0);
  let trace = -3;
  for (let k = 0; k < 9; k++) trace += ROTATION[k] * f[k];
  for (let k = 0; k < 9; k++) p[k] = 2 * mu * (f[k] - ROTATION[k]) + lambda * trace * ROTATION[k];
}

const ROTATION = new Float64Array(9);
const SCRATCH = new Float64Array(POLAR_SCRATCH_LENGTH);
const F = new Float64Array(9);
const P = new Float64Array(9);

/** Elastic forces on the four corners of a tet, 12 numbers. */
function tetForces(model: Model, tet: number, corners: Float64Array, out: Float64Array): void {
  const b = model.inverseRest.subarray(tet * 9, tet * 9 + 9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      F[i * 3 + j] = 0;
      for (let k = 0; k < 3; k++) F[i * 3 + j] += (corners[(k + 1) * 3 + i] - corners[i]) * b[k * 3 + j];
    }
  }
  stress(model, tet, F, P);
  out.fill(0);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 3; i++) {
      let force = 0;
      for (let j = 0; j < 3; j++) force -= model.volumes[tet] * P[i * 3 + j] * b[k * 3 + j];
      out[(k + 1) * 3 + i] += force;
      out[i] -= force;
    }
  }
}

function cornersOf(model: Model, tet: number, x: Float64Array): Float64Array {
  const corners = new Float64Array(12);
  for (let a = 0; a < 4; a++) {
    const v = model.tets[tet * 4 + a] * 3;
    corners.set(x.subarray(v, v + 3), a * 3);
  }
  return corners;
}

/** Elastic forces and weight on every vertex [N]. */
function forcesAt(model: Model, x: Float64Array, gravity: readonly number[]): Float64Array {
  const forces = new Float64Array(x.length);
  const out = new Float64Array(12);
  for (let tet = 0; tet < model.tetCount; tet++) {
    tetForces(model, tet, cornersOf(model, tet, x), out);
    for (let a = 0; a < 12; a++) forces[model.tets[tet * 4 + Math.floor(a / 3)] * 3 + (a % 3)] += out[a];
  }
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) forces[v * 3 + k] += model.masses[v] * gravity[k];
  }
  return forces;
}

/** What a unit of each unknown moves: coordinate -> amount. A turn moves a bone's vertices by axis × arm. */
function moves(
  model: Model,
  x: Float64Array,
  unknowns: readonly number[],
  turning: readonly Turning[],
): Map<number, number>[] {
  const columns = unknowns.map((i) => new Map([[i, 1]]));
  for (const { bone, point, axis } of turning) {
    const column = new Map<number, number>();
    for (const v of bonesVertices(model, bone)) {
      const way = cross(
        axis,
        [0, 1, 2].map((k) => x[v * 3 + k] - point[k]),
      );
      for (let k = 0; k < 3; k++) column.set(v * 3 + k, way[k]);
    }
    columns.push(column);
  }
  return columns;
}

/** Minus the derivative of the reduced forces: Bᵀ K B, and for turns how their arms turn along. */
function reducedStiffness(
  model: Model,
  x: Float64Array,
  forces: Float64Array,
  columns: readonly Map<number, number>[],
  turning: readonly Turning[],
): Float64Array[] {
  const uses: [number, number][][] = Array.from({ length: x.length }, () => []);
  columns.forEach((column, j) => {
    for (const [i, value] of column) uses[i].push([j, value]);
  });
  const matrix = columns.map(() => new Float64Array(columns.length));
  const plus = new Float64Array(12);
  const minus = new Float64Array(12);
  const step = 1e-6 * model.size;
  for (let tet = 0; tet < model.tetCount; tet++) {
    const corners = cornersOf(model, tet, x);
    const at = (a: number) => model.tets[tet * 4 + Math.floor(a / 3)] * 3 + (a % 3);
    for (let b = 0; b < 12; b++) {
      const users = uses[at(b)];
      if (users.length === 0) continue;
      const here = corners[b];
      corners[b] = here + step;
      tetForces(model, tet, corners, plus);
      corners[b] = here - step;
      tetForces(model, tet, corners, minus);
      corners[b] = here;
      for (let a = 0; a < 12; a++) {
        const k = (minus[a] - plus[a]) / (2 * step);
        for (const [i, u] of uses[at(a)]) for (const [j, v] of users) matrix[i][j] += u * k * v;
      }
    }
  }
  turning.forEach(({ axis, bone }, n) => {
    const j = columns.length - turning.length + n;
    for (const v of bonesVertices(model, bone)) {
      const way = [0, 1, 2].map((k) => columns[j].get(v * 3 + k) as number);
      cross(axis, way).forEach((bend, k) => {
        matrix[j][j] -= forces[v * 3 + k] * bend;
      });
    }
  });
  return matrix;
}

function turnBone(model: Model, x: Float64Array, { bone, point, axis }: Turning, angle: number): void {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (const v of bonesVertices(model, bone)) {
    const arm = [0, 1, 2].map((k) => x[v * 3 + k] - point[k]);
    const across = cross(axis, arm);
    const along = axis[0] * arm[0] + axis[1] * arm[1] + axis[2] * arm[2];
    for (let k = 0; k < 3; k++) x[v * 3 + k] = point[k] + c * arm[k] + s * across[k] + (1 - c) * along * axis[k];
  }
}

function bonesVertices({ bones }: Model, bone: number): Int32Array {
  return bones.vertices.subarray(bones.vertexStart[bone], bones.vertexStart[bone + 1]);
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Gaussian elimination with row pivoting. */
function solveDense(matrix: Float64Array[], right: number[]): number[] {
  const n = right.length;
  const b = right.slice();
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(matrix[r][i]) > Math.abs(matrix[pivot][i])) pivot = r;
    [matrix[i], matrix[pivot]] = [matrix[pivot], matrix[i]];
    [b[i], b[pivot]] = [b[pivot], b[i]];
    for (let r = i + 1; r < n; r++) {
      const factor = matrix[r][i] / matrix[i][i];
      if (factor === 0) continue;
      for (let c = i; c < n; c++) matrix[r][c] -= factor * matrix[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let c = i + 1; c < n; c++) b[i] -= matrix[i][c] * b[c];
    b[i] /= matrix[i][i];
  }
  return b;
}
