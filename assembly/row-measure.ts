/**
 * What each contact is after in a track, and how it gives way: what src/solvers/coupled/rows/row-measure.ts does, bit for bit. `job`: see assembly/row-job.ts. Settings: step [s], distance
 * within which velocities touch [m], share and speed of the way out of a penetration [1, m/s], track, 1 where the way out is not by rows.
 */
import { armA, armB, bodyA, bodyB, boundOf, firstVertex, frictionOf, gapOf, inverseInertiaOf, inverseMassOf, isAsleep, isFrozen, normalOf, openingOf, ownOf, positionPushOf, pushOf, settings, sideA, sideB, sizeOf, slidingOf, slotsOf, slotVertexOf, softBody, softnessOf, softOf, tableOf, weightsOf } from './row-job';

const UNMOVABLE: f64 = 1e-200;
const SOFT: f64 = 1e-4;

// how the point of the contact at hand answers: a symmetric matrix
export let w00: f64 = 0, w01: f64 = 0, w02: f64 = 0, w11: f64 = 0, w12: f64 = 0, w22: f64 = 0;

/** Measures contacts [first, last). Those that are not of the track lose their impulse, unless they sleep. */
export function measureRows(first: usize, last: usize, own: usize, job: usize): void {
  const set = settings(job);
  const h = load<f64>(set), touching = load<f64>(set, 8), pushOut = load<f64>(set, 16), speed = load<f64>(set, 24);
  const velocities = load<f64>(set, 32) == 1, elsewhere = load<f64>(set, 40) == 1;
  for (let c = first; c < last; c++) {
    const gap = gapOf(job, c);
    const binding = frictionOf(job, c) == Infinity;
    let opening: f64 = 0;
    if (!(velocities && gap > touching && !binding && !isHeld(job, c))) {
      let bound: f64 = 0;
      if (!(velocities || (gap < 0 && elsewhere))) bound = gap >= 0 ? -gap / h : min((-gap * pushOut) / h, speed);
      store<f64>(boundOf(job, c), bound);
      if (!isFrozen(job, c)) opening = measure(job, c, binding);
    }
    store<f64>(openingOf(job, c), opening);
    if (opening != 0 || isFrozen(job, c)) continue;
    const p = pushOf(job, c);
    store<f64>(p, 0); store<f64>(p, 0, 8); store<f64>(p, 0, 16);
  }
}

/** Whether positions of rigid bodies were held apart at contact c. */
// @ts-ignore: decorator
@inline function isHeld(job: usize, c: usize): bool {
  const p = positionPushOf(job, c);
  if ((sideA(job, c) & sideB(job, c)) >= 0) return false;
  return load<f64>(p) != 0 || load<f64>(p, 8) != 0 || load<f64>(p, 16) != 0;
}

/** How contact c opens; how it slides and gives way to its own push is noted. */
function measure(job: usize, c: usize, binding: bool): f64 {
  clearAnswer();
  const a = sideA(job, c), b = sideB(job, c);
  if (a >= 0) addSide(job, a);
  else addPoint(job, bodyA(job, c), armA(job, c));
  if (b >= 0) addSide(job, b);
  else addPoint(job, bodyB(job, c), armB(job, c));
  if (a >= 0 && bodyA(job, c) == bodyB(job, c)) {
    const both = 2 * mutual(job, a, b);
    w00 -= both; w11 -= both; w22 -= both;
  }
  const n = normalOf(job, c);
  const n0 = load<f64>(n), n1 = load<f64>(n, 8), n2 = load<f64>(n, 16);
  let along: f64 = 0;
  along += n0 * w00 * n0; along += n0 * w01 * n1; along += n0 * w02 * n2;
  along += n1 * w01 * n0; along += n1 * w11 * n1; along += n1 * w12 * n2;
  along += n2 * w02 * n0; along += n2 * w12 * n1; along += n2 * w22 * n2;
  const opening = along > UNMOVABLE ? along : 0;
  store<f64>(softnessOf(job, c), (a >= 0 || b >= 0) && !binding ? SOFT * opening : 0);
  store<f64>(slidingOf(job, c), max(UNMOVABLE, alongPlane(n0, n1, n2, along)));
  return opening;
}

/** Largest eigenvalue in the plane of the contact: of the two, sum and sum of squares are known from traces. */
// @ts-ignore: decorator
@inline function alongPlane(n0: f64, n1: f64, n2: f64, along: f64): f64 {
  const trace = w00 + w11 + w22 - along;
  let squares: f64 = 0;
  squares += w00 * w00; squares += w01 * w01; squares += w02 * w02;
  const r0 = w00 * n0 + w01 * n1 + w02 * n2;
  squares += w01 * w01; squares += w11 * w11; squares += w12 * w12;
  const r1 = w01 * n0 + w11 * n1 + w12 * n2;
  squares += w02 * w02; squares += w12 * w12; squares += w22 * w22;
  const r2 = w02 * n0 + w12 * n1 + w22 * n2;
  const toNormal = r0 * r0 + r1 * r1 + r2 * r2;
  const inPlane = squares - 2 * toNormal + along * along;
  return 0.5 * (trace + sqrt(max(0, 2 * inPlane - trace * trace)));
}

/** Nothing answers yet. */
export function clearAnswer(): void {
  w00 = 0; w01 = 0; w02 = 0; w11 = 0; w12 = 0; w22 = 0;
}

/** Adds how a point of a rigid body answers an impulse at it: 1/m − r* I⁻¹ r*. */
export function addPoint(job: usize, body: usize, arm: usize): void {
  const m = inverseMassOf(job, body);
  if (m == 0) return;
  const x = load<f64>(arm), y = load<f64>(arm, 8), z = load<f64>(arm, 16);
  const i = inverseInertiaOf(job, body);
  const i00 = load<f64>(i), i01 = load<f64>(i, 8), i02 = load<f64>(i, 16), i11 = load<f64>(i, 32), i12 = load<f64>(i, 40), i22 = load<f64>(i, 64);
  const a00 = z * i11 - y * i12, a01 = z * i12 - y * i22, a10 = x * i02 - z * i00, a11 = x * i12 - z * i01, a12 = x * i22 - z * i02, a20 = y * i00 - x * i01, a21 = y * i01 - x * i11;
  w00 += m + a00 * z - a01 * y;
  w01 += a01 * x - (z * i01 - y * i02) * z;
  w02 += (z * i01 - y * i02) * y - a00 * x;
  w11 += m + a12 * x - a10 * z;
  w12 += a10 * y - a11 * x;
  w22 += m + a20 * y - a21 * x;
}

/** Adds how a side of a soft body answers itself; what sleeps does not. */
function addSide(job: usize, side: usize): void {
  const c = isAsleep(softBody(job, softOf(job, side))) ? 0 : mutual(job, side, side);
  store<f64>(ownOf(job, side), c);
  w00 += c; w11 += c; w22 += c;
}

/** How side i moves when side j of the same body is pushed. */
function mutual(job: usize, i: usize, j: usize): f64 {
  const body = softBody(job, softOf(job, i));
  const table = tableOf(body), size = sizeOf(body), first = firstVertex(body);
  let sum: f64 = 0;
  for (let a: usize = 0; a < 3; a++) {
    const weight = load<f64>(weightsOf(job, i) + a * 8);
    if (weight == 0) continue;
    const row = table + slotVertexOf(job, first + load<u32>(slotsOf(job, i) + a * 4)) * size * 8;
    for (let b: usize = 0; b < 3; b++) {
      sum += weight * load<f64>(weightsOf(job, j) + b * 8) * load<f64>(row + slotVertexOf(job, first + load<u32>(slotsOf(job, j) + b * 4)) * 8);
    }
  }
  return sum;
}
