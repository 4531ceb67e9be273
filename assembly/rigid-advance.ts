/** Rigid bodies moved by their velocities: what `advance` of src/solvers/coupled/rigid/rigid-bodies.ts does, bit for bit. `job`: see assembly/row-job.ts. */
import { bodyInertia, bodyInverse, inverseInertiaOf, inverseMassOf, placeOf, quatOf, rotationOf, settings, twistOf } from './row-job';

/** Terms of the series of sine and cosine. */
const TERMS: i32 = 9;

// the vector at hand, and a matrix
let v0: f64 = 0, v1: f64 = 0, v2: f64 = 0;

/** Moves bodies [first, last) that pushes move. */
export function advanceBodies(first: usize, last: usize, own: usize, job: usize): void {
  const h = load<f64>(settings(job)), half = 0.5 * h * h;
  for (let b = first; b < last; b++) {
    if (!(inverseMassOf(job, b) > 0)) continue;
    const v = twistOf(job, b), x = placeOf(job, b), r = rotationOf(job, b), i = inverseInertiaOf(job, b);
    for (let k: usize = 0; k < 24; k += 8) store<f64>(x + k, load<f64>(x + k) + h * load<f64>(v + k));
    const w0 = load<f64>(v, 24), w1 = load<f64>(v, 32), w2 = load<f64>(v, 40);
    if (w0 == 0 && w1 == 0 && w2 == 0) continue;
    // L = R I Rᵀ ω
    v0 = load<f64>(r) * w0 + load<f64>(r, 24) * w1 + load<f64>(r, 48) * w2;
    const m1 = load<f64>(r, 8) * w0 + load<f64>(r, 32) * w1 + load<f64>(r, 56) * w2;
    v2 = load<f64>(r, 16) * w0 + load<f64>(r, 40) * w1 + load<f64>(r, 64) * w2;
    v1 = m1;
    multiply(bodyInertia(job, b));
    multiply(r);
    const c0 = v1 * w2 - v2 * w1, c1 = v2 * w0 - v0 * w2, c2 = v0 * w1 - v1 * w0;
    v0 = h * w0 + half * (load<f64>(i) * c0 + load<f64>(i, 8) * c1 + load<f64>(i, 16) * c2);
    v1 = h * w1 + half * (load<f64>(i, 24) * c0 + load<f64>(i, 32) * c1 + load<f64>(i, 40) * c2);
    v2 = h * w2 + half * (load<f64>(i, 48) * c0 + load<f64>(i, 56) * c1 + load<f64>(i, 64) * c2);
    turn(quatOf(job, b));
    refresh(quatOf(job, b), r, bodyInverse(job, b), i);
  }
}

/** v = a matrix times v. */
function multiply(m: usize): void {
  const x = v0, y = v1, z = v2;
  v0 = load<f64>(m) * x + load<f64>(m, 8) * y + load<f64>(m, 16) * z;
  v1 = load<f64>(m, 24) * x + load<f64>(m, 32) * y + load<f64>(m, 40) * z;
  v2 = load<f64>(m, 48) * x + load<f64>(m, 56) * y + load<f64>(m, 64) * z;
}

/** Turns a quaternion by v; see src/solvers/coupled/rigid/turn.ts. */
function turn(q: usize): void {
  const angleSq = v0 * v0 + v1 * v1 + v2 * v2;
  if (!(angleSq <= f64.MAX_VALUE)) return;
  let a = 0.25 * angleSq;
  let doublings = 0;
  for (; a > 1; doublings++) a *= 0.25;
  let sinc: f64 = 1, cosine: f64 = 1;
  for (let n = TERMS; n > 0; n--) {
    sinc = 1 - (a / f64(2 * n * (2 * n + 1))) * sinc;
    cosine = 1 - (a / f64(2 * n * (2 * n - 1))) * cosine;
  }
  for (; doublings > 0; doublings--) {
    sinc *= cosine;
    cosine = 2 * cosine * cosine - 1;
  }
  const half = 0.5 * sinc;
  const a0 = half * v0, b0 = half * v1, c0 = half * v2;
  const x = load<f64>(q), y = load<f64>(q, 8), z = load<f64>(q, 16), s = load<f64>(q, 24);
  const q0 = cosine * x + a0 * s + b0 * z - c0 * y, q1 = cosine * y + b0 * s + c0 * x - a0 * z, q2 = cosine * z + c0 * s + a0 * y - b0 * x, q3 = cosine * s - a0 * x - b0 * y - c0 * z;
  const lengthSq = q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3;
  const known = lengthSq > 1e-300 && lengthSq <= f64.MAX_VALUE;
  const length = known ? sqrt(lengthSq) : 1;
  store<f64>(q, known ? q0 / length : 0); store<f64>(q, known ? q1 / length : 0, 8); store<f64>(q, known ? q2 / length : 0, 16); store<f64>(q, known ? q3 / length : 1, 24);
}

/** The rotation matrix of a quaternion. */
export function writeRotation(q: usize, r: usize): void {
  const x = load<f64>(q), y = load<f64>(q, 8), z = load<f64>(q, 16), w = load<f64>(q, 24);
  store<f64>(r, 1 - 2 * (y * y + z * z)); store<f64>(r, 2 * (x * y - w * z), 8); store<f64>(r, 2 * (x * z + w * y), 16);
  store<f64>(r, 2 * (x * y + w * z), 24); store<f64>(r, 1 - 2 * (x * x + z * z), 32); store<f64>(r, 2 * (y * z - w * x), 40);
  store<f64>(r, 2 * (x * z - w * y), 48); store<f64>(r, 2 * (y * z + w * x), 56); store<f64>(r, 1 - 2 * (x * x + y * y), 64);
}

/** Rotation matrix and inverse inertia R I⁻¹ Rᵀ from the orientation. */
function refresh(q: usize, r: usize, inverse: usize, out: usize): void {
  writeRotation(q, r);
  for (let k: usize = 0; k < 72; k += 24) {
    const a = r + k;
    const s0 = load<f64>(a) * load<f64>(inverse) + load<f64>(a, 8) * load<f64>(inverse, 24) + load<f64>(a, 16) * load<f64>(inverse, 48);
    const s1 = load<f64>(a) * load<f64>(inverse, 8) + load<f64>(a, 8) * load<f64>(inverse, 32) + load<f64>(a, 16) * load<f64>(inverse, 56);
    const s2 = load<f64>(a) * load<f64>(inverse, 16) + load<f64>(a, 8) * load<f64>(inverse, 40) + load<f64>(a, 16) * load<f64>(inverse, 64);
    for (let m: usize = 0; m < 3; m++) {
      const b = r + m * 24;
      store<f64>(out + k + m * 8, s0 * load<f64>(b) + s1 * load<f64>(b, 8) + s2 * load<f64>(b, 16));
    }
  }
}
