/** The local-step kernel in runs of any cut: shared vertices, unfilled groups, numbers that are none. */
import { describe, expect, it } from 'vitest';
import { localTets } from '../../../src/kernels/reference/local-tets.js';
import { createRandom, type Random } from '../../../src/math/random.js';
import { deformTet, type LocalRig, makeElements, makeLocalRig, makeSoup } from '../../support/models/tet-soup.js';
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
