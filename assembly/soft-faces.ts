/**
 * The nearest point of a soft body's surface, through clusters of eight triangles with boxes around them, as src/solvers/coupled/soft/soft-surface.ts
 * has it. The answer is in the globals below.
 */

/** Corners of the nearest triangle (numbered within the body), their weights, outward normal and signed distance [m]. */
export let corner0: u32 = 0, corner1: u32 = 0, corner2: u32 = 0;
export let weight0: f64 = 0, weight1: f64 = 0, weight2: f64 = 0;
export let faceX: f64 = 0, faceY: f64 = 0, faceZ: f64 = 0, faceDistance: f64 = 0;

/** Triangles per cluster. */
const CLUSTER: usize = 8;
const SAME: f64 = 1e-9;
const NO_WAY: f64 = 1e-7;

let found: bool = false;
let best: f64 = 0, bestOver: f64 = 0;
// triangles are passed over that look more than `most` this way
let lookX: f64 = 0, lookY: f64 = 0, lookZ: f64 = 0, most: f64 = Infinity;
let unitX: f64 = 0, unitY: f64 = 0, unitZ: f64 = 0;

// records of soft bodies, as src/solvers/coupled/contacts/search-memory.ts writes them
// @ts-ignore: decorator
@inline function placesOf(model: usize): usize { return load<u32>(model); }
// @ts-ignore: decorator
@inline function trianglesOf(model: usize): usize { return load<u32>(model, 12); }
// @ts-ignore: decorator
@inline function clustersOf(model: usize): usize { return load<u32>(model, 20); }
// @ts-ignore: decorator
@inline function clusterCountOf(model: usize): usize { return load<u32>(model, 24); }

/** Boxes of clusters and sums of normals at vertices, once per search. */
export function refreshFaces(model: usize): void {
  if (load<u32>(model, 44) == 1) return;
  store<u32>(model, 1, 44);
  const x = placesOf(model), triangles = trianglesOf(model), normals: usize = load<u32>(model, 28);
  const end: usize = load<u32>(model, 16);
  memory.fill(normals, 0, load<u32>(model, 40) * 24);
  for (let cluster: usize = 0; cluster < clusterCountOf(model); cluster++) {
    let x0: f64 = Infinity, y0: f64 = Infinity, z0: f64 = Infinity, x1: f64 = -Infinity, y1: f64 = -Infinity, z1: f64 = -Infinity;
    for (let t = cluster * CLUSTER; t < min(end, (cluster + 1) * CLUSTER); t++) {
      const at = triangles + t * 12;
      const a: usize = x + load<u32>(at) * 24, b: usize = x + load<u32>(at, 4) * 24, c: usize = x + load<u32>(at, 8) * 24;
      x0 = min(x0, min(load<f64>(a), min(load<f64>(b), load<f64>(c))));
      y0 = min(y0, min(load<f64>(a, 8), min(load<f64>(b, 8), load<f64>(c, 8))));
      z0 = min(z0, min(load<f64>(a, 16), min(load<f64>(b, 16), load<f64>(c, 16))));
      x1 = max(x1, max(load<f64>(a), max(load<f64>(b), load<f64>(c))));
      y1 = max(y1, max(load<f64>(a, 8), max(load<f64>(b, 8), load<f64>(c, 8))));
      z1 = max(z1, max(load<f64>(a, 16), max(load<f64>(b, 16), load<f64>(c, 16))));
      triangleNormal(a, b, c);
      addNormal(normals + load<u32>(at) * 24);
      addNormal(normals + load<u32>(at, 4) * 24);
      addNormal(normals + load<u32>(at, 8) * 24);
    }
    const o = clustersOf(model) + cluster * 48;
    store<f64>(o, x0); store<f64>(o, y0, 8); store<f64>(o, z0, 16);
    store<f64>(o, x1, 24); store<f64>(o, y1, 32); store<f64>(o, z1, 40);
  }
}

// @ts-ignore: decorator
@inline function addNormal(at: usize): void {
  store<f64>(at, load<f64>(at) + unitX);
  store<f64>(at, load<f64>(at, 8) + unitY, 8);
  store<f64>(at, load<f64>(at, 16) + unitZ, 16);
}

/** unit = (b - a) × (c - a), not made unit yet. */
// @ts-ignore: decorator
@inline function triangleNormal(a: usize, b: usize, c: usize): void {
  const ux = load<f64>(b) - load<f64>(a), uy = load<f64>(b, 8) - load<f64>(a, 8), uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a), vy = load<f64>(c, 8) - load<f64>(a, 8), vz = load<f64>(c, 16) - load<f64>(a, 16);
  unitX = uy * vz - uz * vy;
  unitY = uz * vx - ux * vz;
  unitZ = ux * vy - uy * vx;
}

/** Finds the point nearest to a place, if it is nearer than `reach`, or than `near` where the place is outside; `away`: room for one f64 per cluster. */
export function askFaces(model: usize, away: usize, p0: f64, p1: f64, p2: f64, reach: f64, near: f64): bool {
  search(model, away, p0, p1, p2, reach, near);
  if (found) direct(model, p0, p1, p2);
  return found;
}

/** The same among the triangles that look less than `least` along (x, y, z), by their planes, if the place is over or under the nearest of them, or at most `beside` it. */
export function askFacing(
  model: usize, away: usize, p0: f64, p1: f64, p2: f64, reach: f64, x: f64, y: f64, z: f64, least: f64, beside: f64,
): bool {
  lookX = x; lookY = y; lookZ = z;
  most = least;
  search(model, away, p0, p1, p2, reach, reach);
  most = Infinity;
  faceDistance = bestOver;
  return found && best - bestOver * bestOver <= beside * beside;
}

function search(model: usize, away: usize, p0: f64, p1: f64, p2: f64, reach: f64, near: f64): void {
  refreshFaces(model);
  const count = clusterCountOf(model);
  best = reach * reach;
  bestOver = 0;
  found = false;
  let lead: usize = 0;
  let least: f64 = Infinity;
  for (let cluster: usize = 0; cluster < count; cluster++) {
    const o = clustersOf(model) + cluster * 48;
    const d0 = max(max(load<f64>(o) - p0, p0 - load<f64>(o, 24)), 0);
    const d1 = max(max(load<f64>(o, 8) - p1, p1 - load<f64>(o, 32)), 0);
    const d2 = max(max(load<f64>(o, 16) - p2, p2 - load<f64>(o, 40)), 0);
    const square = d0 * d0 + d1 * d1 + d2 * d2;
    store<f64>(away + cluster * 8, square);
    if (square < least) {
      least = square;
      lead = cluster;
    }
  }
  if (least > best) return;
  askCluster(model, lead, p0, p1, p2);
  if (least > near * near && (!found || bestOver >= 0)) {
    found = false;
    return;
  }
  for (let cluster: usize = 0; cluster < count; cluster++) {
    if (cluster != lead && load<f64>(away + cluster * 8) <= best) askCluster(model, cluster, p0, p1, p2);
  }
}

function askCluster(model: usize, cluster: usize, p0: f64, p1: f64, p2: f64): void {
  const x = placesOf(model);
  const end = min(<usize>load<u32>(model, 16), (cluster + 1) * CLUSTER);
  for (let t = cluster * CLUSTER; t < end; t++) {
    const at = trianglesOf(model) + t * 12;
    const a: usize = x + load<u32>(at) * 24, b: usize = x + load<u32>(at, 4) * 24, c: usize = x + load<u32>(at, 8) * 24;
    const a0 = load<f64>(a), a1 = load<f64>(a, 8), a2 = load<f64>(a, 16);
    const abx = load<f64>(b) - a0, aby = load<f64>(b, 8) - a1, abz = load<f64>(b, 16) - a2;
    const acx = load<f64>(c) - a0, acy = load<f64>(c, 8) - a1, acz = load<f64>(c, 16) - a2;
    const apx = p0 - a0, apy = p1 - a1, apz = p2 - a2;
    const d1 = abx * apx + aby * apy + abz * apz, d2 = acx * apx + acy * apy + acz * apz;
    const abab = abx * abx + aby * aby + abz * abz, acac = acx * acx + acy * acy + acz * acz, abac = abx * acx + aby * acy + abz * acz;
    const d3 = d1 - abab, d4 = d2 - abac, d5 = d1 - abac, d6 = d2 - acac;
    let v: f64 = 0, w: f64 = 0;
    const vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (d1 <= 0 && d2 <= 0) v = 0;
    else if (d3 >= 0 && d4 <= d3) v = 1;
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
    else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      w = (d4 - d3) / (d4 - d3 + (d5 - d6));
      v = 1 - w;
    } else {
      const sum = va + vb + vc;
      v = vb / sum;
      w = vc / sum;
    }
    const qx = apx - v * abx - w * acx, qy = apy - v * aby - w * acy, qz = apz - v * abz - w * acz;
    const square = qx * qx + qy * qy + qz * qz;
    if (square > best * (1 + SAME)) continue;
    // how far the place is over the plane of the triangle
    let n0 = aby * acz - abz * acy, n1 = abz * acx - abx * acz, n2 = abx * acy - aby * acx;
    const length = sqrt(n0 * n0 + n1 * n1 + n2 * n2);
    const scale = length > 0 ? 1 / length : 0;
    n0 *= scale; n1 *= scale; n2 *= scale;
    if (most < Infinity && n0 * lookX + n1 * lookY + n2 * lookZ >= most) continue;
    const over = n0 * apx + n1 * apy + n2 * apz;
    if (found && square > best * (1 - SAME) && abs(over) <= abs(bestOver)) continue;
    found = true;
    best = min(best, square);
    bestOver = over;
    corner0 = load<u32>(at); corner1 = load<u32>(at, 4); corner2 = load<u32>(at, 8);
    weight0 = 1 - v - w; weight1 = v; weight2 = w;
    faceX = n0; faceY = n1; faceZ = n2;
  }
}

/** Signed distance and normal: the way to the surface where it is long enough to have a direction, else the triangle's own. */
function direct(model: usize, p0: f64, p1: f64, p2: f64): void {
  const x = placesOf(model);
  const length = sqrt(best);
  const sign: f64 = bestOver < 0 ? -1 : 1;
  faceDistance = sign * length;
  if (length - abs(bestOver) < 1e-6 * length || length < NO_WAY) return;
  const a: usize = x + corner0 * 24, b: usize = x + corner1 * 24, c: usize = x + corner2 * 24;
  faceX = (sign * (p0 - (weight0 * load<f64>(a) + weight1 * load<f64>(b) + weight2 * load<f64>(c)))) / length;
  faceY = (sign * (p1 - (weight0 * load<f64>(a, 8) + weight1 * load<f64>(b, 8) + weight2 * load<f64>(c, 8)))) / length;
  faceZ = (sign * (p2 - (weight0 * load<f64>(a, 16) + weight1 * load<f64>(b, 16) + weight2 * load<f64>(c, 16)))) / length;
}
