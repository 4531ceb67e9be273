/** Rigid bodies of the coupled solver by themselves: free rotation, rows of balls, bounces, light between heavy. */
import type { CoreRigid } from '../../src/solvers/coupled/core-scene.js';
import { CoupledCore } from '../../src/solvers/coupled/coupled-core.js';
import type { VerifyCase } from './verify-case.js';

type Start = Partial<Pick<CoreRigid, 'position' | 'velocity' | 'angularVelocity' | 'friction' | 'restitution'>>;

function rigid(mass: number, [a, b, c]: readonly number[], shape: CoreRigid['shape'], start: Start): CoreRigid {
  const inertia = [a, 0, 0, 0, b, 0, 0, 0, c];
  const inverseInertia = [1 / a, 0, 0, 0, 1 / b, 0, 0, 0, 1 / c];
  return { mass, inertia, inverseInertia, position: [0, 0, 0], shape, ...start };
}

function ball(start: Start): CoreRigid {
  const moment = 0.4 * 0.01;
  return rigid(1, [moment, moment, moment], { kind: 'sphere', radius: 0.1 }, start);
}

const GROUND: CoreRigid = {
  ...{ mass: 0, inertia: [], inverseInertia: [], position: [0, 0, 0] },
  ...{ shape: { kind: 'plane' }, friction: 0.5 },
};

/** Orientation after 1 s of a free body with moments 1, 2, 3 and angular momentum (0.3, 4, 0.2). */
function turned(h: number): Float64Array {
  const angularVelocity = [0.3, 2, 0.2 / 3];
  const body = rigid(1, [1, 2, 3], { kind: 'sphere', radius: 0.1 }, { angularVelocity });
  const core = new CoupledCore({ rigid: [body], gravity: [0, 0, 0] }, { substeps: 1 });
  for (let n = 0; n < Math.round(1 / h); n++) core.step(h);
  return core.rigid.q;
}

/** V05: |R − R′| of the orientations with a step and with one of a 64th of 0.01 s. */
function rotationError(h: number): number {
  const [p, q] = [turned(h), turned(0.01 / 64)];
  const dot = Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
  return Math.SQRT2 * 2 * Math.acos(Math.min(1, dot));
}

/** V53: speed of the last of five balls in a row after the first has hit it with 1 m/s [m/s]. */
function rowSpeed(restitution: number): number {
  const row = Array.from({ length: 5 }, (_, i) => {
    const position = [i === 0 ? -0.5 : 0.2 * i, 0, 0];
    return ball({ position, velocity: [i === 0 ? 1 : 0, 0, 0], restitution, friction: 0 });
  });
  const core = new CoupledCore({ rigid: row, gravity: [0, 0, 0] });
  for (let n = 0; n < 120; n++) core.step(1 / 60);
  return core.rigid.v[12];
}

/** V53b: how deep boxes of 0.5 m come into each other or the ground, the middle one lighter by `ratio` [m]. */
function deepest(ratio: number): number {
  const boxes = [ratio, 1, ratio].map((mass, i) => {
    const moment = (mass / 3) * 2 * 0.0625;
    const position = [0, 0.26 + 0.51 * i, 0];
    return rigid(mass, [moment, moment, moment], { kind: 'box', halfExtents: [0.25, 0.25, 0.25] }, { position });
  });
  const core = new CoupledCore({ rigid: [GROUND, ...boxes] }, { substeps: 1 });
  let least = 0;
  for (let n = 0; n < 300; n++) {
    core.step(1 / 60);
    for (let c = 0; c < core.contacts.count; c++) least = Math.min(least, core.contacts.gap[c]);
  }
  return -least;
}

/** V54: height of the first bounce of a ball over the height of its fall. */
function apex(restitution: number): number {
  const core = new CoupledCore({ rigid: [GROUND, ball({ position: [0, 1.1, 0], restitution })] }, { substeps: 1 });
  let highest = 0;
  let hasHit = false;
  for (let n = 0; n < 240; n++) {
    core.step(1 / 240);
    hasHit ||= core.rigid.v[4] >= 0;
    if (hasHit) highest = Math.max(highest, core.rigid.x[4] - 0.1);
  }
  return highest;
}

const coupled = { solver: 'coupled' } as const;

export const COUPLED_CASES: readonly VerifyCase[] = [
  {
    id: 'V05',
    ...coupled,
    name: 'free rotation, moments 1, 2, 3, after 1 s, h = 0.01 s',
    unit: '',
    formula: '|R − R_exact|, independent program',
    expected: 6.356e-6,
    tolerance: 1e-8,
    run: async () => rotationError(0.01),
  },
  ...(
    [
      [1, 1],
      [0, 0.2],
    ] as const
  ).map(
    ([e, expected]): VerifyCase => ({
      id: 'V53',
      ...coupled,
      name: `last of five equal balls in a row after a blow, e = ${e}`,
      unit: 'm/s',
      formula: e === 1 ? 'v₀' : 'v₀ / 5',
      expected,
      tolerance: 1e-6,
      run: async () => rowSpeed(e),
    }),
  ),
  ...[1e3, 1e6].map(
    (ratio): VerifyCase => ({
      id: 'V53b',
      ...coupled,
      name: `box between two that are ${ratio.toExponential(0)} times as heavy, depth`,
      unit: 'm',
      formula: '0, at most 1e-3 of a box',
      expected: 0,
      tolerance: 5e-4,
      run: async () => deepest(ratio),
    }),
  ),
  ...[0.5, 0.9].map(
    (e): VerifyCase => ({
      id: 'V54',
      ...coupled,
      name: `first bounce of a ball, e = ${e}, h = 1/240 s`,
      unit: '',
      formula: 'height / fall = e²',
      expected: e * e,
      tolerance: 0.01 * e * e,
      run: async () => apex(e),
    }),
  ),
];
