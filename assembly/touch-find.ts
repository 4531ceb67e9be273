/**
 * Contacts of one layered character with one plain obstacle, in f64: bones first, then small groups of nodes, then nodes. The same sums in the
 * same order as src/solvers/layered/touch/find-touches.ts and skin/skinning.ts, which explain them; the bits are the same.
 */
import { distance, distanceTo, normalX, normalY, normalZ, probe } from './shape-probe';

/** Nodes this share of the depth before something count as touching it. */
const TOUCHING: f64 = 0.05;
/** Bytes of a contact and of a side. */
const TOUCH: usize = 208;
const SIDE: usize = 128;

/** Numbers of an obstacle and of the step, in bytes: place and rotation at the end, at the start, then one by one. */
const TURNED: usize = 24;
const EARLIER: usize = 96;
const EARLIER_TURNED: usize = 120;
const MOVES: usize = 192;
const FRICTION: usize = 200;
const EXTENT: usize = 208;
const STEP: usize = 232;
const KEPT: usize = 240;
const CORE: usize = 248;
const LEAD_OUT: usize = 256;

/** Of the character at hand: rest shape and groups, then what moves; and the obstacle. */
let rest: usize = 0;
let owners: usize = 0;
let weights: usize = 0;
let depths: usize = 0;
let deepest: f64 = 0;
let matrices: usize = 0;
let earlierMatrices: usize = 0;
let quats: usize = 0;
let earlierQuats: usize = 0;
let boneDent: usize = 0;
let isDented: usize = 0;
let dents: usize = 0;
let reference: usize = 0;
let obstacle: usize = 0;
let kind: i32 = 0;
/** A place, and the rows of a rotation. */
let px: f64 = 0;
let py: f64 = 0;
let pz: f64 = 0;
let q0: f64 = 0;
let q1: f64 = 0;
let q2: f64 = 0;
let q3: f64 = 0;
let q4: f64 = 0;
let q5: f64 = 0;
let q6: f64 = 0;
let q7: f64 = 0;
let q8: f64 = 0;

// @ts-ignore: decorator
@inline function word(array: usize, index: usize): i32 { return load<i32>(array + (index << 2)); }
// @ts-ignore: decorator
@inline function f(address: usize, index: usize): f64 { return load<f64>(address + (index << 3)); }

// @ts-ignore: decorator
@inline function put3(address: usize, x: f64, y: f64, z: f64): void {
  store<f64>(address, x);
  store<f64>(address, y, 8);
  store<f64>(address, z, 16);
}

/**
 * Adds contacts to a list that has `count`; returns how many there are then, -1 where there is no room for all. Words of the job: obstacle,
 * kind, number of obstacle, of body, bones, the model's words, the body's, arrays of the list (data, sides, obstacles, bodies, bones,
 * nodes), room.
 */
export function touchFind(job: usize, count: i32): i32 {
  const model = <usize>word(job, 5);
  const body = <usize>word(job, 6);
  obstacle = word(job, 0);
  kind = word(job, 1);
  rest = word(model, 0);
  owners = word(model, 1);
  weights = word(model, 2);
  depths = word(model, 3);
  deepest = load<f64>(<usize>word(model, 18));
  matrices = word(body, 0);
  earlierMatrices = word(body, 1);
  quats = word(body, 2);
  earlierQuats = word(body, 3);
  boneDent = word(body, 4);
  isDented = word(body, 5);
  dents = word(body, 6);
  reference = word(body, 7);
  const ofBone = <usize>word(model, 4), start = <usize>word(model, 5), nodes = <usize>word(model, 6);
  const room = word(job, 13);
  const boneCount = <usize>word(job, 4);
  for (let bone: usize = 0; bone < boneCount; bone++) {
    const from = <usize>word(ofBone, bone), to = <usize>word(ofBone, bone + 1);
    if (from == to || !canTouch(model + 13 * 4, bone, bone)) continue;
    for (let g = from; g < to; g++) {
      if (to - from > 1 && !canTouch(model + 7 * 4, g, bone)) continue;
      for (let i = <usize>word(start, g); i < <usize>word(start, g + 1); i++) {
        const p = <usize>word(nodes, i);
        if (!isNear(p)) continue;
        if (count == room) return -1;
        if (fill(job, p, <usize>count)) count++;
      }
    }
  }
  return count;
}

/** Whether anything within sphere number g of a list (centre, radius, other bones) can be in the obstacle. */
function canTouch(spheres: usize, g: usize, main: usize): bool {
  const radius = f(<usize>word(spheres, 1), g);
  if (radius < 0) return false;
  const centre = <usize>word(spheres, 0) + g * 24;
  const x = f(centre, 0), y = f(centre, 1), z = f(centre, 2);
  const m = matrices + main * 96;
  const cx = f(m, 0) * x + f(m, 1) * y + f(m, 2) * z + f(m, 3);
  const cy = f(m, 4) * x + f(m, 5) * y + f(m, 6) * z + f(m, 7);
  const cz = f(m, 8) * x + f(m, 9) * y + f(m, 10) * z + f(m, 11);
  let reach = radius + f(boneDent, main) + TOUCHING * deepest;
  const others = <usize>word(spheres, 3), otherWeights = <usize>word(spheres, 4), start = <usize>word(spheres, 2);
  for (let k = <usize>word(start, g); k < <usize>word(start, g + 1); k++) {
    const o = matrices + <usize>word(others, k) * 96;
    const dx = f(o, 0) * x + f(o, 1) * y + f(o, 2) * z + f(o, 3) - cx;
    const dy = f(o, 4) * x + f(o, 5) * y + f(o, 6) * z + f(o, 7) - cy;
    const dz = f(o, 8) * x + f(o, 9) * y + f(o, 10) * z + f(o, 11) - cz;
    reach += f(otherWeights, k) * sqrt(dx * dx + dy * dy + dz * dz);
  }
  return distanceAt(cx, cy, cz) <= reach;
}

/** Probes the obstacle as it is at the end of the step at a place of the world. */
function probeAt(wx: f64, wy: f64, wz: f64): void {
  const x = wx - f(obstacle, 0), y = wy - f(obstacle, 1), z = wz - f(obstacle, 2);
  const m = obstacle + TURNED;
  probe(kind, obstacle + EXTENT, f(m, 0) * x + f(m, 3) * y + f(m, 6) * z, f(m, 1) * x + f(m, 4) * y + f(m, 7) * z, f(m, 2) * x + f(m, 5) * y + f(m, 8) * z);
}

/** The distance alone. */
// @ts-ignore: decorator
@inline function distanceAt(wx: f64, wy: f64, wz: f64): f64 {
  const x = wx - f(obstacle, 0), y = wy - f(obstacle, 1), z = wz - f(obstacle, 2);
  const m = obstacle + TURNED;
  return distanceTo(kind, obstacle + EXTENT, f(m, 0) * x + f(m, 3) * y + f(m, 6) * z, f(m, 1) * x + f(m, 4) * y + f(m, 7) * z, f(m, 2) * x + f(m, 5) * y + f(m, 8) * z);
}

/** P = where the bones take node p, without its dent. */
function skin(p: usize, by: usize): void {
  const x = f(rest, 3 * p), y = f(rest, 3 * p + 1), z = f(rest, 3 * p + 2);
  px = 0;
  py = 0;
  pz = 0;
  for (let k = 4 * p; k < 4 * p + 4; k++) {
    const w = f(weights, k);
    if (w == 0) break;
    const m = by + <usize>word(owners, k) * 96;
    px += w * (f(m, 0) * x + f(m, 1) * y + f(m, 2) * z + f(m, 3));
    py += w * (f(m, 4) * x + f(m, 5) * y + f(m, 6) * z + f(m, 7));
    pz += w * (f(m, 8) * x + f(m, 9) * y + f(m, 10) * z + f(m, 11));
  }
}

/** Whether node p, at P then, is near the obstacle wherever its dent may be. */
// @ts-ignore: decorator
@inline function isNear(p: usize): bool {
  skin(p, matrices);
  let reach = TOUCHING * f(depths, p);
  if (word(isDented, p) == 1) reach = reach + abs(f(dents, 3 * p)) + abs(f(dents, 3 * p + 1)) + abs(f(dents, 3 * p + 2));
  return distanceAt(px, py, pz) < reach;
}

/** Q of node p, row by row. */
function turn(p: usize, by: usize): void {
  const main = by + <usize>word(owners, 4 * p) * 32;
  const mx = f(main, 0), my = f(main, 1), mz = f(main, 2), mw = f(main, 3);
  let x: f64 = 0, y: f64 = 0, z: f64 = 0, w: f64 = 0;
  for (let k = 4 * p; k < 4 * p + 4; k++) {
    const weight = f(weights, k);
    if (weight == 0) break;
    const o = by + <usize>word(owners, k) * 32;
    const same = mx * f(o, 0) + my * f(o, 1) + mz * f(o, 2) + mw * f(o, 3);
    const signed = same < 0 ? -weight : weight;
    x += signed * f(o, 0);
    y += signed * f(o, 1);
    z += signed * f(o, 2);
    w += signed * f(o, 3);
  }
  const length = sqrt(x * x + y * y + z * z + w * w);
  x /= length;
  y /= length;
  z /= length;
  w /= length;
  q0 = 1 - 2 * (y * y + z * z);
  q1 = 2 * (x * y - w * z);
  q2 = 2 * (x * z + w * y);
  q3 = 2 * (x * y + w * z);
  q4 = 1 - 2 * (x * x + z * z);
  q5 = 2 * (y * z - w * x);
  q6 = 2 * (x * z - w * y);
  q7 = 2 * (y * z + w * x);
  q8 = 1 - 2 * (x * x + y * y);
}

/** Writes contact c of node p, at P; false where its dent has taken it out of the obstacle's reach. */
function fill(job: usize, p: usize, c: usize): bool {
  const u = dents + p * 24;
  const ux = f(u, 0), uy = f(u, 1), uz = f(u, 2);
  const kept = load<f64>(obstacle, KEPT);
  turn(p, quats);
  const dx = kept * (q0 * ux + q1 * uy + q2 * uz);
  const dy = kept * (q3 * ux + q4 * uy + q5 * uz);
  const dz = kept * (q6 * ux + q7 * uy + q8 * uz);
  if (word(isDented, p) == 1) {
    px += dx;
    py += dy;
    pz += dz;
  }
  probeAt(px, py, pz);
  if (!(distance < TOUCHING * f(depths, p))) return false;
  const o = <usize>word(job, 7) + TOUCH * c;
  const a = <usize>word(job, 8) + 2 * SIDE * c;
  // not by memory.fill: the engine's own way takes longer for so few
  for (let at = o; at < o + TOUCH; at += 16) v128.store(at, f64x2.splat(0));
  for (let at = a; at < a + 2 * SIDE; at += 16) v128.store(at, f64x2.splat(0));
  const m = obstacle + TURNED;
  const nx = f(m, 0) * normalX + f(m, 1) * normalY + f(m, 2) * normalZ + 0;
  const ny = f(m, 3) * normalX + f(m, 4) * normalY + f(m, 5) * normalZ + 0;
  const nz = f(m, 6) * normalX + f(m, 7) * normalY + f(m, 8) * normalZ + 0;
  writeFrame(o, nx, ny, nz);
  writeLocal(o, a + 24);
  store<f64>(o, load<f64>(obstacle, FRICTION), 168);
  const ex = px, ey = py, ez = pz;
  // where it was, and how far it goes against what it touches
  skin(p, earlierMatrices);
  const sx = px, sy = py, sz = pz;
  turn(p, earlierQuats);
  const startX = sx + 1 * (q0 * ux + q1 * uy + q2 * uz);
  const startY = sy + 1 * (q3 * ux + q4 * uy + q5 * uz);
  const startZ = sz + 1 * (q6 * ux + q7 * uy + q8 * uz);
  writeGaps(o, p, sx, sy, sz, ex - startX, ey - startY, ez - startZ, nx * dx + ny * dy + nz * dz);
  const bone = word(owners, 4 * p);
  const at = reference + <usize>bone * 24;
  put3(a, startX - f(at, 0), startY - f(at, 1), startZ - f(at, 2));
  store<i32>(<usize>word(job, 9) + (c << 2), word(job, 2));
  store<i32>(<usize>word(job, 10) + (c << 3), word(job, 3));
  store<i32>(<usize>word(job, 10) + (c << 3), -1, 4);
  store<i32>(<usize>word(job, 11) + (c << 3), bone);
  store<i32>(<usize>word(job, 12) + (c << 3), <i32>p);
  return true;
}

/** Normal, and two unit vectors at right angles to it and to each other. */
function writeFrame(o: usize, nx: f64, ny: f64, nz: f64): void {
  let tx: f64 = 0, ty: f64 = 0, tz: f64 = 0;
  const ax = abs(nx), ay = abs(ny), az = abs(nz);
  if (ax <= ay && ax <= az) {
    ty = nz;
    tz = -ny;
  } else if (ay <= az) {
    tx = -nz;
    tz = nx;
  } else {
    tx = ny;
    ty = -nx;
  }
  const length = sqrt(tx * tx + ty * ty + tz * tz);
  tx /= length;
  ty /= length;
  tz /= length;
  put3(o, nx, ny, nz);
  put3(o + 24, tx, ty, tz);
  put3(o + 48, ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx);
}

/** Directions of a contact in the rest shape. */
function writeLocal(o: usize, l: usize): void {
  for (let axis: usize = 0; axis < 72; axis += 24) {
    const x = f(o + axis, 0), y = f(o + axis, 1), z = f(o + axis, 2);
    put3(l + axis, q0 * x + q3 * y + q6 * z, q1 * x + q4 * y + q7 * z, q2 * x + q5 * y + q8 * z);
  }
}

/** Distances of skin and core, and the way along both tangents: `w` that of the node, `out` how far its dent takes it out. */
function writeGaps(o: usize, p: usize, sx: f64, sy: f64, sz: f64, wx: f64, wy: f64, wz: f64, out: f64): void {
  const h = load<f64>(obstacle, STEP);
  const e = obstacle + EARLIER, r = obstacle + EARLIER_TURNED, m = obstacle + TURNED;
  const moves = load<f64>(obstacle, MOVES);
  const x = sx - f(e, 0), y = sy - f(e, 1), z = sz - f(e, 2);
  const lx = f(r, 0) * x + f(r, 3) * y + f(r, 6) * z;
  const ly = f(r, 1) * x + f(r, 4) * y + f(r, 7) * z;
  const lz = f(r, 2) * x + f(r, 5) * y + f(r, 8) * z;
  const wayX = wx - h * ((f(m, 0) * lx + f(m, 1) * ly + f(m, 2) * lz - x + (f(obstacle, 0) - f(e, 0))) / moves);
  const wayY = wy - h * ((f(m, 3) * lx + f(m, 4) * ly + f(m, 5) * lz - y + (f(obstacle, 1) - f(e, 1))) / moves);
  const wayZ = wz - h * ((f(m, 6) * lx + f(m, 7) * ly + f(m, 8) * lz - z + (f(obstacle, 2) - f(e, 2))) / moves);
  store<f64>(o, 0 + f(o, 3) * wayX + f(o, 4) * wayY + f(o, 5) * wayZ, 88);
  store<f64>(o, 0 + f(o, 6) * wayX + f(o, 7) * wayY + f(o, 8) * wayZ, 96);
  const along = 0 + f(o, 0) * wayX + f(o, 1) * wayY + f(o, 2) * wayZ;
  const slowest = min<f64>(along - h * load<f64>(obstacle, LEAD_OUT), 0);
  store<f64>(o, max<f64>(distance, slowest), 72);
  store<f64>(o, max<f64>(distance - out + load<f64>(obstacle, CORE) * f(depths, p), slowest), 80);
}
