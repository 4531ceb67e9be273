/**
 * For tests of the local-step kernel: its errors, against an f64 specification evaluated on the very f32 numbers the
 * kernel reads.
 *
 * Tolerances are multiples of the rounding unit u = 2^-24 times the magnitude of what is summed:
 * - an entry of F = D B is three products of rounded differences: at most 4 u |D||B|;
 * - R solves a system whose smallest eigenvalue is gap = s1 + s2 (signed), so errors of F reach R times |D||B| / gap;
 *   its own evaluation from the quaternion adds a few u;
 * - forces are 2 mu V (F - R) B and lambda V tr(R^T F - I) R B, with the errors of F and R times the stiffness and |B|.
 * Where the gap is below a thousandth of F the closest rotation is nearly ambiguous: there R is judged by what defines
 * it, the largest tr(R^T F), and the forces by R as the kernel found it.
 */
import { afterAll, expect } from 'vitest';
import { deformationGradient, rotationOfTet, subtractGradient } from '../../../src/kernels/reference/local-tets.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../src/math/polar3.js';
import { createRandom, type Random } from '../../../src/math/random.js';
import { deformTet, type LocalRig, makeLocalRig, makeSoup, type TetSoup } from '../../support/models/tet-soup.js';
import { compose, randomRotation, rotationError } from '../../unit/math/support.js';

/** Rounding unit of f32. */
export const U = 2 ** -24;
/** Allowed multiple of u in R. Measured worst, here and below: R 5.2, orthonormality 19, trace 2.7, force 2.0. */
export const ROTATION_FACTOR = 16;
/** Allowed multiple of u in R^T R - I and det R - 1: |q|^2 is off by a few u, and det R by six times that. */
export const ORTHONORMAL_FACTOR = 32;
/** Allowed multiple of u in a force whose R is given. */
export const FORCE_FACTOR = 8;
/** Allowed multiple of u in tr(R^T F). */
export const TRACE_FACTOR = 8;
/** Relative gap below which a closest rotation counts as ambiguous. */
export const AMBIGUOUS = 1e-3;

export interface Worst {
  /** Rotation errors over their bound u (1 + |D||B| / gap). */
  rotation: number;
  /** Distance of R(q) from a rotation, in u. */
  orthonormality: number;
  /** (s0 + s1 + s2 - tr(R^T F)) over u |D||B|. */
  trace: number;
  /** Force errors, R given, over u times magnitude. */
  force: number;
  /** Largest sum of the four forces of a tet over u times magnitude. */
  balance: number;
  /** Tets whose rotation was not ambiguous. */
  clear: number;
}

const f = new Float64Array(9);
const magnitudes = new Float64Array(9);
const r = new Float64Array(9);
const exact = new Float64Array(9);
const scratch = new Float64Array(POLAR_SCRATCH_LENGTH);

/** Frobenius norm. */
export function norm(m: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < 9; k++) sum += m[k] * m[k];
  return Math.sqrt(sum);
}

/** magnitudes = |D| |B|, and its norm. */
export function magnitudeOfF(soup: TetSoup, tet: number, x: Float32Array): number {
  const { corners, inverseRest } = soup.tets;
  magnitudes.fill(0);
  for (let k = 0; k < 3; k++) {
    for (let row = 0; row < 3; row++) {
      const edge = Math.abs(x[4 * corners[4 * tet + k + 1] + row] - x[4 * corners[4 * tet] + row]);
      for (let c = 0; c < 3; c++) magnitudes[3 * row + c] += edge * Math.abs(inverseRest[9 * tet + 3 * k + c]);
    }
  }
  return norm(magnitudes);
}

/** Compares every tet of a soup (no shared vertices) after a run that started from zero forces. */
export function measure(soup: TetSoup, rig: LocalRig): Worst {
  const worst = { rotation: 0, orthonormality: 0, trace: 0, force: 0, balance: 0, clear: 0 };
  const expected = new Float64Array(rig.out.length);
  const { tets } = soup;
  for (let tet = 0; tet < tets.shearStiffness.length; tet++) {
    deformationGradient(f, tets, tet, rig.x);
    const size = magnitudeOfF(soup, tet, rig.x);
    rotationOfTet(r, rig.quats, tet);
    worst.orthonormality = Math.max(worst.orthonormality, rotationError(r) / U);
    expect(polarRotation(exact, 0, f, 0, scratch, 0)).toBe(true);
    const [s0, s1, s2] = scratch.subarray(18, 21);
    let trace = 0;
    let difference = 0;
    for (let k = 0; k < 9; k++) {
      trace += r[k] * f[k];
      difference += (r[k] - exact[k]) * (r[k] - exact[k]);
    }
    if (size > 0) worst.trace = Math.max(worst.trace, (s0 + s1 + s2 - trace) / (U * size));
    if (s1 + s2 > AMBIGUOUS * size) {
      worst.rotation = Math.max(worst.rotation, Math.sqrt(difference) / (U * (1 + size / (s1 + s2))));
      worst.clear++;
    }
    subtractGradient(tets, tet, f, r, expected);
    const b = norm(tets.inverseRest.subarray(9 * tet, 9 * tet + 9));
    const stress = tets.shearStiffness[tet] * (size + 2) + tets.bulkStiffness[tet] * (2 * size + 3) * 2;
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let corner = 0; corner < 4; corner++) {
        const at = 4 * tets.corners[4 * tet + corner] + k;
        sum += rig.out[at];
        worst.force = Math.max(worst.force, Math.abs(rig.out[at] - expected[at]) / (U * b * stress));
      }
      worst.balance = Math.max(worst.balance, Math.abs(sum) / (U * b * stress));
    }
  }
  return worst;
}

const overall: Worst = { rotation: 0, orthonormality: 0, trace: 0, force: 0, balance: 0, clear: 0 };

afterAll(() => {
  if (process.env.TENDON_REPORT) console.log('localTets, worst errors in u', JSON.stringify(overall));
});

export function expectGood(worst: Worst): void {
  for (const key of Object.keys(overall) as (keyof Worst)[]) overall[key] = Math.max(overall[key], worst[key]);
  expect(worst.rotation).toBeLessThanOrEqual(ROTATION_FACTOR);
  expect(worst.orthonormality).toBeLessThanOrEqual(ORTHONORMAL_FACTOR);
  expect(worst.trace).toBeLessThanOrEqual(TRACE_FACTOR);
  expect(worst.force).toBeLessThanOrEqual(FORCE_FACTOR);
  // The corner that balances the others is their f32 sum.
  expect(worst.balance).toBeLessThanOrEqual(FORCE_FACTOR);
}

/** A matrix with the given signed singular values; `matrix` = U diag(s) V^T. */
export function fromValues(matrix: Float64Array, random: Random, s0: number, s1: number, s2: number): void {
  const u = new Float64Array(9);
  const v = new Float64Array(9);
  randomRotation(u, random);
  randomRotation(v, random);
  compose(matrix, u, s0, s1, s2, v);
}

/** Builds a soup, deforms each tet by what `make` writes, runs the kernel once from cold quaternions. */
export async function runSoup(
  seed: number,
  count: number,
  make: (matrix: Float64Array, random: Random, tet: number) => void,
  options: { size?: number; bulk?: (tet: number) => number; warm?: boolean } = {},
): Promise<{ soup: TetSoup; rig: LocalRig; repaired: number }> {
  const random = createRandom(seed);
  const soup = makeSoup(random, count, options.size, options.bulk);
  const rig = await makeLocalRig(soup.tets, soup.rest.length / 4);
  const matrix = new Float64Array(9);
  for (let tet = 0; tet < count; tet++) {
    make(matrix, random, tet);
    deformTet(rig.x, soup, tet, matrix);
  }
  let repaired = rig.run();
  if (options.warm) {
    rig.out.fill(0);
    repaired = rig.run();
  }
  return { soup, rig, repaired };
}

/** A rotation by `angle` about a random axis times a moderate stretch. */
export function nearRotation(matrix: Float64Array, random: Random, angle: number, stretch: number): void {
  const v = new Float64Array(9);
  const turned = new Float64Array(9);
  const axis = new Float64Array(3);
  randomRotation(v, random);
  random.unitVector(axis, 0);
  const stretched = new Float64Array(9);
  compose(
    stretched,
    v,
    random.range(1 - stretch, 1 + stretch),
    random.range(1 - stretch, 1 + stretch),
    random.range(1 - stretch, 1 + stretch),
    v,
  );
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [x, y, z] = axis;
  turned.set([
    c + x * x * (1 - c),
    x * y * (1 - c) - z * s,
    x * z * (1 - c) + y * s,
    y * x * (1 - c) + z * s,
    c + y * y * (1 - c),
    y * z * (1 - c) - x * s,
    z * x * (1 - c) - y * s,
    z * y * (1 - c) + x * s,
    c + z * z * (1 - c),
  ]);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += turned[3 * row + k] * stretched[3 * k + column];
      matrix[3 * row + column] = sum;
    }
  }
}
