/**
 * Rows and slots of a heap laid down in f32 for the sweeps (assembly/heap-rows.ts), and what comes of them taken up: impulses, with which bodies are then pushed in f64. `job`: see
 * assembly/row-job.ts.
 */
import { layBlock, takeBlock } from './joint-rows';
import { armA, armB, bodyA, bodyB, boundOf, firstVertex, frictionOf, heapBody, heapRow, heapSlots, isAsleep, layVector, normalOf, openingOf, pushOf, pushPoint, rowAddress, rowNumber, sideA, sideB, sizeOf, slidingOf, slotCountOf, slotImpulseOf, slotsOf, slotTableOf, slotVelocityOf, slotVertexOf, softBody, softnessOf, softOf, tableOf, weightsOf } from './row-job';

const SOFT_A: u32 = 1;
const SOFT_B: u32 = 2;
const BINDING: u32 = 4;
const ONE_A: u32 = 32;
const ONE_B: u32 = 64;
/** Most that a contact slides when pushed, as f32 bears it [1/kg]. */
const MOST_SLIDING: f64 = 1e15;

/** Slots of soft bodies [first, last): their velocities, and how they answer each other, by rows filled up to fours. What sleeps does not answer, nor what has no room for a table. */
export function laySlots(first: usize, last: usize, own: usize, job: usize): void {
  for (let s = first; s < last; s++) {
    const body = softBody(job, s);
    const start = firstVertex(body), size = sizeOf(body), slots = heapSlots(job, body, s);
    const count = slotCountOf(job, s), answers: usize = isAsleep(body) || slotTableOf(body) == 0 ? 0 : count;
    let out = slotTableOf(body);
    store<u32>(slots - 16, <u32>out);
    store<u32>(slots - 16, <u32>answers, 4);
    for (let i: usize = 0; i < count; i++) layVector(slots + i * 16, slotVelocityOf(job, start + i));
    const stride = (answers + 3) & ~3;
    for (let i: usize = 0; i < answers; i++, out += stride * 4) {
      const row = tableOf(body) + slotVertexOf(job, start + i) * size * 8;
      for (let j: usize = 0; j < answers; j++) store<f32>(out + j * 4, f32(load<f64>(row + slotVertexOf(job, start + j) * 8)));
      for (let j = answers; j < stride; j++) store<f32>(out + j * 4, 0);
    }
  }
}

/** Rows [first, last) of a heap: contacts, and joint blocks, whose numbers are negative. */
export function layRows(first: usize, last: usize, own: usize, job: usize): void {
  for (let n = first; n < last; n++) {
    const number = rowNumber(job, n);
    if (number < 0) {
      store<u32>(rowAddress(job, n), layBlock(job, -1 - number));
      continue;
    }
    const c: usize = number;
    const row = heapRow(job, n);
    const a = sideA(job, c), b = sideB(job, c);
    const friction = frictionOf(job, c);
    let flags: u32 = friction == Infinity ? BINDING : 0;
    layVector(row + 16, normalOf(job, c));
    if (a >= 0) flags |= SOFT_A | (laySide(job, a, row + 32, row + 96) ? ONE_A : 0);
    else {
      layVector(row + 32, armA(job, c));
      store<u32>(row, <u32>heapBody(job, bodyA(job, c)), 4);
    }
    if (b >= 0) flags |= SOFT_B | (laySide(job, b, row + 48, row + 112) ? ONE_B : 0);
    else {
      layVector(row + 48, armB(job, c));
      store<u32>(row, <u32>heapBody(job, bodyB(job, c)), 8);
    }
    layVector(row + 64, pushOf(job, c));
    const opening = load<f64>(openingOf(job, c)), softness = load<f64>(softnessOf(job, c));
    store<u32>(row, flags);
    store<f32>(row, f32(friction), 12);
    store<f32>(row, f32(load<f64>(boundOf(job, c))), 80);
    store<f32>(row, f32(1 / (opening + softness)), 84);
    store<f32>(row, f32(softness), 88);
    store<f32>(row, f32(min(MOST_SLIDING, 1 / load<f64>(slidingOf(job, c)))), 92);
    store<u32>(rowAddress(job, n), <u32>row);
  }
}

/** Weights of a side, its slots and the first of its body; whether one vertex is all. */
function laySide(job: usize, side: usize, weights: usize, refs: usize): bool {
  const s = softOf(job, side);
  const slots = heapSlots(job, softBody(job, s), s);
  const from = weightsOf(job, side), which = slotsOf(job, side);
  layVector(weights, from);
  store<u32>(refs, <u32>(slots + load<u32>(which) * 16));
  store<u32>(refs, <u32>(slots + load<u32>(which, 4) * 16), 4);
  store<u32>(refs, <u32>(slots + load<u32>(which, 8) * 16), 8);
  store<u32>(refs, <u32>slots, 12);
  return load<f64>(from, 8) == 0 && load<f64>(from, 16) == 0;
}

/** Impulses of the contacts, or of the joint `blocks`, among rows [first, last), and the pushes on their bodies, of which no other part has any that moves. */
export function takeRows(first: usize, last: usize, own: usize, job: usize, blocks: u32): void {
  for (let n = first; n < last; n++) {
    const number = rowNumber(job, n);
    if (number < 0 && blocks) takeBlock(job, -1 - number);
    if (number < 0 || blocks) continue;
    const c: usize = number;
    const row = heapRow(job, n);
    const p0 = f64(load<f32>(row, 64)), p1 = f64(load<f32>(row, 68)), p2 = f64(load<f32>(row, 72));
    const p = pushOf(job, c);
    store<f64>(p, p0); store<f64>(p, p1, 8); store<f64>(p, p2, 16);
    if (p0 == 0 && p1 == 0 && p2 == 0) continue;
    const a = sideA(job, c), b = sideB(job, c);
    if (a >= 0) addImpulse(job, a, p0, p1, p2);
    else pushPoint(job, bodyA(job, c), armA(job, c), p0, p1, p2);
    if (b >= 0) addImpulse(job, b, -p0, -p1, -p2);
    else pushPoint(job, bodyB(job, c), armB(job, c), -p0, -p1, -p2);
  }
}

function addImpulse(job: usize, side: usize, p0: f64, p1: f64, p2: f64): void {
  const body = softBody(job, softOf(job, side));
  if (isAsleep(body)) return;
  const first = firstVertex(body);
  for (let a: usize = 0; a < 3; a++) {
    const w = load<f64>(weightsOf(job, side) + a * 8);
    const to = slotImpulseOf(job, first + load<u32>(slotsOf(job, side) + a * 4));
    store<f64>(to, load<f64>(to) + w * p0);
    store<f64>(to, load<f64>(to, 8) + w * p1, 8);
    store<f64>(to, load<f64>(to, 16) + w * p2, 16);
  }
}

/** Velocities of the slots of soft bodies [first, last) after the sweeps. */
export function takeSlots(first: usize, last: usize, own: usize, job: usize): void {
  for (let s = first; s < last; s++) {
    const body = softBody(job, s);
    if (isAsleep(body)) continue;
    const start = firstVertex(body), slots = heapSlots(job, body, s);
    for (let i: usize = 0; i < slotCountOf(job, s); i++) {
      const to = slotVelocityOf(job, start + i), from = slots + i * 16;
      store<f64>(to, f64(load<f32>(from))); store<f64>(to, f64(load<f32>(from, 4)), 8); store<f64>(to, f64(load<f32>(from, 8)), 16);
    }
  }
}
