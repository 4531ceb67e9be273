/**
 * Sweeps over the rows of a heap of bodies, in f64: contacts and joint blocks of rigid bodies and of the touched vertices (slots) of soft ones,
 * each solved for itself, one after the other. What they compute is specified in src/kernels/reference/heap-rows.ts; the layout is written by
 * src/solvers/coupled/rows/heap-rows.ts.
 */

/** Velocity above its bound at which a contact that does not push is far from doing so [m/s]. */
const FAR: f64 = 0.3;

// flags of a row
const SOFT_A: u32 = 1;
const SOFT_B: u32 = 2;
const BINDING: u32 = 4;
const TURN: u32 = 8;
const HELD: u32 = 16;
// ways of a sweep
const WHOLE: u32 = 1;
const BACK: u32 = 2;
const NEAR: u32 = 4;
// what came of a row: it does not push and is far from it, it hardly changed, it changed
const FAR_OFF: u8 = 0;
const STILL: u8 = 1;
const MOVED: u8 = 2;

/**
 * Sweeps rows [first, last) of the list at `order`: all of them, or those that push or were near to it in the last sweep over all, or of those only the
 * ones that the last of these sweeps changed by more than the velocity at `still` [m/s]. Both shorter lists begin at `first` of theirs; `own`: how long they are. Rows are
 * addresses, odd ones of joint blocks.
 */
export function sweepRows(first: usize, last: usize, own: usize, order: usize, near: usize, moved: usize, marks: usize, still: usize, way: u32): void {
  const whole = (way & WHOLE) != 0;
  const marked = (way & (WHOLE | NEAR)) != 0;
  const list = (whole ? order : way & NEAR ? near : moved) + first * 4;
  const count: usize = whole ? last - first : way & NEAR ? load<u32>(own) : load<u32>(own, 4);
  const mark = marks + first;
  const least = load<f64>(still);
  for (let n: usize = 0; n < count; n++) {
    const at = way & BACK ? count - 1 - n : n;
    const row: usize = load<u32>(list + at * 4);
    const came = row & 1 ? relaxBlock(row - 1, least) : relaxContact(row, least);
    if (marked) store<u8>(mark + at, came);
  }
  if (!marked) return;
  let nearCount: u32 = 0, movedCount: u32 = 0;
  for (let n: usize = 0; n < count; n++) {
    const came = load<u8>(mark + n);
    if (came == FAR_OFF) continue;
    const row = load<u32>(list + n * 4);
    if (whole) store<u32>(near + (first + nearCount++) * 4, row);
    if (came == MOVED) store<u32>(moved + (first + movedCount++) * 4, row);
  }
  if (whole) store<u32>(own, nearCount);
  store<u32>(own, movedCount, 4);
}

/** Pushes with the impulses that rows [first, last) of the list at `order` start from. */
export function warmRows(first: usize, last: usize, own: usize, order: usize): void {
  for (let n = first; n < last; n++) {
    const row: usize = load<u32>(order + n * 4);
    if (row & 1) {
      pushBlock(row - 1, load<f64>(row, 95), load<f64>(row, 103), load<f64>(row, 111));
      continue;
    }
    const p0 = load<f64>(row, 136), p1 = load<f64>(row, 144), p2 = load<f64>(row, 152);
    if (p0 != 0 || p1 != 0 || p2 != 0) pushContact(row, p0, p1, p2);
  }
}

/** An impulse on A at a contact, and its opposite on B. */
// @ts-ignore: decorator
@inline function pushContact(row: usize, p0: f64, p1: f64, p2: f64): void {
  const flags = load<u32>(row);
  if (flags & SOFT_A) pushSlots(row + 160, row + 40, p0, p1, p2);
  else pushPoint(load<u32>(row, 8), row + 40, p0, p1, p2);
  if (flags & SOFT_B) pushSlots(row + 184, row + 64, -p0, -p1, -p2);
  else pushPoint(load<u32>(row, 12), row + 64, -p0, -p1, -p2);
}

/** The same at a joint block. */
// @ts-ignore: decorator
@inline function pushBlock(row: usize, p0: f64, p1: f64, p2: f64): void {
  const a: usize = load<u32>(row, 8), b: usize = load<u32>(row, 12);
  if (load<u32>(row) & TURN) {
    turnBody(a, p0, p1, p2);
    turnBody(b, -p0, -p1, -p2);
  } else {
    pushPoint(a, row + 16, p0, p1, p2);
    pushPoint(b, row + 40, -p0, -p1, -p2);
  }
}

/** Velocity of a point of up to three slots, x and y. */
// @ts-ignore: decorator
@inline function slotsXY(refs: usize, weights: usize): v128 {
  let sum = f64x2.mul(v128.load_splat<f64>(weights), v128.load(load<u32>(refs)));
  if (load<u32>(refs, 20) == 1) return sum;
  sum = f64x2.add(sum, f64x2.mul(v128.load_splat<f64>(weights, 8), v128.load(load<u32>(refs, 4))));
  return f64x2.add(sum, f64x2.mul(v128.load_splat<f64>(weights, 16), v128.load(load<u32>(refs, 8))));
}

/** And z. */
// @ts-ignore: decorator
@inline function slotsZ(refs: usize, weights: usize): f64 {
  const sum = load<f64>(weights) * load<f64>(load<u32>(refs), 16);
  if (load<u32>(refs, 20) == 1) return sum;
  return sum + load<f64>(weights, 8) * load<f64>(load<u32>(refs, 4), 16) + load<f64>(weights, 16) * load<f64>(load<u32>(refs, 8), 16);
}

/** Solves a contact for itself; whether it pushes or is near to it, and whether that changed it by more than a velocity. */
function relaxContact(row: usize, least: f64): u8 {
  const flags = load<u32>(row);
  const a: usize = load<u32>(row, 8), b: usize = load<u32>(row, 12);
  let u0: f64, u1: f64, u2: f64;
  if (flags & SOFT_A) {
    const xy = slotsXY(row + 160, row + 40);
    u0 = f64x2.extract_lane(xy, 0); u1 = f64x2.extract_lane(xy, 1);
    u2 = slotsZ(row + 160, row + 40);
  } else {
    const w0 = load<f64>(a, 24), w1 = load<f64>(a, 32), w2 = load<f64>(a, 40);
    const r0 = load<f64>(row, 40), r1 = load<f64>(row, 48), r2 = load<f64>(row, 56);
    u0 = load<f64>(a) + w1 * r2 - w2 * r1;
    u1 = load<f64>(a, 8) + w2 * r0 - w0 * r2;
    u2 = load<f64>(a, 16) + w0 * r1 - w1 * r0;
  }
  if (flags & SOFT_B) {
    const xy = slotsXY(row + 184, row + 64);
    u0 -= f64x2.extract_lane(xy, 0); u1 -= f64x2.extract_lane(xy, 1);
    u2 -= slotsZ(row + 184, row + 64);
  } else {
    const w0 = load<f64>(b, 24), w1 = load<f64>(b, 32), w2 = load<f64>(b, 40);
    const r0 = load<f64>(row, 64), r1 = load<f64>(row, 72), r2 = load<f64>(row, 80);
    u0 -= load<f64>(b) + w1 * r2 - w2 * r1;
    u1 -= load<f64>(b, 8) + w2 * r0 - w0 * r2;
    u2 -= load<f64>(b, 16) + w0 * r1 - w1 * r0;
  }
  const n0 = load<f64>(row, 16), n1 = load<f64>(row, 24), n2 = load<f64>(row, 32);
  const p0 = load<f64>(row, 136), p1 = load<f64>(row, 144), p2 = load<f64>(row, 152);
  const un = n0 * u0 + n1 * u1 + n2 * u2;
  const over = un - load<f64>(row, 88);
  const rests = p0 == 0 && p1 == 0 && p2 == 0;
  const binding = (flags & BINDING) != 0;
  // most contacts of a heap do not touch: nothing to do
  if (rests && over >= 0 && !binding) return over <= FAR ? STILL : FAR_OFF;
  const pushed = n0 * p0 + n1 * p1 + n2 * p2;
  const wanted = pushed - (over + load<f64>(row, 104) * pushed) * load<f64>(row, 96);
  const along = binding ? wanted : max<f64>(0, wanted);
  const slide = load<f64>(row, 112);
  let t0 = p0 - pushed * n0 - (u0 - un * n0) * slide;
  let t1 = p1 - pushed * n1 - (u1 - un * n1) * slide;
  let t2 = p2 - pushed * n2 - (u2 - un * n2) * slide;
  if (!binding) {
    const most = load<f64>(row, 120) * along;
    const drag = t0 * t0 + t1 * t1 + t2 * t2;
    if (drag > most * most) {
      const scale = most / sqrt(drag);
      t0 *= scale; t1 *= scale; t2 *= scale;
    }
  }
  const d0 = along * n0 + t0 - p0, d1 = along * n1 + t1 - p1, d2 = along * n2 + t2 - p2;
  if (d0 == 0 && d1 == 0 && d2 == 0) return STILL;
  store<f64>(row, p0 + d0, 136); store<f64>(row, p1 + d1, 144); store<f64>(row, p2 + d2, 152);
  pushContact(row, d0, d1, d2);
  const most = least * load<f64>(row, 96);
  return d0 * d0 + d1 * d1 + d2 * d2 > most * most ? MOVED : STILL;
}

/** An impulse on a rigid body at the end of an arm. */
// @ts-ignore: decorator
@inline function pushPoint(body: usize, arm: usize, p0: f64, p1: f64, p2: f64): void {
  const m = load<f64>(body, 48);
  if (m == 0) return;
  const r0 = load<f64>(arm), r1 = load<f64>(arm, 8), r2 = load<f64>(arm, 16);
  store<f64>(body, load<f64>(body) + m * p0);
  store<f64>(body, load<f64>(body, 8) + m * p1, 8);
  store<f64>(body, load<f64>(body, 16) + m * p2, 16);
  turnBody(body, r1 * p2 - r2 * p1, r2 * p0 - r0 * p2, r0 * p1 - r1 * p0);
}

/** A turning impulse on a rigid body. */
// @ts-ignore: decorator
@inline function turnBody(body: usize, x: f64, y: f64, z: f64): void {
  store<f64>(body, load<f64>(body, 24) + (load<f64>(body, 56) * x + load<f64>(body, 64) * y + load<f64>(body, 72) * z), 24);
  store<f64>(body, load<f64>(body, 32) + (load<f64>(body, 80) * x + load<f64>(body, 88) * y + load<f64>(body, 96) * z), 32);
  store<f64>(body, load<f64>(body, 40) + (load<f64>(body, 104) * x + load<f64>(body, 112) * y + load<f64>(body, 120) * z), 40);
}

/**
 * An impulse on a point of up to three slots: all slots of the body answer. At `refs`: the slots pushed, the body's first slot, how many it has and,
 * behind the last slot, its table; their velocities are rows of four f64.
 */
function pushSlots(refs: usize, weights: usize, p0: f64, p1: f64, p2: f64): void {
  const start: usize = load<u32>(refs, 12);
  const table: usize = load<u32>(start - 16);
  const count: usize = load<u32>(start - 12);
  const xy = f64x2.replace_lane(f64x2.splat(p0), 1, p1);
  const z = f64x2.replace_lane(f64x2.splat(0), 0, p2);
  const w0 = v128.load_splat<f64>(weights);
  let t0 = table + ((<usize>load<u32>(refs) - start) >> 5) * count * 8;
  let at = start;
  const even = start + (count & ~1) * 32;
  if (load<u32>(refs, 20) == 1) {
    for (; at < even; at += 64, t0 += 16) {
      const c = f64x2.mul(w0, v128.load(t0));
      answer(at, v128.shuffle<f64>(c, c, 0, 0), xy, z);
      answer(at + 32, v128.shuffle<f64>(c, c, 1, 1), xy, z);
    }
    if (count & 1) answer(at, f64x2.mul(w0, v128.load_splat<f64>(t0)), xy, z);
    return;
  }
  const w1 = v128.load_splat<f64>(weights, 8), w2 = v128.load_splat<f64>(weights, 16);
  let t1 = table + ((<usize>load<u32>(refs, 4) - start) >> 5) * count * 8;
  let t2 = table + ((<usize>load<u32>(refs, 8) - start) >> 5) * count * 8;
  for (; at < even; at += 64, t0 += 16, t1 += 16, t2 += 16) {
    const c = f64x2.add(f64x2.add(f64x2.mul(w0, v128.load(t0)), f64x2.mul(w1, v128.load(t1))), f64x2.mul(w2, v128.load(t2)));
    answer(at, v128.shuffle<f64>(c, c, 0, 0), xy, z);
    answer(at + 32, v128.shuffle<f64>(c, c, 1, 1), xy, z);
  }
  if (!(count & 1)) return;
  const c0 = f64x2.mul(w0, v128.load_splat<f64>(t0)), c1 = f64x2.mul(w1, v128.load_splat<f64>(t1));
  answer(at, f64x2.add(f64x2.add(c0, c1), f64x2.mul(w2, v128.load_splat<f64>(t2))), xy, z);
}

/** A slot's velocity += c p. */
// @ts-ignore: decorator
@inline function answer(slot: usize, c: v128, xy: v128, z: v128): void {
  v128.store(slot, f64x2.add(v128.load(slot), f64x2.mul(c, xy)));
  v128.store(slot, f64x2.add(v128.load(slot, 16), f64x2.mul(c, z)), 16);
}

/** Solves a joint block for itself; whether that changed it by more than a velocity. */
function relaxBlock(row: usize, least: f64): u8 {
  const flags = load<u32>(row);
  const a: usize = load<u32>(row, 8), b: usize = load<u32>(row, 12);
  const a0 = load<f64>(a, 24), a1 = load<f64>(a, 32), a2 = load<f64>(a, 40);
  const b0 = load<f64>(b, 24), b1 = load<f64>(b, 32), b2 = load<f64>(b, 40);
  let l0: f64, l1: f64, l2: f64;
  if (flags & TURN) {
    l0 = load<f64>(row, 64) - (a0 - b0);
    l1 = load<f64>(row, 72) - (a1 - b1);
    l2 = load<f64>(row, 80) - (a2 - b2);
  } else {
    const r0 = load<f64>(row, 16), r1 = load<f64>(row, 24), r2 = load<f64>(row, 32);
    const s0 = load<f64>(row, 40), s1 = load<f64>(row, 48), s2 = load<f64>(row, 56);
    l0 = load<f64>(row, 64) - (load<f64>(a) + a1 * r2 - a2 * r1 - load<f64>(b) - b1 * s2 + b2 * s1);
    l1 = load<f64>(row, 72) - (load<f64>(a, 8) + a2 * r0 - a0 * r2 - load<f64>(b, 8) - b2 * s0 + b0 * s2);
    l2 = load<f64>(row, 80) - (load<f64>(a, 16) + a0 * r1 - a1 * r0 - load<f64>(b, 16) - b0 * s1 + b1 * s0);
  }
  if (!(flags & HELD)) {
    const c = load<f64>(row, 88);
    const m0 = load<f64>(row, 192) * l0 + load<f64>(row, 200) * l1 + load<f64>(row, 208) * l2 - c * load<f64>(row, 96);
    const m1 = load<f64>(row, 216) * l0 + load<f64>(row, 224) * l1 + load<f64>(row, 232) * l2 - c * load<f64>(row, 104);
    const m2 = load<f64>(row, 240) * l0 + load<f64>(row, 248) * l1 + load<f64>(row, 256) * l2 - c * load<f64>(row, 112);
    l0 = m0; l1 = m1; l2 = m2;
  }
  const d0 = load<f64>(row, 120) * l0 + load<f64>(row, 128) * l1 + load<f64>(row, 136) * l2;
  const d1 = load<f64>(row, 144) * l0 + load<f64>(row, 152) * l1 + load<f64>(row, 160) * l2;
  const d2 = load<f64>(row, 168) * l0 + load<f64>(row, 176) * l1 + load<f64>(row, 184) * l2;
  store<f64>(row, load<f64>(row, 96) + d0, 96);
  store<f64>(row, load<f64>(row, 104) + d1, 104);
  store<f64>(row, load<f64>(row, 112) + d2, 112);
  pushBlock(row, d0, d1, d2);
  return l0 * l0 + l1 * l1 + l2 * l2 > least * least ? MOVED : STILL;
}
