/**
 * One contact of layered characters at a time, in f64: how far it yields, how far impulses have moved it, and the impulse that makes it right while
 * all others are held. The same sums in the same order as src/solvers/layered/touch/touch-forces.ts, which explains them.
 */
import { CHANGE, COMPLIANCE, push, yieldAlong } from './bone-answers';
import { bodies, bodyAt, bones, data, equalities, f, h, linkBlocks, linkStart, linkValues, linkWays, note, numbersOf, obstacles, sides, sizeOf, skinShareOf, word } from './touch-job';

/** Bytes of a contact and of a side, and where their numbers are; as touch-list.ts has them. */
export const TOUCH: usize = 208;
const SIDE: usize = 128;
export const GAP: usize = 72;
const CORE_GAP: usize = 80;
const SLIP_1: usize = 88;
const SLIP_2: usize = 96;
const YIELD_N: usize = 104;
const YIELD_1: usize = 112;
const YIELD_2: usize = 120;
const YIELD_SKIN: usize = 128;
export const IMPULSE_N: usize = 136;
export const IMPULSE_1: usize = 144;
export const IMPULSE_2: usize = 152;
export const IMPULSE_CORE: usize = 160;
const FRICTION: usize = 168;
export const GAP_AFTER: usize = 176;
const PINNED: usize = 184;
const YIELD_SKIN_1: usize = 192;
const YIELD_SKIN_2: usize = 200;
const LOCAL: usize = 24;
const WAY: usize = 96;

/** Share of the skin's compliance by which cores of characters give way, and the change of a gap that is not worth making. */
const CORE_GIVE: f64 = 0.2;
const UNMOVED: f64 = 1e-8;
/** How far impulses have moved the contact at hand. */
let wayN: f64 = 0;
let way1: f64 = 0;
let way2: f64 = 0;
let wayCore: f64 = 0;

/** How far a contact yields per impulse, by bones along its three directions and by skin. */
export function findYield(c: usize): void {
  const o = data + TOUCH * c;
  for (let s = 2 * c; s < 2 * c + 2; s++) {
    const body = word(bodies, s);
    if (body < 0) continue;
    const at = bodyAt(body);
    const compliance = numbersOf(at) + COMPLIANCE * <usize>load<u32>(at) + <usize>word(bones, s) * 288;
    const side = sides + SIDE * s;
    const share = skinShareOf(body);
    const link = <usize>word(linkStart, s);
    for (let axis: usize = 0; axis < 3; axis++) {
      const byBones = o + YIELD_N + (axis << 3);
      store<f64>(byBones, load<f64>(byBones) + h * yieldAlong(compliance, side, o + axis * 24));
      const bySkin = o + (axis == 0 ? YIELD_SKIN : axis == 1 ? YIELD_SKIN_1 : YIELD_SKIN_2);
      const give = linkBlocks ? yieldOf(linkBlocks + link * 72, side + LOCAL + axis * 24) : f(linkValues, link);
      store<f64>(bySkin, load<f64>(bySkin) + share * give);
    }
  }
}

/** dᵀ B d for a block of the skin. */
function yieldOf(b: usize, d: usize): f64 {
  const x = f(d, 0), y = f(d, 1), z = f(d, 2);
  return x * (f(b, 0) * x + f(b, 1) * y + f(b, 2) * z) + y * (f(b, 3) * x + f(b, 4) * y + f(b, 5) * z) + z * (f(b, 6) * x + f(b, 7) * y + f(b, 8) * z);
}

/** Makes one contact right, all others held. */
export function relax(c: usize): void {
  const o = data + TOUCH * c;
  if (load<f64>(o, PINNED) == 1) {
    hold(c, o);
    return;
  }
  if (equalities) {
    equal(c, o);
    return;
  }
  const isPlain = word(bodies, 2 * c + 1) < 0;
  if (isPlain) readOneSide(c);
  else readWays(c);
  const skin = load<f64>(o, YIELD_SKIN);
  const yieldN = load<f64>(o, YIELD_N);
  const oldN = load<f64>(o, IMPULSE_N);
  const oldCore = load<f64>(o, IMPULSE_CORE);
  const newN = max<f64>(0, oldN - (load<f64>(o, GAP) + wayN) / (yieldN + skin));
  const changeN = newN - oldN;
  const give = word(obstacles, c) < 0 ? CORE_GIVE * skin : 0;
  const coreGap = load<f64>(o, CORE_GAP) + wayCore + yieldN * changeN + give * oldCore;
  const newCore = yieldN + give > 0 ? max<f64>(0, oldCore - coreGap / (yieldN + give)) : 0;
  const changeCore = newCore - oldCore;
  if (newN == 0 && oldN == 0 && newCore == 0 && oldCore == 0) return;
  if (isPlain) readSlips(o);
  const old1 = load<f64>(o, IMPULSE_1);
  const old2 = load<f64>(o, IMPULSE_2);
  const give1 = load<f64>(o, YIELD_1) + load<f64>(o, YIELD_SKIN_1);
  const give2 = load<f64>(o, YIELD_2) + load<f64>(o, YIELD_SKIN_2);
  let new1 = old1 - (load<f64>(o, SLIP_1) + way1) / give1;
  let new2 = old2 - (load<f64>(o, SLIP_2) + way2) / give2;
  const most = load<f64>(o, FRICTION) * (newN + newCore);
  const length = sqrt(new1 * new1 + new2 * new2);
  if (length > most) {
    new1 *= most / length;
    new2 *= most / length;
  }
  const size = sizeOf(word(bodies, 2 * c));
  const went = (abs(changeN) * (yieldN + skin) + abs(changeCore) * yieldN) / size;
  note(went);
  const slid = (abs(new1 - old1) * give1 + abs(new2 - old2) * give2) / size;
  if (went + slid < UNMOVED) return;
  store<f64>(o, newCore, IMPULSE_CORE);
  apply(c, changeN, new1 - old1, new2 - old2, changeCore);
}

/** Makes a pin right: no bounds, and no core. */
function hold(c: usize, o: usize): void {
  readWays(c);
  const gap = load<f64>(o, GAP) + wayN;
  const n = -gap / (load<f64>(o, YIELD_N) + load<f64>(o, YIELD_SKIN));
  const one = -(load<f64>(o, SLIP_1) + way1) / (load<f64>(o, YIELD_1) + load<f64>(o, YIELD_SKIN_1));
  const two = -(load<f64>(o, SLIP_2) + way2) / (load<f64>(o, YIELD_2) + load<f64>(o, YIELD_SKIN_2));
  const went = abs(gap) / sizeOf(word(bodies, 2 * c));
  note(went);
  apply(c, n, one, two, 0);
}

/** An equality along the normal, where the node would be inside: as published. */
function equal(c: usize, o: usize): void {
  if (load<f64>(o, GAP) >= 0) return;
  readWays(c);
  const gap = load<f64>(o, GAP) + wayN;
  note(abs(gap) / sizeOf(word(bodies, 2 * c)));
  apply(c, -gap / (load<f64>(o, YIELD_N) + load<f64>(o, YIELD_SKIN)), 0, 0, 0);
}

/** How far impulses have moved a contact along its normal and tangents, and along its normal by bones alone [m]. */
function readWays(c: usize): void {
  const o = data + TOUCH * c;
  let n: f64 = 0, one: f64 = 0, two: f64 = 0, core: f64 = 0, sign: f64 = 1;
  for (let s = 2 * c; s < 2 * c + 2; s++) {
    const body = word(bodies, s);
    if (body < 0) break;
    const at = bodyAt(body);
    const v = numbersOf(at) + CHANGE * <usize>load<u32>(at) + <usize>word(bones, s) * 48;
    const a = sides + SIDE * s;
    const ax = f(a, 0), ay = f(a, 1), az = f(a, 2);
    const scale = sign * h;
    const x = scale * (f(v, 3) + f(v, 1) * az - f(v, 2) * ay);
    const y = scale * (f(v, 4) + f(v, 2) * ax - f(v, 0) * az);
    const z = scale * (f(v, 5) + f(v, 0) * ay - f(v, 1) * ax);
    const ux = f(a, 12), uy = f(a, 13), uz = f(a, 14);
    const byBones = f(o, 0) * x + f(o, 1) * y + f(o, 2) * z;
    core += byBones;
    n += byBones + sign * (f(a, 3) * ux + f(a, 4) * uy + f(a, 5) * uz);
    one += f(o, 3) * x + f(o, 4) * y + f(o, 5) * z;
    one += sign * (f(a, 6) * ux + f(a, 7) * uy + f(a, 8) * uz);
    two += f(o, 6) * x + f(o, 7) * y + f(o, 8) * z;
    two += sign * (f(a, 9) * ux + f(a, 10) * uy + f(a, 11) * uz);
    sign = -1;
  }
  wayN = n;
  way1 = one;
  way2 = two;
  wayCore = core;
}

/** How far the bone and the skin of the side at hand went. */
let boneX: f64 = 0;
let boneY: f64 = 0;
let boneZ: f64 = 0;
let sideAt: usize = 0;

/** Of a contact with one side, the ways along its normal alone: where it does not push there is no friction to ask for. */
// @ts-ignore: decorator
@inline function readOneSide(c: usize): void {
  const o = data + TOUCH * c;
  const at = bodyAt(word(bodies, 2 * c));
  const v = numbersOf(at) + CHANGE * <usize>load<u32>(at) + <usize>word(bones, 2 * c) * 48;
  const a = sides + SIDE * 2 * c;
  const ax = f(a, 0), ay = f(a, 1), az = f(a, 2);
  const x = h * (f(v, 3) + f(v, 1) * az - f(v, 2) * ay);
  const y = h * (f(v, 4) + f(v, 2) * ax - f(v, 0) * az);
  const z = h * (f(v, 5) + f(v, 0) * ay - f(v, 1) * ax);
  const byBones = f(o, 0) * x + f(o, 1) * y + f(o, 2) * z;
  // sums begin with zero as those of two sides do, so that none is minus zero
  wayCore = 0 + byBones;
  wayN = 0 + (byBones + (f(a, 3) * f(a, 12) + f(a, 4) * f(a, 13) + f(a, 5) * f(a, 14)));
  boneX = x;
  boneY = y;
  boneZ = z;
  sideAt = a;
}

/** Along its tangents. */
// @ts-ignore: decorator
@inline function readSlips(o: usize): void {
  const a = sideAt;
  const x = boneX, y = boneY, z = boneZ;
  const ux = f(a, 12), uy = f(a, 13), uz = f(a, 14);
  way1 = 0 + (f(o, 3) * x + f(o, 4) * y + f(o, 5) * z) + (f(a, 6) * ux + f(a, 7) * uy + f(a, 8) * uz);
  way2 = 0 + (f(o, 6) * x + f(o, 7) * y + f(o, 8) * z) + (f(a, 9) * ux + f(a, 10) * uy + f(a, 11) * uz);
}

/** Adds impulses to a contact: on skins the first three, on bones all. */
export function apply(c: usize, n: f64, one: f64, two: f64, core: f64): void {
  const o = data + TOUCH * c;
  store<f64>(o, load<f64>(o, IMPULSE_N) + n, IMPULSE_N);
  store<f64>(o, load<f64>(o, IMPULSE_1) + one, IMPULSE_1);
  store<f64>(o, load<f64>(o, IMPULSE_2) + two, IMPULSE_2);
  const along = n + core;
  const fx = f(o, 0) * along + f(o, 3) * one + f(o, 6) * two;
  const fy = f(o, 1) * along + f(o, 4) * one + f(o, 7) * two;
  const fz = f(o, 2) * along + f(o, 5) * one + f(o, 8) * two;
  let sign: f64 = 1;
  for (let s = 2 * c; s < 2 * c + 2; s++) {
    const body = word(bodies, s);
    if (body < 0) break;
    const at = bodyAt(body);
    const a = sides + SIDE * s;
    const ax = sign * f(a, 0), ay = sign * f(a, 1), az = sign * f(a, 2);
    push(numbersOf(at), <usize>load<u32>(at), <usize>word(bones, s), ay * fz - az * fy, az * fx - ax * fz, ax * fy - ay * fx, sign * fx, sign * fy, sign * fz);
    const share = sign * skinShareOf(body);
    const ux = share * (f(a, 3) * n + f(a, 6) * one + f(a, 9) * two);
    const uy = share * (f(a, 4) * n + f(a, 7) * one + f(a, 10) * two);
    const uz = share * (f(a, 5) * n + f(a, 8) * one + f(a, 11) * two);
    if (linkBlocks) pushBlocks(s, ux, uy, uz);
    else pushLinks(s, ux, uy, uz);
    sign = -1;
  }
}

/** The ways of all sides that a push on one moves. The fourth number of a way is unused. */
// @ts-ignore: decorator
@inline function pushLinks(s: usize, ux: f64, uy: f64, uz: f64): void {
  const to = <usize>word(linkStart, s + 1);
  const xy = f64x2.replace_lane(f64x2.splat(ux), 1, uy);
  const z = f64x2.replace_lane(f64x2.splat(uz), 1, 0);
  for (let i = <usize>word(linkStart, s); i < to; i++) {
    const w = v128.load64_splat(linkValues + (i << 3));
    const at = sides + (<usize>word(linkWays, i) << 3);
    v128.store(at, f64x2.add(v128.load(at), f64x2.mul(w, xy)));
    v128.store(at, f64x2.add(v128.load(at, 16), f64x2.mul(w, z)), 16);
  }
}

/** The same for skins that bulge. */
function pushBlocks(s: usize, ux: f64, uy: f64, uz: f64): void {
  const to = <usize>word(linkStart, s + 1);
  for (let i = <usize>word(linkStart, s); i < to; i++) {
    const b = linkBlocks + i * 72;
    const at = sides + (<usize>word(linkWays, i) << 3);
    store<f64>(at, f(at, 0) + (f(b, 0) * ux + f(b, 1) * uy + f(b, 2) * uz));
    store<f64>(at, f(at, 1) + (f(b, 3) * ux + f(b, 4) * uy + f(b, 5) * uz), 8);
    store<f64>(at, f(at, 2) + (f(b, 6) * ux + f(b, 7) * uy + f(b, 8) * uz), 16);
  }
}

/** How far apart the sides of a contact are after all impulses. */
export function writeGapAfter(c: usize): void {
  const o = data + TOUCH * c;
  readWays(c);
  store<f64>(o, load<f64>(o, GAP) + wayN, GAP_AFTER);
}
