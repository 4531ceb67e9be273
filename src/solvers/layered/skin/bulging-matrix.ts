/**
 * The stiffness of a skin layer that bulges beside a dent: linear elasticity of a sheet of flesh of depth t on bone, whose displacement grows
 * in proportion from the bone to the skin, u(z) = z/t u. Called when a model is built.
 *
 *     energy per area = ½ ∫ λ (tr ε)² + 2 μ ε:ε dz,     ε from z/t ∇u along the surface and u/t across it
 *
 *         tr ε:  λ/2 (t/3 D² + D n + n²/t)                       D = ∇·u along the surface, n = u along the normal
 *         across: μ (n²/t) + μ/2 Σ (a²/t + a ∂n + t/3 (∂n)²)     a: u along the surface
 *         along: μ t/3 sym(∇a):sym(∇a)
 *
 * The terms D n and a ∂n couple pressing in with moving aside, which the scalar K of `skin-matrix.ts` leaves out. Squares of u are summed
 * node by node, products with slopes at the middle of triangles: the energy is then never below zero, whatever the triangles.
 */
import type { Lame } from '../../../body/materials.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';

/** A row of nine numbers over the corners of a triangle, 3 each: something linear in u. */
type Form = Float64Array;

/** K of 3 n [N/m]; `areas`, `depths`: one per node. */
export function bulgingMatrix(
  mesh: TriangleMesh,
  areas: Float64Array,
  depths: Float64Array,
  { lambda, mu }: Lame,
): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const { positions: p, triangles } = mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const frame = triangleFrame(p, corners);
    if (frame === undefined) continue;
    const depth = (depths[corners[0]] + depths[corners[1]] + depths[corners[2]]) / 3;
    const block = triangleBlock(frame, depth, lambda, mu);
    for (let i = 0; i < 9; i++) {
      for (let j = 0; j < 9; j++) {
        rows.push(3 * corners[Math.floor(i / 3)] + (i % 3));
        columns.push(3 * corners[Math.floor(j / 3)] + (j % 3));
        values.push(block[9 * i + j]);
      }
    }
  }
  // nodes without an area are held too
  for (let node = 0; node < areas.length; node++) {
    for (let k = 0; k < 3; k++) {
      rows.push(3 * node + k);
      columns.push(3 * node + k);
      values.push((LEAST_HOLD * (lambda + 2 * mu) * areas[node]) / depths[node]);
    }
  }
  return sparseFromTriplets(3 * areas.length, rows, columns, values);
}

/** Every node is held by at least this share of what its column of flesh resists being pressed with. */
const LEAST_HOLD = 1e-6;

interface Frame {
  readonly area: number;
  readonly normal: readonly number[];
  /** Two directions along the triangle. */
  readonly along: readonly (readonly number[])[];
  /** Slopes of the three corners' shape functions along them. */
  readonly slopes: readonly (readonly [number, number])[];
}

function triangleFrame(p: ArrayLike<number>, corners: readonly number[]): Frame | undefined {
  const at = (corner: number): number[] => [p[3 * corner], p[3 * corner + 1], p[3 * corner + 2]];
  const [a, b, c] = corners.map(at);
  const u = b.map((value, k) => value - a[k]);
  const v = c.map((value, k) => value - a[k]);
  const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const double = Math.sqrt(dot(cross, cross));
  const length = Math.sqrt(dot(u, u));
  if (!(double > 0) || !(length > 0)) return undefined;
  const normal = cross.map((value) => value / double);
  const first = u.map((value) => value / length);
  const second = [
    normal[1] * first[2] - normal[2] * first[1],
    normal[2] * first[0] - normal[0] * first[2],
    normal[0] * first[1] - normal[1] * first[0],
  ];
  // in the plane of the triangle: a at 0, b at (length, 0), c at (x, y)
  const [x, y] = [dot(v, first), dot(v, second)];
  const slopes = [
    [-1 / length, (x / length - 1) / y],
    [1 / length, -x / length / y],
    [0, 1 / y],
  ] as const;
  return { area: double / 2, normal, along: [first, second], slopes };
}

/** The 9 x 9 stiffness of one triangle, row by row. */
function triangleBlock({ area, normal, along, slopes }: Frame, t: number, lambda: number, mu: number): Float64Array {
  const block = new Float64Array(81);
  /** ∂_i of u along a direction. */
  const slope = (direction: readonly number[], i: number): Form =>
    Float64Array.from({ length: 9 }, (_, k) => slopes[Math.floor(k / 3)][i] * direction[k % 3]);
  /** u along a direction at a corner, or in the middle. */
  const value = (direction: readonly number[], corner: number): Form =>
    Float64Array.from(
      { length: 9 },
      (_, k) => (corner < 0 ? 1 / 3 : Math.floor(k / 3) === corner ? 1 : 0) * direction[k % 3],
    );
  const add = (weight: number, f: Form, g: Form): void => {
    for (let i = 0; i < 9; i++)
      for (let j = 0; j < 9; j++) block[9 * i + j] += (weight * (f[i] * g[j] + g[i] * f[j])) / 2;
  };
  const stretches = [slope(along[0], 0), slope(along[1], 1)];
  const divergence = stretches[0].map((s, k) => s + stretches[1][k]);
  const shear = slope(along[0], 1).map((s, k) => s + slope(along[1], 0)[k]);
  const pressed = value(normal, -1);
  add((area * lambda * t) / 3, divergence, divergence);
  add(area * lambda, divergence, pressed);
  for (let corner = 0; corner < 3; corner++) {
    const n = value(normal, corner);
    add((area * (lambda + 2 * mu)) / (3 * t), n, n);
    for (const direction of along) {
      const a = value(direction, corner);
      add((area * mu) / (3 * t), a, a);
    }
  }
  for (let i = 0; i < 2; i++) {
    const leaning = slope(normal, i);
    add(area * mu, value(along[i], -1), leaning);
    add((area * mu * t) / 3, leaning, leaning);
    add((2 * area * mu * t) / 3, stretches[i], stretches[i]);
  }
  add((area * mu * t) / 3, shear, shear);
  return block;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
