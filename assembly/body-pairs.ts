/**
 * Narrow phase between two bodies, in f64: round rigid ones by samples in each other's distance, soft ones by vertices in the distance of rigid
 * bodies, samples of rigid bodies against faces, and vertices against faces. Does what src/solvers/coupled/rigid/rigid-pairs.ts and
 * src/solvers/coupled/soft/soft-pairs.ts do, bit for bit; memory is laid out by src/solvers/coupled/contacts/search-memory.ts.
 *
 * Answers are records of `CANDIDATE` bytes: key, point, normal, gap, corners and weights of a face.
 */
import { CANDIDATE, PER_DIRECTION, reduceManifold } from './manifold';
import { distanceRound, probeDistance, probeRound, probeX, probeY, probeZ } from './probe-round';
import { askFaces, askFacing, corner0, corner1, corner2, faceDistance, faceX, faceY, faceZ, refreshFaces, weight0, weight1, weight2 } from './soft-faces';

/** Most candidates between two rigid bodies, and of samples near faces. */
const MOST_RIGID: i32 = 512;
const MOST_SAMPLES: i32 = 256;
/** Added to the keys of samples of the second rigid body. */
const SECOND: f64 = 32768;
const SPHERE: i32 = 1;
const SAMPLE: usize = 56;
const SHAPE: usize = 96;
const MODEL: usize = 64;
const DEEPEST: f64 = 0.2;
const BACK: f64 = 0.2;
const RIM: f64 = 0.005;
const FACES: f64 = -0.2;
const BETWEEN: f64 = 0.015;

// the slab of the pair at hand
let axisX: f64 = 0, axisY: f64 = 0, axisZ: f64 = 0, endA: f64 = 0, startB: f64 = 0;
// what was asked last: a place and which way is out there
let atX: f64 = 0, atY: f64 = 0, atZ: f64 = 0, outX: f64 = 0, outY: f64 = 0, outZ: f64 = 0;

// @ts-ignore: decorator
@inline function placeOf(table: usize, body: usize): usize { return load<u32>(table) + body * 24; }
// @ts-ignore: decorator
@inline function turnOf(table: usize, body: usize): usize { return load<u32>(table, 4) + body * 72; }
// @ts-ignore: decorator
@inline function shapeOf(table: usize, body: usize): usize { return load<u32>(table, 8) + body * SHAPE; }
// @ts-ignore: decorator
@inline function boxOf(table: usize, body: usize): usize { return load<u32>(table, 12) + body * 48; }
// @ts-ignore: decorator
@inline function modelOf(table: usize, soft: usize): usize { return load<u32>(table, 16) + soft * MODEL; }
// @ts-ignore: decorator
@inline function recordOf(table: usize, n: i32): usize { return load<u32>(table, 24) + n * CANDIDATE; }

/** Finds where two round rigid bodies are nearer than `margin` [m]; returns how many records there are. */
export function findRigidPair(table: usize, a: usize, b: usize, margin: f64): i32 {
  if (isApart(table, a, b, margin) || isApart(table, b, a, margin)) return 0;
  let count = askRigid(table, a, b, margin, 1, 0, 0);
  count = askRigid(table, b, a, margin, -1, SECOND, count);
  return keepFew(table, 0, count, margin);
}

/** Whether the ball around body `from` is farther than `margin` from the shape of `into`: then none of its samples is nearer, and none of the other's either. */
function isApart(table: usize, from: usize, into: usize, margin: f64): bool {
  const q = turnOf(table, into), x = placeOf(table, from), y = placeOf(table, into), asked = shapeOf(table, into);
  const e0 = load<f64>(x) - load<f64>(y), e1 = load<f64>(x, 8) - load<f64>(y, 8), e2 = load<f64>(x, 16) - load<f64>(y, 16);
  const s0 = load<f64>(q) * e0 + load<f64>(q, 24) * e1 + load<f64>(q, 48) * e2;
  const s1 = load<f64>(q, 8) * e0 + load<f64>(q, 32) * e1 + load<f64>(q, 56) * e2;
  const s2 = load<f64>(q, 16) * e0 + load<f64>(q, 40) * e1 + load<f64>(q, 64) * e2;
  // a little more than its reach: rounding must not lose what is just near enough
  return distanceRound(asked, s0, s1, s2) > margin + 1.000001 * load<f64>(shapeOf(table, from), 32);
}

/** Leaves of the records from `first` on those that matter; returns the new end. */
function keepFew(table: usize, first: i32, end: i32, margin: f64): i32 {
  if (end - first <= PER_DIRECTION) return end;
  const kept: usize = load<u32>(table, 28);
  reduceManifold(recordOf(table, first), end - first, margin, kept, load<u32>(table, 32));
  let count = first;
  for (let i = first; i < end; i++) {
    if (load<u8>(kept + (i - first)) == 0) continue;
    if (count != i) memory.copy(recordOf(table, count), recordOf(table, i), CANDIDATE);
    count++;
  }
  return count;
}

/** Samples of `from` in the distance of `into`. */
function askRigid(table: usize, from: usize, into: usize, margin: f64, sign: f64, firstKey: f64, have: i32): i32 {
  const asking = shapeOf(table, from), asked = shapeOf(table, into);
  const samples: usize = load<u32>(asking, 8);
  const sampleCount = load<i32>(asking, 4);
  if (sampleCount == 0 || (firstKey != 0 && load<i32>(asking) == SPHERE && load<i32>(asked) == SPHERE)) return have;
  const p = turnOf(table, from), q = turnOf(table, into), x = placeOf(table, from), y = placeOf(table, into);
  const e0 = load<f64>(x) - load<f64>(y), e1 = load<f64>(x, 8) - load<f64>(y, 8), e2 = load<f64>(x, 16) - load<f64>(y, 16);
  const p0 = load<f64>(p), p1 = load<f64>(p, 8), p2 = load<f64>(p, 16), p3 = load<f64>(p, 24), p4 = load<f64>(p, 32), p5 = load<f64>(p, 40), p6 = load<f64>(p, 48), p7 = load<f64>(p, 56), p8 = load<f64>(p, 64);
  const q0 = load<f64>(q), q1 = load<f64>(q, 8), q2 = load<f64>(q, 16), q3 = load<f64>(q, 24), q4 = load<f64>(q, 32), q5 = load<f64>(q, 40), q6 = load<f64>(q, 48), q7 = load<f64>(q, 56), q8 = load<f64>(q, 64);
  const s0 = q0 * e0 + q3 * e1 + q6 * e2, s1 = q1 * e0 + q4 * e1 + q7 * e2, s2 = q2 * e0 + q5 * e1 + q8 * e2;
  const t0 = q0 * p0 + q3 * p3 + q6 * p6, t1 = q0 * p1 + q3 * p4 + q6 * p7, t2 = q0 * p2 + q3 * p5 + q6 * p8;
  const t3 = q1 * p0 + q4 * p3 + q7 * p6, t4 = q1 * p1 + q4 * p4 + q7 * p7, t5 = q1 * p2 + q4 * p5 + q7 * p8;
  const t6 = q2 * p0 + q5 * p3 + q8 * p6, t7 = q2 * p1 + q5 * p4 + q8 * p7, t8 = q2 * p2 + q5 * p5 + q8 * p8;
  // samples of round shapes have one radius
  const radius = load<f64>(samples, 24), near = margin + radius;
  const across0 = f64x2(t0, t3), across1 = f64x2(t1, t4), across2 = f64x2(t2, t5), start = f64x2(s0, s1);
  const bounded = load<u32>(asked, 12) != 0;
  const high = f64x2.add(v128.load(asked, 64), f64x2.splat(near)), low = f64x2.sub(v128.load(asked, 40), f64x2.splat(near));
  const high2 = load<f64>(asked, 80) + near, low2 = load<f64>(asked, 56) - near;
  let count = have;
  for (let s = 0; s < sampleCount; s++) {
    const o = samples + s * SAMPLE;
    const at = f64x2.add(f64x2.add(f64x2.add(f64x2.mul(across0, v128.load64_splat(o)), f64x2.mul(across1, v128.load64_splat(o, 8))), f64x2.mul(across2, v128.load64_splat(o, 16))), start);
    const at2 = t6 * load<f64>(o) + t7 * load<f64>(o, 8) + t8 * load<f64>(o, 16) + s2;
    // outside the box around the shape, and then outside the shape: what is far is not worth a direction
    const beyond = v128.any_true(v128.or(f64x2.gt(at, high), f64x2.lt(at, low))) | (at2 > high2) | (at2 < low2);
    if (bounded & beyond) continue;
    const at0 = f64x2.extract_lane(at, 0), at1 = f64x2.extract_lane(at, 1);
    const gap = distanceRound(asked, at0, at1, at2) - radius;
    if (!(gap < margin) || count == MOST_RIGID) continue;
    probeRound(asked, at0, at1, at2);
    const back = radius + 0.5 * gap;
    const m0 = at0 - back * probeX, m1 = at1 - back * probeY, m2 = at2 - back * probeZ;
    const r = recordOf(table, count++);
    store<f64>(r, firstKey + f64(s));
    store<f64>(r, load<f64>(y) + q0 * m0 + q1 * m1 + q2 * m2, 8);
    store<f64>(r, load<f64>(y, 8) + q3 * m0 + q4 * m1 + q5 * m2, 16);
    store<f64>(r, load<f64>(y, 16) + q6 * m0 + q7 * m1 + q8 * m2, 24);
    store<f64>(r, sign * (q0 * probeX + q1 * probeY + q2 * probeZ), 32);
    store<f64>(r, sign * (q3 * probeX + q4 * probeY + q5 * probeZ), 40);
    store<f64>(r, sign * (q6 * probeX + q7 * probeY + q8 * probeZ), 48);
    store<f64>(r, gap, 56);
  }
  return count;
}

/** Whether a place in a shape's frame is farther than `near` from the box around it; nothing is where it has none. */
// @ts-ignore: decorator
@inline function isOutside(shape: usize, x: f64, y: f64, z: f64, near: f64): bool {
  if (load<u32>(shape, 12) == 0) return false;
  return x > load<f64>(shape, 64) + near || x < load<f64>(shape, 40) - near || y > load<f64>(shape, 72) + near || y < load<f64>(shape, 48) - near
    || z > load<f64>(shape, 80) + near || z < load<f64>(shape, 56) - near;
}

/** Whether a place is farther than `near` from a box of the world. */
// @ts-ignore: decorator
@inline function isBeyond(box: usize, x: f64, y: f64, z: f64, near: f64): bool {
  return x < load<f64>(box) - near || x > load<f64>(box, 24) + near || y < load<f64>(box, 8) - near || y > load<f64>(box, 32) + near
    || z < load<f64>(box, 16) - near || z > load<f64>(box, 40) + near;
}

/** Finds where soft body b is nearer to body a than `margin` [m], both numbered among all. Records of the first way, plus 65536 times those of both. */
export function findSoftPair(table: usize, a: usize, b: usize, margin: f64): i32 {
  const rigid: usize = load<u32>(table, 20);
  if (!measureSlab(table, a, b, rigid, margin)) return 0;
  let first: i32, all: i32;
  if (a < rigid) {
    first = verticesInShape(table, b - rigid, a, margin);
    all = samplesInFaces(table, a, b, rigid, margin, first);
  } else {
    first = verticesInFaces(table, a, b, rigid, margin, 0);
    all = verticesInFaces(table, b, a, rigid, margin, first);
  }
  return first | (all << 16);
}

function measureSlab(table: usize, a: usize, b: usize, rigid: usize, margin: f64): bool {
  const p = boxOf(table, a), q = boxOf(table, b);
  const x = load<f64>(q) + load<f64>(q, 24) - load<f64>(p) - load<f64>(p, 24);
  const y = load<f64>(q, 8) + load<f64>(q, 32) - load<f64>(p, 8) - load<f64>(p, 32);
  const z = load<f64>(q, 16) + load<f64>(q, 40) - load<f64>(p, 16) - load<f64>(p, 40);
  const square = 0 + x * x + y * y + z * z;
  const isKnown = square > 0 && square < Infinity;
  const length = sqrt(square);
  axisX = isKnown ? x / length : 0;
  axisY = isKnown ? y / length : 0;
  axisZ = isKnown ? z / length : 0;
  endA = Infinity;
  startB = -Infinity;
  if (!isKnown) return true;
  endA = a >= rigid ? -leastAlong(modelOf(table, a - rigid), -axisX, -axisY, -axisZ) : endOfRigid(table, a);
  startB = leastAlong(modelOf(table, b - rigid), axisX, axisY, axisZ);
  return startB - endA < margin;
}

function leastAlong(model: usize, x: f64, y: f64, z: f64): f64 {
  const places: usize = load<u32>(model), surface: usize = load<u32>(model, 4), count: usize = load<u32>(model, 8);
  let least: f64 = Infinity;
  for (let n: usize = 0; n < count; n++) {
    const i: usize = places + load<u32>(surface + n * 4) * 24;
    const at = x * load<f64>(i) + y * load<f64>(i, 8) + z * load<f64>(i, 16);
    if (at < least) least = at;
  }
  return least;
}

function endOfRigid(table: usize, a: usize): f64 {
  const shape = shapeOf(table, a), r = turnOf(table, a), x = placeOf(table, a);
  const count: usize = load<u32>(shape, 4);
  if (count == 0) return Infinity;
  const l0 = load<f64>(r) * axisX + load<f64>(r, 24) * axisY + load<f64>(r, 48) * axisZ;
  const l1 = load<f64>(r, 8) * axisX + load<f64>(r, 32) * axisY + load<f64>(r, 56) * axisZ;
  const l2 = load<f64>(r, 16) * axisX + load<f64>(r, 40) * axisY + load<f64>(r, 64) * axisZ;
  let most: f64 = -Infinity;
  for (let n: usize = 0; n < count; n++) {
    const o = load<u32>(shape, 8) + n * SAMPLE;
    const at = l0 * load<f64>(o) + l1 * load<f64>(o, 8) + l2 * load<f64>(o, 16) + load<f64>(o, 24);
    if (at > most) most = at;
  }
  return most + (axisX * load<f64>(x) + axisY * load<f64>(x, 8) + axisZ * load<f64>(x, 16)) + BETWEEN * load<f64>(shape, 32);
}

/** out = which way is out at a vertex; nothing where the surface has no direction. */
function readFacing(model: usize, vertex: usize): void {
  refreshFaces(model);
  const o = load<u32>(model, 28) + vertex * 24;
  const x = load<f64>(o), y = load<f64>(o, 8), z = load<f64>(o, 16);
  const length = sqrt(x * x + y * y + z * z);
  outX = length > 0 ? x / length : 0;
  outY = length > 0 ? y / length : 0;
  outZ = length > 0 ? z / length : 0;
}

function verticesInShape(table: usize, s: usize, a: usize, margin: f64): i32 {
  const model = modelOf(table, s), shape = shapeOf(table, a), x = placeOf(table, a), r = turnOf(table, a), box = boxOf(table, a);
  const places: usize = load<u32>(model), surface: usize = load<u32>(model, 4), surfaceCount: usize = load<u32>(model, 8);
  const end = endA + margin;
  const r0 = load<f64>(r), r1 = load<f64>(r, 8), r2 = load<f64>(r, 16), r3 = load<f64>(r, 24), r4 = load<f64>(r, 32), r5 = load<f64>(r, 40), r6 = load<f64>(r, 48), r7 = load<f64>(r, 56), r8 = load<f64>(r, 64);
  let count = 0;
  for (let n: usize = 0; n < surfaceCount; n++) {
    const vertex: usize = load<u32>(surface + n * 4);
    const i = places + vertex * 24;
    const x0 = load<f64>(i), x1 = load<f64>(i, 8), x2 = load<f64>(i, 16);
    if (axisX * x0 + axisY * x1 + axisZ * x2 > end || isBeyond(box, x0, x1, x2, margin)) continue;
    const d0 = x0 - load<f64>(x), d1 = x1 - load<f64>(x, 8), d2 = x2 - load<f64>(x, 16);
    const at0 = r0 * d0 + r3 * d1 + r6 * d2, at1 = r1 * d0 + r4 * d1 + r7 * d2, at2 = r2 * d0 + r5 * d1 + r8 * d2;
    if (isOutside(shape, at0, at1, at2, margin)) continue;
    probeRound(shape, at0, at1, at2);
    if (probeDistance >= margin) continue;
    readFacing(model, vertex);
    const f0 = r0 * outX + r3 * outY + r6 * outZ, f1 = r1 * outX + r4 * outY + r7 * outZ, f2 = r2 * outX + r5 * outY + r8 * outZ;
    const directed = f0 != 0 || f1 != 0 || f2 != 0;
    if (directed && !(probeX * f0 + probeY * f1 + probeZ * f2 < FACES)) continue;
    const out = recordOf(table, count++);
    store<f64>(out, f64(vertex));
    store<f64>(out, r0 * probeX + r1 * probeY + r2 * probeZ, 32);
    store<f64>(out, r3 * probeX + r4 * probeY + r5 * probeZ, 40);
    store<f64>(out, r6 * probeX + r7 * probeY + r8 * probeZ, 48);
    store<f64>(out, probeDistance, 56);
  }
  return count;
}

/** Whether a ball at the place asked is nearer than `margin` to a face of a soft body, and looks at it. */
function isNear(table: usize, model: usize, box: usize, margin: f64, radius: f64): bool {
  const near = margin + radius;
  if (isBeyond(box, atX, atY, atZ, near)) return false;
  const away: usize = load<u32>(table, 36), size = load<f64>(model, 32), reach = max(near, DEEPEST * size);
  if (!askFaces(model, away, atX, atY, atZ, reach, near) || faceDistance - radius >= margin) return false;
  if (faceX * outX + faceY * outY + faceZ * outZ < BACK) return true;
  return askFacing(model, away, atX, atY, atZ, reach, outX, outY, outZ, BACK, RIM * size) && faceDistance - radius < margin;
}

/** Notes the face that was found last. */
function note(table: usize, n: i32, key: f64, radius: f64): void {
  const r = recordOf(table, n);
  store<f64>(r, key);
  store<f64>(r, atX - faceDistance * faceX, 8);
  store<f64>(r, atY - faceDistance * faceY, 16);
  store<f64>(r, atZ - faceDistance * faceZ, 24);
  store<f64>(r, faceX, 32); store<f64>(r, faceY, 40); store<f64>(r, faceZ, 48);
  store<f64>(r, faceDistance - radius, 56);
  store<u32>(r, corner0, 64); store<u32>(r, corner1, 68); store<u32>(r, corner2, 72);
  store<f64>(r, weight0, 80); store<f64>(r, weight1, 88); store<f64>(r, weight2, 96);
}

function samplesInFaces(table: usize, a: usize, b: usize, rigid: usize, margin: f64, first: i32): i32 {
  const model = modelOf(table, b - rigid), shape = shapeOf(table, a), x = placeOf(table, a), r = turnOf(table, a), box = boxOf(table, b);
  const sampleCount = load<i32>(shape, 4);
  const start = startB - margin;
  outX = 0; outY = 0; outZ = 0;
  let count = first;
  for (let n = 0; n < sampleCount && count - first < MOST_SAMPLES; n++) {
    const o = load<u32>(shape, 8) + n * SAMPLE;
    const s0 = load<f64>(o), s1 = load<f64>(o, 8), s2 = load<f64>(o, 16), radius = load<f64>(o, 24);
    atX = load<f64>(x) + (load<f64>(r) * s0 + load<f64>(r, 8) * s1 + load<f64>(r, 16) * s2);
    atY = load<f64>(x, 8) + (load<f64>(r, 24) * s0 + load<f64>(r, 32) * s1 + load<f64>(r, 40) * s2);
    atZ = load<f64>(x, 16) + (load<f64>(r, 48) * s0 + load<f64>(r, 56) * s1 + load<f64>(r, 64) * s2);
    if (axisX * atX + axisY * atY + axisZ * atZ + radius < start) continue;
    if (isNear(table, model, box, margin, radius)) note(table, count++, f64(n), radius);
  }
  return keepFew(table, first, count, margin);
}

/** Vertices of soft body `from` against faces of `into`, both numbered among all; the lower of the two is at the start of the slab. */
function verticesInFaces(table: usize, from: usize, into: usize, rigid: usize, margin: f64, first: i32): i32 {
  const model = modelOf(table, from - rigid), faces = modelOf(table, into - rigid), box = boxOf(table, into);
  const places: usize = load<u32>(model), surface: usize = load<u32>(model, 4), surfaceCount: usize = load<u32>(model, 8);
  const low = from < into ? startB - margin : -Infinity;
  const high = from < into ? Infinity : endA + margin;
  let count = first;
  for (let n: usize = 0; n < surfaceCount; n++) {
    const vertex: usize = load<u32>(surface + n * 4);
    const i = places + vertex * 24;
    atX = load<f64>(i); atY = load<f64>(i, 8); atZ = load<f64>(i, 16);
    const along = axisX * atX + axisY * atY + axisZ * atZ;
    if (along < low || along > high || isBeyond(box, atX, atY, atZ, margin)) continue;
    readFacing(model, vertex);
    if (isNear(table, faces, box, margin, 0)) note(table, count++, f64(vertex), 0);
  }
  return count;
}
