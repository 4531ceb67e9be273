/**
 * Rows of joints of layered characters in the contact solve, limits and motors, in f64: the same sums in the same order as
 * src/solvers/layered/joints/joint-rows.ts, which explains them.
 */
import { CHANGE, FIRST_ROW, jointYield, push, settle } from './bone-answers';
import { PARENTS, VELOCITY } from './bone-fronts';
import { f, h, note, numbersOf, wholeOf, word } from './touch-job';

/** Kinds of joint rows, and the numbers of one: arrays of `room` numbers, one after the other. */
const LIMIT: i32 = 0;
const MOTOR: i32 = 2;
const VALUE: usize = 24;
const GIVE: usize = 32;
const SLOWING: usize = 40;
const MOST: usize = 48;
const IMPULSE: usize = 56;

// @ts-ignore: decorator
@inline function rowsOf(at: usize): usize { return <usize>load<u32>(at, 12); }
// @ts-ignore: decorator
@inline function kindsOf(at: usize): usize { return <usize>load<u32>(at, 16); }
// @ts-ignore: decorator
@inline function roomOf(at: usize): usize { return <usize>load<u32>(at, 20); }

/** How far rows yield, and their first impulses; compliances must be there, and no impulses yet. */
export function beginRows(at: usize, n: usize): void {
  const rows = rowsOf(at), room = roomOf(at), numbers = numbersOf(at), whole = wholeOf(at);
  const first = whole + FIRST_ROW * n;
  for (let bone: usize = 1; bone < n; bone++) {
    for (let i = <usize>word(first, bone); i < <usize>word(first, bone + 1); i++) {
      const d = rows + i * 24;
      store<f64>(rows + GIVE * room + (i << 3), jointYield(numbers, whole, n, bone, f(d, 0), f(d, 1), f(d, 2)));
    }
  }
  for (let bone: usize = 1; bone < n; bone++) {
    for (let i = <usize>word(first, bone); i < <usize>word(first, bone + 1); i++) pushRow(rows, numbers, whole, n, bone, i, f(rows + IMPULSE * room, i));
  }
}

/** Makes the rows of a bone's joint right, one after the other; the walk has entered the bone. */
export function relaxRows(at: usize, n: usize, bone: usize): void {
  const rows = rowsOf(at), room = roomOf(at), numbers = numbersOf(at), whole = wholeOf(at);
  const first = whole + FIRST_ROW * n;
  const to = <usize>word(first, bone + 1);
  for (let i = <usize>word(first, bone); i < to; i++) {
    settle(numbers, whole, n, bone);
    const old = f(rows + IMPULSE * room, i);
    const change = wanted(at, n, bone, i, old) - old;
    if (change == 0) continue;
    store<f64>(rows + IMPULSE * room + (i << 3), old + change);
    note(abs(change) * f(rows + GIVE * room, i) * h);
    pushRow(rows, numbers, whole, n, bone, i, change);
  }
  settle(numbers, whole, n, bone);
}

/** The impulse a row should have. */
function wanted(at: usize, n: usize, bone: usize, i: usize, old: f64): f64 {
  const rows = rowsOf(at), room = roomOf(at), numbers = numbersOf(at);
  const parent = <usize>word(wholeOf(at) + PARENTS * n, bone);
  const d = rows + i * 24;
  const v = numbers + VELOCITY * n + bone * 48, change = numbers + CHANGE * n + bone * 48;
  const vp = numbers + VELOCITY * n + parent * 48, changeP = numbers + CHANGE * n + parent * 48;
  let rate: f64 = 0;
  for (let k: usize = 0; k < 3; k++) rate += f(d, k) * (f(v, k) + f(change, k) - f(vp, k) - f(changeP, k));
  const give = f(rows + GIVE * room, i);
  const value = f(rows + VALUE * room, i);
  const kind = word(kindsOf(at), i);
  if (kind == MOTOR) {
    const slowing = h * f(rows + SLOWING * room, i);
    const most = f(rows + MOST * room, i);
    const right = old + (h * value - slowing * rate - old) / (1 + slowing * give);
    return right > most ? most : right < -most ? -most : right;
  }
  if (!(give > 0)) return 0;
  const right = old - (value / h + rate) / give;
  return kind == LIMIT && right < 0 ? 0 : right;
}

function pushRow(rows: usize, numbers: usize, whole: usize, n: usize, bone: usize, i: usize, impulse: f64): void {
  if (impulse == 0) return;
  const d = rows + i * 24;
  const x = impulse * f(d, 0), y = impulse * f(d, 1), z = impulse * f(d, 2);
  push(numbers, n, bone, x, y, z, 0, 0, 0);
  push(numbers, n, <usize>word(whole + PARENTS * n, bone), -x, -y, -z, 0, 0, 0);
}
