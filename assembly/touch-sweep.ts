/**
 * Projected Gauss-Seidel over the contacts and joint rows of layered characters, in f64: the same sums in the same order as
 * src/solvers/layered/touch/touch-forces.ts, touch-solver.ts and joints/joint-rows.ts, which explain them; the bits are the same. Groups
 * of bodies that touch each other share nothing, so that it does not matter who sweeps which.
 */
import { beginAnswers, bring, enter, FIRST_ROW, leave, NEEDED, spreadAnswers, WALK } from './bone-answers';
import { apply, findYield, IMPULSE_1, IMPULSE_2, IMPULSE_CORE, IMPULSE_N, relax, TOUCH, writeGapAfter } from './touch-contact';
import { beginSweep, bodies, bodyAt, bones, boneStart, data, firstOfBone, groups, largestChange, meets, next, numbersOf, order, read, results, sweeps, wholeOf, word } from './touch-job';
import { beginRows, relaxRows } from './touch-rows';

/** Sweeps end when nothing moved by more than this share of the size. */
const SETTLED: f64 = 1e-7;

/** Of bodies [first, last) that take part: compliances of their bones, how far their rows yield, and the rows' first impulses. */
export function touchBones(first: usize, last: usize, own: usize, job: usize): void {
  read(job);
  for (let body = <i32>first; body < <i32>last; body++) {
    const at = bodyAt(body);
    const n = <usize>load<u32>(at);
    if (word(wholeOf(at) + NEEDED * n, 0) == 0) continue;
    beginAnswers(numbersOf(at), wholeOf(at), n);
    beginRows(at, n);
  }
}

/** Of contacts [first, last): how far they yield, and the impulses they begin with, on skins and bones. */
export function touchBegin(first: usize, last: usize, own: usize, job: usize): void {
  read(job);
  for (let c = first; c < last; c++) {
    findYield(c);
    const o = data + TOUCH * c;
    const n = load<f64>(o, IMPULSE_N), one = load<f64>(o, IMPULSE_1), two = load<f64>(o, IMPULSE_2), core = load<f64>(o, IMPULSE_CORE);
    if (n == 0 && one == 0 && two == 0 && core == 0) continue;
    store<f64>(o, 0, IMPULSE_N);
    store<f64>(o, 0, IMPULSE_1);
    store<f64>(o, 0, IMPULSE_2);
    apply(c, n, one, two, core);
  }
}

/** Sweeps over groups [first, last) until each has settled; then all their bones know of all impulses. Results: sweeps taken, largest change left. */
export function touchSweep(first: usize, last: usize, own: usize, job: usize): void {
  read(job);
  for (let group = first; group < last; group++) {
    const from = word(groups, group);
    let left: f64 = 0;
    let taken = 0;
    for (let sweep = 0; sweep < sweeps; sweep++) {
      beginSweep();
      for (let body = from; body >= 0; body = word(next, <usize>body)) sweepBody(body, sweep == 0 || word(meets, <usize>body) == 1);
      left = largestChange();
      if (left < SETTLED) break;
      taken = sweep + 1;
    }
    store<f64>(results + (group << 4), taken);
    store<f64>(results + (group << 4), left, 8);
    for (let body = from; body >= 0; body = word(next, <usize>body)) {
      const at = bodyAt(body);
      const n = <usize>load<u32>(at);
      if (word(wholeOf(at) + NEEDED * n, 0) == 1) spreadAnswers(numbersOf(at), wholeOf(at), n);
    }
  }
}

/** Of contacts [first, last): how far apart their sides are after all impulses. */
export function touchEnd(first: usize, last: usize, own: usize, job: usize): void {
  read(job);
  for (let c = first; c < last; c++) {
    writeGapAfter(c);
  }
}

/** One visit to every contact of a body, in the order of the walk through its bones. */
function sweepBody(body: i32, mayWait: bool): void {
  const at = bodyAt(body);
  const n = <usize>load<u32>(at);
  const numbers = numbersOf(at);
  const whole = wholeOf(at);
  const needed = whole + NEEDED * n;
  const rows = whole + FIRST_ROW * n;
  if (word(needed, 0) == 0) return;
  const start = <usize>word(boneStart, <usize>body);
  if (mayWait) for (let bone = n - 1; bone > 0; bone--) if (word(needed, bone) == 1) leave(numbers, whole, n, bone);
  for (let i: usize = 0; i < 2 * n; i++) {
    const step = word(whole + WALK * n, i);
    const bone = <usize>(step < 0 ? ~step : step);
    if (word(needed, bone) == 0) continue;
    if (step < 0) {
      leave(numbers, whole, n, bone);
      continue;
    }
    enter(numbers, whole, n, bone);
    if (word(rows, bone) < word(rows, bone + 1)) relaxRows(at, n, bone);
    sweepBone(body, at, n, bone, <usize>word(firstOfBone, start + bone), <usize>word(firstOfBone, start + bone + 1));
  }
}

/** The contacts of one bone; before those with a bone of another body, or of its own, that bone's velocity is made exact too. */
function sweepBone(body: i32, at: usize, n: usize, bone: usize, from: usize, to: usize): void {
  let partner = -1;
  let partnerBone = -1;
  for (let i = from; i < to; i++) {
    const c = <usize>word(order, i);
    const other = word(bodies, 2 * c + 1);
    const otherBone = word(bones, 2 * c + 1);
    if (other >= 0 && (other != partner || otherBone != partnerBone)) {
      partner = other;
      partnerBone = otherBone;
      const to = bodyAt(partner);
      bring(numbersOf(to), wholeOf(to), <usize>load<u32>(to), <usize>partnerBone);
      if (partner == body) bring(numbersOf(at), wholeOf(at), n, bone);
    }
    relax(c);
  }
  if (partner == body) bring(numbersOf(at), wholeOf(at), n, bone);
}
