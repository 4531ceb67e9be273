/**
 * A sheet of triangles as solvers see it: rest shape, stiffness in the plane, and bending as one constant quadratic form, the same for x, y
 * and z. Bending goes by the curvature of each triangle, from the three hinges around it:
 *
 *     Λ = Σ (Kᵢ x)/(2A) tᵢ tᵢᵀ        W = A D/2 ((1 − ν) |Λ|² + ν (tr Λ)²)        D = E t³/(12 (1 − ν²))
 *
 * Kᵢ x is the curvature of hinge i times its length, a linear function of four vertices [Bergou2006], and tᵢ the direction across the edge
 * in the triangle. Hinges by themselves would be several times too stiff for bends that run askew to the edges.
 */
import { TendonError } from '../../errors.js';
import { type SparseMatrix, sparseFromTriplets } from '../../linalg/sparse.js';
import type { ClothDef } from './cloth-def.js';

/** What a model has where it is a sheet. */
export interface Sheet {
  /** Three vertices each. */
  readonly triangles: Int32Array;
  readonly thickness: number;
  /** Rest areas [m²]. */
  readonly areas: Float64Array;
  /** Inverse of the rest edges in the plane of each triangle, 4 per triangle, row major [1/m]. */
  readonly inverseRest: Float64Array;
  /** Lamé parameters of plane stress times the thickness [N/m]. */
  readonly mu: number;
  readonly lambda: number;
  /** Weight of |F − R|²/2 per area in the constant matrix [N/m]. */
  readonly weight: number;
  /** Second derivative of the bending energy over the vertices [N/m]. */
  readonly bending: SparseMatrix;
}

/** The rest shape and stiffness of a description whose numbers are known to be sound. */
export function buildSheet(def: ClothDef, positions: Float64Array, triangles: Int32Array, place: string): Sheet {
  const { youngModulus: e, poissonRatio: nu, bendingStiffness } = def.material;
  const t = def.thickness;
  const count = triangles.length / 3;
  const areas = new Float64Array(count);
  const inverseRest = new Float64Array(count * 4);
  for (let n = 0; n < count; n++) restTriangle(positions, triangles, n, areas, inverseRest, place);
  const mu = (t * e) / (2 * (1 + nu));
  const lambda = (t * e * nu) / (1 - nu * nu);
  const stiffness = bendingStiffness ?? (e * t * t * t) / (12 * (1 - nu * nu));
  return {
    triangles,
    thickness: t,
    areas,
    inverseRest,
    mu,
    lambda,
    // eigenvalues at rest are 2 mu (shape) and 2 mu + 2 lambda (area): as for flesh, see lameOf
    weight: Math.max(2 * mu + lambda, 0.75 * (2 * mu + 2 * lambda)),
    bending: bendingForm(positions, triangles, areas, stiffness, nu, place),
  };
}

/** Area and inverse rest edges: the first edge lies along the first direction of the plane. */
function restTriangle(
  x: Float64Array,
  triangles: Int32Array,
  n: number,
  areas: Float64Array,
  inverse: Float64Array,
  place: string,
): void {
  const [a, b, c] = [0, 1, 2].map((k) => triangles[n * 3 + k] * 3);
  const u = [0, 1, 2].map((k) => x[b + k] - x[a + k]);
  const v = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
  const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const along = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / length;
  const across = Math.sqrt(Math.max(0, v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - along * along));
  if (!(across > 1e-6 * length) || !(across > 0)) {
    throw new TendonError('E_SURFACE', `${place}/triangles/${n * 3}`, n, 'the triangle has no area');
  }
  areas[n] = 0.5 * length * across;
  // edges are the columns (length, 0) and (along, across)
  inverse.set([1 / length, -along / (length * across), 0, 1 / across], n * 4);
}

/** A hinge as its triangle sees it: the four vertices, what they add to its curvature, and the direction across the edge in that triangle. */
interface Hinge {
  readonly vertices: readonly number[];
  readonly weights: readonly number[];
  readonly across: readonly number[];
}

function bendingForm(
  x: Float64Array,
  triangles: Int32Array,
  areas: Float64Array,
  stiffness: number,
  nu: number,
  place: string,
): SparseMatrix {
  const size = x.length / 3;
  const opposite = edgeTable(triangles, size, place);
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let v = 0; v < size; v++) {
    rows.push(v);
    columns.push(v);
    values.push(0);
  }
  for (let n = 0; n < triangles.length / 3; n++) {
    const hinges = [0, 1, 2].flatMap((k) => hingeAt(x, triangles, n, k, opposite, size) ?? []);
    for (const p of hinges) {
      for (const q of hinges) {
        const cosine = p.across[0] * q.across[0] + p.across[1] * q.across[1] + p.across[2] * q.across[2];
        const factor = (stiffness / (4 * areas[n])) * ((1 - nu) * cosine * cosine + nu);
        p.vertices.forEach((row, i) => {
          q.vertices.forEach((column, j) => {
            rows.push(row);
            columns.push(column);
            values.push(factor * p.weights[i] * q.weights[j]);
          });
        });
      }
    }
  }
  return sparseFromTriplets(size, rows, columns, values);
}

/** For each edge (lower vertex times size plus higher) the vertices opposite to it. */
function edgeTable(triangles: Int32Array, size: number, place: string): Map<number, number[]> {
  const opposite = new Map<number, number[]>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const first = corner - (corner % 3);
    const a = triangles[corner];
    const b = triangles[first + ((corner + 1) % 3)];
    const key = Math.min(a, b) * size + Math.max(a, b);
    const known = opposite.get(key) ?? [];
    known.push(triangles[first + ((corner + 2) % 3)]);
    if (known.length > 2) {
      throw new TendonError(
        'E_SURFACE',
        `${place}/triangles/${corner}`,
        known.length,
        'an edge has two triangles at most',
      );
    }
    opposite.set(key, known);
  }
  return opposite;
}

/** The hinge at edge k of triangle n, undefined at the border of the sheet. */
function hingeAt(
  x: Float64Array,
  triangles: Int32Array,
  n: number,
  k: number,
  opposite: Map<number, number[]>,
  size: number,
): Hinge | undefined {
  const a = triangles[n * 3 + k];
  const b = triangles[n * 3 + ((k + 1) % 3)];
  const c = triangles[n * 3 + ((k + 2) % 3)];
  const sides = opposite.get(Math.min(a, b) * size + Math.max(a, b)) ?? [];
  const other = sides.find((vertex) => vertex !== c);
  if (other === undefined) return undefined;
  const atA = cotangent(x, a, b, c) + cotangent(x, a, b, other);
  const atB = cotangent(x, b, a, c) + cotangent(x, b, a, other);
  const weights = [atB, atA, -cotangent(x, a, b, c) - cotangent(x, b, a, c), 0];
  weights[3] = -cotangent(x, a, b, other) - cotangent(x, b, a, other);
  return { vertices: [a, b, c, other], weights, across: acrossEdge(x, a, b, c) };
}

/** Cotangent of the angle at p between the ways to q and to r. */
function cotangent(x: Float64Array, p: number, q: number, r: number): number {
  const u = [0, 1, 2].map((k) => x[q * 3 + k] - x[p * 3 + k]);
  const v = [0, 1, 2].map((k) => x[r * 3 + k] - x[p * 3 + k]);
  const dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return dot / Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/** The unit vector from edge a–b towards c, at a right angle to the edge. */
function acrossEdge(x: Float64Array, a: number, b: number, c: number): number[] {
  const u = [0, 1, 2].map((k) => x[b * 3 + k] - x[a * 3 + k]);
  const v = [0, 1, 2].map((k) => x[c * 3 + k] - x[a * 3 + k]);
  const share = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const across = v.map((value, k) => value - share * u[k]);
  const length = Math.sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
  return across.map((value) => value / length);
}
