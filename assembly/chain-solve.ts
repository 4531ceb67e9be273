/**
 * Short chains and loops of points held together, solved at once: what src/solvers/coupled/rigid/chain-solve.ts does, bit for bit, in parts: no two chains share a body that moves. Up to four chains side by side, one in each lane, where
 * their matrices have zeros in the same places. `job`: see assembly/row-job.ts. `chains`: first and last of each in the list of `blocks`, and 1 where it was solved. `own`: room of the part, for four matrices, four impulses, and a first column per row of two.
 */
import { blockA, blockArmA, blockArmB, blockB, blockPush, inverseInertiaOf, inverseMassOf, pushPoint, targetOf, twistOf } from './row-job';

/** Bytes of a number of all lanes, and of a row of their matrices, of which there are 36. */
const ALL: usize = 32;
const ROW: usize = 36 * ALL;
const PUSH: usize = 36 * ROW;
const START: usize = PUSH + ROW;
/** Bytes of the first columns of a chain. */
const STARTS: usize = 144;
const CHAIN: usize = 12;
const LANES: usize = 4;
/** What eliminating others may leave of a row's own answer, as a share of it, before the row counts as one of them. */
const SAME: f64 = 1e-9;

export function solveChains(first: usize, last: usize, own: usize, job: usize, chains: usize, blocks: usize): void {
  for (let c = first; c < last; ) {
    const chain = chains + c * CHAIN, count = countOf(chain);
    memory.fill(own, 0, 3 * count * ROW);
    fill(own, own + START, job, blocks, chain);
    let lanes: usize = 1;
    while (lanes < LANES && c + lanes < last && isLike(own, job, blocks, chain + lanes * CHAIN, lanes, count)) lanes++;
    const solved = factor(own, 3 * count);
    for (let n: usize = 0; n < lanes; n++) {
      store<u32>(chain + n * CHAIN, (solved >> <u32>n) & 1, 8);
      apply(own + n * 8, job, blocks, chain + n * CHAIN, false);
    }
    substitute(own, 3 * count);
    for (let n: usize = 0; n < lanes; n++) apply(own + n * 8, job, blocks, chain + n * CHAIN, true);
    c += lanes;
  }
}

// @ts-ignore: decorator
@inline function countOf(chain: usize): usize { return load<u32>(chain, 4) - load<u32>(chain); }

/** Fills a lane with a chain; whether it is like that in the first. */
function isLike(own: usize, job: usize, blocks: usize, chain: usize, lane: usize, count: usize): bool {
  if (countOf(chain) != count) return false;
  fill(own + lane * 8, own + START + STARTS, job, blocks, chain);
  for (let at = own + START, end = at + 12 * count; at < end; at += 12) if (load<u32>(at) != load<u32>(at, STARTS)) return false;
  return true;
}

/** Notes what a chain lacks or, once they are `known`, takes its impulses; nothing where it has no factor. */
function apply(own: usize, job: usize, blocks: usize, chain: usize, known: bool): void {
  const list = blocks + load<u32>(chain) * 4, count = countOf(chain);
  if (load<u32>(chain, 8) == 0) return;
  for (let n: usize = 0; n < count; n++) {
    const at = own + PUSH + n * 3 * ALL, i: usize = load<u32>(list + n * 4);
    if (known) take(at, job, i);
    else lack(at, job, i);
  }
}

/** How far the velocity of block i is from its target. */
function lack(to: usize, job: usize, i: usize): void {
  const p = blockArmA(job, i), q = blockArmB(job, i), v = twistOf(job, blockA(job, i)), w = twistOf(job, blockB(job, i)), target = targetOf(job, i);
  const p0 = load<f64>(p), p1 = load<f64>(p, 8), p2 = load<f64>(p, 16), q0 = load<f64>(q), q1 = load<f64>(q, 8), q2 = load<f64>(q, 16);
  const a0 = load<f64>(v, 24), a1 = load<f64>(v, 32), a2 = load<f64>(v, 40), b0 = load<f64>(w, 24), b1 = load<f64>(w, 32), b2 = load<f64>(w, 40);
  store<f64>(to, load<f64>(target) - (load<f64>(v) + a1 * p2 - a2 * p1 - load<f64>(w) - b1 * q2 + b2 * q1));
  store<f64>(to, load<f64>(target, 8) - (load<f64>(v, 8) + a2 * p0 - a0 * p2 - load<f64>(w, 8) - b2 * q0 + b0 * q2), ALL);
  store<f64>(to, load<f64>(target, 16) - (load<f64>(v, 16) + a0 * p1 - a1 * p0 - load<f64>(w, 16) - b0 * q1 + b1 * q0), 2 * ALL);
}

/** The impulse of block i, and its push on both bodies. */
function take(p: usize, job: usize, i: usize): void {
  const p0 = load<f64>(p), p1 = load<f64>(p, ALL), p2 = load<f64>(p, 2 * ALL), to = blockPush(job, i);
  store<f64>(to, p0); store<f64>(to, p1, 8); store<f64>(to, p2, 16);
  pushPoint(job, blockA(job, i), blockArmA(job, i), p0, p1, p2);
  pushPoint(job, blockB(job, i), blockArmB(job, i), -p0, -p1, -p2);
}

/** The lower half of the matrix of a chain, from `own` on, and where its rows begin. */
function fill(own: usize, starts: usize, job: usize, blocks: usize, chain: usize): void {
  const list = blocks + load<u32>(chain) * 4, count = countOf(chain);
  for (let n: usize = 0; n < count; n++) {
    const i: usize = load<u32>(list + n * 4);
    const a = blockA(job, i), b = blockB(job, i), p = blockArmA(job, i), q = blockArmB(job, i);
    let first = n;
    for (let m: isize = n; m >= 0; m--) {
      const j: usize = load<u32>(list + m * 4);
      const c = blockA(job, j), d = blockB(job, j), r = blockArmA(job, j), s = blockArmB(job, j);
      if (a != c && b != d && a != d && b != c) continue;
      const at = own + n * 3 * ROW + m * 3 * ALL;
      first = m;
      // both first ones, both second ones, and one of each
      for (let way = 0; way < 4; way++) {
        const second = (way & 1) == 1, other = second != way > 1;
        const body = second ? b : a;
        if (body == (other ? d : c)) addAnswer(job, body, second ? q : p, other ? s : r, at, way < 2 ? 1 : -1);
      }
    }
    for (let k: usize = 0; k < 3; k++) store<u32>(starts + (n * 3 + k) * 4, <u32>first * 3);
  }
}

/** Adds how a point of a body moves when it is pushed at another: 1/m − rᵢ* I⁻¹ rⱼ*. */
function addAnswer(job: usize, body: usize, armI: usize, armJ: usize, at: usize, sign: f64): void {
  const mass = inverseMassOf(job, body);
  if (mass == 0) return;
  const w = inverseInertiaOf(job, body);
  const x = load<f64>(armI), y = load<f64>(armI, 8), z = load<f64>(armI, 16);
  const j0 = load<f64>(armJ), j1 = load<f64>(armJ, 8), j2 = load<f64>(armJ, 16);
  const w0 = load<f64>(w), w1 = load<f64>(w, 8), w2 = load<f64>(w, 16), w3 = load<f64>(w, 24), w4 = load<f64>(w, 32), w5 = load<f64>(w, 40), w6 = load<f64>(w, 48), w7 = load<f64>(w, 56), w8 = load<f64>(w, 64);
  const m = sign * mass;
  // rⱼ × e for each direction e, turned into a spin
  addColumn(at, x, y, z, w1 * j2 - w2 * j1, w4 * j2 - w5 * j1, w7 * j2 - w8 * j1, sign);
  addColumn(at + ALL, x, y, z, w2 * j0 - w0 * j2, w5 * j0 - w3 * j2, w8 * j0 - w6 * j2, sign);
  addColumn(at + 2 * ALL, x, y, z, w0 * j1 - w1 * j0, w3 * j1 - w4 * j0, w6 * j1 - w7 * j0, sign);
  addTo(at, m);
  addTo(at + ROW + ALL, m);
  addTo(at + 2 * ROW + 2 * ALL, m);
}

// @ts-ignore: decorator
@inline function addColumn(at: usize, x: f64, y: f64, z: f64, s0: f64, s1: f64, s2: f64, sign: f64): void {
  addTo(at, sign * (s1 * z - s2 * y));
  addTo(at + ROW, sign * (s2 * x - s0 * z));
  addTo(at + 2 * ROW, sign * (s0 * y - s1 * x));
}

// @ts-ignore: decorator
@inline function addTo(at: usize, more: f64): void { store<f64>(at, load<f64>(at) + more); }

// @ts-ignore: decorator
@inline function startOf(own: usize, row: usize): usize { return load<u32>(own + START + row * 4); }

/** The Cholesky factors, in place; a bit for each lane that has one: none where a row is the same as others. */
function factor(own: usize, rows: usize): u32 {
  let solved: u32 = 15;
  const same = f64x2.splat(SAME);
  for (let i: usize = 0; i < rows; i++) {
    const r = own + i * ROW, d = r + i * ALL, first = startOf(own, i);
    for (let j = first; j < i; j++) {
      const from = max(first, startOf(own, j));
      reduce(r + j * ALL, r + from * ALL, own + j * ROW + from * ALL, ALL, j - from);
      divide(r + j * ALL, own + j * ROW + j * ALL);
    }
    const least0 = f64x2.mul(same, v128.load(d)), least1 = f64x2.mul(same, v128.load(d, 16));
    reduce(d, r + first * ALL, r + first * ALL, ALL, i - first);
    const rest0 = v128.load(d), rest1 = v128.load(d, 16);
    solved &= i64x2.bitmask(f64x2.gt(rest0, least0)) | (i64x2.bitmask(f64x2.gt(rest1, least1)) << 2);
    v128.store(d, f64x2.sqrt(rest0));
    v128.store(d, f64x2.sqrt(rest1), 16);
  }
  return solved;
}

/** Takes the products of `count` numbers from `p` on and from `q` on, these `apart` bytes from each other, from what is at a place. */
function reduce(at: usize, p: usize, q: usize, apart: usize, count: usize): void {
  let sum0 = v128.load(at), sum1 = v128.load(at, 16);
  for (const end = p + count * ALL; p < end; p += ALL, q += apart) {
    sum0 = f64x2.sub(sum0, f64x2.mul(v128.load(q), v128.load(p)));
    sum1 = f64x2.sub(sum1, f64x2.mul(v128.load(q, 16), v128.load(p, 16)));
  }
  v128.store(at, sum0);
  v128.store(at, sum1, 16);
}

// @ts-ignore: decorator
@inline function divide(at: usize, by: usize): void {
  v128.store(at, f64x2.div(v128.load(at), v128.load(by)));
  v128.store(at, f64x2.div(v128.load(at, 16), v128.load(by, 16)), 16);
}

/** The impulses that bring the rows what they lack. */
function substitute(own: usize, rows: usize): void {
  const p = own + PUSH;
  for (let i: usize = 0; i < rows; i++) {
    const r = own + i * ROW, from = startOf(own, i);
    reduce(p + i * ALL, p + from * ALL, r + from * ALL, ALL, i - from);
    divide(p + i * ALL, r + i * ALL);
  }
  for (let i: isize = rows - 1; i >= 0; i--) {
    const at = p + i * ALL, column = own + i * ALL;
    // rows that know this one begin no later, those of a block together: of a chain the next block, of a loop the last as well
    for (let k: usize = i + 1; k < rows; ) {
      const end = min(rows, (k / 3 + 1) * 3);
      if (startOf(own, k) <= <usize>i) reduce(at, p + k * ALL, column + k * ROW, ROW, end - k);
      k = end;
    }
    divide(at, column + i * ROW);
  }
}
