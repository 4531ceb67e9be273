/** The local-step kernel (f32, four tets at a time) against its f64 specification; tolerances in local-tets-measure.ts. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { deformTet, makeLocalRig, makeSoup } from '../../support/models/tet-soup.js';
import { IDENTITY, randomRotation } from '../../unit/math/support.js';
import {
  expectGood,
  fromValues,
  magnitudeOfF,
  measure,
  nearRotation,
  norm,
  ROTATION_FACTOR,
  runSoup,
  U,
} from './local-tets-measure.js';

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
});
