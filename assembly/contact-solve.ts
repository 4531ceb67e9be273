/**
 * Forces of the contacts between bodies: sweeps, and conjugate gradients over those that hold between them, in f64. Specified in
 * src/kernels/reference/contact-sweeps.ts and conjugate-contacts.ts: the same sums in the same order, so that the bits are the same.
 */
import { held, heldCount, letGo, listHeld, readLeft, roomAlong } from './contact-held';
import { along, DIRECTION, FORCE, LEFT, NORMAL, NORMAL_COMPLIANCE, REACH, SIDES, SOFTNESS, TANGENT_COMPLIANCE } from './contact-records';
import { move } from './contact-sides';
import { sweep } from './contact-sweep';

/** Sweeps before the first and after each round of conjugate gradients. */
const SWEEPS: i32 = 2;
/** Steps of one round, at most and at least, and the share of what is left at which it ends. */
const ROUND: i32 = 60;
const WORTHWHILE: i32 = 3;
const ROUND_ENOUGH: f64 = 1e-3;
/** Curvature, as a share of what the contacts would have alone, below which a direction leads nowhere. */
const FLAT: f64 = 1e-9;

/** What is left to close, squared, in the metric of the contacts alone [N m]. */
let size: f64 = 0;
/** The force that would close what is left of a contact were it alone [N]. */
let wishX: f64 = 0, wishY: f64 = 0, wishZ: f64 = 0;

/** Sweeps, with rounds of conjugate gradients between them where that can be afforded, until the forces are settled. `list`: room for as many addresses. */
export function solveContacts(contacts: usize, count: usize, list: usize, sweeps: i32, settled: f64): void {
  for (let used: i32 = 0; used < sweeps; ) {
    for (let n: i32 = 0; n < SWEEPS; n++, used++) if (sweep(contacts, count) <= settled) return;
    const steps = min(ROUND, sweeps - used - SWEEPS);
    if (steps > WORTHWHILE) {
      listHeld(list, contacts, count);
      used += conjugate(steps);
    }
  }
}

/** At most `steps` steps; returns the steps taken. */
function conjugate(steps: i32): i32 {
  start();
  const goal = size * ROUND_ENOUGH * ROUND_ENOUGH;
  let step: i32 = 0;
  while (size > goal) {
    step++;
    const curvature = measureReach();
    if (curvature == 0) break;
    const whole = size / curvature;
    const length = min(whole, roomAlong());
    const before = size;
    take(length);
    if (step >= steps || length < whole || size <= goal) moveAll(length - 1);
    if (step >= steps || size <= goal) return step;
    if (length < whole) {
      letGo();
      start();
    } else turn(length - 1, size / before);
  }
  moveAll(-1);
  return step;
}

/** The first direction, straight down, and the sides moved by it. */
function start(): void {
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    readLeft(c, LEFT);
    for (let k: usize = 0; k < 24; k += 8) store<f64>(c + DIRECTION + k, 0);
  }
  turn(0, 0);
}

/** With the sides moved by the direction: how far that was, and the curvature along it (0: as good as none). */
function measureReach(): f64 {
  let curvature: f64 = 0, alone: f64 = 0;
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    readLeft(c, REACH);
    // from zero on, as the specification: it decides the sign of a zero
    const push = 0.0 + load<f64>(c, NORMAL) * load<f64>(c, DIRECTION) + load<f64>(c, NORMAL + 8) * load<f64>(c, DIRECTION + 8) + load<f64>(c, NORMAL + 16) * load<f64>(c, DIRECTION + 16);
    const square = along(c, DIRECTION, DIRECTION);
    const compliance = load<f64>(c, NORMAL_COMPLIANCE);
    const gives = load<f64>(c, SOFTNESS) * compliance * push;
    for (let i = c; i < c + 24; i += 8) {
      const reach = load<f64>(i, LEFT) - load<f64>(i, REACH) + gives * load<f64>(i, NORMAL);
      store<f64>(i, reach, REACH);
      curvature += load<f64>(i, DIRECTION) * reach;
    }
    alone += compliance * push * push + load<f64>(c, TANGENT_COMPLIANCE) * max<f64>(0, square - push * push);
  }
  return curvature > FLAT * alone ? curvature : 0;
}

/** Changes the forces by so much of the direction, and what is left with them. */
function take(length: f64): void {
  size = 0;
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    for (let i = c; i < c + 24; i += 8) {
      store<f64>(i, load<f64>(i, FORCE) + length * load<f64>(i, DIRECTION), FORCE);
      store<f64>(i, load<f64>(i, LEFT) - length * load<f64>(i, REACH), LEFT);
    }
    size += wish(c);
  }
}

/** Moves the sides by a share of the direction. */
function moveAll(share: f64): void {
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    move(c + SIDES, share * load<f64>(c, DIRECTION), share * load<f64>(c, DIRECTION + 8), share * load<f64>(c, DIRECTION + 16));
  }
}

/** The next direction, and the sides moved by it on top of what the last one still owes. */
function turn(owed: f64, keep: f64): void {
  let sum: f64 = 0;
  for (let n: usize = 0; n < heldCount; n++) {
    const c: usize = load<u32>(held + n * 4);
    sum += wish(c);
    const l0 = load<f64>(c, DIRECTION), l1 = load<f64>(c, DIRECTION + 8), l2 = load<f64>(c, DIRECTION + 16);
    const d0 = wishX + keep * l0, d1 = wishY + keep * l1, d2 = wishZ + keep * l2;
    store<f64>(c, d0, DIRECTION); store<f64>(c, d1, DIRECTION + 8); store<f64>(c, d2, DIRECTION + 16);
    move(c + SIDES, owed * l0 + d0, owed * l1 + d1, owed * l2 + d2);
  }
  size = sum;
}

/** The force that would close what is left of a contact were it alone, and its work [N m]. */
function wish(c: usize): f64 {
  const n0 = load<f64>(c, NORMAL), n1 = load<f64>(c, NORMAL + 8), n2 = load<f64>(c, NORMAL + 16);
  const l0 = load<f64>(c, LEFT), l1 = load<f64>(c, LEFT + 8), l2 = load<f64>(c, LEFT + 16);
  const gap = n0 * l0 + n1 * l1 + n2 * l2;
  const close = gap / (load<f64>(c, NORMAL_COMPLIANCE) * (1 + load<f64>(c, SOFTNESS)));
  const tangent = load<f64>(c, TANGENT_COMPLIANCE);
  wishX = close * n0 + (l0 - gap * n0) / tangent;
  wishY = close * n1 + (l1 - gap * n1) / tangent;
  wishZ = close * n2 + (l2 - gap * n2) / tangent;
  return wishX * l0 + wishY * l1 + wishZ * l2;
}
