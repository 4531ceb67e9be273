/**
 * Joint blocks of a coupled world that hold two points together: readied for a track, laid down in f32 for the sweeps over a heap, and taken up after them. What src/solvers/coupled/rigid/joint-blocks.ts does, bit for
 * bit; blocks that give way, or are not of this kind, are readied there. `job`: see assembly/row-job.ts. A block in f32 is described in src/kernels/reference/heap-rows.ts.
 */
import { anchorsOf, blockA, blockArmA, blockArmB, blockB, blockPush, complianceOf, formOf, givesOf, heapBlock, heapBody, inverseMassOf, inverseOf, layVector, placeOf, projectorOf, quatOf, settings, targetOf, turnBody, pushPoint } from './row-job';
import { addPoint, clearAnswer, w00, w01, w02, w11, w12, w22 } from './row-measure';

// forms of a block
const HOLDS_POINT: i32 = 1;
const TURNS: i32 = 2;
// flags of a row
const TURN: u32 = 8;
const HELD: u32 = 16;
/** Magnitudes between these are left alone, and what brings others there; see src/math/scale.ts. */
const LOW: f64 = 7.888609052210118e-31;
const HIGH: f64 = 1.2676506002282294e30;
const UP: f64 = 1.6069380442589903e60;
const DOWN: f64 = 6.223015277861142e-61;
/** Determinants smaller than this share of their terms are nothing. */
const NOISE: f64 = 4.440892098500626e-16;

/** Arms, target and inverse of blocks [first, last) that hold points and do not give way. */
export function readyJoints(first: usize, last: usize, own: usize, job: usize): void {
  const h = load<f64>(settings(job)), still = load<f64>(settings(job), 32) == 1;
  for (let i = first; i < last; i++) {
    if (formOf(job, i) != HOLDS_POINT || givesOf(job, i) != 0) continue;
    const a = blockA(job, i), b = blockB(job, i);
    if (inverseMassOf(job, a) == 0 && inverseMassOf(job, b) == 0) continue;
    const p = blockArmA(job, i), q = blockArmB(job, i), x = placeOf(job, a), y = placeOf(job, b), target = targetOf(job, i), projector = projectorOf(job, i);
    rotate(quatOf(job, a), anchorsOf(job, i), p);
    rotate(quatOf(job, b), anchorsOf(job, i) + 24, q);
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(target + k, still ? 0 : -(load<f64>(x + k) + load<f64>(p + k) - load<f64>(y + k) - load<f64>(q + k)) / h);
      // no projector at all
      store<f64>(projector + k * 4, 1);
    }
    store<f64>(complianceOf(job, i), 0);
    clearAnswer();
    addPoint(job, a, p);
    addPoint(job, b, q);
    invert(inverseOf(job, i));
  }
}

/** A vector turned by a quaternion. */
function rotate(quat: usize, v: usize, out: usize): void {
  const x = load<f64>(quat), y = load<f64>(quat, 8), z = load<f64>(quat, 16), w = load<f64>(quat, 24);
  const vx = load<f64>(v), vy = load<f64>(v, 8), vz = load<f64>(v, 16);
  const tx = 2 * (y * vz - z * vy), ty = 2 * (z * vx - x * vz), tz = 2 * (x * vy - y * vx);
  store<f64>(out, vx + w * tx + (y * tz - z * ty));
  store<f64>(out, vy + w * ty + (z * tx - x * tz), 8);
  store<f64>(out, vz + w * tz + (x * ty - y * tx), 16);
}

/** The inverse of the answer that was summed, which is symmetric; nothing where it has none. */
function invert(out: usize): void {
  const most = max(max(max(abs(w00), abs(w01)), max(abs(w02), abs(w11))), max(abs(w12), abs(w22)));
  let scale: f64 = 1;
  if (most != 0 && most <= f64.MAX_VALUE) {
    while (most * scale < LOW) scale *= UP;
    while (most * scale > HIGH) scale *= DOWN;
  }
  const m00 = w00 * scale, m01 = w01 * scale, m02 = w02 * scale, m11 = w11 * scale, m12 = w12 * scale, m22 = w22 * scale;
  const c00 = m11 * m22 - m12 * m12, c01 = m12 * m02 - m01 * m22, c02 = m01 * m12 - m11 * m02;
  const determinant = m00 * c00 + m01 * c01 + m02 * c02;
  const terms = abs(m00) * (abs(m11 * m22) + abs(m12 * m12)) + abs(m01) * (abs(m12 * m02) + abs(m01 * m22)) + abs(m02) * (abs(m01 * m12) + abs(m11 * m02));
  let r00 = (c00 / determinant) * scale, r01 = (c01 / determinant) * scale, r02 = (c02 / determinant) * scale;
  let r11 = ((m00 * m22 - m02 * m02) / determinant) * scale, r12 = ((m02 * m01 - m00 * m12) / determinant) * scale, r22 = ((m00 * m11 - m01 * m01) / determinant) * scale;
  // what is no number fails both
  const finite = r00 - r00 + (r01 - r01) + (r02 - r02) + (r11 - r11) + (r12 - r12) + (r22 - r22);
  if (!(abs(determinant) > NOISE * terms) || finite != 0) {
    r00 = 0; r01 = 0; r02 = 0; r11 = 0; r12 = 0; r22 = 0;
  }
  store<f64>(out, r00); store<f64>(out, r01, 8); store<f64>(out, r02, 16);
  store<f64>(out, r01, 24); store<f64>(out, r11, 32); store<f64>(out, r12, 40);
  store<f64>(out, r02, 48); store<f64>(out, r12, 56); store<f64>(out, r22, 64);
}

/** Lays block i down; its address, odd for a block. */
export function layBlock(job: usize, i: usize): u32 {
  const row = heapBlock(job, i), compliance = load<f64>(complianceOf(job, i));
  const turns = formOf(job, i) == TURNS, held = !turns && compliance == 0;
  store<u32>(row, (turns ? TURN : 0) | (held ? HELD : 0));
  store<u32>(row, <u32>heapBody(job, blockA(job, i)), 4);
  store<u32>(row, <u32>heapBody(job, blockB(job, i)), 8);
  store<f32>(row, f32(compliance), 12);
  layVector(row + 16, blockArmA(job, i));
  layVector(row + 32, blockArmB(job, i));
  layVector(row + 48, targetOf(job, i));
  layVector(row + 64, blockPush(job, i));
  layColumns(row + 80, inverseOf(job, i));
  if (!held) layColumns(row + 128, projectorOf(job, i));
  return <u32>row + 1;
}

/** A matrix, given by its rows, as three columns. */
function layColumns(to: usize, from: usize): void {
  for (let m: usize = 0; m < 3; m++, to += 16, from += 8) {
    store<f32>(to, f32(load<f64>(from)));
    store<f32>(to, f32(load<f64>(from, 24)), 4);
    store<f32>(to, f32(load<f64>(from, 48)), 8);
  }
}

/** The impulse of block i, and its push on two bodies. */
export function takeBlock(job: usize, i: usize): void {
  const row = heapBlock(job, i), to = blockPush(job, i), a = blockA(job, i), b = blockB(job, i);
  const p0 = f64(load<f32>(row, 64)), p1 = f64(load<f32>(row, 68)), p2 = f64(load<f32>(row, 72));
  store<f64>(to, p0); store<f64>(to, p1, 8); store<f64>(to, p2, 16);
  if (formOf(job, i) == TURNS) {
    turnBody(job, a, p0, p1, p2);
    turnBody(job, b, -p0, -p1, -p2);
  } else {
    pushPoint(job, a, blockArmA(job, i), p0, p1, p2);
    pushPoint(job, b, blockArmB(job, i), -p0, -p1, -p2);
  }
}
