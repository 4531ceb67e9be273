/**
 * The stiffness of a skin layer: how hard it is to dent a sheet of flesh of depth t that rests on bone. Called when a model is built.
 *
 *     K = κ (t/3 L + A/t),   κ = (λ + 4μ)/3
 *
 * A column of flesh over bone resists being pressed by κ A/t and being sheared against its neighbours by κ t/3 times the
 * cotangent Laplacian L of the surface. Cotangents below zero, from obtuse triangles, count as zero: K is then positive definite
 * for any triangles. It acts on each coordinate by itself [Galoppo2007 §3.2, with the skin's rest pose as its frame].
 */
import type { Lame } from '../../../body/materials.js';
import { type SparseMatrix, sparseFromTriplets } from '../../../linalg/sparse.js';
import { doubleArea } from '../../../mesh/surface/triangle-algebra.js';
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';

/** Nodes that no triangle with an area has get this share of the mean area, so that their column of flesh is not nothing. */
const LEAST_AREA = 1e-3;

/** κ of a material [Pa]. */
export function layerModulus({ lambda, mu }: Lame): number {
  return (lambda + 4 * mu) / 3;
}

/** A third of the area of every triangle around each node [m²]. */
export function nodeAreas({ positions: p, triangles }: TriangleMesh): Float64Array {
  const areas = new Float64Array(p.length / 3);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const area = doubleArea(p, triangles[t], triangles[t + 1], triangles[t + 2]) / 2;
    total += area;
    for (let k = 0; k < 3; k++) areas[triangles[t + k]] += area / 3;
  }
  const least = (LEAST_AREA * total) / areas.length;
  for (let i = 0; i < areas.length; i++) areas[i] = Math.max(areas[i], least);
  return areas;
}

/** K [N/m] of a surface with depth `depths` [m] at each node. */
export function skinMatrix(
  mesh: TriangleMesh,
  areas: Float64Array,
  depths: Float64Array,
  modulus: number,
): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const add = (i: number, j: number, value: number): void => {
    rows.push(i);
    columns.push(j);
    values.push(value);
  };
  for (let i = 0; i < areas.length; i++) add(i, i, (modulus * areas[i]) / depths[i]);
  const { positions: p, triangles } = mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    const double = doubleArea(p, triangles[t], triangles[t + 1], triangles[t + 2]);
    if (!(double > 0)) continue;
    for (let k = 0; k < 3; k++) {
      const i = triangles[t + k];
      const j = triangles[t + ((k + 1) % 3)];
      const apex = triangles[t + ((k + 2) % 3)];
      const cotangent = dotFrom(p, apex, i, j) / double;
      if (!(cotangent > 0)) continue;
      const stiffness = ((modulus * (depths[i] + depths[j])) / 2 / 3) * (cotangent / 2);
      add(i, i, stiffness);
      add(j, j, stiffness);
      add(i, j, -stiffness);
      add(j, i, -stiffness);
    }
  }
  return sparseFromTriplets(areas.length, rows, columns, values);
}

/** (i − o)·(j − o) */
function dotFrom(p: ArrayLike<number>, o: number, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (p[3 * i + k] - p[3 * o + k]) * (p[3 * j + k] - p[3 * o + k]);
  return sum;
}
