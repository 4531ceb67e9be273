/**
 * How bones of trees answer impulses, and the walk of a contact solve over them, in f64: the same sums in the same order as
 * src/linalg/bone-mobility.ts, which explains them; the bits are the same. Compliances are kept by columns here, so that two rows
 * go through a multiplication at once.
 */
import { AXES, AXIS_COUNT, carry, HELD, INERTIA, INVERSE_PIVOT, PARENTS, PULL, REFERENCE } from './bone-fronts';

/** Places of the arrays, in bytes per bone, behind those of the fronts. */
export const COMPLIANCE: usize = 600;
export const CHANGE: usize = 888;
export const WAITING: usize = 936;
export const HANDED: usize = 984;
export const ANSWERED: usize = 1032;
/** End of all numbers. */
export const BONE_BYTES: usize = 1056;
/** Of whole numbers: 1 for bones that take part, the walk (two words per bone), the first row of each joint. */
export const NEEDED: usize = 12;
export const WALK: usize = 16;
export const FIRST_ROW: usize = 24;

// @ts-ignore: decorator
@inline function f(address: usize, index: usize): f64 { return load<f64>(address + (index << 3)); }
// @ts-ignore: decorator
@inline function put(address: usize, index: usize, value: f64): void { store<f64>(address + (index << 3), value); }
// @ts-ignore: decorator
@inline function grow(address: usize, index: usize, value: f64): void { store<f64>(address + (index << 3), load<f64>(address + (index << 3)) + value); }
/** Two rows += column times s. */
// @ts-ignore: decorator
@inline function addColumn(sum: v128, column: usize, s: v128): v128 { return f64x2.add(sum, f64x2.mul(v128.load(column), s)); }

/** Forgets impulses and works out the compliances of the bones that take part. */
export function beginAnswers(numbers: usize, whole: usize, n: usize): void {
  memory.fill(numbers + CHANGE * n, 0, (BONE_BYTES - CHANGE) * n);
  for (let bone: usize = 0; bone < n; bone++) {
    if (load<i32>(whole + NEEDED * n + (bone << 2)) == 0) continue;
    const c = numbers + COMPLIANCE * n + bone * 288;
    const parent = load<i32>(whole + PARENTS * n + (bone << 2));
    if (parent < 0) {
      rootCompliance(numbers + INERTIA * n + bone * 168, c, load<i32>(whole + HELD * n + (bone << 2)) == 1);
      continue;
    }
    shiftCompliance(numbers + COMPLIANCE * n + <usize>parent * 288, numbers + REFERENCE * n, <usize>parent, bone, c);
    for (let j = load<i32>(whole + AXIS_COUNT * n + (bone << 2)) - 1; j >= 0; j--) {
      const at = 3 * bone + <usize>j;
      turnCompliance(c, numbers + AXES * n + at * 24, numbers + PULL * n + at * 48, f(numbers + INVERSE_PIVOT * n, at));
    }
  }
}

function rootCompliance(inertia: usize, c: usize, held: bool): void {
  for (let row: usize = 0; row < 6; row++) {
    for (let column: usize = 0; column < 6; column++) {
      const high = max(row, column);
      put(c, 6 * column + row, held ? 0 : f(inertia, ((high * (high + 1)) >> 1) + min(row, column)));
    }
  }
}

/** out = X C Xᵀ */
function shiftCompliance(c: usize, reference: usize, parent: usize, bone: usize, out: usize): void {
  const own = reference + bone * 24;
  const other = reference + parent * 24;
  const dx = f(own, 0) - f(other, 0), dy = f(own, 1) - f(other, 1), dz = f(own, 2) - f(other, 2);
  for (let k: usize = 0; k < 6; k++) {
    const i = c + k * 48;
    const o = out + k * 48;
    const x = f(i, 0), y = f(i, 1), z = f(i, 2);
    put(o, 0, x);
    put(o, 1, y);
    put(o, 2, z);
    put(o, 3, f(i, 3) - dy * z + dz * y);
    put(o, 4, f(i, 4) - dz * x + dx * z);
    put(o, 5, f(i, 5) - dx * y + dy * x);
  }
  const sx = f64x2.splat(dx), sy = f64x2.splat(dy), sz = f64x2.splat(dz);
  for (let pair: usize = 0; pair < 48; pair += 16) {
    const o = out + pair;
    const x = v128.load(o), y = v128.load(o, 48), z = v128.load(o, 96);
    v128.store(o, f64x2.sub(v128.load(o, 144), f64x2.sub(f64x2.mul(sy, z), f64x2.mul(sz, y))), 144);
    v128.store(o, f64x2.sub(v128.load(o, 192), f64x2.sub(f64x2.mul(sz, x), f64x2.mul(sx, z))), 192);
    v128.store(o, f64x2.sub(v128.load(o, 240), f64x2.sub(f64x2.mul(sx, y), f64x2.mul(sy, x))), 240);
  }
}

/** C := (I − a Uᵀ/D) C (I − U aᵀ/D) + a aᵀ/D */
function turnCompliance(c: usize, a: usize, u: usize, inverse: f64): void {
  let g01 = f64x2.splat(0);
  let g23 = f64x2.splat(0);
  let g45 = f64x2.splat(0);
  for (let k: usize = 0; k < 6; k++) {
    const s = f64x2.splat(f(u, k));
    const column = c + k * 48;
    g01 = addColumn(g01, column, s);
    g23 = addColumn(g23, column + 16, s);
    g45 = addColumn(g45, column + 32, s);
  }
  const scale = f64x2.splat(inverse);
  g01 = f64x2.mul(g01, scale);
  g23 = f64x2.mul(g23, scale);
  g45 = f64x2.mul(g45, scale);
  let g0 = f64x2.extract_lane(g01, 0), g1 = f64x2.extract_lane(g01, 1), g2 = f64x2.extract_lane(g23, 0);
  const g3 = f64x2.extract_lane(g23, 1), g4 = f64x2.extract_lane(g45, 0), g5 = f64x2.extract_lane(g45, 1);
  const along = 0 + g0 * f(u, 0) + g1 * f(u, 1) + g2 * f(u, 2) + g3 * f(u, 3) + g4 * f(u, 4) + g5 * f(u, 5);
  const half = 0.5 * inverse * (1 + along);
  const ax = f(a, 0), ay = f(a, 1), az = f(a, 2);
  g0 -= half * ax;
  g1 -= half * ay;
  g2 -= half * az;
  subtractTurned(c, ax, ay, az, g0);
  subtractTurned(c + 48, ax, ay, az, g1);
  subtractTurned(c + 96, ax, ay, az, g2);
  subtractTurned(c + 144, ax, ay, az, g3);
  subtractTurned(c + 192, ax, ay, az, g4);
  subtractTurned(c + 240, ax, ay, az, g5);
  g01 = f64x2.replace_lane(f64x2.splat(g0), 1, g1);
  g23 = f64x2.replace_lane(f64x2.splat(g2), 1, g3);
  for (let k: usize = 0; k < 3; k++) {
    const s = f64x2.splat(f(a, k));
    const column = c + k * 48;
    v128.store(column, f64x2.sub(v128.load(column), f64x2.mul(g01, s)));
    v128.store(column, f64x2.sub(v128.load(column, 16), f64x2.mul(g23, s)), 16);
    v128.store(column, f64x2.sub(v128.load(column, 32), f64x2.mul(g45, s)), 32);
  }
}

/** The three turning rows of a column −= a g */
// @ts-ignore: decorator
@inline function subtractTurned(column: usize, ax: f64, ay: f64, az: f64, g: f64): void {
  put(column, 0, f(column, 0) - ax * g);
  put(column, 1, f(column, 1) - ay * g);
  put(column, 2, f(column, 2) - az * g);
}

/** Way per impulse along d at an arm: Jᵀ C J. */
export function yieldAlong(c: usize, arm: usize, d: usize): f64 {
  const x = f(d, 0), y = f(d, 1), z = f(d, 2);
  const j0 = f(arm, 1) * z - f(arm, 2) * y;
  const j1 = f(arm, 2) * x - f(arm, 0) * z;
  const j2 = f(arm, 0) * y - f(arm, 1) * x;
  const s0 = f64x2.splat(j0), s1 = f64x2.splat(j1), s2 = f64x2.splat(j2);
  const sx = f64x2.splat(x), sy = f64x2.splat(y), sz = f64x2.splat(z);
  const g01 = answer(c, s0, s1, s2, sx, sy, sz);
  const g23 = answer(c + 16, s0, s1, s2, sx, sy, sz);
  const g45 = answer(c + 32, s0, s1, s2, sx, sy, sz);
  let sum = 0 + j0 * f64x2.extract_lane(g01, 0);
  sum += j1 * f64x2.extract_lane(g01, 1);
  sum += j2 * f64x2.extract_lane(g23, 0);
  sum += x * f64x2.extract_lane(g23, 1);
  sum += y * f64x2.extract_lane(g45, 0);
  return sum + z * f64x2.extract_lane(g45, 1);
}

/** Two rows of C times an impulse. */
// @ts-ignore: decorator
@inline function answer(c: usize, s0: v128, s1: v128, s2: v128, s3: v128, s4: v128, s5: v128): v128 {
  const sum = addColumn(addColumn(f64x2.mul(v128.load(c), s0), c + 48, s1), c + 96, s2);
  return addColumn(addColumn(addColumn(sum, c + 144, s3), c + 192, s4), c + 240, s5);
}

/** Gives a bone an impulse; its own velocity changes at once. */
export function push(numbers: usize, n: usize, bone: usize, tx: f64, ty: f64, tz: f64, fx: f64, fy: f64, fz: f64): void {
  const w = numbers + WAITING * n + bone * 48;
  const v = numbers + CHANGE * n + bone * 48;
  const c = numbers + COMPLIANCE * n + bone * 288;
  v128.store(w, f64x2.add(v128.load(w), f64x2.replace_lane(f64x2.splat(tx), 1, ty)));
  v128.store(w, f64x2.add(v128.load(w, 16), f64x2.replace_lane(f64x2.splat(tz), 1, fx)), 16);
  v128.store(w, f64x2.add(v128.load(w, 32), f64x2.replace_lane(f64x2.splat(fy), 1, fz)), 32);
  const s0 = f64x2.splat(tx), s1 = f64x2.splat(ty), s2 = f64x2.splat(tz);
  const s3 = f64x2.splat(fx), s4 = f64x2.splat(fy), s5 = f64x2.splat(fz);
  v128.store(v, f64x2.add(v128.load(v), answer(c, s0, s1, s2, s3, s4, s5)));
  v128.store(v, f64x2.add(v128.load(v, 16), answer(c + 16, s0, s1, s2, s3, s4, s5)), 16);
  v128.store(v, f64x2.add(v128.load(v, 32), answer(c + 32, s0, s1, s2, s3, s4, s5)), 32);
}

// @ts-ignore: decorator
@inline function isZero(w: usize): bool {
  return f(w, 0) == 0 && f(w, 1) == 0 && f(w, 2) == 0 && f(w, 3) == 0 && f(w, 4) == 0 && f(w, 5) == 0;
}

// @ts-ignore: decorator
@inline function clear(w: usize): void {
  v128.store(w, f64x2.splat(0));
  v128.store(w, f64x2.splat(0), 16);
  v128.store(w, f64x2.splat(0), 32);
}

/** The walk comes to a bone from its parent: its velocity becomes exact. */
export function enter(numbers: usize, whole: usize, n: usize, bone: usize): void {
  const parent = load<i32>(whole + PARENTS * n + (bone << 2));
  if (parent < 0) return;
  const change = numbers + CHANGE * n;
  const o = change + bone * 48;
  carry(numbers + REFERENCE * n, <usize>parent, bone, change);
  for (let j = load<i32>(whole + AXIS_COUNT * n + (bone << 2)) - 1; j >= 0; j--) {
    const at = 3 * bone + <usize>j;
    const u = numbers + PULL * n + at * 48;
    const a = numbers + AXES * n + at * 24;
    const along = f(u, 0) * f(o, 0) + f(u, 1) * f(o, 1) + f(u, 2) * f(o, 2) + f(u, 3) * f(o, 3) + f(u, 4) * f(o, 4) + f(u, 5) * f(o, 5);
    const s = f(numbers + ANSWERED * n, at) - f(numbers + INVERSE_PIVOT * n, at) * along;
    grow(o, 0, f(a, 0) * s);
    grow(o, 1, f(a, 1) * s);
    grow(o, 2, f(a, 2) * s);
  }
  // what waits at the bone moves it too
  const w = numbers + WAITING * n + bone * 48;
  if (isZero(w)) return;
  const tx = f(w, 0), ty = f(w, 1), tz = f(w, 2), fx = f(w, 3), fy = f(w, 4), fz = f(w, 5);
  clear(w);
  push(numbers, n, bone, tx, ty, tz, fx, fy, fz);
}

/** The walk goes from a bone back to its parent, which learns of the impulses that wait. */
export function leave(numbers: usize, whole: usize, n: usize, bone: usize): void {
  const parent = load<i32>(whole + PARENTS * n + (bone << 2));
  const b = numbers + WAITING * n + bone * 48;
  if (parent < 0) {
    clear(b);
    return;
  }
  if (isZero(b)) return;
  const axes = load<i32>(whole + AXIS_COUNT * n + (bone << 2));
  for (let j = 0; j < axes; j++) {
    const at = 3 * bone + <usize>j;
    const a = numbers + AXES * n + at * 24;
    const u = numbers + PULL * n + at * 48;
    const s = (f(a, 0) * f(b, 0) + f(a, 1) * f(b, 1) + f(a, 2) * f(b, 2)) * f(numbers + INVERSE_PIVOT * n, at);
    grow(numbers + ANSWERED * n, at, s);
    const two = f64x2.splat(s);
    for (let k: usize = 0; k < 48; k += 16) v128.store(b + k, f64x2.sub(v128.load(b + k), f64x2.mul(v128.load(u + k), two)));
  }
  const handed = numbers + HANDED * n + bone * 48;
  for (let k: usize = 0; k < 48; k += 16) v128.store(handed + k, f64x2.add(v128.load(handed + k), v128.load(b + k)));
  const own = numbers + REFERENCE * n + bone * 24;
  const other = numbers + REFERENCE * n + <usize>parent * 24;
  const dx = f(own, 0) - f(other, 0), dy = f(own, 1) - f(other, 1), dz = f(own, 2) - f(other, 2);
  const fx = f(b, 3), fy = f(b, 4), fz = f(b, 5);
  const tx = f(b, 0) + dy * fz - dz * fy;
  const ty = f(b, 1) + dz * fx - dx * fz;
  const tz = f(b, 2) + dx * fy - dy * fx;
  push(numbers, n, <usize>parent, tx, ty, tz, fx, fy, fz);
  clear(b);
}

/** Makes the velocity of one bone exact, wherever impulses have been given: all that wait go up, then down to the bone. */
export function bring(numbers: usize, whole: usize, n: usize, bone: usize): void {
  for (let other = n - 1; other > 0; other--) leave(numbers, whole, n, other);
  enterPath(numbers, whole, n, bone);
}

function enterPath(numbers: usize, whole: usize, n: usize, bone: usize): void {
  const parent = load<i32>(whole + PARENTS * n + (bone << 2));
  if (parent < 0) return;
  enterPath(numbers, whole, n, <usize>parent);
  enter(numbers, whole, n, bone);
}

/** Both a bone and its parent learn of what waits at the bone; the walk is at the bone. */
export function settle(numbers: usize, whole: usize, n: usize, bone: usize): void {
  if (isZero(numbers + WAITING * n + bone * 48)) return;
  leave(numbers, whole, n, bone);
  enter(numbers, whole, n, bone);
}

/** All bones learn of all impulses. */
export function spreadAnswers(numbers: usize, whole: usize, n: usize): void {
  for (let bone = n - 1; bone > 0; bone--) leave(numbers, whole, n, bone);
  for (let bone: usize = 1; bone < n; bone++) enter(numbers, whole, n, bone);
}

/** Rate about a direction, of a bone against its parent, per turning impulse about it. Before any other impulses. */
export function jointYield(numbers: usize, whole: usize, n: usize, bone: usize, x: f64, y: f64, z: f64): f64 {
  const parent = <usize>load<i32>(whole + PARENTS * n + (bone << 2));
  const b = numbers + CHANGE * n + bone * 48;
  const p = numbers + CHANGE * n + parent * 48;
  push(numbers, n, bone, x, y, z, 0, 0, 0);
  push(numbers, n, parent, -x, -y, -z, 0, 0, 0);
  leave(numbers, whole, n, bone);
  enter(numbers, whole, n, bone);
  const rate = x * (f(b, 0) - f(p, 0)) + y * (f(b, 1) - f(p, 1)) + z * (f(b, 2) - f(p, 2));
  clear(b);
  clear(p);
  clear(numbers + WAITING * n + parent * 48);
  clear(numbers + HANDED * n + bone * 48);
  for (let k: usize = 0; k < 3; k++) put(numbers + ANSWERED * n, 3 * bone + k, 0);
  return rate;
}
