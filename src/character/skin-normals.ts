/** Normals for skins that come without, smooth across seams where the texture is cut but the shape is not. */
import { computeVertexNormals } from '../mesh/surface/surface.js';

/** The given normals, and area-weighted ones where they are zero. `weldedOf`: the shape's vertex of each skin vertex. */
export function fillNormals(
  given: Float32Array,
  positions: Float32Array,
  triangles: Uint32Array,
  weldedOf: Int32Array,
): Float32Array {
  let missing = false;
  for (let i = 0; i < given.length && !missing; i += 3) {
    missing = given[i] === 0 && given[i + 1] === 0 && given[i + 2] === 0;
  }
  if (!missing) return given;
  const normals = given.slice();
  const smooth = new Float32Array(given.length);
  updateSkinNormals(
    positions,
    triangles,
    weldedOf,
    smooth,
    new Float32Array(given.length),
    new Float32Array(given.length),
  );
  for (let i = 0; i < given.length; i += 3) {
    if (given[i] !== 0 || given[i + 1] !== 0 || given[i + 2] !== 0) continue;
    for (let k = 0; k < 3; k++) normals[i + k] = smooth[i + k];
  }
  return normals;
}

function updateSkinNormals(
  positions: Float32Array,
  triangles: Uint32Array,
  weldedOf: Int32Array,
  out: Float32Array,
  shape: Float32Array,
  shapeNormals: Float32Array,
): void {
  const welded = triangles.map((v) => weldedOf[v]);
  for (let v = 0; v < weldedOf.length; v++) {
    for (let k = 0; k < 3; k++) shape[3 * weldedOf[v] + k] = positions[3 * v + k];
  }
  computeVertexNormals(welded, shape, shapeNormals);
  for (let v = 0; v < weldedOf.length; v++) {
    for (let k = 0; k < 3; k++) out[3 * v + k] = shapeNormals[3 * weldedOf[v] + k];
  }
}
