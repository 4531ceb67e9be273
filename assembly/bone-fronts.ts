/**
 * Velocities of trees of rigid bones from momenta, leaves first, no fill, no pivoting, in f64: the same sums in the same order as
 * src/linalg/bone-fronts.ts, which explains them; the bits are the same. A table has BODY_WORDS words per body.
 */

/** Words per body: bones, address of their numbers and of their whole numbers, of rows of joints and their kinds, room for rows. */
export const BODY_WORDS: usize = 8;

/** Numbers of n bones, array after array: places of the arrays in bytes per bone, as src/linalg/bone-room.ts lays them out. */
export const REFERENCE: usize = 0;
export const AXES: usize = 24;
export const DAMPING: usize = 96;
export const INERTIA: usize = 120;
export const MOMENTUM: usize = 288;
export const PUSH: usize = 336;
export const VELOCITY: usize = 360;
export const PULL: usize = 408;
export const INVERSE_PIVOT: usize = 552;
export const TURNING: usize = 576;

/** Whole numbers, in bytes per bone. */
export const PARENTS: usize = 0;
export const AXIS_COUNT: usize = 4;
export const HELD: usize = 8;

/** Smallest pivot of a root, as a share of its diagonal entry, that is more than rounding. */
const PIVOT_TOLERANCE: f64 = 1e-14;

// @ts-ignore: decorator
@inline function f(address: usize, index: usize): f64 { return load<f64>(address + (index << 3)); }
// @ts-ignore: decorator
@inline function put(address: usize, index: usize, value: f64): void { store<f64>(address + (index << 3), value); }
// @ts-ignore: decorator
@inline function grow(address: usize, index: usize, value: f64): void { store<f64>(address + (index << 3), load<f64>(address + (index << 3)) + value); }

/** Factors and solves bodies [first, last) of a table; the word at out + 4 body becomes 1, or 0 where a pivot is not positive. */
export function boneFronts(first: usize, last: usize, own: usize, table: usize, out: usize): void {
  for (let body = first; body < last; body++) {
    const at = table + body * (BODY_WORDS << 2);
    const count = <i32>load<u32>(at);
    const numbers = <usize>load<u32>(at, 4);
    const whole = <usize>load<u32>(at, 8);
    const done = factor(numbers, whole, count, own);
    if (done) solve(numbers, whole, count);
    store<i32>(out + (body << 2), done ? 1 : 0);
  }
}

/** Eliminates all turnings. */
function factor(numbers: usize, whole: usize, count: i32, room: usize): bool {
  const n = <usize>count;
  for (let bone = count - 1; bone >= 0; bone--) {
    const b = <usize>bone;
    const parent = load<i32>(whole + PARENTS * n + (b << 2));
    const inertia = numbers + INERTIA * n + b * 168;
    if (parent >= 0) {
      const axes = load<i32>(whole + AXIS_COUNT * n + (b << 2));
      for (let j = 0; j < axes; j++) {
        const at = 3 * b + <usize>j;
        if (!eliminate(inertia, numbers + AXES * n + at * 24, numbers + PULL * n + at * 48, numbers + INVERSE_PIVOT * n + (at << 3), f(numbers + DAMPING * n, at))) return false;
      }
      addToParent(inertia, numbers + INERTIA * n + <usize>parent * 168, numbers + REFERENCE * n + b * 24, numbers + REFERENCE * n + <usize>parent * 24);
    } else if (load<i32>(whole + HELD * n + (b << 2)) == 0 && !invert(inertia, room)) return false;
  }
  return true;
}

/** Eliminates one turning of a bone from its inertia. */
function eliminate(m: usize, axis: usize, u: usize, inversePivot: usize, damping: f64): bool {
  const x = f(axis, 0), y = f(axis, 1), z = f(axis, 2);
  const u0 = f(m, 0) * x + f(m, 1) * y + f(m, 3) * z;
  const u1 = f(m, 1) * x + f(m, 2) * y + f(m, 4) * z;
  const u2 = f(m, 3) * x + f(m, 4) * y + f(m, 5) * z;
  const u3 = f(m, 6) * x + f(m, 7) * y + f(m, 8) * z;
  const u4 = f(m, 10) * x + f(m, 11) * y + f(m, 12) * z;
  const u5 = f(m, 15) * x + f(m, 16) * y + f(m, 17) * z;
  const pivot = u0 * x + u1 * y + u2 * z + damping;
  if (!(pivot > 0)) return false;
  const inverse = 1 / pivot;
  store<f64>(inversePivot, inverse);
  put(u, 0, u0);
  put(u, 1, u1);
  put(u, 2, u2);
  put(u, 3, u3);
  put(u, 4, u4);
  put(u, 5, u5);
  grow(m, 0, -(u0 * inverse * u0));
  const f1 = u1 * inverse;
  grow(m, 1, -(f1 * u0));
  grow(m, 2, -(f1 * u1));
  const f2 = u2 * inverse;
  grow(m, 3, -(f2 * u0));
  grow(m, 4, -(f2 * u1));
  grow(m, 5, -(f2 * u2));
  const f3 = u3 * inverse;
  grow(m, 6, -(f3 * u0));
  grow(m, 7, -(f3 * u1));
  grow(m, 8, -(f3 * u2));
  grow(m, 9, -(f3 * u3));
  const f4 = u4 * inverse;
  grow(m, 10, -(f4 * u0));
  grow(m, 11, -(f4 * u1));
  grow(m, 12, -(f4 * u2));
  grow(m, 13, -(f4 * u3));
  grow(m, 14, -(f4 * u4));
  const f5 = u5 * inverse;
  grow(m, 15, -(f5 * u0));
  grow(m, 16, -(f5 * u1));
  grow(m, 17, -(f5 * u2));
  grow(m, 18, -(f5 * u3));
  grow(m, 19, -(f5 * u4));
  grow(m, 20, -(f5 * u5));
  return true;
}

/** inertia of the parent += Xᵀ A X with what is left of the bone's. */
function addToParent(a: usize, p: usize, own: usize, other: usize): void {
  const dx = f(own, 0) - f(other, 0), dy = f(own, 1) - f(other, 1), dz = f(own, 2) - f(other, 2);
  const m00 = f(a, 9), m10 = f(a, 13), m11 = f(a, 14), m20 = f(a, 18), m21 = f(a, 19), m22 = f(a, 20);
  const h00 = f(a, 6), h01 = f(a, 10), h02 = f(a, 15);
  const h10 = f(a, 7), h11 = f(a, 11), h12 = f(a, 16);
  const h20 = f(a, 8), h21 = f(a, 12), h22 = f(a, 17);
  const g00 = h00 + dy * m20 - dz * m10;
  const g01 = h01 + dy * m21 - dz * m11;
  const g02 = h02 + dy * m22 - dz * m21;
  const g10 = h10 + dz * m00 - dx * m20;
  const g11 = h11 + dz * m10 - dx * m21;
  const g12 = h12 + dz * m20 - dx * m22;
  const g20 = h20 + dx * m10 - dy * m00;
  const g21 = h21 + dx * m11 - dy * m10;
  const g22 = h22 + dx * m21 - dy * m20;
  grow(p, 0, f(a, 0) + (dy * h02 - dz * h01) + (dy * g02 - dz * g01));
  grow(p, 1, f(a, 1) + (dy * h12 - dz * h11) + (dz * g00 - dx * g02));
  grow(p, 2, f(a, 2) + (dz * h10 - dx * h12) + (dz * g10 - dx * g12));
  grow(p, 3, f(a, 3) + (dy * h22 - dz * h21) + (dx * g01 - dy * g00));
  grow(p, 4, f(a, 4) + (dz * h20 - dx * h22) + (dx * g11 - dy * g10));
  grow(p, 5, f(a, 5) + (dx * h21 - dy * h20) + (dx * g21 - dy * g20));
  grow(p, 6, g00);
  grow(p, 7, g10);
  grow(p, 8, g20);
  grow(p, 9, m00);
  grow(p, 10, g01);
  grow(p, 11, g11);
  grow(p, 12, g21);
  grow(p, 13, m10);
  grow(p, 14, m11);
  grow(p, 15, g02);
  grow(p, 16, g12);
  grow(p, 17, g22);
  grow(p, 18, m20);
  grow(p, 19, m21);
  grow(p, 20, m22);
}

/** A packed symmetric 6x6 becomes its inverse, by Cholesky; `room`: 27 numbers. */
function invert(a: usize, room: usize): bool {
  const column = room + 21 * 8;
  for (let i: usize = 0; i < 6; i++) {
    const row = (i * (i + 1)) >> 1;
    for (let j: usize = 0; j <= i; j++) {
      const other = (j * (j + 1)) >> 1;
      let sum = f(a, row + j);
      for (let k: usize = 0; k < j; k++) sum -= f(room, row + k) * f(room, other + k);
      if (j < i) put(room, row + j, sum / f(room, other + j));
      else if (sum > PIVOT_TOLERANCE * f(a, row + i)) put(room, row + i, sqrt(sum));
      else return false;
    }
  }
  for (let c: usize = 0; c < 6; c++) {
    for (let i: usize = 0; i < 6; i++) put(column, i, i == c ? 1 : 0);
    for (let i = c; i < 6; i++) {
      const row = (i * (i + 1)) >> 1;
      let sum = f(column, i);
      for (let k = c; k < i; k++) sum -= f(room, row + k) * f(column, k);
      put(column, i, sum / f(room, row + i));
    }
    for (let i: i32 = 5; i >= <i32>c; i--) {
      let sum = f(column, <usize>i);
      for (let k = <usize>i + 1; k < 6; k++) sum -= f(room, ((k * (k + 1)) >> 1) + <usize>i) * f(column, k);
      put(column, <usize>i, sum / f(room, ((<usize>i * (<usize>i + 1)) >> 1) + <usize>i));
    }
    for (let i = c; i < 6; i++) put(a, ((i * (i + 1)) >> 1) + c, f(column, i));
  }
  return true;
}

/** Velocities from momenta and pushes, which are used up. */
function solve(numbers: usize, whole: usize, count: i32): void {
  const n = <usize>count;
  for (let bone = count - 1; bone >= 0; bone--) {
    const parent = load<i32>(whole + PARENTS * n + (<usize>bone << 2));
    if (parent >= 0) passUp(numbers, whole, n, <usize>bone, <usize>parent);
  }
  for (let bone: usize = 0; bone < n; bone++) passDown(numbers, whole, n, bone);
}

function passUp(numbers: usize, whole: usize, n: usize, bone: usize, parent: usize): void {
  const b = numbers + MOMENTUM * n + bone * 48;
  const axes = load<i32>(whole + AXIS_COUNT * n + (bone << 2));
  for (let j = 0; j < axes; j++) {
    const at = 3 * bone + <usize>j;
    const a = numbers + AXES * n + at * 24;
    const u = numbers + PULL * n + at * 48;
    const along = f(a, 0) * f(b, 0) + f(a, 1) * f(b, 1) + f(a, 2) * f(b, 2) + f(numbers + PUSH * n, at);
    const s = along * f(numbers + INVERSE_PIVOT * n, at);
    put(numbers + TURNING * n, at, s);
    for (let k: usize = 0; k < 6; k++) grow(b, k, -(f(u, k) * s));
  }
  const own = numbers + REFERENCE * n + bone * 24;
  const other = numbers + REFERENCE * n + parent * 24;
  const p = numbers + MOMENTUM * n + parent * 48;
  const dx = f(own, 0) - f(other, 0), dy = f(own, 1) - f(other, 1), dz = f(own, 2) - f(other, 2);
  const fx = f(b, 3), fy = f(b, 4), fz = f(b, 5);
  grow(p, 0, f(b, 0) + dy * fz - dz * fy);
  grow(p, 1, f(b, 1) + dz * fx - dx * fz);
  grow(p, 2, f(b, 2) + dx * fy - dy * fx);
  grow(p, 3, fx);
  grow(p, 4, fy);
  grow(p, 5, fz);
}

function passDown(numbers: usize, whole: usize, n: usize, bone: usize): void {
  const velocity = numbers + VELOCITY * n;
  const o = velocity + bone * 48;
  const parent = load<i32>(whole + PARENTS * n + (bone << 2));
  if (parent < 0) {
    if (load<i32>(whole + HELD * n + (bone << 2)) == 0) multiply(numbers + INERTIA * n + bone * 168, numbers + MOMENTUM * n + bone * 48, o);
    return;
  }
  carry(numbers + REFERENCE * n, <usize>parent, bone, velocity);
  for (let j = load<i32>(whole + AXIS_COUNT * n + (bone << 2)) - 1; j >= 0; j--) {
    const at = 3 * bone + <usize>j;
    const u = numbers + PULL * n + at * 48;
    const a = numbers + AXES * n + at * 24;
    const along = 0 + f(u, 0) * f(o, 0) + f(u, 1) * f(o, 1) + f(u, 2) * f(o, 2) + f(u, 3) * f(o, 3) + f(u, 4) * f(o, 4) + f(u, 5) * f(o, 5);
    const s = f(numbers + TURNING * n, at) - f(numbers + INVERSE_PIVOT * n, at) * along;
    for (let k: usize = 0; k < 3; k++) grow(o, k, f(a, k) * s);
  }
}

/** Of the rates at `rates`, 6 per bone, those of `bone` become what they are when it moves with its parent. */
// @ts-ignore: decorator
@inline export function carry(reference: usize, parent: usize, bone: usize, rates: usize): void {
  const p = rates + parent * 48;
  const o = rates + bone * 48;
  const own = reference + bone * 24;
  const other = reference + parent * 24;
  const dx = f(own, 0) - f(other, 0), dy = f(own, 1) - f(other, 1), dz = f(own, 2) - f(other, 2);
  const wx = f(p, 0), wy = f(p, 1), wz = f(p, 2);
  put(o, 0, wx);
  put(o, 1, wy);
  put(o, 2, wz);
  put(o, 3, f(p, 3) + wy * dz - wz * dy);
  put(o, 4, f(p, 4) + wz * dx - wx * dz);
  put(o, 5, f(p, 5) + wx * dy - wy * dx);
}

/** out = A x for a packed symmetric matrix. */
function multiply(a: usize, x: usize, out: usize): void {
  for (let row: usize = 0; row < 6; row++) {
    let sum: f64 = 0;
    for (let column: usize = 0; column < 6; column++) {
      const high = max(row, column);
      sum += f(a, ((high * (high + 1)) >> 1) + min(row, column)) * f(x, column);
    }
    put(out, row, sum);
  }
}
