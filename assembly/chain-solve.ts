/**
 * Short chains and loops of points held together, solved at once: what src/solvers/coupled/rigid/chain-solve.ts does, bit for bit, chain by chain, in parts: no two of them share a body that moves. `job`: see
 * assembly/row-job.ts. `chains`: first and last of each in the list of `blocks`, and 1 where it was solved. `own`: room of the part, for a matrix, an impulse and a first column per row.
 */
import { blockA, blockArmA, blockArmB, blockB, blockPush, inverseInertiaOf, inverseMassOf, pushPoint, targetOf, twistOf } from './row-job';

/** Bytes of a row of the matrix, of which there are 36. */
const ROW: usize = 288;
const PUSH: usize = 36 * ROW;
const START: usize = PUSH + ROW;
/** What eliminating others may leave of a row's own answer, as a share of it, before the row counts as one of them. */
const SAME: f64 = 1e-9;

export function solveChains(first: usize, last: usize, own: usize, job: usize, chains: usize, blocks: usize): void {
  for (let c = first; c < last; c++) {
    const chain = chains + c * 12;
    const list = blocks + load<u32>(chain) * 4, count: usize = load<u32>(chain, 4) - load<u32>(chain);
    fill(own, job, list, count);
    const solved = factor(own, 3 * count);
    store<u32>(chain, solved ? 1 : 0, 8);
    if (!solved) continue;
    for (let n: usize = 0; n < count; n++) lack(own + PUSH + n * 24, job, load<u32>(list + n * 4));
    substitute(own, 3 * count);
    for (let n: usize = 0; n < count; n++) take(own + PUSH + n * 24, job, load<u32>(list + n * 4));
  }
}

/** How far the velocity of block i is from its target. */
function lack(to: usize, job: usize, i: usize): void {
  const p = blockArmA(job, i), q = blockArmB(job, i), v = twistOf(job, blockA(job, i)), w = twistOf(job, blockB(job, i)), target = targetOf(job, i);
  const p0 = load<f64>(p), p1 = load<f64>(p, 8), p2 = load<f64>(p, 16), q0 = load<f64>(q), q1 = load<f64>(q, 8), q2 = load<f64>(q, 16);
  const a0 = load<f64>(v, 24), a1 = load<f64>(v, 32), a2 = load<f64>(v, 40), b0 = load<f64>(w, 24), b1 = load<f64>(w, 32), b2 = load<f64>(w, 40);
  store<f64>(to, load<f64>(target) - (load<f64>(v) + a1 * p2 - a2 * p1 - load<f64>(w) - b1 * q2 + b2 * q1));
  store<f64>(to, load<f64>(target, 8) - (load<f64>(v, 8) + a2 * p0 - a0 * p2 - load<f64>(w, 8) - b2 * q0 + b0 * q2), 8);
  store<f64>(to, load<f64>(target, 16) - (load<f64>(v, 16) + a0 * p1 - a1 * p0 - load<f64>(w, 16) - b0 * q1 + b1 * q0), 16);
}

/** The impulse of block i, and its push on both bodies. */
function take(p: usize, job: usize, i: usize): void {
  const p0 = load<f64>(p), p1 = load<f64>(p, 8), p2 = load<f64>(p, 16), to = blockPush(job, i);
  store<f64>(to, p0); store<f64>(to, p1, 8); store<f64>(to, p2, 16);
  pushPoint(job, blockA(job, i), blockArmA(job, i), p0, p1, p2);
  pushPoint(job, blockB(job, i), blockArmB(job, i), -p0, -p1, -p2);
}

/** The lower half of the matrix. */
function fill(own: usize, job: usize, list: usize, count: usize): void {
  memory.fill(own, 0, 3 * count * ROW);
  for (let n: usize = 0; n < count; n++) {
    const i: usize = load<u32>(list + n * 4);
    const a = blockA(job, i), b = blockB(job, i), p = blockArmA(job, i), q = blockArmB(job, i);
    let first = n;
    for (let m: isize = n; m >= 0; m--) {
      const j: usize = load<u32>(list + m * 4);
      const c = blockA(job, j), d = blockB(job, j), r = blockArmA(job, j), s = blockArmB(job, j);
      if (a != c && b != d && a != d && b != c) continue;
      const at = own + n * 3 * ROW + m * 24;
      first = m;
      // both first ones, both second ones, and one of each
      for (let way = 0; way < 4; way++) {
        const second = (way & 1) == 1, other = second != way > 1;
        const body = second ? b : a;
        if (body == (other ? d : c)) addAnswer(job, body, second ? q : p, other ? s : r, at, way < 2 ? 1 : -1);
      }
    }
    for (let k: usize = 0; k < 3; k++) store<u32>(own + START + (n * 3 + k) * 4, <u32>first * 3);
  }
}

/** Adds how a point of a body moves when it is pushed at another: 1/m − rᵢ* I⁻¹ rⱼ*. */
function addAnswer(job: usize, body: usize, armI: usize, armJ: usize, at: usize, sign: f64): void {
  const mass = inverseMassOf(job, body);
  if (mass == 0) return;
  const w = inverseInertiaOf(job, body);
  const x = load<f64>(armI), y = load<f64>(armI, 8), z = load<f64>(armI, 16);
  const j0 = load<f64>(armJ), j1 = load<f64>(armJ, 8), j2 = load<f64>(armJ, 16);
  for (let c: usize = 0; c < 3; c++, at += 8) {
    // rⱼ × e, turned into a spin
    const t0 = c == 1 ? -j2 : c == 2 ? j1 : 0, t1 = c == 0 ? j2 : c == 2 ? -j0 : 0, t2 = c == 0 ? -j1 : c == 1 ? j0 : 0;
    const s0 = load<f64>(w) * t0 + load<f64>(w, 8) * t1 + load<f64>(w, 16) * t2;
    const s1 = load<f64>(w, 24) * t0 + load<f64>(w, 32) * t1 + load<f64>(w, 40) * t2;
    const s2 = load<f64>(w, 48) * t0 + load<f64>(w, 56) * t1 + load<f64>(w, 64) * t2;
    store<f64>(at, load<f64>(at) + sign * (s1 * z - s2 * y));
    store<f64>(at + ROW, load<f64>(at + ROW) + sign * (s2 * x - s0 * z));
    store<f64>(at + 2 * ROW, load<f64>(at + 2 * ROW) + sign * (s0 * y - s1 * x));
    store<f64>(at + c * ROW, load<f64>(at + c * ROW) + sign * mass);
  }
}

// @ts-ignore: decorator
@inline function startOf(own: usize, row: usize): usize { return load<u32>(own + START + row * 4); }

/** The Cholesky factor, in place; false where a row is the same as others. */
function factor(own: usize, rows: usize): bool {
  for (let i: usize = 0; i < rows; i++) {
    const r = own + i * ROW, first = startOf(own, i);
    for (let j = first; j < i; j++) {
      const q = own + j * ROW;
      let sum = load<f64>(r + j * 8);
      for (let k = max(first, startOf(own, j)); k < j; k++) sum -= load<f64>(r + k * 8) * load<f64>(q + k * 8);
      store<f64>(r + j * 8, sum / load<f64>(q + j * 8));
    }
    const whole = load<f64>(r + i * 8);
    let rest = whole;
    for (let k = first; k < i; k++) rest -= load<f64>(r + k * 8) * load<f64>(r + k * 8);
    if (!(rest > SAME * whole)) return false;
    store<f64>(r + i * 8, sqrt(rest));
  }
  return true;
}

/** The impulses that bring the rows what they lack. */
function substitute(own: usize, rows: usize): void {
  const p = own + PUSH;
  for (let i: usize = 0; i < rows; i++) {
    const r = own + i * ROW;
    let sum = load<f64>(p + i * 8);
    for (let k = startOf(own, i); k < i; k++) sum -= load<f64>(r + k * 8) * load<f64>(p + k * 8);
    store<f64>(p + i * 8, sum / load<f64>(r + i * 8));
  }
  for (let i: isize = rows - 1; i >= 0; i--) {
    let sum = load<f64>(p + i * 8);
    for (let k: usize = i + 1; k < rows; k++) {
      if (startOf(own, k) <= <usize>i) sum -= load<f64>(own + k * ROW + i * 8) * load<f64>(p + k * 8);
    }
    store<f64>(p + i * 8, sum / load<f64>(own + i * ROW + i * 8));
  }
}
