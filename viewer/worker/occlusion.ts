/**
 * How much of the sky each vertex of a surface sees, in its rest shape: creases, armpits and the space between fingers get
 * less light. Each vertex is shaded by the others as by small discs (the form factor of a disc, counted twice where
 * discs hide each other: exact enough for a shade).
 */

/** Only what is nearer than this counts, in sizes of the surface. */
const REACH = 0.12;
/** Discs that stand for the surface, about: of finer ones every so many vertices have the area of those between them. A figure with 400 loose parts kept the page waiting for 10 s of work. */
const MOST_DISCS = 6000;
/** The strongest shade: never black. */
const DARKEST = 0.35;

/** One number per vertex: 1 sees all of its sky. Positions x,y,z [m], three vertices per triangle. */
export function measureOcclusion(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const { normals, areas } = discs(positions, triangles);
  const reach = REACH * extentOf(positions);
  const count = positions.length / 3;
  const stride = Math.ceil(count / MOST_DISCS);
  for (let u = 0; u < count; u += stride) areas[u] *= stride;
  const grid = gather(positions, reach, stride);
  const out = new Float32Array(count);
  for (let v = 0; v < count; v++) {
    let shade = 0;
    for (const u of grid.around(v)) shade += shadeOf(positions, normals, areas, v, u, reach);
    out[v] = Math.max(DARKEST, 1 - shade);
  }
  return out;
}

/** Share of the sky over `v` that the disc at `u` takes. */
function shadeOf(
  x: Float32Array,
  normals: Float32Array,
  areas: Float32Array,
  v: number,
  u: number,
  reach: number,
): number {
  const i = 3 * v;
  const j = 3 * u;
  const dx = x[j] - x[i];
  const dy = x[j + 1] - x[i + 1];
  const dz = x[j + 2] - x[i + 2];
  const square = dx * dx + dy * dy + dz * dz;
  if (square === 0 || square > reach * reach) return 0;
  const distance = Math.sqrt(square);
  const here = (dx * normals[i] + dy * normals[i + 1] + dz * normals[i + 2]) / distance;
  const there = -(dx * normals[j] + dy * normals[j + 1] + dz * normals[j + 2]) / distance;
  if (here <= 0.05 || there <= 0) return 0;
  const fade = 1 - square / (reach * reach);
  return (fade * here * there * areas[u]) / (Math.PI * square + areas[u]);
}

/** Unit normal and area that belong to each vertex. */
function discs(x: Float32Array, triangles: Uint32Array): { normals: Float32Array; areas: Float32Array } {
  const normals = new Float32Array(x.length);
  const areas = new Float32Array(x.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const area = Math.hypot(n[0], n[1], n[2]) / 6;
    for (const corner of [a, b, c]) {
      for (let k = 0; k < 3; k++) normals[corner + k] += n[k];
      areas[corner / 3] += area;
    }
  }
  for (let i = 0; i < x.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    for (let k = 0; k < 3; k++) normals[i + k] /= length;
  }
  return { normals, areas };
}

function extentOf(x: Float32Array): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = k; i < x.length; i += 3) {
      low = Math.min(low, x[i]);
      high = Math.max(high, x[i]);
    }
    most = Math.max(most, high - low);
  }
  return most;
}

/** Every so many vertices by cubes of the given side, to look only at what is near. */
function gather(x: Float32Array, side: number, stride: number): { around(v: number): Iterable<number> } {
  const cells = new Map<string, number[]>();
  const cell = (v: number, k: number): number => Math.floor(x[3 * v + k] / side);
  for (let v = 0; v < x.length / 3; v += stride) {
    const key = `${cell(v, 0)},${cell(v, 1)},${cell(v, 2)}`;
    const list = cells.get(key);
    if (list) list.push(v);
    else cells.set(key, [v]);
  }
  // vertices of one cube have the same around them
  const known = new Map<string, number[]>();
  return {
    around(v) {
      const [a, b, c] = [cell(v, 0), cell(v, 1), cell(v, 2)];
      const key = `${a},${b},${c}`;
      const before = known.get(key);
      if (before) return before;
      const list: number[] = [];
      for (let i = a - 1; i <= a + 1; i++) {
        for (let j = b - 1; j <= b + 1; j++) {
          for (let k = c - 1; k <= c + 1; k++) for (const u of cells.get(`${i},${j},${k}`) ?? []) list.push(u);
        }
      }
      known.set(key, list);
      return list;
    },
  };
}
