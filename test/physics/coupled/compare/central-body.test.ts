/**
 * The published choices that are there for comparison [Shinar2008]: the central body's system reaches the changes of velocity it is asked for and keeps momentum (V41), and the push-out
 * made of it agrees with the rows of the position track where it must.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/math/random.js';
import { CentralBody } from '../../../../src/solvers/coupled/compare/central-body.js';
import { CoupledCore } from '../../../../src/solvers/coupled/coupled-core.js';
import { ball, box, ground } from '../../../support/models/coupled.js';
import { placeSoft, softBox } from '../../../support/models/coupled-soft.js';

type Vec = readonly number[];
const cross = (a: Vec, b: Vec) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

describe('the central body (V41)', () => {
  const random = createRandom(41);
  const vector = () => [0, 1, 2].map(() => random.range(-1, 1));
  /** A random symmetric positive definite matrix. */
  const spd = () => {
    const rows = [vector(), vector(), vector()];
    return Float64Array.from({ length: 9 }, (_, n) => {
      const [i, j] = [Math.floor(n / 3), n % 3];
      return dot(rows[i], rows[j]) + (i === j ? 0.3 : 0);
    });
  };
  const times = (k: ArrayLike<number>, v: Vec) =>
    [0, 1, 2].map((i) => k[i * 3] * v[0] + k[i * 3 + 1] * v[1] + k[i * 3 + 2] * v[2]);

  it.each([1, 2, 3, 5, 8])(
    'reaches what %i outer bodies ask for, in all directions or along normals, and keeps momentum',
    (count) => {
      for (const isAlong of [false, true]) {
        const mass = random.range(0.5, 3);
        const inertia = spd();
        const outers = Array.from({ length: count }, () => {
          const n = vector();
          const length = Math.sqrt(dot(n, n));
          return { r: vector(), k: spd(), v: vector(), n: n.map((value) => value / length) };
        });
        const central = new CentralBody(8);
        central.begin(mass, inertia, 0);
        for (const { r, k, v, n } of outers) {
          expect(isAlong ? central.addAlong(r, 0, n, k, v) : central.addOuter(r, 0, k, v)).toBe(true);
        }
        expect(central.solve()).toBe(true);
        const u = [...central.change.subarray(0, 3)];
        const w = [...central.change.subarray(3)];
        const sum = u.map((value) => mass * value);
        const spin = times(inertia, w);
        outers.forEach(({ r, k, v, n }, i) => {
          const j = new Float64Array(3);
          central.impulseOf(i, j);
          const moved = times(k, [...j]);
          const change = [0, 1, 2].map((a) => u[a] + cross(w, r)[a] - moved[a]);
          if (isAlong) {
            expect(Math.abs(dot(n, change) - dot(n, v))).toBeLessThan(1e-12);
            // an impulse along the normal and no other
            expect(Math.sqrt(dot(cross(n, [...j]), cross(n, [...j])))).toBeLessThan(1e-12);
          } else for (let a = 0; a < 3; a++) expect(Math.abs(change[a] - v[a])).toBeLessThan(1e-12);
          const turn = cross(r, [...j]);
          for (let a = 0; a < 3; a++) {
            sum[a] += j[a];
            spin[a] += turn[a];
          }
        });
        // what the outer bodies gain the central one loses
        for (const value of [...sum, ...spin]) expect(Math.abs(value)).toBeLessThan(1e-11);
      }
    },
  );
});

describe('push-out by rows and by the central body', () => {
  const WAYS = ['rows', 'centralBody'] as const;
  const deepest = ({ contacts }: CoupledCore) => {
    let most = 0;
    for (let c = 0; c < contacts.count; c++) most = Math.max(most, -contacts.gap[c]);
    return most;
  };

  it('both bring overlapping bodies apart, leave the centre of mass where it is, and no momentum', () => {
    for (const pushOutBy of WAYS) {
      const [a, b] = [ball(0.1, 1, { position: [0, 0, 0] }), ball(0.1, 3, { position: [0.17, 0.02, 0] })];
      const soft = [placeSoft(softBox([2, 2, 2], 0.1), [0.36, 0, 0])];
      const core = new CoupledCore({ rigid: [a, b], soft, gravity: [0, 0, 0] }, { pushOutBy });
      const mass = 4 + core.soft.mass.reduce((sum, m) => sum + m, 0);
      const centre = () =>
        [0, 1, 2].map(
          (k) =>
            (core.rigid.x[k] +
              3 * core.rigid.x[3 + k] +
              core.soft.mass.reduce((sum, m, i) => sum + m * core.soft.x[i * 3 + k], 0)) /
            mass,
        );
      const before = centre();
      for (let n = 0; n < 60; n++) core.step(1 / 60);
      expect(deepest(core)).toBeLessThan(2e-4);
      centre().forEach((value, k) => {
        expect(Math.abs(value - before[k])).toBeLessThan(1e-12);
      });
      // flesh that was pushed in springs back, but nothing leaves as a whole
      const momentum =
        core.rigid.v[0] + 3 * core.rigid.v[3] + core.soft.mass.reduce((sum, m, i) => sum + m * core.soft.v[i * 3], 0);
      expect(Math.abs(momentum)).toBeLessThan(1e-12);
    }
  });

  it('a light body between heavy ones comes free in one step by the central body, by its share per substep by rows', () => {
    const left = WAYS.map((pushOutBy) => {
      const rigid = [
        ball(0.1, 1e3, { position: [-0.19, 0, 0] }),
        ball(0.1, 1e-3, { position: [0, 0, 0] }),
        ball(0.1, 1e3, { position: [0.19, 0, 0] }),
      ];
      const core = new CoupledCore({ rigid, gravity: [0, 0, 0] }, { pushOutBy, substeps: 1 });
      core.step(1 / 60);
      return deepest(core);
    });
    // 10 mm deep at the start; rows take 0.3 of it
    expect(Math.abs(left[0] - 0.007)).toBeLessThan(1e-5);
    expect(left[1]).toBeLessThan(1e-5);
  });

  it('both hold a stack on the floor', () => {
    for (const pushOutBy of WAYS) {
      const boxes = [0, 1, 2, 3].map((i) => box([0.1, 0.1, 0.1], 8, { position: [0, 0.1 + 0.2 * i - 0.002, 0] }));
      const core = new CoupledCore({ rigid: [ground(), ...boxes] }, { pushOutBy });
      for (let n = 0; n < 120; n++) core.step(1 / 60);
      expect(deepest(core)).toBeLessThan(1e-4);
      expect(Math.abs(core.rigid.x[13] - 0.7)).toBeLessThan(2e-3);
    }
  });
});
