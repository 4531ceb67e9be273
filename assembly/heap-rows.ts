/**
 * Sweeps over the rows of a heap of bodies, in f32: contacts and joint blocks of rigid bodies and of the touched vertices (slots) of soft ones, each solved for itself, one after
 * the other. Vectors are four lanes of which the last is nothing. What they compute is specified in src/kernels/reference/heap-rows.ts; the layout is written by
 * src/solvers/coupled/rows/heap-memory.ts, which then pushes bodies with the impulses found here in f64: momentum knows nothing of f32.
 */

/** Velocity above its bound at which a contact that does not push is far from doing so [m/s]. */
const FAR: f32 = 0.3;

// flags of a row
const SOFT_A: u32 = 1;
const SOFT_B: u32 = 2;
const BINDING: u32 = 4;
const TURN: u32 = 8;
const HELD: u32 = 16;
const ONE_A: u32 = 32;
const ONE_B: u32 = 64;
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
  const list = (way & WHOLE ? order : way & NEAR ? near : moved) + first * 4;
  const count: usize = way & WHOLE ? last - first : way & NEAR ? <usize>load<u32>(own) : <usize>load<u32>(own, 4);
  const least = f32(load<f64>(still));
  for (let n: usize = 0; n < count; n++) {
    const at = way & BACK ? count - 1 - n : n;
    const row: usize = load<u32>(list + at * 4);
    store<u8>(marks + first + at, row & 1 ? relaxBlock(row - 1, least) : relaxContact(row, least));
  }
  if (way & (WHOLE | NEAR)) listRows(first, count, own, list, near, moved, marks, way);
}

/**
 * All sweeps over an island of few rows, upwards and downwards by turns: over all of its rows in the first, the middle and the last of them, else over those that push or are near to it. What hardly changed in a sweep is
 * settled: the next is the next one over all rows. `bounds`: first and last row of each of the three parts, swept one after the other; what they note for themselves is `apart` bytes from each other.
 */
export function sweepFew(bounds: usize, own: usize, apart: usize, order: usize, near: usize, moved: usize, marks: usize, still: usize, sweeps: u32): void {
  for (let n: u32 = 0; n < sweeps; n++) {
    const whole = n == 0 || n == sweeps >> 1 || n == sweeps - 1;
    const way = (whole ? WHOLE : NEAR) | (n & 1 ? BACK : 0);
    let changed: u32 = 0;
    for (let part: usize = 0; part < 3; part++) {
      const first: usize = load<u32>(bounds + part * 8), last: usize = load<u32>(bounds + part * 8, 4);
      if (first >= last) continue;
      sweepRows(first, last, own + part * apart, order, near, moved, marks, still, way);
      changed += load<u32>(own + part * apart, 4);
    }
    if (changed == 0 && n < sweeps - 1) n = (n < sweeps >> 1 ? sweeps >> 1 : sweeps - 1) - 1;
  }
}

/** Lists what came of a sweep: rows that push or are near to it, where all were looked at, and those that changed. */
function listRows(first: usize, count: usize, own: usize, list: usize, near: usize, moved: usize, marks: usize, way: u32): void {
  const whole = (way & WHOLE) != 0;
  let nearCount: u32 = 0, movedCount: u32 = 0;
  for (let n: usize = 0; n < count; n++) {
    const came = load<u8>(marks + first + n);
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
    const at: usize = load<u32>(order + n * 4), row = at & ~1;
    const flags = load<u32>(row), a: usize = load<u32>(row, 4), b: usize = load<u32>(row, 8);
    const p = v128.load(row, 64), q = f32x4.neg(p);
    if (at & 1) {
      warmSide(flags & TURN, 0, a, 0, row + 16, p);
      warmSide(flags & TURN, 0, b, 0, row + 32, q);
    } else if (v128.any_true(f32x4.ne(p, f32x4.splat(0)))) {
      warmSide(flags & SOFT_A, flags & ONE_A, a, row + 96, row + 32, p);
      warmSide(flags & SOFT_B, flags & ONE_B, b, row + 112, row + 48, q);
    }
  }
}

/** A push on one side of a row: at the end of an arm, on slots with weights in its place, or a turn. */
function warmSide(other: u32, one: u32, body: usize, refs: usize, arm: usize, p: v128): void {
  if (other == 0) pushPoint(body, v128.load(arm), p);
  else if (other & TURN) turnBody(body, p);
  else pushSlots(refs, arm, one != 0, p);
}

/** a × b. */
// @ts-ignore: decorator
@inline function cross(a: v128, b: v128): v128 {
  const c = f32x4.sub(f32x4.mul(a, v128.shuffle<f32>(b, b, 1, 2, 0, 3)), f32x4.mul(v128.shuffle<f32>(a, a, 1, 2, 0, 3), b));
  return v128.shuffle<f32>(c, c, 1, 2, 0, 3);
}

/** a · b in all lanes. */
// @ts-ignore: decorator
@inline function dot(a: v128, b: v128): v128 {
  const c = f32x4.mul(a, b);
  const d = f32x4.add(c, v128.shuffle<f32>(c, c, 1, 0, 3, 2));
  return f32x4.add(d, v128.shuffle<f32>(d, d, 2, 3, 0, 1));
}

// @ts-ignore: decorator
@inline function first(a: v128): f32 { return f32x4.extract_lane(a, 0); }

/** An impulse on A at a contact, and its opposite on B. */
// @ts-ignore: decorator
@inline function pushContact(row: usize, flags: u32, p: v128): void {
  if (flags & SOFT_A) pushSlots(row + 96, row + 32, (flags & ONE_A) != 0, p);
  else pushPoint(load<u32>(row, 4), v128.load(row, 32), p);
  const q = f32x4.neg(p);
  if (flags & SOFT_B) pushSlots(row + 112, row + 48, (flags & ONE_B) != 0, q);
  else pushPoint(load<u32>(row, 8), v128.load(row, 48), q);
}

/** The same at a joint block. */
// @ts-ignore: decorator
@inline function pushBlock(row: usize, p: v128): void {
  const a: usize = load<u32>(row, 4), b: usize = load<u32>(row, 8);
  const q = f32x4.neg(p);
  if (load<u32>(row) & TURN) {
    turnBody(a, p);
    turnBody(b, q);
  } else {
    pushPoint(a, v128.load(row, 16), p);
    pushPoint(b, v128.load(row, 32), q);
  }
}

/** Velocity of a point of up to three slots. */
// @ts-ignore: decorator
@inline function slotVelocity(refs: usize, weights: usize, one: bool): v128 {
  const sum = f32x4.mul(v128.load_splat<f32>(weights), v128.load(load<u32>(refs)));
  if (one) return sum;
  const more = f32x4.add(sum, f32x4.mul(v128.load_splat<f32>(weights, 4), v128.load(load<u32>(refs, 4))));
  return f32x4.add(more, f32x4.mul(v128.load_splat<f32>(weights, 8), v128.load(load<u32>(refs, 8))));
}

/** Velocity of a rigid body at the end of an arm; its last lane is the body's. */
// @ts-ignore: decorator
@inline function pointVelocity(body: usize, arm: v128): v128 {
  return f32x4.add(v128.load(body), cross(v128.load(body, 16), arm));
}

/** Solves a contact for itself; whether it pushes or is near to it, and whether that changed it by more than a velocity. */
// @ts-ignore: decorator
@inline function relaxContact(row: usize, least: f32): u8 {
  const flags = load<u32>(row);
  const ofA = flags & SOFT_A ? slotVelocity(row + 96, row + 32, (flags & ONE_A) != 0) : pointVelocity(load<u32>(row, 4), v128.load(row, 32));
  const ofB = flags & SOFT_B ? slotVelocity(row + 112, row + 48, (flags & ONE_B) != 0) : pointVelocity(load<u32>(row, 8), v128.load(row, 48));
  // the last lane, where bodies have their mass, is taken out
  const u = f32x4.replace_lane(f32x4.sub(ofA, ofB), 3, 0);
  const n = v128.load(row, 16), p = v128.load(row, 64);
  const un = dot(n, u);
  const over = first(un) - load<f32>(row, 80);
  const binding = (flags & BINDING) != 0;
  // most contacts of a heap do not touch: nothing to do
  if (over >= 0 && !binding && !v128.any_true(f32x4.ne(p, f32x4.splat(0)))) return over <= FAR ? STILL : FAR_OFF;
  const pushed = dot(n, p);
  const inverse = load<f32>(row, 84);
  const wanted = first(pushed) - (over + load<f32>(row, 88) * first(pushed)) * inverse;
  const along = binding ? wanted : max<f32>(0, wanted);
  let t = f32x4.sub(f32x4.sub(p, f32x4.mul(pushed, n)), f32x4.mul(f32x4.sub(u, f32x4.mul(un, n)), v128.load_splat<f32>(row, 92)));
  if (!binding) {
    const most = load<f32>(row, 12) * along;
    const drag = first(dot(t, t));
    if (drag > most * most) t = f32x4.mul(t, f32x4.splat(most / sqrt(drag)));
  }
  const d = f32x4.sub(f32x4.add(f32x4.mul(f32x4.splat(along), n), t), p);
  if (!v128.any_true(f32x4.ne(d, f32x4.splat(0)))) return STILL;
  v128.store(row, f32x4.add(p, d), 64);
  pushContact(row, flags, d);
  const enough = least * inverse;
  return first(dot(d, d)) > enough * enough ? MOVED : STILL;
}

/** An impulse on a rigid body at the end of an arm. */
// @ts-ignore: decorator
@inline function pushPoint(body: usize, arm: v128, p: v128): void {
  if (load<f32>(body, 12) == 0) return;
  v128.store(body, f32x4.add(v128.load(body), f32x4.mul(v128.load_splat<f32>(body, 12), p)));
  turnBody(body, cross(arm, p));
}

/** A turning impulse on a rigid body. */
// @ts-ignore: decorator
@inline function turnBody(body: usize, x: v128): void {
  const one = f32x4.mul(v128.load(body, 32), v128.shuffle<f32>(x, x, 0, 0, 0, 0));
  const two = f32x4.add(one, f32x4.mul(v128.load(body, 48), v128.shuffle<f32>(x, x, 1, 1, 1, 1)));
  const all = f32x4.add(two, f32x4.mul(v128.load(body, 64), v128.shuffle<f32>(x, x, 2, 2, 2, 2)));
  v128.store(body, f32x4.add(v128.load(body, 16), all), 16);
}

/**
 * An impulse on a point of up to three slots: all slots of the body answer. At `refs`: the slots pushed and the body's first slot, before which are its table and how
 * many slots it has; their velocities are vectors.
 */
function pushSlots(refs: usize, weights: usize, one: bool, p: v128): void {
  const start: usize = load<u32>(refs, 12);
  const table: usize = load<u32>(start - 16);
  // rows of the table are filled up to four
  const stride: usize = (load<u32>(start - 12) + 3) & ~3;
  const end = start + stride * 16;
  const p0 = f32x4.mul(v128.load_splat<f32>(weights), p);
  let t0 = table + ((<usize>load<u32>(refs) - start) >> 4) * stride * 4;
  if (one) {
    for (let at = start; at < end; at += 64, t0 += 16) {
      const c = v128.load(t0);
      answer(at, v128.shuffle<f32>(c, c, 0, 0, 0, 0), p0);
      answer(at + 16, v128.shuffle<f32>(c, c, 1, 1, 1, 1), p0);
      answer(at + 32, v128.shuffle<f32>(c, c, 2, 2, 2, 2), p0);
      answer(at + 48, v128.shuffle<f32>(c, c, 3, 3, 3, 3), p0);
    }
    return;
  }
  const w0 = v128.load_splat<f32>(weights), w1 = v128.load_splat<f32>(weights, 4), w2 = v128.load_splat<f32>(weights, 8);
  let t1 = table + ((<usize>load<u32>(refs, 4) - start) >> 4) * stride * 4;
  let t2 = table + ((<usize>load<u32>(refs, 8) - start) >> 4) * stride * 4;
  for (let at = start; at < end; at += 64, t0 += 16, t1 += 16, t2 += 16) {
    const c = f32x4.add(f32x4.add(f32x4.mul(w0, v128.load(t0)), f32x4.mul(w1, v128.load(t1))), f32x4.mul(w2, v128.load(t2)));
    answer(at, v128.shuffle<f32>(c, c, 0, 0, 0, 0), p);
    answer(at + 16, v128.shuffle<f32>(c, c, 1, 1, 1, 1), p);
    answer(at + 32, v128.shuffle<f32>(c, c, 2, 2, 2, 2), p);
    answer(at + 48, v128.shuffle<f32>(c, c, 3, 3, 3, 3), p);
  }
}

/** A slot's velocity += c p. */
// @ts-ignore: decorator
@inline function answer(slot: usize, c: v128, p: v128): void {
  v128.store(slot, f32x4.add(v128.load(slot), f32x4.mul(c, p)));
}

/** Solves a joint block for itself; whether that changed it by more than a velocity. */
// @ts-ignore: decorator
@inline function relaxBlock(row: usize, least: f32): u8 {
  const flags = load<u32>(row);
  const a: usize = load<u32>(row, 4), b: usize = load<u32>(row, 8);
  const u = flags & TURN
    ? f32x4.sub(v128.load(a, 16), v128.load(b, 16))
    : f32x4.replace_lane(f32x4.sub(pointVelocity(a, v128.load(row, 16)), pointVelocity(b, v128.load(row, 32))), 3, 0);
  let left = f32x4.sub(v128.load(row, 48), u);
  const p = v128.load(row, 64);
  if (!(flags & HELD)) left = f32x4.sub(times(row + 128, left), f32x4.mul(v128.load_splat<f32>(row, 12), p));
  const d = times(row + 80, left);
  v128.store(row, f32x4.add(p, d), 64);
  pushBlock(row, d);
  return first(dot(left, left)) > least * least ? MOVED : STILL;
}

/** A matrix of three columns times a vector. */
// @ts-ignore: decorator
@inline function times(columns: usize, x: v128): v128 {
  const one = f32x4.mul(v128.load(columns), v128.shuffle<f32>(x, x, 0, 0, 0, 0));
  const two = f32x4.add(one, f32x4.mul(v128.load(columns, 16), v128.shuffle<f32>(x, x, 1, 1, 1, 1)));
  return f32x4.add(two, f32x4.mul(v128.load(columns, 32), v128.shuffle<f32>(x, x, 2, 2, 2, 2)));
}
