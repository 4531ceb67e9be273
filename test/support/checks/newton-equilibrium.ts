/**
 * Equilibrium of a body under gravity by Newton's method in f64, with its own energies and its own Hessian (central differences of
 * the forces of each tet): shares nothing with the step but the model. Flesh, pinned vertices, fixed bones, and bones that turn about a
 * fixed axis; tets by themselves, or whatever other places strain evenly. Load in parts; dense elimination with pivoting, so for a few hundred unknowns.
 */
import type { Model } from '../../../src/body/model.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../src/math/polar3.js';
import { type Places, placesOf } from './smoothed-elasticity.js';

/** A bone that turns about a fixed axis through a fixed point; bones without an entry stay where they are at rest. */
export interface Turning {
  readonly bone: number;
  readonly point: readonly [number, number, number];
  readonly axis: readonly [number, number, number];
}

const LOADS = 10;
const MOST_ITERATIONS = 60;
const MOST_CUTS = 6;
const WORSE = 10;

/** Positions of all vertices at equilibrium [m]. Throws where Newton does not converge to 1e-9 of the weight. */
export function newtonEquilibrium(
  model: Model,
  gravity: readonly [number, number, number],
  turning: readonly Turning[] = [],
  places: Places = placesOf(model, 0, 0),
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
      const forces = forcesAt(model, places, x, pull);
      const columns = moves(model, x, unknowns, turning);
      const right = reduced(columns, forces);
      if (Math.hypot(...right) < 1e-9 * weight) break;
      const step = solveDense(reducedStiffness(model, places, x, forces, columns, turning), right);
      // no coordinate moves more than a tenth of the size at once, and what makes matters much worse is shortened
      let share = Math.min(1, (0.1 * model.size) / Math.max(...step.map(Math.abs)));
      const before = x.slice();
      for (let cut = 0; cut < MOST_CUTS; cut++, share /= 2) {
        x.set(before);
        unknowns.forEach((i, k) => {
          x[i] += share * step[k];
        });
        turning.forEach((turn, k) => {
          turnBone(model, x, turn, share * step[unknowns.length + k]);
        });
        const after = reduced(moves(model, x, unknowns, turning), forcesAt(model, places, x, pull));
        if (Math.hypot(...after) < WORSE * Math.hypot(...right)) break;
      }
    }
  }
  return x;
}

/** First Piola-Kirchhoff stress of one place from its F: the formulas of docs/the-step.md, written down once more. */
function stress(places: Places, place: number, f: Float64Array, p: Float64Array): void {
  const mu = places.mu[place];
  const lambda = places.lambda[place];
  if (places.neoHookean[place]) {
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

/** Elastic forces on the vertices of a place, three numbers each. */
function placeForces(places: Places, place: number, at: Float64Array, out: Float64Array): void {
  const { start, gradients, volume } = places;
  const g = start[place] * 3;
  F.fill(0);
  for (let n = 0; n < at.length; n++) {
    for (let j = 0; j < 3; j++) F[(n % 3) * 3 + j] += at[n] * gradients[g + n - (n % 3) + j];
  }
  stress(places, place, F, P);
  for (let n = 0; n < at.length; n++) {
    out[n] = 0;
    for (let j = 0; j < 3; j++) out[n] -= volume[place] * P[(n % 3) * 3 + j] * gradients[g + n - (n % 3) + j];
  }
}

/** Positions of the vertices of a place. */
function verticesAt({ start, vertices }: Places, place: number, x: Float64Array): Float64Array {
  const own = vertices.slice(start[place], start[place + 1]);
  return Float64Array.from(own.flatMap((v) => [x[v * 3], x[v * 3 + 1], x[v * 3 + 2]]));
}

/** Elastic forces and weight on every vertex [N]. */
export function forcesAt(model: Model, places: Places, x: Float64Array, gravity: readonly number[]): Float64Array {
  const forces = new Float64Array(x.length);
  for (let place = 0; place < places.volume.length; place++) {
    const at = verticesAt(places, place, x);
    const out = new Float64Array(at.length);
    placeForces(places, place, at, out);
    for (let a = 0; a < at.length; a++) forces[coordinate(places, place, a)] += out[a];
  }
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) forces[v * 3 + k] += model.masses[v] * gravity[k];
  }
  return forces;
}

/** Number of the a-th coordinate of a place among all. */
function coordinate({ start, vertices }: Places, place: number, a: number): number {
  return vertices[start[place] + Math.floor(a / 3)] * 3 + (a % 3);
}

/** What forces do over a unit of each unknown. */
function reduced(columns: readonly Map<number, number>[], forces: Float64Array): number[] {
  return columns.map((column) => [...column].reduce((sum, [i, value]) => sum + value * forces[i], 0));
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
  places: Places,
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
  const step = 1e-6 * model.size;
  for (let place = 0; place < places.volume.length; place++) {
    const here = verticesAt(places, place, x);
    const [plus, minus] = [new Float64Array(here.length), new Float64Array(here.length)];
    for (let b = 0; b < here.length; b++) {
      const users = uses[coordinate(places, place, b)];
      if (users.length === 0) continue;
      const before = here[b];
      here[b] = before + step;
      placeForces(places, place, here, plus);
      here[b] = before - step;
      placeForces(places, place, here, minus);
      here[b] = before;
      for (let a = 0; a < here.length; a++) {
        const k = (minus[a] - plus[a]) / (2 * step);
        for (const [i, u] of uses[coordinate(places, place, a)]) for (const [j, v] of users) matrix[i][j] += u * k * v;
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
