/**
 * The local-step kernel (f32, four tets at a time) against its f64 specification, evaluated on the very f32 numbers the
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
import { afterAll, describe, expect, it } from 'vitest';
import {
  countInverted,
  deformationGradient,
  elasticEnergy,
  localTets,
  rotationOfTet,
  subtractGradient,
} from '../../src/kernels/reference/local-tets.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../src/math/polar3.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { deformTet, type LocalRig, makeElements, makeLocalRig, makeSoup, type TetSoup } from '../support/tet-soup.js';
import { compose, IDENTITY, randomRotation, rotationError } from '../unit/math/support.js';

/** Rounding unit of f32. */
const U = 2 ** -24;
/** Allowed multiple of u in R. Measured worst, here and below: R 5.2, orthonormality 19, trace 2.7, force 2.0. */
const ROTATION_FACTOR = 16;
/** Allowed multiple of u in R^T R - I and det R - 1: |q|^2 is off by a few u, and det R by six times that. */
const ORTHONORMAL_FACTOR = 32;
/** Allowed multiple of u in a force whose R is given. */
const FORCE_FACTOR = 8;
/** Allowed multiple of u in tr(R^T F). */
const TRACE_FACTOR = 8;
/** Relative gap below which a closest rotation counts as ambiguous. */
const AMBIGUOUS = 1e-3;

interface Worst {
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
function norm(m: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < 9; k++) sum += m[k] * m[k];
  return Math.sqrt(sum);
}

/** magnitudes = |D| |B|, and its norm. */
function magnitudeOfF(soup: TetSoup, tet: number, x: Float32Array): number {
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
function measure(soup: TetSoup, rig: LocalRig): Worst {
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

function expectGood(worst: Worst): void {
  for (const key of Object.keys(overall) as (keyof Worst)[]) overall[key] = Math.max(overall[key], worst[key]);
  expect(worst.rotation).toBeLessThanOrEqual(ROTATION_FACTOR);
  expect(worst.orthonormality).toBeLessThanOrEqual(ORTHONORMAL_FACTOR);
  expect(worst.trace).toBeLessThanOrEqual(TRACE_FACTOR);
  expect(worst.force).toBeLessThanOrEqual(FORCE_FACTOR);
  // The corner that balances the others is their f32 sum.
  expect(worst.balance).toBeLessThanOrEqual(FORCE_FACTOR);
}

/** A matrix with the given signed singular values; `matrix` = U diag(s) V^T. */
function fromValues(matrix: Float64Array, random: Random, s0: number, s1: number, s2: number): void {
  const u = new Float64Array(9);
  const v = new Float64Array(9);
  randomRotation(u, random);
  randomRotation(v, random);
  compose(matrix, u, s0, s1, s2, v);
}

/** Builds a soup, deforms each tet by what `make` writes, runs the kernel once from cold quaternions. */
async function runSoup(
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
function nearRotation(matrix: Float64Array, random: Random, angle: number, stretch: number): void {
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

describe('reference/local-tets', () => {
  it('gives the gradient of its energy (central differences)', () => {
    const random = createRandom(1);
    const soup = makeSoup(random, 20, 1, () => random.range(0, 2));
    const x = Float32Array.from(soup.rest);
    const matrix = new Float64Array(9);
    for (let tet = 0; tet < 20; tet++) {
      fromValues(matrix, random, random.range(1, 2), random.range(0.5, 1), random.range(-0.3, 0.5));
      deformTet(x, soup, tet, matrix);
    }
    const force = new Float64Array(x.length);
    localTets(soup.tets, x, force);
    const moved = Float64Array.from(x);
    const step = 1e-5;
    for (let k = 0; k < x.length; k++) {
      if (k % 4 === 3) continue;
      moved[k] = x[k] + step;
      const above = elasticEnergy(soup.tets, moved);
      moved[k] = x[k] - step;
      const below = elasticEnergy(soup.tets, moved);
      moved[k] = x[k];
      // Third derivatives of about 10 times step^2 / 6, and rounding 1e-16 * 100 / step: both below 1e-7.
      expect(Math.abs(force[k] + (above - below) / (2 * step))).toBeLessThanOrEqual(1e-7);
    }
  });

  it('counts inverted, flat and non-finite tets', () => {
    const random = createRandom(2);
    const soup = makeSoup(random, 4);
    const x = Float32Array.from(soup.rest);
    deformTet(x, soup, 1, [1, 0, 0, 0, 1, 0, 0, 0, -1]);
    deformTet(x, soup, 2, [0, 0, 0, 0, 0, 0, 0, 0, 0]);
    x[4 * 12] = Number.NaN;
    expect(localTets(soup.tets, x, new Float64Array(x.length))).toBe(3);
  });
});

describe('localTets', () => {
  it('is right for small turns and stretches, cold and warm', async () => {
    for (const warm of [false, true]) {
      const { soup, rig, repaired } = await runSoup(
        3,
        4000,
        (m, random) => nearRotation(m, random, random.range(0, 0.3), 0.2),
        { warm },
      );
      const worst = measure(soup, rig);
      expectGood(worst);
      expect(worst.clear).toBe(4000);
      // Newton's territory: not one SVD.
      expect(repaired).toBe(0);
    }
  });

  it('is right from cold quaternions for arbitrary rotations', async () => {
    const { soup, rig, repaired } = await runSoup(4, 20_000, (m, random) =>
      nearRotation(m, random, random.range(0, Math.PI), 0.3),
    );
    const worst = measure(soup, rig);
    expectGood(worst);
    expect(worst.clear).toBe(20_000);
    expect(repaired).toBeGreaterThan(1000);
  });

  it('is right from cold quaternions for arbitrary deformations', async () => {
    const { soup, rig } = await runSoup(5, 20_000, (m, random) =>
      fromValues(m, random, random.range(1, 3), random.range(0.3, 1), random.range(0.01, 0.3)),
    );
    expectGood(measure(soup, rig));
  });

  it('finds the same rotation again from its own quaternions, without an SVD', async () => {
    const { soup, rig, repaired } = await runSoup(
      6,
      4000,
      (m, random) => fromValues(m, random, random.range(1, 2), random.range(0.8, 1), random.range(0.3, 0.8)),
      { warm: true },
    );
    expectGood(measure(soup, rig));
    expect(repaired).toBe(0);
  });

  it('follows a turning body with warm quaternions and never needs an SVD', async () => {
    const random = createRandom(7);
    const soup = makeSoup(random, 400);
    const rig = await makeLocalRig(soup.tets, soup.rest.length / 4);
    for (let frame = 0; frame < 100; frame++) {
      const matrix = new Float64Array(9);
      nearRotation(matrix, createRandom(99), 0.1 * frame, 0);
      for (let tet = 0; tet < 400; tet++) deformTet(rig.x, soup, tet, matrix);
      rig.out.fill(0);
      expect(rig.run()).toBe(0);
      expectGood(measure(soup, rig));
    }
  });

  it('is right for inverted tets', async () => {
    const { soup, rig } = await runSoup(8, 20_000, (m, random) =>
      fromValues(m, random, random.range(1, 3), random.range(0.3, 1), -random.range(0.01, 0.3)),
    );
    expectGood(measure(soup, rig));
    const mirrored = await runSoup(9, 2000, (m, random) => fromValues(m, random, 1, 1, -1));
    expectGood(measure(mirrored.soup, mirrored.rig));
  });

  it.each([
    ['a plane', 1, 1],
    ['a line', 1, 0],
    ['a point', 0, 0],
  ])('is right for tets collapsed to %s', async (_name, s0, s1) => {
    for (const noise of [0, 1e-7, 1e-4]) {
      const { soup, rig } = await runSoup(10, 4000, (m, random) => {
        fromValues(m, random, s0 * random.range(0.5, 2), s1 * random.range(0.1, 0.5), 0);
        for (let k = 0; k < 9; k++) m[k] += noise * random.range(-1, 1);
      });
      expectGood(measure(soup, rig));
    }
  });

  it.each([1e6, 1e-6])('is right for meshes of size %s m', async (size) => {
    const { soup, rig } = await runSoup(
      11,
      4000,
      (m, random) => fromValues(m, random, random.range(1, 2), random.range(0.3, 1), random.range(-0.3, 0.3)),
      { size },
    );
    expectGood(measure(soup, rig));
  });

  it.each([1e6, 1e12, 1e-6, 1e-12, 1e-30])('is right for tets blown up or shrunk by %s', async (scale) => {
    const { soup, rig } = await runSoup(12, 4000, (m, random) =>
      fromValues(m, random, scale * random.range(1, 2), scale * random.range(0.3, 1), scale * random.range(-0.3, 0.3)),
    );
    expectGood(measure(soup, rig));
  });

  it.each([0, 0.5, 50])('is right for lambda V = %s J', async (bulk) => {
    const { soup, rig } = await runSoup(
      13,
      4000,
      (m, random) => fromValues(m, random, random.range(1, 2), random.range(0.3, 1), random.range(-0.3, 0.3)),
      { bulk: () => bulk },
    );
    expectGood(measure(soup, rig));
  });

  it('gives no force at rest beyond rounding, and none after a rigid motion', async () => {
    const random = createRandom(14);
    const soup = makeSoup(random, 1000);
    const rig = await makeLocalRig(soup.tets, soup.rest.length / 4);
    const matrix = new Float64Array(9);
    for (const [index, translation] of (
      [
        [0, 0, 0],
        [1, -2, 3],
        [10, 0, -20],
      ] as const
    ).entries()) {
      if (index === 0) matrix.set(IDENTITY);
      else randomRotation(matrix, random);
      for (let tet = 0; tet < 1000; tet++) deformTet(rig.x, soup, tet, matrix, translation);
      rig.out.fill(0);
      rig.run();
      let worst = 0;
      for (let tet = 0; tet < 1000; tet++) {
        const b = norm(soup.tets.inverseRest.subarray(9 * tet, 9 * tet + 9));
        const stress = soup.tets.shearStiffness[tet] + 3 * soup.tets.bulkStiffness[tet];
        for (let k = 0; k < 16; k++) worst = Math.max(worst, Math.abs(rig.out[16 * tet + k]) / (b * stress * (1 + b)));
      }
      // The positions themselves are rounded to u times their distance from the origin, and B multiplies that.
      const reach = 2 + Math.max(...translation.map(Math.abs));
      expect(worst).toBeLessThanOrEqual(16 * U * reach);
    }
  });

  it('turns forces with the body: f(Q x) = Q f(x)', async () => {
    const { soup, rig } = await runSoup(15, 1000, (m, random) =>
      fromValues(m, random, random.range(1, 2), random.range(0.5, 1), random.range(0.1, 0.5)),
    );
    const before = Float64Array.from(rig.out);
    // A quarter turn about each axis in turn, (x, y, z) -> (y, z, x), is exact in f32.
    const turned = Float32Array.from(rig.x);
    for (let row = 0; row < turned.length / 4; row++)
      for (let k = 0; k < 3; k++) turned[4 * row + k] = rig.x[4 * row + ((k + 1) % 3)];
    rig.x.set(turned);
    rig.out.fill(0);
    rig.run();
    let worst = 0;
    for (let tet = 0; tet < 1000; tet++) {
      const size = magnitudeOfF(soup, tet, rig.x);
      const b = norm(soup.tets.inverseRest.subarray(9 * tet, 9 * tet + 9));
      const stress = soup.tets.shearStiffness[tet] * (size + 2) + soup.tets.bulkStiffness[tet] * (2 * size + 3) * 2;
      for (let row = 4 * tet; row < 4 * tet + 4; row++) {
        for (let k = 0; k < 3; k++) {
          worst = Math.max(
            worst,
            Math.abs(rig.out[4 * row + k] - before[4 * row + ((k + 1) % 3)]) / (b * stress * (1 + size / 0.6)),
          );
        }
      }
    }
    // Two evaluations, each with the error of R: gap >= 0.6 here.
    expect(worst).toBeLessThanOrEqual(2 * ROTATION_FACTOR * U);
    expect(worst).toBeGreaterThan(0);
  });

  it('sums the forces of a mesh whose tets share vertices', async () => {
    // A fan: 30 tets around one edge, and a chain of tets through all vertices.
    const random = createRandom(16);
    const rowCount = 40;
    const rest = new Float64Array(4 * rowCount);
    for (let k = 0; k < rest.length; k++) if (k % 4 !== 3) rest[k] = Math.fround(random.range(-1, 1));
    const corners: number[] = [];
    for (let k = 0; k < 30; k++) corners.push(0, 1, 2 + k, 3 + k);
    for (let k = 0; k + 3 < rowCount; k++) corners.push(k, k + 1, k + 2, k + 3);
    const tets = makeElements(
      rest,
      corners,
      () => 0.01,
      () => 0.01,
    );
    const rig = await makeLocalRig(tets, rowCount);
    for (let k = 0; k < rest.length; k++) rig.x[k] = rest[k] * 1.25;
    rig.out.fill(7);
    rig.run();
    const expected = new Float64Array(rig.out.length).fill(7);
    localTets(tets, rig.x, expected);
    const magnitude = new Float64Array(rig.out.length / 4).fill(7);
    for (let tet = 0; tet < corners.length / 4; tet++) {
      const b = norm(tets.inverseRest.subarray(9 * tet, 9 * tet + 9));
      const size = magnitudeOfF({ rest, tets }, tet, rig.x);
      for (let c = 0; c < 4; c++)
        magnitude[corners[4 * tet + c]] += b * (0.01 * (size + 2) + 0.02 * (2 * size + 3)) * (1 + size / 2.5);
    }
    for (let row = 0; row < rowCount; row++) {
      for (let k = 0; k < 3; k++) {
        // One rounding per addition, at most 34 tets on a row.
        expect(Math.abs(rig.out[4 * row + k] - expected[4 * row + k])).toBeLessThanOrEqual(
          (ROTATION_FACTOR + 34) * U * magnitude[row],
        );
      }
      // The pad stays what it was.
      expect(rig.out[4 * row + 3]).toBe(7);
    }
  });

  it('gives the same bits when the groups are run in several calls', async () => {
    const make = (m: Float64Array, random: Random) =>
      fromValues(m, random, random.range(1, 2), random.range(0.3, 1), random.range(-0.3, 0.3));
    const { rig } = await runSoup(17, 402, make);
    const whole = rig.out.slice();
    const { rig: cut } = await runSoup(17, 402, make);
    cut.out.fill(0);
    resetAndRunInPieces(cut);
    expect(new Uint32Array(cut.out.buffer, cut.out.byteOffset, cut.out.length)).toEqual(new Uint32Array(whole.buffer));
  });

  it.each([1, 2, 3, 4, 5, 7])('handles %s tets, a last group that is not full included', async (count) => {
    const { soup, rig } = await runSoup(18, count, (m, random) =>
      fromValues(m, random, random.range(1, 2), random.range(0.3, 1), random.range(0.1, 0.3)),
    );
    expectGood(measure(soup, rig));
    expect(rig.groupCount).toBe(Math.ceil(count / 4));
  });

  it('counts the tets that needed an SVD, and not the copies that fill up the last group', async () => {
    for (const [count, inverted] of [
      [1, [0]],
      [5, [4]],
      [6, [0, 5]],
      [8, [1, 2, 7]],
      [3, []],
    ] as const) {
      const { soup, rig, repaired } = await runSoup(19, count, (m, random, tet) => {
        nearRotation(m, random, 0.05, 0.1);
        // Half a turn: tr(M) I - sym(M) is not definite at the identity, whatever the stretch.
        if ((inverted as readonly number[]).includes(tet)) for (let k = 0; k < 6; k++) m[k] = -m[k];
      });
      expect(repaired).toBe(inverted.length);
      expectGood(measure(soup, rig));
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'keeps %s in one vertex among the tets that touch it',
    async (bad) => {
      const random = createRandom(20);
      const soup = makeSoup(random, 7);
      for (let component = 0; component < 3; component++) {
        for (let vertex = 0; vertex < 28; vertex++) {
          const rig = await makeLocalRig(soup.tets, 28);
          const matrix = new Float64Array(9);
          for (let tet = 0; tet < 7; tet++) {
            fromValues(matrix, random, 1.5, 1, 0.7);
            deformTet(rig.x, soup, tet, matrix);
          }
          const good = rig.x[4 * vertex + component];
          rig.x[4 * vertex + component] = bad;
          rig.run();
          const touched = Math.floor(vertex / 4);
          for (let row = 0; row < 28; row++) {
            const finite = rig.out.subarray(4 * row, 4 * row + 4).every(Number.isFinite);
            expect(finite || Math.floor(row / 4) === touched).toBe(true);
          }
          expect(rig.out.subarray(16 * touched, 16 * touched + 16).every(Number.isFinite)).toBe(false);
          expect(rig.quats.every(Number.isFinite)).toBe(true);
          // And it is over as soon as the vertex is good again.
          rig.x[4 * vertex + component] = good;
          rig.out.fill(0);
          rig.run();
          expectGood(measure(soup, rig));
        }
      }
    },
  );

  it('recovers from quaternions that are not numbers', async () => {
    const { soup, rig } = await runSoup(21, 9, (m, random) => nearRotation(m, random, 1, 0.2));
    rig.quats.fill(Number.NaN);
    rig.out.fill(0);
    expect(rig.run()).toBe(9);
    expectGood(measure(soup, rig));
  });
});

function resetAndRunInPieces(rig: LocalRig): void {
  rig.quats.fill(0);
  for (let group = 0; group < rig.groupCount; group++) rig.quats.fill(1, 16 * group, 16 * group + 4);
  for (let group = 0; group < rig.groupCount; group += 7) rig.run(group, Math.min(rig.groupCount, group + 7));
}

describe('countInverted', () => {
  it('counts what the specification counts, in any cut, without the copies that fill up the last group', async () => {
    for (const count of [1, 2, 3, 4, 401]) {
      // Volumes are clear of zero: at least 0.03 of the rest volume, far above the rounding of f32.
      const { soup, rig } = await runSoup(30, count, (m, random) =>
        fromValues(
          m,
          random,
          random.range(1, 2),
          random.range(0.3, 1),
          random.range(0.1, 0.3) * (random.integer(3) - 1 || -1),
        ),
      );
      const expected = countInverted(soup.tets, rig.x);
      expect(rig.countInverted()).toBe(expected);
      let sum = 0;
      for (let group = 0; group < rig.groupCount; group++) sum += rig.countInverted(group, group + 1);
      expect(sum).toBe(expected);
      if (count > 4) expect(expected).toBeGreaterThan(100);
    }
  });

  it('counts none at rest and all in the mirror', async () => {
    for (const [count, mirrored] of [
      [7, 1],
      [7, -1],
    ]) {
      const { rig } = await runSoup(31, count, (m) => m.set([1, 0, 0, 0, mirrored, 0, 0, 0, 1]));
      expect(rig.countInverted()).toBe(mirrored < 0 ? 7 : 0);
    }
  });

  it('does not count tets that are flat or not finite', async () => {
    const { rig } = await runSoup(32, 6, (m) => m.set([1, 0, 0, 0, 1, 0, 0, 0, 0]));
    expect(rig.countInverted()).toBe(0);
    rig.x.fill(Number.NaN);
    expect(rig.countInverted()).toBe(0);
  });
});
